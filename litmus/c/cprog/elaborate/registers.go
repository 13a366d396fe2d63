package elaborate

import (
	"iter"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/paged"
)

// threadRegisters reads and sets the thread's registers.
type threadRegisters struct {
	out    *output
	begins []*value    // by register: what one of a cell begins with; nil for others
	doubts map[int]int // of some of these, the registers that tell whether they are set
}

// registers are what is known of a thread's registers at a place of its code; nil where nothing has been put in one.
type registers struct{ paged.Array[*value] }

// shared is the same, for another place.
func (g *registers) shared() registers { return registers{g.Shared()} }

// at is what has been put into a register, or nil.
func (g *registers) at(r int) *value { return g.At(r) }

// set puts a value into a register, or drops what is there.
func (g *registers) set(r int, v *value) {
	if g.At(r) != v { // else pages stay shared
		g.Set(r, v)
	}
}

// differing gives the registers, in order, that may not have the same in all of some states.
func differing(states []*registers) iter.Seq[int] {
	arrays := make([]*paged.Array[*value], len(states))
	for i, g := range states {
		arrays[i] = &g.Array
	}
	return paged.Differing(arrays...)
}

// get is the value of a register.
func (tr *threadRegisters) get(st *state, r int) *value {
	if v := tr.has(&st.registers, r); v != nil {
		return v
	}
	return zero
}

// has is what has been put into a register, or what it begins with; nil for neither.
func (tr *threadRegisters) has(g *registers, r int) *value {
	if v := g.at(r); v != nil || r >= len(tr.begins) {
		return v
	}
	return tr.begins[r]
}

var zero = exactly(0)

// put sets a register of the thread. A number that is known takes no step: it stands in place of the
// register wherever that is read.
func (tr *threadRegisters) put(st *state, r int, x ir.Expr, v *value) {
	if n, ok := v.known(); ok {
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

// read is what a register has.
func (tr *threadRegisters) read(st *state, r int) operandValue {
	v := tr.get(st, r)
	if n, ok := v.known(); ok {
		return operandValue{ir.Number(n, tr.out.th.Regs[r].Bits), v}
	}
	return operandValue{tr.out.reg(r), v}
}

// fills tells whether a register that other ways have set is to be given any number.
func (tr *threadRegisters) fills(r int, v *value) bool {
	_, doubtful := tr.doubts[r]
	return doubtful && v.unfilled()
}

// begin notes what a register has when the thread begins.
func (tr *threadRegisters) begin(r int, v *value) {
	for len(tr.begins) <= r {
		tr.begins = append(tr.begins, nil)
	}
	tr.begins[r] = v
}

// held puts a number into a register of its own, so that it is the same whatever changes.
func (tr *threadRegisters) held(st *state, v operandValue) operandValue {
	if _, ok := v.v.known(); ok {
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
