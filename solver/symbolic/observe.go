package symbolic

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/known"
	"litmuscope/models"
)

// Event is the known part of an event before any formula: one access or fence of the unrolled program.
type Event struct {
	Thread, Step int // models.InitThread and -1 for an initial write
	Kind         models.EventKind
	Tags         ir.Tags
	Locs         []int        // the locations it may touch
	Known        known.Number // the known part of the value that it reads or writes
	Partner      int          // the other half of an RMW operation, or -1
	// Of an access to several locations: which of its pieces it is, in the order of their events, of how many, and
	// where in its value. Wherever the access may be, its pieces are as wide.
	Piece, Pieces, Lo int
	Half              int // 1 for the second half of an access each of whose halves is single-copy atomic by itself
	// of a write: its value is the same whatever reads return, in models that let branches run ahead
	Fixed bool
}

// Structure lists the Events that a program may have, in the order of
// models.Execution: initial writes by location, then the threads in program order.
type Structure struct {
	Program *ir.Program // unrolled
	Events  []Event
	First   [][]int // by thread and step: its event, the read of an RMW; -1 for none
	// WildErrors has the accesses that can reach no location, and what is wrong with them: no execution comes to them,
	// or it is an error that one does.
	WildErrors map[Site]error
	// Addresses has the known part of the addresses of accesses with location lists, in any model: values are
	// well-founded, and an address is one, wherever it leads.
	Addresses map[Site]known.Number
}

// Access is the first piece of an event's access.
func (s *Structure) Access(event int) int { return event - s.Events[event].Piece }

// Observe runs the threads over known bits, again and again, until nothing changes what reads may return, and lists the
// Events.
//
// In a model without thin-air values, a chain of distinct writes with a computed value, address or presence leads to
// what a read returns, so as many rounds as such writes, plus one, cover every execution. In any other model, that
// holds for values only: a write may feed the branch or the address on which it depends itself. So branches and
// addresses do not wait for what reads return, and the rounds cover the chains of values. What a location holds may
// grow by one with each write; after long growth (the limit is patience, in walked steps), Observe widens every range
// that still grows, and treats all bits above an unknown one as unknown.
func Observe(p *ir.Program, forbidsThinAir bool, patience int) *Structure {
	o := &observer{p: p, ahead: !forbidsThinAir, locs: make([]known.Number, len(p.Locs))}
	for i, l := range p.Locs {
		o.locs[i] = initially(l)
	}
	steps := 0
	for _, t := range p.Threads {
		steps += len(t.Code)
	}
	for round := 0; ; round++ {
		o.round()
		stable := true
		for i := range o.locs {
			stable = stable && o.locs[i] == o.next[i]
		}
		if stable || round > o.computed {
			return o.s
		}
		for i := range o.locs {
			if round*steps > patience {
				o.next[i] = o.next[i].Loosened(o.locs[i])
			}
		}
		o.locs = o.next
	}
}

// How much patience there is with what grows by and by: some milliseconds, or as long as a large formula takes.
const (
	Quick   = 1 << 14
	Patient = 1 << 17
)

// round runs every thread once, and lists the events anew.
func (o *observer) round() {
	p := o.p
	o.next = append([]known.Number(nil), o.locs...)
	o.computed = 0
	o.s = &Structure{
		Program: p, First: make([][]int, len(p.Threads)), WildErrors: map[Site]error{},
		Addresses: map[Site]known.Number{},
	}
	for i, l := range p.Locs {
		o.add(Event{
			Thread: models.InitThread, Step: -1, Kind: models.Write, Locs: []int{i}, Known: initially(l), Tags: l.Tags,
		})
	}
	for t := range p.Threads {
		o.s.First[t] = make([]int, len(p.Threads[t].Code)+1)
		for i := range o.s.First[t] {
			o.s.First[t][i] = -1
		}
	}
	Walk[twofold](p, twofoldBits{}, o)
}

// initially is the known part of a location's initial value.
func initially(l ir.Location) known.Number {
	if l.Any {
		return known.Unknown(l.Bits)
	}
	return known.Of(l.Init, l.Bits)
}

// observer implements Memory over known bits.
type observer struct {
	p        *ir.Program
	ahead    bool // branches and addresses run ahead of what reads return
	s        *Structure
	locs     []known.Number // what a location may hold, as of the last round
	next     []known.Number
	computed int // writes whose value, address or presence depends on a read
}

func (o *observer) add(e Event) int {
	e.Partner = -1
	o.s.Events = append(o.s.Events, e)
	return len(o.s.Events) - 1
}

// touch lists, piece by piece, the locations that an access of a width, or of any at 0, may be to; at lists the
// locations that it can access, if the program says so.
func (o *observer) touch(s Site, to twofold, bits int, at ir.Locs) []piece {
	addr := to.regardless
	if at != nil {
		o.s.Addresses[s] = to.known
	}
	pieces := []piece{{bits: bits}}
	if bits > wordBits { // what it would be where it finds no location
		pieces = []piece{{bits: wordBits}, {lo: wordBits, bits: bits - wordBits}}
	}
	found, mixed := false, -1
	may := func(i int) {
		l := &o.p.Locs[i]
		if !addr.May(l.Address & ir.Mask(addr.Bits)) {
			return
		}
		if l.Bits == bits || bits == 0 {
			if !found || len(pieces) == 1 {
				pieces[0].locs, found = append(pieces[0].locs, i), true
				return
			}
			mixed = i
			return
		}
		spans, ok := o.p.Pieces(i, bits)
		switch {
		case !ok || o.p.Misaligned(i, bits):
			mixed = i
		case !found:
			found, pieces = true, nil
			for _, q := range spans {
				pieces = append(pieces, piece{locs: []int{q.Loc}, lo: q.Lo, bits: q.Bits})
			}
		case !slices.EqualFunc(pieces, spans,
			func(have piece, q ir.Piece) bool { return have.lo == q.Lo && have.bits == q.Bits }):
			mixed = i
		default:
			for k, q := range spans {
				pieces[k].locs = append(pieces[k].locs, q.Loc)
			}
		}
	}
	for _, i := range at {
		may(i)
	}
	if at == nil {
		for i := range o.p.Locs {
			may(i)
		}
	}
	if !found && at == nil { // else no execution comes here
		pos := position(o.p, s)
		if mixed >= 0 {
			l := o.p.Locs[mixed]
			if o.p.Misaligned(mixed, bits) {
				o.s.WildErrors[s] = litmus.Errorf(
					pos,
					"access of %d bits to %s: misaligned accesses are not supported",
					bits,
					l.Name,
				)
			} else {
				o.s.WildErrors[s] = litmus.Errorf(pos, "access of %d bits to %s, which has %d", bits, l.Name, l.Bits)
			}
		} else {
			o.s.WildErrors[s] = o.p.NoLocation(pos, &o.p.Threads[s.Thread], addr.Value)
		}
	}
	return pieces
}

// piece is what of an access is one event.
type piece struct {
	locs     []int
	lo, bits int
}

// of makes an event one of the pieces of an access.
func (e Event) of(pieces []piece, k int) Event {
	e.Locs, e.Lo = pieces[k].locs, pieces[k].lo
	if len(pieces) > 1 {
		e.Piece, e.Pieces = k, len(pieces)
	}
	return e
}

func position(p *ir.Program, s Site) litmus.Pos {
	t := &p.Threads[s.Thread]
	return t.Source[t.Code[s.Step].Source].Pos
}

// WildAccess says that an execution has an access that leaves the locations.
func (t *Structure) WildAccess(s Site) error {
	if err := t.WildErrors[s]; err != nil {
		return err
	}
	p := t.Program
	return litmus.Errorf(position(p, s), "P%d may access an address here that is not a location of the access's width",
		p.Threads[s.Thread].ID)
}

func (o *observer) read(
	s Site, addr twofold, bits int, tags ir.Tags, at ir.Locs,
) (e int, pieces []piece, v, behind twofold) {
	pieces = o.touch(s, addr, bits, at)
	e = len(o.s.Events)
	o.s.First[s.Thread][s.Step] = e
	values := make([]twofold, len(pieces))
	for k, q := range pieces {
		holds := known.Of(0, q.bits) // where there are no locations, which no execution comes to
		for i, l := range q.locs {
			if i == 0 {
				holds = o.locs[l]
			} else {
				holds = holds.Join(o.locs[l])
			}
		}
		o.add(Event{Thread: s.Thread, Step: s.Step, Kind: models.Read, Tags: tags, Known: holds}.of(pieces, k))
		values[k] = twofold{holds, holds.Bare()}
		if o.ahead {
			values[k].regardless = known.Unknown(q.bits)
		}
	}
	return e, pieces, joined(pieces, values, min(bits, wordBits), 0),
		joined(pieces, values, min(bits, wordBits), wordBits)
}

// wordBits are those of one value; an access of more has two.
const wordBits = 64

// joined is the value of an access from a bit on, from its pieces'.
func joined(pieces []piece, values []twofold, bits, from int) twofold {
	if len(pieces) == 1 {
		return values[0]
	}
	dom := twofoldBits{}
	out := dom.constant(0, bits)
	for k, q := range pieces {
		if q.lo < from || q.lo >= from+bits {
			continue
		}
		wide := dom.extend(values[k], bits, false)
		out = dom.binary(ir.BitOr, out, dom.binary(ir.Shl, wide, dom.constant(uint64(q.lo-from), bits)))
	}
	return out
}

// write adds a write of a value, and of what is behind that where it has 128 bits.
func (o *observer) write(s Site, pieces []piece, v, behind twofold, tags ir.Tags) int {
	first := len(o.s.Events)
	for k, q := range pieces {
		part := v
		if q.lo >= wordBits {
			part = twofoldBits{}.extract(behind, q.lo-wordBits, q.bits)
		} else if len(pieces) > 1 {
			part = twofoldBits{}.extract(v, q.lo, q.bits)
		}
		for _, l := range q.locs {
			o.next[l] = o.next[l].Join(part.known)
		}
		if !part.known.Constant() || len(q.locs) > 1 || !always(o.p, s) {
			o.computed++
		}
		o.add(Event{
			Thread: s.Thread, Step: s.Step, Kind: models.Write, Tags: tags,
			Known: part.known, Fixed: part.regardless.Constant(),
		}.of(pieces, k))
	}
	return first
}

// always reports whether every run of the program executes a step's write: no branch comes before it in a thread that
// runs from the start, and it is no conditional write. What stops a thread is as good as passed here.
func always(p *ir.Program, s Site) bool {
	code := p.Threads[s.Thread].Code
	for _, before := range code[:s.Step] {
		if _, branch := before.Op.(ir.Branch); branch {
			return false
		}
	}
	switch op := code[s.Step].Op.(type) {
	case ir.RMW:
		return op.If == nil
	case ir.StoreCond:
		return false
	}
	return !p.Threads[s.Thread].Spawned
}

// Load implements Memory: it records the read and returns the known part of its value.
func (o *observer) Load(s Site, op ir.Load, _, addr twofold, _ Deps[twofold]) (v, behind twofold) {
	e, pieces, v, behind := o.read(s, addr, op.Bits, op.Tags, op.At)
	if op.Bits > wordBits {
		taken := e
		for k, q := range pieces {
			if op.Apart && q.lo >= wordBits {
				o.s.Events[e+k].Half = 1
				if taken == e {
					taken = e + k
				}
			}
		}
		o.s.First[s.Thread][s.Step+1] = taken // of the Take behind it
	}
	return v, behind
}

// Store implements Memory.
func (o *observer) Store(s Site, op ir.Store, _, addr, value, behind twofold, _ Deps[twofold]) {
	_, bits := ir.Access(op)
	o.s.First[s.Thread][s.Step] = o.write(s, o.touch(s, addr, bits, op.At), value, behind, op.Tags)
}

// RMW implements Memory: it records the read and the write, and returns the known part of the value that it read.
func (o *observer) RMW(
	s Site, op ir.RMW, _, addr twofold, next func(twofold) (twofold, twofold, Deps[twofold]), _ Deps[twofold],
) twofold {
	r, pieces, old, _ := o.read(s, addr, op.Bits, op.Tags, op.At)
	if v, writes, _ := next(old); !writes.regardless.Constant() || writes.regardless.Value == 1 {
		w := o.write(s, pieces, v, twofold{}, op.WriteTags)
		for k := range pieces {
			o.s.Events[r+k].Partner, o.s.Events[w+k].Partner = w+k, r+k
		}
	}
	return old
}

// StoreCond implements Memory: it fails without a reservation, else both is possible.
func (o *observer) StoreCond(
	s Site, op ir.StoreCond, _, addr, value, behind twofold, pairs []Reservation[twofold], _ Deps[twofold],
) twofold {
	_, bits := ir.Access(op)
	pieces := o.touch(s, addr, bits, op.At)
	if len(pairs) == 0 {
		return twofoldBits{}.constant(0, 1)
	}
	o.s.First[s.Thread][s.Step] = o.write(s, pieces, value, behind, op.Tags)
	return o.either()
}

// either is one unknown bit.
func (o *observer) either() twofold { return twofold{known.Unknown(1), known.Unknown(1)} }

// Fence implements Memory. If a step represents an access outside of all locations, it is an error at its line.
func (o *observer) Fence(s Site, op ir.Fence, _, addr twofold, _ Deps[twofold]) {
	e := Event{Thread: s.Thread, Step: s.Step, Kind: models.Fence, Tags: op.Tags}
	if _, lost := o.p.Threads[s.Thread].Code[s.Step].Op.(ir.Lost); lost {
		to := ""
		if v := addr.regardless; v.Constant() {
			to = o.p.FormatValue(v.Value, v.Bits, false)
		}
		o.s.WildErrors[s] = o.p.LostError(&o.p.Threads[s.Thread], s.Step, to)
	} else if op.Addr != nil {
		e.Locs = o.touch(s, addr, 0, nil)[0].locs
	}
	o.s.First[s.Thread][s.Step] = o.add(e)
}

// Choose implements Memory: the choice is unknown.
func (o *observer) Choose(Site, twofold) twofold { return o.either() }

// goesOn: engines that build formulas check whether a thread stops somewhere.
func (o *observer) goesOn() twofold { return twofoldBits{}.constant(1, 1) }

// Assume implements Memory.
func (o *observer) Assume(Site, twofold, twofold, []Source[twofold]) twofold { return o.goesOn() }

// Asserted implements Memory.
func (o *observer) Asserted(Site, ir.Assert, twofold, twofold) twofold { return o.goesOn() }

func (o *observer) barrier(s Site) {
	tags := models.BarrierTags(o.p.Threads[s.Thread].Code[s.Step].Op)
	o.s.First[s.Thread][s.Step] = o.add(Event{Thread: s.Thread, Step: s.Step, Kind: models.Fence, Tags: tags})
}

// Spawn implements Memory: a spawn is an event that program order passes through.
func (o *observer) Spawn(s Site, _ ir.Spawn, _ twofold, _ Deps[twofold]) { o.barrier(s) }

// Join implements Memory.
func (o *observer) Join(s Site, _ ir.Join, _ twofold, _ Deps[twofold]) twofold {
	o.barrier(s)
	return o.goesOn()
}

// Atomic implements Memory.
func (o *observer) Atomic(s Site, _ ir.Atomic, _ twofold, _ Deps[twofold]) twofold {
	o.barrier(s)
	return o.goesOn()
}

// Unwound implements Memory.
func (o *observer) Unwound(Site, ir.Unwound, twofold) {}

// End implements Memory.
func (o *observer) End(int, twofold, []twofold) {}
