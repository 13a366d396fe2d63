package elaborate

import (
	"maps"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/cprog/code"
	"litmuscope/litmus/ir"
)

// Memory that one thread alone accesses at several widths, as unions are and what pointers to characters
// go over, is bytes: every one of them is a cell, and wider accesses are some of these. They are no
// events, so that nothing tells how many there are. Memory of several threads has one width.

// anew ends a pass that has found that memory is bytes. The next knows it.
type anew struct{}

// maxParted bounds how often an object that is bytes is begun anew with no width, for others access it.
const maxParted = 3

// mixes makes bytes of memory that is accessed at two widths, or refuses that where it is not one thread's.
func (t *thread) mixes(o *block, format string, args ...any) {
	err := litmus.Errorf(t.pos(), format+": accesses of one object at two widths are not supported where several threads share it", args...)
	if o.several() {
		panic(failure{err})
	}
	o.widths = err
	o.clear()
	panic(anew{})
}

// oneWidth refuses bytes that more than one thread accesses. What made it bytes may have been an access that is no more,
// once more is known, so that the next pass asks again.
func (t *thread) oneWidth(o *block) {
	if o.widths == nil || !o.several() {
		return
	}
	err := o.widths
	if o.parted < maxParted {
		o.parted++
		o.widths, t.changed = nil, true
		o.clear()
	}
	panic(failure{err})
}

// several tells whether more than one thread accesses a block.
func (o *block) several() bool { return o.shared || len(o.users) > 1 }

// clear forgets how a block is accessed.
func (o *block) clear() { maps.DeleteFunc(o.cells, func(at int, _ *cell) bool { return at != alive }) }

// bytewise tells whether an access of some width is to bytes. Where it may be to some, all that it may be to is.
func (t *thread) bytewise(addr *value, bits int) bool {
	all := t.pointed(addr)
	mixed := slices.IndexFunc(all, func(p span) bool { return p.block.widths != nil })
	if mixed < 0 || bits == 8 {
		return false
	}
	for _, p := range all {
		if p.block.widths == nil {
			t.mixes(p.block, "access of %d bits to %s, or to %s, which is accessed at two widths at %v",
				bits, p.block.name, all[mixed].block.name, litmus.Errors(all[mixed].block.widths)[0].Pos)
		}
	}
	return true
}

// byteAt is the address of a byte behind another one.
func (t *thread) byteAt(addr operandValue, i int) operandValue {
	if i == 0 {
		return addr
	}
	at := t.operate(ir.Add, addr, t.constant(uint64(i), addr.x.Width()))
	if n, ok := at.v.known(); ok {
		at.x = ir.Number(n, addr.x.Width())
	}
	return at
}

// held puts a number into a register of its own, so that it is the same whatever changes.
func (t *thread) held(st *state, v operandValue) operandValue {
	if _, ok := v.v.known(); ok {
		return v
	}
	r := t.register(v.x.Width())
	t.put(st, r, v.x, v.v)
	return t.read(st, r)
}

// loadBytes reads a register byte by byte.
func (t *thread) loadBytes(st *state, dst int, addr operandValue, how code.Access) *state {
	bits := t.th.Regs[dst].Bits
	addr = t.held(st, addr)
	of := &frame{}
	var whole ir.Expr
	for i := range bits / 8 {
		r := t.register(8)
		if st = t.load(st, r, t.byteAt(addr, i), how); st == nil {
			return nil
		}
		st.set(r, settled(t.get(st, r)))
		of.regs = append(of.regs, r)
		part := ir.Widen(ir.Reg{Index: i, Bits: 8}, bits, false)
		if i == 0 {
			whole = part
		} else {
			whole = ir.BitOr.Of(whole, ir.Shl.Of(part, ir.Number(uint64(8*i), bits)))
		}
	}
	v := t.eval(of, st, whole, nil)
	t.put(st, dst, v.x, v.v)
	t.mark(st, dst, t.constant(1, 1))
	return st
}

// storeBytes writes a number byte by byte.
func (t *thread) storeBytes(st *state, addr, v operandValue, how code.Access) *state {
	bits := v.x.Width()
	addr = t.held(st, addr)
	r := t.register(bits)
	t.put(st, r, v.x, v.v)
	of := &frame{regs: []int{r}}
	for i := range bits / 8 {
		part := t.eval(of, st, ir.Extract{X: ir.Reg{Bits: bits}, Lo: 8 * i, Bits: 8}, nil)
		if st = t.store(st, t.byteAt(addr, i), part, how); st == nil {
			return nil
		}
	}
	return st
}
