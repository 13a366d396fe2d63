package code

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/ir"
)

// A bit-field is read from what it lies in: accesses of whole bytes, aligned (read.Piece). It is written by reading these,
// and writing them with its bits put in their places: not atomically. All bit-fields side by side are one memory location
// (C11, 3.14), so that a write of one goes over all of them, also where they take more than one access: what else
// happens there at the same time is a race, and a compiler may do so.

// bitField is the object of a bit-field in a structure, of which cc thinks that it is so far behind an address.
func (mem *memory) bitField(n *cc.PostfixExpression, f *cc.Field, at int64, addr ir.Expr) object {
	b := mem.types.qualifiers.BitField(f)
	if b == nil {
		failf(n, "bit-field %s is not supported here", f.Name())
	}
	o := mem.designated(n, f.Type(), fold(ir.Add, addr, ir.Number(uint64(at-int64(b.At)), mem.types.pointer)))
	o.bits = b
	return o
}

// piece is an object that a part of a bit-field lies in; from is the first bit of it that does, lo that bit's among the field's.
type piece struct {
	object
	from, lo, bits int
}

// piecesOf are those of a bit-field; bits is 0 for one that has only others of its location.
func (mem *memory) piecesOf(o object) []piece {
	out := make([]piece, 0, len(o.bits.Run.Pieces))
	for _, at := range o.bits.Run.Pieces {
		from, to := max(8*at.Offset, o.bits.Bit), min(8*(at.Offset+at.Size), o.bits.Bit+o.bits.Width)
		p := piece{from: from - 8*at.Offset, lo: from - o.bits.Bit, bits: max(to-from, 0)}
		p.object = object{t: mem.types.unsigned(at.Size), reg: -1, how: o.how, addr: fold(ir.Add, o.addr, ir.Number(uint64(at.Offset), mem.types.pointer))}
		out = append(out, p)
	}
	return out
}

// readBits reads a bit-field.
func (mem *memory) readBits(n cc.Node, o object) operand {
	w := o.bits.Width
	var whole ir.Expr
	for _, p := range mem.piecesOf(o) {
		if p.bits == 0 {
			continue
		}
		var part ir.Expr = ir.Extract{X: mem.read(n, p.object).x, Lo: p.from, Bits: p.bits}
		if p.bits < w {
			part = ir.Shl.Of(ir.Widen(part, w, false), ir.Number(uint64(p.lo), w))
		}
		if whole == nil {
			whole = part
		} else {
			whole = ir.BitOr.Of(whole, part)
		}
	}
	return mem.promoted(n, mem.build.keep(whole), o.t)
}

// writeBits writes a bit-field, and is its value then.
func (mem *memory) writeBits(n cc.Node, o object, v operand) operand {
	w := o.bits.Width
	v = mem.values.convert(n, v, o.t)
	field := mem.build.keep(narrowed(v.x, 0, w))
	for _, p := range mem.piecesOf(o) {
		plain := p.object
		plain.how.Copied = true // what is around stays what it is
		old := mem.read(n, plain).x
		size := old.Width()
		if p.bits > 0 {
			part := fold(ir.Shl, widen(narrowed(field, p.lo, p.bits), size, false), ir.Number(uint64(p.from), size))
			if p.bits < size {
				rest := ir.Number(^(ir.Mask(p.bits) << p.from), size)
				part = ir.BitOr.Of(ir.BitAnd.Of(old, rest), part)
			}
			old = part
		}
		mem.write(n, p.object, operand{old, p.t})
	}
	return mem.promoted(mem.converted, field, o.t)
}

// promoted is the value of a bit-field: of type int where that has all of its values, for nothing tells it from
// what it is promoted to. What compilers promote a wider one to, they differ about, so that it has to be converted at once.
func (mem *memory) promoted(n cc.Node, field ir.Expr, t cc.Type) operand {
	v := operand{widen(field, mem.types.bits(n, t), signed(t)), t}
	switch w, whole := field.Width(), mem.types.width(mem.types.ast.Int); {
	case w < whole || w == whole && signed(t):
		return mem.values.convert(n, v, mem.types.ast.Int)
	case w == whole:
		return mem.values.convert(n, v, mem.types.ast.UInt)
	case w < v.x.Width() && n != mem.converted:
		failf(n, "a bit-field of %d bits is not supported here: GCC calculates in as many, and clang in the %d of %s: want (%s) in front of it", w, v.x.Width(), t, t)
	}
	return v
}
