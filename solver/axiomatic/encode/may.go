package encode

import (
	"slices"

	"litmuscope/models/cat"
	"litmuscope/solver/axiomatic/plan"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
)

// Which pairs a relation may have, in some execution, and which it must have, wherever both events are executed, is
// known before any of it is encoded (relation analysis: Gavrilenko, Ponce-de-Leon, Furbach, Heljanko and Meyer, "BMC
// for Weak Memory Models: Relation Analysis for Compact SMT Encodings", CAV 2019). From that follows what an axiom
// depends on, and nothing else is encoded: of a relation that is to be acyclic, the pairs in a circle of what may be;
// of what a pair is made of, what may lead there and on. Recursive relations have their literals by it before their
// bodies are looked at, each once.

// estimate is what is known of a term in advance.
type estimate struct {
	bounds [2]*relation.Pairs // most and least
	onward *relation.Pairs    // the closure of the most, and each event itself
	steps  *stepping          // … as it is encoded
}

// bound is what a relation has, at most or at least.
type bound int

const (
	most  bound = iota // the pairs that may be related
	least              // those that must be
)

// may gives the pairs that may be related: no others have a literal.
func (r *Relations) may(t *plan.Term) *relation.Pairs { return r.bound(t, most) }

// must gives the pairs that are related wherever both are executed.
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
		r.settle(t, which)
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

// settling is a group of recursive definitions whose bounds are being found, from nothing, round by round.
type settling struct {
	outer   *settling
	which   bound
	members []*plan.Term // those that have been asked for
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

// settle finds a bound of a recursive definition, and of those of its group that it rests on.
func (r *Relations) settle(t *plan.Term, which bound) {
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
	if which == least && t.Def.Settles { // then more of one is less of another
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
			if body.Rows != rows(m) { // nothing, of any shape
				continue
			}
			if more := r.Without(body, *bounds(m)); !more.Empty() {
				*bounds(m) = r.Either(*bounds(m), more)
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
	for _, m := range t.Group { // nobody has asked what the others come to
		if !slices.Contains(s.members, m) {
			*bounds(m) = nil
		}
	}
}

// findMay returns an upper bound of a term: every execution's relation is part of it. It is computed by the term's
// operators on pairs, from the bounds of the base relations.
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
		return r.newPairs(n) // nothing, of any shape
	case plan.ChosenTerm:
		if o, err := r.chosen(t.Order); err == nil {
			return r.PairsOf(o.before)
		}
		return r.every(t) // who evaluates it will hear of the error
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
			return r.Either(r.Paths(x), r.identity())
		case cat.Optional:
			return r.Either(x, r.identity())
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
			return r.Either(x, r.may(t.Y))
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

// every is all events or pairs of these, by a term's shape.
func (r *Relations) every(t *plan.Term) *relation.Pairs {
	all := r.may(r.plan.All)
	if t.Set {
		return all
	}
	return r.product(all, all)
}

func (r *Relations) identity() *relation.Pairs { return r.diagonal(r.may(r.plan.All).Bits) }

// diagonal relates each of some events to itself.
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

// domain is the set of events that a relation leads from, or surely does.
func (r *Relations) domain(p *relation.Pairs, surely func(a, b int) bool) *relation.Pairs {
	out := r.newPairs(1)
	for a := range p.N {
		if p.Row(a).Any(func(b int) bool { return surely == nil || surely(a, b) }) {
			out.Bits.Add(a)
		}
	}
	return out
}

// with reports whether an event is executed wherever another is.
func (r *Relations) with(a, other int) bool {
	return a == other || r.Events[a].Guard == sat.True || r.order.Surely(a, other)
}

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
			return r.Either(r.surePaths(x), r.identity())
		case cat.Optional:
			return r.Either(x, r.identity())
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
			return r.Either(x, r.must(t.Y))
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

// certainly are the pairs of a base whose literal says no more than that both are executed.
func (r *Relations) certainly(t *plan.Term) *relation.Pairs {
	m := r.base(t.Name)
	out := r.newPairs(m.Rows)
	m.Over(r.may(t), func(a, b int, l sat.Lit) {
		switch {
		case l == sat.True,
			t.Set && l == r.Events[b].Guard,
			!t.Set && r.with(a, b) && l == r.Events[b].Guard,
			!t.Set && r.with(b, a) && l == r.Events[a].Guard,
			slices.Contains([]string{"po", "int", "ext", "loc", "sm"}, t.Name) && l == r.both(a, b):
			out.Row(a).Add(b)
		}
	})
	return out
}

// sureThen is x ; y of pairs that must be related, where what is between is executed.
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

func (r *Relations) surePaths(x *relation.Pairs) *relation.Pairs {
	for out := x; ; {
		more := r.Either(out, r.sureThen(out, x))
		if r.Without(more, out).Empty() {
			return out
		}
		out = more
	}
}

// onward is what is reached from each event by any number of steps that may be.
func (r *Relations) onward(t *plan.Term) *relation.Pairs {
	known := &r.known[t.ID].onward
	if *known == nil {
		*known = r.Either(r.Paths(r.may(t)), r.identity())
	}
	return *known
}
