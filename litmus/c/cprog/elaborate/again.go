package elaborate

import (
	"slices"

	"litmuscope/litmus/ir"
)

// A loop goes round for ever where a round leaves everything as it was, though it has written memory in
// between: what it has added, say, it has taken away again; or where some rounds together do. Where that is asked
// for, a thread may stop behind the last whole round of a loop, if all registers that matter at its head are as
// before that round, or one of those before. What it has done to memory is for the engines to see.

// remembered is what there was at the head of a loop before a round.
type remembered struct {
	round int // its number
	since int // the round's first step
	head  *state
	regs  map[int]operandValue // by register that matters
	order []int
}

// remember notes what the registers have that matter at a loop's head.
func (t *thread) remember(fr *frame, l *loop, cur *state) *remembered {
	m := &remembered{regs: map[int]operandValue{}}
	for i, r := range fr.regs {
		if l.live[i] {
			m.order = append(m.order, r)
		}
	}
	for c, r := range t.cells {
		if c.block.depth <= len(t.depth) {
			m.order = append(m.order, r)
		}
	}
	slices.Sort(m.order)
	for _, r := range m.order {
		v := t.read(cur, r)
		if _, known := v.v.known(); !known {
			copied := t.register(t.th.Regs[r].Bits)
			t.put(cur, copied, v.x, v.v)
			v.x = t.reg(copied)
		}
		m.regs[r] = v
	}
	m.since, m.head = len(t.th.Code), cur.clone()
	return m
}

// again lets the thread stop at the head of a loop where the rounds from before on have changed no
// register that matters, and no update has failed for no reason in them, which retries tell.
func (t *thread) again(before *remembered, cur *state, retries []int) {
	if !repeatable(t.th.Code[before.since:]) {
		return
	}
	same, late, ok := t.unchanged(before, cur)
	if !ok {
		return
	}
	for _, r := range retries[before.round:] {
		if r >= 0 {
			same = ir.BitAnd.Of(same, ir.Not(t.read(cur, r).x))
		}
	}
	stops := t.register(1)
	t.emit(ir.Choose{Dst: stops, Stop: true})
	on := t.emit(ir.Branch{Cond: ir.Not(t.reg(stops)), Target: -1})
	for _, op := range late {
		t.emit(op)
	}
	t.emit(ir.Assume{Cond: same})
	t.emit(ir.Unwound{Again: true, Since: before.since})
	t.patch(on, len(t.th.Code))
}

// unchanged is true where all registers that matter at the head of a loop are as they were before; it is not
// ok where they never are. late are what puts numbers into registers that are known without.
func (t *thread) unchanged(before *remembered, cur *state) (same ir.Expr, late []ir.Op, ok bool) {
	for c, r := range t.cells {
		if _, noted := before.regs[r]; noted || c.block.depth > len(t.depth) {
			continue
		}
		if was, is := t.get(before.head, r), t.get(cur, r); was.root() != is.root() && !was.equal(is) {
			return nil, nil, false // it has come up since
		}
	}
	same = ir.Number(1, 1)
	for _, r := range before.order {
		was, is := before.regs[r], t.read(cur, r)
		if was.v.root() == is.v.root() || was.v.equal(is.v) {
			continue
		}
		if n, known := is.v.known(); known {
			late = append(late, ir.Assign{Dst: r, Value: ir.Number(n, t.th.Regs[r].Bits)})
		}
		equal := t.operate(ir.Eq, was, is)
		if n, known := equal.v.known(); known && n == 0 {
			return nil, nil, false
		}
		same = ir.BitAnd.Of(same, equal.x)
	}
	return same, late, true
}

// repeatable tells whether a round does nothing that can be done but once, and nothing that is chosen for it.
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
