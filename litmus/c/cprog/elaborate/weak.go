package elaborate

import (
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// A weak compare-and-exchange may fail though it finds what it expects (C11, 7.17.7.4). That is a choice
// here. Most programs try again then, and a round of a loop that leaves all as it was, but
// that such an exchange has failed for no reason, is as if it had not been gone: no execution comes of it, as
// none comes of a store-conditional that is tried again. So no loop is endless for it, nor does
// it come to its bound by it.

// firmly chooses whether an update does what a strong one would do; nil where it always does.
func (rs *rounds) firmly(fr *frame, st *state, o code.Update) *operandValue {
	if o.Weak == nil || rs.elab.options.Strong {
		return nil
	}
	weak := rs.evaluator.eval(fr, st, o.Weak, nil)
	if n, ok := weak.v.known(); ok && n == 0 {
		return nil
	}
	r := rs.out.register(1)
	rs.out.emit(ir.Choose{Dst: r, Weak: true})
	out := operandValue{rs.out.reg(r), &value{set: []uint64{0, 1}, plain: true}}
	if _, ok := weak.v.known(); !ok {
		out.x = ir.BitOr.Of(out.x, ir.Not(weak.x))
	}
	return &out
}

// weakened is the condition on which an update writes, where it may fail for no reason.
func (rs *rounds) weakened(is operandValue, firm *operandValue) operandValue {
	if firm == nil {
		return is
	}
	return rs.evaluator.operate(ir.BitAnd, *firm, is)
}

// retry notes, for the rounds of loops around, that an update may have failed though a condition holds.
func (rs *rounds) retry(st *state, is operandValue, firm *operandValue) {
	if firm == nil {
		return
	}
	failed := rs.evaluator.operate(ir.BitAnd, operandValue{ir.Not(firm.x), firm.v}, is)
	for _, fr := range rs.stack.depth {
		for _, r := range fr.rounds {
			if r != nil && r.retry >= 0 {
				was := rs.regs.read(st, r.retry)
				now := rs.evaluator.operate(ir.BitOr, was, failed)
				rs.regs.put(st, r.retry, now.x, now.v)
			}
		}
	}
}

// vain has no execution come of a way back to a loop's head on which a weak update has failed for no
// reason, and all is as it was at the head.
func (rs *rounds) vain(r *round, head *remembered, g edge) edge {
	failed := rs.regs.read(g.st, r.retry)
	if n, ok := failed.v.known(); ok && n == 0 || g.st.lasting || len(g.st.perhaps) > 0 ||
		head.head.atomic != g.st.atomic || head.head.single != g.st.single {
		return g
	}
	same, _, ok := rs.unchanged(head, g.st)
	if !ok {
		return g
	}
	rs.out.patch(g.from, len(rs.out.th.Code))
	rs.out.emit(ir.Assume{Cond: ir.Not(ir.BitAnd.Of(failed.x, same))})
	return edge{rs.out.emit(ir.Branch{Target: -1}), g.st}
}

// weakly tells whether a loop has an update that may fail for no reason.
func (e *elaboration) weakly(fn *code.Function, l *loop) bool {
	return !e.options.Strong && e.weakCode(fn.Code[l.head:l.tail+1], map[*code.Function]bool{})
}

func (e *elaboration) weakCode(steps []code.Step, seen map[*code.Function]bool) bool {
	return slices.ContainsFunc(steps, func(s code.Step) bool {
		switch o := s.Op.(type) {
		case code.Update:
			return o.Weak != nil
		case code.Call:
			if o.Fn == nil { // any function, as far as is known here
				return true
			}
			was := seen[o.Fn]
			seen[o.Fn] = true
			return !was && e.weakCode(o.Fn.Code, seen)
		}
		return false
	})
}
