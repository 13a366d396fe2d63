package views

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/replay"
)

// execution is that of a complete run. Reads take their values from the writes of their messages, and co is the order
// of the messages.
func (s *search) execution(st *State) (*models.Execution, error) {
	inputs := make([][]uint64, len(st.threads))
	for t, th := range st.threads {
		inputs[t] = th.inputs
	}
	x, err := replay.Replay(s.program, inputs)
	if err != nil {
		return nil, fmt.Errorf("BUG: a run is not an execution: %w", err)
	}
	event := make([]int, len(st.messages)) // by message
	for loc := range s.program.Locs {
		event[loc] = loc
	}
	next := make([]int, len(st.threads))
	from := map[int]int{}
	for _, e := range x.Events[len(s.program.Locs):] {
		if e.Kind == models.Fence || e.Tags.Has(ir.TagPick) {
			continue
		}
		m := st.threads[e.Thread].messages[next[e.Thread]]
		next[e.Thread]++
		if e.Kind == models.Read {
			from[e.ID] = m
		} else {
			event[m] = e.ID
		}
	}
	for read, m := range from {
		x.RF[read] = event[m]
	}
	for loc, order := range st.order {
		x.CO[loc] = nil
		for _, m := range order {
			x.CO[loc] = append(x.CO[loc], event[m])
		}
	}
	return x, x.WellFormed()
}
