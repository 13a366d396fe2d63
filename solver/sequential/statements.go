package sequential

import (
	"math/bits"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/known"
	"litmuscope/models"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

type kind int

const (
	load kind = iota
	store
	update // a read-modify-write or a store-conditional: atomic, at once in memory
	fence
	choice // of no concern to others
	spawn
	join
	enter // an atomic section
	leave
)

// String is the kind's name.
func (k kind) String() string {
	return [...]string{"load", "store", "update", "fence", "choice", "spawn", "join", "enter", "leave"}[k]
}

// statement is a step of a thread that others may see. It executes if guard is true, in one of the rounds.
type statement struct {
	symbolic.Site
	kind  kind
	id    int // among all statements
	label int // among the visible statements of its thread; -1 where it is none
	// tied: no turn needs to begin before it, for its thread might as well have put off
	// the fence before it.
	tied   bool
	guard  sat.Lit
	fence  fenceOrder
	access access
	locs   []int     // the locations it may touch
	at     []sat.Lit // by locs: the address is that location's
	read   sat.Vec   // what a load or an update returns
	write  sat.Vec   // what a store or an update writes …
	writes sat.Lit   // … if it does
	tag    int       // from 1, of its write: see payload
	// try: this is a store-conditional, which touches nothing if it fails.
	try bool
	// after is the last label up to it; -1 for none. other is the thread that it starts, or waits for.
	after, other int
	// inside: of an atomic section, which no turn ends in. direct: a store in one, which is
	// an update, for nobody sees whether it waits until the section ends.
	inside, direct bool
	// succeeds: what a store-conditional or a choice tells its thread.
	succeeds sat.Lit
}

// order is what a fence keeps in order.
type fenceOrder struct{ writeRead, writeWrite bool }

// access is what a load or a store keeps in order: see package machine.
type access struct{ acquire, release, rcsc bool }

func accessOf(tags ir.Tags) access {
	return access{tags.Has(ir.TagAcquire), tags.Has(ir.TagRelease), tags.Has(ir.TagRCsc)}
}

// synced reports whether RCsc acquires wait for the store, or the load for RCsc releases.
func (s *statement) synced() bool {
	return s.access.rcsc && (s.kind == store && s.access.release || s.kind == load && s.access.acquire)
}

// writesMemory reports whether s may change a location.
func (s *statement) writesMemory() bool { return s.kind == store || s.kind == update }

// program is an unrolled program as statements over one circuit.
type program struct {
	*ir.Program
	circuit *sat.Circuit
	threads [][]*statement // in program order
	regs    [][]sat.Vec    // by thread: the registers at its end
	cells   []cell         // by location
	tagBits int            // of a cell's payload, beyond its value; see reservations
	// wild: some access leaves the locations. bound: some thread runs into the
	// unwinding bound.
	wild, bound sat.Lit
	assumed     []sat.Lit // holds of every execution within the bound

	structure *symbolic.Structure
	visible   func(*statement) bool
	prefix    *prefix                   // nil in a search for outcomes
	labelled  []int                     // by thread: labels so far
	count     int                       // statements so far
	tags      int                       // writes so far
	reserved  map[symbolic.Site]sat.Vec // by exclusive load: the tag that it has read
	err       error
}

// cell holds the facts about a location that hold in every execution.
type cell struct {
	known known.Number
	bits  int // of a payload: the value's and the tag's
}

// observe finds the facts about locations and registers that hold in every execution of an unrolled program.
func observe(p *ir.Program) *symbolic.Structure {
	return symbolic.Observe(p, true, symbolic.Patient)
}

// newProgram runs the threads of an unrolled program over circuits. The visible
// statements get labels.
func newProgram(s *symbolic.Structure, visible func(*statement) bool) (*program, error) {
	return newPrefix(s, visible, nil)
}

// newPrefix does so for runs that may stop anywhere, where there is a prefix.
func newPrefix(s *symbolic.Structure, visible func(*statement) bool, x *prefix) (*program, error) {
	p := s.Program
	out := &program{
		Program: p, circuit: sat.NewCircuit(), threads: make([][]*statement, len(p.Threads)),
		regs: make([][]sat.Vec, len(p.Threads)), cells: make([]cell, len(p.Locs)),
		wild: sat.False, bound: sat.False,
		structure: s, visible: visible, prefix: x, labelled: make([]int, len(p.Threads)),
		reserved: map[symbolic.Site]sat.Vec{},
	}
	out.survey()
	if x != nil {
		if err := x.begin(out); err != nil {
			return nil, err
		}
	}
	symbolic.Walk[sat.Vec](p, symbolic.Circuits{Circuit: out.circuit}, out)
	for _, l := range out.assumed {
		out.circuit.Assert(l, out.bound)
	}
	if x != nil {
		x.move()
	}
	return out, out.err
}

// survey learns what each location may hold, and whether payloads need tags.
func (p *program) survey() {
	writes := 0
	for l, e := range p.structure.Events[:len(p.Locs)] {
		p.cells[l].known = e.Known
	}
	for _, e := range p.structure.Events[len(p.Locs):] {
		if e.Kind != models.Write {
			continue
		}
		writes++
		for _, l := range e.Locs {
			p.cells[l].known = p.cells[l].known.Join(e.Known)
		}
	}
	for _, th := range p.Threads {
		for _, s := range th.Code {
			if _, ok := s.Op.(ir.StoreCond); ok {
				p.tagBits = bits.Len(uint(writes))
			}
		}
	}
	if p.prefix != nil && p.prefix.memory {
		p.tagBits++
	}
	for l := range p.cells {
		p.cells[l].bits = p.Locs[l].Bits + p.tagBits
	}
}

// A payload is what memories keep for a location: its value and, where the program has store-conditionals, a tag that
// tells the write apart from all others. A store-conditional may succeed where memory has what the exclusive load has
// read. If the question is whether a read comes before any write, the last bit says whether a write has come.

// initial is the payload of a location before any write.
func (p *program) initial(loc int) sat.Vec {
	if p.prefix != nil {
		return p.prefix.initial(loc)
	}
	return sat.ConstVec(p.Locs[loc].Init, p.cells[loc].bits)
}

// payload is what s writes to a location.
func (p *program) payload(s *statement, loc int) sat.Vec {
	tag := uint64(s.tag)
	if p.prefix != nil && p.prefix.memory {
		tag |= 1 << (p.tagBits - 1)
	}
	value := symbolic.Vec(p.cells[loc].known, func(i int) sat.Lit { return s.write[i] })
	return append(value, sat.ConstVec(tag, p.tagBits)...)
}

// The methods below implement symbolic.Memory.

func (p *program) add(site symbolic.Site, k kind, guard sat.Vec) *statement {
	s := &statement{
		Site: site, kind: k, id: p.count, label: -1, guard: guard[0], writes: sat.True, succeeds: sat.False,
		after: p.labelled[site.Thread] - 1, inside: p.prefix != nil && p.prefix.inside(site),
	}
	p.count++
	p.threads[site.Thread] = append(p.threads[site.Thread], s)
	return s
}

// place assigns s its label, once all that visible needs is known.
func (p *program) place(s *statement) {
	if !p.visible(s) {
		return
	}
	before := p.threads[s.Thread]
	for i := len(before) - 1; i >= 0; i-- {
		if b := before[i]; b != s && b.label >= 0 {
			s.tied = b.guard == s.guard && p.ties(b, s)
			break
		}
	}
	s.tied = s.tied || s.inside && s.kind != enter || p.prefix != nil && p.prefix.alone(s.Site)
	s.label = p.labelled[s.Thread]
	s.after = s.label
	p.labelled[s.Thread]++
}

// ties reports whether no turn needs to end between two statements: the first can wait, or the second can execute at
// once.
func (p *program) ties(first, second *statement) bool {
	switch first.kind {
	case fence:
		return second.kind != store
	case join:
		return second.kind != store || !p.prefix.weak
	}
	return first.kind == spawn && second.kind == spawn
}

// access finds out what s may touch.
func (p *program) access(s *statement, addr sat.Vec) *symbolic.Event {
	e := p.reach(s, addr)
	if len(s.locs) == 0 {
		return e // no run comes here
	}
	if s.writesMemory() {
		p.tags++
		s.tag = p.tags
	}
	p.place(s)
	return e
}

// reach finds the locations of an address, and whether it may have none.
func (p *program) reach(s *statement, addr sat.Vec) *symbolic.Event {
	e := &p.structure.Events[p.structure.First[s.Thread][s.Step]]
	s.locs = e.Locs
	hit := sat.False
	for _, l := range s.locs {
		at := p.circuit.EqualVec(addr, sat.ConstVec(p.Locs[l].Address, len(addr)))
		s.at = append(s.at, at)
		hit = p.circuit.Or(hit, at)
	}
	if at := ir.At(p.Threads[s.Thread].Code[s.Step].Op); at != nil {
		return e
	}
	p.wild = p.circuit.Or(p.wild, p.circuit.And(s.guard, hit.Not()))
	return e
}

// returned is the value of a read, a variable for an unknown one, with a tag.
func (p *program) returned(known known.Number) sat.Vec {
	v := symbolic.Vec(known, func(int) sat.Lit { return p.circuit.Var() })
	for range p.tagBits {
		v = append(v, p.circuit.Var())
	}
	return v
}

// Load implements symbolic.Memory.
func (p *program) Load(
	site symbolic.Site, op ir.Load, guard, addr sat.Vec, _ symbolic.Deps[sat.Vec],
) (value, behind sat.Vec) {
	s := p.add(site, load, guard)
	s.access = accessOf(op.Tags)
	s.read = p.returned(p.access(s, addr).Known)
	if op.Reserve {
		p.reserved[site] = s.read[op.Bits:]
	}
	return s.read[:op.Bits], nil
}

// Store implements symbolic.Memory.
func (p *program) Store(site symbolic.Site, op ir.Store, guard, addr, value, _ sat.Vec, _ symbolic.Deps[sat.Vec]) {
	s := p.add(site, store, guard)
	s.access = accessOf(op.Tags)
	if s.inside && p.prefix.weak {
		s.kind, s.direct = update, true
	}
	p.access(s, addr)
	s.write = value
	if s.direct && len(s.locs) > 0 {
		s.read = p.returned(p.possibleValue(s.locs))
	}
}

// possibleValue returns the values that some locations may have.
func (p *program) possibleValue(locs []int) known.Number {
	known := p.cells[locs[0]].known
	for _, l := range locs[1:] {
		known = known.Join(p.cells[l].known)
	}
	return known
}

// RMW implements symbolic.Memory.
func (p *program) RMW(
	site symbolic.Site, op ir.RMW, guard, addr sat.Vec,
	next func(sat.Vec) (sat.Vec, sat.Vec, symbolic.Deps[sat.Vec]), _ symbolic.Deps[sat.Vec],
) sat.Vec {
	s := p.add(site, update, guard)
	s.read = p.returned(p.access(s, addr).Known)
	old := s.read[:op.Bits]
	value, writes, _ := next(old)
	s.write, s.writes = value, writes[0]
	return old
}

// StoreCond implements symbolic.Memory. The reservation holds where memory still has
// the write that the exclusive load read: the machine's condition, as long as the
// thread writes nothing to the location in between itself.
func (p *program) StoreCond(
	site symbolic.Site, op ir.StoreCond, guard, addr, value, _ sat.Vec, pairs []symbolic.Reservation[sat.Vec],
	_ symbolic.Deps[sat.Vec],
) sat.Vec {
	s := p.add(site, update, guard)
	s.try = true
	if len(pairs) == 0 { // never succeeds
		s.kind = choice
		return sat.Vec{sat.False}
	}
	c := p.circuit
	s.succeeds = c.Var()
	s.writes, s.write = s.succeeds, value
	p.access(s, addr)
	s.read = p.returned(p.possibleValue(s.locs))
	var intact []sat.Lit
	for _, pair := range pairs {
		p.refuseWritesBetween(pair.Read, s)
		intact = append(intact,
			c.And(pair.Cond[0], c.EqualVec(pair.Addr, addr), c.EqualVec(p.reserved[pair.Read], s.read[len(value):])))
	}
	c.Assert(guard[0].Not(), s.succeeds.Not(), c.Or(intact...))
	return sat.Vec{s.succeeds}
}

// refuseWritesBetween fails where the thread may write the location of a reservation
// itself before its store-conditional comes: the tag in memory would then be another.
func (p *program) refuseWritesBetween(from symbolic.Site, s *statement) {
	for _, between := range p.threads[s.Thread] {
		if between.Step <= from.Step || between.Step >= s.Step || !between.writesMemory() ||
			!overlap(between.locs, s.locs) {
			continue
		}
		if p.err == nil {
			code := p.Threads[s.Thread]
			p.err = litmus.Errorf(code.Source[code.Code[between.Step].Source].Pos,
				"P%d may write to the same location between an exclusive load and its store-conditional here: the "+
					"sequential engines cannot say whether the latter succeeds; use another engine", code.ID)
		}
	}
}

// Fence implements symbolic.Memory.
func (p *program) Fence(site symbolic.Site, op ir.Fence, guard, addr sat.Vec, _ symbolic.Deps[sat.Vec]) {
	if op.Tags.Has(ir.TagPick) {
		return
	}
	s := p.add(site, fence, guard)
	if op.Addr != nil {
		p.reach(s, addr)
	}
	s.fence = fenceOrder{writeRead: op.Tags.Has(ir.TagWR), writeWrite: op.Tags.Has(ir.TagWW)}
	p.place(s)
}

// Choose implements symbolic.Memory.
func (p *program) Choose(site symbolic.Site, guard sat.Vec) sat.Vec {
	s := p.add(site, choice, guard)
	s.succeeds = p.circuit.Var()
	return sat.Vec{s.succeeds}
}

// Assume implements symbolic.Memory.
func (p *program) Assume(site symbolic.Site, guard, cond sat.Vec, _ []symbolic.Source[sat.Vec]) sat.Vec {
	if p.prefix != nil {
		return p.prefix.assume(site, guard[0], cond[0])
	}
	p.assumed = append(p.assumed, p.circuit.Or(guard[0].Not(), cond[0]))
	return sat.Vec{sat.True}
}

// The operations of programs with properties belong to the prefix: a program without one has none.

// Asserted implements symbolic.Memory.
func (p *program) Asserted(site symbolic.Site, op ir.Assert, guard, cond sat.Vec) sat.Vec {
	if p.prefix == nil {
		return p.refuse(site, "an assertion")
	}
	return p.prefix.asserted(site, op, guard[0], cond[0])
}

// Spawn implements symbolic.Memory.
func (p *program) Spawn(site symbolic.Site, op ir.Spawn, guard sat.Vec, _ symbolic.Deps[sat.Vec]) {
	if p.prefix == nil {
		p.refuse(site, "a thread that is spawned")
		return
	}
	s := p.barrier(site, spawn, guard)
	s.other = op.Thread
	p.prefix.spawns[op.Thread] = append(p.prefix.spawns[op.Thread], s)
}

// Join implements symbolic.Memory. Whether the other thread has ended is a matter of the schedule.
func (p *program) Join(site symbolic.Site, op ir.Join, guard sat.Vec, _ symbolic.Deps[sat.Vec]) sat.Vec {
	if p.prefix == nil {
		return p.refuse(site, "a thread that is joined")
	}
	p.barrier(site, join, guard).other = op.Thread
	return sat.Vec{sat.True}
}

// Atomic implements symbolic.Memory.
func (p *program) Atomic(site symbolic.Site, op ir.Atomic, guard sat.Vec, _ symbolic.Deps[sat.Vec]) sat.Vec {
	switch {
	case p.prefix == nil:
		return p.refuse(site, "an atomic section")
	case op.End: // nothing waits any more
		p.add(site, leave, guard)
	default:
		p.barrier(site, enter, guard)
	}
	return sat.Vec{sat.True}
}

// barrier adds a statement that waits until nothing of its thread waits.
func (p *program) barrier(site symbolic.Site, k kind, guard sat.Vec) *statement {
	s := p.add(site, k, guard)
	s.fence = fenceOrder{true, true}
	p.place(s)
	return s
}

func (p *program) refuse(site symbolic.Site, what string) sat.Vec {
	if p.err == nil {
		code := p.Threads[site.Thread]
		p.err = litmus.Errorf(code.Source[code.Code[site.Step].Source].Pos,
			"the sequential engines do not list outcomes of programs with %s", what)
	}
	return sat.Vec{sat.True}
}

// Unwound implements symbolic.Memory.
func (p *program) Unwound(site symbolic.Site, op ir.Unwound, guard sat.Vec) {
	if p.prefix != nil {
		p.prefix.unwound(site, op, guard[0])
		return
	}
	if op.Spin {
		p.assumed = append(p.assumed, guard[0].Not())
		return
	}
	p.bound = p.circuit.Or(p.bound, guard[0])
}

// End implements symbolic.Memory.
func (p *program) End(t int, guard sat.Vec, regs []sat.Vec) {
	p.regs[t] = regs
	if p.prefix != nil {
		p.prefix.end(t, guard[0])
	}
}

// drains reports whether a fence waits until nothing of its thread waits. Under TSO one
// that keeps writes before later reads does, for writes are in order anyway.
func (o fenceOrder) drains(pso bool) bool { return o.writeRead && (o.writeWrite || !pso) }

// location is where s goes in a model.
func (s *statement) location(m *sat.Assignment) int {
	for i, l := range s.at {
		if m.True(l) {
			return s.locs[i]
		}
	}
	panic("BUG: an access to no location")
}

// longest gives the most statements of some kind that thread t executes in one run.
func (p *program) longest(t int, of func(*statement) bool) int {
	code := p.Threads[t].Code
	count := make([]int, len(code)) // by step
	for _, s := range p.threads[t] {
		if of(s) {
			count[s.Step] = 1
		}
	}
	never := -1 << 30
	if p.prefix != nil { // where a run may stop
		never = 0
	}
	most := make([]int, len(code)+1) // from a step on; all jumps go forward
	for pc := len(code) - 1; pc >= 0; pc-- {
		most[pc] = most[pc+1]
		switch op := code[pc].Op.(type) {
		case ir.Unwound:
			most[pc] = never
		case ir.Branch:
			if op.Cond == nil {
				most[pc] = -1 << 30
			}
			most[pc] = max(most[pc], most[op.Target])
		}
		most[pc] += count[pc]
	}
	return max(0, most[0])
}

// stores is how often thread t may store to a location; to any of them, at -1.
func (p *program) stores(t, loc int) int {
	return p.longest(t, func(s *statement) bool {
		return s.kind == store && (loc < 0 || slices.Contains(s.locs, loc))
	})
}

// writes is how often all threads together may write a location; any of them, at -1.
func (p *program) writes(loc int) int {
	n := 0
	for t := range p.threads {
		n += p.longest(t, func(s *statement) bool {
			return s.writesMemory() && (loc < 0 || slices.Contains(s.locs, loc))
		})
	}
	return n
}

// stored lists the locations that thread t may store to.
func (p *program) stored(t int) []int {
	var out []int
	for _, s := range p.threads[t] {
		if s.kind == store {
			out = append(out, s.locs...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// epochs counts what thread t has that keeps stores from overtaking stores under PSO.
func (p *program) epochs(t int) int {
	n := 0
	for _, s := range p.threads[t] {
		if s.label >= 0 && s.kind == fence && s.fence.writeWrite && !s.fence.drains(true) {
			n++
		}
		if s.kind == store && s.access.release {
			n++
		}
		if s.kind == store && s.access.acquire {
			n++
		}
	}
	return n
}

func overlap(a, b []int) bool {
	return slices.ContainsFunc(a, func(x int) bool { return slices.Contains(b, x) })
}
