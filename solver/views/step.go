package views

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/solver/operational"
)

// Tags of C11's events that matter to the machine: the model's own (c11-events.cat).
const (
	tagPlain   ir.Tag = "NA"
	tagConsume ir.Tag = "CON"
	tagAcquire ir.Tag = "ACQ"
	tagRelease ir.Tag = "REL"
	tagBoth    ir.Tag = "ACQ_REL"
	tagSC      ir.Tag = "SC"
	tagLocks   ir.Tag = "LS"
	tagUnlocks ir.Tag = "U"
)

// acquires reports whether a read or a fence with some tags acquires: compilers take a consume for an acquire.
func acquires(t ir.Tags) bool {
	return t.Has(tagAcquire) || t.Has(tagBoth) || t.Has(tagSC) || t.Has(tagConsume)
}

// releases reports whether a write or a fence with some tags releases.
func releases(t ir.Tags) bool { return t.Has(tagRelease) || t.Has(tagBoth) || t.Has(tagSC) }

// readable lists the messages that the thread's next read may return, the earliest first. An atomic update cannot
// return one that another update has read.
func (s *search) readable(st *State, t int) (out []int) {
	th := st.threads[t]
	updates := th.next.Kind == ir.ActRMW && th.cur.Thread.Code[th.next.Step].Op.(ir.RMW).If == nil
	order := st.order[th.next.Loc]
	for _, m := range order[st.place(th.view.earliest(th.next.Loc)):] {
		if m >= th.older && !(updates && st.updated[m]) {
			out = append(out, m)
		}
	}
	return out
}

// read makes the thread's next read return message m. It returns nil if the thread cannot do that.
func (s *search) read(from *State, t, m int) (*State, error) {
	st, th := from.clone(t)
	a := th.next
	th.view = st.seeing(th.view, m)
	if !a.Tags.Has(tagPlain) {
		th.acquire = st.join(th.acquire, st.messages[m].view)
		if acquires(a.Tags) {
			th.view = st.join(th.view, st.messages[m].view)
		}
	}
	s.note(st, t, event{kind: reads, loc: a.Loc, message: m, tags: a.Tags})
	th.messages = append(th.messages, m)
	th.older = 0
	code := th.cur.Thread.Code[a.Step].Op
	if load, ok := code.(ir.Load); ok && load.Reserve {
		th.exclusive = m
	}
	value := st.messages[m].value
	th.inputs = append(th.inputs, value)
	write, writes := th.cur.Read(value)
	if rmw, ok := code.(ir.RMW); ok && writes {
		if st.updated[m] {
			return nil, nil
		}
		w := a
		w.Value, w.Tags = write, rmw.WriteTags
		s.write(st, t, w, m, true)
	}
	return st, s.advance(th)
}

// write makes the thread write a message right behind message m. An atomic update has read m, and no other message may
// come between the two; the new one continues the release sequence of m.
func (s *search) write(st *State, t int, a ir.Action, m int, updates bool) {
	th := st.threads[t]
	id := len(st.messages)
	st.messages = append(st.messages, message{loc: a.Loc, value: a.Value & ir.Mask(a.Bits)})
	st.order = slices.Clone(st.order)
	st.order[a.Loc] = slices.Insert(slices.Clone(st.order[a.Loc]), st.place(m)+1, id)
	st.updated = append(slices.Clone(st.updated), false)
	st.updated[m] = st.updated[m] || updates
	th.view = st.seeing(th.view, id)
	s.note(st, t, event{kind: writes, loc: a.Loc, message: id, tags: a.Tags})
	th.messages = append(th.messages, id)
	if a.Tags.Has(tagPlain) {
		return
	}
	if releases(a.Tags) {
		th.release[a.Loc] = th.view
	}
	st.messages[id].view = th.release[a.Loc]
	if updates {
		st.messages[id].view = st.join(th.release[a.Loc], st.messages[m].view)
	}
	switch {
	case a.Tags.Has(tagLocks):
		th.held[a.Loc] = true
	case a.Tags.Has(tagUnlocks):
		st.badUnlock = st.badUnlock || !th.held[a.Loc]
		th.held[a.Loc] = false
	}
}

// writable lists the messages that the thread's next write may come right behind, the latest first.
func (s *search) writable(st *State, t int) (out []int) {
	th := st.threads[t]
	order := st.order[th.next.Loc]
	for i := len(order) - 1; i >= 0; i-- {
		if !st.updated[order[i]] {
			out = append(out, order[i])
		}
		if order[i] == th.view.earliest(th.next.Loc) {
			break
		}
	}
	return out
}

// store makes the thread perform its next write right behind message m.
func (s *search) store(from *State, t, m int) (*State, error) {
	st, th := from.clone(t)
	s.write(st, t, th.next, m, false)
	th.cur.Pass()
	return st, s.advance(th)
}

// conditional makes the thread's next store-conditional succeed or fail. It returns nil if it cannot succeed.
func (s *search) conditional(from *State, t int, succeeds bool) (*State, error) {
	st, th := from.clone(t)
	if !succeeds {
		th.inputs = append(th.inputs, 0)
		th.cur.Conditional(false)
		return st, s.advance(th)
	}
	m := th.exclusive
	if th.next.Reserved < 0 || st.updated[m] || st.place(m) < st.place(th.view.earliest(th.next.Loc)) {
		return nil, nil
	}
	th.inputs = append(th.inputs, 1)
	s.write(st, t, th.next, m, true)
	th.cur.Conditional(true)
	return st, s.advance(th)
}

// fence makes the thread perform its next fence.
func (s *search) fence(from *State, t int) (*State, error) {
	st, th := from.clone(t)
	tags := th.next.Tags
	if acquires(tags) {
		th.view = st.join(th.view, th.acquire)
	}
	s.note(st, t, event{kind: fences, loc: -1, tags: tags})
	if releases(tags) {
		for loc := range th.release {
			th.release[loc] = th.view
		}
	}
	th.cur.Pass()
	return st, s.advance(th)
}

// choose makes the thread's next free choice.
func (s *search) choose(from *State, t int, yes bool) (*State, error) {
	st, th := from.clone(t)
	bit := uint64(0)
	if yes {
		bit = 1
	}
	th.inputs = append(th.inputs, bit)
	th.cur.Choose(yes)
	return st, s.advance(th)
}

// advance runs a thread to its next action.
func (s *search) advance(th *thread) (err error) {
	th.next, err = th.cur.Next()
	if err != nil {
		return err
	}
	pos := func() litmus.Pos { return th.cur.Thread.Source[th.cur.Thread.Code[th.next.Step].Source].Pos }
	switch th.next.Kind {
	case ir.ActSpawn, ir.ActJoin, ir.ActUnspawned, ir.ActEnter, ir.ActLeave, ir.ActFailed:
		return litmus.Errorf(pos(), "engine machine: P%d starts threads, waits for them, asserts or has an atomic "+
			"section, which the machine of rc11 does not support: choose another engine", th.cur.Thread.ID)
	case ir.ActFence:
		if th.next.Loc >= 0 {
			return litmus.Errorf(pos(), "engine machine: P%d has a fence of a location, which the machine of rc11 "+
				"does not support: choose another engine", th.cur.Thread.ID)
		}
	}
	return nil
}

// The kinds of events, by their short names here.
const (
	reads  = operational.Read
	writes = operational.Write
	fences = operational.Fence
)

// event is an access or a fence that a thread has performed.
type event struct {
	kind    operational.Kind
	loc     int // -1 for a fence
	message int // read or written
	tags    ir.Tags

	thread, number int  // its place in program order, counted from 0
	before         view // what happened before
}

// note counts an event of a thread, finds the data races that it ends, and keeps it if the order of sequentially
// consistent events matters. The thread's view already has what the event acquires.
func (s *search) note(st *State, t int, e event) {
	th := st.threads[t]
	e.thread, e.number, e.before = t, th.events, th.view
	th.events++
	th.kinds = append(th.kinds, e.kind)
	th.view = st.counting(th.view, t, th.events)
	if s.ordered {
		st.events = append(st.events, e)
	}
	if e.loc < 0 || !s.plain[e.loc] || st.racy {
		return
	}
	plain := e.tags.Has(tagPlain)
	for u := range st.threads {
		for k := range lastKinds {
			n := st.last[e.loc][u*lastKinds+k]
			write, alsoPlain := k&1 != 0, k&2 != 0
			if u != t && n > e.before.counts(u) && (write || e.kind == writes) && (plain || alsoPlain) {
				st.racy = true
				return
			}
		}
	}
	k := t * lastKinds
	if e.kind == writes {
		k |= 1
	}
	if plain {
		k |= 2
	}
	st.last = slices.Clone(st.last)
	st.last[e.loc] = slices.Clone(st.last[e.loc])
	st.last[e.loc][k] = th.events
}

// lastKinds is the number of kinds of accesses in state.last: reads and writes, atomic and plain.
const lastKinds = 4
