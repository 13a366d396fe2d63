package code

import (
	"fmt"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// values computes values: conversions, arithmetic and comparisons.
type values struct {
	Unit     *Unit
	Build    *builder
	Types    *types
	Overflow bool                          // whether arithmetic is asked about
	Static   bool                          // of an initialiser that is known before the program runs
	Lengths  map[cc.ExpressionNode]ir.Expr // of arrays, where they are not constant, by what says them
}

// operand is the value of an expression, with its C type. The value's width is the type's.
type operand struct {
	X    ir.Expr // nil for void
	Type cc.Type
}

// Of is a value of a type.
func Of(x ir.Expr, t cc.Type) operand { return operand{x, t} }

// number is a constant of type t.
func (vs *values) Number(v uint64, t cc.Type) operand {
	return operand{ir.Number(v, vs.Types.Width(t)), t}
}

// truth tells in one bit whether a condition holds.
func (vs *values) Truth(n cc.Node, v operand) ir.Expr {
	vs.Types.Bits(n, v.Type)
	if isFloat(v.Type) { // which may be -0
		return nonzero(fold(ir.BitAnd, v.X, ir.Number(ir.Mask(v.X.Width()-1), v.X.Width())))
	}
	return nonzero(v.X)
}

// boolean is a bit as C's int.
func (vs *values) Boolean(bit ir.Expr) operand {
	return operand{widen(bit, vs.Types.Width(vs.Types.AST.Int), false), vs.Types.AST.Int}
}

// convert makes a value one of type to.
func (vs *values) Convert(n cc.Node, v operand, to cc.Type) operand {
	switch {
	case to.Kind() == cc.Void:
		return operand{nil, to}
	case aggregate(to) && aggregate(v.Type):
		return operand{v.X, to}
	}
	if isFloat(v.Type) || isFloat(to) {
		return vs.convertFloat(n, v, to)
	}
	have, want := vs.Types.Bits(n, v.Type), vs.Types.Bits(n, to)
	vs.baptise(v, to)
	if to.Kind() == cc.Bool && v.Type.Kind() != cc.Bool {
		return operand{widen(nonzero(v.X), want, false), to}
	}
	if have != want {
		v.X = widen(v.X, want, signed(v.Type))
	}
	return operand{v.X, to}
}

// promote does C's integer promotions.
func (vs *values) Promote(n cc.Node, v operand) operand {
	vs.Types.Bits(n, v.Type)
	if isFloat(v.Type) {
		return v
	}
	return vs.Convert(n, v, cc.IntegerPromotion(vs.Types.Integer(v.Type)))
}

// common is the type that an operation on a and b takes place in.
func (vs *values) Common(n cc.Node, a, b operand) cc.Type {
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

// The operators of C that take two values.
type operator string

// compare does == != < <= > >=.
func (vs *values) Compare(n cc.Node, op operator, a, b operand) operand {
	t := vs.Common(n, a, b)
	x, y := vs.Convert(n, a, t).X, vs.Convert(n, b, t).X
	if isFloat(t) {
		return vs.Boolean(floatCompare(op, x, y))
	}
	is, swap, negated, _ := c.Comparison(string(op), signed(t))
	if swap {
		x, y = y, x
	}
	bit := fold(is, x, y)
	if negated {
		bit = not(bit)
	}
	return vs.Boolean(bit)
}

// binary does + - * / % << >> & | ^.
func (vs *values) Binary(n cc.Node, op operator, a, b operand) operand {
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
	if isFloat(t) {
		return vs.floatBinary(n, op, x, y, t)
	}
	if divides := op == "/" || op == "%"; vs.Overflow && (signed(t) || divides) {
		x, y = vs.Build.Keep(x), vs.Build.Keep(y)
		vs.assertFits(n, op, x, y, signed(t))
	} else if divides {
		y = vs.meaning(n, y, "0", nonzero)
		if signed(t) && a.Type.Size() >= t.Size() {
			x, y = vs.fitsQuotient(n, x, y)
		}
	}
	return operand{fold(c.Operation(string(op), signed(t)), x, y), t}
}

// fitsQuotient says of a signed division that it is not of the least number by -1, whose quotient does not fit (C17,
// 6.5.5p6), and which machines trap.
func (vs *values) fitsQuotient(n cc.Node, x, y ir.Expr) (ir.Expr, ir.Expr) {
	w := x.Width()
	least, ones := ir.Number(1<<(w-1), w), ir.Number(ir.Mask(w), w)
	a, constant := x.(ir.Const)
	b, constant2 := y.(ir.Const)
	if constant && a.Value&ir.Mask(w) != 1<<(w-1) || constant2 && b.Value&ir.Mask(w) != ir.Mask(w) {
		return x, y
	}
	x, y = vs.Build.Keep(x), vs.Build.Keep(y)
	bad := ir.BitAnd.Of(ir.Eq.Of(x, least), ir.Eq.Of(y, ones))
	vs.Build.Emit(Assert{Cond: not(bad), Property: ir.Undefined, Text: sourceOf(n) + " divides the least number by -1"})
	return x, y
}

// shift has the type of its left side. A count of the width or more has no meaning in C.
func (vs *values) shift(n cc.Node, op operator, a, b operand) operand {
	x, y, w := a.X, widen(b.X, a.X.Width(), signed(b.Type)), a.X.Width()
	if vs.Overflow {
		x, y = vs.Build.Keep(x), vs.Build.Keep(y)
		vs.assertFits(n, op, x, y, signed(a.Type))
	} else {
		y = vs.meaning(n, y, "the width or more", func(y ir.Expr) ir.Expr { return ir.Ult.Of(y, ir.Number(uint64(w), w)) })
	}
	return operand{fold(c.Operation(string(op), signed(a.Type)), x, y), a.Type}
}

// pointer does + and - where one side at least is a pointer.
func (vs *values) Pointer(n cc.Node, op operator, a, b operand) operand {
	if a.Type.Kind() == cc.Ptr && b.Type.Kind() == cc.Ptr {
		of := vs.Types.PointeeType(n, a.Type)
		d := fold(ir.Sub, a.X, b.X)
		if long, ok := ofVariableLength(of); ok {
			d = ir.SDiv.Of(d, vs.Bytes(n, long))
		} else if size := vs.Types.Size(n, of); size > 1 {
			d = fold(ir.SDiv, d, ir.Number(uint64(size), vs.Types.Pointer))
		}
		return operand{d, vs.Types.AST.Long}
	}
	if b.Type.Kind() == cc.Ptr {
		a, b = b, a
	}
	i := widen(b.X, vs.Types.Pointer, signed(b.Type))
	if long, ok := ofVariableLength(vs.Types.PointeeType(n, a.Type)); ok {
		i = ir.Mul.Of(i, vs.Bytes(n, long))
	} else if size := vs.Types.Size(n, vs.Types.PointeeType(n, a.Type)); size != 1 {
		i = fold(ir.Mul, i, ir.Number(uint64(size), vs.Types.Pointer))
	}
	return operand{fold(c.Operation(string(op), false), a.X, i), a.Type}
}

// negate does unary -.
func (vs *values) Negate(n cc.Node, v operand) operand {
	if isFloat(v.Type) {
		return operand{fold(ir.BitXor, v.X, ir.Number(1<<(v.X.Width()-1), v.X.Width())), v.Type}
	}
	v = vs.Promote(n, v)
	return vs.Binary(n, "-", operand{ir.Number(0, v.X.Width()), v.Type}, v)
}

// meaning says of the right side of an operation where it has a meaning, and what it is where it has none.
func (vs *values) meaning(n cc.Node, y ir.Expr, text string, is func(ir.Expr) ir.Expr) ir.Expr {
	if _, known := y.(ir.Const); known && new(ir.Program).Eval(is(y), nil, 0) == 1 {
		return y
	}
	y = vs.Build.Keep(y)
	vs.Build.Emit(Assert{Cond: is(y), Property: ir.Undefined, Text: "the right side of " + sourceOf(n) + " is " + text})
	return y
}

// assertFits says, before an operation, that its result can be represented.
func (vs *values) assertFits(n cc.Node, op operator, x, y ir.Expr, signed bool) {
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
			bad = not(ir.Eq.Of(product, ir.Widen(ir.Extract{X: product, Lo: 0, Bits: w}, 2*w, true)))
			break
		}
		back := not(ir.Eq.Of(ir.SDiv.Of(ir.Mul.Of(x, y), y), x))
		extreme := ir.BitAnd.Of(ir.Eq.Of(x, least), ir.Eq.Of(y, ones))
		bad = ir.BitAnd.Of(nonzero(y), ir.BitOr.Of(back, extreme))
	case "/", "%":
		bad = ir.Eq.Of(y, ir.Number(0, w))
		if signed {
			bad = ir.BitOr.Of(bad, ir.BitAnd.Of(ir.Eq.Of(x, least), ir.Eq.Of(y, ones)))
		}
	case "<<", ">>":
		bad = not(ir.Ult.Of(y, ir.Number(uint64(w), w)))
		if signed && op == "<<" {
			lost := not(ir.Eq.Of(ir.Sar.Of(ir.Shl.Of(x, y), y), x))
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
	vs.Build.Emit(Assert{Cond: not(bad), Property: ir.Overflow, Text: sourceOf(n) + " does not fit"})
}

// baptise gives memory that has just been allocated the names of the type that its pointer is made one to.
func (vs *values) baptise(v operand, to cc.Type) {
	r, ok := v.X.(ir.Reg)
	p, ok2 := to.(*cc.PointerType)
	if !ok || !ok2 || len(vs.Build.Function.Code) == 0 {
		return
	}
	last := &vs.Build.Function.Code[len(vs.Build.Function.Code)-1]
	a, ok := last.Op.(Allocate)
	elem := p.Elem()
	size := int(elem.Size())
	if !ok || a.Dst != r.Index || a.Layout != nil || elem.Kind() == cc.Void || size <= 0 {
		return
	}
	a.Layout = vs.Types.Layout("", elem)
	n, ok := a.Size.(ir.Const)
	if s, st := elem.(*cc.StructType); (!ok || int(n.Value) != size) && (!st || !s.HasFlexibleArrayMember()) {
		a.Layout = func(offset int) (string, int) {
			return fmt.Sprintf("[%d]%s", offset/size, vs.Types.Inside(elem, offset%size)), vs.Types.WidthAt(elem, offset%size)
		}
	}
	a.Name, a.Unit = typeName(elem), size
	last.Op = a
}

// bytes is the size of an array of variable length.
func (vs *values) Bytes(n cc.Node, a *cc.ArrayType) ir.Expr {
	length, ok := vs.Lengths[a.SizeExpression()]
	if !ok {
		failf(n, "the length of %s is not known here: want an array that is declared with it", a)
	}
	if inner, long := ofVariableLength(a.Elem()); long {
		return vs.Build.Keep(fold(ir.Mul, length, vs.Bytes(n, inner)))
	}
	return vs.Build.Keep(fold(ir.Mul, length, ir.Number(uint64(vs.Types.Size(n, a.Elem())), vs.Types.Pointer)))
}
