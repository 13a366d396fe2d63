package run

import (
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// sources are the reads of what others see that a value came from, as their places among the thread's events, in order:
// nil where it came from none, and none by name where nobody asks, or it is not sure that it depends on them. Sources
// are never changed.
type sources []int32

// with are the sources of both.
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

// source is the read that has just been.
func (t *Thread) source() sources {
	if !t.p.Follows {
		return sources{}
	}
	return sources{int32(t.passed) - 1}
}

// taints are what a value comes from.
func (t *Thread) taints(x ir.Expr) (out sources) {
	if x == nil {
		return nil
	}
	return t.from(registers(x))
}

// registers are those in an expression; where nothing may be left of them, all of them twice.
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

// tainted are what decides on the step at hand comes from.
func (t *Thread) tainted() sources { return t.from(t.top().fn.used[t.top().pc]) }

// from are what some registers come from. Of one read that two of them come from, nothing may be left.
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

// Depends are the reads that the next event depends on: by its address, by its value, and by where control has gone.
// There may be more.
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

// Control are the reads that what comes of an update that has just read depends on by where control has gone.
func (t *Thread) Control() []int32 { return t.control }
