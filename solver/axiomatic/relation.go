package axiomatic

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// matrix is a symbolic relation: for each pair of events, the literal that says
// that they are related, which implies that both are executed. 0 stands for never.
// A set is a matrix of one row.
type matrix struct {
	n, rows int
	lits    []sat.Lit
	known   bool // whether it is bare
	bare    bool
}

// isBare tells whether nothing is related: as a rule so for what models say of
// instructions that a test does not have. The matrix is to stay as it is from then on.
func (m *matrix) isBare() bool {
	if !m.known {
		m.known, m.bare = true, !slices.ContainsFunc(m.lits, func(l sat.Lit) bool { return l != 0 })
	}
	return m.bare
}

// newMatrix takes its literals from a slab, for there are many small ones.
func (e *encoding) newMatrix(n, rows int) *matrix {
	size := n * rows
	if len(e.slab) < size {
		e.slab = make([]sat.Lit, max(size, 1<<12))
	}
	m := &matrix{n: n, rows: rows, lits: e.slab[:size:size]}
	e.slab = e.slab[size:]
	return m
}

func (m *matrix) get(a, b int) sat.Lit {
	if l := m.lits[a*m.n+b]; l != 0 {
		return l
	}
	return sat.False
}

func (m *matrix) set(a, b int, l sat.Lit) {
	if l == sat.False {
		l = 0
	}
	m.lits[a*m.n+b] = l
}

// each calls f on every pair that may be related.
func (m *matrix) each(f func(a, b int, l sat.Lit)) {
	for i, l := range m.lits {
		if l != 0 {
			f(i/m.n, i%m.n, l)
		}
	}
}

// relations evaluates cat expressions on an encoding.
type relations struct {
	*encoding
	bases map[string]*matrix
	defs  map[*cat.Def]*matrix
	empty *matrix
	// exact are the recursive definitions whose least solution must be known.
	exact    map[*cat.Def]bool
	allExact bool // it must be known of all
	// wellFounded: that values come from somewhere is to be asserted, as no axiom has it so.
	wellFounded bool
}

func newRelations(e *encoding) *relations {
	return &relations{
		encoding: e, bases: map[string]*matrix{}, defs: map[*cat.Def]*matrix{}, exact: map[*cat.Def]bool{},
	}
}

func (r *relations) fill(f func(a, b *event, i, j int) sat.Lit) *matrix {
	m := r.newMatrix(len(r.events), len(r.events))
	for i := range r.events {
		for j := range r.events {
			m.set(i, j, f(&r.events[i], &r.events[j], i, j))
		}
	}
	return m
}

func (r *relations) members(in func(*event) bool) *matrix {
	m := r.newMatrix(len(r.events), 1)
	for i := range r.events {
		if in(&r.events[i]) {
			m.set(0, i, r.events[i].guard)
		}
	}
	return m
}

// base computes what an execution gives.
func (r *relations) base(name string) *matrix {
	if m, ok := r.bases[name]; ok {
		return m
	}
	m := r.compute(name)
	r.bases[name] = m
	return m
}

func (r *relations) compute(name string) *matrix {
	own := func(a, b *event) bool { return a.Thread == b.Thread && a.Thread != models.InitThread }
	both := func(in bool, a, b *event) sat.Lit {
		if !in {
			return sat.False
		}
		return r.And(a.guard, b.guard)
	}
	switch name {
	case "_":
		return r.members(func(*event) bool { return true })
	case "R":
		return r.members(func(e *event) bool { return e.Kind == models.Read })
	case "W":
		return r.members(func(e *event) bool { return e.Kind == models.Write })
	case "M":
		return r.members(func(e *event) bool { return e.Kind != models.Fence })
	case "F":
		return r.members(func(e *event) bool { return e.Kind == models.Fence })
	case "IW":
		return r.members(func(e *event) bool { return e.Thread == models.InitThread })
	case "FW":
		return r.finalWrites()
	case "po":
		return r.fill(func(a, b *event, i, j int) sat.Lit { return both(own(a, b) && i < j, a, b) })
	case "int":
		return r.fill(func(a, b *event, _, _ int) sat.Lit { return both(own(a, b), a, b) })
	case "ext":
		return r.fill(func(a, b *event, i, j int) sat.Lit { return both(i != j && !own(a, b), a, b) })
	case "id":
		return r.fill(func(a, b *event, i, j int) sat.Lit { return both(i == j, a, b) })
	case "loc":
		return r.fill(func(a, b *event, i, j int) sat.Lit {
			if !overlap(a.Locs, b.Locs) {
				return sat.False
			}
			return r.And(a.guard, b.guard, r.sameLocation(i, j))
		})
	case "rf":
		m := r.newMatrix(len(r.events), len(r.events))
		for _, rf := range r.reads {
			for k, w := range rf.writes {
				m.set(w, rf.read, r.And(r.events[rf.read].guard, rf.choice[k]))
			}
		}
		return m
	case "co":
		return r.fill(func(a, b *event, i, j int) sat.Lit {
			if r.co[i] == nil || r.co[i][j] == 0 {
				return sat.False
			}
			return r.And(a.guard, b.guard, r.sameLocation(i, j), r.co[i][j])
		})
	case "rmw":
		return r.dependency(func(e *event) []symbolic.Source[sat.Vec] { return e.pairs })
	case "addr":
		return r.dependency(func(e *event) []symbolic.Source[sat.Vec] { return e.addr })
	case "data":
		return r.dependency(func(e *event) []symbolic.Source[sat.Vec] { return e.data })
	case "ctrl":
		return r.dependency(func(e *event) []symbolic.Source[sat.Vec] { return e.ctrl })
	}
	return r.members(func(e *event) bool { return e.Tags.Has(ir.Tag(name)) })
}

// finalWrites are the writes to locations that the test asks about that no other follows.
func (r *relations) finalWrites() *matrix {
	co := r.base("co")
	m := r.newMatrix(len(r.events), 1)
	for i := range r.events {
		w := &r.events[i]
		var asked []sat.Lit
		for k, l := range w.Locs {
			if w.Kind == models.Write && slices.ContainsFunc(r.program.Observed, func(o ir.Observable) bool { return o.Thread < 0 && o.Index == l }) {
				asked = append(asked, w.at[k])
			}
		}
		last := []sat.Lit{w.guard, r.Or(asked...)}
		for j := range r.events {
			last = append(last, co.get(i, j).Not())
		}
		m.set(0, i, r.And(last...))
	}
	return m
}

// differ is true where two events have values, and not the same.
func (r *relations) differ(a, b *event) sat.Lit {
	if a.Kind == models.Fence || b.Kind == models.Fence {
		return sat.False
	}
	x, y := a.value, b.value
	for len(x) < len(y) {
		x = append(x[:len(x):len(x)], sat.False)
	}
	for len(y) < len(x) {
		y = append(y[:len(y):len(y)], sat.False)
	}
	return r.EqualVec(x, y).Not()
}

func (r *relations) dependency(of func(*event) []symbolic.Source[sat.Vec]) *matrix {
	m := r.newMatrix(len(r.events), len(r.events))
	for j := range r.events {
		for _, s := range of(&r.events[j]) {
			i := r.first[s.Read.Thread][s.Read.Step]
			m.set(i, j, r.And(r.events[i].guard, r.events[j].guard, s.Cond[0]))
		}
	}
	return m
}

func (r *relations) eval(e cat.Expr) (*matrix, error) {
	switch e := e.(type) {
	case cat.Base:
		return r.base(e.Name), nil
	case cat.Nothing:
		return r.none(), nil
	case cat.Ref:
		return r.def(e.Def)
	case cat.Chosen:
		o, err := r.chosen(e.Order)
		if err != nil {
			return nil, err
		}
		return o.before, nil
	case cat.Unary:
		return r.unary(e)
	case cat.Binary:
		return r.binary(e)
	}
	panic("BUG: unknown expression")
}

func (r *relations) def(d *cat.Def) (*matrix, error) {
	if m, ok := r.defs[d]; ok {
		return m, nil
	}
	if d.Group == nil {
		m, err := r.eval(d.Body)
		if err != nil {
			return nil, err
		}
		r.defs[d] = m
		return m, nil
	}
	if r.allExact || r.exact[d] || d.Settles {
		return r.leastSolution(d)
	}
	return r.recursive(d)
}

func (r *relations) unary(u cat.Unary) (*matrix, error) {
	x, err := r.eval(u.X)
	if err != nil {
		return nil, err
	}
	n := len(r.events)
	switch u.Op {
	case cat.Inverse, cat.Plus, cat.Identity, cat.Differing:
		if x.isBare() {
			return r.none(), nil
		}
	}
	switch u.Op {
	case cat.Inverse:
		m := r.newMatrix(n, n)
		x.each(func(a, b int, l sat.Lit) { m.set(b, a, l) })
		return m, nil
	case cat.Plus:
		return r.closure(x), nil
	case cat.Star:
		return r.union(r.closure(x), r.base("id")), nil
	case cat.Optional:
		return r.union(x, r.base("id")), nil
	case cat.Complement:
		m := r.newMatrix(n, x.rows)
		for a := range x.rows {
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
		x.each(func(_, a int, l sat.Lit) { m.set(a, a, l) })
		return m, nil
	case cat.Differing:
		m := r.newMatrix(n, n)
		x.each(func(a, b int, l sat.Lit) { m.set(a, b, r.And(l, r.differ(&r.events[a], &r.events[b]))) })
		return m, nil
	case cat.Domain, cat.Range:
		in := make([][]sat.Lit, n)
		x.each(func(a, b int, l sat.Lit) {
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

func (r *relations) binary(e cat.Binary) (*matrix, error) {
	x, err := r.eval(e.X)
	if err != nil {
		return nil, err
	}
	_, nothingX := e.X.(cat.Nothing)
	_, nothingY := e.Y.(cat.Nothing)
	switch {
	case !x.isBare() || nothingX || nothingY:
	case e.Op == cat.Union:
		return r.eval(e.Y)
	case e.Op == cat.Cartesian:
		return r.none(), nil
	default:
		return x, nil
	}
	y, err := r.eval(e.Y)
	if err != nil {
		return nil, err
	}
	switch {
	case !y.isBare() || nothingX || nothingY:
	case e.Op == cat.Union, e.Op == cat.Diff:
		return x, nil
	case e.Op == cat.Cartesian:
		return r.none(), nil
	default:
		return y, nil
	}
	if e.Op != cat.Cartesian { // the empty set or relation takes the other's shape
		if nothingX {
			x = r.newMatrix(y.n, y.rows)
		}
		if nothingY {
			y = r.newMatrix(x.n, x.rows)
		}
	}
	switch e.Op {
	case cat.Union:
		return r.union(x, y), nil
	case cat.Inter:
		m := r.newMatrix(x.n, x.rows)
		x.each(func(a, b int, l sat.Lit) { m.set(a, b, r.And(l, y.get(a, b))) })
		return m, nil
	case cat.Diff:
		m := r.newMatrix(x.n, x.rows)
		x.each(func(a, b int, l sat.Lit) { m.set(a, b, r.And(l, y.get(a, b).Not())) })
		return m, nil
	case cat.Seq:
		return r.sequence(x, y), nil
	case cat.Cartesian:
		m := r.newMatrix(x.n, x.n)
		x.each(func(_, a int, l sat.Lit) {
			y.each(func(_, b int, k sat.Lit) { m.set(a, b, r.And(l, k)) })
		})
		return m, nil
	}
	panic("BUG: unknown operator")
}

// none is the empty relation.
func (r *relations) none() *matrix {
	if r.empty == nil {
		r.empty = r.newMatrix(len(r.events), len(r.events))
	}
	return r.empty
}

func (r *relations) union(x, y *matrix) *matrix {
	m := r.newMatrix(x.n, x.rows)
	for i := range x.lits {
		switch {
		case x.lits[i] == 0:
			m.lits[i] = y.lits[i]
		case y.lits[i] == 0:
			m.lits[i] = x.lits[i]
		default:
			m.lits[i] = r.Or(x.lits[i], y.lits[i])
		}
	}
	return m
}

// sequence is x ; y.
func (r *relations) sequence(x, y *matrix) *matrix {
	m := r.newMatrix(x.n, x.n)
	ways := make([][]sat.Lit, x.n)
	for a := range x.n {
		for b := range x.n {
			first := x.lits[a*x.n+b]
			if first == 0 {
				continue
			}
			for c, second := range y.lits[b*x.n : (b+1)*x.n] {
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
