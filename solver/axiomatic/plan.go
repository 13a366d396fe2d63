package axiomatic

import (
	"slices"

	"litmuscope/models"
	"litmuscope/models/cat"
)

// A term is an expression of a model. What is the same is one term.
type term struct {
	shape
	id     int
	closes bool    // it rests on a closure or on a recursive definition
	group  []*term // of a recursive definition
}

type shape struct {
	kind  termKind
	set   bool // it is a set
	unary cat.UnaryOp
	op    cat.BinaryOp
	name  string // of a base
	order *cat.Order
	def   *cat.Def
	x, y  *term // the body of a definition is x
}

type termKind uint8

const (
	baseTerm termKind = iota
	nothingTerm
	refTerm
	chosenTerm
	unaryTerm
	binaryTerm
)

// plan is a model, as it is to be encoded, made once for all programs.
type plan struct {
	terms  int
	shapes map[shape]*term
	refs   map[*cat.Def]*term
	checks map[cat.Expr]*check
	all    *term // the set of all events
	// orderly is what axioms let no cycle be of.
	orderly map[*term]bool
}

// check is what is asked of an axiom's or a flag's expression, or of an order's set.
type check struct {
	*term
	// circles are terms that have something on their diagonals where this one does: what it is a sequence of, in a circle, begun
	// at each.
	circles, factors []*term
	members          []tallied
	round, once      *automaton // of a union that is to be acyclic, of a sequence that is to be irreflexive; nil where it does away with no closure
}

// tallied is a member of a union, and the kind of constraint that it is in alglave-2013's Fig. 7.
type tallied struct {
	*term
	expr cat.Expr
	kind string
}

// planOf gives the plan of a model.
func planOf(m *models.Model) *plan {
	return m.Prepared(func() any {
		p := &plan{shapes: map[shape]*term{}, refs: map[*cat.Def]*term{}, checks: map[cat.Expr]*check{}}
		p.all = p.base("_", true)
		for _, o := range m.Orders {
			p.checks[o.Set] = &check{term: p.term(o.Set)}
		}
		for _, a := range m.Axioms {
			p.check(a)
		}
		for _, f := range m.Flags {
			for _, a := range f.Checks {
				p.check(a)
			}
		}
		seen := map[*term]bool{}
		for _, t := range p.shapes {
			t.close(seen)
		}
		for _, t := range p.refs {
			t.close(seen)
		}
		p.automata(m.Axioms)
		return p
	}).(*plan)
}

// check plans an expression, and what it is the closure of: both have the same circles.
func (p *plan) check(a cat.Axiom) {
	for _, expr := range []cat.Expr{a.Expr, unclosed(a.Expr)} {
		if p.checks[expr] != nil {
			continue
		}
		c := &check{term: p.term(expr)}
		p.checks[expr] = c
		c.factors = p.factors(expr, nil, true)
		for i := range c.factors {
			c.circles = append(c.circles, p.sequence(append(slices.Clone(c.factors[i:]), c.factors[:i]...)))
		}
		p.tally(c, expr)
	}
}

func unclosed(e cat.Expr) cat.Expr {
	for {
		u, ok := e.(cat.Unary)
		if !ok || u.Op != cat.Plus {
			return e
		}
		e = u.X
	}
}

// tally notes the members of a union.
func (p *plan) tally(c *check, e cat.Expr) {
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
	c.members = append(c.members, tallied{p.term(e), e, kind})
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

// share gives the term of a shape.
func (p *plan) share(s shape) *term {
	t := p.shapes[s]
	if t == nil {
		t = &term{shape: s, id: p.terms}
		p.terms++
		p.shapes[s] = t
	}
	return t
}

func (p *plan) base(name string, set bool) *term {
	return p.share(shape{kind: baseTerm, name: name, set: set})
}

func (p *plan) nothing(set bool) *term { return p.share(shape{kind: nothingTerm, set: set}) }

// term gives an expression's term. Sequences begin at the left.
func (p *plan) term(e cat.Expr) *term {
	switch e := e.(type) {
	case cat.Base:
		return p.base(e.Name, e.Kind == cat.Set)
	case cat.Nothing:
		return p.nothing(false)
	case cat.Ref:
		return p.ref(e.Def)
	case cat.Chosen:
		return p.share(shape{kind: chosenTerm, order: e.Order})
	case cat.Unary:
		x := p.term(e.X)
		return p.share(shape{kind: unaryTerm, unary: e.Op, x: x, set: e.Op == cat.Domain || e.Op == cat.Range || e.Op == cat.Complement && x.set})
	case cat.Binary:
		if e.Op == cat.Seq {
			return p.sequence(p.factors(e, nil, false))
		}
		return p.join(e.Op, p.term(e.X), p.term(e.Y))
	}
	panic("BUG: unknown expression")
}

// ref is the term of a definition.
func (p *plan) ref(d *cat.Def) *term {
	t := p.refs[d]
	if t == nil {
		t = &term{shape: shape{kind: refTerm, def: d, set: d.Kind == cat.Set}, id: p.terms}
		p.terms++
		p.refs[d] = t
		t.x = p.term(d.Body)
		for _, g := range d.Group {
			t.group = append(t.group, p.ref(g))
		}
	}
	return t
}

// join is what an operator makes of two terms, of which one that is nothing takes the other's shape.
func (p *plan) join(op cat.BinaryOp, x, y *term) *term {
	switch empty := x.kind == nothingTerm; {
	case op == cat.Cartesian, op == cat.Seq:
	case empty && op == cat.Union:
		return y
	case empty:
		return p.nothing(y.set)
	case y.kind == nothingTerm && op == cat.Inter:
		return p.nothing(x.set)
	case y.kind == nothingTerm:
		return x
	}
	return p.share(shape{kind: binaryTerm, op: op, x: x, y: y, set: x.set && op != cat.Cartesian})
}

// factors appends the terms that an expression is a sequence of; named: those of a definition in its place.
func (p *plan) factors(e cat.Expr, out []*term, named bool) []*term {
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

func (p *plan) sequence(factors []*term) *term {
	t := factors[0]
	for _, f := range factors[1:] {
		t = p.join(cat.Seq, t, f)
	}
	return t
}

// close finds whether a term rests on a closure or on a recursive definition.
func (t *term) close(seen map[*term]bool) bool {
	if t == nil {
		return false
	}
	if !seen[t] {
		seen[t] = true
		t.closes = t.group != nil || t.kind == unaryTerm && (t.unary == cat.Plus || t.unary == cat.Star)
		if x, y := t.x.close(seen), t.y.close(seen); x || y {
			t.closes = true
		}
	}
	return t.closes
}

// closure takes a term for a closure, be it by name; nil if it is none.
func (t *term) closure() *term {
	for t.kind == refTerm && t.def.Group == nil {
		t = t.x
	}
	if t.kind == unaryTerm && (t.unary == cat.Star || t.unary == cat.Plus) {
		return t
	}
	return nil
}

// restsOn tells whether a term mentions one of others, be it by definitions.
func (t *term) restsOn(others []*term, seen map[*term]bool) bool {
	if t == nil {
		return false
	}
	rests, ok := seen[t]
	if !ok {
		seen[t] = false
		rests = slices.Contains(others, t) || t.x.restsOn(others, seen) || t.y.restsOn(others, seen)
		seen[t] = rests
	}
	return rests
}
