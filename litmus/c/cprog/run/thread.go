package run

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Action is an observable action of a thread, or the reason why it stops.
type Action struct {
	Kind   ir.ActionKind
	Line   int // index into Program.Lines
	Scalar int // scalar of an access; -1 for none
	// Pieces are the parts of an access to several scalars.
	Pieces []ir.Piece
	Value  uint64
	Tags   ir.Tags
	Other  int // the thread that is started or waited for
	// Property and Text describe a failure.
	Property ir.Property
	Text     string
	// Waits: the blocked thread only waits; Spins: it does so in a loop of the program, and not in a library function.
	Waits, Spins bool
	// Endless: it repeats a loop for ever, whatever other threads do.
	Endless bool
	// Since is the number of events before the last round of a thread that is blocked or cut, and Weak says whether an
	// update has failed spuriously in that round. For a choice, Weak says that it decides whether an update does.
	Since int
	Weak  bool
	// Locks: it is an update that takes a lock, which is 0 while it is free, and blocks the thread otherwise.
	// Unlocks: it is a store of 0 to a lock. Neither is set for scalars that are also used in other ways.
	Locks, Unlocks bool
}

// Thread is the state of a thread: its calls with their registers, its private memory, and what it needs to recognise
// loops that do not end. An engine uses it like this:
//
//	for {
//		a, err := t.Next()
//		switch a.Kind { // if err is nil
//		case ir.ActLoad, ir.ActRMW:
//			t.Read(v) // the engine chooses v, and records what an update writes
//		case ir.ActChoose:
//			t.Choose(yes)
//		case ir.ActSpawn:
//			other.Begin(t.Spawn(a.Other))
//		case ir.ActStore, ir.ActFence, ir.ActJoin, ir.ActEnter, ir.ActLeave:
//			t.Pass(result)
//		default: // it has ended, failed, or cannot continue
//			return
//		}
//	}
//
// Next runs everything that no other thread can observe and stops before the next action. The same actions always
// follow from the same values delivered, so an engine can also rebuild a state by running a new Thread and delivering
// the recorded values.
type Thread struct {
	p      *Program
	number int
	frames []frame
	depth  int // frames in use
	memory memory
	image  *Image // set when main starts the first thread
	single bool   // main before that

	spawned  int // number of threads started so far
	made     []made
	effects  int // number of lasting effects so far
	inside   int // number of open atomic sections
	result   uint64
	ended    bool
	stopped  *Action // final action
	begun    bool
	bound    int // bound of the next loop; 0 for the default
	log      []change
	logged   int     // number of changes so far; log has the latest ones
	spurious int     // updates that have failed spuriously
	passed   int     // number of events so far
	width    int     // number of events in each half of the current step
	control  sources // sources of the branches so far
	attempt  attempt
	circle   *circle
	pending  *pending
	chosen   int32 // number of free bits so far; facts are the decisions on them
	facts    []fact
	cells    []cell // memory with free bits
	spread   int    // number of changes of cells
	question *bit   // bit to decide; doubted: one has been decided for the current step
	doubted  bool
	due      []ending // changes of lifetimes to write before it continues
	dead     []*block // locals whose lifetimes it has ended
	stack    []stacked
	checked  bool   // the current step accesses memory that is alive
	asked    *block // block for which it must read whether it is alive
	sweep    sweep
	// past is its state at the head of a loop since which it has accessed no shared memory; remembers: store the state
	// at the next loop head.
	past      *Thread
	sections  int // open RCU critical sections; after a failure, those it still has to leave
	remembers bool
	steps     int // steps since its last observable action
	suspect   suspect
}

// attempt is the state at the beginning of an attempt in a library function.
type attempt struct{ passed, spurious int }

// made counts the blocks that a place has created.
type made struct {
	at place
	n  int
}

// frame is a call of a function.
type frame struct {
	fn    *function
	pc    int
	regs  []uint64
	taint []sources // by register: the observable reads that its value depends on
	unset []holes   // by register: unset bytes of a copied value
	free  []*number // by register: number with open bits; nil if no register has one
	dst   int       // the caller's register for the result; -1 for none
	loops []round
}

// Thread creates thread n. Except for main, it must begin with Begin.
func (p *Program) Thread(n int) *Thread {
	t := &Thread{p: p, number: n}
	if n == 0 {
		t.begun, t.single = true, true
		t.enter(p.function(p.entry), nil, nil, -1)
	}
	return t
}

// Copy returns an independent copy of the thread.
//
// It costs as much as the registers of all active calls; memory, the log of changes and open numbers are shared until
// one of the copies changes them. Registers of all calls are in one allocation, because engines copy threads for every
// branch of an exploration.
func (t *Thread) Copy() *Thread {
	out := *t
	registers, rounds := 0, 0
	for i := range t.depth {
		registers += len(t.frames[i].regs)
		rounds += len(t.frames[i].loops)
	}
	regs, taint, unset := make([]uint64, registers), make([]sources, registers), make([]holes, registers)
	loops := make([]round, rounds)
	out.frames = make([]frame, t.depth, t.depth+1)
	for i := range out.frames {
		f, from := &out.frames[i], &t.frames[i]
		*f = *from
		n, l := copy(regs, from.regs), copy(loops, from.loops)
		copy(taint, from.taint)
		copy(unset, from.unset)
		f.free = slices.Clone(from.free)
		f.regs, f.taint, f.unset, f.loops = regs[:n:n], taint[:n:n], unset[:n:n], loops[:l:l]
		regs, taint, unset, loops = regs[n:], taint[n:], unset[n:], loops[l:]
	}
	out.made, out.stack, out.due, out.dead = slices.Clone(t.made), slices.Clone(t.stack), slices.Clone(t.due),
		slices.Clone(t.dead)
	out.log = slices.Clip(t.log) // its elements are immutable
	out.memory = memory{}
	out.memory.copyFrom(&t.memory)
	return &out
}

// Call is the function and the arguments with which a thread begins.
type Call struct {
	fn    *code.Function
	args  []uint64
	image *Image
}

// Begin starts a thread with a call.
func (t *Thread) Begin(c *Call) {
	t.begun, t.image = true, c.image
	t.enter(t.p.function(c.fn), c.args, nil, -1)
}

// Image returns memory at the time when main started its first thread, or nil before that.
func (t *Thread) Image() *Image { return t.image }

// Result returns the result of a thread that has ended.
func (t *Thread) Result() uint64 { return t.result }

// Spurious reports whether an update has failed spuriously.
func (t *Thread) Spurious() bool { return t.spurious > 0 }

// Ended reports whether the thread has ended.
func (t *Thread) Ended() bool { return t.ended }

func (t *Thread) top() *frame { return &t.frames[t.depth-1] }

// enter calls a function.
func (t *Thread) enter(fn *function, args []uint64, taint []sources, dst int) {
	if t.depth == len(t.frames) {
		t.frames = append(t.frames, frame{})
	}
	f := &t.frames[t.depth]
	t.depth++
	n := len(fn.Regs)
	f.fn, f.dst, f.free, f.loops = fn, dst, f.free[:0], f.loops[:0]
	f.regs = append(f.regs[:0], make([]uint64, n)...)
	f.taint, f.unset = append(f.taint[:0], make([]sources, n)...), append(f.unset[:0], make([]holes, n)...)
	for i, r := range fn.Params {
		if i < len(args) {
			f.regs[r] = args[i] & ir.Mask(fn.Regs[r].Bits)
			if taint != nil {
				f.taint[r] = taint[i]
			}
		}
	}
	for _, v := range fn.Locals {
		t.renew(v)
	}
	t.arrive(-1, 0)
}

// renew begins the lifetime of a local again.
func (t *Thread) renew(v *code.Variable) {
	if v.Static || v.PerThread {
		return
	}
	b := t.p.variable(v, t.number, t.depth)
	if _, ok := t.memory.find(b.base); ok {
		s := t.memory.open(b)
		clear(s.set[:b.size])
	}
	if len(t.cells) > 0 {
		t.cover(target{block: b}, b.size, nil)
	}
}

func (t *Thread) eval(x ir.Expr, old uint64) uint64 { return noProgram.Eval(x, t.top().regs, old) }

func (t *Thread) set(r int, v uint64, taint sources) {
	f := t.top()
	f.regs[r], f.taint[r], f.unset[r] = v, taint, 0
	if r < len(f.free) {
		f.free[r] = nil
	}
}

func (t *Thread) line() int { return t.top().fn.Code[t.top().pc].Line }

func (t *Thread) pos() litmus.Pos {
	if t.depth > 0 && t.top().pc < len(t.top().fn.Code) {
		return t.p.pos(t.line())
	}
	return t.p.entry.Pos
}

func (p *Program) pos(line int) litmus.Pos {
	if line < len(p.Lines) {
		return p.Lines[line].Pos
	}
	return p.entry.Pos
}

func (t *Thread) refuse(format string, args ...any) error {
	return litmus.Errorf(t.pos(), format, args...)
}

// stop records the thread's final action.
func (t *Thread) stop(a Action) Action {
	a.Scalar = -1
	if t.depth > 0 {
		a.Line = t.line()
	}
	t.stopped = &a
	return a
}
