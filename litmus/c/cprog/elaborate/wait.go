package elaborate

import (
	"maps"
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// A round of a loop only waits when it changes nothing: it writes no memory that others
// see, and all that matters at the loop's head is as it was. What it has read, and the fences
// that it has passed, may be left out of an execution, in models that let reads be. It is the
// way of package ir's spin loops, told not from the code of a loop but from the way that a round
// has gone: so a compare-and-exchange that has failed there is but a read.

// effects are what a way may have done that lasts.
type effects struct {
	lasting bool // whatever perhaps says, which is empty then
	// perhaps are read-modify-writes that may have written, on condition that registers have the
	// numbers given.
	perhaps []facts
}

// lasts notes that something has been done that does.
func (e *effects) lasts() { *e = effects{lasting: true} }

type facts map[int]uint64

// both is what ways one after the other have done; of the earlier one, no register is left.
func both(first, then effects) effects {
	if first.lasting || len(first.perhaps) > 0 {
		then.lasts()
	}
	return then
}

// either is what one way or another has done. What both have done, mostly before they parted, is there once.
func either(a, b effects) effects {
	if a.lasting || b.lasting {
		return effects{lasting: true}
	}
	perhaps := slices.Clip(a.perhaps)
	for _, known := range b.perhaps {
		if !slices.ContainsFunc(a.perhaps, func(k facts) bool { return maps.Equal(k, known) }) {
			perhaps = append(perhaps, known)
		}
	}
	return effects{perhaps: perhaps}
}

var noProgram ir.Program

// assign follows an assignment to register r.
func (e *effects) assign(r int, x ir.Expr) {
	cloned := false
	for i, known := range e.perhaps {
		v, ok := noProgram.EvalKnown(x, known)
		if old, had := known[r]; ok == had && old == v {
			continue
		}
		if !cloned {
			e.perhaps, cloned = slices.Clone(e.perhaps), true
		}
		e.perhaps[i] = maps.Clone(known)
		if ok {
			e.perhaps[i][r] = v
		} else {
			delete(e.perhaps[i], r)
		}
	}
}

// forget drops what is known of register r.
func (e *effects) forget(r int) { e.assign(r, ir.Reg{Index: -1, Bits: 1}) }

// decide leaves what can have been where a condition is what it is found to be.
func (e *effects) decide(cond ir.Expr, is uint64) {
	if len(e.perhaps) == 0 {
		return
	}
	e.perhaps = slices.DeleteFunc(slices.Clone(e.perhaps), func(known facts) bool {
		v, ok := noProgram.EvalKnown(cond, known)
		return ok && v != is
	})
}

// waits tells whether a round of a loop that has come back to its head has only waited.
func (rs *rounds) waits(fr *frame, l *loop, head, back *state) bool {
	if !rs.elab.options.Waits.Reads || back.lasting || len(back.perhaps) > 0 || head.atomic != back.atomic ||
		head.single != back.single {
		return false
	}
	same := func(r int) bool {
		a, b := rs.regs.get(head, r), rs.regs.get(back, r)
		return a.root() == b.root() || a.equal(b)
	}
	for i, r := range fr.regs {
		if l.live[i] && !same(r) {
			return false
		}
	}
	for c, r := range rs.cells.registers {
		if c.block.depth <= len(rs.stack.depth) && !same(r) {
			return false
		}
	}
	return true
}

// loops finds the loops of a function, and what matters at their heads.
func (e *elaboration) loops(fn *code.Function) []*loop {
	if all, ok := e.looping[fn]; ok {
		return all
	}
	all := loopsOf(fn)
	if len(all) > 0 {
		live := code.Live(fn)
		var mark func([]*loop)
		mark = func(loops []*loop) {
			for _, l := range loops {
				l.live = live[l.head]
				mark(l.inner)
			}
		}
		mark(all)
	}
	e.looping[fn] = all
	return all
}
