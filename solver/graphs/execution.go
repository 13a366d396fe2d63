package graphs

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/replay"
	"litmuscope/solver/graphs/graph"
)

// execution is a graph in terms of the program, as every engine gives it.
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

// fill gives an execution the rf and co of the graph that it has the events of.
func fill(x *models.Execution, g *graph.Graph) error {
	if err := relate(x, g); err != nil {
		return err
	}
	if err := x.WellFormed(); err != nil {
		return fmt.Errorf("BUG: an ill-formed graph: %w", err)
	}
	return nil
}

// relate sets them, whatever values there are.
func relate(x *models.Execution, g *graph.Graph) error {
	id := make([]int, len(g.Events)) // that of the execution
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

// conditional tells a store-conditional's write from that of an update.
func (p *test) conditional(e *graph.Event) bool {
	_, is := p.Threads[e.Thread].Code[e.Step].Op.(ir.StoreCond)
	return is
}
