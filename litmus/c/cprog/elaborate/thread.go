package elaborate

import (
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// thread is a thread while it is run: it takes the steps of the functions that it calls. Its parts share what they
// know.
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

	values []*value // of its arguments; their registers are the thread's first
	single bool     // main, before its first spawn: nobody else sees memory
	ends   []edge
	bound  int // of the loop that comes next; 0 for the one of all
	ending int // loops around that may only end
	tries  int // where what a function of a library tries begins
}

// newThread makes a thread that calls a function, with its parts.
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

// attempted runs the thread as far as it can be. Where that is not to the end, memory may hold what it cannot, as
// far as others have said, and the next pass knows better.
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

// run makes the thread's code.
func (t *thread) run() {
	st := &state{single: t.single}
	var regs []int
	for i, p := range t.out.fn.Params {
		bits := t.out.fn.Regs[p].Bits
		r := t.out.register(bits)
		regs = append(regs, r)
		if i < len(t.values) && t.values[i] != nil {
			st.set(r, t.values[i])
			if n, ok := t.values[i].known(); ok {
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
		if t.out.info.index == 0 && t.elab.options.wants(ir.Leak) {
			t.lives.unfreed(end)
		}
		t.leave(end, result)
	}
	if len(t.ends) > 0 {
		t.meeting.land(t.ends)
	}
}

// mix makes a key of a key and a number.
func mix(key, n uint64) uint64 {
	key ^= n + 0x9e3779b97f4a7c15 + key<<6 + key>>2
	key ^= key >> 31
	key *= 0xbf58476d1ce4e5b9
	return key ^ key>>29
}
