package models

import (
	"fmt"
	"math/bits"
	"slices"

	"litmuscope/models/cat"
)

// plan is what a checker computes for a model: each expression that its axioms and flags are made of, once, operands before what is
// made of them. It is made once for a model, and all its checkers go by it.
type plan struct {
	terms  []term
	groups []group
	axioms []int32   // the term of each
	flags  [][]int32 // by flag, that of each check
	place  []places  // by term
	size   places    // of all of them
}

// places are how many sets and relations there are.
type places struct{ sets, relations int32 }

// term is an expression over the values of other terms.
type term struct {
	op    termKind
	set   bool  // its value is a set, and no relation
	rests uint8 // the changing relations that it rests on
	x, y  int32
	name  string     // of a base set or relation
	order *cat.Order // one that is chosen
	group int32      // a member's
}

// group is a recursive one.
type group struct {
	members, bodies []int32
	rest            []int32 // the terms that rest on members, behind which they are computed anew
}

type termKind uint8

const (
	baseTerm termKind = iota
	emptyTerm
	chosenTerm
	memberTerm
	inverseTerm
	closureTerm
	complementTerm
	identityTerm
	differingTerm
	domainTerm
	rangeTerm
	unionTerm
	interTerm
	diffTerm
	seqTerm
	cartesianTerm
	fromTerm // [S]; r
	toTerm   // r; [S]
)

// none is no term: the empty set or relation, whichever is wanted.
const none int32 = -1

// planner makes a plan.
type planner struct {
	*plan
	known map[term]int32
	defs  map[*cat.Def]int32
}

func newPlan(m *cat.Model) *plan {
	p := &planner{plan: &plan{}, known: map[term]int32{}, defs: map[*cat.Def]int32{}}
	for _, a := range m.Axioms {
		p.axioms = append(p.axioms, p.root(a))
	}
	for _, f := range m.Flags {
		var checks []int32
		for _, a := range f.Checks {
			checks = append(checks, p.root(a))
		}
		p.flags = append(p.flags, checks)
	}
	for _, s := range p.terms {
		p.place = append(p.place, p.size)
		if s.set {
			p.size.sets++
		} else {
			p.size.relations++
		}
	}
	return p.plan
}

func (p *planner) root(a cat.Axiom) int32 {
	i := p.expr(a.Expr)
	if i == none {
		i = p.add(term{op: emptyTerm})
	}
	return i
}

// add gives the place of a term, which is there once.
func (p *planner) add(s term) int32 {
	if i, known := p.known[s]; known {
		return i
	}
	i := int32(len(p.terms))
	p.known[s] = i
	for _, of := range s.operands() {
		s.rests |= p.terms[of].rests
	}
	p.terms = append(p.terms, s)
	return i
}

// operands are the terms that one is made of.
func (s term) operands() []int32 {
	switch {
	case s.op <= memberTerm:
		return nil
	case s.op < unionTerm:
		return []int32{s.x}
	}
	return []int32{s.x, s.y}
}

func (p *planner) expr(e cat.Expr) int32 {
	switch e := e.(type) {
	case cat.Base:
		i := p.add(term{op: baseTerm, set: e.Kind == cat.Set, name: e.Name})
		p.terms[i].rests = restsOf(e.Name)
		return i
	case cat.Ref:
		return p.def(e.Def)
	case cat.Chosen:
		i := p.add(term{op: chosenTerm, order: e.Order})
		p.terms[i].rests = orderBit
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

func (p *planner) unary(op cat.UnaryOp, x int32) int32 {
	id := func() int32 { return p.expr(identity) }
	if x == none {
		switch op {
		case cat.Star, cat.Optional:
			return id()
		case cat.Complement:
			x = p.add(term{op: emptyTerm})
		default:
			return none
		}
	}
	switch op {
	case cat.Inverse:
		return p.add(term{op: inverseTerm, x: x})
	case cat.Plus:
		return p.add(term{op: closureTerm, x: x})
	case cat.Star:
		return p.binary(cat.Union, p.add(term{op: closureTerm, x: x}), id())
	case cat.Optional:
		return p.binary(cat.Union, x, id())
	case cat.Complement:
		return p.add(term{op: complementTerm, x: x, set: p.terms[x].set})
	case cat.Identity:
		return p.add(term{op: identityTerm, x: x})
	case cat.Domain:
		return p.add(term{op: domainTerm, x: x, set: true})
	case cat.Range:
		return p.add(term{op: rangeTerm, x: x, set: true})
	case cat.Differing:
		i := p.add(term{op: differingTerm, x: x})
		p.terms[i].rests |= valueBit
		return i
	}
	panic("BUG: unknown operator")
}

func (p *planner) binary(op cat.BinaryOp, x, y int32) int32 {
	switch {
	case x == none && op == cat.Union:
		return y
	case y == none && (op == cat.Union || op == cat.Diff):
		return x
	case x == none || y == none:
		return none
	}
	s := term{x: x, y: y}
	switch op {
	case cat.Union, cat.Inter, cat.Diff:
		s.op, s.set = map[cat.BinaryOp]termKind{cat.Union: unionTerm, cat.Inter: interTerm, cat.Diff: diffTerm}[op], p.terms[x].set
	case cat.Seq:
		switch {
		case p.terms[x].op == identityTerm:
			s = term{op: fromTerm, x: p.terms[x].x, y: y}
		case p.terms[y].op == identityTerm:
			s = term{op: toTerm, x: x, y: p.terms[y].x}
		default:
			s.op = seqTerm
		}
	case cat.Cartesian:
		s.op = cartesianTerm
	default:
		panic("BUG: unknown operator")
	}
	return p.add(s)
}

func (p *planner) def(d *cat.Def) int32 {
	if i, known := p.defs[d]; known {
		return i
	}
	if d.Group == nil {
		i := p.expr(d.Body)
		p.defs[d] = i
		return i
	}
	var g group
	at := int32(len(p.groups))
	p.groups = append(p.groups, g)
	first := len(p.terms)
	for k, def := range d.Group {
		i := p.add(term{op: memberTerm, set: def.Kind == cat.Set, group: at, x: int32(k)})
		p.defs[def] = i
		g.members = append(g.members, i)
	}
	var rests uint8
	for k, def := range d.Group {
		i := p.expr(def.Body)
		if i == none {
			i = p.add(term{op: emptyTerm, set: p.terms[g.members[k]].set})
		}
		g.bodies = append(g.bodies, i)
		rests |= p.terms[i].rests
	}
	on := map[int32]bool{}
	for i := first; i < len(p.terms); i++ { // what any of them rests on counts for all
		switch {
		case slices.Contains(g.members, int32(i)):
			on[int32(i)] = true
			p.terms[i].rests = rests
		case slices.ContainsFunc(p.terms[i].operands(), func(x int32) bool { return on[x] }):
			on[int32(i)] = true
			p.terms[i].rests |= rests
			g.rest = append(g.rest, int32(i))
		}
	}
	p.groups[at] = g
	return p.defs[d]
}

// planned are the values of a plan's terms for an execution.
type planned struct {
	*plan
	n, words int
	bits     []uint64
	valid    []bool
}

// begin makes room for the values for executions of so many events, none of which is known.
func (v *planned) begin(n int) {
	v.n, v.words = n, (n+63)/64
	size := (int(v.size.sets) + int(v.size.relations)*n) * v.words
	if cap(v.bits) < size {
		v.bits = make([]uint64, size)
	}
	v.bits = v.bits[:size]
	if v.valid == nil {
		v.valid = make([]bool, len(v.terms))
	}
	clear(v.valid)
}

// forget is of what rests on some of the changing relations.
func (v *planned) forget(changed uint8) {
	for i := range v.terms {
		if v.terms[i].rests&changed != 0 {
			v.valid[i] = false
		}
	}
}

// of is where a term's value is.
func (v *planned) of(i int32) []uint64 {
	at := (int(v.place[i].sets) + int(v.place[i].relations)*v.n) * v.words
	rows := v.n
	if v.terms[i].set {
		rows = 1
	}
	return v.bits[at : at+rows*v.words : at+rows*v.words]
}

// value computes a term, if it is not known.
func (v *planned) value(e *evaluator, i int32) []uint64 {
	if !v.valid[i] {
		s := &v.terms[i]
		if s.op == memberTerm {
			v.solve(e, &v.groups[s.group])
		} else {
			v.compute(e, s, v.of(i))
			v.valid[i] = true
		}
	}
	return v.of(i)
}

// solve computes a group: from nothing, round by round, until none changes, which is the least fixed point, if more of one never
// means less of another.
func (v *planned) solve(e *evaluator, g *group) {
	anew := func() {
		for _, i := range g.rest {
			v.valid[i] = false
		}
	}
	for _, i := range g.members {
		clear(v.of(i))
		v.valid[i] = true
	}
	anew()
	for changed := true; changed; {
		changed = false
		for k, i := range g.members {
			if next, now := v.value(e, g.bodies[k]), v.of(i); !slices.Equal(next, now) {
				copy(now, next)
				anew()
				changed = true
			}
		}
	}
}

func (v *planned) compute(e *evaluator, s *term, out []uint64) {
	n, words := v.n, v.words
	switch s.op {
	case baseTerm:
		copy(out, e.compute(s.name).bits)
		return
	case emptyTerm:
		clear(out)
		return
	case chosenTerm:
		copy(out, e.chosen(s.order).bits)
		return
	}
	x := v.value(e, s.x)
	if words == 1 && v.narrow(s, x, out, e) {
		return
	}
	row := func(a int) []uint64 { return out[a*words : (a+1)*words] }
	var y []uint64
	if s.op >= unionTerm {
		y = v.value(e, s.y)
	}
	switch s.op {
	case inverseTerm:
		clear(out)
		for a := range n {
			for i, w := range x[a*words : (a+1)*words] {
				for ; w != 0; w &= w - 1 {
					out[(i*64+bits.TrailingZeros64(w))*words+a/64] |= 1 << (a % 64)
				}
			}
		}
	case closureTerm: // Warshall
		copy(out, x)
		for k := range n {
			from, word, bit := row(k), k/64, uint64(1)<<(k%64)
			for a := range n {
				if to := row(a); to[word]&bit != 0 {
					for i, w := range from {
						to[i] |= w
					}
				}
			}
		}
	case complementTerm:
		for i, w := range x {
			out[i] = ^w
		}
		if last := n % 64; last != 0 { // there are no more events
			for i := words - 1; i < len(out); i += words {
				out[i] &= 1<<last - 1
			}
		}
	case identityTerm:
		clear(out)
		for i, w := range x {
			for ; w != 0; w &= w - 1 {
				a := i*64 + bits.TrailingZeros64(w)
				out[a*words+i] |= w & -w
			}
		}
	case differingTerm:
		clear(out)
		for a := range n {
			for i, w := range x[a*words : (a+1)*words] {
				for ; w != 0; w &= w - 1 {
					if p, q := &e.x.Events[a], &e.x.Events[i*64+bits.TrailingZeros64(w)]; p.Kind != Fence && q.Kind != Fence && p.Value != q.Value {
						out[a*words+i] |= w & -w
					}
				}
			}
		}
	case domainTerm:
		clear(out)
		for a := range n {
			for _, w := range x[a*words : (a+1)*words] {
				if w != 0 {
					out[a/64] |= 1 << (a % 64)
				}
			}
		}
	case rangeTerm:
		clear(out)
		for a := range n {
			for i, w := range x[a*words : (a+1)*words] {
				out[i] |= w
			}
		}
	case unionTerm:
		for i, w := range x {
			out[i] = w | y[i]
		}
	case interTerm:
		for i, w := range x {
			out[i] = w & y[i]
		}
	case diffTerm:
		for i, w := range x {
			out[i] = w &^ y[i]
		}
	case seqTerm:
		clear(out)
		for a := range n {
			to := row(a)
			for k, w := range x[a*words : (a+1)*words] {
				for ; w != 0; w &= w - 1 {
					b := k*64 + bits.TrailingZeros64(w)
					for i, l := range y[b*words : (b+1)*words] {
						to[i] |= l
					}
				}
			}
		}
	case cartesianTerm, fromTerm:
		for a := range n {
			switch to := row(a); {
			case x[a/64]>>(a%64)&1 == 0:
				clear(to)
			case s.op == cartesianTerm:
				copy(to, y)
			default:
				copy(to, y[a*words:(a+1)*words])
			}
		}
	case toTerm:
		for a := range n {
			for i, w := range x[a*words : (a+1)*words] {
				out[a*words+i] = w & y[i]
			}
		}
	}
}

// narrow is compute for relations of no more than 64 events, which are a word a row, as far as it pays: most are.
func (v *planned) narrow(s *term, x, out []uint64, e *evaluator) bool {
	switch s.op {
	case inverseTerm:
		clear(out)
		for a, w := range x {
			for ; w != 0; w &= w - 1 {
				out[bits.TrailingZeros64(w)] |= 1 << a
			}
		}
	case closureTerm:
		copy(out, x)
		for k := range out {
			if out[k] == 0 {
				continue
			}
			for a, w := range out {
				if w>>k&1 != 0 {
					out[a] = w | out[k]
				}
			}
		}
	case domainTerm:
		out[0] = 0
		for a, w := range x {
			if w != 0 {
				out[0] |= 1 << a
			}
		}
	case rangeTerm:
		out[0] = 0
		for _, w := range x {
			out[0] |= w
		}
	case seqTerm:
		y := v.value(e, s.y)
		for a, w := range x {
			to := uint64(0)
			for ; w != 0; w &= w - 1 {
				to |= y[bits.TrailingZeros64(w)]
			}
			out[a] = to
		}
	case fromTerm:
		for a, w := range v.value(e, s.y) {
			out[a] = w & -(x[0] >> a & 1)
		}
	case toTerm:
		y := v.value(e, s.y)[0]
		for a, w := range x {
			out[a] = w & y
		}
	default:
		return false
	}
	return true
}
