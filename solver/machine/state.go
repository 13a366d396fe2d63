package machine

import (
	"encoding/binary"
	"slices"

	"litmuscope/litmus/ir"
)

// state is a machine at rest between two steps. Every cursor points to its thread's next visible action, or to the end.
type state struct {
	memory  []uint64 // by Program.Locs
	threads []thread
	inside  int // the thread that is in an atomic section; -1 for none

	*layout
	written []bool // by Program.Locs, with a layout
}

type thread struct {
	*ir.Cursor
	buffer buffer
	// intact says, by piece of the cursor's reservation, whether a store-conditional may succeed on it:
	// where all are 0; not yet above, when the store that the exclusive load read is still
	// pending, as that number of the thread's stores to the location. It is nil where another thread has
	// written to one of them since what the load read, and without a reservation.
	intact []int
	round  []glimpse // with a layout that has rounds: what the present one has read
}

// glimpse is what a step has read or stored; or, with no location, that an update has failed there for no reason.
type glimpse struct {
	step, loc, bits int
	value           uint64
}

// buffer has a thread's pending stores in the order of their issue, which is the order of each location's queue too.
// All its fields are zero when nothing is pending, so that equal buffers have equal encodings.
type buffer struct {
	stores []store
	// barrier: a store-store fence stands after the newest store.
	barrier bool
}

type store struct {
	loc, bits int
	value     uint64
	marks     marks
}

// marks say what waits for what.
type marks uint8

const (
	behind  marks = 1 << iota // a store-store fence stands before it; never set on the oldest
	last                      // a release: it reaches memory after all before it; never set on the oldest
	first                     // an acquire: it reaches memory before all after it
	awaited                   // loads wait until it is in memory
	synced                    // RCsc acquires do

	marksBits = 5
)

func (b *buffer) empty() bool { return len(b.stores) == 0 }

// push issues a store. TSO's queue is in order anyway.
func (b *buffer) push(k Kind, a ir.Action) {
	tags := a.Tags
	var m marks
	if k == PSO && b.barrier {
		m |= behind
	}
	if k == PSO && tags.Has(ir.TagRelease) && !b.empty() {
		m |= last
	}
	if tags.Has(ir.TagAcquire) {
		m |= first | awaited
	}
	if tags.Has(ir.TagRelease) && tags.Has(ir.TagRCsc) {
		m |= synced
	}
	b.stores = append(b.stores, store{a.Loc, a.Bits, a.Value, m})
	b.barrier = false
}

// delays reports whether a load with these tags has to wait for flushes.
func (b *buffer) delays(tags ir.Tags) bool {
	if tags.Has(ir.TagRelease) {
		return !b.empty()
	}
	wait := awaited
	if tags.Has(ir.TagAcquire) && tags.Has(ir.TagRCsc) {
		wait |= synced
	}
	return slices.ContainsFunc(b.stores, func(s store) bool { return s.marks&wait != 0 })
}

// await makes loads wait until all pending stores are in memory.
func (b *buffer) await() {
	for i := range b.stores {
		b.stores[i].marks |= awaited
	}
}

// newest finds the store that forwards its value to a load of a cell, which of its pieces does, and the value; -1 for
// none.
func (b *buffer) newest(p *ir.Program, cell int) (i, piece int, value uint64) {
	for i := len(b.stores) - 1; i >= 0; i-- {
		if k, q := covers(p, b.stores[i].loc, b.stores[i].bits, cell); k >= 0 {
			return i, k, q.In(b.stores[i].value)
		}
	}
	return -1, 0, 0
}

// flushable calls f with the index of each store that may go to memory next.
func (b *buffer) flushable(p *ir.Program, k Kind, f func(i int)) {
	for i, s := range b.stores {
		switch {
		case i == 0:
			f(0)
		case k == TSO || s.marks&behind != 0:
			return
		case s.marks&last == 0 && !b.pendingBefore(p, i):
			f(i)
		}
	}
}

// pendingBefore reports whether one of the first i stores must reach memory before the next: an acquire, or one that it
// overlaps.
func (b *buffer) pendingBefore(p *ir.Program, i int) bool {
	next := b.stores[i]
	return slices.ContainsFunc(b.stores[:i], func(s store) bool {
		return s.marks&first != 0 || overlap(p, s.loc, s.bits, next.loc, next.bits)
	})
}

func (b *buffer) remove(i int) store {
	s := b.stores[i]
	b.stores = append(b.stores[:i], b.stores[i+1:]...)
	if b.empty() {
		b.barrier = false
	} else {
		b.stores[0].marks &^= behind | last
	}
	return s
}

func newState(p *ir.Program) *state {
	s := &state{memory: make([]uint64, len(p.Locs)), threads: make([]thread, len(p.Threads)), inside: -1}
	for i, l := range p.Locs {
		s.memory[i] = l.Init & ir.Mask(l.Bits)
	}
	for t := range s.threads {
		s.threads[t].Cursor = ir.NewCursor(p, t, false)
	}
	return s
}

// state is the initial one of the layout's program, or of p where there is no layout.
func (l *layout) state(p *ir.Program) *state {
	s := newState(p)
	if l != nil {
		s.layout, s.written = l, make([]bool, len(p.Locs))
	}
	return s
}

// set makes s equal to from, a state of the same program, in the memory s has.
func (s *state) set(from *state) {
	copy(s.memory, from.memory)
	copy(s.written, from.written)
	s.inside = from.inside
	for t := range s.threads {
		to, th := &s.threads[t], &from.threads[t]
		to.PC, to.Reserved, to.ReservedBits = th.PC, th.Reserved, th.ReservedBits
		to.intact = append(to.intact[:0], th.intact...)
		copy(to.Regs, th.Regs)
		to.buffer.barrier = th.buffer.barrier
		to.buffer.stores = append(to.buffer.stores[:0], th.buffer.stores...)
		to.round = append(to.round[:0], th.round...)
	}
}

// encode appends s to key. Equal states, and only they, have equal encodings.
func (s *state) encode(key []byte) []byte {
	for _, v := range s.memory {
		key = binary.AppendUvarint(key, v)
	}
	if s.layout != nil {
		key = s.encodeMore(key)
	}
	for t := range s.threads {
		th := &s.threads[t]
		key = binary.AppendUvarint(key, uint64(th.PC+1))
		if s.layout == nil {
			for _, v := range th.Regs {
				key = binary.AppendUvarint(key, v)
			}
		} else {
			for _, r := range s.registers(t, th.PC) {
				key = binary.AppendUvarint(key, th.Regs[r])
			}
		}
		key = binary.AppendUvarint(key, uint64(th.Reserved+1))
		if th.Program.Split && th.Reserved >= 0 {
			key = binary.AppendUvarint(key, uint64(th.ReservedBits))
		}
		key = binary.AppendUvarint(key, uint64(len(th.intact)))
		for _, n := range th.intact {
			key = binary.AppendUvarint(key, uint64(n))
		}
		b := &th.buffer
		key = binary.AppendUvarint(key, uint64(len(b.stores)))
		if b.empty() {
			continue
		}
		key = append(key, 0)
		if b.barrier {
			key[len(key)-1] = 1
		}
		for _, st := range b.stores {
			key = binary.AppendUvarint(key, uint64(st.loc)<<marksBits|uint64(st.marks))
			if th.Program.Split {
				key = binary.AppendUvarint(key, uint64(st.bits))
			}
			key = binary.AppendUvarint(key, st.value)
		}
	}
	return key
}

// decode makes s the state that key encodes.
func (s *state) decode(key []byte) {
	next := func() uint64 {
		v, n := binary.Uvarint(key)
		key = key[n:]
		return v
	}
	for i := range s.memory {
		s.memory[i] = next()
	}
	if s.layout != nil {
		s.decodeMore(next)
	}
	for t := range s.threads {
		th := &s.threads[t]
		th.PC = int(next()) - 1
		if s.layout == nil {
			for i := range th.Regs {
				th.Regs[i] = next()
			}
		} else {
			for _, r := range s.registers(t, th.PC) {
				th.Regs[r] = next()
			}
		}
		th.Reserved, th.ReservedBits, th.intact = int(next())-1, 0, th.intact[:0]
		if th.Program.Split && th.Reserved >= 0 {
			th.ReservedBits = int(next())
		}
		for n := next(); n > 0; n-- {
			th.intact = append(th.intact, int(next()))
		}
		b := &th.buffer
		b.stores, b.barrier = b.stores[:0], false
		n := int(next())
		if n == 0 {
			continue
		}
		b.barrier = next() == 1
		for range n {
			at := next()
			st := store{loc: int(at >> marksBits), marks: marks(at & (1<<marksBits - 1))}
			if th.Program.Split {
				st.bits = int(next())
			}
			st.value = next()
			b.stores = append(b.stores, st)
		}
	}
}

// encodeMore appends what tests have no use for.
func (s *state) encodeMore(key []byte) []byte {
	key = binary.AppendUvarint(key, uint64(s.inside+1))
	for _, loc := range s.any {
		written := byte(0)
		if s.written[loc] {
			written = 1
		}
		key = append(key, written)
	}
	for t := range s.threads {
		round := s.threads[t].round
		key = binary.AppendUvarint(key, uint64(len(round)))
		for _, r := range round {
			key = binary.AppendUvarint(key, uint64(r.step))
			key = binary.AppendUvarint(key, uint64(r.loc))
			key = binary.AppendUvarint(key, uint64(r.bits))
			key = binary.AppendUvarint(key, r.value)
		}
	}
	return key
}

// decodeMore reads it.
func (s *state) decodeMore(next func() uint64) {
	s.inside = int(next()) - 1
	for _, loc := range s.any {
		s.written[loc] = next() == 1
	}
	for t := range s.threads {
		th := &s.threads[t]
		th.round = th.round[:0]
		for n := next(); n > 0; n-- {
			th.round = append(th.round, glimpse{int(next()), int(next()), int(next()), next()})
		}
	}
}

// write puts a value of thread t into memory, which breaks the other threads' reservations of the cells.
func (s *state) write(t, loc, bits int, v uint64) {
	p := s.threads[t].Program
	if whole(p, loc, bits) {
		s.writeCell(t, loc, v)
		return
	}
	for _, q := range piecesOf(p, loc, bits) {
		s.writeCell(t, q.Loc, q.In(v))
	}
}

func (s *state) writeCell(t, cell int, v uint64) {
	s.memory[cell] = v
	if s.layout != nil {
		s.written[cell] = true
	}
	for u := range s.threads {
		if th := &s.threads[u]; u != t && len(th.intact) > 0 {
			if k, _ := covers(th.Program, th.Reserved, th.ReservedBits, cell); k >= 0 && th.intact[k] == 0 {
				th.intact = th.intact[:0]
			}
		}
	}
}

// reserve records the write that an exclusive load's reservation depends on.
func (th *thread) reserve(a ir.Action) {
	th.intact = th.intact[:0]
	for _, q := range piecesOf(th.Program, a.Loc, a.Bits) {
		pending := 0
		for _, e := range th.buffer.stores {
			if k, _ := covers(th.Program, e.loc, e.bits, q.Loc); k >= 0 {
				pending++
			}
		}
		th.intact = append(th.intact, pending)
	}
}

// flushed tells a reservation that a store of its own thread is in memory.
func (th *thread) flushed(e store) {
	for k := range th.intact {
		q := piecesOf(th.Program, th.Reserved, th.ReservedBits)[k]
		if on, _ := covers(th.Program, e.loc, e.bits, q.Loc); on >= 0 && th.intact[k] > 0 {
			th.intact[k]--
		}
	}
}

// holds reports whether a store-conditional may succeed on the thread's reservation.
func (th *thread) holds() bool {
	return len(th.intact) > 0 && !slices.ContainsFunc(th.intact, func(n int) bool { return n > 0 })
}

// final gives the observed part of a state.
func (s *state) final(p *ir.Program) ir.State {
	out := make(ir.State, len(p.Observed))
	for i, o := range p.Observed {
		v := uint64(0)
		if o.Thread >= 0 {
			v = s.threads[o.Thread].Regs[o.Index]
		} else {
			v = s.valueAt(p, o.Index, o.Bits)
		}
		out[i] = v & ir.Mask(o.Bits)
	}
	return out
}
