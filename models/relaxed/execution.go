package relaxed

import (
	"cmp"
	"errors"
	"slices"

	"litmuscope/models"
	"litmuscope/models/relation"
)

// executionOf rebuilds the execution that a graph shows, without program, values and registers, which models do not
// use.
//
// A graph is data that may come from another process, so its order and completeness are checked. Axioms see events,
// tags and relations only, so that the result is the same as for the execution that the graph was made of.
func executionOf(g *models.Graph) (*models.Execution, error) {
	x := &models.Execution{}
	locs := map[string]int{}
	for i, v := range g.Events {
		e := models.Event{ID: i, Thread: v.Thread, Step: i, Loc: -1, Tags: v.Tags, Piece: v.Piece, Half: v.Half}
		if v.ID != i || v.Thread < models.InitThread || v.Thread >= len(g.Threads) || i > 0 &&
			v.Thread < g.Events[i-1].Thread {
			return nil, errors.New("the graph's events are not in order")
		}
		switch v.Kind {
		case "R":
			e.Kind = models.Read
		case "W":
			e.Kind = models.Write
		default:
			e.Kind = models.Fence
		}
		if v.Loc != "" {
			l, known := locs[v.Loc]
			if !known {
				l = len(locs)
				locs[v.Loc] = l
			}
			e.Loc = l
		}
		x.Events = append(x.Events, e)
		x.RF = append(x.RF, -1)
	}
	for _, p := range g.Pairs("rf") {
		x.RF[p[1]] = p[0]
	}
	x.Spawns, x.Joins = g.Pairs("spawn"), g.Pairs("join")
	x.Addr, x.Data, x.Ctrl, x.RMW = g.Pairs("addr"), g.Pairs("data"), g.Pairs("ctrl"), g.Pairs("rmw")
	return x, arrange(x, g.Pairs("co"), len(locs))
}

// arrange puts the writes of each location into coherence order. co has at least all pairs of neighbours.
func arrange(x *models.Execution, co []models.Pair, locs int) error {
	x.CO = make([][]int, locs)
	order := (&relation.Slab{}).Relation(len(x.Events))
	for _, p := range co {
		order.Add(p[0], p[1])
	}
	order = order.Closure()
	before := make([]int, len(x.Events))
	for a := range x.Events {
		order.Each(a, func(b int) { before[b]++ })
	}
	for _, e := range x.Events {
		if e.Kind == models.Write && e.Loc < 0 {
			return errors.New("a write of the graph has no location")
		}
		if e.Kind == models.Write {
			x.CO[e.Loc] = append(x.CO[e.Loc], e.ID)
		} else if w := x.RF[e.ID]; e.Kind == models.Read &&
			(w < 0 || x.Events[w].Kind != models.Write || x.Events[w].Loc != e.Loc) {
			return errors.New("a read of the graph has no write")
		}
	}
	for _, writes := range x.CO {
		slices.SortStableFunc(writes, func(a, b int) int { return cmp.Compare(before[a], before[b]) })
		for i := range len(writes) - 1 {
			if !order.Has(writes[i], writes[i+1]) {
				return errors.New("the writes of the graph are not in order")
			}
		}
	}
	return nil
}
