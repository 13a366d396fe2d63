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
	Unroll     int    // rounds of a loop whose end is not known in advance
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
	// Bytes: what an access may be to by what is known of its address, and is at another width, is accessed at two.
	// Else that it never is, as a rule, is held by an assertion (ir.MixedSize).
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
		return nil, litmus.Errorf(litmus.Pos{},
			"the program has no function %s to start with: name another one with --entry",
			name)
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
			return nil, litmus.Errorf(entry.Pos,
				"the possible contents of memory still change after %d passes over the program: use fewer threads, "+
					"or lower --unroll", maxPasses)
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
