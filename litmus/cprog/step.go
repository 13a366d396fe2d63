package cprog

import (
	"fmt"
	"slices"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// step runs one operation of a frame's code, and gives what is known behind it, where
// control falls through.
func (t *thread) step(f *flow, pc int, st *state) *state {
	fr := f.fr
	s := fr.fn.code[pc]
	line := t.line
	t.line = s.line
	defer func() { t.line = line }()
	eval := func(x ir.Expr) operandValue { return t.eval(fr, st, x, nil) }
	if t.ending > 0 && lasts(s.op) { // the loop goes on, and must not
		t.emit(ir.Unwound{})
		return nil
	}
	switch o := s.op.(type) {
	case assign:
		v := eval(o.value)
		t.put(st, fr.regs[o.dst], v.x, v.v)
	case locate:
		addr := uint64(0)
		if o.fn != nil {
			addr = t.addressOf(o.fn)
		} else {
			addr = t.variable(o.of, fr).base
		}
		v := t.constant(addr, fr.fn.regs[o.dst].bits)
		t.put(st, fr.regs[o.dst], v.x, v.v)
	case choose:
		t.anyOf(st, fr.regs[o.dst])
	case load:
		return t.load(st, fr.regs[o.dst], eval(o.addr), t.within(st, o.how, c.Acquire))
	case store:
		v := eval(o.value)
		return t.store(st, eval(o.addr), v, t.within(st, o.how, c.Release))
	case update:
		return t.update(fr, st, pc, o)
	case fence:
		t.fence(st, fr, o)
	case branch:
		return t.fork(f, pc, o, st)
	case call:
		return t.calls(f, pc, o, st)
	case ret:
		if o.value != nil && fr.result >= 0 {
			v := eval(o.value)
			t.put(st, fr.result, v.x, v.v)
		}
		t.leaveRounds(fr, st)
		fr.returns = append(fr.returns, edge{t.emit(ir.Branch{Target: -1}), st})
		return nil
	case exit:
		if t.unit.last && t.single || t.unit.last && t.info.index == 0 {
			t.failf("main ends here, and functions of attribute destructor would run when the last thread does, which is not supported: want main to return")
		}
		result := operandValue{}
		if o.value != nil {
			result = eval(o.value)
		}
		for _, outer := range t.depth {
			t.leaveRounds(outer, st)
			t.live(st, outer, 0)
		}
		t.leave(st, result)
		return nil
	case allocate:
		return t.allocate(fr, st, pc, o)
	case free:
		return t.free(st, eval(o.addr))
	case spawn:
		return t.spawn(fr, st, pc, o)
	case join:
		return t.await(fr, st, o)
	case self:
		v := t.constant(uint64(t.info.number), fr.fn.regs[o.dst].bits)
		t.put(st, fr.regs[o.dst], v.x, v.v)
	case assume:
		return t.assume(st, eval(o.cond), o.wait)
	case attempt:
		t.attempt(o.of)
	case assert:
		return t.assert(st, eval(o.cond), o)
	case section:
		t.section(st, o)
	case bound:
		t.bound = max(o.rounds, 1)
	default:
		panic(fmt.Sprintf("BUG: unknown operation %T", o))
	}
	return st
}

// within is how a plain access is done. In an atomic section it does not race with those of others; and where that takes no
// barrier, what comes before one section happens before what comes behind another that reads from it.
func (t *thread) within(st *state, how access, order c.Order) access {
	if st.atomic == 0 || how.atomic || how.tags != nil {
		return how
	}
	if t.Target != Language && t.Target != Generic {
		order = c.Relaxed
	}
	return access{atomic: true, order: order, volatile: how.volatile}
}

// lasts tells whether an operation does something that lasts.
func lasts(o op) bool {
	switch o.(type) {
	case store, update, free, spawn, join, section, exit:
		return true
	}
	return false
}

// leaveRounds leaves the loops around in a frame.
func (t *thread) leaveRounds(fr *frame, st *state) {
	for i := len(fr.rounds) - 1; i >= 0; i-- {
		if r := fr.rounds[i]; r != nil {
			r.exits = true
			st.effects = both(r.before, st.effects)
		}
	}
}

// anyOf sets a register to any value.
func (t *thread) anyOf(st *state, r int) {
	bits := t.th.Regs[r].Bits
	var x ir.Expr
	for i := range bits {
		b := t.register(1)
		t.emit(ir.Choose{Dst: b})
		part := ir.Widen(t.reg(b), bits, false)
		if i == 0 {
			x = part
		} else {
			x = ir.BitOr.Of(x, ir.Shl.Of(part, ir.Number(uint64(i), bits)))
		}
	}
	v := anything()
	if bits == 1 {
		v = &value{set: []uint64{0, 1}}
	}
	t.put(st, r, x, v)
	st.forget(r)
}

// fence passes a barrier, of which there is no need before there are other threads.
func (t *thread) fence(st *state, fr *frame, o fence) {
	if st.single {
		return
	}
	if o.tags != nil || o.addr != nil {
		var addr ir.Expr
		if o.addr != nil {
			at := t.eval(fr, st, o.addr, nil)
			all, _, _ := t.targets(at, 32)
			for _, g := range all {
				t.share(g.cell.block)
				t.locate(g.cell)
			}
			addr = at.x
		}
		t.emit(ir.Fence{Tags: o.tags, Addr: addr})
		return
	}
	t.barrier(o.order)
}

// attempt notes where a round begins that waiting goes back to. One that the program marks may have others
// within, in loops of its own.
func (t *thread) attempt(of waiting) {
	if of == takes {
		t.takes = len(t.th.Code)
		return
	}
	depth := t.loopsAround()
	t.spins = slices.DeleteFunc(t.spins, func(s spinStart) bool { return s.depth >= depth })
	t.spins = append(t.spins, spinStart{depth, len(t.th.Code)})
}

type spinStart struct{ depth, step int }

func (t *thread) loopsAround() (n int) {
	for _, fr := range t.depth {
		n += len(fr.rounds)
	}
	return n
}

// since is the step that waiting goes back to.
func (t *thread) since(of waiting) int {
	if of != spins {
		return t.takes
	}
	depth := t.loopsAround()
	for _, s := range slices.Backward(t.spins) {
		if s.depth <= depth {
			return s.step
		}
	}
	if len(t.spins) == 0 && slices.Contains(t.Properties, ir.Termination) {
		t.failf("whether __VERIFIER_spin_end waits for ever depends on where its round begins: want __VERIFIER_spin_start before it")
	}
	return t.takes
}

func (t *thread) assume(st *state, cond operandValue, wait waiting) *state {
	op := func(x ir.Expr) ir.Assume {
		if wait == assumed {
			return ir.Assume{Cond: x}
		}
		return ir.Assume{Cond: x, Wait: true, Since: t.since(wait)}
	}
	if n, ok := cond.v.known(); ok {
		if n == 1 {
			return st
		}
		t.emit(op(ir.Number(0, 1)))
		return nil
	}
	t.emit(op(cond.x))
	st.decide(cond.x, 1)
	t.refine(st, cond.x, 1)
	return st
}

func (t *thread) assert(st *state, cond operandValue, o assert) *state {
	if n, ok := cond.v.known(); ok && n == 1 {
		return st
	}
	if !slices.Contains(t.Properties, o.property) {
		switch o.property {
		case ir.Overflow:
			return st
		case ir.Assertion:
			return t.assume(st, cond, assumed) // as abort does
		}
		o.property = ir.Undefined
	}
	t.emit(ir.Assert{Cond: cond.x, Property: o.property, Text: o.text})
	if n, ok := cond.v.known(); ok && n == 0 {
		t.emit(ir.Assume{Cond: ir.Number(0, 1)})
		return nil
	}
	st.decide(cond.x, 1)
	t.refine(st, cond.x, 1)
	return st
}

// calls runs what a call may be of.
func (t *thread) calls(f *flow, pc int, o call, st *state) *state {
	fr := f.fr
	var args []operandValue
	for _, a := range o.args {
		args = append(args, t.eval(fr, st, a, nil))
	}
	run := func(st *state, fn *function) *state {
		result, end := t.call(st, fn, args, mix(fr.context, uint64(pc)+1))
		if end != nil && o.dst >= 0 && result.x != nil {
			t.put(end, fr.regs[o.dst], result.x, result.v)
		}
		return end
	}
	if o.fn != nil {
		return run(st, o.fn)
	}
	return t.each(st, t.eval(fr, st, o.target, nil), "a call", run)
}

// each runs something for each of the functions that an address may be of.
func (t *thread) each(st *state, target operandValue, what string, run func(*state, *function) *state) *state {
	if target.v.set == nil {
		t.failf("%s through a pointer that may have any value: that is not supported", what)
	}
	var fns []*function
	var addrs []uint64
	for _, n := range target.v.set {
		if fn := t.functionAt(n); fn != nil {
			fns, addrs = append(fns, fn), append(addrs, n)
		}
	}
	if _, ok := target.v.known(); ok && len(fns) == 1 {
		return run(st, fns[0])
	}
	var ends []edge
	for i, fn := range fns {
		other := st.clone()
		from := t.emit(ir.Branch{Cond: ir.Not(ir.Eq.Of(target.x, ir.Number(addrs[i], target.x.Width()))), Target: -1})
		if end := run(st, fn); end != nil {
			ends = append(ends, edge{t.emit(ir.Branch{Target: -1}), end})
		}
		st = t.land([]edge{{from, other}})
	}
	t.defined(ir.Number(0, 1), "the pointer points to no function")
	t.emit(ir.Assume{Cond: ir.Number(0, 1)})
	if len(ends) == 0 {
		return nil
	}
	return t.land(ends)
}
