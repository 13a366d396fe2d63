package views

import (
	"math/bits"

	"litmuscope/litmus/ir"
)

// The order of sequentially consistent events (RC11's axiom sc; Lahav, Vafeiadis, Kang, Hur and Dreyer, PLDI 2017,
// section 3). An event x is ordered before y if
//
//   - scb: x comes before y in program order; or it happens before y and either both are of one location, or that
//     follows from events between them that are of other locations in program order; or it comes before y in coherence
//     order, or reads an older message than y writes.
//   - psc-base: x is sequentially consistent and y is, and scb orders them. In place of x there may be a fence that
//     happened before x, and in place of y one after y.
//   - psc-fence: x and y are fences and x happened before y, or before an access whose location's coherence leads from
//     it to an access that happened before y.
//
// All of this is monotone: an event that a thread adds orders further events, and orders none otherwise. So a cycle
// stays, and the machine refuses the step that closes it.

// maxOrdered bounds the sequentially consistent events of an execution: they are the bits of a number.
const maxOrdered = 64

// happensBefore reports whether x happened before y.
func happensBefore(x, y *event) bool {
	if x.thread == y.thread {
		return x.number < y.number
	}
	return x.number < y.before.counts(x.thread)
}

// consistent reports whether the sequentially consistent events so far have no cycle in their order.
func (s *search) consistent(st *State) (bool, error) {
	var ordered []*event // the sequentially consistent ones
	for i := range st.events {
		if st.events[i].tags.Has(tagSC) {
			ordered = append(ordered, &st.events[i])
		}
	}
	switch {
	case len(ordered) < 2:
		return true, nil
	case len(ordered) > maxOrdered:
		return false, errLong
	}
	// The sequentially consistent events that an event stands for on the left and on the right side of scb.
	n := len(st.events)
	left, right, place := make([]uint64, n), make([]uint64, n), make([]int, n)
	for i := range st.events {
		e := &st.events[i]
		if e.loc >= 0 {
			place[i] = st.place(e.message)
		}
		for k, o := range ordered {
			if o == e || o.kind == fences && happensBefore(o, e) {
				left[i] |= 1 << k
			}
			if o == e || o.kind == fences && happensBefore(e, o) {
				right[i] |= 1 << k
			}
		}
	}
	next := make([]uint64, len(ordered))
	after, before := st.otherLocation()
	for i := range st.events {
		for j := range st.events {
			x, y := &st.events[i], &st.events[j]
			if i == j {
				continue
			}
			if left[i] != 0 && right[j] != 0 && scb(x, y, place[i], place[j], after[i], before[j]) {
				add(next, left[i], right[j])
			}
			// psc-fence: hb ; eco ; hb, and hb below.
			if x.loc >= 0 && x.loc == y.loc &&
				(place[i] < place[j] || place[i] == place[j] && x.kind == writes && y.kind == reads) {
				add(next, strictly(ordered, left[i], x), strictly(ordered, right[j], y))
			}
		}
	}
	for i, f := range ordered {
		for j, g := range ordered {
			if f.kind == fences && g.kind == fences && happensBefore(f, g) {
				next[i] |= 1 << j
			}
		}
	}
	return acyclic(next), nil
}

// strictly leaves the event itself out of those that it stands for, and with it all that are no fences.
func strictly(ordered []*event, set uint64, e *event) uint64 {
	for k, o := range ordered {
		if o == e {
			set &^= 1 << k
		}
	}
	return set
}

// add orders all events of one set before all of another.
func add(next []uint64, from, to uint64) {
	for ; from != 0; from &= from - 1 {
		next[bits.TrailingZeros64(from)] |= to
	}
}

// otherLocation returns for each event the first one after it in its thread that is of another location, and the last
// one before it; nil if there is none.
func (st *State) otherLocation() (after, before []*event) {
	after, before = make([]*event, len(st.events)), make([]*event, len(st.events))
	for i := range st.events {
		e := &st.events[i]
		for j := range st.events {
			o := &st.events[j]
			if o.thread != e.thread || o.loc >= 0 && o.loc == e.loc {
				continue
			}
			if o.number > e.number && (after[i] == nil || o.number < after[i].number) {
				after[i] = o
			}
			if o.number < e.number && (before[i] == nil || o.number > before[i].number) {
				before[i] = o
			}
		}
	}
	return after, before
}

// scb reports whether x comes before y. px and py are their places in coherence order, after is what comes first after
// x at another location, and before what comes last before y.
func scb(x, y *event, px, py int, after, before *event) bool {
	if x.thread == y.thread && x.number < y.number {
		return true
	}
	if x.loc >= 0 && x.loc == y.loc && (happensBefore(x, y) || y.kind == writes && px < py) {
		return true
	}
	return after != nil && before != nil && happensBefore(after, before)
}

// acyclic reports whether no event comes before itself. next has for each event those after it.
func acyclic(next []uint64) bool {
	var done, open uint64
	var visit func(i int) bool
	visit = func(i int) bool {
		if done&(1<<i) != 0 {
			return true
		}
		if open&(1<<i) != 0 {
			return false
		}
		open |= 1 << i
		for to := next[i]; to != 0; to &= to - 1 {
			if !visit(bits.TrailingZeros64(to)) {
				return false
			}
		}
		done |= 1 << i
		return true
	}
	for i := range next {
		if !visit(i) {
			return false
		}
	}
	return true
}

// sequentiallyConsistent counts the steps of a program that may perform sequentially consistent events.
func sequentiallyConsistent(p *ir.Program) (n int) {
	for i := range p.Threads {
		for _, step := range p.Threads[i].Code {
			switch op := step.Op.(type) {
			case ir.RMW:
				if op.Tags.Has(tagSC) || op.WriteTags.Has(tagSC) {
					n += 2
				}
			case ir.Load:
				if op.Tags.Has(tagSC) {
					n++
				}
			case ir.Store:
				if op.Tags.Has(tagSC) {
					n++
				}
			case ir.StoreCond:
				if op.Tags.Has(tagSC) {
					n++
				}
			case ir.Fence:
				if op.Tags.Has(tagSC) {
					n++
				}
			}
		}
	}
	return n
}
