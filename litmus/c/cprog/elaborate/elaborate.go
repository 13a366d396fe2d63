package elaborate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/compile"
	"litmuscope/litmus/ir"
)

// elaboration runs a program on values of which something is known, and makes threads
// without loops of it. What threads find out about memory counts for all of them, so
// they are run again until nothing new is found out.
type elaboration struct {
	unit    *code.Unit
	options Options
	ctx     context.Context

	blocks    []*block // by address
	known     map[uint64]*block
	threads   map[uint64]*threadInfo
	byNumber  []*threadInfo
	funcs     []*code.Function // by address, from firstFunction on
	looping   map[*code.Function][]*loop
	variables map[*code.Variable]int
	rcu       bool // the program has sections of RCU
	changed   bool
	passes    int   // that have been
	most      int   // numbers that a value is followed for
	steps     int   // made so far, of all threads
	refused   error // what this pass cannot say, which may be for what is not known yet

	// Of one pass:
	queue   []*thread
	program *ir.Program
	flushed bool // main has spawned its first thread, and the blocks have what they begin with
}

// Options say what is made of it.
type Options struct {
	Entry      string // function to begin with; "" is main
	Unroll     int    // rounds of a loop whose end is not known beforehand
	Properties []ir.Property
	Lives      bool // memory is followed to the end of its life, as it is where Memory or Leak are asked for
	Target     Target
	// Strong: where it is compiled to, a weak compare-and-exchange fails for no other reason than a strong one.
	Strong  bool
	Mapping *compile.Mapping // of a machine; else nil
	// Waits says which loops that only wait are cut.
	Waits ir.Waits
	// Ahead: the model lets branches run ahead of what they depend on, so that both ways may be
	// taken though only one value is ever read.
	Ahead bool
	// Bytes: what an access may be to by what is known of its address, and is at another width, is accessed at two. Else that it
	// never is, as a rule, is held by an assertion (ir.MixedSize).
	Bytes bool
	// Numbers are how many a value is followed for, beyond which less is known of it; 0: as many as is good.
	// What is made of a program is larger for fewer, and says the same.
	Numbers int
}

func (o Options) wants(p ir.Property) bool { return slices.Contains(o.Properties, p) }

// FollowsLives tells whether memory is followed to the end of its life.
func (o Options) FollowsLives() bool { return o.Lives || o.wants(ir.Memory) || o.wants(ir.Leak) }

// Target is what C's atomics become.
type Target string

// The targets. On a machine, they become what a mapping makes of them.
const (
	// Language: themselves, for a model of the language.
	Language Target = "c"
	// Generic: accesses that say what they keep in order in terms of every model, and
	// read-modify-writes that are one instruction, whether they succeed or not.
	Generic Target = "generic"
	Kernel  Target = "lkmm"
	Machine Target = "machine"
)

// Bounds on what is made of a program.
const (
	maxPasses  = 60
	maxSteps   = 1_000_000
	maxThreads = 96
	maxDepth   = 200
)

// failure is an error on its way out.
type failure struct{ error }

func Run(ctx context.Context, u *code.Unit, o Options) (p *ir.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(failure)
			if !ok {
				panic(r)
			}
			p, err = nil, f.error
		}
	}()
	name := o.Entry
	if name == "" {
		name = "main"
	}
	entry := u.Functions[name]
	if entry == nil {
		return nil, litmus.Errorf(litmus.Pos{}, "there is no function %s to begin with: name another with --entry", name)
	}
	e := &elaboration{
		unit: u, options: o, ctx: ctx, rcu: u.HasRCU(), known: map[uint64]*block{}, threads: map[uint64]*threadInfo{},
		looping: map[*code.Function][]*loop{}, variables: map[*code.Variable]int{}, most: cmp.Or(o.Numbers, maxSet),
	}
	for pass := 0; ; pass++ {
		e.changed, e.passes = false, pass
		if pass >= maxPasses/4 { // numbers that are counted up would go on for ever
			e.most = min(e.most, 4)
		}
		if pass >= maxPasses/2 {
			e.most = 1
		}
		if pass == maxPasses {
			if e.refused != nil {
				return nil, e.refused
			}
			return nil, litmus.Errorf(entry.Pos, "what the threads may find in memory is not settled after %d passes over the program: give it fewer threads, or lower --unroll", maxPasses)
		}
		settled, err := e.pass(entry)
		if err != nil {
			return nil, err
		}
		if !settled {
			e.forget()
			pass--
			continue
		}
		e.learn(pass)
		if !e.changed {
			break
		}
	}
	if e.refused != nil {
		return nil, e.refused
	}
	if err := e.finish(); err != nil {
		return nil, err
	}
	return e.program, nil
}

// pass runs every thread once; to its end, unless memory is found to be bytes.
func (e *elaboration) pass(entry *code.Function) (ended bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(anew); !ok {
				panic(r)
			}
			ended, err = false, nil
		}
	}()
	e.program = &ir.Program{Arch: "C", Name: entry.Name, Addresses: addresses{e}}
	e.queue, e.flushed, e.steps, e.refused = nil, false, 0, nil
	for _, info := range e.threads {
		info.index = -1
	}
	e.layOut()
	args := make([]*value, len(entry.Params))
	for i := range args {
		args[i] = anything()
	}
	e.start(e.thread(0), entry, args, true)
	for i := 0; i < len(e.queue); i++ {
		if err := e.ctx.Err(); err != nil {
			return false, err
		}
		e.queue[i].attempted()
	}
	return true, nil
}

// finish numbers what is known by now, and gives threads of one function names of their own.
func (e *elaboration) finish() error {
	count, next := map[string]int{}, map[string]int{}
	for _, t := range e.queue {
		count[t.out.th.Name]++
	}
	for _, t := range e.queue {
		for i, s := range t.out.th.Code {
			switch op := s.Op.(type) {
			case ir.Spawn:
				op.Thread = e.byNumber[op.Thread-1].index
				t.out.th.Code[i].Op = op
			case ir.Join:
				if op.Thread = e.byNumber[op.Thread-1].index; op.Thread < 0 {
					t.out.th.Code[i].Op = ir.Assume{Cond: ir.Number(1, 1)} // there is no such thread
				} else {
					t.out.th.Code[i].Op = op
				}
			}
		}
		if count[t.out.th.Name] > 1 {
			next[t.out.th.Name]++
			t.out.th.Name = fmt.Sprintf("%s %d", t.out.th.Name, next[t.out.th.Name])
		}
		e.program.Threads = append(e.program.Threads, t.out.th)
	}
	e.program.Remarks = e.unit.Remarks
	e.program.Condition = litmus.Condition{Quantifier: litmus.Forall, Prop: litmus.And{}}
	for t := range e.program.Threads {
		e.program.Prune(t)
	}
	return e.pieces()
}

// thread is a thread while it is run: it takes the steps of the functions that it calls. Its parts share what they know.
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

// output is the thread without loops that is made.
type output struct {
	elab    *elaboration
	info    *threadInfo
	fn      *code.Function
	th      ir.Thread
	sources map[int]int // by line: index into th.Source
	line    int         // of the step at hand
}

// threadRegisters reads and sets the thread's registers.
type threadRegisters struct {
	out    *output
	begins []*value    // by register: what one of a cell begins with; nil for others
	doubts map[int]int // of some of these, the registers that tell whether they are set
}

// evaluator evaluates expressions on what is known of registers.
type evaluator struct {
	elab *elaboration
	regs *threadRegisters
}

// instructions emits the accesses and fences that atomics become.
type instructions struct {
	elab *elaboration
	out  *output
}

// cells finds the memory of accesses, and gives registers to what the thread alone accesses.
type cells struct {
	elab         *elaboration
	out          *output
	regs         *threadRegisters
	instructions *instructions
	stack        *stack
	registers    map[*cell]int // of memory that this thread alone accesses
}

// meeting joins the ways that meet at a place.
type meeting struct {
	elab  *elaboration
	out   *output
	regs  *threadRegisters
	cells *cells
}

// memory does the thread's accesses.
type memory struct {
	elab         *elaboration
	out          *output
	regs         *threadRegisters
	evaluator    *evaluator
	instructions *instructions
	cells        *cells
	rounds       *rounds
	lives        *lifetimes
}

// lifetimes begins and ends the lives of memory, and asserts that what is accessed is alive.
type lifetimes struct {
	elab         *elaboration
	out          *output
	regs         *threadRegisters
	evaluator    *evaluator
	instructions *instructions
	cells        *cells
	meeting      *meeting
	memory       *memory
	stack        *stack
}

// rounds compares rounds of loops: whether one has only waited, or left all as it was.
type rounds struct {
	elab      *elaboration
	out       *output
	regs      *threadRegisters
	evaluator *evaluator
	cells     *cells
	stack     *stack
}

// stack is the calls that the thread is in.
type stack struct {
	out    *output
	frames map[frameKey]*frame
	depth  []*frame
}

type frameKey struct {
	fn    *code.Function
	depth int
}

// frame is a call of a function: where its registers are among the thread's.
type frame struct {
	fn        *code.Function
	regs      []int
	result    int  // register; -1 for none
	used      bool // the caller uses the result
	returns   []edge
	ended     bool     // a call before has
	uncertain bool     // what is read has decided where control goes
	context   uint64   // how control came here
	made      []*block // allocations that end with it
	rounds    []*round // of the loops around, the outermost first
}

// state is what is known at a place of a thread's code.
type state struct {
	registers
	single bool
	atomic int      // atomic sections around
	ended  []*block // locals of blocks that may have ended
	effects
}

func (s *state) clone() *state {
	out := *s
	out.registers = s.shared()
	return &out
}

// get is the value of a register.
func (tr *threadRegisters) get(st *state, r int) *value {
	if v := tr.has(&st.registers, r); v != nil {
		return v
	}
	return zero
}

// has is what has been put into a register, or what it begins with; nil for neither.
func (tr *threadRegisters) has(g *registers, r int) *value {
	if v := g.at(r); v != nil || r >= len(tr.begins) {
		return v
	}
	return tr.begins[r]
}

var zero = exactly(0)

// failf refuses what the step at hand does.
func (out *output) failf(format string, args ...any) {
	panic(failure{litmus.Errorf(out.pos(), format, args...)})
}

func (out *output) pos() litmus.Pos {
	if out.line < len(out.elab.unit.Lines) {
		return out.elab.unit.Lines[out.line].Pos
	}
	return out.fn.Pos
}

// emit adds a step to the thread, and gives its number.
func (out *output) emit(op ir.Op) int {
	out.elab.steps++
	if out.elab.steps++; out.elab.steps > maxSteps {
		out.failf("the program has more than %d steps when its loops are unrolled: lower --unroll, or its own bounds", maxSteps)
	}
	if out.elab.steps%4096 == 0 && out.elab.ctx.Err() != nil {
		panic(failure{out.elab.ctx.Err()})
	}
	source, ok := out.sources[out.line]
	if !ok {
		source = len(out.th.Source)
		out.sources[out.line] = source
		cell := litmus.Cell{Pos: out.fn.Pos, Text: out.fn.Name}
		if out.line < len(out.elab.unit.Lines) {
			cell = out.elab.unit.Lines[out.line]
		}
		out.th.Source = append(out.th.Source, cell)
	}
	out.th.Code = append(out.th.Code, ir.Step{Op: op, Source: source})
	return len(out.th.Code) - 1
}

// register is a new register of the thread.
func (out *output) register(bits int) int {
	out.th.Regs = append(out.th.Regs, ir.Register{Bits: bits})
	return len(out.th.Regs) - 1
}

func (out *output) reg(r int) ir.Expr { return ir.Reg{Index: r, Bits: out.th.Regs[r].Bits} }

// put sets a register of the thread. A number that is known takes no step: it stands in place of the
// register wherever that is read.
func (tr *threadRegisters) put(st *state, r int, x ir.Expr, v *value) {
	if n, ok := v.known(); ok {
		x = ir.Number(n, tr.out.th.Regs[r].Bits)
		w := *v
		w.late = true
		v = &w
	} else {
		tr.out.emit(ir.Assign{Dst: r, Value: x})
	}
	st.assign(r, x)
	st.set(r, v)
}

// read is what a register has.
func (tr *threadRegisters) read(st *state, r int) operandValue {
	v := tr.get(st, r)
	if n, ok := v.known(); ok {
		return operandValue{ir.Number(n, tr.out.th.Regs[r].Bits), v}
	}
	return operandValue{tr.out.reg(r), v}
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
