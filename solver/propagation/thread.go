package propagation

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/operational"
)

// The kinds of instructions, by their short names here.
const (
	reads  = operational.Read
	writes = operational.Write
	fences = operational.Fence
)

// A thread's instructions are those on one path through its code. If a branch or an address depends on a read without a
// value yet, the thread guesses: the search tries each guess, and drops those that turn out wrong. So a read is
// executed at most once on each path, at the moment that counts: the machine of the paper, which restarts reads,
// reaches the same states.

// write names a write: the index of the thread and of its instruction there; initial is the initial value.
type write struct{ thread, number int }

var (
	initial = write{-1, 0}
	none    = write{-2, 0}
)

// instruction is an access or a fence of a thread.
type instruction struct {
	kind operational.Kind
	ir.Action
	barrier barrier // of a fence
	known   bool    // the value of a write is
	pair    int     // of a store-conditional: the read that reserves; else -1
}

// source is what a register's value comes from: a read, a choice among values, or a store-conditional.
type source struct {
	instruction int   // -1 for none
	after       []int // of a choice among values: sources
}

// thread is the state of a thread. It does not change once it is part of a state.
type thread struct {
	guesses []ir.Guess
	bits    []uint64 // the outcomes of store-conditionals and choices, in program order
	from    []write  // by instruction that is a read: its write; none before it has one
	skips   []write  // by instruction that is a read: the write that it does not take, though it could
	done    []bool   // by instruction: a write or fence that is committed

	// What follows from these, found by advance.
	code    []instruction
	sources []source
	inputs  []uint64 // of replay.Replay
	regs    []uint64
	stop    ir.Action // at the end
}

// clone returns a copy that may change.
func (th *thread) clone() *thread {
	c := *th
	c.from, c.skips, c.done = slices.Clone(th.from), slices.Clone(th.skips), slices.Clone(th.done)
	c.guesses, c.bits = slices.Clip(th.guesses), slices.Clip(th.bits)
	return &c
}

// advance finds the instructions of a thread, as far as they are determined.
func (s *search) advance(st *State, t int, th *thread) error {
	c := ir.NewCursor(s.program, t, true)
	c.Ahead()
	c.Take(th.guesses)
	th.code, th.sources, th.inputs = nil, nil, nil
	bits := th.bits
	add := func(kind operational.Kind, a ir.Action) int {
		th.code = append(th.code, instruction{kind: kind, Action: a, known: len(a.Wants) == 0, pair: -1})
		if n := len(th.code); n > len(th.done) {
			th.from, th.skips = append(th.from, none), append(th.skips, none)
			th.done = append(th.done, false)
		}
		return len(th.code) - 1
	}
	for {
		a, err := c.Next()
		if err != nil {
			return err
		}
		th.stop, th.regs = a, c.Regs
		switch a.Kind {
		case ir.ActLoad:
			n := add(reads, a)
			th.sources = append(th.sources, source{instruction: n})
			value := uint64(0)
			if th.from[n] != none {
				value = s.value(st, a.Loc, th.from[n], t, th)
			}
			th.inputs = append(th.inputs, value)
			c.ReadAhead(value, th.from[n] != none, true)
		case ir.ActStore:
			add(writes, a)
			c.Pass()
		case ir.ActFence:
			n := add(fences, a)
			th.code[n].barrier = newBarrier(a.Tags, s.rules)
			c.Pass()
		case ir.ActPick:
			th.sources = append(th.sources, source{-1, a.Deps.Data})
			c.Pass()
		case ir.ActStoreCond, ir.ActChoose:
			if len(bits) == 0 {
				return nil
			}
			bit := bits[0]
			bits = bits[1:]
			th.inputs = append(th.inputs, bit)
			if a.Kind == ir.ActChoose {
				c.Choose(bit == 1)
				continue
			}
			from := source{instruction: -1}
			if bit == 1 {
				if a.Reserved < 0 {
					th.stop = ir.Action{Kind: ir.ActRefuted}
					return nil
				}
				from.instruction = add(writes, a)
				th.code[from.instruction].pair = th.sources[a.Reserved].instruction
			}
			th.sources = append(th.sources, from)
			c.Conditional(bit == 1)
		default:
			return nil
		}
	}
}

// ended reports whether all instructions of a thread are known.
func (th *thread) ended() bool { return th.stop.Kind == ir.ActEnd || th.stop.Kind == ir.ActUnwound }

// has reports whether the values of sources are known.
func (th *thread) has(sources []int) bool {
	for _, n := range sources {
		switch src := th.sources[n]; {
		case src.after != nil && !th.has(src.after):
			return false
		case src.instruction >= 0 && th.code[src.instruction].kind == reads && th.from[src.instruction] == none:
			return false
		case src.instruction >= 0 && th.code[src.instruction].kind == writes && !th.done[src.instruction]:
			return false
		}
	}
	return true
}

// committed returns which instructions of a thread cannot change any more: fences and writes that have been committed,
// and reads that have taken their value for good. No step commits a read: nothing prevents it once it can.
func (s *search) committed(st *State, t int, th *thread) []bool {
	out := make([]bool, len(th.code))
	addresses := true // of all earlier accesses
	fenced := true    // all earlier fences that order reads are committed
	for i := range th.code {
		in := &th.code[i]
		switch in.kind {
		case fences:
			out[i] = s.fenceOver(st, t, th, i, out)
			if in.barrier.readsAfter || in.barrier.branch {
				fenced = fenced && out[i]
			}
			continue
		case writes:
			out[i] = th.done[i]
		case reads:
			out[i] = th.from[i] != none && addresses && fenced && th.fixed(in.Deps.Addr, out) &&
				th.fixed(in.Deps.Ctrl, out) && s.earlierInPlace(th, i, out)
		}
		addresses = addresses && th.fixed(in.Deps.Addr, out)
	}
	return out
}

// fenceOver reports whether a fence lets later instructions pass.
func (s *search) fenceOver(st *State, t int, th *thread, i int, committed []bool) bool {
	b := th.code[i].barrier
	if b.branch && !th.fixed(th.code[i].Deps.Ctrl, committed) {
		return false
	}
	if !b.storage() {
		return true
	}
	return th.done[i] && (!b.strong || st.everywhere(write{t, i}))
}

// fixed reports whether sources are committed.
func (th *thread) fixed(sources []int, committed []bool) bool {
	for _, n := range sources {
		src := th.sources[n]
		if src.after != nil && !th.fixed(src.after, committed) || src.instruction >= 0 && !committed[src.instruction] {
			return false
		}
	}
	return true
}

// earlierInPlace reports whether the earlier accesses to the location of an access let it commit. If they need not be
// committed, a write still follows what keeps the location coherent.
func (s *search) earlierInPlace(th *thread, i int, committed []bool) bool {
	for j := range i {
		in := &th.code[j]
		switch {
		case in.kind == fences || in.Loc != th.code[i].Loc || committed[j]:
		case s.inPlace:
			return false
		case th.code[i].kind == writes && (in.kind == writes || th.from[j] == none):
			return false
		}
	}
	return true
}

// commits reports whether a write or a fence of a thread can be committed.
func (s *search) commits(th *thread, i int, committed []bool) bool {
	in := &th.code[i]
	if th.done[i] {
		return false
	}
	if in.kind == fences {
		b := in.barrier
		for j := range i {
			if e := &th.code[j]; !committed[j] &&
				(e.kind == reads && b.readsBefore || e.kind == writes && b.writesBefore || e.kind == fences) {
				return false
			}
		}
		return true
	}
	if !in.known || !th.fixed(in.Deps.Addr, committed) || !th.fixed(in.Deps.Data, committed) ||
		!th.fixed(in.Deps.Ctrl, committed) || !s.earlierInPlace(th, i, committed) {
		return false
	}
	if in.pair >= 0 && !committed[in.pair] {
		return false
	}
	for j := range i {
		e := &th.code[j]
		if e.kind == fences {
			if (e.barrier.writesAfter || e.barrier.branch) && !committed[j] {
				return false
			}
		} else if !th.fixed(e.Deps.Addr, committed) {
			return false
		}
	}
	return true
}

// available returns the write that a read of a thread would take now; none if it cannot take one.
func (s *search) available(st *State, t int, th *thread, i int, committed []bool) write {
	in := &th.code[i]
	if !th.has(in.Deps.Addr) {
		return none
	}
	for j := i - 1; j >= 0; j-- {
		if e := &th.code[j]; e.kind == fences && (e.barrier.readsAfter || e.barrier.branch) && !committed[j] {
			return none
		}
	}
	for j := i - 1; j >= 0; j-- {
		e := &th.code[j]
		if e.kind != writes || e.Loc != in.Loc {
			continue
		}
		if th.done[j] {
			break
		}
		if !e.known || !th.has(e.Deps.Addr) {
			return none
		}
		return write{t, j}
	}
	return st.newest(t, in.Loc)
}

// coherent reports whether a read of a thread can take a write, after what its other reads of the location have taken.
func (st *State) coherent(t int, th *thread, i int, w write) bool {
	for j := range th.code {
		in := &th.code[j]
		if in.kind != reads || in.Loc != th.code[i].Loc || j == i || th.from[j] == none {
			continue
		}
		if j < i && !st.notAfter(t, in.Loc, th.from[j], w) || j > i && !st.notAfter(t, in.Loc, w, th.from[j]) {
			return false
		}
	}
	return true
}

// notAfter reports whether write v of a location is w or comes before it. Writes of thread t that it has not committed
// come after those that have reached it.
func (st *State) notAfter(t, loc int, v, w write) bool {
	if v == w || v == initial {
		return true
	}
	if w == initial {
		return false
	}
	a, b := st.place(loc, v), st.place(loc, w)
	switch {
	case a >= 0 && b >= 0:
		return a < b
	case a >= 0:
		return true
	case b >= 0:
		return false
	}
	return v.number < w.number
}

// value is the value of a write of a location. Thread t, which reads it, may not have committed it.
func (s *search) value(st *State, loc int, w write, t int, th *thread) uint64 {
	if w == initial {
		return operational.Initial(s.program, loc)
	}
	from := th
	if w.thread != t {
		from = st.threads[w.thread]
	}
	in := &from.code[w.number]
	return in.Value & ir.Mask(in.Bits)
}
