package models

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
	"litmuscope/models/plan"
)

// Violation is an axiom that an execution breaks.
type Violation struct {
	Axiom string
	Kind  cat.CheckKind
	// Events are, for acyclic, a shortest cycle; for irreflexive, the one event;
	// for empty, a pair. They are nil for a negated axiom.
	Events []int
	// Edges are what Derive adds: a cycle of named edges, or for an empty that is no
	// intersection the way from the pair's first event to its second.
	Edges []Edge
	// Uses are the definitions of the model that the violation comes about by, which Derive
	// adds too, as they stand in its text.
	Uses []*cat.Def

	axiom cat.Axiom
}

func (v Violation) String() string {
	return fmt.Sprintf("%s (%s) at events %v", v.Axiom, v.Kind, v.Events)
}

// Check evaluates every axiom of m on x and names those that x breaks.
func Check(m *Model, x *Execution) []Violation { return NewChecker(m).Check(x) }

// Checker checks executions of one program, one after another, under a model. What
// depends on the events alone is computed once for as long as they stay the same.
type Checker struct {
	model  *Model
	eval   *evaluator
	values planned
	slab   *slab // for eval
}

// NewChecker makes a checker for a model.
func NewChecker(m *Model) *Checker {
	r := rooms.Get().(*room)
	return &Checker{model: m, values: planned{Plan: m.plan(), bits: r.bits}, slab: &r.slab}
}

// Done has other checkers use the room that this one has had, which checks nothing any more.
func (c *Checker) Done() {
	if len(c.values.bits)+len(c.slab.chunk) > manyWords { // it is rare that so many are needed
		return
	}
	c.slab.again()
	rooms.Put(&room{bits: c.values.bits, slab: *c.slab})
	*c = Checker{}
}

// room is what the values of a checker are in.
type room struct {
	bits []uint64
	slab slab
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// manyWords are more than a room has that is kept.
const manyWords = 1 << 18

// Check evaluates every axiom on x and names those that x breaks. Orders that the model
// chooses and x does not give are chosen here, so that x breaks none, if it can be.
func (c *Checker) Check(x *Execution) []Violation { return c.judge(c.complete(x)) }

// judge takes the orders as they are.
func (c *Checker) judge(x *Execution) []Violation {
	c.turnTo(x)
	var out []Violation
	for _, o := range c.model.Orders {
		if !c.eval.orders(o) {
			out = append(out, Violation{Axiom: o.Name, Kind: cat.Acyclic, axiom: cat.Axiom{Negated: true}})
		}
	}
	for i, a := range c.model.Axioms {
		if bad := c.bad(a, c.values.Axioms[i]); (bad != nil) != a.Negated {
			out = append(out, Violation{Axiom: a.Name, Kind: a.Kind, Events: bad, axiom: a})
		}
	}
	if x.Section != nil {
		out = append(out, c.broken(x)...)
	}
	return out
}

// Flags says of each flag of the model, in their order, whether x raises it.
func (c *Checker) Flags(x *Execution) []bool {
	c.turnTo(c.complete(x))
	out := make([]bool, len(c.model.Flags))
	for i, f := range c.model.Flags {
		for k, a := range f.Checks {
			out[i] = out[i] || (c.bad(a, c.values.Flags[i][k]) == nil) != a.Negated
		}
	}
	return out
}

// Causes are what raises flag i of the model in x: the pairs of the relation that is not empty, each
// once whatever its direction, with those of initial writes last; the steps of a cycle; or events
// alone, each as a pair with itself. A flag that is raised because there is nothing has none.
func (c *Checker) Causes(x *Execution, i int) []Pair {
	x = c.complete(x)
	c.turnTo(x)
	var out []Pair
	for k, a := range c.model.Flags[i].Checks {
		if !a.Negated {
			continue
		}
		if a.Kind == cat.Empty {
			pairs := c.eval.eval(a.Expr).members()
			for i, p := range pairs {
				pairs[i] = Pair{min(p[0], p[1]), max(p[0], p[1])}
			}
			slices.SortFunc(pairs, func(p, q Pair) int {
				return cmp.Or(cmp.Compare(x.initial(p), x.initial(q)), cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]))
			})
			for _, p := range pairs {
				if !slices.Contains(out, p) {
					out = append(out, p)
				}
			}
		} else if bad := c.bad(a, c.values.Flags[i][k]); bad != nil {
			for k, e := range bad {
				out = append(out, Pair{e, bad[(k+1)%len(bad)]})
			}
		}
	}
	return out
}

// initial counts the initial writes of a pair.
func (x *Execution) initial(p Pair) int {
	n := 0
	for _, e := range p {
		if x.Events[e].Thread == InitThread {
			n++
		}
	}
	return n
}

func (c *Checker) turnTo(x *Execution) {
	if c.eval != nil {
		if c.eval.x == x && c.eval.n == len(x.Events) { // as where flags are asked for once axioms hold
			return
		}
		if changed, ok := c.eval.reuse(x); ok {
			c.values.forget(changed)
			return
		}
	}
	c.eval = newEvaluator(x)
	c.eval.slab = c.slab
	c.values.begin(len(x.Events))
}

// bad are the events that keep the relation of an axiom, a term of the plan, from being acyclic, irreflexive or empty, or nil.
func (c *Checker) bad(a cat.Axiom, at int32) []int {
	r := relation{c.values.n, c.values.words, c.values.value(c.eval, at), c.eval.slab}
	switch a.Kind {
	case cat.Acyclic:
		if !r.acyclic() {
			return r.cycle()
		}
	case cat.Irreflexive:
		for i := range r.n {
			if r.has(i, i) {
				return []int{i}
			}
		}
	case cat.Empty:
		return firstPair(r)
	}
	return nil
}

func firstPair(r relation) []int {
	isSet := len(r.bits) == r.words
	for i, w := range r.bits {
		for b := 0; w != 0; w, b = w>>1, b+1 {
			if w&1 == 1 && isSet {
				return []int{i*64 + b}
			} else if w&1 == 1 {
				return []int{i / r.words, i%r.words*64 + b}
			}
		}
	}
	return nil
}

// WellFormed checks what every execution must satisfy, whatever the model: each
// read takes its value from one write to its location, and co orders the writes of
// each location, the initial one first.
func (x *Execution) WellFormed() error {
	placed := make([]bool, len(x.Events))
	for loc, order := range x.CO {
		for i, w := range order {
			e := x.Events[w]
			if e.Kind != Write || e.Loc != loc || placed[w] || (e.Thread == InitThread) != (i == 0) {
				return fmt.Errorf("event %d is out of place in the coherence order of %s", w, x.Program.Locs[loc].Name)
			}
			placed[w] = true
		}
	}
	for _, e := range x.Events {
		switch e.Kind {
		case Write:
			if !placed[e.ID] {
				return fmt.Errorf("write %d is not in the coherence order", e.ID)
			}
		case Read:
			w := x.RF[e.ID]
			if w < 0 || x.Events[w].Kind != Write || x.Events[w].Loc != e.Loc || x.Events[w].Value != e.Value {
				return fmt.Errorf("read %d does not take its value from event %d", e.ID, w)
			}
		}
	}
	return nil
}

// evaluator computes cat expressions on one execution.
type evaluator struct {
	x    *Execution
	n    int
	base map[string]relation
	defs map[*cat.Def]relation
	slab *slab
	// rests says, for each definition, which of the changing relations it rests on,
	// by bits; live are the definitions in defs that rest on any.
	rests map[*cat.Def]uint8
	live  []*cat.Def
}

func newEvaluator(x *Execution) *evaluator {
	return &evaluator{
		x: x, n: len(x.Events), base: map[string]relation{}, defs: map[*cat.Def]relation{}, rests: map[*cat.Def]uint8{}, slab: &slab{},
	}
}

// reuse turns the evaluator to another execution, if its events are of the same
// threads, kinds, locations and tags, and forgets what differs all the same, which it gives by bits.
func (e *evaluator) reuse(x *Execution) (changed uint8, ok bool) {
	if len(x.Events) != e.n {
		return 0, false
	}
	for i := range x.Events {
		a, b := &x.Events[i], &e.x.Events[i]
		if a.Thread != b.Thread || a.Step != b.Step || a.Kind != b.Kind || a.Loc != b.Loc || a.Piece != b.Piece || a.Half != b.Half {
			return 0, false
		}
	}
	old := e.x
	e.x = x
	for i, same := range []bool{
		slices.Equal(old.RF, x.RF), slices.EqualFunc(old.CO, x.CO, slices.Equal),
		slices.Equal(old.Addr, x.Addr), slices.Equal(old.Data, x.Data),
		slices.Equal(old.Ctrl, x.Ctrl), slices.Equal(old.RMW, x.RMW),
	} {
		if !same {
			changed |= 1 << i
			delete(e.base, plan.Changing[i])
		}
	}
	if changed&plan.COBit != 0 {
		delete(e.base, "FW")
	}
	if !slices.EqualFunc(old.Events, x.Events, func(a, b Event) bool { return a.Value == b.Value }) {
		changed |= plan.ValueBit
	}
	if !maps.EqualFunc(old.Orders, x.Orders, slices.Equal) {
		changed |= plan.OrderBit
	}
	kept := e.live[:0]
	for _, d := range e.live {
		if e.restsOn(d)&changed != 0 {
			delete(e.defs, d)
		} else {
			kept = append(kept, d)
		}
	}
	e.live = kept
	return changed, true
}

// restsOn says which of the changing relations a definition rests on.
func (e *evaluator) restsOn(d *cat.Def) uint8 {
	if bits, known := e.rests[d]; known {
		return bits
	}
	if d.Group == nil {
		e.rests[d] = e.mentions(d.Body)
		return e.rests[d]
	}
	for _, g := range d.Group { // what any of them mentions counts for all
		e.rests[g] = 0
	}
	var bits uint8
	for _, g := range d.Group {
		bits |= e.mentions(g.Body)
	}
	for _, g := range d.Group {
		e.rests[g] = bits
	}
	return bits
}

func (e *evaluator) mentions(expr cat.Expr) uint8 {
	switch expr := expr.(type) {
	case cat.Base:
		return plan.RestsOf(expr.Name)
	case cat.Ref:
		return e.restsOn(expr.Def)
	case cat.Chosen:
		return plan.OrderBit
	case cat.Unary:
		if expr.Op == cat.Differing {
			return e.mentions(expr.X) | plan.ValueBit
		}
		return e.mentions(expr.X)
	case cat.Binary:
		return e.mentions(expr.X) | e.mentions(expr.Y)
	}
	return 0
}

// keep files the value of a definition.
func (e *evaluator) keep(d *cat.Def, r relation) {
	if _, known := e.defs[d]; !known && e.restsOn(d) != 0 {
		e.live = append(e.live, d)
	}
	e.defs[d] = r
}

func (e *evaluator) set(in func(*Event) bool) relation {
	s := e.slab.set(e.n)
	for i := range e.x.Events {
		if in(&e.x.Events[i]) {
			s.add(0, i)
		}
	}
	return s
}

func (e *evaluator) pairs(in func(a, b *Event) bool) relation {
	r := e.slab.relation(e.n)
	events := e.x.Events
	for i := range events {
		for j := range events {
			if in(&events[i], &events[j]) {
				r.add(i, j)
			}
		}
	}
	return r
}

func (e *evaluator) listed(pairs []Pair) relation {
	r := e.slab.relation(e.n)
	for _, p := range pairs {
		r.add(p[0], p[1])
	}
	return r
}

func sameThread(a, b *Event) bool { return a.Thread == b.Thread && a.Thread != InitThread }

// compute gives a base set or relation.
func (e *evaluator) compute(name string) relation {
	x := e.x
	switch name {
	case "_":
		return e.set(func(*Event) bool { return true })
	case "R":
		return e.set(func(v *Event) bool { return v.Kind == Read })
	case "W":
		return e.set(func(v *Event) bool { return v.Kind == Write })
	case "M":
		return e.set(func(v *Event) bool { return v.Kind != Fence })
	case "F":
		return e.set(func(v *Event) bool { return v.Kind == Fence })
	case "IW":
		return e.set(func(v *Event) bool { return v.Thread == InitThread })
	case "FW":
		return e.finalWrites()
	case "po":
		return e.programOrder()
	case "int":
		return e.pairs(sameThread)
	case "ext":
		return e.pairs(func(a, b *Event) bool { return a.ID != b.ID && !sameThread(a, b) })
	case "id":
		return e.pairs(func(a, b *Event) bool { return a.ID == b.ID })
	case "sm":
		return e.pairs(func(a, b *Event) bool { return a.access() == b.access() && a.Half == b.Half })
	case "loc":
		return e.pairs(func(a, b *Event) bool { return a.Loc >= 0 && a.Loc == b.Loc })
	case "rf":
		r := e.slab.relation(e.n)
		for read, w := range x.RF {
			if w >= 0 {
				r.add(w, read)
			}
		}
		return r
	case "co":
		r := e.slab.relation(e.n)
		for _, order := range x.CO {
			for i, a := range order {
				for _, b := range order[i+1:] {
					r.add(a, b)
				}
			}
		}
		return r
	case "addr":
		return e.listed(x.Addr)
	case "data":
		return e.listed(x.Data)
	case "ctrl":
		return e.listed(x.Ctrl)
	case "rmw":
		return e.listed(x.RMW)
	}
	return e.set(func(v *Event) bool { return v.Tags.Has(ir.Tag(name)) })
}

// programOrder is that of each thread, and what Spawns and Joins make of them.
func (e *evaluator) programOrder() relation {
	po := e.pairs(func(a, b *Event) bool { return sameThread(a, b) && a.access() < b.access() })
	if len(e.x.Spawns)+len(e.x.Joins) == 0 {
		return po
	}
	across := e.listed(e.x.Spawns).union(e.listed(e.x.Joins))
	if e.x.Program != nil && e.x.Program.Split { // each is from or to one piece of an access, and orders all of them
		same := e.compute("sm")
		across = same.then(across).then(same)
	}
	return po.union(across).closure()
}

// finalWrites are the last writes to the locations that the test asks about.
func (e *evaluator) finalWrites() relation {
	s := e.slab.set(e.n)
	if e.x.Program == nil {
		return s
	}
	for _, o := range e.x.Program.Observed {
		if o.Thread < 0 {
			pieces, _ := e.x.Program.Pieces(o.Index, o.Bits)
			for _, q := range pieces {
				order := e.x.CO[q.Loc]
				s.add(0, order[len(order)-1])
			}
		}
	}
	return s
}

func (e *evaluator) eval(expr cat.Expr) relation {
	switch expr := expr.(type) {
	case cat.Base:
		r, ok := e.base[expr.Name]
		if !ok {
			r = e.compute(expr.Name)
			e.base[expr.Name] = r
		}
		return r
	case cat.Ref:
		return e.def(expr.Def)
	case cat.Chosen:
		return e.chosen(expr.Order)
	case cat.Unary:
		return e.unary(expr)
	case cat.Binary:
		return e.binary(expr)
	case cat.Nothing:
		return e.slab.relation(e.n)
	}
	panic("BUG: unknown expression")
}

func (e *evaluator) def(d *cat.Def) relation {
	if r, ok := e.defs[d]; ok {
		return r
	}
	if d.Group == nil {
		r := e.eval(d.Body)
		e.keep(d, r)
		return r
	}
	// From nothing, round by round, until none changes: the least fixed point, if more of
	// one never means less of another.
	for _, g := range d.Group {
		e.keep(g, e.nothing(g.Kind))
	}
	for changed := true; changed; {
		changed = false
		for _, g := range d.Group {
			next := e.eval(g.Body)
			if isNothing(g.Body) {
				next = e.nothing(g.Kind)
			}
			if !next.equal(e.defs[g]) {
				e.keep(g, next)
				changed = true
			}
		}
	}
	return e.defs[d]
}

// nothing is the empty set or relation.
func (e *evaluator) nothing(k cat.Kind) relation {
	if k == cat.Set {
		return e.slab.set(e.n)
	}
	return e.slab.relation(e.n)
}

func isNothing(e cat.Expr) bool { _, ok := e.(cat.Nothing); return ok }

func (e *evaluator) unary(u cat.Unary) relation {
	x := e.eval(u.X)
	switch u.Op {
	case cat.Inverse:
		return x.inverse()
	case cat.Plus:
		return x.closure()
	case cat.Star:
		return x.closure().union(e.eval(plan.ID))
	case cat.Optional:
		return x.union(e.eval(plan.ID))
	case cat.Complement:
		out := x.like()
		for a := range len(x.bits) / max(x.words, 1) {
			for b := range e.n {
				if !x.has(a, b) {
					out.add(a, b)
				}
			}
		}
		return out
	case cat.Identity:
		r := e.slab.relation(e.n)
		x.each(0, func(a int) { r.add(a, a) })
		return r
	case cat.Differing:
		r := e.slab.relation(e.n)
		for _, p := range x.list() {
			a, b := &e.x.Events[p[0]], &e.x.Events[p[1]]
			if a.Kind != Fence && b.Kind != Fence && a.Value != b.Value {
				r.add(p[0], p[1])
			}
		}
		return r
	case cat.Domain:
		x = x.inverse()
		fallthrough
	case cat.Range:
		s := e.slab.set(e.n)
		for a := range e.n {
			for i, w := range x.row(a) {
				s.bits[i] |= w
			}
		}
		return s
	}
	panic("BUG: unknown operator")
}

func (e *evaluator) binary(b cat.Binary) relation {
	x, y := e.operands(b.X, b.Y)
	switch b.Op {
	case cat.Union:
		return x.union(y)
	case cat.Inter:
		return x.inter(y)
	case cat.Diff:
		return x.minus(y)
	case cat.Seq:
		return x.then(y)
	case cat.Cartesian:
		r := e.slab.relation(e.n)
		x.each(0, func(a int) { copy(r.row(a), y.bits) })
		return r
	}
	panic("BUG: unknown operator")
}

// operands evaluates both sides; the empty set or relation takes the other's shape.
func (e *evaluator) operands(a, b cat.Expr) (x, y relation) {
	_, nothingA := a.(cat.Nothing)
	_, nothingB := b.(cat.Nothing)
	switch {
	case nothingA && nothingB:
		return e.slab.relation(e.n), e.slab.relation(e.n)
	case nothingA:
		y = e.eval(b)
		return y.like(), y
	case nothingB:
		x = e.eval(a)
		return x, x.like()
	}
	return e.eval(a), e.eval(b)
}
