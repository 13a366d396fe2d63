package graphs

import (
	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
)

// Atomic sections: nobody sees the middle of one. So relations that the model keeps acyclic stay so when each section becomes one event,
// with what threads see of each other, and program order into and out of sections, among them.

// sectionAt is the section that a thread is in, as event.section is; -1 for none.
func (g *graph) sectionAt(t int) int32 {
	list := g.order[t]
	if len(list) == 0 {
		return -1
	}
	e := &g.events[list[len(list)-1]]
	if e.kind == leave {
		return -1
	}
	return e.section
}

// sectionsWhole tells whether all that is to be acyclic is where each section is one event.
func (c *checker) sectionsWhole(g *graph) bool {
	section := func(i int) int32 {
		if i < len(g.events) {
			return g.events[i].section
		}
		return -1
	}
	as := func(i int) int {
		if s := section(i); s >= 0 {
			return int(g.order[g.events[i].thread][s])
		}
		return i
	}
	collect := func(to, from matrix, some func(i, j int) bool) {
		for i := range c.n {
			each(from.row(i), func(j int) {
				if a, b := as(i), as(j); a != b && some(i, j) {
					to.add(a, b)
				}
			})
		}
	}
	all := func(int, int) bool { return true }
	c.shape(&c.around, false)
	clear(c.around.bits)
	for _, part := range []struct {
		op   op
		some func(i, j int) bool
	}{
		{opCO, all},
		{opFR, all},
		{opRF, func(i, j int) bool { return i >= len(g.events) || g.events[i].thread != g.events[j].thread }},
		{opPO, func(i, j int) bool { return section(i) >= 0 || section(j) >= 0 }},
	} {
		c.shape(&c.tmp, false)
		clear(c.tmp.bits)
		c.base(g, &node{op: part.op}, c.tmp)
		collect(c.around, c.tmp, part.some)
	}
	for _, a := range c.f.axioms {
		if a.kind != cat.Acyclic {
			continue
		}
		c.shape(&c.tmp, false)
		copy(c.tmp.bits, c.around.bits)
		for _, i := range a.members {
			collect(c.tmp, c.slots[i], all)
		}
		if !c.tmp.acyclic(&c.room) {
			return false
		}
	}
	return true
}

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
				th.start(x, t)
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
