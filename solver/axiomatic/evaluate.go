package axiomatic

import (
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

// known is what has been evaluated of a value: some rows, for what nobody asks for is
// often the most of it.
type known struct {
	*matrix
	done rows // nil for all
}

// eval gives at least the rows of an expression that are asked for.
func (r *relations) eval(e cat.Expr, want rows, s side) (*matrix, error) {
	switch e := e.(type) {
	case cat.Base:
		return r.base(e.Name), nil
	case cat.Nothing:
		return r.none(), nil
	case cat.Ref:
		return r.def(e.Def, want, s)
	case cat.Chosen:
		o, err := r.chosen(e.Order)
		if err != nil {
			return nil, err
		}
		return o.before, nil
	case cat.Unary:
		return r.unary(e, want, s)
	case cat.Binary:
		return r.binary(e, want, s)
	}
	panic("BUG: unknown expression")
}

// closes tells whether an expression rests on a closure or on a recursive definition.
func (r *relations) closes(e cat.Expr) bool {
	switch e := e.(type) {
	case cat.Ref:
		c, ok := r.closed[e.Def]
		if !ok {
			c = e.Def.Group != nil || r.closes(e.Def.Body)
			r.closed[e.Def] = c
		}
		return c
	case cat.Unary:
		return e.Op == cat.Plus || e.Op == cat.Star || r.closes(e.X)
	case cat.Binary:
		return r.closes(e.X) || r.closes(e.Y)
	}
	return false
}

func (r *relations) def(d *cat.Def, want rows, s side) (*matrix, error) {
	switch {
	case !r.closes(cat.Ref{Def: d}):
		s = exact
	case d.Group != nil && s == above && !d.Settles:
		return r.recursive(d, want)
	case d.Group != nil:
		return r.leastSolution(d)
	}
	if d.Kind == cat.Set {
		want = nil
	}
	v := r.values[value{d, s}]
	missing := want
	if v != nil {
		if missing = v.missing(want); missing == nil {
			return v.matrix, nil
		}
	}
	m, err := r.eval(d.Body, missing, s)
	if err != nil {
		return nil, err
	}
	if v = r.values[value{d, s}]; v == nil {
		if missing == nil || m.rows == 1 {
			r.values[value{d, s}] = &known{matrix: m}
			return m, nil
		}
		v = &known{r.newMatrix(m.n, m.rows), make(rows, m.n)}
		r.values[value{d, s}] = v
	}
	for a := range m.n {
		if missing[a] {
			copy(v.row(a), m.row(a))
			v.done[a] = true
		}
	}
	v.known = false
	return v.matrix, nil
}

// missing are the rows asked for that are not done; nil for none.
func (k *known) missing(want rows) rows {
	if k.done == nil {
		return nil
	}
	var out rows
	for a, done := range k.done {
		if want.has(a) && !done {
			if out == nil {
				out = make(rows, len(k.done))
			}
			out[a] = true
		}
	}
	return out
}

func (r *relations) unary(u cat.Unary, want rows, s side) (*matrix, error) {
	n := len(r.events)
	of, inner := want, s
	switch u.Op {
	case cat.Inverse, cat.Identity, cat.Domain, cat.Range:
		of = nil
	case cat.Complement:
		inner = s.other()
	case cat.Plus, cat.Star:
		if s == above {
			return r.closing(u, want)
		}
		of, inner = nil, exact
	}
	x, err := r.eval(u.X, of, inner)
	if err != nil {
		return nil, err
	}
	switch u.Op {
	case cat.Inverse, cat.Plus, cat.Identity, cat.Differing:
		if x.isBare(of) {
			return r.none(), nil
		}
	}
	switch u.Op {
	case cat.Inverse:
		m := r.newMatrix(n, n)
		x.each(nil, func(a, b int, l sat.Lit) { m.set(b, a, l) })
		return m, nil
	case cat.Plus:
		return r.closure(x), nil
	case cat.Star:
		return r.union(r.closure(x), r.base("id"), want), nil
	case cat.Optional:
		return r.union(x, r.base("id"), want), nil
	case cat.Complement:
		m := r.newMatrix(n, x.rows)
		for a := range x.rows {
			if x.rows > 1 && !want.has(a) {
				continue
			}
			for b := range n {
				guard := r.events[b].guard
				if x.rows > 1 {
					guard = r.And(guard, r.events[a].guard)
				}
				m.set(a, b, r.And(guard, x.get(a, b).Not()))
			}
		}
		return m, nil
	case cat.Identity:
		m := r.newMatrix(n, n)
		x.each(nil, func(_, a int, l sat.Lit) { m.set(a, a, l) })
		return m, nil
	case cat.Differing:
		m := r.newMatrix(n, n)
		x.each(want, func(a, b int, l sat.Lit) { m.set(a, b, r.And(l, r.differ(&r.events[a], &r.events[b]))) })
		return m, nil
	case cat.Domain, cat.Range:
		in := make([][]sat.Lit, n)
		x.each(nil, func(a, b int, l sat.Lit) {
			if u.Op == cat.Domain {
				b = a
			}
			in[b] = append(in[b], l)
		})
		m := r.newMatrix(n, 1)
		for a := range in {
			m.set(0, a, r.Or(in[a]...))
		}
		return m, nil
	}
	panic("BUG: unknown operator")
}

func (r *relations) binary(e cat.Binary, want rows, s side) (*matrix, error) {
	if e.Op == cat.Cartesian {
		return r.cartesian(e, want, s)
	}
	inner := s
	if e.Op == cat.Diff {
		inner = s.other()
	}
	if _, nothing := e.X.(cat.Nothing); nothing { // takes the other's shape
		y, err := r.eval(e.Y, want, inner)
		if err != nil || e.Op == cat.Union {
			return y, err
		}
		return r.newMatrix(y.n, y.rows), nil
	}
	x, err := r.eval(e.X, want, s)
	if err != nil {
		return nil, err
	}
	if _, nothing := e.Y.(cat.Nothing); nothing {
		if e.Op == cat.Union || e.Op == cat.Diff {
			return x, nil
		}
		return r.newMatrix(x.n, x.rows), nil
	}
	if e.Op == cat.Union {
		y, err := r.eval(e.Y, want, s)
		switch {
		case err != nil || x.isBare(want):
			return y, err
		case y.isBare(want):
			return x, nil
		}
		return r.union(x, y, want), nil
	}
	if x.isBare(want) {
		return x, nil
	}
	if e.Op == cat.Seq {
		return r.then(x, e.Y, want, s)
	}
	used := x.used(want)
	y, err := r.eval(e.Y, used, inner)
	switch {
	case err != nil:
		return nil, err
	case y.isBare(used) && e.Op == cat.Diff:
		return x, nil
	case y.isBare(used):
		return r.newMatrix(x.n, x.rows), nil
	}
	m := r.newMatrix(x.n, x.rows)
	x.each(used, func(a, b int, l sat.Lit) {
		k := y.get(a, b)
		if e.Op == cat.Diff {
			k = k.Not()
		}
		m.set(a, b, r.And(l, k))
	})
	return m, nil
}

func (r *relations) cartesian(e cat.Binary, want rows, s side) (*matrix, error) {
	x, err := r.eval(e.X, nil, s)
	if err != nil {
		return nil, err
	}
	y, err := r.eval(e.Y, nil, s)
	if err != nil || x.isBare(nil) || y.isBare(nil) {
		return r.none(), err
	}
	m := r.newMatrix(x.n, x.n)
	x.each(nil, func(_, a int, l sat.Lit) {
		if want.has(a) {
			y.each(nil, func(_, b int, k sat.Lit) { m.set(a, b, r.And(l, k)) })
		}
	})
	return m, nil
}

// then is x ; e.
func (r *relations) then(x *matrix, e cat.Expr, want rows, s side) (*matrix, error) {
	if u, ok := r.closureOf(e, s); ok {
		return r.reach(x, u.X, want, u.Op == cat.Star)
	}
	u, _ := e.(cat.Unary)
	switch {
	case u.X != nil && u.Op == cat.Identity:
		set, err := r.eval(u.X, nil, s)
		if err != nil || set.isBare(nil) {
			return r.none(), err
		}
		m := r.newMatrix(x.n, x.n)
		x.each(want, func(a, b int, l sat.Lit) { m.set(a, b, r.And(l, set.get(0, b))) })
		return m, nil
	case u.X != nil && u.Op == cat.Optional:
		y, err := r.then(x, u.X, want, s)
		if err != nil {
			return nil, err
		}
		return r.union(x, y, want), nil
	}
	columns := x.columns(want)
	y, err := r.eval(e, columns, s)
	if err != nil || y.isBare(columns) {
		return r.none(), err
	}
	return r.sequence(x, y, want), nil
}

// none is the empty relation.
func (r *relations) none() *matrix {
	if r.empty == nil {
		r.empty = r.newMatrix(len(r.events), len(r.events))
	}
	return r.empty
}

func (r *relations) union(x, y *matrix, want rows) *matrix {
	m := r.newMatrix(x.n, x.rows)
	for a := range x.rows {
		if x.rows > 1 && !want.has(a) {
			continue
		}
		for i := a * x.n; i < (a+1)*x.n; i++ {
			switch {
			case x.lits[i] == 0:
				m.lits[i] = y.lits[i]
			case y.lits[i] == 0:
				m.lits[i] = x.lits[i]
			default:
				m.lits[i] = r.Or(x.lits[i], y.lits[i])
			}
		}
	}
	return m
}

// sequence is x ; y.
func (r *relations) sequence(x, y *matrix, want rows) *matrix {
	m := r.newMatrix(x.n, x.n)
	ways := make([][]sat.Lit, x.n)
	for a := range x.n {
		if !want.has(a) {
			continue
		}
		for b, first := range x.row(a) {
			if first == 0 {
				continue
			}
			for c, second := range y.row(b) {
				if second == 0 {
					continue
				}
				if l := r.And(first, second); l != sat.False {
					ways[c] = append(ways[c], l)
				}
			}
		}
		for c, w := range ways {
			if len(w) > 0 {
				m.set(a, c, r.Or(w...))
				ways[c] = w[:0]
			}
		}
	}
	return m
}

// closure is x+, event by event: a path through the events up to k runs through those
// before k, or is two such paths that k joins. An entry that grows takes one gate for
// each way, which squaring x over and over would build again in every round.
func (r *relations) closure(x *matrix) *matrix {
	n := x.n
	m := r.newMatrix(n, n)
	copy(m.lits, x.lits)
	for k := range n {
		for a := range n {
			first := m.lits[a*n+k]
			if first == 0 {
				continue
			}
			for b, second := range m.lits[k*n : (k+1)*n] {
				if second == 0 || m.lits[a*n+b] == sat.True {
					continue
				}
				if l := r.And(first, second); l != sat.False {
					m.set(a, b, r.Or(m.get(a, b), l))
				}
			}
		}
	}
	return m
}
