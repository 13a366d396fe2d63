package evaluation

import (
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/relation"
)

// Atomic sections: no thread sees the middle of one. So a relation that the model keeps acyclic must stay acyclic when
// each section becomes one event, together with communication between threads and program order into and out of
// sections.
//
// In a cycle of the quotient, the events of a section act together: one of them may have an edge into the cycle and
// another one an edge out of it. An axiom may leave out communication or program order that crosses the section's ends,
// so these edges are added.

// broken returns the axioms that fail when each atomic section of the execution is one event.
func (c *Checker) broken(x *models.Execution) []Violation {
	in := func(e int) bool { return x.Section[e] >= 0 }
	as := func(e int) int {
		if in(e) {
			return x.Section[e]
		}
		return e
	}
	ev := c.eval
	base := func(name string) relation.Relation { return ev.Eval(cat.Base{Name: name, Kind: cat.Relation}) }
	rf, co := base("rf"), base("co")
	around := rf.Inter(base("ext")).Union(co).Union(rf.Inverse().Then(co))
	for _, p := range base("po").List() {
		if in(p[0]) || in(p[1]) {
			around.Add(p[0], p[1])
		}
	}
	var out []Violation
	for _, a := range c.model.Axioms {
		if a.Kind != cat.Acyclic || a.Negated {
			continue
		}
		whole := around.Like()
		for _, p := range around.Union(ev.Eval(a.Expr)).List() {
			if a, b := as(p[0]), as(p[1]); a != b {
				whole.Add(a, b)
			}
		}
		if !whole.Acyclic() {
			out = append(out,
				Violation{
					Axiom: a.Name + " of atomic sections", Kind: cat.Acyclic, Events: whole.Cycle(),
					axiom: cat.Axiom{Negated: true},
				})
		}
	}
	return out
}
