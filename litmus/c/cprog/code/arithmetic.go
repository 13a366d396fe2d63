package code

import (
	"fmt"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// values computes values: conversions, arithmetic and comparisons.
type values struct {
	unit     *Unit
	build    *builder
	types    *types
	overflow bool                          // whether arithmetic is asked about
	static   bool                          // of an initialiser that is known before the program runs
	lengths  map[cc.ExpressionNode]ir.Expr // of arrays, where they are not constant, by what says them
}

// operand is the value of an expression, with its C type. The value's width is the type's.
type operand struct {
	x ir.Expr // nil for void
	t cc.Type
}

// number is a constant of type t.
func (vs *values) number(v uint64, t cc.Type) operand {
	return operand{ir.Number(v, vs.types.width(t)), t}
}

// truth tells in one bit whether a condition holds.
func (vs *values) truth(n cc.Node, v operand) ir.Expr {
	vs.types.bits(n, v.t)
	if isFloat(v.t) { // which may be -0
		return nonzero(fold(ir.BitAnd, v.x, ir.Number(ir.Mask(v.x.Width()-1), v.x.Width())))
	}
	return nonzero(v.x)
}

// boolean is a bit as C's int.
func (vs *values) boolean(bit ir.Expr) operand {
	return operand{widen(bit, vs.types.width(vs.types.ast.Int), false), vs.types.ast.Int}
}

// convert makes a value one of type to.
func (vs *values) convert(n cc.Node, v operand, to cc.Type) operand {
	switch {
	case to.Kind() == cc.Void:
		return operand{nil, to}
	case aggregate(to) && aggregate(v.t):
		return operand{v.x, to}
	}
	if isFloat(v.t) || isFloat(to) {
		return vs.convertFloat(n, v, to)
	}
	have, want := vs.types.bits(n, v.t), vs.types.bits(n, to)
	vs.baptise(v, to)
	if to.Kind() == cc.Bool && v.t.Kind() != cc.Bool {
		return operand{widen(nonzero(v.x), want, false), to}
	}
	if have != want {
		v.x = widen(v.x, want, signed(v.t))
	}
	return operand{v.x, to}
}

// promote does C's integer promotions.
func (vs *values) promote(n cc.Node, v operand) operand {
	vs.types.bits(n, v.t)
	if isFloat(v.t) {
		return v
	}
	return vs.convert(n, v, cc.IntegerPromotion(vs.types.integer(v.t)))
}

// common is the type that an operation on a and b takes place in.
func (vs *values) common(n cc.Node, a, b operand) cc.Type {
	vs.types.bits(n, a.t)
	vs.types.bits(n, b.t)
	if a.t.Kind() == cc.Ptr {
		return a.t
	}
	if b.t.Kind() == cc.Ptr {
		return b.t
	}
	return cc.UsualArithmeticConversions(vs.types.integer(a.t), vs.types.integer(b.t))
}

// The operators of C that take two values.
type operator string

// compare does == != < <= > >=.
func (vs *values) compare(n cc.Node, op operator, a, b operand) operand {
	t := vs.common(n, a, b)
	x, y := vs.convert(n, a, t).x, vs.convert(n, b, t).x
	if isFloat(t) {
		return vs.boolean(floatCompare(op, x, y))
	}
	is, swap, negated, _ := c.Comparison(string(op), signed(t))
	if swap {
		x, y = y, x
	}
	bit := fold(is, x, y)
	if negated {
		bit = not(bit)
	}
	return vs.boolean(bit)
}

// binary does + - * / % << >> & | ^.
func (vs *values) binary(n cc.Node, op operator, a, b operand) operand {
	switch op {
	case "<<", ">>":
		return vs.shift(n, op, vs.promote(n, a), vs.promote(n, b))
	case "+", "-":
		if a.t.Kind() == cc.Ptr || b.t.Kind() == cc.Ptr {
			return vs.pointer(n, op, a, b)
		}
	}
	t := vs.common(n, a, b)
	x, y := vs.convert(n, a, t).x, vs.convert(n, b, t).x
	if isFloat(t) {
		return vs.floatBinary(n, op, x, y, t)
	}
	if divides := op == "/" || op == "%"; vs.overflow && (signed(t) || divides) {
		x, y = vs.build.keep(x), vs.build.keep(y)
		vs.assertFits(n, op, x, y, signed(t))
	} else if divides {
		y = vs.meaning(n, y, "0", nonzero)
		if signed(t) && a.t.Size() >= t.Size() {
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
	x, y = vs.build.keep(x), vs.build.keep(y)
	bad := ir.BitAnd.Of(ir.Eq.Of(x, least), ir.Eq.Of(y, ones))
	vs.build.emit(Assert{not(bad), ir.Undefined, sourceOf(n) + " divides the least number by -1"})
	return x, y
}

// shift has the type of its left side. A count of the width or more has no meaning in C.
func (vs *values) shift(n cc.Node, op operator, a, b operand) operand {
	x, y, w := a.x, widen(b.x, a.x.Width(), signed(b.t)), a.x.Width()
	if vs.overflow {
		x, y = vs.build.keep(x), vs.build.keep(y)
		vs.assertFits(n, op, x, y, signed(a.t))
	} else {
		y = vs.meaning(n, y, "the width or more", func(y ir.Expr) ir.Expr { return ir.Ult.Of(y, ir.Number(uint64(w), w)) })
	}
	return operand{fold(c.Operation(string(op), signed(a.t)), x, y), a.t}
}

// pointer does + and - where one side at least is a pointer.
func (vs *values) pointer(n cc.Node, op operator, a, b operand) operand {
	if a.t.Kind() == cc.Ptr && b.t.Kind() == cc.Ptr {
		of := vs.types.pointeeType(n, a.t)
		d := fold(ir.Sub, a.x, b.x)
		if long, ok := ofVariableLength(of); ok {
			d = ir.SDiv.Of(d, vs.bytes(n, long))
		} else if size := vs.types.size(n, of); size > 1 {
			d = fold(ir.SDiv, d, ir.Number(uint64(size), vs.types.pointer))
		}
		return operand{d, vs.types.ast.Long}
	}
	if b.t.Kind() == cc.Ptr {
		a, b = b, a
	}
	i := widen(b.x, vs.types.pointer, signed(b.t))
	if long, ok := ofVariableLength(vs.types.pointeeType(n, a.t)); ok {
		i = ir.Mul.Of(i, vs.bytes(n, long))
	} else if size := vs.types.size(n, vs.types.pointeeType(n, a.t)); size != 1 {
		i = fold(ir.Mul, i, ir.Number(uint64(size), vs.types.pointer))
	}
	return operand{fold(c.Operation(string(op), false), a.x, i), a.t}
}

// negate does unary -.
func (vs *values) negate(n cc.Node, v operand) operand {
	if isFloat(v.t) {
		return operand{fold(ir.BitXor, v.x, ir.Number(1<<(v.x.Width()-1), v.x.Width())), v.t}
	}
	v = vs.promote(n, v)
	return vs.binary(n, "-", operand{ir.Number(0, v.x.Width()), v.t}, v)
}

// meaning says of the right side of an operation where it has a meaning, and what it is where it has none.
func (vs *values) meaning(n cc.Node, y ir.Expr, text string, is func(ir.Expr) ir.Expr) ir.Expr {
	if _, known := y.(ir.Const); known && new(ir.Program).Eval(is(y), nil, 0) == 1 {
		return y
	}
	y = vs.build.keep(y)
	vs.build.emit(Assert{is(y), ir.Undefined, "the right side of " + sourceOf(n) + " is " + text})
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
	vs.build.emit(Assert{not(bad), ir.Overflow, sourceOf(n) + " does not fit"})
}

// baptise gives memory that has just been allocated the names of the type that its pointer is made one to.
func (vs *values) baptise(v operand, to cc.Type) {
	r, ok := v.x.(ir.Reg)
	p, ok2 := to.(*cc.PointerType)
	if !ok || !ok2 || len(vs.build.function.Code) == 0 {
		return
	}
	last := &vs.build.function.Code[len(vs.build.function.Code)-1]
	a, ok := last.Op.(Allocate)
	elem := p.Elem()
	size := int(elem.Size())
	if !ok || a.Dst != r.Index || a.Layout != nil || elem.Kind() == cc.Void || size <= 0 {
		return
	}
	a.Layout = vs.types.layout("", elem)
	n, ok := a.Size.(ir.Const)
	if s, st := elem.(*cc.StructType); (!ok || int(n.Value) != size) && (!st || !s.HasFlexibleArrayMember()) {
		a.Layout = func(offset int) (string, int) {
			return fmt.Sprintf("[%d]%s", offset/size, vs.types.inside(elem, offset%size)), vs.types.widthAt(elem, offset%size)
		}
	}
	a.Name, a.Unit = typeName(elem), size
	last.Op = a
}

// bytes is the size of an array of variable length.
func (vs *values) bytes(n cc.Node, a *cc.ArrayType) ir.Expr {
	length, ok := vs.lengths[a.SizeExpression()]
	if !ok {
		failf(n, "the length of %s is not known here: want an array that is declared with it", a)
	}
	if inner, long := ofVariableLength(a.Elem()); long {
		return vs.build.keep(fold(ir.Mul, length, vs.bytes(n, inner)))
	}
	return vs.build.keep(fold(ir.Mul, length, ir.Number(uint64(vs.types.size(n, a.Elem())), vs.types.pointer)))
}
