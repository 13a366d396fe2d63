package models

import "slices"

// Pairs returns the pairs of a relation that the execution gave.
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

// Next maps each event to the event that a relation leads to. The relation must relate each event to one at most.
func (g *Graph) Next(name string) map[int]int {
	next := map[int]int{}
	for _, p := range g.Pairs(name) {
		next[p[0]] = p[1]
	}
	return next
}

// Back is like [Graph.Next], in the opposite direction.
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
