package axiomatic

import (
	"fmt"
	"slices"

	"litmuscope/models/cat"
	"litmuscope/solver/sat"
)

// leastSolution computes a recursive group exactly: from nothing, round by round, until
// no literal changes. Each round that changes anything that matters makes some pair
// related that was not, so there are no more rounds than pairs.
func (r *relations) leastSolution(d *cat.Def) (*matrix, error) {
	n := len(r.events)
	for _, g := range d.Group {
		r.defs[g] = r.newMatrix(n, n)
	}
	for round := 0; ; round++ {
		changed, pairs := false, 0
		for _, g := range d.Group {
			r.forget()
			next, err := r.eval(g.Body)
			if err != nil {
				return nil, err
			}
			changed = changed || !slices.Equal(next.lits, r.defs[g].lits)
			next.each(func(int, int, sat.Lit) { pairs++ })
			r.defs[g] = next
		}
		if !changed || round > pairs {
			r.forget()
			return r.defs[d], nil
		}
		if r.Vars() > maxGates {
			return nil, &tooLarge{d.Name}
		}
	}
}

// tooLarge is the error for a least solution that takes too many gates.
type tooLarge struct{ relation string }

func (e *tooLarge) Error() string {
	return fmt.Sprintf("the recursive relation %s is used in a flag, under ~, on the right of \\ or in a negated axiom, and too large to be computed for this test", e.relation)
}

// maxGates bounds the circuits of a least solution.
const maxGates = 1 << 14

// recursive gives each pair that may be in a recursively defined relation a
// variable, implied by the definition's body. That leaves room for more than the
// least solution, which does no harm where a model only forbids: what it forbids
// of the least it forbids of any other.
func (r *relations) recursive(d *cat.Def) (*matrix, error) {
	n := len(r.events)
	for _, g := range d.Group {
		r.defs[g] = r.newMatrix(n, n)
	}
	bodies := make([]*matrix, len(d.Group))
	for grown := true; grown; {
		grown = false
		for i, g := range d.Group {
			body, err := r.eval(g.Body)
			if err != nil {
				return nil, err
			}
			bodies[i] = body
			next := &matrix{n: n, rows: n, lits: append([]sat.Lit(nil), r.defs[g].lits...)}
			for k, l := range body.lits {
				if l != 0 && next.lits[k] == 0 {
					next.lits[k], grown = r.Var(), true
				}
			}
			r.defs[g] = next
		}
		if grown { // definitions that were evaluated on the smaller group are stale
			r.forget()
		}
	}
	for i, g := range d.Group {
		bodies[i].each(func(a, b int, l sat.Lit) { r.Imply(l, r.defs[g].get(a, b)) })
	}
	return r.defs[d], nil
}

// forget drops every definition that is not recursive: some may have been computed
// from a group that has since grown.
func (r *relations) forget() {
	for d := range r.defs {
		if d.Group == nil {
			delete(r.defs, d)
		}
	}
}
