package display

import "litmuscope/models"

// Interleaving puts the events of a graph, without the initial writes, into one order that agrees with po, rf, co and
// fr and switches rarely between threads: a run under SC. The two events of an atomic update are adjacent, and so are
// those of an atomic section. ok is false if there is no such order.
//
// It is a topological sort (Kahn) on the events that represent an update or a section, so it takes time linear in the
// edges, except for the search of the next event. Among those that may come next, it prefers one of the current thread.
func Interleaving(g *models.Graph) (order []int, ok bool) {
	n := len(g.Events)
	whole := make([]int, n) // the event that represents each: the first of its update or section
	for i := range whole {
		whole[i] = i
	}
	for _, p := range g.Pairs("rmw") {
		whole[p[1]] = whole[p[0]]
	}
	for _, s := range g.Sections {
		for i := s.First; s.Kind == models.SectionAtomic && i <= s.Last && i < n; i++ {
			whole[i] = s.First
		}
	}
	next, before, parts := make([][]int, n), make([]int, n), make([][]int, n)
	for i, w := range whole {
		parts[w] = append(parts[w], i)
	}
	for _, name := range []string{"po", "spawn", "join", "rf", "co", "fr"} {
		for _, p := range g.Pairs(name) {
			if a, b := whole[p[0]], whole[p[1]]; a != b {
				next[a] = append(next[a], b)
				before[b]++
			}
		}
	}
	done := make([]bool, n)
	thread := models.InitThread
	for left := n; left > 0; {
		pick := -1
		for i := range g.Events {
			if done[i] || whole[i] != i || before[i] > 0 {
				continue
			}
			if t := g.Events[i].Thread; t == models.InitThread || t == thread {
				pick = i
				break
			}
			if pick < 0 {
				pick = i
			}
		}
		if pick < 0 {
			return nil, false
		}
		done[pick] = true
		left -= len(parts[pick])
		if t := g.Events[pick].Thread; t != models.InitThread {
			thread = t
			order = append(order, parts[pick]...)
		}
		for _, b := range next[pick] {
			before[b]--
		}
	}
	return order, true
}
