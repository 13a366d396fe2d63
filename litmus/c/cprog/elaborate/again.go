package elaborate

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Endless loops that write memory. A loop can repeat for ever if one round, or several together, restore everything
// they have changed: for example, they add a number and subtract it again. If the property is termination, a thread may
// stop after the last complete round of a loop if all registers that matter at the head have the values they had before
// that round or an earlier one. Whether memory is restored, too, is for the engines to check.
//
// The states at the heads of rounds are remembered only where this can matter. Each comparison emits a choice to stop,
// a condition that the registers are equal, and ir.Unwound with Again. Without the choice, the thread continues with
// the next round, so executions that do not stop are unaffected.

// remembered is the state at the head of a loop before a round.
type remembered struct {
	round int // number of the round
	since int // the round's first step
	head  *state
	regs  map[int]operandValue // the registers that matter
	order []int
}

// remember records the values of the registers that matter at a loop's head.
func (rs *rounds) remember(fr *frame, l *loop, cur *state) *remembered {
	m := &remembered{regs: map[int]operandValue{}}
	for i, r := range fr.regs {
		if l.live[i] {
			m.order = append(m.order, r)
		}
	}
	for c, r := range rs.cells.registers {
		if c.block.depth <= len(rs.stack.depth) {
			m.order = append(m.order, r)
		}
	}
	slices.Sort(m.order)
	for _, r := range m.order {
		v := rs.regs.read(cur, r)
		if _, known := v.v.constant(); !known {
			copied := rs.out.register(rs.out.th.Regs[r].Bits)
			rs.regs.put(cur, copied, v.x, v.v)
			v.x = rs.out.reg(copied)
		}
		m.regs[r] = v
	}
	m.since, m.head = len(rs.out.th.Code), cur.clone()
	return m
}

// again lets the thread stop at the head of a loop if the rounds since before have changed no register that matters,
// and no update in them has failed spuriously, which the registers in retries record.
func (rs *rounds) again(before *remembered, cur *state, retries []int) {
	if !repeatable(rs.out.th.Code[before.since:]) {
		return
	}
	same, late, ok := rs.unchanged(before, cur)
	if !ok {
		return
	}
	for _, r := range retries[before.round:] {
		if r >= 0 {
			same = ir.BitAnd.Of(same, ir.Not(rs.regs.read(cur, r).x))
		}
	}
	stops := rs.out.register(1)
	rs.out.emit(ir.Choose{Dst: stops, Stop: true})
	on := rs.out.emit(ir.Branch{Cond: ir.Not(rs.out.reg(stops)), Target: -1})
	for _, op := range late {
		rs.out.emit(op)
	}
	rs.out.emit(ir.Assume{Cond: same})
	rs.out.emit(ir.Unwound{Again: true, Since: before.since})
	rs.out.patch(on, len(rs.out.th.Code))
}

// unchanged returns the condition that all registers that matter at the head of a loop have the same values as before.
// ok is false if it can never hold. late are steps that put known numbers into registers.
func (rs *rounds) unchanged(before *remembered, cur *state) (same ir.Expr, late []ir.Op, ok bool) {
	for c, r := range rs.cells.registers {
		if _, noted := before.regs[r]; noted || c.block.depth > len(rs.stack.depth) {
			continue
		}
		if was, is := rs.regs.get(before.head, r), rs.regs.get(cur, r); was.root() != is.root() && !was.equal(is) {
			return nil, nil, false // it has been set since
		}
	}
	same = ir.Number(1, 1)
	for _, r := range before.order {
		was, is := before.regs[r], rs.regs.read(cur, r)
		if was.v.root() == is.v.root() || was.v.equal(is.v) {
			continue
		}
		if n, known := is.v.constant(); known {
			late = append(late, ir.Assign{Dst: r, Value: ir.Number(n, rs.out.th.Regs[r].Bits)})
		}
		equal := rs.evaluator.operate(ir.Eq, was, is)
		if n, known := equal.v.constant(); known && n == 0 {
			return nil, nil, false
		}
		same = ir.BitAnd.Of(same, equal.x)
	}
	return same, late, true
}

// repeatable reports whether a round consists of steps that can be repeated, without free choices.
func repeatable(code []ir.Step) bool {
	return !slices.ContainsFunc(code, func(s ir.Step) bool {
		switch op := s.Op.(type) {
		case ir.Spawn, ir.Join, ir.Atomic:
			return true
		case ir.Choose:
			return op.Free
		}
		return false
	})
}

// rounds compares rounds of loops: whether a round has only waited, or left everything unchanged.
type rounds struct {
	elab      *elaboration
	out       *output
	regs      *threadRegisters
	evaluator *evaluator
	cells     *cells
	stack     *stack
}
