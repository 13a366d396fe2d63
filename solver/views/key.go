package views

import (
	"encoding/binary"
	"slices"

	"litmuscope/solver/operational"
)

// A key has everything of a state that the rest of a run depends on, and nothing else if it is easy to leave out. So
// states are merged although their pasts differ:
//
//   - Of a location that no thread will read, only the last value matters, and with which views a write can come before
//     it: some message that the view allows is not the last, and no update has read it.
//   - Of other locations, messages matter that some thread may still read. Messages are named by their places behind
//     these.
//   - Clocks matter only for races with the last accesses of plain locations.
//   - Registers matter if a step ahead or the outcome uses them.

// keyMaker makes the key of a state.
type keyMaker struct {
	*search
	st    *State
	first []int // by location: the place of the first message that a thread may still read; -1 if none reads any
	open  []int // by location: the last thread that may still access it; -1 for none
	key   []byte
}

// known reports whether a state has been visited before, and notes that it is.
func (s *search) known(st *State) (bool, error) {
	k := keyMaker{search: s, st: st, first: make([]int, len(st.order)), open: make([]int, len(st.order))}
	for loc := range st.order {
		k.open[loc], k.first[loc] = -1, -1
		readers := false
		for t, th := range st.threads {
			if th.ended() {
				continue
			}
			l := &s.ahead.threads[t]
			reads := l.reads[loc] >= th.next.Step
			if !reads && l.writes[loc] < th.next.Step {
				continue
			}
			readers = readers || reads
			place := st.place(th.view.earliest(loc))
			if k.open[loc] < 0 || place < k.first[loc] {
				k.first[loc] = place
			}
			k.open[loc] = t
		}
		if !readers {
			k.first[loc] = -1
		}
	}
	// What the rest of the key has comes first: which threads are where, and which races are possible.
	for _, th := range st.threads {
		k.number(th.next.Step)
	}
	k.bit(st.racy)
	k.bit(st.badUnlock)
	for loc, last := range st.last {
		if !st.racy && k.open[loc] >= 0 && k.plain[loc] {
			for _, n := range last {
				k.bit(n > 0)
			}
		}
	}
	for t := range st.threads {
		k.thread(t)
	}
	for loc := range st.order {
		k.location(loc)
	}
	key := string(k.key)
	if s.visited[key] {
		return true, nil
	}
	s.visited[key] = true
	if s.bytes += len(key) + 48; s.limits.Bytes > 0 && s.bytes > s.limits.Bytes {
		return false, operational.ErrFull
	}
	return false, nil
}

func (k *keyMaker) number(n int) { k.key = binary.AppendUvarint(k.key, uint64(n)) }

func (k *keyMaker) bit(b bool) {
	if b {
		k.key = append(k.key, 1)
	} else {
		k.key = append(k.key, 0)
	}
}

// thread adds a thread.
func (k *keyMaker) thread(t int) {
	th, l := k.st.threads[t], &k.ahead.threads[t]
	for i, v := range th.cur.Regs {
		if l.registers[i] >= th.next.Step {
			k.key = binary.AppendUvarint(k.key, v)
		}
	}
	if th.ended() {
		return
	}
	k.view(th.view)
	if l.fences >= th.next.Step {
		k.view(th.acquire)
	}
	for loc, v := range th.release {
		if l.writes[loc] >= th.next.Step {
			k.view(v)
		}
		k.bit(th.held[loc])
	}
	if l.conditionals >= th.next.Step {
		k.number(th.cur.Reserved + 1)
		if loc := th.cur.Reserved; loc >= 0 {
			k.number(max(k.st.place(th.exclusive)-k.first[loc]+1, 0))
		}
	}
}

// view adds a view.
func (k *keyMaker) view(v view) {
	for loc, order := range k.st.order {
		place := k.st.place(v.earliest(loc))
		switch {
		case k.open[loc] < 0:
		case k.first[loc] < 0:
			k.bit(slices.ContainsFunc(order[place:len(order)-1], func(m int) bool { return !k.st.updated[m] }))
		default:
			k.number(max(place-k.first[loc], 0))
		}
	}
	k.clock(v)
}

// clock adds which of the last accesses to plain locations a clock includes.
func (k *keyMaker) clock(v view) {
	if k.st.racy {
		return
	}
	for loc, last := range k.st.last {
		if k.open[loc] < 0 || !k.plain[loc] {
			continue
		}
		for i, n := range last {
			if n > 0 {
				k.bit(v.counts(i/lastKinds) >= n)
			}
		}
	}
}

// location adds the messages of a location.
func (k *keyMaker) location(loc int) {
	order := k.st.order[loc]
	if k.first[loc] < 0 {
		if k.shown[loc] {
			k.key = binary.AppendUvarint(k.key, k.st.messages[order[len(order)-1]].value)
		}
		return
	}
	k.number(len(order) - k.first[loc])
	for _, m := range order[k.first[loc]:] {
		k.key = binary.AppendUvarint(k.key, k.st.messages[m].value)
		k.bit(k.st.updated[m])
		k.view(k.st.messages[m].view)
		for _, th := range k.st.threads { // which threads wait for later ones
			if th.reads() && th.next.Loc == loc {
				k.bit(m < th.older)
			}
		}
	}
}
