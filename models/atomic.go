package models

import (
	"slices"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
)

// BarrierTags are [ir.BarrierTags] with those of a full fence in every model's own terms. The order
// that a language has from a spawn to the thread is in program order already, and is no more than that;
// but both ends of a section are fences of C, too, for nothing else is before or after one.
func BarrierTags(op ir.Op) ir.Tags {
	generic := ir.BarrierTags(op)
	switch {
	case generic == nil:
		return nil
	case generic.Has(ir.TagSection):
		return slices.Concat(generic, dialect.Strongest(), ir.Tags{"SC"})
	}
	return slices.Concat(generic, dialect.Strongest())
}

// Atomic sections: nobody sees the middle of one. So relations that the model keeps acyclic stay
// so when each section becomes one event, with what threads see of each other, and program order into
// and out of sections, among them.

// broken are the axioms that do not hold of the execution with its sections as one event each.
func (c *Checker) broken(x *Execution) []Violation {
	in := func(e int) bool { return x.Section[e] >= 0 }
	as := func(e int) int {
		if in(e) {
			return x.Section[e]
		}
		return e
	}
	ev := c.eval
	base := func(name string) relation { return ev.eval(cat.Base{Name: name, Kind: cat.Relation}) }
	rf, co := base("rf"), base("co")
	around := rf.inter(base("ext")).union(co).union(rf.inverse().then(co))
	for _, p := range base("po").list() {
		if in(p[0]) || in(p[1]) {
			around.add(p[0], p[1])
		}
	}
	var out []Violation
	for _, a := range c.model.Axioms {
		if a.Kind != cat.Acyclic || a.Negated {
			continue
		}
		whole := around.like()
		for _, p := range around.union(ev.eval(a.Expr)).list() {
			if a, b := as(p[0]), as(p[1]); a != b {
				whole.add(a, b)
			}
		}
		if !whole.acyclic() {
			out = append(out, Violation{Axiom: a.Name + " of atomic sections", Kind: cat.Acyclic, Events: whole.cycle(), axiom: cat.Axiom{Negated: true}})
		}
	}
	return out
}
