package elaborate

import (
	"slices"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// lifetimes begins and ends the lifetimes of memory, and asserts that accesses are within them.
//
// The state of a lifetime is in memory itself: the companion alive of a block is 1 until its lifetime ends, and the end
// writes 0. An access to the block first reads the companion and asserts that it is 1. So engines need no notion of
// lifetimes: an access after the end is an execution in which this read returns 0, and an access that is not ordered
// with the end is a race on the companion.
//
// Most blocks need no such reads. They exist only for a block that some thread may free, or for a local or thread-local
// variable that may be accessed by another thread or after its end (block.freed, a fact that passes find), and only if
// the options ask for lifetimes. Otherwise program.UncheckedLifetimes records that an access may have been too late, so
// that an answer can say so.
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

// defined asserts a condition without which the behaviour is undefined.
func (lt *lifetimes) defined(cond ir.Expr, text string) {
	p := ir.Undefined
	if lt.elab.options.checks(ir.Memory) {
		p = ir.Memory
	}
	lt.claim(ir.Assert{Cond: cond, Property: p, Text: text})
}

// claim asserts a condition; a thread stops if it is false. In a kernel program, the thread leaves its RCU critical
// section first; outside a section, that event has no effect. The assertion causes no control dependency.
func (lt *lifetimes) claim(a ir.Assert) {
	if !lt.elab.rcu {
		lt.out.emit(a)
		return
	}
	lt.out.emit(ir.Scope{})
	past := lt.out.emit(ir.Branch{Cond: a.Cond, Target: -1})
	lt.out.emit(ir.Fence{Tags: c.RCUUnlock})
	a.Cond = ir.Number(0, 1)
	lt.out.emit(a)
	lt.out.patch(past, len(lt.out.th.Code))
	lt.out.emit(ir.Scope{End: true})
}

// alive asserts that an access is not to freed memory or to a local of a call that has ended.
func (lt *lifetimes) alive(st *state, addr operandValue, all []target) {
	var freed []*block
	for _, g := range all {
		o := g.cell.block
		ended := slices.Contains(st.ended, o)
		if lt.running(o) && !ended || slices.Contains(freed, o) {
			continue
		}
		if !lt.elab.options.FollowsLives() {
			if ended || o.brief || o.perThread || o.stack ||
				o.depth > 0 && (o.by.number > 1 || o.depth > 1) { // otherwise the program ends with it
				lt.elab.program.UncheckedLifetimes = true
			}
			continue
		}
		if (o.depth > 0 || o.perThread || o.stack) && !o.freed {
			o.freed, lt.elab.changed = true, true
		}
		if o.freed {
			freed = append(freed, o)
		}
	}
	for _, o := range freed {
		var when ir.Expr
		if len(freed) > 1 || len(all) > 1 {
			when = lt.inside(addr, o)
		}
		lt.meeting.given(st, when, func(st *state) {
			at := lt.cells.companion(o, alive)
			is := lt.memory.loadCells(st, lt.out.register(8), lt.cells.addressed(at), at,
				lt.memory.within(st, LifeAccess(true), false))
			if n, ok := is.v.constant(); !ok || n != 1 {
				text := "freed memory is accessed"
				if o.perThread {
					text = o.name + " is accessed after its thread has ended"
				}
				if o.depth > 0 || o.stack {
					text = o.name + " is accessed after the call that declares it has ended"
				}
				if slices.Contains(st.ended, o) {
					text = o.name + " is accessed after the block that declares it has ended"
				}
				lt.defined(ir.Eq.Of(is.x, ir.Number(1, 8)), text)
			}
		})
	}
}

// running reports whether a block is alive as long as a call of this thread, or the thread itself, runs.
func (lt *lifetimes) running(o *block) bool {
	if o.stack {
		return slices.ContainsFunc(lt.stack.depth, func(fr *frame) bool { return slices.Contains(fr.made, o) })
	}
	return o.perThread && o.by == lt.out.info ||
		o.depth > 0 && o.by == lt.out.info && o.depth <= len(lt.stack.depth) && lt.stack.depth[o.depth-1].fn == o.of
}

// live begins or ends the lifetimes of those locals of a call that other threads may access.
func (lt *lifetimes) live(st *state, fr *frame, is uint64) {
	if !lt.elab.options.FollowsLives() {
		return
	}
	for _, v := range fr.fn.Locals {
		if v.Static || v.PerThread {
			continue
		}
		lt.lifeOf(st, lt.cells.variable(v, fr), is)
	}
	if is == 0 {
		for _, o := range fr.made {
			lt.lifeOf(st, o, 0)
		}
	}
}

// endThreadLocals ends the lifetimes of the thread's thread-local variables that other threads may access.
func (lt *lifetimes) endThreadLocals(st *state) {
	for _, o := range lt.elab.blocks {
		if o.perThread && o.by == lt.out.info {
			lt.lifeOf(st, o, 0)
		}
	}
}

// lifeOf records that a local is alive, or not any more, if some access needs that.
func (lt *lifetimes) lifeOf(st *state, o *block, is uint64) {
	if !o.freed || !lt.elab.options.FollowsLives() {
		return
	}
	lt.companionIs(st, o, alive, is)
}

// life begins or ends the lifetime of a local of a block.
func (lt *lifetimes) life(st *state, o *block, ends bool) {
	if ends {
		o.brief = true
		st.addEnded(o)
		lt.lifeOf(st, o, 0)
		return
	}
	if i := slices.Index(st.ended, o); i >= 0 {
		st.ended = slices.Delete(slices.Clone(st.ended), i, i+1)
	}
	lt.lifeOf(st, o, 1)
}

// endArray ends the lifetime of an array of variable length at an address.
func (lt *lifetimes) endArray(st *state, addr operandValue) {
	for _, p := range lt.elab.pointed(addr.v) {
		o := p.block
		if !o.stack {
			continue
		}
		var when ir.Expr
		if _, ok := addr.v.constant(); !ok {
			when = ir.Eq.Of(addr.x, ir.Number(o.base, addr.x.Width()))
		}
		lt.meeting.given(st, when, func(st *state) { lt.life(st, o, true) })
	}
}

func (s *state) addEnded(o *block) {
	if !slices.Contains(s.ended, o) {
		s.ended = append(slices.Clip(s.ended), o)
	}
}

// inside returns the condition that an address is in a block.
func (lt *lifetimes) inside(addr operandValue, o *block) ir.Expr {
	return ir.Ult.Of(ir.Sub.Of(addr.x, ir.Number(o.base, addr.x.Width())), ir.Number(uint64(o.size), addr.x.Width()))
}

// companionIs writes a companion. The end of a lifetime is a plain write: see [ir.Location].
func (lt *lifetimes) companionIs(st *state, o *block, offset int, is uint64) {
	at := lt.cells.companion(o, offset)
	lt.memory.storeCells(st, lt.cells.addressed(at), at, constant(is, 8), LifeAccess(offset == alive && is == 0))
}

// LifeAccess returns the access to a companion of a block, which races with others or does not.
func LifeAccess(races bool) code.Access {
	if races {
		return code.Access{}
	}
	return code.Access{Tags: ir.Tags{}}
}
