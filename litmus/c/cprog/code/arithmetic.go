package code

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// number is a constant of type t.
func (l *lowerer) number(v uint64, t cc.Type) operand {
	return operand{ir.Number(v, l.Unit.bits(t)), t}
}

// fold applies an operator, at once where it can.
func fold(op ir.BinaryOp, x, y ir.Expr) ir.Expr {
	a, known := x.(ir.Const)
	b, known2 := y.(ir.Const)
	switch {
	case known && known2:
		e := op.Of(x, y)
		return ir.Number(ir.EvalBinary(op, a.Value, b.Value, a.Bits), e.Width())
	case known2 && b.Value == 0 && (op == ir.Add || op == ir.Sub):
		return x
	case known && a.Value == 0 && op == ir.Add:
		return y
	}
	return op.Of(x, y)
}

// widen is ir.Widen, done at once where it can be.
func widen(x ir.Expr, bits int, signed bool) ir.Expr {
	if c, ok := x.(ir.Const); ok {
		v := c.Value & ir.Mask(c.Bits)
		if signed {
			v = ir.SignExtend(v, c.Bits)
		}
		return ir.Number(v, bits)
	}
	return ir.Widen(x, bits, signed)
}

// not turns a bit round.
func not(bit ir.Expr) ir.Expr {
	switch b := bit.(type) {
	case ir.Const:
		return ir.Number(^b.Value, 1)
	case ir.Unary:
		if b.Op == ir.BitNot {
			return b.X
		}
	}
	return ir.Not(bit)
}

// nonzero tells in one bit whether x is not 0.
func nonzero(x ir.Expr) ir.Expr {
	if x.Width() == 1 {
		return x
	}
	if e, ok := x.(ir.Extend); ok && e.X.Width() == 1 {
		return e.X
	}
	return not(fold(ir.Eq, x, ir.Number(0, x.Width())))
}

// truth tells in one bit whether a condition holds.
func (l *lowerer) truth(n cc.Node, v operand) ir.Expr {
	l.bits(n, v.t)
	if isFloat(v.t) { // which may be -0
		return nonzero(fold(ir.BitAnd, v.x, ir.Number(ir.Mask(v.x.Width()-1), v.x.Width())))
	}
	return nonzero(v.x)
}

// boolean is a bit as C's int.
func (l *lowerer) boolean(bit ir.Expr) operand {
	return operand{widen(bit, l.Unit.bits(l.ast.Int), false), l.ast.Int}
}

// convert makes a value one of type to.
func (l *lowerer) convert(n cc.Node, v operand, to cc.Type) operand {
	switch {
	case to.Kind() == cc.Void:
		return operand{nil, to}
	case aggregate(to) && aggregate(v.t):
		return operand{v.x, to}
	}
	if isFloat(v.t) || isFloat(to) {
		return l.convertFloat(n, v, to)
	}
	have, want := l.bits(n, v.t), l.bits(n, to)
	l.baptise(v, to)
	if to.Kind() == cc.Bool && v.t.Kind() != cc.Bool {
		return operand{widen(nonzero(v.x), want, false), to}
	}
	if have != want {
		v.x = widen(v.x, want, signed(v.t))
	}
	return operand{v.x, to}
}

// promote does C's integer promotions.
func (l *lowerer) promote(n cc.Node, v operand) operand {
	l.bits(n, v.t)
	if isFloat(v.t) {
		return v
	}
	return l.convert(n, v, cc.IntegerPromotion(l.integer(v.t)))
}

// common is the type that an operation on a and b takes place in.
func (l *lowerer) common(n cc.Node, a, b operand) cc.Type {
	l.bits(n, a.t)
	l.bits(n, b.t)
	if a.t.Kind() == cc.Ptr {
		return a.t
	}
	if b.t.Kind() == cc.Ptr {
		return b.t
	}
	return cc.UsualArithmeticConversions(l.integer(a.t), l.integer(b.t))
}

// The operators of C that take two values.
type operator string

// compare does == != < <= > >=.
func (l *lowerer) compare(n cc.Node, op operator, a, b operand) operand {
	t := l.common(n, a, b)
	x, y := l.convert(n, a, t).x, l.convert(n, b, t).x
	if isFloat(t) {
		return l.boolean(floatCompare(op, x, y))
	}
	is, swap, negated, _ := c.Comparison(string(op), signed(t))
	if swap {
		x, y = y, x
	}
	bit := fold(is, x, y)
	if negated {
		bit = not(bit)
	}
	return l.boolean(bit)
}

// binary does + - * / % << >> & | ^.
func (l *lowerer) binary(n cc.Node, op operator, a, b operand) operand {
	switch op {
	case "<<", ">>":
		return l.shift(n, op, l.promote(n, a), l.promote(n, b))
	case "+", "-":
		if a.t.Kind() == cc.Ptr || b.t.Kind() == cc.Ptr {
			return l.pointer(n, op, a, b)
		}
	}
	t := l.common(n, a, b)
	x, y := l.convert(n, a, t).x, l.convert(n, b, t).x
	if isFloat(t) {
		return l.floatBinary(n, op, x, y, t)
	}
	if divides := op == "/" || op == "%"; l.overflow && (signed(t) || divides) {
		x, y = l.keep(x), l.keep(y)
		l.assertFits(n, op, x, y, signed(t))
	} else if divides {
		y = l.meaning(n, y, "0", nonzero)
		if signed(t) && a.t.Size() >= t.Size() {
			x, y = l.fitsQuotient(n, x, y)
		}
	}
	return operand{fold(c.Operation(string(op), signed(t)), x, y), t}
}

// fitsQuotient says of a signed division that it is not of the least number by -1, whose quotient does not fit (C17,
// 6.5.5p6), and which machines trap.
func (l *lowerer) fitsQuotient(n cc.Node, x, y ir.Expr) (ir.Expr, ir.Expr) {
	w := x.Width()
	least, ones := ir.Number(1<<(w-1), w), ir.Number(ir.Mask(w), w)
	a, constant := x.(ir.Const)
	b, constant2 := y.(ir.Const)
	if constant && a.Value&ir.Mask(w) != 1<<(w-1) || constant2 && b.Value&ir.Mask(w) != ir.Mask(w) {
		return x, y
	}
	x, y = l.keep(x), l.keep(y)
	bad := ir.BitAnd.Of(ir.Eq.Of(x, least), ir.Eq.Of(y, ones))
	l.emit(Assert{not(bad), ir.Undefined, shorten(squeeze(cc.NodeSource(n))) + " divides the least number by -1"})
	return x, y
}

// shift has the type of its left side. A count of the width or more has no meaning in C.
func (l *lowerer) shift(n cc.Node, op operator, a, b operand) operand {
	x, y, w := a.x, widen(b.x, a.x.Width(), signed(b.t)), a.x.Width()
	if l.overflow {
		x, y = l.keep(x), l.keep(y)
		l.assertFits(n, op, x, y, signed(a.t))
	} else {
		y = l.meaning(n, y, "the width or more", func(y ir.Expr) ir.Expr { return ir.Ult.Of(y, ir.Number(uint64(w), w)) })
	}
	return operand{fold(c.Operation(string(op), signed(a.t)), x, y), a.t}
}

// pointer does + and - where one side at least is a pointer.
func (l *lowerer) pointer(n cc.Node, op operator, a, b operand) operand {
	if a.t.Kind() == cc.Ptr && b.t.Kind() == cc.Ptr {
		of := l.pointeeType(n, a.t)
		d := fold(ir.Sub, a.x, b.x)
		if long, ok := ofVariableLength(of); ok {
			d = ir.SDiv.Of(d, l.bytes(n, long))
		} else if size := l.size(n, of); size > 1 {
			d = fold(ir.SDiv, d, ir.Number(uint64(size), l.Unit.Pointer))
		}
		return operand{d, l.ast.Long}
	}
	if b.t.Kind() == cc.Ptr {
		a, b = b, a
	}
	i := widen(b.x, l.Unit.Pointer, signed(b.t))
	if long, ok := ofVariableLength(l.pointeeType(n, a.t)); ok {
		i = ir.Mul.Of(i, l.bytes(n, long))
	} else if size := l.size(n, l.pointeeType(n, a.t)); size != 1 {
		i = fold(ir.Mul, i, ir.Number(uint64(size), l.Unit.Pointer))
	}
	return operand{fold(c.Operation(string(op), false), a.x, i), a.t}
}

// negate does unary -.
func (l *lowerer) negate(n cc.Node, v operand) operand {
	if isFloat(v.t) {
		return operand{fold(ir.BitXor, v.x, ir.Number(1<<(v.x.Width()-1), v.x.Width())), v.t}
	}
	v = l.promote(n, v)
	return l.binary(n, "-", operand{ir.Number(0, v.x.Width()), v.t}, v)
}

// meaning says of the right side of an operation where it has a meaning, and what it is where it has none.
func (l *lowerer) meaning(n cc.Node, y ir.Expr, text string, is func(ir.Expr) ir.Expr) ir.Expr {
	if _, known := y.(ir.Const); known && new(ir.Program).Eval(is(y), nil, 0) == 1 {
		return y
	}
	y = l.keep(y)
	l.emit(Assert{is(y), ir.Undefined, "the right side of " + shorten(squeeze(cc.NodeSource(n))) + " is " + text})
	return y
}

// assertFits says, before an operation, that its result can be represented.
func (l *lowerer) assertFits(n cc.Node, op operator, x, y ir.Expr, signed bool) {
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
	l.emit(Assert{not(bad), ir.Overflow, shorten(squeeze(cc.NodeSource(n))) + " does not fit"})
}
