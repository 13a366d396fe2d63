// Package plan turns a model in the cat language into the list of the expressions that a checker computes for it: each
// subexpression of its axioms and flags once, operands before the expressions with them. So it computes a shared
// expression once for an execution, and nothing again that the next execution leaves unchanged ([Changing]).
//
// Package check evaluates plans. This package imports models/cat alone.
package plan

import (
	"fmt"
	"slices"

	"litmuscope/models/cat"
)

// Plan is what checkers compute for a model. It is made once for each model.
type Plan struct {
	Terms  []Term
	Groups []Group
	Axioms []int32   // the term of each
	Flags  [][]int32 // by flag, that of each check
	Place  []Places  // by term
	Size   Places    // of all of them
}

// Places are numbers of sets and relations.
type Places struct{ Sets, Relations int32 }

// Term is an expression over the values of other terms.
type Term struct {
	Op    TermKind
	Set   bool  // its value is a set, and no relation
	Rests uint8 // the changing relations that it depends on, as bits
	X, Y  int32
	Name  string     // of a base set or relation
	Order *cat.Order // one that is chosen
	Group int32      // the group of a member
}

// Group is a recursive group.
type Group struct {
	Members, Bodies []int32
	Rest            []int32 // the terms that depend on members, after which they are recomputed
}

// TermKind is the operation that computes a term's value from those of X and Y.
type TermKind uint8

// The kinds of terms: those up to Member have no operands, those before Union have one.
const (
	Base TermKind = iota
	Empty
	Chosen
	Member
	Inverse
	Closure
	Complement
	Identity
	Differing
	Domain
	Range
	Union
	Inter
	Diff
	Seq
	Cartesian
	From // [S]; r
	To   // r; [S]
)

// none stands for the empty set or relation, whichever fits.
const none int32 = -1

// planner makes a plan from a model's definitions.
type planner struct {
	*Plan
	known map[Term]int32
	defs  map[*cat.Def]int32
}

// New returns the plan of a model.
func New(m *cat.Model) *Plan {
	p := &planner{Plan: &Plan{}, known: map[Term]int32{}, defs: map[*cat.Def]int32{}}
	for _, a := range m.Axioms {
		p.Axioms = append(p.Axioms, p.root(a))
	}
	for _, f := range m.Flags {
		var checks []int32
		for _, a := range f.Checks {
			checks = append(checks, p.root(a))
		}
		p.Flags = append(p.Flags, checks)
	}
	for _, s := range p.Terms {
		p.Place = append(p.Place, p.Size)
		if s.Set {
			p.Size.Sets++
		} else {
			p.Size.Relations++
		}
	}
	return p.Plan
}

func (p *planner) root(a cat.Axiom) int32 {
	i := p.expr(a.Expr)
	if i == none {
		i = p.add(Term{Op: Empty})
	}
	return i
}

// add returns the index of a term, and adds it unless it exists.
func (p *planner) add(s Term) int32 {
	if i, known := p.known[s]; known {
		return i
	}
	i := int32(len(p.Terms))
	p.known[s] = i
	for _, of := range s.operands() {
		s.Rests |= p.Terms[of].Rests
	}
	p.Terms = append(p.Terms, s)
	return i
}

// operands returns the terms that a term is computed from.
func (s Term) operands() []int32 {
	switch {
	case s.Op <= Member:
		return nil
	case s.Op < Union:
		return []int32{s.X}
	}
	return []int32{s.X, s.Y}
}

func (p *planner) expr(e cat.Expr) int32 {
	switch e := e.(type) {
	case cat.Base:
		i := p.add(Term{Op: Base, Set: e.Kind == cat.Set, Name: e.Name})
		p.Terms[i].Rests = RestsOf(e.Name)
		return i
	case cat.Ref:
		return p.def(e.Def)
	case cat.Chosen:
		i := p.add(Term{Op: Chosen, Order: e.Order})
		p.Terms[i].Rests = OrderBit
		return i
	case cat.Unary:
		return p.unary(e.Op, p.expr(e.X))
	case cat.Binary:
		return p.binary(e.Op, p.expr(e.X), p.expr(e.Y))
	case cat.Nothing:
		return none
	}
	panic(fmt.Sprintf("BUG: unknown expression %T", e))
}

// unary returns the term for an operator applied to x. The empty operand is worked out at once; domain and range give
// sets.
func (p *planner) unary(op cat.UnaryOp, x int32) int32 {
	id := func() int32 { return p.expr(ID) }
	if x == none {
		switch op {
		case cat.Star, cat.Optional:
			return id()
		case cat.Complement:
			x = p.add(Term{Op: Empty})
		default:
			return none
		}
	}
	switch op {
	case cat.Inverse:
		return p.add(Term{Op: Inverse, X: x})
	case cat.Plus:
		return p.add(Term{Op: Closure, X: x})
	case cat.Star:
		return p.binary(cat.Union, p.add(Term{Op: Closure, X: x}), id())
	case cat.Optional:
		return p.binary(cat.Union, x, id())
	case cat.Complement:
		return p.add(Term{Op: Complement, X: x, Set: p.Terms[x].Set})
	case cat.Identity:
		return p.add(Term{Op: Identity, X: x})
	case cat.Domain:
		return p.add(Term{Op: Domain, X: x, Set: true})
	case cat.Range:
		return p.add(Term{Op: Range, X: x, Set: true})
	case cat.Differing:
		i := p.add(Term{Op: Differing, X: x})
		p.Terms[i].Rests |= ValueBit
		return i
	}
	panic("BUG: unknown operator")
}

// binary returns the term for an operator applied to x and y. It works out empty operands at once, and uses From and To
// for sequences with an identity on a set.
func (p *planner) binary(op cat.BinaryOp, x, y int32) int32 {
	switch {
	case x == none && op == cat.Union:
		return y
	case y == none && (op == cat.Union || op == cat.Diff):
		return x
	case x == none || y == none:
		return none
	}
	s := Term{X: x, Y: y}
	switch op {
	case cat.Union, cat.Inter, cat.Diff:
		s.Op, s.Set = map[cat.BinaryOp]TermKind{cat.Union: Union, cat.Inter: Inter, cat.Diff: Diff}[op], p.Terms[x].Set
	case cat.Seq:
		switch {
		case p.Terms[x].Op == Identity:
			s = Term{Op: From, X: p.Terms[x].X, Y: y}
		case p.Terms[y].Op == Identity:
			s = Term{Op: To, X: x, Y: p.Terms[y].X}
		default:
			s.Op = Seq
		}
	case cat.Cartesian:
		s.Op = Cartesian
	default:
		panic("BUG: unknown operator")
	}
	return p.add(s)
}

// def returns the term of a definition. For a recursive one it adds the members of its group first, then their bodies,
// and records in the group which terms depend on the members.
func (p *planner) def(d *cat.Def) int32 {
	if i, known := p.defs[d]; known {
		return i
	}
	if d.Group == nil {
		i := p.expr(d.Body)
		p.defs[d] = i
		return i
	}
	var g Group
	at := int32(len(p.Groups))
	p.Groups = append(p.Groups, g)
	first := len(p.Terms)
	for k, def := range d.Group {
		i := p.add(Term{Op: Member, Set: def.Kind == cat.Set, Group: at, X: int32(k)})
		p.defs[def] = i
		g.Members = append(g.Members, i)
	}
	var rests uint8
	for k, def := range d.Group {
		i := p.expr(def.Body)
		if i == none {
			i = p.add(Term{Op: Empty, Set: p.Terms[g.Members[k]].Set})
		}
		g.Bodies = append(g.Bodies, i)
		rests |= p.Terms[i].Rests
	}
	on := map[int32]bool{}
	for i := first; i < len(p.Terms); i++ { // a relation that one member depends on counts for all
		switch {
		case slices.Contains(g.Members, int32(i)):
			on[int32(i)] = true
			p.Terms[i].Rests = rests
		case slices.ContainsFunc(p.Terms[i].operands(), func(x int32) bool { return on[x] }):
			on[int32(i)] = true
			p.Terms[i].Rests |= rests
			g.Rest = append(g.Rest, int32(i))
		}
	}
	p.Groups[at] = g
	return p.defs[d]
}

// ID is the identity, which closures and optional relations are made of.
var ID = cat.Base{Name: "id", Kind: cat.Relation}

// Changing are the base relations that may differ between executions with the same events. The index of each is its
// bit; the next bit is for the values of events.
var Changing = []string{"rf", "co", "addr", "data", "ctrl", "rmw"}

// RestsOf returns the changing relations that a base set or relation depends on, as bits.
const (
	COBit    = 1 << 1
	ValueBit = 1 << 6
	OrderBit = 1 << 7
)

// RestsOf says which of the changing relations a base set or relation rests on.
func RestsOf(base string) uint8 {
	if i := slices.Index(Changing, base); i >= 0 {
		return 1 << i
	}
	if base == "FW" {
		return COBit
	}
	return 0
}
