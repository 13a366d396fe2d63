package models

import "slices"

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
