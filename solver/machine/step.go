package machine

import "litmuscope/litmus/ir"

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

// steps appends the steps that k can take from s to out. There is none when every
// thread is at its end and nothing is pending: whatever an instruction waits for, a flush
// brings nearer. There is none either where all that is left are steps after which an
// assumption fails; nothing comes of that.
func (s *state) steps(k Kind, acts []ir.Action, out []step) []step {
	for t := range s.threads {
		b := &s.threads[t].buffer
		add := func(st step) {
			if !s.threads[t].Assumes || !s.fails(k, st, acts[t]) {
				out = append(out, st)
			}
		}
		if enabled(k, b, acts[t]) {
			add(step{t, issue})
		}
		if acts[t].Kind == ir.ActStoreCond && acts[t].Reserved >= 0 && s.threads[t].intact == 0 && b.empty() {
			add(step{t, succeed})
		}
		if acts[t].Kind == ir.ActChoose {
			add(step{t, succeed})
		}
		b.flushable(k, func(i int) { out = append(out, step{t, i}) })
	}
	return out
}

// fails tells whether a step is followed by an assumption that does not hold.
func (s *state) fails(k Kind, st step, a ir.Action) bool {
	next := newState(s.threads[st.thread].Program)
	next.set(s)
	if err := next.take(k, st, a); err != nil {
		return false
	}
	after, _ := next.threads[st.thread].Next()
	return after.Kind == ir.ActBlocked
}

// enabled tells whether the instruction need not wait for flushes.
func enabled(k Kind, b *buffer, a ir.Action) bool {
	switch a.Kind {
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

// drains tells whether a fence waits for the thread's buffer to empty. Under TSO
// a fence that keeps writes before later reads does, whatever else it says, for
// writes are in order anyway.
func drains(k Kind, tags ir.Tags) bool {
	return k == TSO && tags.Has(ir.TagWR) ||
		k == PSO && tags.Has(ir.TagWR) && tags.Has(ir.TagWW)
}

// take performs a step that is enabled in s, whose thread's next action is a.
func (s *state) take(k Kind, st step, a ir.Action) error {
	th := &s.threads[st.thread]
	b := &th.buffer
	if st.flush >= 0 {
		e := b.remove(st.flush)
		if th.Reserved == e.loc && th.intact > 0 {
			th.intact--
		}
		s.write(st.thread, e.loc, e.value)
		return nil
	}
	switch a.Kind {
	case ir.ActStore:
		if k == SC {
			s.write(st.thread, a.Loc, a.Value)
		} else {
			b.push(k, a.Loc, a.Value, a.Tags)
		}
		th.Pass()
	case ir.ActLoad:
		v := s.memory[a.Loc]
		if i, ok := b.newest(a.Loc); ok {
			v = b.stores[i].value
		}
		if op := th.Thread.Code[a.Step].Op.(ir.Load); op.Reserve {
			th.reserve(a.Loc)
		}
		th.Read(v)
	case ir.ActRMW:
		if v, writes := th.Read(s.memory[a.Loc]); writes {
			s.write(st.thread, a.Loc, v)
		}
	case ir.ActStoreCond:
		if st.flush == succeed {
			s.write(st.thread, a.Loc, a.Value)
		}
		th.Conditional(st.flush == succeed)
		th.intact = -1
	case ir.ActChoose:
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
	default:
		panic("BUG: a step of a thread that has ended")
	}
	_, err := th.Next()
	return err
}
