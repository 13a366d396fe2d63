package run

import (
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Dependencies, for models that order by them. Each register has the reads that its value was computed from, and the
// thread has those of the branches so far. A dependency that is reported must be one under every definition, so
// doubtful ones are left out: an expression that mentions a read twice may cancel it out, as x ^ x does. Private memory
// does not carry dependencies.

// sources are the observable reads that a value depends on, as indices of the thread's events in order. Nil means that
// it depends on none; an empty list means that the reads are not tracked, or the dependency is not certain. Sources are
// immutable.
type sources []int32

// with returns the sources of both.
func (s sources) with(other sources) sources {
	switch {
	case len(other) == 0:
		if s == nil {
			return other
		}
		return s
	case len(s) == 0:
		return other
	}
	out := slices.Concat(s, other)
	slices.Sort(out)
	return slices.Compact(out)
}

// source returns the latest read.
func (t *Thread) source() sources {
	if !t.p.Follows {
		return sources{}
	}
	return sources{int32(t.passed) - 1}
}

// taints returns the sources of an expression.
func (t *Thread) taints(x ir.Expr) (out sources) {
	if x == nil {
		return nil
	}
	return t.from(registers(x))
}

// registers returns the registers in an expression. If the dependency may cancel out, as in x ^ x, all are in it twice.
func registers(x ir.Expr) (regs []int) {
	ir.Registers(x, func(r int) { regs = append(regs, r) })
	ir.WalkExpr(x, func(x ir.Expr) bool {
		nought := func(x ir.Expr) bool { c, is := x.(ir.Const); return is && c.Value == 0 }
		if b, is := x.(ir.Binary); is && (b.Op == ir.BitAnd || b.Op == ir.Mul) && (nought(b.X) || nought(b.Y)) {
			regs = append(regs, regs...)
		}
		return true
	})
	return regs
}

// tainted returns the sources of the values that decide the current step.
func (t *Thread) tainted() sources { return t.from(t.top().fn.used[t.top().pc]) }

// from returns the sources of some registers. Dependencies on a read through two registers may cancel out.
func (t *Thread) from(regs []int) (out sources) {
	f := t.top()
	for _, r := range regs {
		more := f.taint[r]
		if slices.ContainsFunc(more, func(read int32) bool { return slices.Contains(out, read) }) {
			return sources{}
		}
		out = out.with(more)
	}
	return out
}

// Depends returns the reads on which the next event depends: through its address, its value, and the control flow. The
// list may be incomplete.
func (t *Thread) Depends() (addr, data, ctrl []int32) {
	if len(t.due) > 0 || t.asked != nil || t.sweep.reads || t.depth == 0 || t.stopped != nil {
		return nil, nil, t.control
	}
	switch o := t.top().fn.Code[t.top().pc].Op.(type) {
	case code.Load:
		addr = t.taints(o.Addr)
	case code.Store:
		addr, data = t.taints(o.Addr), t.taints(o.Value)
	case code.Update:
		addr = t.taints(o.Addr)
	}
	return addr, data, t.control
}

// Control returns the reads on which the result of the current update depends through the control flow.
func (t *Thread) Control() []int32 { return t.control }
