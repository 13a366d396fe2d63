package elaborate

import (
	"maps"
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Waiting loops. A round of a loop only waits if it changes nothing: it does not write shared memory, and all registers
// that matter at the loop's head are unchanged. In models where reads and fences can be removed from an execution, so
// can such a round. Package ir detects spin loops in the same way from the code of a loop. This file looks at the
// executed path of a round, where a failed compare-exchange is only a read.
//
// Effects are collected along a path. They are forgotten at the head of each round and added again when the path leaves
// the round (both), so that a round is judged by its own effects. An effect with conditions is dropped as soon as a
// branch or an assumption excludes it (decide), and the conditions are updated when a register is assigned (assign).

// effects are the possible lasting effects of a path.
type effects struct {
	lasting bool // there certainly are lasting effects; perhaps is empty
	// perhaps are read-modify-writes that have written if registers have the
	// given numbers.
	perhaps []facts
}

// setLasting records a lasting effect.
func (e *effects) setLasting() { *e = effects{lasting: true} }

type facts map[int]uint64

// both returns the effects of two consecutive paths. Conditions on registers of the first one are dropped.
func both(first, then effects) effects {
	if first.lasting || len(first.perhaps) > 0 {
		then.setLasting()
	}
	return then
}

// either returns the effects of one of two paths. Effects of both, mostly from before they separated, are included
// once.
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

// assign records an assignment to register r.
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

// forget drops the facts about register r.
func (e *effects) forget(r int) { e.assign(r, ir.Reg{Index: -1, Bits: 1}) }

// decide removes the effects that are impossible because a condition has the value is.
func (e *effects) decide(cond ir.Expr, is uint64) {
	if len(e.perhaps) == 0 {
		return
	}
	e.perhaps = slices.DeleteFunc(slices.Clone(e.perhaps), func(known facts) bool {
		v, ok := noProgram.EvalKnown(cond, known)
		return ok && v != is
	})
}

// waits reports whether a round of a loop that has returned to the head has only waited.
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

// loops returns the loops of a function, with the registers that matter at their heads.
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
