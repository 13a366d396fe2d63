package machine

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models/display"
	"litmuscope/solver"
)

// describe says what the step between before and after does, and what it leaves.
func (r *replayer) describe(st step, a ir.Action) solver.TraceStep {
	p := r.program
	th := &p.Threads[st.thread]
	out := solver.TraceStep{Thread: th.ID, Source: -1}
	if st.flush >= 0 {
		e := r.before.threads[st.thread].buffer.stores[st.flush]
		out.Action = "flush " + r.assignment(e.loc, e.bits, e.value)
	} else {
		out.Source = th.Code[a.Step].Source
		out.Action = deed(display.SyncStep(p, a.Tags), r.instruction(st, a))
	}
	for t := range r.after.threads {
		entries := []solver.BufferEntry{}
		for _, e := range r.after.threads[t].buffer.stores {
			entries = append(entries,
				solver.BufferEntry{Loc: p.Locs[e.loc].Name, Value: value(p, e.loc, e.bits, e.value)})
		}
		out.Buffers = append(out.Buffers, entries)
	}
	for loc, v := range r.after.memory {
		out.Memory = append(out.Memory, solver.Binding{Name: p.Locs[loc].Name, Value: p.FormatAt(loc, v)})
	}
	return out
}

// deed names a lock's or an RCU step, besides its effect in the machine.
func deed(name, did string) string {
	switch name {
	case "":
		return did
	case "rcu_read_lock", "rcu_read_unlock": // no machine here keeps anything in order by them
		return name
	}
	return name + ": " + did
}

// instruction says what a thread's step, its action a, did.
func (r *replayer) instruction(st step, a ir.Action) string {
	t := st.thread
	b := &r.before.threads[t].buffer
	switch a.Kind {
	case ir.ActStore:
		if r.kind == SC {
			return r.assignment(a.Loc, a.Bits, a.Value)
		}
		return r.assignment(a.Loc, a.Bits, a.Value) + " into buffer"
	case ir.ActLoad:
		return fmt.Sprintf("%s (%s from %s)", r.read(t, a),
			value(r.program, a.Loc, a.Bits, r.before.read(t, a.Loc, a.Bits)), r.source(b, a))
	case ir.ActRMW:
		old := r.before.valueAt(r.program, a.Loc, a.Bits)
		did := "nothing written"
		if r.writes(t, a) {
			did = r.assignment(a.Loc, a.Bits, r.after.valueAt(r.program, a.Loc, a.Bits)) + " in one step"
		}
		return fmt.Sprintf("%s (%s), %s", r.read(t, a), value(r.program, a.Loc, a.Bits, old), did)
	}
	if a.Kind == ir.ActChoose {
		switch op := r.program.Threads[t].Code[a.Step].Op.(ir.Choose); {
		case op.Stop && r.after.threads[t].Regs[op.Dst] == 1:
			return "loops forever"
		case op.Stop:
			return "continues"
		}
		return "takes one of two branches"
	}
	if a.Kind == ir.ActStoreCond {
		if st.flush == succeed {
			return r.assignment(a.Loc, a.Bits, a.Value) + " succeeds"
		}
		return r.assignment(a.Loc, a.Bits, a.Value) + " fails"
	}
	switch other := a.Other; a.Kind {
	case ir.ActSpawn:
		return "start " + solver.ThreadName(&r.program.Threads[other])
	case ir.ActJoin:
		return solver.ThreadName(&r.program.Threads[other]) + " has ended"
	case ir.ActEnter:
		return "begin atomic section"
	case ir.ActLeave:
		return "end atomic section"
	}
	return r.fence(a, b)
}

func (r *replayer) fence(a ir.Action, b *buffer) string {
	wr, ww := a.Tags.Has(ir.TagWR), a.Tags.Has(ir.TagWW)
	switch {
	case drains(r.kind, a.Tags):
		return "fence, buffer empty"
	case r.kind != PSO || !wr && !ww || b.empty():
		return "fence, nothing to wait for"
	case ww:
		return "fence, later stores stay behind the buffered stores"
	}
	return "fence, later loads wait for the buffer"
}

// read is "EAX:=x"; a load into a temporary register of the lowering is "read x".
func (r *replayer) read(t int, a ir.Action) string {
	th := &r.program.Threads[t]
	dst := 0
	switch op := th.Code[a.Step].Op.(type) {
	case ir.Load:
		dst = op.Dst
	case ir.RMW:
		dst = op.Dst
	}
	if name := th.Regs[dst].Name; name != "" {
		return name + ":=" + r.program.Locs[a.Loc].Name
	}
	return "read " + r.program.Locs[a.Loc].Name
}

// source says where a load takes its value from: its pieces may come from several places.
func (r *replayer) source(b *buffer, a ir.Action) string {
	own, pieces := 0, piecesOf(r.program, a.Loc, a.Bits)
	for _, q := range pieces {
		if i, _, _ := b.newest(r.program, q.Loc); i >= 0 {
			own++
		}
	}
	switch own {
	case 0:
		return "memory"
	case len(pieces):
		return "own buffer"
	}
	return "own buffer and memory"
}

func (r *replayer) assignment(loc, bits int, v uint64) string {
	return r.program.Locs[loc].Name + ":=" + value(r.program, loc, bits, v)
}

// value prints what an access reads or writes.
func value(p *ir.Program, loc, bits int, v uint64) string {
	if whole(p, loc, bits) {
		return p.FormatAt(loc, v)
	}
	return p.FormatValue(v, bits, false)
}
