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
	if v := r.values[value{d, exact}]; v != nil {
		return v.matrix, nil
	}
	before := r.Vars()
	for _, g := range d.Group {
		r.values[value{g, exact}] = &known{matrix: r.nothing(g)}
	}
	grows, lag := following(d.Group)
	for round := 0; ; round++ {
		changed, pairs := false, 0
		for _, g := range d.Group {
			r.setAside(d.Group)
			next, err := r.eval(g.Body, nil, exact)
			if err != nil {
				r.drop(d.Group)
				return nil, err
			}
			if next.isBare(nil) { // of any shape
				next = r.nothing(g)
			}
			v := r.values[value{g, exact}]
			changed = changed || !slices.Equal(next.lits, v.lits)
			if grows[g] {
				next.each(nil, func(int, int, sat.Lit) { pairs++ })
			}
			v.matrix = next
		}
		if !changed || round > (pairs+1)*lag {
			r.setAside(d.Group)
			return r.values[value{d, exact}].matrix, nil
		}
		if r.Vars()-before > maxGates {
			r.drop(d.Group)
			return nil, &tooLarge{d.Name}
		}
	}
}

// drop forgets a group whose members are not what they were to be.
func (r *relations) drop(members []*cat.Def) {
	r.setAside(members)
	for _, g := range members {
		delete(r.values, value{g, exact})
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
const maxGates = 1 << 15

// group is a group of recursive definitions, above.
type group struct {
	members []*cat.Def
	asked   map[*cat.Def]rows
	grown   bool // more rows are asked for
	busy    bool
	said    map[entry]sat.Lit // what implies a variable
}

// entry is one of a member's literals.
type entry struct {
	*cat.Def
	at int
}

// recursive gives each pair that may be in a recursively defined relation a
// variable, implied by the definition's body. That leaves room for more than the
// least solution.
func (r *relations) recursive(d *cat.Def, want rows) (*matrix, error) {
	g := r.groups[d.Group[0]]
	if g == nil {
		g = &group{members: d.Group, asked: map[*cat.Def]rows{}, said: map[entry]sat.Lit{}}
		r.groups[d.Group[0]] = g
		for _, m := range g.members {
			r.values[value{m, above}] = &known{matrix: r.nothing(m)}
			g.asked[m] = make(rows, len(r.events))
		}
	}
	for a, have := range g.asked[d] {
		if want.has(a) && !have {
			g.asked[d][a], g.grown = true, true
		}
	}
	result := r.values[value{d, above}]
	if g.busy || !g.grown {
		return result.matrix, nil
	}
	g.busy = true
	defer func() { g.busy = false }()
	aside := r.setAside(g.members) // what is known of other rows stays so
	for again := true; again; {
		r.setAside(g.members) // in a round before this, from less
		again, g.grown = false, false
		for _, m := range g.members {
			grown, err := r.grow(g, m)
			if err != nil {
				g.grown = true // and to be looked at again
				r.setAside(g.members)
				return nil, err
			}
			again = again || grown
		}
		again = again || g.grown
	}
	for v, old := range aside {
		r.values[v] = old.with(r.values[v])
	}
	return result.matrix, nil
}

// grow evaluates a member once, and tells whether more pairs may be related for it.
func (r *relations) grow(g *group, d *cat.Def) (grown bool, err error) {
	asked := g.asked[d]
	if !slices.Contains(asked, true) {
		return false, nil
	}
	asked = slices.Clone(asked)
	body, err := r.eval(d.Body, asked, above)
	if err != nil || body.isBare(asked) { // of any shape
		return false, err
	}
	m := r.values[value{d, above}].matrix
	body.each(asked, func(a, b int, l sat.Lit) {
		at := a*m.n + b
		if m.lits[at] == 0 {
			grown = true
			m.known, m.lits[at] = false, sat.True
			if l != sat.True {
				m.lits[at] = r.Var()
			}
		}
		if e := (entry{d, at}); g.said[e] != l {
			g.said[e] = l
			r.Imply(l, m.lits[at])
		}
	})
	return grown, nil
}

// with is what either knows of one value.
func (k *known) with(other *known) *known {
	switch {
	case other == nil || k.done == nil:
		return k
	case other.done == nil:
		return other
	}
	for a, done := range other.done {
		if done && !k.done[a] {
			copy(k.row(a), other.row(a))
			k.done[a] = true
		}
	}
	k.known = false
	return k
}

// setAside takes away all that rests on a group: it may have been computed from less.
func (r *relations) setAside(members []*cat.Def) map[value]*known {
	aside := map[value]*known{}
	rests := map[*cat.Def]bool{}
	for v, k := range r.values {
		if v.Group == nil && restsOn(cat.Ref{Def: v.Def}, members, rests) {
			aside[v] = k
			delete(r.values, v)
		}
	}
	for e := range r.steps {
		if restsOn(e, members, rests) {
			delete(r.steps, e)
		}
	}
	return aside
}

// restsOn tells whether an expression mentions a member of a group, be it by others.
func restsOn(e cat.Expr, members []*cat.Def, seen map[*cat.Def]bool) bool {
	switch e := e.(type) {
	case cat.Ref:
		rests, ok := seen[e.Def]
		if !ok {
			seen[e.Def] = false
			rests = slices.Contains(members, e.Def) || restsOn(e.Def.Body, members, seen)
			seen[e.Def] = rests
		}
		return rests
	case cat.Unary:
		return restsOn(e.X, members, seen)
	case cat.Binary:
		return restsOn(e.X, members, seen) || restsOn(e.Y, members, seen)
	}
	return false
}
