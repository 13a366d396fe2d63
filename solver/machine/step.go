package machine

import (
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// The rules of the machines. They differ in the stores that are pending:
//
//   - SC has none: each store goes to memory at once.
//   - TSO has one queue for each thread, and flushes the oldest store.
//   - PSO has a queue for each thread and location, and flushes the oldest of any of them.
//
// A load returns the newest pending store of its own thread to that location, or memory's value if there is none; it
// never sees another thread's pending stores. If accesses overlap in part, memory has a cell for each location that
// their borders separate. A store to several cells reaches all of them at once, after every earlier one that it
// overlaps; a load takes each cell's value from its own thread's newest store to it, or from memory.
//
// The machines read fences by their generic tags. A fence that
//
//   - orders earlier writes with later reads (FWR), and under PSO with later writes too (FWW), waits until its thread
//     has no pending stores
//   - under PSO has FWW without FWR is a barrier in the buffer: nothing waits, but later stores are flushed only after
//     all that were pending at the fence
//   - under PSO has FWR without FWW makes later loads wait until the stores that were pending at the fence are in
//     memory; later stores do not wait
//   - has other tags only (FRR, FRW, FCTRL) has no effect, because loads are never delayed.
//
// Acquires and releases:
//
//   - A store that is a RELEASE is flushed after all that its thread has issued before; a load that is one waits until
//     nothing is pending.
//   - A store that is an ACQUIRE is flushed before all that its thread issues later, and later loads wait for that.
//   - A load that is an ACQUIRE and RCSC waits until no RELEASE that is RCSC is pending.
//
// A read-modify-write waits until its thread has no pending stores, then reads and writes memory in one step, also if
// it writes nothing (a failed compare-and-swap). The tag LOCKED asks for that; the machines treat every
// read-modify-write so, because they have no weaker kind. A run ends when all threads have ended and nothing is
// pending.
//
// In programs with properties (verify.go), threads have no loops, may start each other, and wait for each other's end,
// which comes when nothing of a thread is pending. Spawns, joins and both ends of an atomic section wait until their
// thread has no pending stores. A run may stop anywhere: a thread stays where an assumption or an assertion fails, and
// the others continue.

// step is one transition of a machine: thread's next instruction, or the flush of
// its pending store number flush.
type step struct {
	thread int
	flush  int // issue for the instruction, succeed for a store-conditional that does, or a choice's 1
}

const (
	issue   = -1
	succeed = -2
)

// begin brings every thread to its first visible action.
func (s *state) begin() error {
	for t := range s.threads {
		if _, err := s.threads[t].Next(); err != nil {
			return err
		}
	}
	return nil
}

// actions fills out with each thread's next action.
func (s *state) actions(out []ir.Action) error {
	for t := range s.threads {
		a, err := s.threads[t].Next()
		if err != nil {
			return err
		}
		out[t] = a
	}
	return nil
}

// steps appends the steps that k can take from s to out. There is none when every thread is at its end and nothing is
// pending: whatever an instruction waits for, a flush brings nearer. There is also none if all remaining steps lead to
// a failing assumption; nothing comes of that.
func (s *state) steps(k Kind, acts []ir.Action, out []step) []step {
	for t := range s.threads {
		if s.inside >= 0 && s.inside != t && acts[s.inside].Kind != ir.ActEnd {
			continue
		}
		b := &s.threads[t].buffer
		add := func(st step) {
			if !s.threads[t].Assumes || !s.fails(k, st, acts[t]) {
				out = append(out, st)
			}
		}
		if s.enabled(k, t, acts[t]) {
			add(step{t, issue})
		}
		if acts[t].Kind == ir.ActStoreCond && acts[t].Reserved >= 0 && s.threads[t].holds() && b.empty() {
			add(step{t, succeed})
		}
		if acts[t].Kind == ir.ActChoose {
			add(step{t, succeed})
		}
		b.flushable(s.threads[t].Program, k, func(i int) { out = append(out, step{t, i}) })
	}
	return out
}

// fails reports whether a step leads to a failing assumption, so that the search need not take it. A program with
// properties may need it all the same: where others can tell.
func (s *state) fails(k Kind, st step, a ir.Action) bool {
	if s.layout != nil {
		return !s.stuck && s.waits(st, a)
	}
	next := newState(s.threads[st.thread].Program)
	next.set(s)
	if err := next.take(k, st, a); err != nil {
		return false
	}
	after, _ := next.threads[st.thread].Next()
	return after.Kind == ir.ActBlocked
}

// waits reports whether a step changes only its thread's registers and leads to a failing assumption. A thread that
// takes a lock waits so until it is free.
func (s *state) waits(st step, a ir.Action) bool { return s.after(st, a).Kind == ir.ActBlocked }

// after is what a thread wants to do behind a step that changes nothing but its registers; behind others, it
// is nothing.
func (s *state) after(st step, a ir.Action) ir.Action {
	th := &s.threads[st.thread]
	c := ir.Cursor{
		Program: th.Program, Thread: th.Thread, PC: th.PC, Regs: slices.Clone(th.Regs),
		Reserved: th.Reserved, ReservedBits: th.ReservedBits,
	}
	switch a.Kind {
	case ir.ActLoad, ir.ActRMW:
		v := s.read(st.thread, a.Loc, a.Bits)
		if w, writes := c.Read(v); writes && w != v {
			return ir.Action{Kind: ir.ActEnd}
		}
	case ir.ActChoose:
		c.Choose(st.flush == succeed)
	default:
		return ir.Action{Kind: ir.ActEnd}
	}
	after, _ := c.Next()
	return after
}

// enabled reports whether a thread's instruction need not wait.
func (s *state) enabled(k Kind, t int, a ir.Action) bool {
	if a.Kind == ir.ActJoin {
		other := &s.threads[a.Other]
		return s.threads[t].buffer.empty() && other.PC == len(other.Thread.Code) && other.buffer.empty()
	}
	return enabled(k, &s.threads[t].buffer, a)
}

// enabled reports whether the instruction need not wait for flushes.
func enabled(k Kind, b *buffer, a ir.Action) bool {
	switch a.Kind {
	case ir.ActSpawn, ir.ActJoin, ir.ActEnter, ir.ActLeave:
		return b.empty()
	case ir.ActStore, ir.ActStoreCond, ir.ActChoose: // that it fails is always possible
		return true
	case ir.ActLoad:
		return !b.delays(a.Tags)
	case ir.ActRMW:
		return b.empty()
	case ir.ActFence:
		return !drains(k, a.Tags) || b.empty()
	}
	return false
}

// drains reports whether a fence waits for the thread's buffer to empty. Under TSO
// a fence that keeps writes before later reads does, whatever else it says, for
// writes are in order anyway.
func drains(k Kind, tags ir.Tags) bool {
	return k == TSO && tags.Has(ir.TagWR) ||
		k == PSO && tags.Has(ir.TagWR) && tags.Has(ir.TagWW)
}

// take performs an enabled step in s, whose thread's next action is a.
func (s *state) take(k Kind, st step, a ir.Action) error {
	th := &s.threads[st.thread]
	b := &th.buffer
	if st.flush >= 0 {
		e := b.remove(st.flush)
		th.flushed(e)
		s.write(st.thread, e.loc, e.bits, e.value)
		return nil
	}
	switch a.Kind {
	case ir.ActStore:
		s.saw(st.thread, a, a.Value)
		if k == SC {
			s.write(st.thread, a.Loc, a.Bits, a.Value)
		} else {
			b.push(k, a)
		}
		th.Pass()
	case ir.ActLoad:
		v := s.read(st.thread, a.Loc, a.Bits)
		s.saw(st.thread, a, v)
		if op := th.Thread.Code[a.Step].Op.(ir.Load); op.Reserve {
			th.reserve(a)
		}
		th.Read(v)
	case ir.ActRMW:
		old := s.valueAt(th.Program, a.Loc, a.Bits)
		s.saw(st.thread, a, old)
		if v, writes := th.Read(old); writes {
			s.write(st.thread, a.Loc, a.Bits, v)
		}
	case ir.ActStoreCond:
		if st.flush == succeed {
			s.write(st.thread, a.Loc, a.Bits, a.Value)
		}
		th.Conditional(st.flush == succeed)
		th.intact = th.intact[:0]
	case ir.ActChoose:
		op := th.Thread.Code[a.Step].Op.(ir.Choose)
		if op.Weak && st.flush != succeed { // once more, and it may go otherwise
			s.saw(st.thread, ir.Action{Step: a.Step, Loc: -1}, 0)
		}
		th.Choose(st.flush == succeed)
	case ir.ActFence:
		if k == PSO && !b.empty() {
			// What drains has found the buffer empty, so only one tag is here.
			if a.Tags.Has(ir.TagWW) {
				b.barrier = true
			}
			if a.Tags.Has(ir.TagWR) {
				b.await()
			}
		}
		th.Pass()
	case ir.ActSpawn:
		child := &s.threads[a.Other]
		if child.PC >= 0 {
			return fmt.Errorf("BUG: %s is spawned twice", solver.ThreadName(child.Thread))
		}
		child.Start(th.Arguments())
		if _, err := child.Next(); err != nil {
			return err
		}
		th.Pass()
	case ir.ActJoin:
		th.Pass()
	case ir.ActEnter:
		s.inside = st.thread
		th.Pass()
	case ir.ActLeave:
		s.inside = -1
		th.Pass()
	default:
		panic("BUG: a step of a thread that has ended")
	}
	_, err := th.Next()
	if s.layout != nil {
		th.round = slices.DeleteFunc(th.round, func(r glimpse) bool { return s.spins[st.thread][r.step] < th.PC })
	}
	return err
}

// saw notes what a round that may end in waiting has read, or stored: for it to wait forever, both are in memory.
func (s *state) saw(t int, a ir.Action, v uint64) {
	if s.layout != nil && s.spins[t][a.Step] > 0 {
		th := &s.threads[t]
		th.round = append(th.round, glimpse{a.Step, a.Loc, a.Bits, v})
	}
}
