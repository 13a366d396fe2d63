package run

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Action is what a thread comes to.
type Action struct {
	Kind   ir.ActionKind
	Line   int // index into Program.Lines
	Scalar int // of an access; -1 for none
	// Pieces are those of an access to several scalars.
	Pieces []ir.Piece
	Value  uint64
	Tags   ir.Tags
	Other  int // the thread that is spawned, or waited for
	// Property and Text say what fails.
	Property ir.Property
	Text     string
	// Waits: what is blocked is a thread that only waits; Spins: in a loop, and not for what a function of a library
	// asks for.
	Waits, Spins bool
	// Endless: it goes round for ever in a loop, whatever others do.
	Endless bool
	// Since is how many events came before the last round of what is blocked or cut short, and Weak tells whether an
	// update has failed in it for no reason; of a choice, whether one does.
	Since int
	Weak  bool
	// Locks: it is an update that takes a lock, which is 0 while it is free, and blocks the thread while it is not;
	// Unlocks: a store of 0 to one. Neither is so of what else is done with.
	Locks, Unlocks bool
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
	inside   int // atomic sections that it is in
	result   uint64
	ended    bool
	stopped  *Action // for good
	begun    bool
	bound    int // of the loop that comes next; 0 for the one of all
	log      []change
	logged   int     // changes so far; log has the last of them
	spurious int     // updates that have failed for no reason
	passed   int     // events so far
	width    int     // how many each half of the step at hand is
	control  sources // of what it has branched on
	attempt  attempt
	circle   *circle
	pending  *pending
	chosen   int32 // bits so far that may be anything, and facts what has been decided on them
	facts    []fact
	cells    []cell // memory that has such
	spread   int    // how often that has changed
	question *bit   // to be decided on; doubted: something has been, for the step at hand
	doubted  bool
	due      []ending // lives to be seen to before it goes on
	dead     []*block // locals whose lives it has ended
	stack    []stacked
	checked  bool   // the step at hand accesses what is alive
	asked    *block // it is to read whether that is
	sweep    sweep
	// past is what it was like at the head of a loop, since when it has touched nothing that others see; remembers: it
	// is to be kept at the next.
	past      *Thread
	sections  int // of RCU, that it is in, or, once it has failed, that it leaves
	remembers bool
	steps     int // since it touched something
	suspect   suspect
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
	taint []sources // by register: the reads of what others see that its value came from
	unset []holes   // by register, of what has been copied
	free  []*number // by register, of what may be several numbers; as long as one may
	dst   int       // the caller's register for the result; -1 for none
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

// Copy is a thread at the same place.
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
	out.log = slices.Clip(t.log) // what is in it is never changed
	out.memory = memory{}
	out.memory.copyFrom(&t.memory)
	return &out
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

// stop is the last that the thread comes to.
func (t *Thread) stop(a Action) Action {
	a.Scalar = -1
	if t.depth > 0 {
		a.Line = t.line()
	}
	t.stopped = &a
	return a
}
