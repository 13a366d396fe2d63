package elaborate

import (
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Weak compare-exchanges can fail spuriously, although they find the expected value (C11, 7.17.7.4). This is a free
// choice here. Most programs then try again. A round of a loop that changes nothing, except that such an exchange has
// failed spuriously, has no effect, and executions with it are dropped, as are retries of store-conditionals. So
// spurious failures neither make a loop endless nor make it reach its bound.

// chooseStrong chooses whether an update behaves like a strong one; nil if it always does.
func (rs *rounds) chooseStrong(fr *frame, st *state, o code.Update) *operandValue {
	if o.Weak == nil || rs.elab.options.Strong {
		return nil
	}
	weak := rs.evaluator.eval(fr, st, o.Weak, nil)
	if n, ok := weak.v.constant(); ok && n == 0 {
		return nil
	}
	r := rs.out.register(1)
	rs.out.emit(ir.Choose{Dst: r, Weak: true})
	out := operandValue{rs.out.reg(r), &value{set: []uint64{0, 1}, plain: true}}
	if _, ok := weak.v.constant(); !ok {
		out.x = ir.BitOr.Of(out.x, ir.Not(weak.x))
	}
	return &out
}

// withSpuriousFailure returns the condition on which an update writes if it may fail spuriously.
func (rs *rounds) withSpuriousFailure(is operandValue, firm *operandValue) operandValue {
	if firm == nil {
		return is
	}
	return rs.evaluator.operate(ir.BitAnd, *firm, is)
}

// retry records for the enclosing rounds that an update may have failed spuriously.
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

// dropRetry drops executions that return to a loop's head after a weak update has failed spuriously, if everything is
// as it was at the head.
func (rs *rounds) dropRetry(r *round, head *remembered, g edge) edge {
	failed := rs.regs.read(g.st, r.retry)
	if n, ok := failed.v.constant(); ok && n == 0 || g.st.lasting || len(g.st.perhaps) > 0 ||
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

// hasWeakUpdate reports whether a loop contains an update that may fail spuriously.
func (e *elaboration) hasWeakUpdate(fn *code.Function, l *loop) bool {
	return !e.options.Strong && e.hasWeakStep(fn.Code[l.head:l.tail+1], map[*code.Function]bool{})
}

func (e *elaboration) hasWeakStep(steps []code.Step, seen map[*code.Function]bool) bool {
	return slices.ContainsFunc(steps, func(s code.Step) bool {
		switch o := s.Op.(type) {
		case code.Update:
			return o.Weak != nil
		case code.Call:
			if o.Fn == nil { // it may call any function
				return true
			}
			was := seen[o.Fn]
			seen[o.Fn] = true
			return !was && e.hasWeakStep(o.Fn.Code, seen)
		}
		return false
	})
}
