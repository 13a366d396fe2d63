package views

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/operational"
)

// view is what a thread, or who acquires a message, knows. Views never change: their methods return new ones.
type view struct {
	// seen has for each location the earliest message that may still be read, by its number. Nil: the initial ones.
	seen []int
	// clock has for each thread how many of its events happened before. Nil: none.
	clock []int
}

// message is a write in memory. The first messages are the initial values of the locations, in their order.
type message struct {
	loc   int
	value uint64
	view  view // what an acquire gets
}

// thread is the state of a thread. Threads of states that differ are shared unless their thread differs.
type thread struct {
	cur  ir.Cursor
	next ir.Action // what it does next

	view    view   // what the next access comes after
	acquire view   // what an acquire fence adds to it
	release []view // by location: what an atomic write there releases
	events  int    // the number of its events

	held      []bool // by location: it has locked the mutex there
	exclusive int    // the message that the last exclusive load has read
	// older bounds what the next read may return: no message with a smaller number. The search explores these apart.
	older int

	// What execution needs: the inputs of replay.Replay, and for each read and write its message.
	inputs   []uint64
	messages []int
	kinds    []operational.Kind // by event of the thread
}

// State is a state of the machine. States never change after the step that made them.
type State struct {
	threads  []*thread
	messages []message // by number
	order    [][]int   // by location: the numbers of its messages in coherence order
	updated  []bool    // by message: an atomic update has read it, so that nothing comes between the two

	events []event // only if the order of sequentially consistent events matters
	// last has for each plain location, thread and kind of access the number of the thread's last such event there,
	// counted from 1.
	last      [][]int
	racy      bool // two accesses are in a data race
	badUnlock bool // a thread has unlocked a mutex that it does not hold
}

// clone returns a copy of s with a copy of its thread t.
func (s *State) clone(t int) (*State, *thread) {
	c := *s
	c.threads = slices.Clone(s.threads)
	th := *s.threads[t]
	th.cur = ir.Cursor{}
	th.cur.Set(&s.threads[t].cur)
	th.release, th.held = slices.Clone(th.release), slices.Clone(th.held)
	th.inputs, th.messages, th.kinds = slices.Clip(th.inputs), slices.Clip(th.messages), slices.Clip(th.kinds)
	c.threads[t] = &th
	c.messages, c.events = slices.Clip(s.messages), slices.Clip(s.events)
	return &c, &th
}

// place is the position of a message in coherence order.
func (s *State) place(m int) int { return slices.Index(s.order[s.messages[m].loc], m) }

// earliest is the first message of a location that a view allows to read.
func (v view) earliest(loc int) int {
	if v.seen == nil {
		return loc // the initial one
	}
	return v.seen[loc]
}

// counts is how many events of a thread happened before.
func (v view) counts(t int) int {
	if v.clock == nil {
		return 0
	}
	return v.clock[t]
}

// seeing returns v after an access of message m, which it allows to read.
func (s *State) seeing(v view, m int) view {
	if v.seen == nil {
		v.seen = make([]int, len(s.order))
		for loc := range v.seen {
			v.seen[loc] = loc
		}
	} else {
		v.seen = slices.Clone(v.seen)
	}
	v.seen[s.messages[m].loc] = m
	return v
}

// counting returns v with so many events of a thread.
func (s *State) counting(v view, t, events int) view {
	if v.clock == nil {
		v.clock = make([]int, len(s.threads))
	} else {
		v.clock = slices.Clone(v.clock)
	}
	v.clock[t] = events
	return v
}

// join returns the later of both views at each location and for each thread.
func (s *State) join(v, w view) view {
	switch {
	case v.seen == nil:
		v.seen = w.seen
	case w.seen != nil:
		seen := slices.Clone(v.seen)
		for loc, m := range w.seen {
			if seen[loc] != m && s.place(m) > s.place(seen[loc]) {
				seen[loc] = m
			}
		}
		v.seen = seen
	}
	switch {
	case v.clock == nil:
		v.clock = w.clock
	case w.clock != nil:
		clock := slices.Clone(v.clock)
		for t, n := range w.clock {
			clock[t] = max(clock[t], n)
		}
		v.clock = clock
	}
	return v
}
