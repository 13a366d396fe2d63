package elaborate

import (
	"fmt"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// section begins or ends an atomic section; those inside another are part of it.
func (t *thread) section(st *state, o code.Section) {
	st.lasts()
	if o.End {
		if st.atomic--; st.atomic < 0 {
			t.failf("an atomic section ends here that was not begun")
		}
	} else {
		st.atomic++
	}
	if !st.single && (st.atomic == 0 || !o.End && st.atomic == 1) {
		t.emit(ir.Atomic{End: o.End})
	}
}

// spawn starts a thread.
func (t *thread) spawn(fr *frame, st *state, pc int, o code.Spawn) *state {
	args := make([]operandValue, len(o.Args))
	for i, x := range o.Args {
		args[i] = t.eval(fr, st, x, nil)
	}
	if st.single {
		t.flush(st)
	}
	st.lasts()
	if o.Fn != nil {
		t.spawnOf(fr, st, pc, o, o.Fn, args)
		return st
	}
	return t.each(st, t.eval(fr, st, o.Target, nil), len(args), func(st *state, fn *code.Function) *state {
		t.spawnOf(fr, st, pc, o, fn, args)
		return st
	})
}

func (t *thread) spawnOf(fr *frame, st *state, pc int, o code.Spawn, fn *code.Function, args []operandValue) {
	if len(t.queue) >= maxThreads {
		t.failf("the program has more than %d threads when its loops are unrolled: lower --unroll, or its own bounds", maxThreads)
	}
	key := mix(mix(mix(t.info.key, fr.context), uint64(pc)), t.addressOf(fn))
	info := t.thread(key)
	var values []*value
	op := ir.Spawn{Thread: info.number}
	for i, a := range args[:min(len(args), len(fn.Params))] {
		values = append(values, a.v)
		if _, known := a.v.known(); !known {
			op.Args = append(op.Args, ir.Arg{Reg: i, Value: ir.Resize(a.x, fn.Regs[fn.Params[i]].Bits)})
		}
	}
	t.start(info, fn, values, false)
	t.emit(op)
	if o.Handle >= 0 {
		v := t.constant(uint64(info.number), t.th.Regs[fr.regs[o.Handle]].Bits)
		t.put(st, fr.regs[o.Handle], v.x, v.v)
	}
}

// await waits for one of the threads that a handle may be of.
func (t *thread) await(fr *frame, st *state, o code.Join) *state {
	if st.single {
		return st
	}
	st.lasts()
	handle := t.eval(fr, st, o.Handle, nil)
	if handle.v.set == nil {
		t.failf("the thread that is waited for may be any: that is not supported")
	}
	var all []*threadInfo
	for _, n := range handle.v.set {
		if n >= 1 && n <= uint64(len(t.byNumber)) {
			all = append(all, t.byNumber[n-1])
		}
	}
	wait := func(st *state, info *threadInfo) {
		t.emit(ir.Join{Thread: info.number})
		if o.Dst < 0 {
			return
		}
		r := info.result
		if r == nil {
			r = t.block(mix(info.key, 3), block{name: fmt.Sprintf("result of thread %d", info.number), size: t.Pointer / 8, zero: true})
			info.result = r
		}
		addr := t.constant(r.base, t.Pointer)
		t.loadCells(st, fr.regs[o.Dst], addr.x, []target{{cell: t.cellAt(r, 0, t.Pointer), addr: r.base}}, code.Access{})
	}
	if n, ok := handle.v.known(); ok && len(all) == 1 && n == uint64(all[0].number) {
		wait(st, all[0])
		return st
	}
	for _, info := range all {
		t.given(st, ir.Eq.Of(handle.x, ir.Number(uint64(info.number), handle.x.Width())), func(st *state) { wait(st, info) })
	}
	return st
}

// threadInfo is what is known of a thread over all passes.
type threadInfo struct {
	key    uint64
	number int    // what its handle is: 1 for main, and so on
	result *block // what it returns, if somebody wants to know
	index  int    // into the program's threads, in this pass; -1 where it is not spawned
}

// thread finds a thread by its key, which says where it was spawned.
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

// start puts a thread in the queue.
func (e *elaboration) start(info *threadInfo, fn *code.Function, values []*value, single bool) {
	info.index = len(e.queue)
	name := fn.Name
	t := &thread{elaboration: e, info: info, fn: fn, values: values, single: single, frames: map[frameKey]*frame{}, cells: map[*cell]int{}, doubts: map[int]int{}, sources: map[int]int{}}
	t.th = ir.Thread{ID: info.index, Name: name, Spawned: info.index > 0}
	e.queue = append(e.queue, t)
}

// leave ends the thread, which returns a value.
func (t *thread) leave(st *state, result operandValue) {
	t.liveOwn(st)
	if o := t.info.result; o != nil {
		x, v := ir.Number(0, t.Pointer), zero
		if result.x != nil && result.x.Width() <= t.Pointer { // of int, as C11's threads have it, or a pointer
			x, v = ir.Resize(result.x, t.Pointer), result.v
		}
		t.storeTo(st, ir.Number(o.base, t.Pointer), exactly(o.base), x, v, code.Access{})
	}
	t.ends = append(t.ends, edge{t.emit(ir.Branch{Target: -1}), st})
}
