package encode

import (
	"math/bits"

	"litmuscope/models/cat"
	"litmuscope/solver/axiomatic/plan"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// A side says whether the literals of a matrix may deviate from the relation. Closures and recursive relations are
// least solutions, which need many gates to be exact. This is rarely necessary: an axiom that forbids something in a
// larger relation forbids it in the least one. A flag such as a data race asks for two unordered events, and if a
// larger order does not relate them, the least one does not. So most evaluation is "above": for each execution some
// assignment has exactly the literals of the related pairs true, and every other assignment has more.
//
// The sides compose with the operators: a difference or a complement asks its operand from the other side.
type side int

const (
	exact side = iota
	above      // more pairs may be true
	below      // fewer pairs may be true
)

// other returns the side for a negated operand.
func (s side) other() side {
	switch s {
	case above:
		return below
	case below:
		return above
	}
	return exact
}

// Evaluation is driven by demand. An axiom asks for certain pairs of its expression; each operator passes on which
// pairs of its operands matter, and intersects them with the possible pairs (may.go). So the encoding has a large
// relation such as happens-before only where a small one, such as conflicting accesses, asks about it. A cache has the
// values of definitions per side, with the pairs evaluated so far; a later use adds only the missing pairs.

// value is a definition on a side. Without closures and recursion it is exact on all sides.
type value struct {
	*cat.Def
	side side
}

// known is the evaluated part of a value. Usually nothing asks for most pairs of a relation.
type known struct {
	*relation.Matrix
	done *relation.Pairs
	own  bool // the matrix has one owner, who may change it
}

// eval returns a matrix with the literals of the wanted pairs, and those of these pairs that are possible. Other
// entries of the matrix mean nothing.
func (r *Relations) eval(t *plan.Term, want *relation.Pairs, s side) (*relation.Matrix, *relation.Pairs, error) {
	if t.Set {
		want = r.may(t)
	} else {
		want = r.Common(want, r.may(t))
	}
	if want.Empty() {
		return r.nothing(t.Set), want, nil
	}
	m, err := r.evaluate(t, want, s)
	return m, want, err
}

// whole evaluates all pairs of a term. The matrix has no other entries.
func (r *Relations) whole(t *plan.Term, s side) (*relation.Matrix, error) {
	m, p, err := r.eval(t, r.may(t), s)
	if err != nil {
		return nil, err
	}
	return r.Only(m, p), nil
}

func (r *Relations) evaluate(t *plan.Term, want *relation.Pairs, s side) (*relation.Matrix, error) {
	switch t.Kind {
	case plan.BaseTerm:
		return r.base(t.Name), nil
	case plan.RefTerm:
		return r.def(t, want, s)
	case plan.ChosenTerm:
		o, err := r.chosen(t.Order)
		if err != nil {
			return nil, err
		}
		return o.before, nil
	case plan.UnaryTerm:
		return r.unary(t, want, s)
	case plan.BinaryTerm:
		return r.binary(t, want, s)
	}
	panic("BUG: unknown term")
}

// def evaluates a definition for the wanted pairs. It caches the matrix for each side and evaluates only pairs that no
// earlier use has asked for.
func (r *Relations) def(t *plan.Term, want *relation.Pairs, s side) (*relation.Matrix, error) {
	switch d := t.Def; {
	case !t.Closes:
		s = exact
	case d.Group != nil && s == above && !d.Settles:
		return r.recursive(t, want)
	case d.Group != nil:
		return r.leastSolution(t)
	}
	if t.X.Kind == plan.BaseTerm || t.X.Kind == plan.RefTerm {
		return r.evaluate(t.X, want, s)
	}
	v := r.values[value{t.Def, s}]
	missing := want
	if v != nil {
		if missing = r.Without(want, v.done); missing.Empty() {
			return v.Matrix, nil
		}
	}
	m, _, err := r.eval(t.X, missing, s)
	if err != nil {
		return nil, err
	}
	v = r.values[value{t.Def, s}] // a recursive definition may have evaluated it meanwhile
	if v == nil {
		r.values[value{t.Def, s}] = &known{Matrix: m, done: missing}
		return m, nil
	}
	if !v.own {
		v.Matrix, v.own = r.Only(v.Matrix, v.done), true
	}
	m.EachIn(missing, v.Put)
	v.done = r.Union(v.done, missing)
	return v.Matrix, nil
}

// unary evaluates t for the wanted pairs only. Closures need the whole operand, so that want does not narrow it; it
// approximates the operand of a complement from the other side.
func (r *Relations) unary(t *plan.Term, want *relation.Pairs, s side) (*relation.Matrix, error) {
	of, inner := want, s
	switch t.Unary {
	case cat.Inverse:
		of = r.Inverse(want)
	case cat.Identity, cat.Domain, cat.Range:
		of = r.may(t.X)
	case cat.Complement:
		inner = s.other()
	case cat.Plus, cat.Star:
		if s == above {
			return r.closing(t, want)
		}
		of, inner = r.may(t.X), exact
	}
	x, have, err := r.eval(t.X, of, inner)
	if err != nil {
		return nil, err
	}
	m := r.NewMatrix(len(r.Events), want.Rows)
	switch t.Unary {
	case cat.Inverse:
		x.EachIn(have, func(a, b int, l sat.Lit) { m.Put(b, a, l) })
	case cat.Plus:
		m = r.closure(r.Only(x, have))
	case cat.Star:
		m = r.union(r.closure(r.Only(x, have)), r.base("id"))
	case cat.Optional:
		r.base("id").EachIn(want, m.Put)
		x.EachIn(have, func(a, b int, l sat.Lit) { m.Set(a, b, r.Or(m.Get(a, b), l)) })
	case cat.Complement:
		want.Each(func(a, b int) {
			guard := r.Events[b].Guard
			if want.Rows > 1 {
				guard = r.And(guard, r.Events[a].Guard)
			}
			if have.Has(a, b) {
				guard = r.And(guard, x.Get(a, b).Not())
			}
			m.Set(a, b, guard)
		})
	case cat.Identity:
		want.Each(func(a, _ int) { m.Set(a, a, x.Get(0, a)) })
	case cat.Differing:
		x.EachIn(have, func(a, b int, l sat.Lit) { m.Set(a, b, r.And(l, r.differ(&r.Events[a], &r.Events[b]))) })
	case cat.Domain, cat.Range:
		in := make([][]sat.Lit, m.N)
		x.EachIn(have, func(a, b int, l sat.Lit) {
			if t.Unary == cat.Domain {
				b = a
			}
			in[b] = append(in[b], l)
		})
		for a := range in {
			m.Set(0, a, r.Or(in[a]...))
		}
	default:
		panic("BUG: unknown operator")
	}
	return m, nil
}

// binary evaluates t for the wanted pairs only. It evaluates operands in turn, so that it asks the second one only
// about pairs that the first one has. It approximates the right operand of \ from the other side, because \ negates it.
func (r *Relations) binary(t *plan.Term, want *relation.Pairs, s side) (*relation.Matrix, error) {
	switch t.Op {
	case cat.Cartesian:
		return r.cartesian(t, want, s)
	case cat.Seq:
		return r.sequential(t, want, s)
	}
	asked, inner := want, s
	switch t.Op {
	case cat.Inter:
		asked = r.Common(want, r.may(t.Y))
	case cat.Diff:
		inner = s.other()
	}
	x, haveX, err := r.eval(t.X, asked, s)
	if err != nil {
		return nil, err
	}
	if t.Op != cat.Union {
		asked = r.pairsAmong(x, haveX)
	}
	y, haveY, err := r.eval(t.Y, asked, inner)
	if err != nil {
		return nil, err
	}
	m := r.NewMatrix(x.N, want.Rows)
	if t.Op != cat.Inter {
		x.EachIn(haveX, m.Put)
	}
	switch t.Op {
	case cat.Union:
		y.EachIn(haveY, func(a, b int, l sat.Lit) { m.Set(a, b, r.Or(m.Get(a, b), l)) })
	case cat.Inter:
		y.EachIn(haveY, func(a, b int, l sat.Lit) { m.Set(a, b, r.And(x.Get(a, b), l)) })
	case cat.Diff:
		y.EachIn(haveY, func(a, b int, l sat.Lit) { m.Set(a, b, r.And(x.Get(a, b), l.Not())) })
	}
	return m, nil
}

// pairsAmong returns the pairs of p that have a literal.
func (r *Relations) pairsAmong(m *relation.Matrix, p *relation.Pairs) *relation.Pairs {
	out := r.newPairs(p.Rows)
	m.EachIn(p, func(a, b int, _ sat.Lit) { out.Row(a).Add(b) })
	return out
}

func (r *Relations) cartesian(t *plan.Term, want *relation.Pairs, s side) (*relation.Matrix, error) {
	x, _, err := r.eval(t.X, nil, s)
	if err != nil {
		return nil, err
	}
	y, _, err := r.eval(t.Y, nil, s)
	if err != nil {
		return nil, err
	}
	m := r.NewMatrix(x.N, x.N)
	want.Each(func(a, b int) { m.Set(a, b, r.And(x.Get(0, a), y.Get(0, b))) })
	return m, nil
}

// sequential evaluates x ; y. If y is a test, it masks x. If y is a closure, evaluated above, reach follows its steps
// instead of computing it.
func (r *Relations) sequential(t *plan.Term, want *relation.Pairs, s side) (*relation.Matrix, error) {
	if test := t.Y; test.Kind == plan.UnaryTerm && test.Unary == cat.Identity { // a test of the events that x leads to
		x, have, err := r.eval(t.X, want, s)
		if err != nil {
			return nil, err
		}
		set, _, err := r.eval(test.X, nil, s)
		if err != nil {
			return nil, err
		}
		m := r.NewMatrix(x.N, x.N)
		x.EachIn(have, func(a, b int, l sat.Lit) { m.Set(a, b, r.And(l, set.Get(0, b))) })
		return m, nil
	}
	may, u := r.may(t.Y), (*plan.Term)(nil)
	if s == above {
		u = t.Y.Closure()
	}
	if u != nil {
		may = r.onward(u.X)
	}
	x, have, err := r.eval(t.X, r.LeadsTo(r.may(t.X), may, want), s)
	if err != nil {
		return nil, err
	}
	if u != nil {
		return r.reach(x, have, u, want)
	}
	asked := r.newPairs(x.N)
	x.EachIn(have, func(a, b int, _ sat.Lit) {
		to := asked.Row(b)
		for i, w := range want.Row(a) {
			to[i] |= w & may.Row(b)[i]
		}
	})
	y, on, err := r.eval(t.Y, asked, s)
	if err != nil {
		return nil, err
	}
	return r.sequence(x, have, y, on, want), nil
}

// nothing returns an empty relation or set.
func (r *Relations) nothing(set bool) *relation.Matrix {
	n := len(r.Events)
	if r.empty == nil {
		r.empty, r.emptySet = r.NewMatrix(n, n), r.NewMatrix(n, 1)
	}
	if set {
		return r.emptySet
	}
	return r.empty
}

func (r *Relations) union(x, y *relation.Matrix) *relation.Matrix {
	m := r.Copy(x)
	y.Each(func(a, b int, l sat.Lit) {
		if other := m.At(a, b); other != 0 {
			l = r.Or(other, l)
		}
		m.Put(a, b, l)
	})
	return m
}

// composed returns x ; y of two complete matrices.
func (r *Relations) composed(x, y *relation.Matrix) *relation.Matrix {
	p, q := r.PairsOf(x), r.PairsOf(y)
	return r.sequence(x, p, y, q, r.ThenPairs(p, q))
}

// sequence returns the wanted pairs of x ; y, from the evaluated pairs have of x and on of y.
func (r *Relations) sequence(
	x *relation.Matrix, have *relation.Pairs, y *relation.Matrix, on, want *relation.Pairs,
) *relation.Matrix {
	m := r.NewMatrix(x.N, x.N)
	ways := make([][]sat.Lit, x.N)
	for a := range x.N {
		asked := want.Row(a)
		if asked.First() < 0 {
			continue
		}
		have.Row(a).Each(func(b int) {
			first := x.At(a, b)
			if first == 0 {
				return
			}
			for i, w := range on.Row(b) {
				for w &= asked[i]; w != 0; w &= w - 1 {
					c := i*64 + bits.TrailingZeros64(w)
					if second := y.At(b, c); second != 0 {
						if l := r.And(first, second); l != sat.False {
							ways[c] = append(ways[c], l)
						}
					}
				}
			}
		})
		asked.Each(func(c int) {
			if len(ways[c]) > 0 {
				m.Set(a, c, r.Or(ways[c]...))
				ways[c] = ways[c][:0]
			}
		})
	}
	return m
}

// closure returns x+ by Warshall's algorithm: a path through the events up to k either avoids k, or consists of two
// such paths that k joins. Each entry takes one gate per alternative; repeated squaring would build these gates again
// in every round.
func (r *Relations) closure(x *relation.Matrix) *relation.Matrix {
	n := x.N
	m := r.Copy(x)
	for k := range n {
		for a := range n {
			first := m.At(a, k)
			if first == 0 {
				continue
			}
			m.From(k, func(b int, second sat.Lit) {
				if m.At(a, b) == sat.True {
					return
				}
				if l := r.And(first, second); l != sat.False {
					m.Set(a, b, r.Or(m.Get(a, b), l))
				}
			})
		}
	}
	return m
}
