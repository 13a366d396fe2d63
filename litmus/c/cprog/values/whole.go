package values

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Atomic accesses to whole structures and unions. They are accessed as an integer of the same size, in which the
// padding is 0. Larger ones are rejected: an atomic section would order more than the access does, so that unsafe
// programs could be reported as safe.

// packed returns the structure at an address as an integer, and a mask of the bits that belong to members.
func (mem *Memory) packed(n cc.Node, t cc.Type, addr ir.Expr) (x ir.Expr, members uint64) {
	bits := mem.Types.Bits(n, mem.Types.WholeType(n, t))
	for _, s := range mem.Types.Scalars(n, t) {
		v := mem.Read(n,
			Object{Type: s.Type, Reg: -1, Addr: mem.Offset(addr, s.Offset), How: code.Access{Copied: true}}).X
		members |= ir.Mask(v.Width()) << (8 * s.Offset)
		part := code.Widen(v, bits, false)
		if s.Offset > 0 {
			part = code.Fold(ir.Shl, part, ir.Number(uint64(8*s.Offset), bits))
		}
		if x == nil {
			x = part
		} else {
			x = code.Fold(ir.BitOr, x, part)
		}
	}
	if x == nil { // the structure has no members
		x = ir.Number(0, bits)
	}
	return mem.Build.Keep(x), members
}

// unpack writes an integer to the structure at an address.
func (mem *Memory) unpack(n cc.Node, t cc.Type, addr, x ir.Expr) {
	for _, s := range mem.Types.Scalars(n, t) {
		v := x
		if bits := mem.Types.Bits(n, s.Type); bits < x.Width() {
			v = ir.Extract{X: x, Lo: 8 * s.Offset, Bits: bits}
		}
		mem.Build.Emit(code.Store{Addr: mem.Offset(addr, s.Offset), Value: v})
	}
}

// LoadWhole reads a structure atomically and returns the address of a copy.
func (mem *Memory) LoadWhole(n cc.Node, o Object) Operand {
	into := mem.Locate(mem.Hidden(n, o.Type))
	r := mem.Build.Temp(mem.Types.Bits(n, mem.Types.WholeType(n, o.Type)))
	mem.Build.Emit(code.Load{Dst: r, Addr: o.Addr, How: o.How})
	mem.unpack(n, o.Type, into, mem.Build.Reg(r))
	return Operand{into, o.Type}
}

// StoreWhole writes the structure at an address to an object atomically.
func (mem *Memory) StoreWhole(n cc.Node, o Object, from ir.Expr) {
	x, _ := mem.packed(n, o.Type, from)
	mem.Build.Emit(code.Store{Addr: o.Addr, Value: x, How: o.How})
}

// ExchangeWhole writes the structure at an address to an object and returns the address of a copy of the old one, in
// one atomic step.
func (mem *Memory) ExchangeWhole(n cc.Node, o Object, from ir.Expr, read, write code.Access) Operand {
	into := mem.Locate(mem.Hidden(n, o.Type))
	x, _ := mem.packed(n, o.Type, from)
	r := mem.Build.Temp(x.Width())
	mem.Build.Emit(code.Update{Dst: r, Wrote: -1, Addr: o.Addr, Next: x, Read: read, Write: write})
	mem.unpack(n, o.Type, into, mem.Build.Reg(r))
	return Operand{into, o.Type}
}

// padded is the remark on comparisons of structures with padding.
const padded = "the structure has padding, which a compare-exchange compares, too, and which may differ when the " +
	"members are equal: it can fail at any time"

// CompareWhole writes the structure at from to an object if the object equals expected, and otherwise copies the object
// to expected. It returns whether it wrote, as a bit. C compares bytes; because padding can have any value, a structure
// with padding may be unequal spuriously.
func (mem *Memory) CompareWhole(
	n cc.Node, o Object, expected, from ir.Expr, read, write, failed code.Access, weak ir.Expr,
) ir.Expr {
	want, members := mem.packed(n, o.Type, expected)
	next, _ := mem.packed(n, o.Type, from)
	bits := next.Width()
	var was ir.Expr = ir.Old{Bits: bits}
	if members != ir.Mask(bits) {
		mem.Unit.Remark(n, padded)
		was, weak = ir.BitAnd.Of(was, ir.Number(members, bits)), ir.Number(1, 1)
	}
	r, wrote := mem.Build.Temp(bits), mem.Build.Temp(1)
	mem.Build.Emit(code.Update{
		Dst: r, Wrote: wrote, Addr: o.Addr, Next: next, When: ir.Eq.Of(was, want), Read: read, Write: write,
		Failed: failed,
		Weak:   weak,
	})
	done := mem.Build.Jump(mem.Build.Reg(wrote))
	mem.unpack(n, o.Type, expected, mem.Build.Reg(r))
	mem.Build.Land(done)
	return mem.Build.Reg(wrote)
}
