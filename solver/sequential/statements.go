package sequential

import (
	"math/bits"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
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
)

func (k kind) String() string {
	return [...]string{"load", "store", "update", "fence", "choice"}[k]
}

// statement is a step of a thread that others may see. It is executed where guard is
// true, in one of the rounds.
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

// synced tells whether RCsc acquires wait for the store, or the load for RCsc releases.
func (s *statement) synced() bool {
	return s.access.rcsc && (s.kind == store && s.access.release || s.kind == load && s.access.acquire)
}

// writesMemory tells whether s may change a location.
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
	count     int                       // statements so far
	tags      int                       // writes so far
	reserved  map[symbolic.Site]sat.Vec // by exclusive load: the tag that it has read
	err       error
}

// cell is what is known of a location beforehand.
type cell struct {
	known symbolic.Known
	bits  int // of a payload: the value's and the tag's
}

// newProgram runs the threads of an unrolled program over circuits. The visible
// statements get labels.
func newProgram(p *ir.Program, visible func(*statement) bool) (*program, error) {
	s, err := symbolic.Observe(p, true)
	if err != nil {
		return nil, err
	}
	out := &program{
		Program: p, circuit: sat.NewCircuit(), threads: make([][]*statement, len(p.Threads)),
		regs: make([][]sat.Vec, len(p.Threads)), cells: make([]cell, len(p.Locs)),
		wild: sat.False, bound: sat.False,
		structure: s, visible: visible, reserved: map[symbolic.Site]sat.Vec{},
	}
	out.survey()
	for t := range p.Threads {
		symbolic.Walk[sat.Vec](p, symbolic.Circuits{Circuit: out.circuit}, out, t)
	}
	for _, l := range out.assumed {
		out.circuit.Assert(l, out.bound)
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
	for l := range p.cells {
		p.cells[l].bits = p.Locs[l].Bits + p.tagBits
	}
}

// A payload is what memories keep for a location: its value and, where the program has
// store-conditionals, a tag that tells the write apart from all others. A
// store-conditional may succeed where memory has what the exclusive load has read.

// initial is the payload of a location before anything is written.
func (p *program) initial(loc int) sat.Vec {
	return sat.ConstVec(p.Locs[loc].Init, p.cells[loc].bits)
}

// payload is what s writes to a location.
func (p *program) payload(s *statement, loc int) sat.Vec {
	return append(p.settle(s.write, p.cells[loc].known), sat.ConstVec(uint64(s.tag), p.tagBits)...)
}

// settle makes the bits of v constant that are known.
func (p *program) settle(v sat.Vec, known symbolic.Known) sat.Vec {
	out := make(sat.Vec, len(v), len(v)+p.tagBits)
	for i := range v {
		out[i] = v[i]
		if known.Mask>>i&1 == 1 {
			out[i] = sat.Const(known.Value>>i&1 == 1)
		}
	}
	return out
}

// The methods below implement symbolic.Memory.

func (p *program) add(site symbolic.Site, k kind, guard sat.Vec) *statement {
	s := &statement{Site: site, kind: k, id: p.count, label: -1, guard: guard[0], writes: sat.True, succeeds: sat.False}
	p.count++
	p.threads[site.Thread] = append(p.threads[site.Thread], s)
	return s
}

// place gives s its label, once all is known that visible asks for.
func (p *program) place(s *statement) {
	if !p.visible(s) {
		return
	}
	s.label = 0
	for _, before := range p.threads[s.Thread] {
		if before != s && before.label >= 0 {
			s.label++
			s.tied = before.kind == fence && before.guard == s.guard && s.kind != store
		}
	}
}

// access finds out what s may touch.
func (p *program) access(s *statement, addr sat.Vec) *symbolic.Event {
	e := p.reach(s, addr)
	if s.writesMemory() {
		p.tags++
		s.tag = p.tags
	}
	p.place(s)
	return e
}

// reach finds out what locations an address is of, and whether of none.
func (p *program) reach(s *statement, addr sat.Vec) *symbolic.Event {
	e := &p.structure.Events[p.structure.First[s.Thread][s.Step]]
	s.locs = e.Locs
	hit := sat.False
	for _, l := range s.locs {
		at := p.circuit.EqualVec(addr, sat.ConstVec(p.Locs[l].Address, len(addr)))
		s.at = append(s.at, at)
		hit = p.circuit.Or(hit, at)
	}
	p.wild = p.circuit.Or(p.wild, p.circuit.And(s.guard, hit.Not()))
	return e
}

// returned is what a read finds, a variable where that is not known, with a tag.
func (p *program) returned(known symbolic.Known) sat.Vec {
	v := make(sat.Vec, known.Bits+p.tagBits)
	for i := range v {
		if i < known.Bits && known.Mask>>i&1 == 1 {
			v[i] = sat.Const(known.Value>>i&1 == 1)
		} else {
			v[i] = p.circuit.Var()
		}
	}
	return v
}

// Load implements symbolic.Memory.
func (p *program) Load(site symbolic.Site, op ir.Load, guard, addr sat.Vec, _ symbolic.Deps[sat.Vec]) sat.Vec {
	s := p.add(site, load, guard)
	s.access = accessOf(op.Tags)
	s.read = p.returned(p.access(s, addr).Known)
	if op.Reserve {
		p.reserved[site] = s.read[op.Bits:]
	}
	return s.read[:op.Bits]
}

// Store implements symbolic.Memory.
func (p *program) Store(site symbolic.Site, op ir.Store, guard, addr, value sat.Vec, _ symbolic.Deps[sat.Vec]) {
	s := p.add(site, store, guard)
	s.access = accessOf(op.Tags)
	p.access(s, addr)
	s.write = value
}

// RMW implements symbolic.Memory.
func (p *program) RMW(site symbolic.Site, op ir.RMW, guard, addr sat.Vec, next func(sat.Vec) (sat.Vec, sat.Vec, []symbolic.Source[sat.Vec]), _ symbolic.Deps[sat.Vec]) sat.Vec {
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
func (p *program) StoreCond(site symbolic.Site, op ir.StoreCond, guard, addr, value sat.Vec, pairs []symbolic.Reservation[sat.Vec], _ symbolic.Deps[sat.Vec]) sat.Vec {
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
	known := p.cells[s.locs[0]].known
	for _, l := range s.locs[1:] {
		known = known.Join(p.cells[l].known)
	}
	s.read = p.returned(known)
	var intact []sat.Lit
	for _, pair := range pairs {
		p.refuseWritesBetween(pair.Read, s)
		intact = append(intact, c.And(pair.Cond[0], c.EqualVec(pair.Addr, addr), c.EqualVec(p.reserved[pair.Read], s.read[len(value):])))
	}
	c.Assert(guard[0].Not(), s.succeeds.Not(), c.Or(intact...))
	return sat.Vec{s.succeeds}
}

// refuseWritesBetween fails where the thread may write the location of a reservation
// itself before its store-conditional comes: the tag in memory would then be another.
func (p *program) refuseWritesBetween(from symbolic.Site, s *statement) {
	for _, between := range p.threads[s.Thread] {
		if between.Step <= from.Step || between.Step >= s.Step || !between.writesMemory() || !overlap(between.locs, s.locs) {
			continue
		}
		if p.err == nil {
			code := p.Threads[s.Thread]
			p.err = litmus.Errorf(code.Source[code.Code[between.Step].Source].Pos,
				"P%d may write between an exclusive load and its store-conditional to the same location here: the sequential engines cannot say whether the latter succeeds; use another engine", code.ID)
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
func (p *program) Assume(_ symbolic.Site, guard, cond sat.Vec) {
	p.assumed = append(p.assumed, p.circuit.Or(guard[0].Not(), cond[0]))
}

// Unwound implements symbolic.Memory.
func (p *program) Unwound(_ symbolic.Site, op ir.Unwound, guard sat.Vec) {
	if op.Spin {
		p.assumed = append(p.assumed, guard[0].Not())
		return
	}
	p.bound = p.circuit.Or(p.bound, guard[0])
}

// End implements symbolic.Memory.
func (p *program) End(t int, regs []sat.Vec) { p.regs[t] = regs }

// drains tells whether a fence waits until nothing of its thread waits. Under TSO one
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
	const never = -1 << 30
	most := make([]int, len(code)+1) // from a step on; all jumps go forward
	for pc := len(code) - 1; pc >= 0; pc-- {
		most[pc] = most[pc+1]
		switch op := code[pc].Op.(type) {
		case ir.Unwound:
			most[pc] = never
		case ir.Branch:
			if op.Cond == nil {
				most[pc] = never
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

// labels is the number of visible statements of a thread.
func (p *program) labels(t int) int {
	n := 0
	for _, s := range p.threads[t] {
		if s.label >= 0 {
			n++
		}
	}
	return n
}

func overlap(a, b []int) bool {
	return slices.ContainsFunc(a, func(x int) bool { return slices.Contains(b, x) })
}
