package code

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/ir"
)

// Structures and unions that are accessed atomically as a whole: as an integer of as many bytes. What is between the members,
// their padding, is 0 in it. Larger ones are refused: an atomic section would order more than the access does, so that
// programs would be safe that are not.

// packed is the integer that a structure at an address is, and the bits of it that are of members.
func (mem *memory) packed(n cc.Node, t cc.Type, addr ir.Expr) (x ir.Expr, members uint64) {
	bits := mem.types.bits(n, mem.types.wholeType(n, t))
	for _, s := range mem.types.scalars(n, t) {
		v := mem.read(n, object{t: s.t, reg: -1, addr: mem.behind(addr, s.offset), how: Access{Copied: true}}).x
		members |= ir.Mask(v.Width()) << (8 * s.offset)
		part := widen(v, bits, false)
		if s.offset > 0 {
			part = fold(ir.Shl, part, ir.Number(uint64(8*s.offset), bits))
		}
		if x == nil {
			x = part
		} else {
			x = fold(ir.BitOr, x, part)
		}
	}
	if x == nil { // it has no members
		x = ir.Number(0, bits)
	}
	return mem.build.keep(x), members
}

// unpack writes an integer to where a structure is.
func (mem *memory) unpack(n cc.Node, t cc.Type, addr, x ir.Expr) {
	for _, s := range mem.types.scalars(n, t) {
		v := x
		if bits := mem.types.bits(n, s.t); bits < x.Width() {
			v = ir.Extract{X: x, Lo: 8 * s.offset, Bits: bits}
		}
		mem.build.emit(Store{Addr: mem.behind(addr, s.offset), Value: v})
	}
}

// loadWhole reads a structure atomically, and gives where a copy of it is.
func (mem *memory) loadWhole(n cc.Node, o object) operand {
	into := mem.locate(mem.hidden(n, o.t))
	r := mem.build.temp(mem.types.bits(n, mem.types.wholeType(n, o.t)))
	mem.build.emit(Load{r, o.addr, o.how})
	mem.unpack(n, o.t, into, mem.build.reg(r))
	return operand{into, o.t}
}

// storeWhole writes the structure at an address to an object atomically.
func (mem *memory) storeWhole(n cc.Node, o object, from ir.Expr) {
	x, _ := mem.packed(n, o.t, from)
	mem.build.emit(Store{o.addr, x, o.how})
}

// exchangeWhole writes the structure at an address to an object, and gives where a copy is of what was there, in one atomic step.
func (mem *memory) exchangeWhole(n cc.Node, o object, from ir.Expr, read, write Access) operand {
	into := mem.locate(mem.hidden(n, o.t))
	x, _ := mem.packed(n, o.t, from)
	r := mem.build.temp(x.Width())
	mem.build.emit(Update{Dst: r, Wrote: -1, Addr: o.addr, Next: x, Read: read, Write: write})
	mem.unpack(n, o.t, into, mem.build.reg(r))
	return operand{into, o.t}
}

// padded says what a comparison of structures does about padding.
const padded = "the structure has padding, which a compare-and-exchange compares, too, and which need not be equal where members are: it is taken to fail at any time"

// compareWhole writes the structure at an address to an object if that is equal to what is expected, else what was there to where
// that is: a bit that tells whether it did. C compares bytes. As those between members are anything, a structure that has
// such may be found unequal for no reason.
func (mem *memory) compareWhole(n cc.Node, o object, expected, from ir.Expr, read, write, failed Access, weak ir.Expr) ir.Expr {
	want, members := mem.packed(n, o.t, expected)
	next, _ := mem.packed(n, o.t, from)
	bits := next.Width()
	var was ir.Expr = ir.Old{Bits: bits}
	if members != ir.Mask(bits) {
		mem.unit.remark(n, padded)
		was, weak = ir.BitAnd.Of(was, ir.Number(members, bits)), ir.Number(1, 1)
	}
	r, wrote := mem.build.temp(bits), mem.build.temp(1)
	mem.build.emit(Update{r, wrote, o.addr, next, ir.Eq.Of(was, want), read, write, failed, weak})
	done := mem.build.jump(mem.build.reg(wrote))
	mem.unpack(n, o.t, expected, mem.build.reg(r))
	mem.build.land(done)
	return mem.build.reg(wrote)
}
