package elaborate

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Memory that nothing has been written to has any number. Where some ways that meet have written to it and others have
// not, it is in doubt: the others give it a number there, and a register tells whether it is set. Which cells
// are in doubt when they are read is found in the passes before.

// unfilled tells whether a value is that of memory which has not even been given any number yet.
func (v *value) unfilled() bool { return v.unset && v.pure }

// fill gives memory that nothing has been written to any number. It stays unset.
func (t *thread) fill(st *state, r int) {
	v := *t.get(st, r)
	if !v.unfilled() {
		return
	}
	t.anyOf(st, r)
	v.pure, v.late = false, false
	st.set(r, &v)
}

// doubt has a register tell whether what another one has is set.
func (t *thread) doubt(r int, begins *value) {
	s := t.register(1)
	t.doubts[r] = s
	is := t.constant(isSet(begins), 1)
	t.th.Regs[s].Init = is.v.set[0]
	t.begin(s, is.v)
}

func isSet(v *value) uint64 {
	if v.unset {
		return 0
	}
	return 1
}

// mark notes whether what a register has is set.
func (t *thread) mark(st *state, r int, is operandValue) {
	if s, ok := t.doubts[r]; ok {
		t.put(st, s, is.x, is.v)
	}
}

// set tells whether what a register has is set.
func (t *thread) set(st *state, r int) operandValue {
	if s, ok := t.doubts[r]; ok {
		return t.read(st, s)
	}
	return t.constant(isSet(t.get(st, r)), 1)
}

// setAs tells whether a value is set, which may be a copy.
func (t *thread) setAs(st *state, v operandValue) operandValue {
	if x, ok := v.x.(ir.Reg); ok {
		return t.set(st, x.Index)
	}
	return t.constant(isSet(v.v), 1)
}

// fetch reads memory of the thread's own. What is unset may be copied, and stays so; other reads of it fail, and find
// any number.
func (t *thread) fetch(st *state, dst int, addr ir.Expr, all []target, copied bool) {
	out := t.selected(st, addr, all, t.read)
	if !out.v.unset && !out.v.loose {
		t.put(st, dst, out.x, out.v)
		t.mark(st, dst, t.constant(1, 1))
		return
	}
	doubtful := false
	for _, g := range all {
		r := t.cellRegister(g.cell)
		if v := t.get(st, r); out.v.loose && (v.unset || v.loose) && !g.cell.doubtful {
			g.cell.doubtful, t.changed = true, true
		}
		doubtful = doubtful || g.cell.doubtful
		if copied || out.v.loose && g.cell.doubtful {
			t.fill(st, r)
		}
	}
	is := t.selected(st, addr, all, t.set)
	out = t.selected(st, addr, all, t.read)
	if copied {
		t.put(st, dst, out.x, out.v)
		if _, ok := t.doubts[dst]; doubtful && !ok {
			t.doubt(dst, zero)
		}
		t.mark(st, dst, is)
		return
	}
	if n, ok := is.v.known(); (!ok || n == 0) && slices.Contains(t.Properties, ir.Memory) {
		t.claim(ir.Assert{Cond: is.x, Property: ir.Memory, Text: "what is read is not initialised"})
	}
	if out.v.unset {
		for _, g := range all {
			r := t.cellRegister(g.cell)
			t.anyOf(st, r)
			st.set(r, garbage())
		}
		out = t.selected(st, addr, all, t.read)
	}
	t.put(st, dst, out.x, out.v)
}
