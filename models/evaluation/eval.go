package evaluation

import (
	"maps"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/plan"
	"litmuscope/models/relation"
)

// Evaluator computes cat expressions on one execution, in the order of their syntax tree. It caches the value of each
// definition.
//
// A relation over n events is a matrix of n² bits in rows of words, a set is one row. Unions, intersections and
// differences are loops over words; a sequence combines rows, in at most n^3/64 steps, and a transitive closure is
// Warshall's algorithm with rows, in the same time. Executions of litmus tests have a few dozen events, so these are
// small numbers and no operator needs a sparse form.
//
// Checking uses the other evaluator of this package, which follows the model's plan (planned.go) and shares the base
// relations of this one. This one is for everything that is asked about one expression: the sets of chosen orders,
// relations to draw, and derivations, which need the values of all subexpressions.
//
// A witness search checks executions that differ in little. Those of one program in one run of its threads have the
// same events, and differ in rf, co or the values. So reuse keeps what does not depend on the relations that have
// changed: each definition has a bit for each such relation that it depends on (plan.Changing), closed over the
// definitions that it uses.
type Evaluator struct {
	x    *models.Execution
	n    int
	base map[string]relation.Relation
	defs map[*cat.Def]relation.Relation
	slab *relation.Slab
	// rests has, for each definition, a bit for each of the changing relations that it depends on. live are the
	// definitions in defs that depend on any.
	rests map[*cat.Def]uint8
	live  []*cat.Def
}

// NewEvaluator makes an evaluator for an execution.
func NewEvaluator(x *models.Execution) *Evaluator {
	return &Evaluator{
		x: x, n: len(x.Events), base: map[string]relation.Relation{}, defs: map[*cat.Def]relation.Relation{},
		rests: map[*cat.Def]uint8{}, slab: &relation.Slab{},
	}
}

// reuse switches the evaluator to another execution if its events have the same threads, kinds, locations and tags. It
// drops the values that differ and returns which relations have changed, as bits.
func (e *Evaluator) reuse(x *models.Execution) (changed uint8, ok bool) {
	if len(x.Events) != e.n {
		return 0, false
	}
	for i := range x.Events {
		a, b := &x.Events[i], &e.x.Events[i]
		if a.Thread != b.Thread || a.Step != b.Step || a.Kind != b.Kind || a.Loc != b.Loc || a.Piece != b.Piece ||
			a.Half != b.Half {
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
	if !slices.EqualFunc(old.Events, x.Events, func(a, b models.Event) bool { return a.Value == b.Value }) {
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

// restsOn returns the changing relations that a definition depends on, as bits.
func (e *Evaluator) restsOn(d *cat.Def) uint8 {
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

// mentions returns the changing relations that an expression depends on, as bits. A relation between accesses of
// different values also depends on the values.
func (e *Evaluator) mentions(expr cat.Expr) uint8 {
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

// cache caches the value of a definition.
func (e *Evaluator) cache(d *cat.Def, r relation.Relation) {
	if _, known := e.defs[d]; !known && e.restsOn(d) != 0 {
		e.live = append(e.live, d)
	}
	e.defs[d] = r
}

// Set returns the set of the events that in accepts.
func (e *Evaluator) Set(in func(*models.Event) bool) relation.Relation {
	s := e.slab.Set(e.n)
	for i := range e.x.Events {
		if in(&e.x.Events[i]) {
			s.Add(0, i)
		}
	}
	return s
}

// pairs returns the relation of the pairs of events that in accepts. It asks about all n² pairs, so it is for base
// relations only.
func (e *Evaluator) pairs(in func(a, b *models.Event) bool) relation.Relation {
	r := e.slab.Relation(e.n)
	events := e.x.Events
	for i := range events {
		for j := range events {
			if in(&events[i], &events[j]) {
				r.Add(i, j)
			}
		}
	}
	return r
}

// Listed returns a relation with the given pairs.
func (e *Evaluator) Listed(pairs []models.Pair) relation.Relation {
	r := e.slab.Relation(e.n)
	for _, p := range pairs {
		r.Add(p[0], p[1])
	}
	return r
}

// compute gives a base set or relation.
func (e *Evaluator) compute(name string) relation.Relation {
	x := e.x
	switch name {
	case "_":
		return e.Set(func(*models.Event) bool { return true })
	case "R":
		return e.Set(func(v *models.Event) bool { return v.Kind == models.Read })
	case "W":
		return e.Set(func(v *models.Event) bool { return v.Kind == models.Write })
	case "M":
		return e.Set(func(v *models.Event) bool { return v.Kind != models.Fence })
	case "F":
		return e.Set(func(v *models.Event) bool { return v.Kind == models.Fence })
	case "IW":
		return e.Set(func(v *models.Event) bool { return v.Thread == models.InitThread })
	case "FW":
		return e.finalWrites()
	case "po":
		return e.programOrder()
	case "int":
		return e.pairs((*models.Event).SameThread)
	case "ext":
		return e.pairs(func(a, b *models.Event) bool { return a.ID != b.ID && !a.SameThread(b) })
	case "id":
		return e.pairs(func(a, b *models.Event) bool { return a.ID == b.ID })
	case "sm":
		return e.pairs(func(a, b *models.Event) bool { return a.FirstPiece() == b.FirstPiece() && a.Half == b.Half })
	case "loc":
		return e.pairs(func(a, b *models.Event) bool { return a.Loc >= 0 && a.Loc == b.Loc })
	case "rf":
		r := e.slab.Relation(e.n)
		for read, w := range x.RF {
			if w >= 0 {
				r.Add(w, read)
			}
		}
		return r
	case "co":
		r := e.slab.Relation(e.n)
		for _, order := range x.CO {
			for i, a := range order {
				for _, b := range order[i+1:] {
					r.Add(a, b)
				}
			}
		}
		return r
	case "addr":
		return e.Listed(x.Addr)
	case "data":
		return e.Listed(x.Data)
	case "ctrl":
		return e.Listed(x.Ctrl)
	case "rmw":
		return e.Listed(x.RMW)
	case "vloc":
		return e.pairs(func(a, b *models.Event) bool {
			return a.Loc >= 0 && a.Loc == b.Loc && a.Tags.Name() == b.Tags.Name()
		})
	case "LIVE":
		return e.Set(e.isLive)
	case "remaps":
		return e.pairs(func(a, b *models.Event) bool {
			return e.isLive(a) && e.isLive(b) && a.Loc == b.Loc && x.Program.EntryBits.Remaps(a.Value, b.Value)
		})
	case "ssw":
		return e.pairs(func(a, b *models.Event) bool { return x.Program != nil && x.Program.Meets(a.Thread, b.Thread) })
	case "syncbar":
		return e.pairs(e.opens)
	}
	if scope := ir.ScopeOf(name); scope != "" {
		return e.pairs(func(a, b *models.Event) bool {
			return x.Program != nil && x.Program.Share(scope, a.Thread, b.Thread)
		})
	}
	return e.Set(func(v *models.Event) bool { return v.Tags.Has(ir.Tag(name)) })
}

// programOrder is the order of each thread, with what Spawns and Joins add across threads.
//
// A thread that starts another one is before all of it, and the end of a thread is before the event that waits for it.
func (e *Evaluator) programOrder() relation.Relation {
	po := e.pairs(func(a, b *models.Event) bool { return a.SameThread(b) && a.FirstPiece() < b.FirstPiece() })
	if len(e.x.Spawns)+len(e.x.Joins) == 0 {
		return po
	}
	across := e.Listed(e.x.Spawns).Union(e.Listed(e.x.Joins))
	if e.x.Program != nil && e.x.Program.Split { // each is from or to one piece of an access, and orders all of them
		same := e.compute("sm")
		across = same.Then(across).Then(same)
	}
	return po.Union(across).Closure()
}

// isLive reports whether an event writes an entry of a page table that a TLB may keep.
func (e *Evaluator) isLive(v *models.Event) bool {
	p := e.x.Program
	return p != nil && v.Kind == models.Write && v.Loc >= 0 && p.IsEntry(v.Loc) && p.EntryBits.IsLive(v.Value)
}

// finalWrites is the set of the last writes to the locations that the test's condition names.
func (e *Evaluator) finalWrites() relation.Relation {
	s := e.slab.Set(e.n)
	if e.x.Program == nil {
		return s
	}
	for _, o := range e.x.Program.Observed {
		if o.Thread < 0 {
			pieces, _ := e.x.Program.Pieces(o.Index, o.Bits)
			for _, q := range pieces {
				order := e.x.CO[q.Loc]
				s.Add(0, order[len(order)-1])
			}
		}
	}
	return s
}

// Eval computes an expression.
func (e *Evaluator) Eval(expr cat.Expr) relation.Relation {
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
		return e.slab.Relation(e.n)
	}
	panic("BUG: unknown expression")
}

// def returns the value of a definition. It computes a recursive group from empty relations, round by round, until no
// member changes: the least fixed point if every member is monotone in the others.
func (e *Evaluator) def(d *cat.Def) relation.Relation {
	if r, ok := e.defs[d]; ok {
		return r
	}
	if d.Group == nil {
		r := e.Eval(d.Body)
		e.cache(d, r)
		return r
	}
	// From nothing, round by round, until none changes: the least fixed point, if more of
	// one never means less of another.
	for _, g := range d.Group {
		e.cache(g, e.empty(g.Kind))
	}
	for changed := true; changed; {
		changed = false
		for _, g := range d.Group {
			next := e.Eval(g.Body)
			if isNothing(g.Body) {
				next = e.empty(g.Kind)
			}
			if !next.Equal(e.defs[g]) {
				e.cache(g, next)
				changed = true
			}
		}
	}
	return e.defs[d]
}

// empty is the empty set or relation.
func (e *Evaluator) empty(k cat.Kind) relation.Relation {
	if k == cat.Set {
		return e.slab.Set(e.n)
	}
	return e.slab.Relation(e.n)
}

func isNothing(e cat.Expr) bool { _, ok := e.(cat.Nothing); return ok }

// unary applies an operator. The result never shares memory with the operand.
func (e *Evaluator) unary(u cat.Unary) relation.Relation {
	x := e.Eval(u.X)
	switch u.Op {
	case cat.Inverse:
		return x.Inverse()
	case cat.Plus:
		return x.Closure()
	case cat.Star:
		return x.Closure().Union(e.Eval(plan.ID))
	case cat.Optional:
		return x.Union(e.Eval(plan.ID))
	case cat.Complement:
		out := x.Like()
		for a := range len(x.Bits) / max(x.Words, 1) {
			for b := range e.n {
				if !x.Has(a, b) {
					out.Add(a, b)
				}
			}
		}
		return out
	case cat.Identity:
		r := e.slab.Relation(e.n)
		x.Each(0, func(a int) { r.Add(a, a) })
		return r
	case cat.Differing:
		r := e.slab.Relation(e.n)
		for _, p := range x.List() {
			a, b := &e.x.Events[p[0]], &e.x.Events[p[1]]
			if a.Kind != models.Fence && b.Kind != models.Fence && a.Value != b.Value {
				r.Add(p[0], p[1])
			}
		}
		return r
	case cat.Domain:
		x = x.Inverse()
		fallthrough
	case cat.Range:
		s := e.slab.Set(e.n)
		for a := range e.n {
			for i, w := range x.Row(a) {
				s.Bits[i] |= w
			}
		}
		return s
	}
	panic("BUG: unknown operator")
}

// binary applies an operator to two operands. A product with a set in it needs no case of its own: a set is a row.
func (e *Evaluator) binary(b cat.Binary) relation.Relation {
	x, y := e.operands(b.X, b.Y)
	switch b.Op {
	case cat.Union:
		return x.Union(y)
	case cat.Inter:
		return x.Inter(y)
	case cat.Diff:
		return x.Minus(y)
	case cat.Seq:
		return x.Then(y)
	case cat.Cartesian:
		r := e.slab.Relation(e.n)
		x.Each(0, func(a int) { copy(r.Row(a), y.Bits) })
		return r
	}
	panic("BUG: unknown operator")
}

// operands evaluates both sides; the empty set or relation takes the other's shape.
func (e *Evaluator) operands(a, b cat.Expr) (x, y relation.Relation) {
	_, nothingA := a.(cat.Nothing)
	_, nothingB := b.(cat.Nothing)
	switch {
	case nothingA && nothingB:
		return e.slab.Relation(e.n), e.slab.Relation(e.n)
	case nothingA:
		y = e.Eval(b)
		return y.Like(), y
	case nothingB:
		x = e.Eval(a)
		return x, x.Like()
	}
	return e.Eval(a), e.Eval(b)
}
