package encode

import (
	"fmt"
	"slices"

	"litmuscope/models/cat"
	"litmuscope/solver/axiomatic/plan"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// A recursive definition denotes the least solution of its equations. Above, any solution will do: each pair gets a
// variable that the body implies, so that the literals true in an assignment contain the least solution, and some
// assignment has exactly that one. A negation or a flag needs the exact value. The encoding computes it like the least
// fixed point itself, on matrices of literals, until two rounds are the same or the number of rounds equals the number
// of pairs that may still join.

// leastSolution computes a recursive group exactly: from empty relations, round by round, until no literal changes.
// Each round that changes anything relevant adds a pair, so that there are at most as many rounds as pairs. In a group
// with negations (Settles) this holds for its growing members only, and the others need some rounds to follow them each
// time.
func (r *Relations) leastSolution(t *plan.Term) (*relation.Matrix, error) {
	d := t.Def
	if v := r.values[value{d, exact}]; v != nil {
		return v.Matrix, nil
	}
	before := r.Vars()
	for _, g := range t.Group {
		r.values[value{g.Def, exact}] = &known{Matrix: r.nothing(g.Set)}
	}
	grows, lag := following(d.Group)
	rests := map[*cat.Def]bool{}
	for round := 0; ; round++ {
		changed, pairs := false, 0
		for _, g := range t.Group {
			r.setAside(d.Group, rests)
			next, p, err := r.eval(g.X, r.may(g), exact)
			if err != nil {
				r.drop(d.Group, rests)
				return nil, err
			}
			next = r.Only(next, p)
			v := r.values[value{g.Def, exact}]
			changed = changed || !next.Same(v.Matrix)
			if grows[g.Def] {
				next.EachIn(p, func(int, int, sat.Lit) { pairs++ })
			}
			v.Matrix = next
		}
		if !changed || round > (pairs+1)*lag {
			r.setAside(d.Group, rests)
			return r.values[value{d, exact}].Matrix, nil
		}
		if r.Vars()-before > maxGates {
			r.drop(d.Group, rests)
			return nil, &TooLarge{d.Name}
		}
	}
}

// drop removes the unfinished values of a group.
func (r *Relations) drop(members []*cat.Def, rests map[*cat.Def]bool) {
	r.setAside(members, rests)
	for _, g := range members {
		delete(r.values, value{g, exact})
	}
}

// following returns the members of a group that never shrink from round to round, and the number of rounds that the
// others need to follow: one, plus one for each time that they depend on a later member.
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

// orElse reports whether an expression is a union that contains a definition.
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

// TooLarge reports that a least solution needs too many gates.
type TooLarge struct{ relation string }

// Error names the relation.
func (e *TooLarge) Error() string {
	return fmt.Sprintf("the recursive relation %s is too large for this test where it is used in a flag, under ~, "+
		"on the "+
		"right of \\ or in a negated axiom", e.relation)
}

// maxGates limits the circuit of a least solution.
const maxGates = 1 << 15

// group is a group of recursive definitions, evaluated above.
type group struct {
	busy    bool
	members []*member
}

type member struct {
	*plan.Term
	lits  *relation.Matrix
	asked *relation.Pairs // pairs that have literals
	open  *relation.Pairs // pairs with a body yet to encode
}

// recursive gives each wanted pair that may be in a recursive relation a variable, implied by the definition's body. A
// certain pair is true if both events execute. This permits more than the least solution, as "above" does. Bodies ask
// for further pairs, which get their variables at once; the formula has each pair's body once.
func (r *Relations) recursive(t *plan.Term, want *relation.Pairs) (*relation.Matrix, error) {
	g := r.groups[t.Group[0]]
	if g == nil {
		g = &group{}
		r.groups[t.Group[0]] = g
		for _, d := range t.Group {
			m := &member{Term: d}
			rows := r.nothing(m.Set).Rows
			m.lits, m.asked, m.open = r.NewMatrix(len(r.Events), rows), r.newPairs(rows), r.newPairs(rows)
			g.members = append(g.members, m)
		}
	}
	m := g.members[slices.Index(t.Group, t)]
	must := r.must(t)
	r.Without(want, m.asked).Each(func(a, b int) {
		m.asked.Row(a).Add(b)
		switch {
		case !must.Has(a, b):
			m.lits.Set(a, b, r.Var())
			m.open.Row(a).Add(b)
		case t.Set:
			m.lits.Set(a, b, r.Events[b].Guard)
		default:
			m.lits.Set(a, b, r.both(a, b))
		}
	})
	if g.busy {
		return m.lits, nil
	}
	g.busy = true
	defer func() { g.busy = false }()
	for again := true; again; {
		again = false
		for _, m := range g.members {
			open := m.open
			if open.Empty() {
				continue
			}
			again = true
			m.open = r.newPairs(open.Rows)
			body, have, err := r.eval(m.X, open, above)
			if err != nil {
				m.open = r.Union(m.open, open) // encode it later
				return nil, err
			}
			body.EachIn(have, func(a, b int, l sat.Lit) { r.Imply(l, m.lits.Get(a, b)) })
		}
	}
	return m.lits, nil
}

// setAside removes all exact values that depend on a group: they come from an unfinished one.
func (r *Relations) setAside(members []*cat.Def, rests map[*cat.Def]bool) {
	for v := range r.values {
		if v.side == exact && v.Group == nil && restsOn(cat.Ref{Def: v.Def}, members, rests) {
			delete(r.values, v)
		}
	}
}

// restsOn reports whether an expression mentions a member of a group, directly or through definitions.
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
