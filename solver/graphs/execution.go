package graphs

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/replay"
	"litmuscope/solver/graphs/graph"
)

// execution returns the execution of a graph. It replays the program with the values that the graph's reads return,
// so that a wrong graph does not go unnoticed.
func (p *test) execution(g *graph.Graph) (*models.Execution, error) {
	run := replay.Run{Reads: make([][]uint64, len(p.Threads))}
	for t, list := range g.Order {
		for _, i := range list {
			e := &g.Events[i]
			switch {
			case e.Piece > 0:
			case e.Kind == graph.Read:
				run.Reads[t] = append(run.Reads[t], g.Whole(i))
			case e.Kind == graph.Choice:
				run.Reads[t] = append(run.Reads[t], e.Value)
			case e.Kind == graph.Write && e.Half >= 0 && p.conditional(e):
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

// fill sets rf and co of an execution from the graph that has its events, and checks that it is well-formed.
func fill(x *models.Execution, g *graph.Graph) error {
	if err := relate(x, g); err != nil {
		return err
	}
	if err := x.WellFormed(); err != nil {
		return fmt.Errorf("BUG: an ill-formed graph: %w", err)
	}
	return nil
}

// relate sets rf and co without a check of values.
func relate(x *models.Execution, g *graph.Graph) error {
	id := make([]int, len(g.Events)) // by event: its ID in the execution
	next := len(x.Program.Locs)
	for _, list := range g.Order {
		for _, i := range list {
			id[i] = next
			if g.Events[i].Kind != graph.Choice {
				next++
			}
		}
	}
	if len(x.Events) != next {
		return fmt.Errorf("BUG: a graph of %d events replays as one of %d", next, len(x.Events))
	}
	of := func(loc, w int32) int {
		if w == graph.Initial {
			return int(loc)
		}
		return id[w]
	}
	for i := range g.Events {
		if e := &g.Events[i]; e.Kind == graph.Read {
			x.RF[id[i]] = of(e.Loc, e.RF)
		}
	}
	for l := range x.Program.Locs {
		x.CO[l] = []int{l}
	}
	for l, list := range g.CO {
		for _, w := range list {
			x.CO[l] = append(x.CO[l], id[w])
		}
	}
	return nil
}

// The result is an execution of package models, in its numbering: initial writes come first, then the events thread
// by thread. A choice has no event there.

// conditional distinguishes a store-conditional's write from an update's.
func (p *test) conditional(e *graph.Event) bool {
	_, is := p.Threads[e.Thread].Code[e.Step].Op.(ir.StoreCond)
	return is
}
