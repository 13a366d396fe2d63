package machine

import (
	"encoding/binary"

	"litmuscope/litmus/ir"
)

// state is a machine at rest between two steps. Every cursor stands at its
// thread's next visible action, or at the end.
type state struct {
	memory  []uint64 // by Program.Locs
	threads []thread
}

type thread struct {
	*ir.Cursor
	buffer buffer
	// intact says whether a store-conditional may succeed on the cursor's
	// reservation: at 0; not at -1, when another thread has written to the location
	// since what the exclusive load read; not yet above, when that store is still
	// pending, as number intact of the thread's stores to the location.
	intact int
}

// buffer holds a thread's pending stores in the order they were issued, which is
// the order of each location's queue too. All its fields are zero when nothing is
// pending, so that equal buffers have equal encodings.
type buffer struct {
	stores []store
	// barrier: a store-store fence stands after the newest store.
	barrier bool
	// awaited: loads wait until the oldest so many stores have been flushed.
	awaited int
}

type store struct {
	loc     int
	value   uint64
	barrier bool // a store-store fence stands before it; never set on the oldest
}

func (b *buffer) empty() bool { return len(b.stores) == 0 }

func (b *buffer) push(loc int, value uint64) {
	b.stores = append(b.stores, store{loc, value, b.barrier})
	b.barrier = false
}

// newest finds the store that a load of loc is forwarded from.
func (b *buffer) newest(loc int) (i int, ok bool) {
	for i := len(b.stores) - 1; i >= 0; i-- {
		if b.stores[i].loc == loc {
			return i, true
		}
	}
	return -1, false
}

// flushable calls f with the index of each store that may go to memory next.
func (b *buffer) flushable(k Kind, f func(i int)) {
	for i, s := range b.stores {
		switch {
		case i == 0:
			f(0)
		case k == TSO || s.barrier:
			return
		case !b.pendingBefore(i, s.loc):
			f(i)
		}
	}
}

func (b *buffer) pendingBefore(i, loc int) bool {
	for _, s := range b.stores[:i] {
		if s.loc == loc {
			return true
		}
	}
	return false
}

func (b *buffer) remove(i int) store {
	s := b.stores[i]
	b.stores = append(b.stores[:i], b.stores[i+1:]...)
	if i < b.awaited {
		b.awaited--
	}
	if b.empty() {
		b.barrier = false
	} else {
		b.stores[0].barrier = false
	}
	return s
}

func newState(p *ir.Program) *state {
	s := &state{memory: make([]uint64, len(p.Locs)), threads: make([]thread, len(p.Threads))}
	for i, l := range p.Locs {
		s.memory[i] = l.Init & ir.Mask(l.Bits)
	}
	for t := range s.threads {
		s.threads[t].Cursor = ir.NewCursor(p, t, false)
		s.threads[t].intact = -1
	}
	return s
}

// set makes s equal to from, a state of the same program, in the memory s has.
func (s *state) set(from *state) {
	copy(s.memory, from.memory)
	for t := range s.threads {
		to, th := &s.threads[t], &from.threads[t]
		to.PC, to.Reserved, to.intact = th.PC, th.Reserved, th.intact
		copy(to.Regs, th.Regs)
		to.buffer.barrier, to.buffer.awaited = th.buffer.barrier, th.buffer.awaited
		to.buffer.stores = append(to.buffer.stores[:0], th.buffer.stores...)
	}
}

// encode appends s to key. Equal states, and only they, have equal encodings.
func (s *state) encode(key []byte) []byte {
	for _, v := range s.memory {
		key = binary.AppendUvarint(key, v)
	}
	for t := range s.threads {
		th := &s.threads[t]
		key = binary.AppendUvarint(key, uint64(th.PC))
		for _, v := range th.Regs {
			key = binary.AppendUvarint(key, v)
		}
		key = binary.AppendUvarint(key, uint64(th.Reserved+1))
		key = binary.AppendUvarint(key, uint64(th.intact+1))
		b := &th.buffer
		key = binary.AppendUvarint(key, uint64(len(b.stores)))
		if b.empty() {
			continue
		}
		key = binary.AppendUvarint(key, withFlag(b.awaited, b.barrier))
		for _, st := range b.stores {
			key = binary.AppendUvarint(key, withFlag(st.loc, st.barrier))
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
	for t := range s.threads {
		th := &s.threads[t]
		th.PC = int(next())
		for i := range th.Regs {
			th.Regs[i] = next()
		}
		th.Reserved, th.intact = int(next())-1, int(next())-1
		b := &th.buffer
		b.stores, b.barrier, b.awaited = b.stores[:0], false, 0
		n := int(next())
		if n == 0 {
			continue
		}
		b.awaited, b.barrier = splitFlag(next())
		for range n {
			loc, barrier := splitFlag(next())
			b.stores = append(b.stores, store{loc, next(), barrier})
		}
	}
}

func withFlag(n int, flag bool) uint64 {
	v := uint64(n) << 1
	if flag {
		v |= 1
	}
	return v
}

func splitFlag(v uint64) (n int, flag bool) { return int(v >> 1), v&1 == 1 }

// write puts a value of thread t into memory, which breaks the other threads'
// reservations of the location.
func (s *state) write(t, loc int, v uint64) {
	s.memory[loc] = v
	for u := range s.threads {
		if th := &s.threads[u]; u != t && th.Reserved == loc && th.intact == 0 {
			th.intact = -1
		}
	}
}

// reserve notes what the reservation of an exclusive load rests on.
func (th *thread) reserve(loc int) {
	th.intact = 0
	for _, e := range th.buffer.stores {
		if e.loc == loc {
			th.intact++
		}
	}
}

// final gives the observed part of a state.
func (s *state) final(p *ir.Program) ir.State {
	out := make(ir.State, len(p.Observed))
	for i, o := range p.Observed {
		v := uint64(0)
		if o.Thread >= 0 {
			v = s.threads[o.Thread].Regs[o.Index]
		} else {
			v = s.memory[o.Index]
		}
		out[i] = v & ir.Mask(o.Bits)
	}
	return out
}
