package values

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/ir"
)

// Accesses to bit-fields. A bit-field is read by aligned accesses of the bytes that contain it (read.Piece). A write
// reads these bytes, replaces the bits and writes the bytes, which is not atomic. Adjacent bit-fields are one memory
// location (C11, 3.14). So a write to one covers all of them, even if they need more than one access: compilers may do
// that, and concurrent accesses are races.

// BitField returns the object of a bit-field in a structure. at is its offset according to the C parser.
func (mem *Memory) BitField(n *cc.PostfixExpression, f *cc.Field, at int64, addr ir.Expr) Object {
	b := mem.Types.Qualifiers.BitField(f)
	if b == nil {
		syntax.Failf(n, "bit-field %s is not supported here", f.Name())
	}
	o := mem.Designated(n, f.Type(), code.Fold(ir.Add, addr, ir.Number(uint64(at-int64(b.At)), mem.Types.Pointer)))
	o.Bits = b
	return o
}

// piece is an object that contains a part of a bit-field. from is the first bit in it, and lo that bit's position in
// the field.
type piece struct {
	Object         Object
	From, Lo, Bits int
}

// PiecesOf returns the pieces of a bit-field; bits is 0 for a piece that contains only other fields of its location.
func (mem *Memory) PiecesOf(o Object) []piece {
	out := make([]piece, 0, len(o.Bits.Run.Pieces))
	for _, at := range o.Bits.Run.Pieces {
		from, to := max(8*at.Offset, o.Bits.Bit), min(8*(at.Offset+at.Size), o.Bits.Bit+o.Bits.Width)
		p := piece{From: from - 8*at.Offset, Lo: from - o.Bits.Bit, Bits: max(to-from, 0)}
		p.Object = Object{
			Type: mem.Types.Unsigned(at.Size), Reg: -1, How: o.How,
			Addr: code.Fold(ir.Add, o.Addr, ir.Number(uint64(at.Offset), mem.Types.Pointer)),
		}
		out = append(out, p)
	}
	return out
}

// readBits reads a bit-field.
func (mem *Memory) readBits(n cc.Node, o Object) Operand {
	w := o.Bits.Width
	var whole ir.Expr
	for _, p := range mem.PiecesOf(o) {
		if p.Bits == 0 {
			continue
		}
		var part ir.Expr = ir.Extract{X: mem.Read(n, p.Object).X, Lo: p.From, Bits: p.Bits}
		if p.Bits < w {
			part = ir.Shl.Of(ir.Widen(part, w, false), ir.Number(uint64(p.Lo), w))
		}
		if whole == nil {
			whole = part
		} else {
			whole = ir.BitOr.Of(whole, part)
		}
	}
	return mem.promoted(n, mem.Build.Keep(whole), o.Type)
}

// writeBits writes a bit-field and returns its new value.
func (mem *Memory) writeBits(n cc.Node, o Object, v Operand) Operand {
	w := o.Bits.Width
	v = mem.Values.Convert(n, v, o.Type)
	field := mem.Build.Keep(code.Narrowed(v.X, 0, w))
	for _, p := range mem.PiecesOf(o) {
		plain := p.Object
		plain.How.Copied = true // the bits around it do not change
		old := mem.Read(n, plain).X
		size := old.Width()
		if p.Bits > 0 {
			part := code.Fold(ir.Shl, code.Widen(code.Narrowed(field, p.Lo, p.Bits), size, false),
				ir.Number(uint64(p.From), size))
			if p.Bits < size {
				rest := ir.Number(^(ir.Mask(p.Bits) << p.From), size)
				part = ir.BitOr.Of(ir.BitAnd.Of(old, rest), part)
			}
			old = part
		}
		mem.Write(n, p.Object, Operand{old, p.Object.Type})
	}
	return mem.promoted(mem.Converted, field, o.Type)
}

// promoted returns the value of a bit-field: as an int if int can represent all its values. Compilers disagree on the
// promotion of wider bit-fields, so these must be converted at once.
func (mem *Memory) promoted(n cc.Node, field ir.Expr, t cc.Type) Operand {
	v := Operand{code.Widen(field, mem.Types.Bits(n, t), layout.IsSigned(t)), t}
	switch w, whole := field.Width(), mem.Types.Width(mem.Types.AST.Int); {
	case w < whole || w == whole && layout.IsSigned(t):
		return mem.Values.Convert(n, v, mem.Types.AST.Int)
	case w == whole:
		return mem.Values.Convert(n, v, mem.Types.AST.UInt)
	case w < v.X.Width() && n != mem.Converted:
		syntax.Failf(n, "a bit-field of %d bits is not supported here: GCC computes with as many bits, clang with "+
			"the %d of %s: cast it with (%s)", w, v.X.Width(), t, t)
	}
	return v
}
