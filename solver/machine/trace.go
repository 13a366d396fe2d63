package machine

import (
	"bytes"
	"fmt"

	"litmuscope/litmus"
	"litmuscope/solver"
)

// trace gives the steps by which the search first reached state number n.
func (s *search) trace(n int) []solver.TraceStep {
	var path []int
	for ; n >= 0; n = s.table.parent(n) {
		path = append(path, n)
	}
	out := []solver.TraceStep{}
	before, after := newState(s.program), newState(s.program)
	acts := make([]litmus.Action, len(s.program.Threads))
	for i := len(path) - 1; i > 0; i-- {
		before.decode(s.table.key(path[i]))
		st := s.between(before, after, acts, s.table.key(path[i-1]))
		out = append(out, s.describe(st, acts[st.thread], before, after))
	}
	return out
}

// between finds the step that leads from before to the state with the given key,
// and leaves that state in after and before's actions in acts. The table keeps no
// steps: finding them again is cheap, and only for the few states on a trace.
func (s *search) between(before, after *state, acts []litmus.Action, key []byte) step {
	if before.actions(acts) == nil {
		for _, st := range before.steps(s.kind, acts, nil) {
			after.set(before)
			if after.take(s.kind, st, acts[st.thread]) == nil && bytes.Equal(after.encode(nil), key) {
				return st
			}
		}
	}
	panic("BUG: no step leads to a state's successor")
}

func (s *search) describe(st step, a litmus.Action, before, after *state) solver.TraceStep {
	p := s.program
	th := &p.Threads[st.thread]
	out := solver.TraceStep{Thread: th.ID, Source: -1}
	if st.flush >= 0 {
		e := before.threads[st.thread].buffer.stores[st.flush]
		out.Action = "flush " + s.assignment(e.loc, e.value)
	} else {
		out.Source = th.Code[a.Step].Source
		out.Action = s.instruction(st, a, before, after)
	}
	for t := range after.threads {
		entries := []solver.BufferEntry{}
		for _, e := range after.threads[t].buffer.stores {
			entries = append(entries, solver.BufferEntry{Loc: p.Locs[e.loc].Name, Value: s.value(e.loc, e.value)})
		}
		out.Buffers = append(out.Buffers, entries)
	}
	for loc, v := range after.memory {
		out.Memory = append(out.Memory, solver.Binding{Name: p.Locs[loc].Name, Value: s.value(loc, v)})
	}
	return out
}

// instruction says what a step of a thread's own, its action a, did.
func (s *search) instruction(st step, a litmus.Action, before, after *state) string {
	t := st.thread
	b := &before.threads[t].buffer
	switch a.Kind {
	case litmus.ActStore:
		if s.kind == SC {
			return s.assignment(a.Loc, a.Value)
		}
		return s.assignment(a.Loc, a.Value) + " into buffer"
	case litmus.ActLoad:
		if v, ok := b.newest(a.Loc); ok {
			return fmt.Sprintf("%s (%s from own buffer)", s.read(t, a), s.value(a.Loc, v))
		}
		return fmt.Sprintf("%s (%s from memory)", s.read(t, a), s.value(a.Loc, before.memory[a.Loc]))
	case litmus.ActRMW:
		old := before.memory[a.Loc]
		rmw := s.program.Threads[t].Code[a.Step].Op.(litmus.RMW)
		did := "nothing written"
		if rmw.If == nil || s.program.Eval(rmw.If, before.threads[t].Regs, old) == 1 {
			did = s.assignment(a.Loc, after.memory[a.Loc])
		}
		return fmt.Sprintf("%s (%s), %s in one step", s.read(t, a), s.value(a.Loc, old), did)
	}
	if a.Kind == litmus.ActChoose {
		return "goes one of two ways"
	}
	if a.Kind == litmus.ActStoreCond {
		if st.flush == succeed {
			return s.assignment(a.Loc, a.Value) + " succeeds"
		}
		return s.assignment(a.Loc, a.Value) + " fails"
	}
	return s.fence(a, b)
}

func (s *search) fence(a litmus.Action, b *buffer) string {
	wr, ww := a.Tags.Has(litmus.TagWR), a.Tags.Has(litmus.TagWW)
	switch {
	case drains(s.kind, a.Tags):
		return "fence, buffer empty"
	case s.kind != PSO || !wr && !ww || b.empty():
		return "fence, nothing to wait for"
	case ww:
		return "fence, later stores stay behind those in the buffer"
	}
	return "fence, later loads wait for the buffer"
}

// read is "EAX:=x"; a load into a temporary register of the lowering is "read x".
func (s *search) read(t int, a litmus.Action) string {
	th := &s.program.Threads[t]
	dst := 0
	switch op := th.Code[a.Step].Op.(type) {
	case litmus.Load:
		dst = op.Dst
	case litmus.RMW:
		dst = op.Dst
	}
	if name := th.Regs[dst].Name; name != "" {
		return name + ":=" + s.program.Locs[a.Loc].Name
	}
	return "read " + s.program.Locs[a.Loc].Name
}

func (s *search) assignment(loc int, v uint64) string {
	return s.program.Locs[loc].Name + ":=" + s.value(loc, v)
}

func (s *search) value(loc int, v uint64) string {
	l := s.program.Locs[loc]
	return s.program.FormatValue(v, l.Bits, l.Signed)
}
