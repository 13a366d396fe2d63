package axiomatic

import (
	"math/bits"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// fewest looks for a failing prefix that is as near to SC as can be. Between neighbours of a
// thread, program order may be cut; where it is not, it makes one order together with rf, co and fr, as
// SC has it of all. The fewest cuts that a failure takes are found by asking for none, one, two and so on.
// The formula is of no use for anything else from then on.
func (v *verification) fewest(fail sat.Lit) error {
	cuts := v.r.cutOrder()
	width := bits.Len(uint(len(cuts)))
	count := sat.ConstVec(0, width)
	for _, cut := range cuts {
		one := sat.ConstVec(0, width)
		one[0] = cut
		count = v.e.Add(count, one, sat.False)
	}
	for most := range cuts {
		few := v.e.Less(count, sat.ConstVec(uint64(most)+1, width))
		m, err := v.ask(v.e.And(fail, few))
		if err != nil {
			return err
		}
		if m != nil {
			f, err := v.failure(m)
			if err == nil {
				v.out.Failure = f
			}
			return err
		}
	}
	return nil // no other than with all cut
}

// cutOrder asserts that rf, co and fr make one order with program order, but for where that is cut: the
// literals are true there. An event that is not executed has its place in program order, and is nothing to others.
func (r *relations) cutOrder() []sat.Lit {
	n := len(r.events)
	order := r.NewMatrix(n, n)
	inverse := r.NewMatrix(n, n)
	r.base("rf").Each(func(i, j int, l sat.Lit) { inverse.Set(j, i, l) })
	for _, m := range []*relation.Matrix{r.base("rf"), r.base("co"), r.composed(inverse, r.base("co"))} {
		m.Each(func(i, j int, l sat.Lit) {
			if i != j { // an update's read and its own write, in fr
				order.Set(i, j, r.Or(order.Get(i, j), l))
			}
		})
	}
	var cuts []sat.Lit
	first, last := map[int]int{}, map[int]int{}
	for i := range r.events {
		t := r.events[i].Thread
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
	for i := range r.events {
		ev := &r.events[i]
		if ev.Thread == models.InitThread {
			continue
		}
		switch op := r.program.Threads[ev.Thread].Code[ev.Step].Op.(type) {
		case ir.Spawn:
			if j, ok := first[op.Thread]; ok {
				order.Set(i, j, ev.guard)
			}
		case ir.Join:
			if j, ok := last[op.Thread]; ok {
				order.Set(j, i, ev.guard)
			}
		}
	}
	r.acyclic(order, nil)
	return cuts
}
