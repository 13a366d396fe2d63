package run

import (
	"litmuscope/litmus"
	"litmuscope/litmus/cprog/code"
	"litmuscope/litmus/ir"
)

// Action is what a thread comes to.
type Action struct {
	Kind   ir.ActionKind
	Line   int // index into Program.Lines
	Scalar int // of an access; -1 for none
	Value  uint64
	Tags   ir.Tags
	Other  int // the thread that is spawned, or waited for
	// Property and Text say what fails.
	Property ir.Property
	Text     string
	// Waits: what is blocked is a thread that only waits; Spins: in a loop, and not for what a function of a library asks for.
	Waits, Spins bool
	// Since is how many events came before the last round of what is blocked or cut short, and Weak tells whether an update has
	// failed in it for no reason.
	Since int
	Weak  bool
}

// Thread is a thread at some place.
type Thread struct {
	p      *Program
	number int
	frames []frame
	depth  int // frames in use
	memory memory
	image  *Image // once main has spawned
	single bool   // main, before that

	spawned  int // threads so far
	made     []made
	effects  int // what it has done so far that lasts
	result   uint64
	ended    bool
	stopped  *Action // for good
	begun    bool
	bound    int // of the loop that comes next; 0 for the one of all
	log      []change
	logged   int // changes so far; log has the last of them
	spurious int // updates that have failed for no reason
	passed   int // events so far
	attempt  attempt
	circle   *circle
	pending  *pending
	chosen   uint64 // of a number that may be anything, its first bits
	bits     int
	due      []ending // lives to be seen to before it goes on
	dead     []*block // locals whose lives it has ended
	checked  bool     // the step at hand accesses what is alive
	asked    *block   // it is to read whether that is
}

// attempt is where a round began of what a function of a library tries.
type attempt struct{ passed, spurious int }

// made is how many blocks a place has made.
type made struct {
	at place
	n  int
}

// frame is a call.
type frame struct {
	fn    *function
	pc    int
	regs  []uint64
	taint []bool  // by register: its value came from a read of what others see
	unset []holes // by register, of what has been copied
	dst   int     // the caller's register for the result; -1 for none
	loops []round
}

// Thread makes thread number n, which has not begun, but for main.
func (p *Program) Thread(n int) *Thread {
	t := &Thread{p: p, number: n}
	if n == 0 {
		t.begun, t.single = true, true
		t.enter(p.function(p.entry), nil, nil, -1)
	}
	return t
}

// Set makes t what another thread is.
func (t *Thread) Set(from *Thread) {
	frames, memory, made, log, due, dead := t.frames, t.memory, t.made, t.log, t.due, t.dead
	*t = *from
	for len(frames) < from.depth {
		frames = append(frames, frame{})
	}
	for i := range from.depth {
		to, f := &frames[i], &from.frames[i]
		regs, taint, unset, loops := to.regs, to.taint, to.unset, to.loops
		*to = *f
		to.regs = append(regs[:0], f.regs...)
		to.taint, to.unset = append(taint[:0], f.taint...), append(unset[:0], f.unset...)
		to.loops = append(loops[:0], f.loops...)
	}
	t.frames = frames
	t.made, t.log = append(made[:0], from.made...), append(log[:0], from.log...)
	t.due, t.dead = append(due[:0], from.due...), append(dead[:0], from.dead...)
	memory.copyFrom(&from.memory)
	t.memory = memory
}

// Call is what a spawned thread begins with.
type Call struct {
	fn    *code.Function
	args  []uint64
	image *Image
}

// Begin has a spawned thread begin.
func (t *Thread) Begin(c *Call) {
	t.begun, t.image = true, c.image
	t.enter(t.p.function(c.fn), c.args, nil, -1)
}

// Image is memory as main had it when it spawned its first thread; nil before.
func (t *Thread) Image() *Image { return t.image }

// Result is what a thread that has ended has returned.
func (t *Thread) Result() uint64 { return t.result }

// Spurious tells whether some update has failed for no reason.
func (t *Thread) Spurious() bool { return t.spurious > 0 }

// Ended tells whether the thread has come to its end.
func (t *Thread) Ended() bool { return t.ended }

func (t *Thread) top() *frame { return &t.frames[t.depth-1] }

// enter calls a function.
func (t *Thread) enter(fn *function, args []uint64, taint []bool, dst int) {
	if t.depth == len(t.frames) {
		t.frames = append(t.frames, frame{})
	}
	f := &t.frames[t.depth]
	t.depth++
	n := len(fn.Regs)
	f.fn, f.dst, f.loops = fn, dst, f.loops[:0]
	f.regs = append(f.regs[:0], make([]uint64, n)...)
	f.taint, f.unset = append(f.taint[:0], make([]bool, n)...), append(f.unset[:0], make([]holes, n)...)
	for i, r := range fn.Params {
		if i < len(args) {
			f.regs[r] = args[i] & ir.Mask(fn.Regs[r].Bits)
			f.taint[r] = taint != nil && taint[i]
		}
	}
	for _, v := range fn.Locals {
		t.renew(v)
	}
	t.arrive(-1, 0)
}

// renew has a local begin anew.
func (t *Thread) renew(v *code.Variable) {
	if v.Static || v.PerThread {
		return
	}
	b := t.p.variable(v, t.number, t.depth)
	if _, ok := t.memory.find(b.base); ok {
		s := t.memory.open(b)
		clear(s.set[:b.size])
	}
}

func (t *Thread) eval(x ir.Expr, old uint64) uint64 { return noProgram.Eval(x, t.top().regs, old) }

// taints tells whether a value comes of what others may see.
func (t *Thread) taints(x ir.Expr) bool {
	if x == nil {
		return false
	}
	f, is := t.top(), false
	ir.Registers(x, func(r int) { is = is || f.taint[r] })
	return is
}

func (t *Thread) set(r int, v uint64, taint bool) {
	f := t.top()
	f.regs[r], f.taint[r], f.unset[r] = v, taint, 0
}

func (t *Thread) line() int { return t.top().fn.Code[t.top().pc].Line }

func (t *Thread) pos() litmus.Pos {
	if t.depth > 0 && t.top().pc < len(t.top().fn.Code) {
		if line := t.line(); line < len(t.p.Lines) {
			return t.p.Lines[line].Pos
		}
	}
	return t.p.entry.Pos
}

func (t *Thread) refuse(format string, args ...any) error {
	return litmus.Errorf(t.pos(), format, args...)
}

// stop is the last that the thread comes to.
func (t *Thread) stop(a Action) Action {
	a.Scalar = -1
	if t.depth > 0 {
		a.Line = t.line()
	}
	t.stopped = &a
	return a
}
