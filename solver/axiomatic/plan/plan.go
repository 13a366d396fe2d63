package plan

import (
	"slices"

	"litmuscope/models"
	"litmuscope/models/cat"
)

// Term is an expression of a model. Equal expressions are one term, so that facts about a term need one computation.
type Term struct {
	shape
	ID     int
	Closes bool    // it uses a closure or a recursive definition
	Group  []*Term // for a recursive definition
}

// shape is the operator of a term and its operands.
type shape struct {
	Kind  termKind
	Set   bool // whether it is a set
	Unary cat.UnaryOp
	Op    cat.BinaryOp
	Name  string // of a base relation
	Order *cat.Order
	Def   *cat.Def
	X, Y  *Term // operands; X is the body of a definition
}

// termKind is the kind of a term.
type termKind uint8

// The kinds of terms.
const (
	BaseTerm termKind = iota
	NothingTerm
	RefTerm
	ChosenTerm
	UnaryTerm
	BinaryTerm
)

// Plan is a model prepared for encoding. A model has one plan, which serves all programs.
type Plan struct {
	Terms  int
	shapes map[shape]*Term
	refs   map[*cat.Def]*Term
	Checks map[cat.Expr]*Check
	All    *Term // the set of all events
	// orderly has the relations that some axiom requires to be acyclic.
	orderly map[*Term]bool
}

// Check is the prepared expression of an axiom, of a flag's check or of an order's set.
type Check struct {
	*Term
	// Circles are terms with a nonempty diagonal exactly if this one has one: the rotations of its Factors, the
	// sequence that it consists of.
	Circles, Factors []*Term
	Members          []tallied
	// for an acyclic union and for an irreflexive sequence; nil if it removes no closure
	Round, Once *Automaton
}

// tallied is a member of a union and its kind of constraint, as alglave-2013 counts them in Fig. 7.
type tallied struct {
	*Term
	expr cat.Expr
	Kind string
}

// Of returns the plan of a model.
func Of(m *models.Model) *Plan {
	return m.Prepared(func() any {
		p := &Plan{shapes: map[shape]*Term{}, refs: map[*cat.Def]*Term{}, Checks: map[cat.Expr]*Check{}}
		p.All = p.base("_", true)
		for _, o := range m.Orders {
			p.Checks[o.Set] = &Check{Term: p.term(o.Set)}
		}
		for _, a := range m.Axioms {
			p.check(a)
		}
		for _, f := range m.Flags {
			for _, a := range f.Checks {
				p.check(a)
			}
		}
		seen := map[*Term]bool{}
		for _, t := range p.shapes {
			t.close(seen)
		}
		for _, t := range p.refs {
			t.close(seen)
		}
		p.automata(m.Axioms)
		return p
	}).(*Plan)
}

// check plans an expression, and the expression without the closures around it: both have the same cycles.
func (p *Plan) check(a cat.Axiom) {
	for _, expr := range []cat.Expr{a.Expr, Unclosed(a.Expr)} {
		if p.Checks[expr] != nil {
			continue
		}
		c := &Check{Term: p.term(expr)}
		p.Checks[expr] = c
		c.Factors = p.factors(expr, nil, true)
		for i := range c.Factors {
			c.Circles = append(c.Circles, p.sequence(append(slices.Clone(c.Factors[i:]), c.Factors[:i]...)))
		}
		p.tally(c, expr)
	}
}

// Unclosed returns an expression without the closures around it.
func Unclosed(e cat.Expr) cat.Expr {
	for {
		u, ok := e.(cat.Unary)
		if !ok || u.Op != cat.Plus {
			return e
		}
		e = u.X
	}
}

// tally records the members of a union and their kinds.
func (p *Plan) tally(c *Check, e cat.Expr) {
	if b, ok := e.(cat.Binary); ok && b.Op == cat.Union {
		p.tally(c, b.X)
		p.tally(c, b.Y)
		return
	}
	kind := "ab"
	switch name := nameOf(e); name {
	case "rf", "rfe", "rfi", "co", "coe", "coi", "fr", "fre", "fri":
		kind = map[byte]string{'r': "rf", 'c': "ws", 'f': "fr"}[name[0]]
	case "po", "po-loc", "ppo":
		kind = "ppo"
	case "com":
		p.tally(c, e.(cat.Ref).Def.Body)
		return
	}
	c.Members = append(c.Members, tallied{p.term(e), e, kind})
}

func nameOf(e cat.Expr) string {
	switch e := e.(type) {
	case cat.Base:
		return e.Name
	case cat.Ref:
		return e.Def.Name
	}
	return ""
}

// share returns the term of a shape, and makes it if there is none.
func (p *Plan) share(s shape) *Term {
	t := p.shapes[s]
	if t == nil {
		t = &Term{shape: s, ID: p.Terms}
		p.Terms++
		p.shapes[s] = t
	}
	return t
}

func (p *Plan) base(name string, set bool) *Term {
	return p.share(shape{Kind: BaseTerm, Name: name, Set: set})
}

func (p *Plan) nothing(set bool) *Term { return p.share(shape{Kind: NothingTerm, Set: set}) }

// term returns the term of an expression. Sequences associate to the left, so that (a;b);c and a;(b;c) are one term.
func (p *Plan) term(e cat.Expr) *Term {
	switch e := e.(type) {
	case cat.Base:
		return p.base(e.Name, e.Kind == cat.Set)
	case cat.Nothing:
		return p.nothing(false)
	case cat.Ref:
		return p.ref(e.Def)
	case cat.Chosen:
		return p.share(shape{Kind: ChosenTerm, Order: e.Order})
	case cat.Unary:
		x := p.term(e.X)
		return p.share(
			shape{Kind: UnaryTerm, Unary: e.Op, X: x, Set: e.Op == cat.Domain || e.Op == cat.Range ||
				e.Op == cat.Complement && x.Set})
	case cat.Binary:
		if e.Op == cat.Seq {
			return p.sequence(p.factors(e, nil, false))
		}
		return p.join(e.Op, p.term(e.X), p.term(e.Y))
	}
	panic("BUG: unknown expression")
}

// ref returns the term of a definition.
func (p *Plan) ref(d *cat.Def) *Term {
	t := p.refs[d]
	if t == nil {
		t = &Term{shape: shape{Kind: RefTerm, Def: d, Set: d.Kind == cat.Set}, ID: p.Terms}
		p.Terms++
		p.refs[d] = t
		t.X = p.term(d.Body)
		for _, g := range d.Group {
			t.Group = append(t.Group, p.ref(g))
		}
	}
	return t
}

// join returns the term of a binary operator. It folds operands that are empty.
func (p *Plan) join(op cat.BinaryOp, x, y *Term) *Term {
	switch empty := x.Kind == NothingTerm; {
	case op == cat.Cartesian, op == cat.Seq:
	case empty && op == cat.Union:
		return y
	case empty:
		return p.nothing(y.Set)
	case y.Kind == NothingTerm && op == cat.Inter:
		return p.nothing(x.Set)
	case y.Kind == NothingTerm:
		return x
	}
	return p.share(shape{Kind: BinaryTerm, Op: op, X: x, Y: y, Set: x.Set && op != cat.Cartesian})
}

// factors appends the terms of a sequence. If named is true, it expands definitions that are sequences.
func (p *Plan) factors(e cat.Expr, out []*Term, named bool) []*Term {
	switch e := e.(type) {
	case cat.Binary:
		if e.Op == cat.Seq {
			return p.factors(e.Y, p.factors(e.X, out, named), named)
		}
	case cat.Ref:
		if b, ok := e.Def.Body.(cat.Binary); ok && named && e.Def.Group == nil && b.Op == cat.Seq {
			return p.factors(b, out, named)
		}
	}
	return append(out, p.term(e))
}

func (p *Plan) sequence(factors []*Term) *Term {
	t := factors[0]
	for _, f := range factors[1:] {
		t = p.join(cat.Seq, t, f)
	}
	return t
}

// close sets Closes: whether a term uses a closure or a recursive definition.
func (t *Term) close(seen map[*Term]bool) bool {
	if t == nil {
		return false
	}
	if !seen[t] {
		seen[t] = true
		t.Closes = t.Group != nil || t.Kind == UnaryTerm && (t.Unary == cat.Plus || t.Unary == cat.Star)
		if x, y := t.X.close(seen), t.Y.close(seen); x || y {
			t.Closes = true
		}
	}
	return t.Closes
}

// Closure returns the closure that a term is, directly or by name; nil if it is none.
func (t *Term) Closure() *Term {
	for t.Kind == RefTerm && t.Def.Group == nil {
		t = t.X
	}
	if t.Kind == UnaryTerm && (t.Unary == cat.Star || t.Unary == cat.Plus) {
		return t
	}
	return nil
}

// RestsOn reports whether a term mentions one of others, directly or through definitions.
func (t *Term) RestsOn(others []*Term, seen map[*Term]bool) bool {
	if t == nil {
		return false
	}
	rests, ok := seen[t]
	if !ok {
		seen[t] = false
		rests = slices.Contains(others, t) || t.X.RestsOn(others, seen) || t.Y.RestsOn(others, seen)
		seen[t] = rests
	}
	return rests
}
