package propagation

import (
	"math/bits"
	"slices"

	"litmuscope/solver/operational"
)

// maxEvents bounds the committed writes and barriers of an execution: they are the bits of a number.
const maxEvents = 64

// event is a write or a barrier that a thread has committed.
type event struct {
	write
	kind operational.Kind
	loc  int // of a write
	// before has what reaches another thread first: of a write the barriers, of a barrier the writes that had reached
	// its thread when it was committed.
	before uint64
}

// State is a state of the machine. States never change after the step that made them.
type State struct {
	threads []*thread
	events  []event
	at      []uint64 // by thread: the events that have reached it
	order   [][]int  // by location: its writes in coherence order, by event
}

// clone returns a copy of a state with a copy of its thread t, if that is not -1.
func (st *State) clone(t int) (*State, *thread) {
	c := *st
	c.at = slices.Clone(st.at)
	c.events = slices.Clip(st.events)
	if t < 0 {
		return &c, nil
	}
	c.threads = slices.Clone(st.threads)
	c.threads[t] = st.threads[t].clone()
	return &c, c.threads[t]
}

// find returns the number of the event of a write or fence; -1 if it has not been committed.
func (st *State) find(w write) int {
	return slices.IndexFunc(st.events, func(e event) bool { return e.write == w })
}

// place is the position of a write in coherence order; -1 if it has not been committed.
func (st *State) place(loc int, w write) int {
	return slices.IndexFunc(st.order[loc], func(e int) bool { return st.events[e].write == w })
}

// everywhere reports whether an event has reached all threads.
func (st *State) everywhere(w write) bool {
	e := st.find(w)
	for _, at := range st.at {
		if at&(1<<e) == 0 {
			return false
		}
	}
	return true
}

// newest is the last write of a location, in coherence order, that has reached a thread.
func (st *State) newest(t, loc int) write {
	for _, e := range slices.Backward(st.order[loc]) {
		if st.at[t]&(1<<e) != 0 {
			return st.events[e].write
		}
	}
	return initial
}

// overtaken reports whether a write has not reached a thread, but a later one of its location has.
func (st *State) overtaken(e, t int) bool {
	order := st.order[st.events[e].loc]
	for _, later := range order[slices.Index(order, e)+1:] {
		if st.at[t]&(1<<later) != 0 {
			return true
		}
	}
	return false
}

// propagates reports whether an event can reach a thread now. A write must come after all writes of its location that
// have reached the thread, and follows the barriers before it; a barrier follows the writes before it, unless later
// ones have overtaken them.
func (st *State) propagates(e, t int) bool {
	if st.at[t]&(1<<e) != 0 {
		return false
	}
	ev := &st.events[e]
	missing := ev.before &^ st.at[t]
	if ev.kind == writes {
		return missing == 0 && !st.overtaken(e, t)
	}
	for ; missing != 0; missing &= missing - 1 {
		if !st.overtaken(bits.TrailingZeros64(missing), t) {
			return false
		}
	}
	return true
}

// propagate makes an event reach a thread.
func (st *State) propagate(e, t int) *State {
	next, _ := st.clone(-1)
	next.at[t] |= 1 << e
	return next
}

// kindAt are the events of a kind that have reached a thread.
func (st *State) kindAt(t int, kind operational.Kind) (out uint64) {
	for e := range st.events {
		if st.events[e].kind == kind {
			out |= 1 << e
		}
	}
	return out & st.at[t]
}

// commitFence commits a fence of a thread. What reaches other threads before it are the writes that have reached its
// thread; only the thread's own, if it does not order reads.
func (st *State) commitFence(t, i int) *State {
	next, th := st.clone(t)
	th.done[i] = true
	before := st.kindAt(t, writes)
	if !th.code[i].barrier.readsBefore {
		for e := range st.events {
			if st.events[e].thread != t {
				before &^= 1 << e
			}
		}
	}
	next.at[t] |= 1 << len(st.events)
	next.events = append(next.events, event{write: write{t, i}, kind: fences, loc: -1, before: before})
	return next
}

// commitWrite commits a write of a thread, at a position of coherence order. It returns nil if the write cannot be
// there: because an atomic pair has it between its two accesses, or because the order of coherence points is cyclic.
func (st *State) commitWrite(t, i, position int) *State {
	next, th := st.clone(t)
	th.done[i] = true
	loc := th.code[i].Loc
	e := len(st.events)
	next.at[t] |= 1 << e
	next.events = append(next.events, event{
		write: write{t, i}, kind: writes, loc: loc, before: st.kindAt(t, fences),
	})
	next.order = slices.Clone(st.order)
	next.order[loc] = slices.Insert(slices.Clone(st.order[loc]), position, e)
	if !next.atomic(loc) || !next.pointsOrdered() {
		return nil
	}
	return next
}

// positions are the first and the last position of coherence order that a write of a thread can be at: behind all that
// have reached the thread.
func (st *State) positions(t, loc int) (first, last int) {
	for i, e := range st.order[loc] {
		if st.at[t]&(1<<e) != 0 {
			first = i + 1
		}
	}
	return first, len(st.order[loc])
}

// atomic reports whether no other thread's write comes between the two accesses of a pair of a location.
func (st *State) atomic(loc int) bool {
	for i, e := range st.order[loc] {
		w := st.events[e].write
		th := st.threads[w.thread]
		pair := th.code[w.number].pair
		if pair < 0 {
			continue
		}
		for _, between := range st.order[loc][st.place(loc, th.from[pair])+1 : i] {
			if st.events[between].thread != w.thread {
				return false
			}
		}
	}
	return true
}

// pointsOrdered reports whether the writes can reach their coherence points one by one: in coherence order, after the
// writes in front of the barriers before them, and those of store-conditionals of a thread in program order.
func (st *State) pointsOrdered() bool {
	var after [maxEvents]uint64 // by event: the writes before it
	for e, ev := range st.events {
		if ev.kind != writes {
			continue
		}
		for b := ev.before; b != 0; b &= b - 1 {
			after[e] |= st.events[bits.TrailingZeros64(b)].before
		}
		if st.threads[ev.thread].code[ev.number].pair < 0 {
			continue
		}
		for o, other := range st.events {
			if other.kind == writes && other.thread == ev.thread && other.number < ev.number &&
				st.threads[ev.thread].code[other.number].pair >= 0 {
				after[e] |= 1 << o
			}
		}
	}
	for _, order := range st.order {
		for i := 1; i < len(order); i++ {
			after[order[i]] |= 1 << order[i-1]
		}
	}
	var left uint64
	for e, ev := range st.events {
		if ev.kind == writes {
			left |= 1 << e
		}
	}
	for left != 0 {
		ready := uint64(0)
		for rest := left; rest != 0; rest &= rest - 1 {
			if e := bits.TrailingZeros64(rest); after[e]&left == 0 {
				ready |= 1 << e
			}
		}
		if ready == 0 {
			return false
		}
		left &^= ready
	}
	return true
}
