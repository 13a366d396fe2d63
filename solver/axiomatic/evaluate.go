package axiomatic

import (
	"math/bits"

	"litmuscope/models/cat"
	"litmuscope/solver/sat"
)

// A side says how the literals of a matrix stand to what they are about. Closures and
// recursive relations are least solutions, which take many gates to pin down. As a rule
// that is not needed: an axiom forbids, and what it forbids of the least it forbids of
// anything larger. A flag such as a data race asks that two events are not ordered, and
// if they are not in a larger order, they are not in the least. So most of a model is
// evaluated above: in each execution there is an assignment in which the literals say
// just what is related, and in any other they say more.
type side int

const (
	exact side = iota
	above      // the literals may say more
	below      // they may say less
)

// other is the side of what is taken away.
func (s side) other() side {
	switch s {
	case above:
		return below
	case below:
		return above
	}
	return exact
}

// value is a definition on a side. One that rests on nothing recursive is exact on all.
type value struct {
	*cat.Def
	side side
}

// known is what has been evaluated of a value: some pairs, for what nobody asks for is
// often the most of it.
type known struct {
	*matrix
	done *pairs
	own  bool // the matrix is nobody else's
}

// eval gives those literals of a term that are asked for, and may be something else than false. What else is in the matrix means nothing.
func (r *relations) eval(t *term, want *pairs, s side) (*matrix, *pairs, error) {
	if t.set {
		want = r.may(t)
	} else {
		want = r.common(want, r.may(t))
	}
	if want.empty() {
		return r.nothing(t.set), want, nil
	}
	m, err := r.evaluate(t, want, s)
	return m, want, err
}

// whole is all of a term, and nothing else.
func (r *relations) whole(t *term, s side) (*matrix, error) {
	m, p, err := r.eval(t, r.may(t), s)
	if err != nil {
		return nil, err
	}
	return r.only(m, p), nil
}

func (r *relations) evaluate(t *term, want *pairs, s side) (*matrix, error) {
	switch t.kind {
	case baseTerm:
		return r.base(t.name), nil
	case refTerm:
		return r.def(t, want, s)
	case chosenTerm:
		o, err := r.chosen(t.order)
		if err != nil {
			return nil, err
		}
		return o.before, nil
	case unaryTerm:
		return r.unary(t, want, s)
	case binaryTerm:
		return r.binary(t, want, s)
	}
	panic("BUG: unknown term")
}

func (r *relations) def(t *term, want *pairs, s side) (*matrix, error) {
	switch d := t.def; {
	case !t.closes:
		s = exact
	case d.Group != nil && s == above && !d.Settles:
		return r.recursive(t, want)
	case d.Group != nil:
		return r.leastSolution(t)
	}
	if t.x.kind == baseTerm || t.x.kind == refTerm {
		return r.evaluate(t.x, want, s)
	}
	v := r.values[value{t.def, s}]
	missing := want
	if v != nil {
		if missing = r.without(want, v.done); missing.empty() {
			return v.matrix, nil
		}
	}
	m, _, err := r.eval(t.x, missing, s)
	if err != nil {
		return nil, err
	}
	v = r.values[value{t.def, s}] // a recursive definition may have come by here meanwhile
	if v == nil {
		r.values[value{t.def, s}] = &known{matrix: m, done: missing}
		return m, nil
	}
	if !v.own {
		v.matrix, v.own = r.only(v.matrix, v.done), true
	}
	m.over(missing, v.put)
	v.done = r.either(v.done, missing)
	return v.matrix, nil
}

func (r *relations) unary(t *term, want *pairs, s side) (*matrix, error) {
	of, inner := want, s
	switch t.unary {
	case cat.Inverse:
		of = r.inverse(want)
	case cat.Identity, cat.Domain, cat.Range:
		of = r.may(t.x)
	case cat.Complement:
		inner = s.other()
	case cat.Plus, cat.Star:
		if s == above {
			return r.closing(t, want)
		}
		of, inner = r.may(t.x), exact
	}
	x, have, err := r.eval(t.x, of, inner)
	if err != nil {
		return nil, err
	}
	m := r.newMatrix(len(r.events), want.rows)
	switch t.unary {
	case cat.Inverse:
		x.over(have, func(a, b int, l sat.Lit) { m.put(b, a, l) })
	case cat.Plus:
		m = r.closure(r.only(x, have))
	case cat.Star:
		m = r.union(r.closure(r.only(x, have)), r.base("id"))
	case cat.Optional:
		r.base("id").over(want, m.put)
		x.over(have, func(a, b int, l sat.Lit) { m.set(a, b, r.Or(m.get(a, b), l)) })
	case cat.Complement:
		want.each(func(a, b int) {
			guard := r.events[b].guard
			if want.rows > 1 {
				guard = r.And(guard, r.events[a].guard)
			}
			if have.has(a, b) {
				guard = r.And(guard, x.get(a, b).Not())
			}
			m.set(a, b, guard)
		})
	case cat.Identity:
		want.each(func(a, _ int) { m.set(a, a, x.get(0, a)) })
	case cat.Differing:
		x.over(have, func(a, b int, l sat.Lit) { m.set(a, b, r.And(l, r.differ(&r.events[a], &r.events[b]))) })
	case cat.Domain, cat.Range:
		in := make([][]sat.Lit, m.n)
		x.over(have, func(a, b int, l sat.Lit) {
			if t.unary == cat.Domain {
				b = a
			}
			in[b] = append(in[b], l)
		})
		for a := range in {
			m.set(0, a, r.Or(in[a]...))
		}
	default:
		panic("BUG: unknown operator")
	}
	return m, nil
}

func (r *relations) binary(t *term, want *pairs, s side) (*matrix, error) {
	switch t.op {
	case cat.Cartesian:
		return r.cartesian(t, want, s)
	case cat.Seq:
		return r.sequential(t, want, s)
	}
	asked, inner := want, s
	switch t.op {
	case cat.Inter:
		asked = r.common(want, r.may(t.y))
	case cat.Diff:
		inner = s.other()
	}
	x, haveX, err := r.eval(t.x, asked, s)
	if err != nil {
		return nil, err
	}
	if t.op != cat.Union {
		asked = r.pairsAmong(x, haveX)
	}
	y, haveY, err := r.eval(t.y, asked, inner)
	if err != nil {
		return nil, err
	}
	m := r.newMatrix(x.n, want.rows)
	if t.op != cat.Inter {
		x.over(haveX, m.put)
	}
	switch t.op {
	case cat.Union:
		y.over(haveY, func(a, b int, l sat.Lit) { m.set(a, b, r.Or(m.get(a, b), l)) })
	case cat.Inter:
		y.over(haveY, func(a, b int, l sat.Lit) { m.set(a, b, r.And(x.get(a, b), l)) })
	case cat.Diff:
		y.over(haveY, func(a, b int, l sat.Lit) { m.set(a, b, r.And(x.get(a, b), l.Not())) })
	}
	return m, nil
}

// pairsAmong are those of some pairs that have a literal.
func (r *relations) pairsAmong(m *matrix, p *pairs) *pairs {
	out := r.newPairs(p.rows)
	m.over(p, func(a, b int, _ sat.Lit) { out.row(a).add(b) })
	return out
}

func (r *relations) cartesian(t *term, want *pairs, s side) (*matrix, error) {
	x, _, err := r.eval(t.x, nil, s)
	if err != nil {
		return nil, err
	}
	y, _, err := r.eval(t.y, nil, s)
	if err != nil {
		return nil, err
	}
	m := r.newMatrix(x.n, x.n)
	want.each(func(a, b int) { m.set(a, b, r.And(x.get(0, a), y.get(0, b))) })
	return m, nil
}

// sequential is x ; y.
func (r *relations) sequential(t *term, want *pairs, s side) (*matrix, error) {
	if test := t.y; test.kind == unaryTerm && test.unary == cat.Identity { // a test on where the first leads
		x, have, err := r.eval(t.x, want, s)
		if err != nil {
			return nil, err
		}
		set, _, err := r.eval(test.x, nil, s)
		if err != nil {
			return nil, err
		}
		m := r.newMatrix(x.n, x.n)
		x.over(have, func(a, b int, l sat.Lit) { m.set(a, b, r.And(l, set.get(0, b))) })
		return m, nil
	}
	may, u := r.may(t.y), (*term)(nil)
	if s == above {
		u = t.y.closure()
	}
	if u != nil {
		may = r.onward(u.x)
	}
	x, have, err := r.eval(t.x, r.leadsTo(r.may(t.x), may, want), s)
	if err != nil {
		return nil, err
	}
	if u != nil {
		return r.reach(x, have, u, want)
	}
	asked := r.newPairs(x.n)
	x.over(have, func(a, b int, _ sat.Lit) {
		to := asked.row(b)
		for i, w := range want.row(a) {
			to[i] |= w & may.row(b)[i]
		}
	})
	y, on, err := r.eval(t.y, asked, s)
	if err != nil {
		return nil, err
	}
	return r.sequence(x, have, y, on, want), nil
}

// nothing is an empty relation or set.
func (r *relations) nothing(set bool) *matrix {
	n := len(r.events)
	if r.empty == nil {
		r.empty, r.emptySet = r.newMatrix(n, n), r.newMatrix(n, 1)
	}
	if set {
		return r.emptySet
	}
	return r.empty
}

func (r *relations) union(x, y *matrix) *matrix {
	m := r.copy(x)
	y.each(func(a, b int, l sat.Lit) {
		if other := m.at(a, b); other != 0 {
			l = r.Or(other, l)
		}
		m.put(a, b, l)
	})
	return m
}

// composed is x ; y as they stand.
func (r *relations) composed(x, y *matrix) *matrix {
	p, q := r.pairsOf(x), r.pairsOf(y)
	return r.sequence(x, p, y, q, r.thenPairs(p, q))
}

// sequence is some pairs of x ; y, of which some are known.
func (r *relations) sequence(x *matrix, have *pairs, y *matrix, on, want *pairs) *matrix {
	m := r.newMatrix(x.n, x.n)
	ways := make([][]sat.Lit, x.n)
	for a := range x.n {
		asked := want.row(a)
		if asked.first() < 0 {
			continue
		}
		have.row(a).each(func(b int) {
			first := x.at(a, b)
			if first == 0 {
				return
			}
			for i, w := range on.row(b) {
				for w &= asked[i]; w != 0; w &= w - 1 {
					c := i*64 + bits.TrailingZeros64(w)
					if second := y.at(b, c); second != 0 {
						if l := r.And(first, second); l != sat.False {
							ways[c] = append(ways[c], l)
						}
					}
				}
			}
		})
		asked.each(func(c int) {
			if len(ways[c]) > 0 {
				m.set(a, c, r.Or(ways[c]...))
				ways[c] = ways[c][:0]
			}
		})
	}
	return m
}

// closure is x+, event by event: a path through the events up to k runs through those
// before k, or is two such paths that k joins. An entry that grows takes one gate for
// each way, which squaring x over and over would build again in every round.
func (r *relations) closure(x *matrix) *matrix {
	n := x.n
	m := r.copy(x)
	for k := range n {
		for a := range n {
			first := m.at(a, k)
			if first == 0 {
				continue
			}
			m.from(k, func(b int, second sat.Lit) {
				if m.at(a, b) == sat.True {
					return
				}
				if l := r.And(first, second); l != sat.False {
					m.set(a, b, r.Or(m.get(a, b), l))
				}
			})
		}
	}
	return m
}
