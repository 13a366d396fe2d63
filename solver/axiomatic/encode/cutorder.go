package encode

import (
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// CutOrder asserts that rf, co and fr form one order with program order, except at cuts of program order. It returns
// the cuts: literals that are true where an event need not follow the one before. An event that does not execute has
// its place in program order, but no other edges. An execution without cuts is sequentially consistent; the caller
// minimises the cuts to find an execution that is as close to SC as possible.
func (r *Relations) CutOrder() []sat.Lit {
	n := len(r.Events)
	order := r.NewMatrix(n, n)
	inverse := r.NewMatrix(n, n)
	r.base("rf").Each(func(i, j int, l sat.Lit) { inverse.Set(j, i, l) })
	for _, m := range []*relation.Matrix{r.base("rf"), r.base("co"), r.composed(inverse, r.base("co"))} {
		m.Each(func(i, j int, l sat.Lit) {
			if i != j { // not for an update's read and its own write, in fr
				order.Set(i, j, r.Or(order.Get(i, j), l))
			}
		})
	}
	var cuts []sat.Lit
	first, last := map[int]int{}, map[int]int{}
	for i := range r.Events {
		t := r.Events[i].Thread
		if t == models.InitThread {
			continue
		}
		if before, ok := last[t]; ok {
			cut := r.Var()
			r.Define(cut)
			cuts = append(cuts, cut)
			order.Set(before, i, r.Or(order.Get(before, i), cut.Not()))
		} else {
			first[t] = i
		}
		last[t] = i
	}
	for i := range r.Events {
		ev := &r.Events[i]
		if ev.Thread == models.InitThread {
			continue
		}
		switch op := r.Program.Threads[ev.Thread].Code[ev.Step].Op.(type) {
		case ir.Spawn:
			if j, ok := first[op.Thread]; ok {
				order.Set(i, j, ev.Guard)
			}
		case ir.Join:
			if j, ok := last[op.Thread]; ok {
				order.Set(j, i, ev.Guard)
			}
		}
	}
	r.acyclic(order, nil)
	return cuts
}
