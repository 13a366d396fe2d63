package models

import (
	"cmp"
	"errors"
	"slices"
)

// Execution is the execution that a graph shows, as far as models speak of it: without a
// program, values or registers.
func (g *Graph) Execution() (*Execution, error) {
	x := &Execution{}
	locs := map[string]int{}
	for i, v := range g.Events {
		e := Event{ID: i, Thread: v.Thread, Step: i, Loc: -1, Tags: v.Tags, Piece: v.Piece, Half: v.Half}
		if v.ID != i || v.Thread < InitThread || v.Thread >= len(g.Threads) || i > 0 && v.Thread < g.Events[i-1].Thread {
			return nil, errors.New("the graph's events are not in order")
		}
		switch v.Kind {
		case "R":
			e.Kind = Read
		case "W":
			e.Kind = Write
		default:
			e.Kind = Fence
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
	return x, x.arrange(g.Pairs("co"), len(locs))
}

// Pairs are those of a relation that the execution gave, whose events are the graph's.
func (g *Graph) Pairs(name string) []Pair {
	for _, r := range g.Relations {
		if r.Name == name && !r.Shown {
			return slices.DeleteFunc(slices.Clone(r.Edges), func(p Pair) bool {
				return min(p[0], p[1]) < 0 || max(p[0], p[1]) >= len(g.Events)
			})
		}
	}
	return nil
}

// Next is by event which one such a relation leads to, of one that leads to one at most; and Back
// which one it leads from.
func (g *Graph) Next(name string) map[int]int {
	next := map[int]int{}
	for _, p := range g.Pairs(name) {
		next[p[0]] = p[1]
	}
	return next
}

// Back is [Graph.Next], backwards.
func (g *Graph) Back(name string) map[int]int {
	back := map[int]int{}
	for _, p := range g.Pairs(name) {
		back[p[1]] = p[0]
	}
	return back
}

// OfThreads lists the events of each thread in program order.
func (g *Graph) OfThreads() [][]int {
	threads := make([][]int, len(g.Threads))
	for i, e := range g.Events {
		if e.Thread >= 0 {
			threads[e.Thread] = append(threads[e.Thread], i)
		}
	}
	return threads
}

// arrange puts the writes of each location into coherence order, of which some pairs are
// given: all neighbours at least.
func (x *Execution) arrange(co []Pair, locs int) error {
	x.CO = make([][]int, locs)
	order := (&slab{}).relation(len(x.Events))
	for _, p := range co {
		order.add(p[0], p[1])
	}
	order = order.closure()
	before := make([]int, len(x.Events))
	for a := range x.Events {
		order.each(a, func(b int) { before[b]++ })
	}
	for _, e := range x.Events {
		if e.Kind == Write {
			x.CO[e.Loc] = append(x.CO[e.Loc], e.ID)
		} else if w := x.RF[e.ID]; e.Kind == Read && (w < 0 || x.Events[w].Kind != Write || x.Events[w].Loc != e.Loc) {
			return errors.New("a read of the graph has no write")
		}
	}
	for _, writes := range x.CO {
		slices.SortStableFunc(writes, func(a, b int) int { return cmp.Compare(before[a], before[b]) })
		for i := range len(writes) - 1 {
			if !order.has(writes[i], writes[i+1]) {
				return errors.New("the writes of the graph are not in order")
			}
		}
	}
	return nil
}
