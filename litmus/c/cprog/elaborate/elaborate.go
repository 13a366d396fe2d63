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

// elaboration executes a program on partly known values and generates threads without loops.
//
// It is an abstract interpretation of all threads together. Facts about memory hold for all threads: for each cell, the
// set of values that any thread stores in it, and for each block, the threads that access it. A pass executes each
// thread once. A read of shared memory returns the values that the last pass has found for its cells (cell.possible); a
// store adds to those that this pass finds (cell.stored). At the end of a pass, learn makes the latter the former. The
// generated program is right when a pass has found exactly what it ran on: then no execution of it reads a value, or
// reaches a location, that the pass did not take into account.
//
// Early passes run on too few facts or on wrong ones, for example before they know what another thread writes. Three
// rules follow:
//
//   - An error of a pass counts only if its facts are final. Until then, it ends only the thread in which it occurs
//     (see attempted), because the values that cause it may be impossible.
//
//   - Values that are no longer stored are dropped, so that a wrong guess does not persist (learn).
//
//   - Facts could change for ever, for example if a counter in memory grows in each pass. So values only grow after a
//     sixth of maxPasses, sets contain at most 4 numbers after a quarter of it and 1 after half of it, beyond which
//     they become residue classes, and a cell without pointers that has grown more than maxGrowth times becomes any
//     number.
//
// Whatever identifies an object must be the same in all passes, or facts about it would get lost. Blocks and threads
// therefore have keys, hashes of the path to the step that creates them: its thread, the calls, and the rounds of loops
// (frame.context). They keep their addresses and handles once they have them.
type elaboration struct {
	unit    *code.Unit
	options Options
	ctx     context.Context

	blocks     []*block // by address
	blockByKey map[uint64]*block
	threads    map[uint64]*threadInfo
	byNumber   []*threadInfo
	funcs      []*code.Function // by address, from firstFunction on
	looping    map[*code.Function][]*loop
	variables  map[*code.Variable]int
	rcu        bool // the program has RCU critical sections
	changed    bool
	passes     int   // number of passes so far
	most       int   // maximum number of numbers in a value's set
	steps      int   // steps generated so far in all threads
	refused    error // error of this pass, which may be due to missing facts

	// State of one pass:
	queue   []*thread
	program *ir.Program
	flushed bool // main has started its first thread, and the blocks have their initial values
}

// Options control the elaboration.
type Options struct {
	Entry      string // the first function; "" is main
	Unroll     int    // maximum rounds of a loop whose end depends on values that are read
	Properties []ir.Property
	Lives      bool // track the lifetimes of memory, as for the properties Memory and Leak
	Target     Target
	// Strong: on the target, a weak compare-exchange does not fail spuriously.
	Strong  bool
	Mapping *compile.Mapping // of a hardware target; otherwise nil
	// Waits selects the waiting loops that are cut.
	Waits ir.Waits
	// Ahead: the model allows execution past a branch before its condition is known, so that both ways may be taken
	// although only one value is ever read.
	Ahead bool
	// Bytes: a cell of another width that an access may reach, by imprecise knowledge of its address, makes the memory
	// bytes. Otherwise an assertion (ir.MixedSize) usually checks that the access never reaches it.
	Bytes bool
	// Numbers is the maximum number of numbers that the set of a value contains, beyond which it is approximated; 0 is
	// the default. With fewer numbers, the result is larger but equivalent.
	Numbers int
	// Relaxed says which plain accesses count as relaxed atomics.
	Relaxed code.RelaxedOptions
}

func (o Options) checks(p ir.Property) bool { return slices.Contains(o.Properties, p) }

// FollowsLives reports whether lifetimes of memory are tracked.
func (o Options) FollowsLives() bool { return o.Lives || o.checks(ir.Memory) || o.checks(ir.Leak) }

// Target is the architecture to which the front end compiles C's atomics.
type Target string

// The targets. For a hardware target, Options.Mapping compiles the atomics.
const (
	// Language: unchanged, for a language model.
	Language Target = "c"
	// Generic: accesses with generic tags, which every model understands, and read-modify-writes that are one
	// instruction, whether they succeed or not.
	Generic Target = "generic"
	Kernel  Target = "lkmm"
	Machine Target = "machine"
)

// Bounds on the generated program.
const (
	maxPasses  = 60
	maxSteps   = 1_000_000
	maxThreads = 96
	maxDepth   = 200
)

// failure is an error that is being panicked.
type failure struct{ error }

// Run elaborates the code of a program. It executes all threads in passes until the facts about memory do not change,
// and fails after maxPasses passes. Then it numbers locations and threads and returns the program. A failure that a
// pass finds counts only if no later pass has more facts.
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
		return nil, litmus.Errorf(litmus.Pos{},
			"the program has no function %s to start with: name another one with --entry",
			name)
	}
	e := &elaboration{
		unit: u, options: o, ctx: ctx, rcu: u.HasRCU(), blockByKey: map[uint64]*block{},
		threads: map[uint64]*threadInfo{}, looping: map[*code.Function][]*loop{}, variables: map[*code.Variable]int{},
		most: cmp.Or(o.Numbers, maxSet),
	}
	for pass := 0; ; pass++ {
		e.changed, e.passes = false, pass
		if pass >= maxPasses/4 { // counters would grow for ever
			e.most = min(e.most, 4)
		}
		if pass >= maxPasses/2 {
			e.most = 1
		}
		if pass == maxPasses {
			if e.refused != nil {
				return nil, e.refused
			}
			return nil, litmus.Errorf(entry.Pos,
				"the possible contents of memory still change after %d passes over the program: use fewer threads, "+
					"or lower --unroll", maxPasses)
		}
		ended, err := e.pass(entry)
		if err != nil {
			return nil, err
		}
		if !ended {
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

// pass executes every thread once. ended is false if memory turned out to be bytes, so that the pass was aborted.
func (e *elaboration) pass(entry *code.Function) (ended bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(restart); !ok {
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

// finish numbers the locations, and gives threads of the same function different names.
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
					t.out.th.Code[i].Op = ir.Assume{Cond: ir.Number(1, 1)} // no such thread exists
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
