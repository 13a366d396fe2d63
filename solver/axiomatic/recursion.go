package axiomatic

import (
	"fmt"
	"slices"

	"litmuscope/models/cat"
	"litmuscope/solver/sat"
)

// leastSolution computes a recursive group exactly: from nothing, round by round, until
// no literal changes. Each round that changes anything that matters makes some pair
// related that was not, so there are no more rounds than pairs. In a group that only
// settles that goes for its growing members alone, and each time they have grown the others
// take some rounds to follow.
func (r *relations) leastSolution(d *cat.Def) (*matrix, error) {
	for _, g := range d.Group {
		r.defs[g] = r.nothing(g)
	}
	grows, lag := following(d.Group)
	before := r.Vars()
	for round := 0; ; round++ {
		changed, pairs := false, 0
		for _, g := range d.Group {
			r.forget()
			next, err := r.eval(g.Body)
			if err != nil {
				return nil, err
			}
			if next.isBare() { // of any shape
				next = r.nothing(g)
			}
			changed = changed || !slices.Equal(next.lits, r.defs[g].lits)
			if grows[g] {
				next.each(func(int, int, sat.Lit) { pairs++ })
			}
			r.defs[g] = next
		}
		if !changed || round > (pairs+1)*lag {
			r.forget()
			return r.defs[d], nil
		}
		if r.Vars()-before > maxGates {
			for _, g := range d.Group { // which are not what they were to be
				delete(r.defs, g)
			}
			return nil, &tooLarge{d.Name}
		}
	}
}

// nothing is an empty matrix for a definition.
func (r *relations) nothing(d *cat.Def) *matrix {
	if d.Kind == cat.Set {
		return r.newMatrix(len(r.events), 1)
	}
	return r.newMatrix(len(r.events), len(r.events))
}

// following tells which members of a group never shrink from round to round, and how many
// rounds the others take to follow these: one, and one for each time that they rest on
// others behind them.
func following(group []*cat.Def) (grows map[*cat.Def]bool, lag int) {
	grows, lag = map[*cat.Def]bool{}, 1
	for _, g := range group {
		grows[g] = !g.Settles || orElse(g.Body, g)
	}
	for i, g := range group {
		if !grows[g] {
			for _, later := range group[i:] {
				if !grows[later] && mentionsDef(g.Body, later) {
					lag++
				}
			}
		}
	}
	return grows, lag
}

// orElse tells whether an expression is a definition or more.
func orElse(e cat.Expr, d *cat.Def) bool {
	if u, ok := e.(cat.Binary); ok && u.Op == cat.Union {
		return orElse(u.X, d) || orElse(u.Y, d)
	}
	return e == cat.Expr(cat.Ref{Def: d})
}

func mentionsDef(e cat.Expr, d *cat.Def) bool {
	switch e := e.(type) {
	case cat.Ref:
		return e.Def == d
	case cat.Unary:
		return mentionsDef(e.X, d)
	case cat.Binary:
		return mentionsDef(e.X, d) || mentionsDef(e.Y, d)
	}
	return false
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
	for _, g := range d.Group {
		r.defs[g] = r.nothing(g)
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
			if body.isBare() { // of any shape
				body = r.nothing(g)
				bodies[i] = body
			}
			old := r.defs[g]
			next := &matrix{n: old.n, rows: old.rows, lits: slices.Clone(old.lits)}
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
