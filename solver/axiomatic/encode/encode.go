package encode

import (
	"iter"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/replay"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// Encoding is the formula ssa ∧ pord of a program under a model: one variable per choice that an execution makes. An
// execution is an assignment of success literals and choices, of a write for each read, and of an order for each pair
// of writes to one location. All values, addresses and guards are circuits over these, built by walking the threads
// symbolically (package symbolic). The paper writes the same formula in section 5; it has fr and fences as variables,
// which are gates or implications here.
type Encoding struct {
	// Ring has events whose values may depend on each other, under a model that does not forbid this.
	Ring []int
	*relation.Arena
	Program  *ir.Program // unrolled
	first    [][]int     // as in symbolic.Structure
	order    *symbolic.Order
	Events   []Event
	model    *models.Model
	coherent bool

	writers [][]int // by location
	reads   []readFrom
	conds   []conditional
	orders  map[*cat.Order]*ordered // the orders that the model chooses
	// by pair of writes: a precedes b in co if both execute; 0 if they share no location
	co     [][]sat.Lit
	placed map[int]*relation.Matrix // by write that may not execute: the relation that shares its co variables
	regs   [][]sat.Vec              // by thread: the registers at its end
	// Wild: some access is outside all locations. Bound: some thread reaches the loop bound. The engine asserts that
	// both are false before it lists outcomes.
	Wild, Bound sat.Lit
	WildAccess  func(symbolic.Site) error // returns the error for an access outside all locations
	// assumed has the clauses that hold for every execution within the bound. An execution that reaches the bound may
	// leave threads waiting for writes beyond it.
	assumed []sat.Lit
	// Waits: the formula omits executions that repeat a loop that only waits.
	Waits bool
	// Prefix has the places where threads may stop; nil if all run to their ends.
	Prefix      *Prefix
	refused     error
	Constraints map[string]int // number of constraints by kind
	acyclicity  string
	graphs      bool // the solver supports graphs
	replayer    *replay.Replayer
}

// Choices are unconditional: also a read that does not execute makes exactly one choice, and two writes that do not
// execute have an order. Literals of relations add the guards of both events. This keeps the clauses about choices
// short, at the price that several assignments may mean the same execution; the blocking clauses of Decode and the
// literals of Distinct account for it.

// readFrom is a read with its candidate writes. choice[i] says that it reads from writes[i] if it executes; exactly one
// of them is true.
type readFrom struct {
	read   int
	writes []int
	choice []sat.Lit
}

// conditional is a store-conditional or a choice: if guard is true, success says whether it writes, or which way it
// goes.
type conditional struct {
	symbolic.Site
	guard, success sat.Lit
}

// New encodes a program's events, rf and co under a model, but not its axioms. acyclicity is the encoding of orders
// (solver.Options), graphs says whether the solver supports graphs, and stops has the places where threads may stop;
// nil if none may.
func New(s *symbolic.Structure, m *models.Model, acyclicity string, graphs bool, stops *Prefix) (*Encoding, error) {
	e := &Encoding{
		Arena: relation.NewArena(), Program: s.Program, first: s.First, Events: newEvents(s), WildAccess: s.WildAccess,
		model: m, coherent: m.Coherent(),
		regs: make([][]sat.Vec, len(s.Program.Threads)), Wild: sat.False, Bound: sat.False,
		orders: map[*cat.Order]*ordered{}, placed: map[int]*relation.Matrix{}, Constraints: map[string]int{},
		acyclicity: acyclicity, graphs: graphs, Prefix: stops,
	}
	var err error
	if e.order, err = symbolic.NewOrder(s, e.Circuit, nil); err != nil {
		return nil, err
	}
	e.initialValues()
	e.candidates()
	symbolic.Walk[sat.Vec](s.Program, symbolic.Circuits{Circuit: e.Circuit}, e)
	if e.refused != nil {
		return nil, e.refused
	}
	for _, l := range e.assumed {
		e.Assert(l, e.Bound)
	}
	e.readsFrom()
	e.coherenceOrder()
	e.barriers()
	return e, nil
}

// newPairs makes an empty relation with a number of rows.
func (e *Encoding) newPairs(rows int) *relation.Pairs { return e.MakePairs(len(e.Events), rows) }

// initialValues gives locations with arbitrary initial values variables.
func (e *Encoding) initialValues() {
	for i := range e.Program.Locs {
		if ev := &e.Events[i]; e.Program.Locs[i].Any {
			ev.value = make(sat.Vec, ev.Known.Bits)
			for k := range ev.value {
				ev.value[k] = e.Var()
			}
		}
	}
}

// candidates chooses the writes that each read may read from (Alg. 1, lines 1 to 9), and makes the choice variables.
func (e *Encoding) candidates() {
	e.reads = make([]readFrom, 0, len(e.Events))
	e.writers = make([][]int, len(e.Program.Locs))
	for w := range e.Events {
		if e.Events[w].Kind == models.Write {
			for _, l := range e.Events[w].Locs {
				e.writers[l] = append(e.writers[l], w)
			}
		}
	}
	for r := range e.Events {
		if e.Events[r].Kind != models.Read {
			continue
		}
		rf := readFrom{read: r}
		for w := range e.Events {
			if e.mayRead(w, r) {
				rf.writes = append(rf.writes, w)
			}
		}
		rf.choice = e.oneOf(len(rf.writes))
		e.reads = append(e.reads, rf)
	}
}

// oneOf returns n literals of which exactly one is true.
func (e *Encoding) oneOf(n int) []sat.Lit {
	switch n {
	case 0:
		return nil
	case 1:
		return []sat.Lit{sat.True}
	case 2:
		v := e.Var()
		e.Define(v)
		return []sat.Lit{v, v.Not()}
	}
	out := make([]sat.Lit, n)
	for i := range out {
		out[i] = e.Var()
		e.Define(out[i])
	}
	e.atMostOne(out)
	e.Assert(out...)
	return out
}

// atMostOne forbids each pair of literals. Longer lists are split into groups of 16, with a variable that says
// whether a later group may have the true one.
func (e *Encoding) atMostOne(lits []sat.Lit) {
	const few = 16
	for len(lits) > few {
		rest := e.Var() // a later literal may be true
		for _, l := range lits[:few] {
			e.Assert(l.Not(), rest.Not())
		}
		e.pairwise(lits[:few])
		for _, l := range lits[few:] {
			e.Assert(l.Not(), rest)
		}
		lits = lits[few:]
	}
	e.pairwise(lits)
}

// pairwise asserts that at most one literal is true, with a clause for each pair: a quadratic number, so the caller
// passes few literals.
func (e *Encoding) pairwise(lits []sat.Lit) {
	for i, l := range lits {
		for _, other := range lits[:i] {
			e.Assert(l.Not(), other.Not())
		}
	}
}

// mayRead reports whether a read may read from a write. Under coherent models it excludes writes that follow the read
// in program order, and writes that are certainly overwritten before the read.
func (e *Encoding) mayRead(w, r int) bool {
	write, read := &e.Events[w], &e.Events[r]
	if write.Kind != models.Write || w == read.Partner || !overlap(write.Locs, read.Locs) {
		return false
	}
	if !e.coherent {
		return true
	}
	if e.certain(r, w) {
		return false
	}
	if len(read.Locs) != 1 || len(write.Locs) != 1 || write.Thread != models.InitThread && !e.certain(w, r) {
		return true
	}
	for _, b := range e.writers[read.Locs[0]] {
		if b != w && len(e.Events[b].Locs) == 1 && e.order.Surely(b, r) &&
			(write.Thread == models.InitThread || e.certain(w, b)) {
			return false
		}
	}
	return true
}

// certain reports whether a precedes b in program order whenever both execute.
func (e *Encoding) certain(a, b int) bool { return e.order.Before(a, b) == sat.True }

// both returns a literal that is true if both events execute.
func (e *Encoding) both(a, b int) sat.Lit {
	switch {
	case e.order.Surely(a, b):
		return e.Events[b].Guard
	case e.order.Surely(b, a):
		return e.Events[a].Guard
	}
	return e.And(e.Events[a].Guard, e.Events[b].Guard)
}

func overlap(a, b []int) bool {
	for _, x := range a {
		if slices.Contains(b, x) {
			return true
		}
	}
	return false
}

// The methods below implement symbolic.Memory over circuits: they complete the events that the symbolic structure has
// listed.

func (e *Encoding) place(s symbolic.Site, guard, addr sat.Vec, d symbolic.Deps[sat.Vec], at ir.Locs) *Event {
	first := e.first[s.Thread][s.Step]
	ev := &e.Events[first]
	ev.Guard, ev.addr, ev.data, ev.ctrl = guard[0], d.Addr, d.Data, d.Ctrl
	ev.at = make([]sat.Lit, len(ev.Locs))
	for i, l := range ev.Locs {
		ev.at[i] = e.EqualVec(addr, sat.ConstVec(e.Program.Locs[l].Address, len(addr)))
	}
	switch {
	case at == nil:
		ev.Wild = e.Or(ev.at...).Not()
		e.Wild = e.Or(e.Wild, e.And(ev.Guard, ev.Wild))
	case len(ev.at) == 1: // there is no other location
		ev.at[0], ev.Wild = sat.True, sat.False
	default:
		ev.Wild = sat.False
		e.Assert(append([]sat.Lit{guard[0].Not()}, ev.at...)...)
	}
	for k := 1; k < ev.Pieces; k++ { // all pieces are at the address of the first
		other := &e.Events[first+k]
		other.Guard, other.addr, other.data, other.ctrl, other.at, other.Wild = ev.Guard, ev.addr, ev.data, ev.ctrl,
			ev.at, ev.Wild
	}
	return ev
}

// pieces returns the events of an access, given the first.
func (e *Encoding) pieces(first int) []Event {
	return e.Events[first : first+max(1, e.Events[first].Pieces)]
}

// sources returns the events that have the value of a read, or of one half of it, starting with the first.
func (e *Encoding) sources(first int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for k := first; k < len(e.Events) && (k == first || e.Events[k].Piece > 0) &&
			e.Events[k].Half == e.Events[first].Half && yield(k); k++ {
		}
	}
}

// part returns the bits of an access's value that belong to a piece.
func (ev *Event) part(value sat.Vec) sat.Vec {
	if ev.Pieces == 0 {
		return value
	}
	return value[ev.Lo : ev.Lo+ev.Known.Bits]
}

// readAll returns the value of a read with any number of pieces.
func (e *Encoding) readAll(first, bits int) sat.Vec {
	if e.Events[first].Pieces == 0 {
		return e.readValue(first)
	}
	out := make(sat.Vec, bits)
	for k := range e.pieces(first) {
		copy(out[e.Events[first+k].Lo:], e.readValue(first+k))
	}
	return out
}

// write sets the values of a write's pieces.
func (e *Encoding) write(first int, value sat.Vec) {
	pieces := e.pieces(first)
	for k := range pieces {
		pieces[k].value = pieces[k].part(value)
	}
}

// readValue makes the value of a read. A known bit is constant; a bit with a known value for each candidate write is a
// choice among them; any other bit is a variable.
func (e *Encoding) readValue(r int) sat.Vec {
	ev := &e.Events[r]
	rf := &e.reads[e.readIndex(r)]
	ev.value = symbolic.Vec(ev.Known, func(i int) sat.Lit {
		bit := uint64(1) << i
		ones, open := []sat.Lit(nil), false
		for k, w := range rf.writes {
			v := e.Events[w].Known
			open = open || v.Mask&bit == 0
			if v.Value&bit != 0 {
				ones = append(ones, rf.choice[k])
			}
		}
		switch {
		case open:
			return e.Var()
		case len(ones) == len(rf.writes):
			return sat.True
		}
		return e.Or(ones...)
	})
	return ev.value
}

func (e *Encoding) readIndex(r int) int {
	i, _ := slices.BinarySearchFunc(e.reads, r, func(rf readFrom, r int) int { return rf.read - r })
	return i
}

// Load implements symbolic.Memory.
func (e *Encoding) Load(
	s symbolic.Site, op ir.Load, guard, addr sat.Vec, d symbolic.Deps[sat.Vec],
) (value, behind sat.Vec) {
	e.place(s, guard, addr, d, op.At)
	value = e.readAll(e.first[s.Thread][s.Step], op.Bits)
	if half := op.Bits / 2; op.Bits > 64 {
		return value[:half], value[half:]
	}
	return value, nil
}

// Store implements symbolic.Memory.
func (e *Encoding) Store(s symbolic.Site, op ir.Store, guard, addr, value, behind sat.Vec, d symbolic.Deps[sat.Vec]) {
	e.place(s, guard, addr, d, op.At)
	e.write(e.first[s.Thread][s.Step], joined(value, behind))
}

// RMW implements symbolic.Memory.
func (e *Encoding) RMW(
	s symbolic.Site, op ir.RMW, guard, addr sat.Vec, next func(sat.Vec) (sat.Vec, sat.Vec, symbolic.Deps[sat.Vec]),
	d symbolic.Deps[sat.Vec],
) sat.Vec {
	r := e.place(s, guard, addr, d, op.At)
	old := e.readAll(e.first[s.Thread][s.Step], op.Bits)
	if r.Partner >= 0 {
		v, writes, of := next(old)
		guard := e.And(guard[0], writes[0])
		for k := range e.pieces(r.Partner) {
			w := &e.Events[r.Partner+k]
			w.Guard, w.at, w.Wild, w.value = guard, r.at, r.Wild, w.part(v)
			w.addr, w.data, w.ctrl = of.Addr, of.Data, of.Ctrl
			w.pairs = []symbolic.Source[sat.Vec]{{Read: s, Cond: sat.Vec{sat.True}}}
		}
	}
	return old
}

// joined returns a value followed by its upper half.
func joined(value, behind sat.Vec) sat.Vec { return append(value[:len(value):len(value)], behind...) }

// StoreCond gives a store-conditional a variable for its success. Success needs an exclusive load from the same
// address.
func (e *Encoding) StoreCond(
	s symbolic.Site, op ir.StoreCond, guard, addr, value, behind sat.Vec, pairs []symbolic.Reservation[sat.Vec],
	d symbolic.Deps[sat.Vec],
) sat.Vec {
	if e.first[s.Thread][s.Step] < 0 {
		e.conds = append(e.conds, conditional{s, guard[0], sat.False})
		return sat.Vec{sat.False}
	}
	success := e.Var()
	e.Define(success)
	e.conds = append(e.conds, conditional{s, guard[0], success})
	e.place(s, guard, addr, d, op.At)
	first := e.first[s.Thread][s.Step]
	value = joined(value, behind)
	e.write(first, value)
	var matching []sat.Lit
	var with []symbolic.Source[sat.Vec]
	for _, p := range pairs {
		if load, ok := e.Program.Threads[p.Read.Thread].Code[p.Read.Step].Op.(ir.Load); ok && load.Bits != len(value) {
			continue // an exclusive load of another width does not match
		}
		l := e.And(p.Cond[0], e.EqualVec(p.Addr, addr))
		matching = append(matching, l)
		with = append(with, symbolic.Source[sat.Vec]{Read: p.Read, Cond: sat.Vec{l}})
	}
	executed := e.And(guard[0], success)
	for k := range e.pieces(first) {
		e.Events[first+k].Guard, e.Events[first+k].pairs = executed, with
	}
	e.Assert(guard[0].Not(), success.Not(), e.Or(matching...))
	return sat.Vec{success}
}

// Fence implements symbolic.Memory.
func (e *Encoding) Fence(s symbolic.Site, op ir.Fence, guard, addr sat.Vec, d symbolic.Deps[sat.Vec]) {
	if op.Addr != nil {
		e.place(s, guard, addr, d, nil)
		return
	}
	ev := &e.Events[e.first[s.Thread][s.Step]]
	ev.Guard, ev.Wild, ev.data, ev.ctrl = guard[0], sat.False, d.Data, d.Ctrl
}

// Choose gives a choice a variable, and lists it like the success of a store-conditional.
func (e *Encoding) Choose(s symbolic.Site, guard sat.Vec) sat.Vec {
	either := e.Var()
	e.Define(either)
	e.conds = append(e.conds, conditional{s, guard[0], either})
	if op := e.Program.Threads[s.Thread].Code[s.Step].Op.(ir.Choose); op.Weak && e.Prefix != nil {
		e.Prefix.weak = append(e.Prefix.weak, e.And(guard[0], either.Not()))
	}
	return sat.Vec{either}
}

// Assume implements symbolic.Memory.
func (e *Encoding) Assume(s symbolic.Site, guard, cond sat.Vec, d []symbolic.Source[sat.Vec]) sat.Vec {
	if e.Prefix != nil {
		return e.Prefix.assume(e, s, guard[0], cond[0], d)
	}
	e.assumed = append(e.assumed, e.Or(guard[0].Not(), cond[0]))
	return sat.Vec{sat.True}
}

// Unwound implements symbolic.Memory.
func (e *Encoding) Unwound(s symbolic.Site, op ir.Unwound, guard sat.Vec) {
	switch {
	case e.Prefix != nil:
		e.Prefix.unwound(s, op, guard[0])
	case op.Spin:
		e.assumed = append(e.assumed, guard[0].Not())
		e.Waits = e.Waits || guard[0] != sat.False
	default:
		e.Bound = e.Or(e.Bound, guard[0])
	}
}

// End implements symbolic.Memory.
func (e *Encoding) End(t int, guard sat.Vec, regs []sat.Vec) {
	e.regs[t] = regs
	if e.Prefix != nil {
		e.Prefix.end(e, t, guard[0])
	}
}

// The operations below only occur in programs with properties, where threads may stop.

// Asserted implements symbolic.Memory.
func (e *Encoding) Asserted(s symbolic.Site, op ir.Assert, guard, cond sat.Vec) sat.Vec {
	if e.Prefix == nil {
		return e.refuse(s, "an assertion")
	}
	return e.Prefix.assert(e, s, op, guard[0], cond[0])
}

// Spawn implements symbolic.Memory.
func (e *Encoding) Spawn(s symbolic.Site, _ ir.Spawn, guard sat.Vec, d symbolic.Deps[sat.Vec]) {
	if e.Prefix == nil {
		e.refuse(s, "a thread that is spawned")
	}
	e.barrier(s, guard[0], d)
}

// Join implements symbolic.Memory.
func (e *Encoding) Join(s symbolic.Site, op ir.Join, guard sat.Vec, d symbolic.Deps[sat.Vec]) sat.Vec {
	if e.Prefix == nil {
		return e.refuse(s, "a thread that is joined")
	}
	ended := e.Prefix.join(e, s, op, guard[0])
	e.barrier(s, e.And(guard[0], ended), d)
	return sat.Vec{ended}
}

// Atomic implements symbolic.Memory.
func (e *Encoding) Atomic(s symbolic.Site, op ir.Atomic, guard sat.Vec, d symbolic.Deps[sat.Vec]) sat.Vec {
	if e.Prefix == nil {
		return e.refuse(s, "an atomic section")
	}
	on := sat.True
	if !op.End {
		on = e.Prefix.enter(e, s, guard[0])
	}
	e.barrier(s, e.And(guard[0], on), d)
	return sat.Vec{on}
}

func (e *Encoding) barrier(s symbolic.Site, guard sat.Lit, d symbolic.Deps[sat.Vec]) {
	ev := &e.Events[e.first[s.Thread][s.Step]]
	ev.Guard, ev.data, ev.ctrl = guard, d.Data, d.Ctrl
}

func (e *Encoding) refuse(s symbolic.Site, what string) sat.Vec {
	if e.refused == nil {
		th := &e.Program.Threads[s.Thread]
		e.refused = litmus.Errorf(th.Source[th.Code[s.Step].Source].Pos,
			"the axiomatic engine does not list outcomes of programs with %s", what)
	}
	return sat.Vec{sat.True}
}

// sameLocation returns a literal that is true if both events access one location.
func (e *Encoding) sameLocation(a, b int) sat.Lit {
	x, y := &e.Events[a], &e.Events[b]
	var both []sat.Lit
	for i, l := range x.Locs {
		if j := slices.Index(y.Locs, l); j >= 0 {
			both = append(both, e.And(x.at[i], y.at[j]))
		}
	}
	return e.Or(both...)
}

// readsFrom asserts that the write that a read chooses executes, at the read's location, and has the read's value (Alg.
// 1, lines 10 and 14).
func (e *Encoding) readsFrom() {
	for _, rf := range e.reads {
		r := &e.Events[rf.read]
		for k, w := range rf.writes {
			write := &e.Events[w]
			unless := []sat.Lit{r.Guard.Not(), r.Wild, rf.choice[k].Not()}
			imply := func(lits ...sat.Lit) { e.Assert(append(slices.Clone(unless), lits...)...) }
			e.Constraints["rf"]++
			imply(write.Guard)
			for _, pair := range write.pairs { // an exclusive load does not read what its own pair writes
				if e.first[pair.Read.Thread][pair.Read.Step]+write.Piece == rf.read {
					imply(pair.Cond[0].Not())
				}
			}
			imply(e.sameLocation(rf.read, w))
			for i, b := range r.value {
				v := write.value[i]
				if i > 0 && b == r.value[i-1] && v == write.value[i-1] {
					continue // both repeat the bit below (sign extension)
				}
				if v != b && !e.chosenBit(rf, i) {
					imply(b.Not(), v)
					imply(b, v.Not())
				}
			}
		}
	}
}

// chosenBit reports whether bit i of a read is a choice among known bits, which needs no constraint.
func (e *Encoding) chosenBit(rf readFrom, i int) bool {
	if e.Events[rf.read].Known.Mask>>i&1 == 1 {
		return false
	}
	for _, w := range rf.writes {
		if e.Events[w].Known.Mask>>i&1 == 0 {
			return false
		}
	}
	return true
}

// It does not assert transitivity of co. A coherence axiom of the model contains co in an acyclic relation, which makes
// the variables a total order of the executed writes; for a model without such an axiom, Axioms asserts that co is
// acyclic. From-reads has no variables: it is the composition of inverted rf and co.

// coherenceOrder makes the order of each pair of writes that may share a location (Alg. 2): a constant from program
// order if the model is coherent, a variable otherwise. Initial writes come first.
func (e *Encoding) coherenceOrder() {
	n := len(e.Events)
	e.co = make([][]sat.Lit, n)
	for a := range e.Events {
		if e.Events[a].Kind == models.Write {
			e.co[a] = make([]sat.Lit, n)
		}
	}
	for b := range e.Events {
		for a := range b {
			x, y := &e.Events[a], &e.Events[b]
			if x.Kind != models.Write || y.Kind != models.Write || !overlap(x.Locs, y.Locs) {
				continue
			}
			l := sat.True
			switch {
			case x.Thread == models.InitThread || e.coherent && e.certain(a, b):
			case e.coherent && e.certain(b, a):
				l = sat.False
			default:
				l = e.Var()
				e.Define(l)
			}
			e.Constraints["ws"]++ // the paper's name for co
			e.co[a][b], e.co[b][a] = l, l.Not()
		}
	}
}

// Final returns the value of an observable after all threads have ended: a register, or the last writes to its
// locations.
func (e *Encoding) Final(o ir.Observable) sat.Vec {
	if o.Thread >= 0 {
		return e.regs[o.Thread][o.Index][:o.Bits]
	}
	if !e.Program.Split {
		return e.last(o.Index, o.Bits)
	}
	out := make(sat.Vec, o.Bits)
	pieces, _ := e.Program.Pieces(o.Index, o.Bits)
	for _, q := range pieces {
		copy(out[q.Lo:], e.last(q.Loc, q.Bits))
	}
	return out
}

// last returns the value of the write to a location that no other write follows in co.
func (e *Encoding) last(loc, bits int) sat.Vec {
	var lasts []sat.Lit
	var values []sat.Vec
	for w := range e.Events {
		ev := &e.Events[w]
		i := slices.Index(ev.Locs, loc)
		if ev.Kind != models.Write || i < 0 {
			continue
		}
		last := []sat.Lit{ev.Guard, ev.at[i]}
		for v := range e.Events {
			other := &e.Events[v]
			if j := slices.Index(other.Locs, loc); v != w && other.Kind == models.Write && j >= 0 {
				last = append(last, e.And(other.Guard, other.at[j], e.co[w][v]).Not())
			}
		}
		lasts, values = append(lasts, e.And(last...)), append(values, ev.value)
	}
	out := make(sat.Vec, bits)
	for i := range out {
		ones := make([]sat.Lit, 0, len(lasts))
		all := true
		for k, v := range values {
			if b := e.And(lasts[k], v[i]); b != sat.False {
				ones = append(ones, b)
			}
			all = all && v[i] == sat.True
		}
		out[i] = sat.True
		if !all {
			out[i] = e.Or(ones...)
		}
	}
	return out
}
