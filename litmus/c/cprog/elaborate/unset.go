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
func (tr *threadRegisters) fill(st *state, r int) {
	v := *tr.get(st, r)
	if !v.unfilled() {
		return
	}
	tr.anyOf(st, r)
	v.pure, v.late = false, false
	st.set(r, &v)
}

// doubt has a register tell whether what another one has is set.
func (tr *threadRegisters) doubt(r int, begins *value) {
	s := tr.out.register(1)
	tr.doubts[r] = s
	is := constant(isSet(begins), 1)
	tr.out.th.Regs[s].Init = is.v.set[0]
	tr.begin(s, is.v)
}

func isSet(v *value) uint64 {
	if v.unset {
		return 0
	}
	return 1
}

// mark notes whether what a register has is set.
func (tr *threadRegisters) mark(st *state, r int, is operandValue) {
	if s, ok := tr.doubts[r]; ok {
		tr.put(st, s, is.x, is.v)
	}
}

// set tells whether what a register has is set.
func (tr *threadRegisters) set(st *state, r int) operandValue {
	if s, ok := tr.doubts[r]; ok {
		return tr.read(st, s)
	}
	return constant(isSet(tr.get(st, r)), 1)
}

// setAs tells whether a value is set, which may be a copy.
func (tr *threadRegisters) setAs(st *state, v operandValue) operandValue {
	if x, ok := v.x.(ir.Reg); ok {
		return tr.set(st, x.Index)
	}
	return constant(isSet(v.v), 1)
}

// fetch reads memory of the thread's own. What is unset may be copied, and stays so; other reads of it fail, and find
// any number.
func (mem *memory) fetch(st *state, dst int, addr ir.Expr, all []target, copied bool) {
	out := mem.cells.selected(st, addr, all, mem.regs.read)
	if !out.v.unset && !out.v.loose {
		mem.regs.put(st, dst, out.x, out.v)
		mem.regs.mark(st, dst, constant(1, 1))
		return
	}
	doubtful := false
	for _, g := range all {
		r := mem.cells.cellRegister(g.cell)
		if v := mem.regs.get(st, r); out.v.loose && (v.unset || v.loose) && !g.cell.doubtful {
			g.cell.doubtful, mem.elab.changed = true, true
		}
		doubtful = doubtful || g.cell.doubtful
		if copied || out.v.loose && g.cell.doubtful {
			mem.regs.fill(st, r)
		}
	}
	is := mem.cells.selected(st, addr, all, mem.regs.set)
	out = mem.cells.selected(st, addr, all, mem.regs.read)
	if copied {
		mem.regs.put(st, dst, out.x, out.v)
		if _, ok := mem.regs.doubts[dst]; doubtful && !ok {
			mem.regs.doubt(dst, zero)
		}
		mem.regs.mark(st, dst, is)
		return
	}
	if n, ok := is.v.known(); (!ok || n == 0) && slices.Contains(mem.elab.options.Properties, ir.Memory) {
		mem.lives.claim(ir.Assert{Cond: is.x, Property: ir.Memory, Text: "the value read is not initialised"})
	}
	if out.v.unset {
		for _, g := range all {
			r := mem.cells.cellRegister(g.cell)
			mem.regs.anyOf(st, r)
			st.set(r, garbage())
		}
		out = mem.cells.selected(st, addr, all, mem.regs.read)
	}
	mem.regs.put(st, dst, out.x, out.v)
}
