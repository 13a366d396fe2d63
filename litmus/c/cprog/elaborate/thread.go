package elaborate

import (
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// thread is a thread while it is executed, through the functions that it calls. Its parts share their state.
//
// Execution and generation are one walk: a step that is executed on the abstract state emits the steps of the result.
// Control only moves forward in the result. A branch is emitted before its target is known and patched when the walk
// arrives there (meeting.land), so that each step is generated after all steps that can lead to it. A loop appears as
// its rounds one after another, and a call as the body of the function.
//
// A value that is known when the program is generated is not computed by it: it replaces the register wherever it is
// read. A value that a read decides remains an expression, even if only one number is possible, because models see the
// dependency.
type thread struct {
	elab         *elaboration
	out          *output
	regs         *threadRegisters
	evaluator    *evaluator
	cells        *cells
	meeting      *meeting
	memory       *memory
	lives        *lifetimes
	rounds       *rounds
	stack        *stack
	instructions *instructions

	values []*value // values of its arguments, which are in the thread's first registers
	single bool     // main before it starts a thread, when no other thread accesses memory
	ends   []edge
	bound  int // bound of the next loop; 0 for Options.Unroll
	ending int // number of enclosing loops that must not continue
	tries  int // first step of the current attempt of a library function
}

// newThread creates a thread that calls a function.
func newThread(e *elaboration, info *threadInfo, fn *code.Function, values []*value, single bool) *thread {
	out := &output{elab: e, info: info, fn: fn, sources: map[int]int{}}
	out.th = ir.Thread{ID: info.index, Name: fn.Name, Spawned: info.index > 0}
	regs := &threadRegisters{out: out, doubts: map[int]int{}}
	eval := &evaluator{elab: e, regs: regs}
	ins := &instructions{elab: e, out: out}
	calls := &stack{out: out, frames: map[frameKey]*frame{}}
	own := &cells{elab: e, out: out, regs: regs, instructions: ins, stack: calls, registers: map[*cell]int{}}
	meet := &meeting{elab: e, out: out, regs: regs, cells: own}
	rs := &rounds{out: out, regs: regs, evaluator: eval, cells: own, stack: calls, elab: e}
	mem := &memory{
		elab: e, out: out, regs: regs, evaluator: eval, instructions: ins, cells: own, rounds: rs,
	}
	lives := &lifetimes{
		elab: e, out: out, regs: regs, evaluator: eval, instructions: ins, cells: own, meeting: meet, memory: mem,
		stack: calls,
	}
	mem.lives = lives
	return &thread{
		elab: e, out: out, regs: regs, evaluator: eval, instructions: ins, cells: own, meeting: meet, memory: mem,
		lives: lives, rounds: rs, stack: calls, values: values, single: single,
	}
}

// attempted executes the thread as far as possible. If it fails before the end, memory may contain impossible values
// according to the present facts; the next pass has better ones.
func (t *thread) attempted() {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(failure)
			if !ok || t.elab.ctx.Err() != nil || t.elab.steps > maxSteps {
				panic(r)
			}
			if t.elab.refused == nil {
				t.elab.refused = f.error
			}
		}
	}()
	t.run()
}

// run generates the thread's code.
func (t *thread) run() {
	st := &state{single: t.single}
	var regs []int
	for i, p := range t.out.fn.Params {
		bits := t.out.fn.Regs[p].Bits
		r := t.out.register(bits)
		regs = append(regs, r)
		if i < len(t.values) && t.values[i] != nil {
			st.set(r, t.values[i])
			if n, ok := t.values[i].constant(); ok {
				t.out.th.Regs[r].Init = n & ir.Mask(bits)
			}
		}
	}
	var args []operandValue
	for _, r := range regs {
		args = append(args, t.regs.read(st, r))
	}
	result, end := t.call(st, t.out.fn, args, mix(t.out.info.key, 1), false)
	if end != nil {
		if t.out.info.index == 0 && t.elab.options.checks(ir.Leak) {
			t.lives.unfreed(end)
		}
		t.leave(end, result)
	}
	if len(t.ends) > 0 {
		t.meeting.land(t.ends)
	}
}

// mix combines a key and a number to a new key.
func mix(key, n uint64) uint64 {
	key ^= n + 0x9e3779b97f4a7c15 + key<<6 + key>>2
	key ^= key >> 31
	key *= 0xbf58476d1ce4e5b9
	return key ^ key>>29
}
