package graphs

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/replay"
)

// execution is a graph in terms of the program, as every engine gives it.
func (p *test) execution(g *graph) (*models.Execution, error) {
	run := replay.Run{Reads: make([][]uint64, len(p.Threads))}
	for t, list := range g.order {
		for _, i := range list {
			e := &g.events[i]
			switch {
			case e.piece > 0:
			case e.kind == read:
				run.Reads[t] = append(run.Reads[t], g.whole(i))
			case e.kind == choice:
				run.Reads[t] = append(run.Reads[t], e.value)
			case e.kind == write && e.half >= 0 && p.conditional(e):
				run.Reads[t] = append(run.Reads[t], 1)
			}
		}
	}
	x, err := run.Replay(p.Program)
	if err != nil {
		return nil, fmt.Errorf("BUG: a graph does not replay: %w", err)
	}
	return x, fill(x, g)
}

// fill gives an execution the rf and co of the graph that it has the events of.
func fill(x *models.Execution, g *graph) error {
	if err := relate(x, g); err != nil {
		return err
	}
	if err := x.WellFormed(); err != nil {
		return fmt.Errorf("BUG: an ill-formed graph: %w", err)
	}
	return nil
}

// relate sets them, whatever values there are.
func relate(x *models.Execution, g *graph) error {
	id := make([]int, len(g.events)) // that of the execution
	next := len(x.Program.Locs)
	for _, list := range g.order {
		for _, i := range list {
			id[i] = next
			if g.events[i].kind != choice {
				next++
			}
		}
	}
	if len(x.Events) != next {
		return fmt.Errorf("BUG: a graph of %d events replays as one of %d", next, len(x.Events))
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
	for l := range x.Program.Locs {
		x.CO[l] = []int{l}
	}
	for l, list := range g.co {
		for _, w := range list {
			x.CO[l] = append(x.CO[l], id[w])
		}
	}
	return nil
}

// conditional tells a store-conditional's write from that of an update.
func (p *test) conditional(e *event) bool {
	_, is := p.Threads[e.thread].Code[e.step].Op.(ir.StoreCond)
	return is
}
