package axiomatic

import (
	"slices"

	"litmuscope/models/cat"
	"litmuscope/solver/sat"
)

// Which pairs a relation may have, in some execution, and which it must have, wherever both events are executed, is known before
// any of it is encoded (relation analysis: Gavrilenko, Ponce-de-Leon, Furbach, Heljanko and Meyer, "BMC for Weak Memory Models:
// Relation Analysis for Compact SMT Encodings", CAV 2019). From that follows what an axiom depends on, and nothing else is encoded: of a
// relation that is to be acyclic, the pairs in a circle of what may be; of what a pair is made of, what may lead there and on.
// Recursive relations have their literals by it before their bodies are looked at, each once.

// estimate is what is known of a term beforehand.
type estimate struct {
	bounds [2]*pairs // most and least
	onward *pairs    // the closure of the most, and each event itself
	steps  *stepping // … as it is encoded
}

// bound is what a relation has, at most or at least.
type bound int

const (
	most  bound = iota // the pairs that may be related
	least              // those that must be
)

// may gives the pairs that may be related: no others have a literal.
func (r *relations) may(t *term) *pairs { return r.bound(t, most) }

// must gives the pairs that are related wherever both are executed.
func (r *relations) must(t *term) *pairs { return r.bound(t, least) }

func (r *relations) bound(t *term, which bound) *pairs {
	known := &r.known[t.id].bounds[which]
	if p := *known; p != nil {
		for s := r.settling; s != nil && t.kind == refTerm && t.def.Group != nil; s = s.outer {
			s.ask(t, which)
		}
		return p
	}
	switch {
	case t.kind == refTerm && t.def.Group != nil:
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
	members []*term // those that have been asked for
	grown   bool
	touched []touched
}

type touched struct {
	*term
	which bound
}

func (s *settling) ask(t *term, which bound) {
	if s.which == which && slices.Contains(t.group, s.members[0]) && !slices.Contains(s.members, t) {
		s.members, s.grown = append(s.members, t), true
	}
}

// settle finds a bound of a recursive definition, and of those of its group that it rests on.
func (r *relations) settle(t *term, which bound) {
	rows := func(t *term) int {
		if t.set {
			return 1
		}
		return len(r.events)
	}
	bounds := func(t *term) **pairs { return &r.known[t.id].bounds[which] }
	for _, m := range t.group {
		if *bounds(m) == nil {
			*bounds(m) = r.newPairs(rows(m))
		}
	}
	if which == least && t.def.Settles { // then more of one is less of another
		return
	}
	s := &settling{outer: r.settling, which: which, members: []*term{t}, grown: true}
	r.settling = s
	rest := map[*term]bool{}
	for s.grown {
		s.grown = false
		for i := 0; i < len(s.members); i++ {
			m := s.members[i]
			body := r.bound(m.x, which)
			if body.rows != rows(m) { // nothing, of any shape
				continue
			}
			if more := r.without(body, *bounds(m)); !more.empty() {
				*bounds(m) = r.either(*bounds(m), more)
				s.grown = true
			}
		}
		if s.grown {
			for _, k := range s.touched {
				if k.which == which && k.restsOn(t.group, rest) {
					*bounds(k.term) = nil
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
	for _, m := range t.group { // nobody has asked what the others come to
		if !slices.Contains(s.members, m) {
			*bounds(m) = nil
		}
	}
}

func (r *relations) findMay(t *term) *pairs {
	n := len(r.events)
	switch t.kind {
	case baseTerm:
		return r.pairsOf(r.base(t.name))
	case nothingTerm:
		if t.set {
			return r.newPairs(1)
		}
		return r.newPairs(n)
	case refTerm:
		if p := r.may(t.x); p.rows == 1 == t.set {
			return p
		}
		return r.newPairs(n) // nothing, of any shape
	case chosenTerm:
		if o, err := r.chosen(t.order); err == nil {
			return r.pairsOf(o.before)
		}
		return r.every(t) // who evaluates it will hear of the error
	case unaryTerm:
		if t.unary == cat.Complement {
			return r.without(r.every(t), r.must(t.x))
		}
		x := r.may(t.x)
		switch t.unary {
		case cat.Inverse:
			return r.inverse(x)
		case cat.Plus:
			return r.paths(x)
		case cat.Star:
			return r.either(r.paths(x), r.identity())
		case cat.Optional:
			return r.either(x, r.identity())
		case cat.Identity:
			return r.diagonal(x.bits)
		case cat.Differing:
			return x
		case cat.Domain:
			return r.domain(x, nil)
		case cat.Range:
			return r.domain(r.inverse(x), nil)
		}
	case binaryTerm:
		x := r.may(t.x)
		if t.op == cat.Union {
			return r.either(x, r.may(t.y))
		}
		if x.empty() {
			if t.set {
				return x
			}
			return r.newPairs(n)
		}
		switch t.op {
		case cat.Inter:
			return r.common(x, r.may(t.y))
		case cat.Diff:
			return r.without(x, r.must(t.y))
		case cat.Seq:
			return r.thenPairs(x, r.may(t.y))
		case cat.Cartesian:
			return r.product(x, r.may(t.y))
		}
	}
	panic("BUG: unknown term")
}

// every is all events or pairs of these, by a term's shape.
func (r *relations) every(t *term) *pairs {
	all := r.may(r.plan.all)
	if t.set {
		return all
	}
	return r.product(all, all)
}

func (r *relations) identity() *pairs { return r.diagonal(r.may(r.plan.all).bits) }

// diagonal relates each of some events to itself.
func (r *relations) diagonal(set bitset) *pairs {
	out := r.newPairs(len(r.events))
	set.each(func(a int) { out.row(a).add(a) })
	return out
}

func (r *relations) product(x, y *pairs) *pairs {
	out := r.newPairs(x.n)
	x.bits.each(func(a int) { copy(out.row(a), y.bits) })
	return out
}

// domain is the set of events that a relation leads from, or surely does.
func (r *relations) domain(p *pairs, surely func(a, b int) bool) *pairs {
	out := r.newPairs(1)
	for a := range p.n {
		if p.row(a).any(func(b int) bool { return surely == nil || surely(a, b) }) {
			out.bits.add(a)
		}
	}
	return out
}

// with tells whether an event is executed wherever another is.
func (r *relations) with(a, other int) bool {
	return a == other || r.events[a].guard == sat.True || r.order.Surely(a, other)
}

func (r *relations) findMust(t *term) *pairs {
	n := len(r.events)
	nothing := func() *pairs {
		if t.set {
			return r.newPairs(1)
		}
		return r.newPairs(n)
	}
	switch t.kind {
	case baseTerm:
		return r.certainly(t)
	case refTerm:
		if p := r.must(t.x); p.rows == 1 == t.set {
			return p
		}
	case unaryTerm:
		switch t.unary {
		case cat.Complement:
			return r.without(r.every(t), r.may(t.x))
		case cat.Differing:
			return nothing()
		}
		x := r.must(t.x)
		switch t.unary {
		case cat.Inverse:
			return r.inverse(x)
		case cat.Plus:
			return r.surePaths(x)
		case cat.Star:
			return r.either(r.surePaths(x), r.identity())
		case cat.Optional:
			return r.either(x, r.identity())
		case cat.Identity:
			return r.diagonal(x.bits)
		case cat.Domain:
			return r.domain(x, func(a, b int) bool { return r.with(b, a) })
		case cat.Range:
			return r.domain(r.inverse(x), func(a, b int) bool { return r.with(b, a) })
		}
	case binaryTerm:
		x := r.must(t.x)
		if t.op == cat.Union {
			return r.either(x, r.must(t.y))
		}
		if x.empty() {
			return nothing()
		}
		switch t.op {
		case cat.Inter:
			return r.common(x, r.must(t.y))
		case cat.Diff:
			return r.without(x, r.may(t.y))
		case cat.Seq:
			return r.sureThen(x, r.must(t.y))
		case cat.Cartesian:
			return r.product(x, r.must(t.y))
		}
	}
	return nothing()
}

// certainly are the pairs of a base whose literal says no more than that both are executed.
func (r *relations) certainly(t *term) *pairs {
	m := r.base(t.name)
	out := r.newPairs(m.rows)
	m.over(r.may(t), func(a, b int, l sat.Lit) {
		switch {
		case l == sat.True,
			t.set && l == r.events[b].guard,
			!t.set && r.with(a, b) && l == r.events[b].guard,
			!t.set && r.with(b, a) && l == r.events[a].guard,
			slices.Contains([]string{"po", "int", "ext", "loc", "sm"}, t.name) && l == r.both(a, b):
			out.row(a).add(b)
		}
	})
	return out
}

// sureThen is x ; y of pairs that must be related, where what is between is executed.
func (r *relations) sureThen(x, y *pairs) *pairs {
	out := r.newPairs(x.n)
	x.each(func(a, b int) {
		if r.with(b, a) {
			out.row(a).or(y.row(b))
			return
		}
		y.row(b).each(func(c int) {
			if r.with(b, c) {
				out.row(a).add(c)
			}
		})
	})
	return out
}

func (r *relations) surePaths(x *pairs) *pairs {
	for out := x; ; {
		more := r.either(out, r.sureThen(out, x))
		if r.without(more, out).empty() {
			return out
		}
		out = more
	}
}

// onward is what is reached from each event by any number of steps that may be.
func (r *relations) onward(t *term) *pairs {
	known := &r.known[t.id].onward
	if *known == nil {
		*known = r.either(r.paths(r.may(t)), r.identity())
	}
	return *known
}
