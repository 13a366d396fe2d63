package elaborate

import (
	"fmt"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// section begins or ends an atomic section. Nested sections are part of the outer one.
func (t *thread) section(st *state, o code.Section) {
	st.setLasting()
	if o.End {
		if st.atomic--; st.atomic < 0 {
			t.out.failf("this ends an atomic section that has not begun")
		}
	} else {
		st.atomic++
	}
	if !st.single && (st.atomic == 0 || !o.End && st.atomic == 1) {
		t.out.emit(ir.Atomic{End: o.End})
	}
}

// spawn starts a thread.
func (t *thread) spawn(fr *frame, st *state, pc int, o code.Spawn) *state {
	args := make([]operandValue, len(o.Args))
	for i, x := range o.Args {
		args[i] = t.evaluator.eval(fr, st, x, nil)
	}
	if st.single {
		t.cells.flush(st)
	}
	st.setLasting()
	if o.Fn != nil {
		t.spawnOf(fr, st, pc, o, o.Fn, args)
		return st
	}
	return t.each(st, t.evaluator.eval(fr, st, o.Target, nil), len(args), func(st *state, fn *code.Function) *state {
		t.spawnOf(fr, st, pc, o, fn, args)
		return st
	})
}

// spawnOf starts a thread with one function. The handle of a thread is its number, which is known when the program is
// generated. A step that is executed in several rounds or calls starts a different thread in each, because the key
// contains the context.
func (t *thread) spawnOf(fr *frame, st *state, pc int, o code.Spawn, fn *code.Function, args []operandValue) {
	if len(t.elab.queue) >= maxThreads {
		t.out.failf(
			"the program has more than %d threads when its loops are unrolled: lower --unroll or the program's own "+
				"bounds",
			maxThreads)
	}
	key := mix(mix(mix(t.out.info.key, fr.context), uint64(pc)), t.elab.addressOf(fn))
	info := t.elab.thread(key)
	var values []*value
	op := ir.Spawn{Thread: info.number}
	for i, a := range args[:min(len(args), len(fn.Params))] {
		values = append(values, a.v)
		if _, known := a.v.constant(); !known {
			op.Args = append(op.Args, ir.Arg{Reg: i, Value: ir.Resize(a.x, fn.Regs[fn.Params[i]].Bits)})
		}
	}
	t.elab.start(info, fn, values, false)
	t.out.emit(op)
	if o.Handle >= 0 {
		v := constant(uint64(info.number), t.out.th.Regs[fr.regs[o.Handle]].Bits)
		t.regs.put(st, fr.regs[o.Handle], v.x, v.v)
	}
}

// await waits for one of the threads that a handle may denote.
func (t *thread) await(fr *frame, st *state, o code.Join) *state {
	if st.single {
		return st
	}
	st.setLasting()
	handle := t.evaluator.eval(fr, st, o.Handle, nil)
	if handle.v.set == nil {
		t.out.failf("this can wait for any thread, which is not supported")
	}
	var all []*threadInfo
	for _, n := range handle.v.set {
		if n >= 1 && n <= uint64(len(t.elab.byNumber)) {
			all = append(all, t.elab.byNumber[n-1])
		}
	}
	wait := func(st *state, info *threadInfo) {
		t.out.emit(ir.Join{Thread: info.number})
		if o.Dst < 0 {
			return
		}
		r := info.result
		if r == nil {
			r = t.elab.block(mix(info.key, 3),
				block{name: fmt.Sprintf("result of thread %d", info.number), size: t.elab.unit.Pointer / 8, zero: true})
			info.result = r
		}
		addr := constant(r.base, t.elab.unit.Pointer)
		t.memory.loadCells(st, fr.regs[o.Dst], addr.x,
			[]target{{cell: t.cells.cellAt(r, 0, t.elab.unit.Pointer), addr: r.base}}, code.Access{})
	}
	if n, ok := handle.v.constant(); ok && len(all) == 1 && n == uint64(all[0].number) {
		wait(st, all[0])
		return st
	}
	for _, info := range all {
		t.meeting.given(st, ir.Eq.Of(handle.x, ir.Number(uint64(info.number), handle.x.Width())),
			func(st *state) { wait(st, info) })
	}
	return st
}

// threadInfo contains the facts about a thread over all passes.
type threadInfo struct {
	key    uint64
	number int    // its handle: 1 for main, and so on
	result *block // its result, if it is used
	index  int    // index in the program's threads in this pass; -1 if it is not started
}

// thread returns the thread with a key, which identifies where it is started.
func (e *elaboration) thread(key uint64) *threadInfo {
	info := e.threads[key]
	if info == nil {
		info = &threadInfo{key: key, number: len(e.threads) + 1, index: -1}
		e.threads[key] = info
		e.byNumber = append(e.byNumber, info)
		e.changed = true
	}
	return info
}

// start adds a thread to the queue.
func (e *elaboration) start(info *threadInfo, fn *code.Function, values []*value, single bool) {
	info.index = len(e.queue)
	t := newThread(e, info, fn, values, single)
	e.queue = append(e.queue, t)
}

// leave ends the thread with a result.
func (t *thread) leave(st *state, result operandValue) {
	t.lives.endThreadLocals(st)
	if o := t.out.info.result; o != nil {
		x, v := ir.Number(0, t.elab.unit.Pointer), zero
		if result.x != nil && result.x.Width() <= t.elab.unit.Pointer {
			// of int, as C11's threads have it, or a pointer
			x, v = ir.Resize(result.x, t.elab.unit.Pointer), result.v
		}
		t.memory.storeTo(st, ir.Number(o.base, t.elab.unit.Pointer), exactly(o.base), x, v, code.Access{})
	}
	t.ends = append(t.ends, edge{t.out.emit(ir.Branch{Target: -1}), st})
}
