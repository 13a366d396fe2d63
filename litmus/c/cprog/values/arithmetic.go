package values

import (
	"fmt"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/ir"
)

// Arithmetic computes values: conversions, arithmetic and comparisons.
type Arithmetic struct {
	Unit     *code.Unit
	Build    *code.Builder
	Types    *layout.Types
	Overflow bool                          // whether to assert that arithmetic does not overflow
	Static   bool                          // in an initialiser that must be constant
	Lengths  map[cc.ExpressionNode]ir.Expr // lengths of arrays of variable length, by the expression
}

// Operand is the value of an expression, with its C type. The value's width is the type's.
type Operand struct {
	X    ir.Expr // nil for void
	Type cc.Type
}

// Of returns a value of a type.
func Of(x ir.Expr, t cc.Type) Operand { return Operand{x, t} }

// Number returns a constant of type t.
func (vs *Arithmetic) Number(v uint64, t cc.Type) Operand {
	return Operand{ir.Number(v, vs.Types.Width(t)), t}
}

// Truth returns whether a condition holds, as a bit.
func (vs *Arithmetic) Truth(n cc.Node, v Operand) ir.Expr {
	vs.Types.Bits(n, v.Type)
	if layout.IsFloat(v.Type) { // it may be -0
		return code.Nonzero(code.Fold(ir.BitAnd, v.X, ir.Number(ir.Mask(v.X.Width()-1), v.X.Width())))
	}
	return code.Nonzero(v.X)
}

// Boolean returns a bit as an int.
func (vs *Arithmetic) Boolean(bit ir.Expr) Operand {
	return Operand{code.Widen(bit, vs.Types.Width(vs.Types.AST.Int), false), vs.Types.AST.Int}
}

// Convert converts a value to a type (C17, 6.3).
func (vs *Arithmetic) Convert(n cc.Node, v Operand, to cc.Type) Operand {
	switch {
	case to.Kind() == cc.Void:
		return Operand{nil, to}
	case layout.IsAggregate(to) && layout.IsAggregate(v.Type):
		return Operand{v.X, to}
	}
	if layout.IsFloat(v.Type) || layout.IsFloat(to) {
		return vs.convertFloat(n, v, to)
	}
	have, want := vs.Types.Bits(n, v.Type), vs.Types.Bits(n, to)
	vs.nameAllocation(v, to)
	if to.Kind() == cc.Bool && v.Type.Kind() != cc.Bool {
		return Operand{code.Widen(code.Nonzero(v.X), want, false), to}
	}
	if have != want {
		v.X = code.Widen(v.X, want, layout.IsSigned(v.Type))
	}
	return Operand{v.X, to}
}

// Promote applies the integer promotions (C17, 6.3.1.1).
func (vs *Arithmetic) Promote(n cc.Node, v Operand) Operand {
	vs.Types.Bits(n, v.Type)
	if layout.IsFloat(v.Type) {
		return v
	}
	return vs.Convert(n, v, cc.IntegerPromotion(vs.Types.Integer(v.Type)))
}

// Common returns the common type of two operands (C17, 6.3.1.8).
func (vs *Arithmetic) Common(n cc.Node, a, b Operand) cc.Type {
	vs.Types.Bits(n, a.Type)
	vs.Types.Bits(n, b.Type)
	if a.Type.Kind() == cc.Ptr {
		return a.Type
	}
	if b.Type.Kind() == cc.Ptr {
		return b.Type
	}
	return cc.UsualArithmeticConversions(vs.Types.Integer(a.Type), vs.Types.Integer(b.Type))
}

// Operator is a binary operator of C.
type Operator string

// Compare applies == != < <= > >=.
func (vs *Arithmetic) Compare(n cc.Node, op Operator, a, b Operand) Operand {
	t := vs.Common(n, a, b)
	x, y := vs.Convert(n, a, t).X, vs.Convert(n, b, t).X
	if layout.IsFloat(t) {
		return vs.Boolean(floatCompare(op, x, y))
	}
	is, swap, negated, _ := c.Comparison(string(op), layout.IsSigned(t))
	if swap {
		x, y = y, x
	}
	bit := code.Fold(is, x, y)
	if negated {
		bit = code.Not(bit)
	}
	return vs.Boolean(bit)
}

// Binary applies + - * / % << >> & | ^.
func (vs *Arithmetic) Binary(n cc.Node, op Operator, a, b Operand) Operand {
	switch op {
	case "<<", ">>":
		return vs.shift(n, op, vs.Promote(n, a), vs.Promote(n, b))
	case "+", "-":
		if a.Type.Kind() == cc.Ptr || b.Type.Kind() == cc.Ptr {
			return vs.Pointer(n, op, a, b)
		}
	}
	t := vs.Common(n, a, b)
	x, y := vs.Convert(n, a, t).X, vs.Convert(n, b, t).X
	if layout.IsFloat(t) {
		return vs.floatBinary(n, op, x, y, t)
	}
	if divides := op == "/" || op == "%"; vs.Overflow && (layout.IsSigned(t) || divides) {
		x, y = vs.Build.Keep(x), vs.Build.Keep(y)
		vs.assertFits(n, op, x, y, layout.IsSigned(t))
	} else if divides {
		y = vs.meaning(n, y, "0", code.Nonzero)
		if layout.IsSigned(t) && a.Type.Size() >= t.Size() {
			x, y = vs.fitsQuotient(n, x, y)
		}
	}
	return Operand{code.Fold(c.Operation(string(op), layout.IsSigned(t)), x, y), t}
}

// fitsQuotient asserts that a signed division is not of the smallest number by -1, whose quotient does not fit (C17,
// 6.5.5p6), so that processors trap.
func (vs *Arithmetic) fitsQuotient(n cc.Node, x, y ir.Expr) (ir.Expr, ir.Expr) {
	w := x.Width()
	least, ones := ir.Number(1<<(w-1), w), ir.Number(ir.Mask(w), w)
	a, constant := x.(ir.Const)
	b, constant2 := y.(ir.Const)
	if constant && a.Value&ir.Mask(w) != 1<<(w-1) || constant2 && b.Value&ir.Mask(w) != ir.Mask(w) {
		return x, y
	}
	x, y = vs.Build.Keep(x), vs.Build.Keep(y)
	bad := ir.BitAnd.Of(ir.Eq.Of(x, least), ir.Eq.Of(y, ones))
	vs.Build.Emit(code.Assert{
		Cond: code.Not(bad), Property: ir.Undefined,
		Text: syntax.SourceOf(n) + " divides the smallest number of its type by -1",
	})
	return x, y
}

// shift applies << or >>. The result has the type of the left operand. A count of the width or more is undefined (C17,
// 6.5.7p3).
func (vs *Arithmetic) shift(n cc.Node, op Operator, a, b Operand) Operand {
	x, y, w := a.X, code.Widen(b.X, a.X.Width(), layout.IsSigned(b.Type)), a.X.Width()
	if vs.Overflow {
		x, y = vs.Build.Keep(x), vs.Build.Keep(y)
		vs.assertFits(n, op, x, y, layout.IsSigned(a.Type))
	} else {
		y = vs.meaning(n, y, "the width or more",
			func(y ir.Expr) ir.Expr { return ir.Ult.Of(y, ir.Number(uint64(w), w)) })
	}
	return Operand{code.Fold(c.Operation(string(op), layout.IsSigned(a.Type)), x, y), a.Type}
}

// Pointer applies + or - if at least one operand is a pointer.
func (vs *Arithmetic) Pointer(n cc.Node, op Operator, a, b Operand) Operand {
	if a.Type.Kind() == cc.Ptr && b.Type.Kind() == cc.Ptr {
		of := vs.Types.PointeeType(n, a.Type)
		d := code.Fold(ir.Sub, a.X, b.X)
		if long, ok := layout.OfVariableLength(of); ok {
			d = ir.SDiv.Of(d, vs.Bytes(n, long))
		} else if size := vs.Types.Size(n, of); size > 1 {
			d = code.Fold(ir.SDiv, d, ir.Number(uint64(size), vs.Types.Pointer))
		}
		return Operand{d, vs.Types.AST.Long}
	}
	if b.Type.Kind() == cc.Ptr {
		a, b = b, a
	}
	i := code.Widen(b.X, vs.Types.Pointer, layout.IsSigned(b.Type))
	if long, ok := layout.OfVariableLength(vs.Types.PointeeType(n, a.Type)); ok {
		i = ir.Mul.Of(i, vs.Bytes(n, long))
	} else if size := vs.Types.Size(n, vs.Types.PointeeType(n, a.Type)); size != 1 {
		i = code.Fold(ir.Mul, i, ir.Number(uint64(size), vs.Types.Pointer))
	}
	return Operand{code.Fold(c.Operation(string(op), false), a.X, i), a.Type}
}

// Negate applies unary -.
func (vs *Arithmetic) Negate(n cc.Node, v Operand) Operand {
	if layout.IsFloat(v.Type) {
		return Operand{code.Fold(ir.BitXor, v.X, ir.Number(1<<(v.X.Width()-1), v.X.Width())), v.Type}
	}
	v = vs.Promote(n, v)
	return vs.Binary(n, "-", Operand{ir.Number(0, v.X.Width()), v.Type}, v)
}

// meaning asserts that the right operand does not satisfy is, which makes the behaviour undefined; text describes such
// an operand.
func (vs *Arithmetic) meaning(n cc.Node, y ir.Expr, text string, is func(ir.Expr) ir.Expr) ir.Expr {
	if _, known := y.(ir.Const); known && new(ir.Program).Eval(is(y), nil, 0) == 1 {
		return y
	}
	y = vs.Build.Keep(y)
	vs.Build.Emit(code.Assert{
		Cond: is(y), Property: ir.Undefined, Text: "the right side of " + syntax.SourceOf(n) + " is " + text,
	})
	return y
}

// assertFits asserts, before an operation, that its result can be represented.
func (vs *Arithmetic) assertFits(n cc.Node, op Operator, x, y ir.Expr, signed bool) {
	w := x.Width()
	least, ones := ir.Number(1<<(w-1), w), ir.Number(ir.Mask(w), w)
	negative := func(e ir.Expr) ir.Expr { return ir.Bit(e, w-1) }
	var bad ir.Expr
	switch op {
	case "+":
		sum := ir.Add.Of(x, y)
		bad = negative(ir.BitAnd.Of(ir.BitXor.Of(x, sum), ir.BitXor.Of(y, sum)))
	case "-":
		bad = negative(ir.BitAnd.Of(ir.BitXor.Of(x, y), ir.BitXor.Of(x, ir.Sub.Of(x, y))))
	case "*":
		if 2*w <= 64 {
			product := ir.Mul.Of(ir.Widen(x, 2*w, true), ir.Widen(y, 2*w, true))
			bad = code.Not(ir.Eq.Of(product, ir.Widen(ir.Extract{X: product, Lo: 0, Bits: w}, 2*w, true)))
			break
		}
		back := code.Not(ir.Eq.Of(ir.SDiv.Of(ir.Mul.Of(x, y), y), x))
		extreme := ir.BitAnd.Of(ir.Eq.Of(x, least), ir.Eq.Of(y, ones))
		bad = ir.BitAnd.Of(code.Nonzero(y), ir.BitOr.Of(back, extreme))
	case "/", "%":
		bad = ir.Eq.Of(y, ir.Number(0, w))
		if signed {
			bad = ir.BitOr.Of(bad, ir.BitAnd.Of(ir.Eq.Of(x, least), ir.Eq.Of(y, ones)))
		}
	case "<<", ">>":
		bad = code.Not(ir.Ult.Of(y, ir.Number(uint64(w), w)))
		if signed && op == "<<" {
			lost := code.Not(ir.Eq.Of(ir.Sar.Of(ir.Shl.Of(x, y), y), x))
			bad = ir.BitOr.Of(bad, ir.BitOr.Of(negative(x), lost))
		}
	default:
		return
	}
	_, known := x.(ir.Const)
	_, known2 := y.(ir.Const)
	if known && known2 && new(ir.Program).Eval(bad, nil, 0) == 0 {
		return
	}
	vs.Build.Emit(code.Assert{Cond: code.Not(bad), Property: ir.Overflow, Text: syntax.SourceOf(n) + " does not fit"})
}

// nameAllocation names newly allocated memory after the type to which its pointer is converted.
func (vs *Arithmetic) nameAllocation(v Operand, to cc.Type) {
	r, ok := v.X.(ir.Reg)
	p, ok2 := to.(*cc.PointerType)
	if !ok || !ok2 || len(vs.Build.Function.Code) == 0 {
		return
	}
	last := &vs.Build.Function.Code[len(vs.Build.Function.Code)-1]
	a, ok := last.Op.(code.Allocate)
	elem := p.Elem()
	size := int(elem.Size())
	if !ok || a.Dst != r.Index || a.Layout != nil || elem.Kind() == cc.Void || size <= 0 {
		return
	}
	a.Layout = vs.Types.Layout("", elem)
	n, ok := a.Size.(ir.Const)
	if s, st := elem.(*cc.StructType); (!ok || int(n.Value) != size) && (!st || !s.HasFlexibleArrayMember()) {
		a.Layout = func(offset int) (string, int) {
			return fmt.Sprintf("[%d]%s", offset/size, vs.Types.Inside(elem, offset%size)),
				vs.Types.WidthAt(elem, offset%size)
		}
	}
	a.Name, a.Unit = layout.TypeName(elem), size
	last.Op = a
}

// Bytes returns the size of an array of variable length in bytes.
func (vs *Arithmetic) Bytes(n cc.Node, a *cc.ArrayType) ir.Expr {
	length, ok := vs.Lengths[a.SizeExpression()]
	if !ok {
		syntax.Failf(n, "the length of %s is unknown here: declare the array with a length", a)
	}
	if inner, long := layout.OfVariableLength(a.Elem()); long {
		return vs.Build.Keep(code.Fold(ir.Mul, length, vs.Bytes(n, inner)))
	}
	return vs.Build.Keep(code.Fold(ir.Mul, length, ir.Number(uint64(vs.Types.Size(n, a.Elem())), vs.Types.Pointer)))
}
