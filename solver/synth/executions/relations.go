package executions

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/solver/sat"
)

// The evaluator turns expressions of cat into matrices of literals, one literal for each pair of the 2n events. It is
// exact: the axiomatic engine's encoding has literals that may say more than the relation, but here one side must allow
// an execution and the other forbid it. Executions are so small that matrices need no bounds and no sharing by demand.

// value is a set or a relation over all events. With neither field set it is empty, and serves as either.
type value struct {
	set []sat.Lit
	rel [][]sat.Lit
}

// evaluator evaluates a model in a space.
type evaluator struct {
	*space
	model *models.Model
	defs  map[*cat.Def]value
	// places has, for each order that the model chooses, the place of each event.
	places map[*cat.Order][]int
	// unsettled is true in executions in which some recursive definition needs more rounds.
	unsettled sat.Lit
}

// judge returns two literals. allowed is true in executions that break no axiom for at least one choice of the
// model's orders; undefined is true in executions with undefined behaviour.
func (e *evaluator) judge() (allowed, undefined sat.Lit, err error) {
	defer func() {
		if bad, ok := recover().(beyond); ok {
			err = bad.error
		}
	}()
	e.unsettled = sat.False
	var ways, undefineds []sat.Lit
	e.orders(0, map[*cat.Order][]int{}, func(places map[*cat.Order][]int) {
		e.places, e.defs = places, map[*cat.Def]value{}
		holds := []sat.Lit{sat.True}
		for _, a := range e.model.Axioms {
			holds = append(holds, e.holds(a))
		}
		way := e.And(holds...)
		ways = append(ways, way)
		for _, f := range e.model.Flags {
			if f.Undefined() {
				for _, a := range f.Checks {
					undefineds = append(undefineds, e.And(way, e.holds(a)))
				}
			}
		}
	})
	return e.Or(ways...), e.Or(append(undefineds, sat.False)...), nil
}

// beyond is a panic: why the search does not support a model.
type beyond struct{ error }

// orders calls visit for all combinations of orders that the model may choose. There are n! per order, which is
// acceptable for a few events.
func (e *evaluator) orders(k int, places map[*cat.Order][]int, visit func(map[*cat.Order][]int)) {
	if k == len(e.model.Orders) {
		visit(maps.Clone(places))
		return
	}
	place := make([]int, e.n)
	used := make([]bool, e.n)
	var next func(i int)
	next = func(i int) {
		if i == e.n {
			places[e.model.Orders[k]] = slices.Clone(place)
			e.orders(k+1, places, visit)
			return
		}
		for at := range e.n {
			if !used[at] {
				used[at], place[i] = true, at
				next(i + 1)
				used[at] = false
			}
		}
	}
	next(0)
}

// holds returns a literal that is true in executions that satisfy an axiom. An acyclic relation is one whose closure
// has an empty diagonal.
func (e *evaluator) holds(a cat.Axiom) sat.Lit {
	v := e.eval(a.Expr)
	var bad []sat.Lit
	switch {
	case a.Kind == cat.Empty && v.set != nil:
		bad = v.set
	case a.Kind == cat.Empty:
		for _, row := range v.rel {
			bad = append(bad, row...)
		}
	case v.rel == nil:
	default:
		if a.Kind == cat.Acyclic {
			v = e.closure(v)
		}
		for i, row := range v.rel {
			bad = append(bad, row[i])
		}
	}
	broken := e.Or(append(bad, sat.False)...)
	if a.Negated {
		return broken
	}
	return broken.Not()
}

// eval evaluates an expression. It panics with beyond for final writes, which only a test defines.
func (e *evaluator) eval(x cat.Expr) value {
	switch x := x.(type) {
	case cat.Nothing:
		return value{}
	case cat.Base:
		if x.Name == "FW" {
			panic(beyond{errors.New("it uses the last writes to the locations in a test's condition")})
		}
		if ir.OfScopes(x.Name) {
			panic(beyond{fmt.Errorf("it uses the scopes of threads (%s)", x.Name)})
		}
		return e.base(x.Name)
	case cat.Ref:
		return e.def(x.Def)
	case cat.Chosen:
		return e.chosen(x.Order)
	case cat.Unary:
		return e.unary(x)
	case cat.Binary:
		return e.binary(x)
	}
	panic("BUG: unknown expression")
}

// def evaluates a definition once. It iterates recursive definitions n times from the empty relation; unsettled becomes
// true in executions where another round would change them.
func (e *evaluator) def(d *cat.Def) value {
	if v, ok := e.defs[d]; ok {
		return v
	}
	if d.Group == nil {
		v := e.eval(d.Body)
		e.defs[d] = v
		return v
	}
	if d.Settles {
		panic(beyond{fmt.Errorf("%s has no least solution", d.Name)})
	}
	// The loop starts from empty relations. n rounds usually suffice; unsettled says where they do not.
	for _, g := range d.Group {
		e.defs[g] = value{}
	}
	for range e.n {
		for _, g := range d.Group {
			e.defs[g] = e.eval(g.Body)
		}
	}
	for _, g := range d.Group {
		e.unsettled = e.Or(e.unsettled, e.equal(e.defs[g], e.eval(g.Body)).Not())
	}
	return e.defs[d]
}

// equal returns a literal that is true in executions where two values are the same.
func (e *evaluator) equal(x, y value) sat.Lit {
	same := []sat.Lit{sat.True}
	if x.set != nil || y.set != nil {
		a, b := e.asSet(x), e.asSet(y)
		for i := range a {
			same = append(same, e.Equal(a[i], b[i]))
		}
		return e.And(same...)
	}
	a, b := e.asRelation(x), e.asRelation(y)
	for i := range a {
		for j := range a[i] {
			same = append(same, e.Equal(a[i][j], b[i][j]))
		}
	}
	return e.And(same...)
}

// chosen returns an order that the model chooses, for the current choice.
func (e *evaluator) chosen(o *cat.Order) value {
	in := e.asSet(e.eval(o.Set))
	for _, l := range in[e.n:] {
		if l != sat.False {
			panic(beyond{errors.New("it orders initial writes")})
		}
	}
	place := e.places[o]
	return e.pairsOf(func(i, j int) sat.Lit {
		if i >= e.n || j >= e.n || place[i] >= place[j] {
			return sat.False
		}
		l := e.And(in[i], in[j])
		if o.ByLocation {
			l = e.And(l, e.sameLocation(i, j))
		}
		return l
	})
}

// asSet returns a value's set; the empty one if it has neither form.
func (e *evaluator) asSet(v value) []sat.Lit {
	if v.set == nil {
		v.set = slices.Repeat([]sat.Lit{sat.False}, 2*e.n)
	}
	return v.set
}

// asRelation returns a value's relation; the empty one if it has neither form.
func (e *evaluator) asRelation(v value) [][]sat.Lit {
	if v.rel == nil {
		return e.pairsOf(func(int, int) sat.Lit { return sat.False }).rel
	}
	return v.rel
}

// The definitions follow package evaluation case by case, on literals instead of bits. check (search.go) compares the
// two on every execution that the search finds, so that a difference shows up as a BUG.

// unary evaluates an operator on a set or a relation. It panics with beyond for operators that depend on values, which
// these executions do not have.
func (e *evaluator) unary(u cat.Unary) value {
	v := e.eval(u.X)
	if u.Op == cat.Identity {
		set := e.asSet(v)
		return e.pairsOf(func(i, j int) sat.Lit {
			if i != j {
				return sat.False
			}
			return set[i]
		})
	}
	if u.Op == cat.Complement && v.set != nil {
		out := make([]sat.Lit, len(v.set))
		for i, l := range v.set {
			out[i] = l.Not()
		}
		return value{set: out}
	}
	r := e.asRelation(v)
	reflexive := func(v value) value {
		return e.pairsOf(func(i, j int) sat.Lit {
			if i == j {
				return sat.True
			}
			return v.rel[i][j]
		})
	}
	switch u.Op {
	case cat.Inverse:
		return e.pairsOf(func(i, j int) sat.Lit { return r[j][i] })
	case cat.Plus:
		return e.closure(value{rel: r})
	case cat.Star:
		return reflexive(e.closure(value{rel: r}))
	case cat.Optional:
		return reflexive(value{rel: r})
	case cat.Complement:
		return e.pairsOf(func(i, j int) sat.Lit { return r[i][j].Not() })
	case cat.Domain, cat.Range:
		out := make([]sat.Lit, len(r))
		for i := range r {
			lits := []sat.Lit{sat.False}
			for j := range r {
				if u.Op == cat.Domain {
					lits = append(lits, r[i][j])
				} else {
					lits = append(lits, r[j][i])
				}
			}
			out[i] = e.Or(lits...)
		}
		return value{set: out}
	case cat.Differing:
		panic(beyond{errors.New("it uses values")})
	}
	panic("BUG: unknown operator")
}

// binary evaluates an operator on two sets or two relations. An operand of neither kind is empty and takes the other's
// kind.
func (e *evaluator) binary(b cat.Binary) value {
	x, y := e.eval(b.X), e.eval(b.Y)
	join := func(a, b sat.Lit) sat.Lit { return e.Or(a, b) }
	switch b.Op {
	case cat.Seq:
		return e.sequence(e.asRelation(x), e.asRelation(y))
	case cat.Cartesian:
		from, to := e.asSet(x), e.asSet(y)
		return e.pairsOf(func(i, j int) sat.Lit { return e.And(from[i], to[j]) })
	case cat.Inter:
		join = func(a, b sat.Lit) sat.Lit { return e.And(a, b) }
	case cat.Diff:
		join = func(a, b sat.Lit) sat.Lit { return e.And(a, b.Not()) }
	case cat.Union:
	default:
		panic("BUG: unknown operator")
	}
	if x.set != nil || y.set != nil {
		p, q := e.asSet(x), e.asSet(y)
		out := make([]sat.Lit, len(p))
		for i := range p {
			out[i] = join(p[i], q[i])
		}
		return value{set: out}
	}
	if x.rel == nil && y.rel == nil {
		return value{}
	}
	p, q := e.asRelation(x), e.asRelation(y)
	return e.pairsOf(func(i, j int) sat.Lit { return join(p[i][j], q[i][j]) })
}

// sequence returns x ; y. A constant false literal ends a path early, so that sparse relations give small circuits.
func (e *evaluator) sequence(x, y [][]sat.Lit) value {
	return e.pairsOf(func(i, j int) sat.Lit {
		lits := []sat.Lit{sat.False}
		for k := range x {
			if l := e.And(x[i][k], y[k][j]); l != sat.False {
				lits = append(lits, l)
			}
		}
		return e.Or(lits...)
	})
}

// closure returns the transitive closure by Warshall's algorithm.
func (e *evaluator) closure(v value) value {
	m := make([][]sat.Lit, len(v.rel))
	for i, row := range v.rel {
		m[i] = slices.Clone(row)
	}
	for k := range m {
		through := slices.Clone(m[k])
		for i := range m {
			first := m[i][k]
			if first == sat.False {
				continue
			}
			for j, second := range through {
				if l := e.And(first, second); l != sat.False {
					m[i][j] = e.Or(m[i][j], l)
				}
			}
		}
	}
	return value{rel: m}
}

// named collects the base sets and relations that a model mentions.
func named(m *models.Model, names map[string]bool) {
	seen := map[*cat.Def]bool{}
	var walk func(cat.Expr)
	walk = func(x cat.Expr) {
		switch x := x.(type) {
		case cat.Base:
			names[x.Name] = true
		case cat.Ref:
			if !seen[x.Def] {
				seen[x.Def] = true
				walk(x.Def.Body)
			}
		case cat.Unary:
			walk(x.X)
		case cat.Binary:
			walk(x.X)
			walk(x.Y)
		}
	}
	for _, a := range m.Axioms {
		walk(a.Expr)
	}
	for _, f := range m.Flags {
		for _, a := range f.Checks {
			walk(a.Expr)
		}
	}
	for _, o := range m.Orders {
		walk(o.Set)
	}
}
