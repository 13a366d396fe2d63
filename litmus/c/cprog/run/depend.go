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
// immutable. A read with the bit chooses decides an open ir.Select in the value: it is at most a control dependency.
type sources []int32

const chooses = 1 << 30

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

// split returns the reads that the value is computed from, and those that decide choices in it.
func (s sources) split() (value, choice sources) {
	n := len(s)
	for n > 0 && s[n-1]&chooses != 0 {
		n--
	}
	if n == len(s) {
		return s, nil
	}
	for _, read := range s[n:] {
		choice = append(choice, read&^chooses)
	}
	return s[:n:n], choice
}

// source returns the latest read.
func (t *Thread) source() sources {
	if !t.p.Follows {
		return sources{}
	}
	return sources{int32(t.passed) - 1}
}

// needs are the registers in an expression on which its value depends: those that it is computed from, those that
// decide open choices in it, and those of which that is not certain, as the operands of a choice and x in x & 0.
type needs struct{ value, choice, doubtful []int }

// needsOf returns the registers that an expression needs; none for nil.
func needsOf(x ir.Expr) (u needs) {
	if x == nil {
		return u
	}
	cancels := false
	ir.WalkExpr(x, func(x ir.Expr) bool {
		nought := func(x ir.Expr) bool { c, is := x.(ir.Const); return is && c.Value == 0 }
		switch x := x.(type) {
		case ir.Reg:
			u.value = append(u.value, x.Index)
		case ir.Select:
			decides := needsOf(x.If)
			u.choice = append(append(u.choice, decides.value...), decides.choice...)
			u.doubtful = append(u.doubtful, decides.doubtful...)
			for _, operand := range []ir.Expr{x.Then, x.Else} {
				ir.Registers(operand, func(r int) { u.doubtful = append(u.doubtful, r) })
			}
			return false
		case ir.Binary:
			cancels = cancels || (x.Op == ir.BitAnd || x.Op == ir.Mul) && (nought(x.X) || nought(x.Y))
		}
		return true
	})
	if cancels {
		u = needs{doubtful: slices.Concat(u.value, u.choice, u.doubtful)}
	}
	return u
}

// taints returns the sources of an expression.
func (t *Thread) taints(x ir.Expr) sources { return t.from(needsOf(x)) }

// tainted returns the sources of the values that decide the current step.
func (t *Thread) tainted() sources { return t.from(t.top().fn.used[t.top().pc]) }

// from returns the sources of some registers. Dependencies on a read through two registers may cancel out.
func (t *Thread) from(u needs) (out sources) {
	f := t.top()
	for _, r := range u.value {
		more := f.taint[r]
		if slices.ContainsFunc(more, func(read int32) bool { return slices.Contains(out, read) }) {
			return sources{}
		}
		out = out.with(more)
	}
	for _, r := range u.choice {
		more := f.taint[r]
		if len(more) > 0 {
			more = slices.Clone(more)
			for i, read := range more {
				if more[i] |= chooses; slices.Contains(out, read&^chooses) {
					return sources{}
				}
			}
			slices.Sort(more)
		}
		out = out.with(more)
	}
	for _, r := range u.doubtful {
		if out == nil && f.taint[r] != nil {
			out = sources{}
		}
	}
	return out
}

// Depends returns the reads on which the next event depends: through its address, its value, and the control flow. The
// list may be incomplete.
func (t *Thread) Depends() (addr, data, ctrl []int32) {
	if len(t.due) > 0 || t.asked != nil || t.sweep.reads || t.depth == 0 || t.stopped != nil {
		return nil, nil, t.control
	}
	control := t.control
	switch o := t.top().fn.Code[t.top().pc].Op.(type) {
	case code.Load:
		addr, _ = t.taints(o.Addr).split()
	case code.Store:
		var choice, other sources
		addr, choice = t.taints(o.Addr).split()
		data, other = t.taints(o.Value).split()
		control = control.with(choice).with(other)
	case code.Update:
		addr, _ = t.taints(o.Addr).split()
	}
	return addr, data, control
}

// Control returns the reads on which the result of the current update depends through the control flow.
func (t *Thread) Control() []int32 { return t.control }
