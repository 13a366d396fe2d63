package elaborate

import (
	"fmt"
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// step executes one operation of a frame's code and returns the state after it, or nil if control does not continue
// there.
func (t *thread) step(f *flow, pc int, st *state) *state {
	fr := f.fr
	s := fr.fn.Code[pc]
	line := t.out.line
	t.out.line = s.Line
	defer func() { t.out.line = line }()
	eval := func(x ir.Expr) operandValue { return t.evaluator.eval(fr, st, x, nil) }
	if t.ending > 0 && hasLastingEffect(s.Op) { // the loop would continue, which it must not
		t.out.emit(ir.Unwound{})
		return nil
	}
	switch o := s.Op.(type) {
	case code.Assign:
		v := eval(o.Value)
		t.regs.put(st, fr.regs[o.Dst], v.x, v.v)
	case code.Locate:
		addr := uint64(0)
		if o.Fn != nil {
			addr = t.elab.addressOf(o.Fn)
		} else {
			addr = t.cells.variable(o.Of, fr).base
		}
		t.regs.put(st, fr.regs[o.Dst], ir.Number(addr, fr.fn.Regs[o.Dst].Bits), at(addr))
	case code.Choose:
		t.regs.anyOf(st, fr.regs[o.Dst])
	case code.Begin:
		t.memory.renew(st, o.Of, fr)
	case code.Load:
		return t.memory.load(st, fr.regs[o.Dst], eval(o.Addr), t.memory.within(st, o.How, false))
	case code.Store:
		v := eval(o.Value)
		return t.memory.store(st, eval(o.Addr), v, t.memory.within(st, o.How, true))
	case code.Update:
		return t.memory.update(fr, st, pc, o)
	case code.Fence:
		t.fence(st, fr, o)
	case code.Branch:
		return t.fork(f, pc, o, st)
	case code.Call:
		return t.calls(f, pc, o, st)
	case code.Ret:
		if o.Value == nil && fr.result >= 0 && fr.used {
			t.out.emit(ir.Assert{Cond: ir.Number(0, 1), Property: ir.Undefined, Text: code.NoValue(fr.fn)})
			t.out.emit(ir.Assume{Cond: ir.Number(0, 1)})
			return nil
		}
		if o.Value != nil && fr.result >= 0 {
			v := eval(o.Value)
			t.regs.put(st, fr.result, v.x, v.v)
		}
		t.leaveRounds(fr, st)
		fr.returns = append(fr.returns, edge{t.out.emit(ir.Branch{Target: -1}), st})
		return nil
	case code.Exit:
		if t.elab.unit.Last && t.single || t.elab.unit.Last && t.out.info.index == 0 {
			t.out.failf("main ends here without returning, so functions with attribute destructor would run when " +
				"the last thread ends, which is not supported: let main return")
		}
		if t.out.info.index == 0 && t.elab.options.checks(ir.Leak) {
			t.out.failf(LeavesMain)
		}
		result := operandValue{}
		if o.Value != nil {
			result = eval(o.Value)
		}
		for _, outer := range t.stack.depth {
			t.leaveRounds(outer, st)
			t.lives.live(st, outer, 0)
		}
		t.leave(st, result)
		return nil
	case code.Allocate:
		return t.lives.allocate(fr, st, pc, o)
	case code.Extent:
		t.lives.extent(st, fr.regs[o.Dst], eval(o.Addr))
	case code.Free:
		return t.lives.free(st, eval(o.Addr))
	case code.Spawn:
		return t.spawn(fr, st, pc, o)
	case code.Join:
		return t.await(fr, st, o)
	case code.Self:
		if o.Most > 0 && t.out.info.number > o.Most {
			t.out.failf(code.TooManyWait, o.Most)
		}
		v := constant(uint64(t.out.info.number), fr.fn.Regs[o.Dst].Bits)
		t.regs.put(st, fr.regs[o.Dst], v.x, v.v)
	case code.Assume:
		return t.assume(st, eval(o.Cond), o.Wait)
	case code.Life:
		if o.Of == nil {
			t.lives.endArray(st, eval(o.Array))
			break
		}
		t.lives.life(st, t.cells.variable(o.Of, fr), o.Ends)
	case code.Attempt:
		t.tries = len(t.out.th.Code)
	case code.Assert:
		return t.assert(st, eval(o.Cond), o)
	case code.Section:
		t.section(st, o)
	case code.Bound:
		t.bound = max(o.Rounds, 1)
	case code.Unsupported:
		t.out.failf("%s", o.Text)
		return nil
	default:
		panic(fmt.Sprintf("BUG: unknown operation %T", o))
	}
	return st
}

// hasLastingEffect reports whether an operation has a lasting effect.
func hasLastingEffect(o code.Op) bool {
	switch o.(type) {
	case code.Store, code.Update, code.Free, code.Spawn, code.Join, code.Section, code.Exit:
		return true
	}
	return false
}

// leaveRounds leaves all loops of a frame.
func (t *thread) leaveRounds(fr *frame, st *state) {
	for i := len(fr.rounds) - 1; i >= 0; i-- {
		if r := fr.rounds[i]; r != nil {
			r.exits = true
			st.effects = both(r.before, st.effects)
		}
	}
}

// fence executes a barrier, which has no effect before main starts the first thread.
func (t *thread) fence(st *state, fr *frame, o code.Fence) {
	if st.single {
		return
	}
	if o.Tags != nil || o.Addr != nil {
		var addr ir.Expr
		if o.Addr != nil {
			at := t.evaluator.eval(fr, st, o.Addr, nil)
			all, _, _ := t.memory.targets(at, 32)
			for _, g := range all {
				t.elab.share(g.cell.block)
				t.elab.locate(g.cell)
			}
			addr = at.x
		}
		t.out.emit(ir.Fence{Tags: o.Tags, Addr: addr})
		return
	}
	t.instructions.barrier(o.Order)
}

func (t *thread) assume(st *state, cond operandValue, wait bool) *state {
	op := ir.Assume{Wait: wait}
	if wait {
		op.Since = t.tries
	}
	if n, ok := cond.v.constant(); ok {
		if n == 1 {
			return st
		}
		op.Cond = ir.Number(0, 1)
		t.out.emit(op)
		return nil
	}
	op.Cond = cond.x
	t.out.emit(op)
	st.decide(cond.x, 1)
	t.regs.refine(st, cond.x, 1)
	return st
}

func (t *thread) assert(st *state, cond operandValue, o code.Assert) *state {
	if n, ok := cond.v.constant(); ok && n == 1 {
		return st
	}
	if !slices.Contains(t.elab.options.Properties, o.Property) {
		switch o.Property {
		case ir.Overflow:
			return st
		case ir.Assertion:
			return t.assume(st, cond, false) // like abort
		}
		o.Property = ir.Undefined
	}
	t.lives.claim(ir.Assert{Cond: cond.x, Property: o.Property, Text: o.Text})
	if n, ok := cond.v.constant(); ok && n == 0 {
		t.out.emit(ir.Assume{Cond: ir.Number(0, 1)})
		return nil
	}
	st.decide(cond.x, 1)
	t.regs.refine(st, cond.x, 1)
	return st
}

// calls executes a call of the functions that its target may be.
func (t *thread) calls(f *flow, pc int, o code.Call, st *state) *state {
	fr := f.fr
	var args []operandValue
	for _, a := range o.Args {
		args = append(args, t.evaluator.eval(fr, st, a, nil))
	}
	run := func(st *state, fn *code.Function) *state {
		result, end := t.call(st, fn, args, mix(fr.context, uint64(pc)+1), o.Dst >= 0)
		if end != nil && o.Dst >= 0 && result.x != nil {
			t.regs.put(end, fr.regs[o.Dst], result.x, result.v)
		}
		return end
	}
	if o.Fn != nil {
		return run(st, o.Fn)
	}
	return t.each(st, t.evaluator.eval(fr, st, o.Target, nil), len(args), run)
}

// each calls run for each function that an address may denote. An unknown address may denote every function with that
// many parameters whose address the program takes.
//
// The result is a chain: if the address is that of the first function, call it, else test the next one. Behind the last
// test, the pointer points to no function, which is undefined.
func (t *thread) each(st *state, target operandValue, params int, run func(*state, *code.Function) *state) *state {
	var fns []*code.Function
	var addrs []uint64
	for _, n := range target.v.set {
		if fn := t.elab.functionAt(n); fn != nil {
			fns, addrs = append(fns, fn), append(addrs, n)
		}
	}
	if target.v.set == nil && !target.v.plain {
		t.stack.depth[len(t.stack.depth)-1].uncertain = true // it may be recursive
		for _, fn := range t.elab.funcs {
			if len(fn.Params) == params {
				fns, addrs = append(fns, fn), append(addrs, t.elab.addressOf(fn))
			}
		}
	}
	if _, ok := target.v.constant(); ok && len(fns) == 1 {
		return run(st, fns[0])
	}
	var ends []edge
	for i, fn := range fns {
		other := st.clone()
		from := t.out.emit(
			ir.Branch{Cond: ir.Not(ir.Eq.Of(target.x, ir.Number(addrs[i], target.x.Width()))), Target: -1})
		if end := run(st, fn); end != nil {
			ends = append(ends, edge{t.out.emit(ir.Branch{Target: -1}), end})
		}
		st = t.meeting.land([]edge{{from, other}})
	}
	t.lives.defined(ir.Number(0, 1), "the pointer points to no function")
	t.out.emit(ir.Assume{Cond: ir.Number(0, 1)})
	if len(ends) == 0 {
		return nil
	}
	return t.meeting.land(ends)
}
