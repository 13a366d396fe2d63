package consistency

import (
	"litmuscope/models/cat"
	"litmuscope/solver/graphs/graph"
)

// No thread sees the middle of an atomic section. So each acyclic axiom must still hold if every section becomes one
// event. The check contracts the events of a section to its first event, and adds the edges by which threads observe
// each other, co, fr and rf, and program order into and out of sections.

// sectionsWhole reports whether all acyclic axioms hold after contraction. It ignores edges within one section.
func (c *Checker) sectionsWhole(g *graph.Graph) bool {
	section := func(i int) int32 {
		if i < len(g.Events) {
			return g.Events[i].Section
		}
		return -1
	}
	as := func(i int) int {
		if s := section(i); s >= 0 {
			return int(g.Order[g.Events[i].Thread][s])
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
		{opRF, func(i, j int) bool { return i >= len(g.Events) || g.Events[i].Thread != g.Events[j].Thread }},
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
