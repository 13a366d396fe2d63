package graphs

import "litmuscope/litmus/ir"

// settled is the graph as it is whatever comes of sections that have not come to their ends: less these, and what comes
// behind. Whoever is in one may as well have stopped before it, but who fails in it.
func (x *exploration) settled(g *graph) *graph {
	if !x.check.f.sections {
		return g
	}
	gone := make([]bool, len(g.events))
	any := false
	for more := true; more; {
		more = false
		drop := map[[2]int32]bool{} // sections, by thread and place
		for i := range g.events {
			e := &g.events[i]
			list := g.order[e.thread]
			th := &g.threads[e.thread]
			open := e.section >= 0 && e.section == g.sectionAt(int(e.thread)) && !(th.looked && (th.next.kind == ir.ActEnd || th.next.kind == ir.ActFailed))
			is := open || e.pos > 0 && gone[list[e.pos-1]] || e.pos == 0 && th.spawner >= 0 && gone[th.spawner] || e.kind == read && e.rf >= 0 && gone[e.rf]
			if e.kind == join {
				if last := g.order[e.other]; len(last) > 0 {
					is = is || gone[last[len(last)-1]]
				}
			}
			if is && !gone[i] {
				gone[i], more, any = true, true, true
				if e.section >= 0 {
					drop[[2]int32{e.thread, e.section}] = true
				}
			}
		}
		for i := range g.events {
			if e := &g.events[i]; e.section >= 0 && !gone[i] && drop[[2]int32{e.thread, e.section}] {
				gone[i] = true
			}
		}
	}
	if !any {
		return g
	}
	out := newGraph(x.threads)
	at := out.without(g, gone)
	for t := range out.threads {
		th := &out.threads[t]
		th.set(&g.threads[t])
		if th.spawner >= 0 {
			if gone[th.spawner] {
				th.start(x.places, t)
				continue
			}
			th.spawner = at[th.spawner]
		}
		if len(out.order[t]) < len(g.order[t]) {
			th.looked, th.half = false, -1
		}
	}
	return out
}
