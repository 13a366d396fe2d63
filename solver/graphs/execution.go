package graphs

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// execution is a graph in terms of the program, as every engine gives it.
func (p *test) execution(g *graph) (*models.Execution, error) {
	run := models.Run{Reads: make([][]uint64, len(p.Threads))}
	id := make([]int, len(g.events)) // that of the execution
	next := len(p.Locs)
	for t, list := range g.order {
		for _, i := range list {
			e := &g.events[i]
			id[i] = next
			next++
			switch {
			case e.kind == read:
				run.Reads[t] = append(run.Reads[t], e.value)
			case e.kind == choice:
				run.Reads[t] = append(run.Reads[t], e.value)
				next--
			case e.kind == write && e.half >= 0 && p.conditional(e):
				run.Reads[t] = append(run.Reads[t], 1)
			}
		}
	}
	x, err := run.Replay(p.Program)
	if err != nil {
		return nil, fmt.Errorf("BUG: a graph does not replay: %w", err)
	}
	if len(x.Events) != next {
		return nil, fmt.Errorf("BUG: a graph of %d events replays as one of %d", next, len(x.Events))
	}
	of := func(loc, w int32) int {
		if w == initial {
			return int(loc)
		}
		return id[w]
	}
	for i := range g.events {
		if e := &g.events[i]; e.kind == read {
			x.RF[id[i]] = of(e.loc, e.rf)
		}
	}
	for l := range p.Locs {
		x.CO[l] = []int{l}
	}
	for l, list := range g.co {
		for _, w := range list {
			x.CO[l] = append(x.CO[l], id[w])
		}
	}
	if err := x.WellFormed(); err != nil {
		return nil, fmt.Errorf("BUG: an ill-formed graph: %w", err)
	}
	return x, nil
}

// conditional tells a store-conditional's write from that of an update.
func (p *test) conditional(e *event) bool {
	_, is := p.Threads[e.thread].Code[e.step].Op.(ir.StoreCond)
	return is
}
