package encode

import (
	"slices"

	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// ordered is a total order that the model chooses over the events of a set ("linearisations" in cat).
type ordered struct {
	set    *relation.Matrix
	first  []sat.Lit // by pair: a precedes b if both are in the set
	before *relation.Matrix
}

// chosen gives each pair of events that may be in an order's set a variable for their order, and forbids rings of
// three. The axioms say what the order must agree with.
func (r *Relations) chosen(o *cat.Order) (*ordered, error) {
	if known := r.orders[o]; known != nil {
		return known, nil
	}
	set, err := r.whole(r.plan.Checks[o.Set].Term, exact)
	if err != nil {
		return nil, err
	}
	n := len(r.Events)
	out := &ordered{set: set, first: make([]sat.Lit, n*n), before: r.NewMatrix(n, n)}
	var may []int
	set.Each(func(_, a int, l sat.Lit) {
		may = append(may, a)
		r.Define(l)
	})
	for i, a := range may {
		for _, b := range may[:i] {
			first := r.Var()
			r.Define(first)
			out.first[b*n+a], out.first[a*n+b] = first, first.Not()
			both := r.And(set.Get(0, a), set.Get(0, b))
			if o.ByLocation {
				both = r.And(both, r.sameLocation(a, b))
			}
			out.before.Set(b, a, r.And(both, first))
			out.before.Set(a, b, r.And(both, first.Not()))
		}
		for j, b := range may[:i] {
			for _, c := range may[:j] {
				ab, bc, ca := out.first[a*n+b], out.first[b*n+c], out.first[c*n+a]
				r.Assert(ab.Not(), bc.Not(), ca.Not())
				r.Assert(ab, bc, ca)
			}
		}
	}
	r.orders[o] = out
	return out, nil
}

// The number of triples is cubic, which is acceptable because sets of chosen orders are small: fences with sequential
// consistency, for example. It orders only pairs within the set, and the axioms constrain them like any relation.

// decodeOrders reads the chosen orders from an assignment; id has the events' numbers in x.
func (e *Encoding) decodeOrders(m *sat.Assignment, x *models.Execution, id []int) {
	for o, chosen := range e.orders {
		order := []int{}
		chosen.set.Each(func(_, a int, l sat.Lit) {
			if m.True(l) {
				order = append(order, a)
			}
		})
		slices.SortFunc(order, func(a, b int) int {
			if a != b && m.True(chosen.first[a*len(e.Events)+b]) {
				return -1
			}
			return 1
		})
		for i, a := range order {
			order[i] = id[a]
		}
		if x.Orders == nil {
			x.Orders = map[*cat.Order][]int{}
		}
		x.Orders[o] = order
	}
}
