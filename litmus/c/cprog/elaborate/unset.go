package elaborate

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Uninitialised memory can contain any number. If some of the paths to a step have written a cell and others have not,
// the cell is doubtful: the other paths set it to any number, and a register says whether it is set. Earlier passes
// find out which cells are doubtful when they are read.
//
// So uninitialised memory has three states. As long as nothing reads it, its value is unset and pure, and no step
// exists for it. When it may be read or copied, fill chooses a number bit by bit with free choices; copies then have
// the same number. A read by the program is a failure if the property is memory. Otherwise the cell gets any number at
// its first read.

// unfilled reports whether a value is that of uninitialised memory that has not been set to any number yet.
func (v *value) unfilled() bool { return v.unset && v.pure }

// fill sets uninitialised memory to any number. It remains uninitialised.
func (tr *threadRegisters) fill(st *state, r int) {
	v := *tr.get(st, r)
	if !v.unfilled() {
		return
	}
	tr.anyOf(st, r)
	v.pure, v.late = false, false
	st.set(r, &v)
}

// doubt allocates a register that says whether register r is set.
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

// mark records whether the contents of a register are set.
func (tr *threadRegisters) mark(st *state, r int, is operandValue) {
	if s, ok := tr.doubts[r]; ok {
		tr.put(st, s, is.x, is.v)
	}
}

// set returns whether the contents of a register are set, as a bit.
func (tr *threadRegisters) set(st *state, r int) operandValue {
	if s, ok := tr.doubts[r]; ok {
		return tr.read(st, s)
	}
	return constant(isSet(tr.get(st, r)), 1)
}

// setAs returns whether a value, which may be a copy, is set.
func (tr *threadRegisters) setAs(st *state, v operandValue) operandValue {
	if x, ok := v.x.(ir.Reg); ok {
		return tr.set(st, x.Index)
	}
	return constant(isSet(v.v), 1)
}

// fetch reads private memory of the thread. Copying an uninitialised value is allowed and the copy is uninitialised;
// other reads of it fail and return any number.
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
	if n, ok := is.v.constant(); (!ok || n == 0) && slices.Contains(mem.elab.options.Properties, ir.Memory) {
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
