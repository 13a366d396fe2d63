package encode

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
	"litmuscope/solver/axiomatic/plan"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// Before the encoding, the engine computes two bounds of each relation: the pairs that it may have in some execution,
// and the pairs that it must have whenever both events execute (relation analysis: Gavrilenko, Ponce-de-Leon, Furbach,
// Heljanko and Meyer, "BMC for Weak Memory Models: Relation Analysis for Compact SMT Encodings", CAV 2019). The formula
// contains only what an axiom depends on: of an acyclic relation, the pairs in cycles of the upper bound; of a
// sequence, the steps that lead to wanted pairs. The bounds of a recursive relation are least fixed points too. They
// say which pairs need literals, so that the formula has each pair's body once.

// estimate caches the bounds of a term.
type estimate struct {
	bounds [2]*relation.Pairs // upper and lower bound
	onward *relation.Pairs    // the closure of the upper bound, with each event itself
	steps  *stepping          // the same as encoded steps
}

// bound selects a bound of a relation.
type bound int

const (
	most  bound = iota // the pairs that are possible
	least              // the pairs that are certain
)

// may returns the possible pairs. Only these have literals.
func (r *Relations) may(t *plan.Term) *relation.Pairs { return r.bound(t, most) }

// must returns the pairs that a relation has whenever both events execute.
func (r *Relations) must(t *plan.Term) *relation.Pairs { return r.bound(t, least) }

func (r *Relations) bound(t *plan.Term, which bound) *relation.Pairs {
	known := &r.known[t.ID].bounds[which]
	if p := *known; p != nil {
		for s := r.settling; s != nil && t.Kind == plan.RefTerm && t.Def.Group != nil; s = s.outer {
			s.ask(t, which)
		}
		return p
	}
	switch {
	case t.Kind == plan.RefTerm && t.Def.Group != nil:
		r.computeFixpoint(t, which)
	case which == most:
		*known = r.findMay(t)
	default:
		*known = r.findMust(t)
	}
	if r.settling != nil {
		r.settling.touched = append(r.settling.touched, touched{t, which})
	}
	return *known
}

// settling is a group of recursive definitions while the engine computes their bounds, from empty relations, round by
// round.
type settling struct {
	outer   *settling
	which   bound
	members []*plan.Term // the members in use
	grown   bool
	touched []touched
}

type touched struct {
	*plan.Term
	which bound
}

func (s *settling) ask(t *plan.Term, which bound) {
	if s.which == which && slices.Contains(t.Group, s.members[0]) && !slices.Contains(s.members, t) {
		s.members, s.grown = append(s.members, t), true
	}
}

// computeFixpoint computes a bound of a recursive definition, and of the members of its group that it depends on. The
// first round starts from empty relations; each later round evaluates the bodies with the previous bounds, until
// nothing grows. Bounds of other terms that depend on the group come from unfinished bounds: computeFixpoint drops them
// after each round that changed something.
func (r *Relations) computeFixpoint(t *plan.Term, which bound) {
	rows := func(t *plan.Term) int {
		if t.Set {
			return 1
		}
		return len(r.Events)
	}
	bounds := func(t *plan.Term) **relation.Pairs { return &r.known[t.ID].bounds[which] }
	for _, m := range t.Group {
		if *bounds(m) == nil {
			*bounds(m) = r.newPairs(rows(m))
		}
	}
	if which == least && t.Def.Settles { // a larger member means a smaller other one
		return
	}
	s := &settling{outer: r.settling, which: which, members: []*plan.Term{t}, grown: true}
	r.settling = s
	rest := map[*plan.Term]bool{}
	for s.grown {
		s.grown = false
		for i := 0; i < len(s.members); i++ {
			m := s.members[i]
			body := r.bound(m.X, which)
			if body.Rows != rows(m) { // an empty relation of either shape
				continue
			}
			if more := r.Without(body, *bounds(m)); !more.Empty() {
				*bounds(m) = r.Union(*bounds(m), more)
				s.grown = true
			}
		}
		if s.grown {
			for _, k := range s.touched {
				if k.which == which && k.RestsOn(t.Group, rest) {
					*bounds(k.Term) = nil
				}
			}
			s.touched = s.touched[:0]
		}
	}
	r.settling = s.outer
	if s.outer != nil {
		s.outer.touched = append(s.outer.touched, s.touched...)
		for _, m := range s.members {
			s.outer.touched = append(s.outer.touched, touched{m, which})
		}
	}
	for _, m := range t.Group { // no body has asked for these: their bounds are unfinished
		if !slices.Contains(s.members, m) {
			*bounds(m) = nil
		}
	}
}

// findMay returns an upper bound of a term: every execution's relation is part of it. It applies the term's operators
// to pairs, from the bounds of the base relations.
func (r *Relations) findMay(t *plan.Term) *relation.Pairs {
	n := len(r.Events)
	switch t.Kind {
	case plan.BaseTerm:
		return r.PairsOf(r.base(t.Name))
	case plan.NothingTerm:
		if t.Set {
			return r.newPairs(1)
		}
		return r.newPairs(n)
	case plan.RefTerm:
		if p := r.may(t.X); p.Rows == 1 == t.Set {
			return p
		}
		return r.newPairs(n) // an empty relation of either shape
	case plan.ChosenTerm:
		if o, err := r.chosen(t.Order); err == nil {
			return r.PairsOf(o.before)
		}
		return r.every(t) // evaluating the term will return the error
	case plan.UnaryTerm:
		if t.Unary == cat.Complement {
			return r.Without(r.every(t), r.must(t.X))
		}
		x := r.may(t.X)
		switch t.Unary {
		case cat.Inverse:
			return r.Inverse(x)
		case cat.Plus:
			return r.Paths(x)
		case cat.Star:
			return r.Union(r.Paths(x), r.identity())
		case cat.Optional:
			return r.Union(x, r.identity())
		case cat.Identity:
			return r.diagonal(x.Bits)
		case cat.Differing:
			return x
		case cat.Domain:
			return r.domain(x, nil)
		case cat.Range:
			return r.domain(r.Inverse(x), nil)
		}
	case plan.BinaryTerm:
		x := r.may(t.X)
		if t.Op == cat.Union {
			return r.Union(x, r.may(t.Y))
		}
		if x.Empty() {
			if t.Set {
				return x
			}
			return r.newPairs(n)
		}
		switch t.Op {
		case cat.Inter:
			return r.Common(x, r.may(t.Y))
		case cat.Diff:
			return r.Without(x, r.must(t.Y))
		case cat.Seq:
			return r.ThenPairs(x, r.may(t.Y))
		case cat.Cartesian:
			return r.product(x, r.may(t.Y))
		}
	}
	panic("BUG: unknown term")
}

// every returns all events, or all pairs, by the shape of a term.
func (r *Relations) every(t *plan.Term) *relation.Pairs {
	all := r.may(r.plan.All)
	if t.Set {
		return all
	}
	return r.product(all, all)
}

func (r *Relations) identity() *relation.Pairs { return r.diagonal(r.may(r.plan.All).Bits) }

// diagonal relates each event of a set to itself.
func (r *Relations) diagonal(set relation.Bitset) *relation.Pairs {
	out := r.newPairs(len(r.Events))
	set.Each(func(a int) { out.Row(a).Add(a) })
	return out
}

func (r *Relations) product(x, y *relation.Pairs) *relation.Pairs {
	out := r.newPairs(x.N)
	x.Bits.Each(func(a int) { copy(out.Row(a), y.Bits) })
	return out
}

// domain returns the events from which a relation leads on, by pairs that satisfy surely unless that is nil.
func (r *Relations) domain(p *relation.Pairs, surely func(a, b int) bool) *relation.Pairs {
	out := r.newPairs(1)
	for a := range p.N {
		if p.Row(a).Any(func(b int) bool { return surely == nil || surely(a, b) }) {
			out.Bits.Add(a)
		}
	}
	return out
}

// with reports whether event a executes whenever other does.
func (r *Relations) with(a, other int) bool {
	return a == other || r.Events[a].Guard == sat.True || r.order.Surely(a, other)
}

// A lower bound helps twice. Its pairs need no variables, because their literals are just the guards. And a difference
// or a complement has as its upper bound everything outside the lower bound of its operand, so that exact lower bounds
// of small relations shrink the upper bounds of large ones.

// findMust returns a lower bound of a term: every execution that contains both events of a pair relates them. Operators
// without a useful bound give no pairs.
func (r *Relations) findMust(t *plan.Term) *relation.Pairs {
	n := len(r.Events)
	nothing := func() *relation.Pairs {
		if t.Set {
			return r.newPairs(1)
		}
		return r.newPairs(n)
	}
	switch t.Kind {
	case plan.BaseTerm:
		return r.certainly(t)
	case plan.RefTerm:
		if p := r.must(t.X); p.Rows == 1 == t.Set {
			return p
		}
	case plan.UnaryTerm:
		switch t.Unary {
		case cat.Complement:
			return r.Without(r.every(t), r.may(t.X))
		case cat.Differing:
			return nothing()
		}
		x := r.must(t.X)
		switch t.Unary {
		case cat.Inverse:
			return r.Inverse(x)
		case cat.Plus:
			return r.surePaths(x)
		case cat.Star:
			return r.Union(r.surePaths(x), r.identity())
		case cat.Optional:
			return r.Union(x, r.identity())
		case cat.Identity:
			return r.diagonal(x.Bits)
		case cat.Domain:
			return r.domain(x, func(a, b int) bool { return r.with(b, a) })
		case cat.Range:
			return r.domain(r.Inverse(x), func(a, b int) bool { return r.with(b, a) })
		}
	case plan.BinaryTerm:
		x := r.must(t.X)
		if t.Op == cat.Union {
			return r.Union(x, r.must(t.Y))
		}
		if x.Empty() {
			return nothing()
		}
		switch t.Op {
		case cat.Inter:
			return r.Common(x, r.must(t.Y))
		case cat.Diff:
			return r.Without(x, r.may(t.Y))
		case cat.Seq:
			return r.sureThen(x, r.must(t.Y))
		case cat.Cartesian:
			return r.product(x, r.must(t.Y))
		}
	}
	return nothing()
}

// certainly returns the pairs of a base relation whose literal only says that both events execute.
func (r *Relations) certainly(t *plan.Term) *relation.Pairs {
	m := r.base(t.Name)
	out := r.newPairs(m.Rows)
	m.EachIn(r.may(t), func(a, b int, l sat.Lit) {
		switch {
		case l == sat.True,
			t.Set && l == r.Events[b].Guard,
			!t.Set && r.with(a, b) && l == r.Events[b].Guard,
			!t.Set && r.with(b, a) && l == r.Events[a].Guard,
			(slices.Contains([]string{"po", "int", "ext", "loc", "sm", "vloc", "ssw", "syncbar"}, t.Name) ||
				ir.ScopeOf(t.Name) != "") && l == r.both(a, b):
			out.Row(a).Add(b)
		}
	})
	return out
}

// sureThen returns the pairs of x ; y that are certain: the event between them must execute whenever one of the two
// does.
func (r *Relations) sureThen(x, y *relation.Pairs) *relation.Pairs {
	out := r.newPairs(x.N)
	x.Each(func(a, b int) {
		if r.with(b, a) {
			out.Row(a).Or(y.Row(b))
			return
		}
		y.Row(b).Each(func(c int) {
			if r.with(b, c) {
				out.Row(a).Add(c)
			}
		})
	})
	return out
}

// surePaths returns the paths of certain pairs.
func (r *Relations) surePaths(x *relation.Pairs) *relation.Pairs {
	for out := x; ; {
		more := r.Union(out, r.sureThen(out, x))
		if r.Without(more, out).Empty() {
			return out
		}
		out = more
	}
}

// onward returns what each event may reach in any number of steps.
func (r *Relations) onward(t *plan.Term) *relation.Pairs {
	known := &r.known[t.ID].onward
	if *known == nil {
		*known = r.Union(r.Paths(r.may(t)), r.identity())
	}
	return *known
}
