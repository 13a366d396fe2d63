package elaborate

import (
	"iter"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/paged"
)

// threadRegisters reads and sets the thread's registers.
type threadRegisters struct {
	out    *output
	begins []*value    // by register: the initial value of a cell's register; nil for others
	doubts map[int]int // for some of these, the registers that say whether they are set
}

// registers maps a thread's registers to their values at a place of its code; nil if unset.
type registers struct{ paged.Array[*value] }

// shared returns a copy for another place that shares its pages.
func (g *registers) shared() registers { return registers{g.Shared()} }

// at returns the value of a register, or nil.
func (g *registers) at(r int) *value { return g.At(r) }

// set sets the value of a register; nil removes it.
func (g *registers) set(r int, v *value) {
	if g.At(r) != v { // otherwise pages stay shared
		g.Set(r, v)
	}
}

// differing returns the registers, in order, whose values may differ between some states.
func differing(states []*registers) iter.Seq[int] {
	arrays := make([]*paged.Array[*value], len(states))
	for i, g := range states {
		arrays[i] = &g.Array
	}
	return paged.Differing(arrays...)
}

// get returns the value of a register.
func (tr *threadRegisters) get(st *state, r int) *value {
	if v := tr.valueOrNil(&st.registers, r); v != nil {
		return v
	}
	return zero
}

// valueOrNil returns the value that a register was set to, or its initial value, or nil.
func (tr *threadRegisters) valueOrNil(g *registers, r int) *value {
	if v := g.at(r); v != nil || r >= len(tr.begins) {
		return v
	}
	return tr.begins[r]
}

var zero = exactly(0)

// put sets a register of the thread. A known number needs no step, because it replaces the register wherever it is
// read.
func (tr *threadRegisters) put(st *state, r int, x ir.Expr, v *value) {
	if n, ok := v.constant(); ok {
		x = ir.Number(n, tr.out.th.Regs[r].Bits)
		w := *v
		w.late = true
		v = &w
	} else {
		tr.out.emit(ir.Assign{Dst: r, Value: x})
	}
	st.assign(r, x)
	st.set(r, v)
}

// read returns the contents of a register.
func (tr *threadRegisters) read(st *state, r int) operandValue {
	v := tr.get(st, r)
	if n, ok := v.constant(); ok {
		return operandValue{ir.Number(n, tr.out.th.Regs[r].Bits), v}
	}
	return operandValue{tr.out.reg(r), v}
}

// fills reports whether a register that other paths have set must be set to any number.
func (tr *threadRegisters) fills(r int, v *value) bool {
	_, doubtful := tr.doubts[r]
	return doubtful && v.unfilled()
}

// begin records the initial value of a register.
func (tr *threadRegisters) begin(r int, v *value) {
	for len(tr.begins) <= r {
		tr.begins = append(tr.begins, nil)
	}
	tr.begins[r] = v
}

// copied copies a value into a new register, so that later assignments do not change it.
func (tr *threadRegisters) copied(st *state, v operandValue) operandValue {
	if _, ok := v.v.constant(); ok {
		return v
	}
	r := tr.out.register(v.x.Width())
	tr.put(st, r, v.x, v.v)
	return tr.read(st, r)
}

// anyOf sets a register to any value.
func (tr *threadRegisters) anyOf(st *state, r int) {
	bits := tr.out.th.Regs[r].Bits
	var x ir.Expr
	for i := range bits {
		b := tr.out.register(1)
		tr.out.emit(ir.Choose{Dst: b, Free: true})
		part := ir.Widen(tr.out.reg(b), bits, false)
		if i == 0 {
			x = part
		} else {
			x = ir.BitOr.Of(x, ir.Shl.Of(part, ir.Number(uint64(i), bits)))
		}
	}
	v := anything()
	if bits == 1 {
		v = &value{set: []uint64{0, 1}, plain: true}
	}
	tr.put(st, r, x, v)
	st.forget(r)
}
