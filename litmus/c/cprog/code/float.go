package code

import (
	"math"

	"modernc.org/cc/v4"

	"litmuscope/litmus/ir"
)

// Floating point. A value is the bits of an IEEE 754 number, of 32 or 64 of them. Constants are computed, and values are passed on,
// negated and compared. What else comes of values that are not constant is not computed: it is any value, and a remark says so.

const anyFloat = "floating point is computed of constants alone: what comes of this is taken to be any value"

// someValue is any value of a type, which a remark says.
func (vs *values) SomeValue(n cc.Node, t cc.Type) operand {
	if vs.Static {
		failf(n, "got %s, want what is known before the program runs", cc.NodeSource(n))
	}
	vs.Unit.Remark(n, anyFloat)
	r := vs.Build.Temp(vs.Types.Bits(n, t))
	vs.Build.Emit(Choose{Dst: r})
	return operand{vs.Build.Reg(r), t}
}

// float is a constant of a floating-point type.
func (vs *values) Float(v float64, t cc.Type) operand {
	if t.Kind() == cc.Float {
		return operand{ir.Number(uint64(math.Float32bits(float32(v))), 32), t}
	}
	return operand{ir.Number(math.Float64bits(v), 64), t}
}

// floatOf is the number that a constant is.
func floatOf(c ir.Const) float64 {
	if c.Bits == 32 {
		return float64(math.Float32frombits(uint32(c.Value)))
	}
	return math.Float64frombits(c.Value)
}

// convertFloat makes a value of a floating-point type, or one that becomes such, one of type to.
func (vs *values) convertFloat(n cc.Node, v operand, to cc.Type) operand {
	switch {
	case v.Type.Kind() == to.Kind():
		return operand{v.X, to}
	case to.Kind() == cc.Bool:
		return operand{widen(vs.Truth(n, v), vs.Types.Bits(n, to), false), to}
	}
	c, known := v.X.(ir.Const)
	bits := vs.Types.Bits(n, to)
	vs.Types.Bits(n, v.Type)
	switch {
	case !known && v.Type.Kind() == cc.Float && to.Kind() == cc.Double:
		return operand{vs.Build.Keep(doubled(vs.Build.Keep(v.X))), to}
	case !known:
		return vs.SomeValue(n, to)
	case isFloat(to) && isFloat(v.Type):
		return vs.Float(floatOf(c), to)
	case isFloat(to) && signed(v.Type):
		i := int64(ir.SignExtend(c.Value&ir.Mask(c.Bits), c.Bits))
		if to.Kind() == cc.Float {
			return vs.Float(float64(float32(i)), to)
		}
		return vs.Float(float64(i), to)
	case isFloat(to):
		if u := c.Value & ir.Mask(c.Bits); to.Kind() == cc.Float {
			return vs.Float(float64(float32(u)), to)
		} else {
			return vs.Float(float64(u), to)
		}
	}
	// What does not fit has no meaning in C (C17, 6.3.1.4).
	f := math.Trunc(floatOf(c))
	least, most := 0.0, math.Ldexp(1, bits)
	if signed(to) {
		least, most = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)
	}
	switch {
	case !(f >= least && f < most):
		return vs.SomeValue(n, to)
	case f < 0:
		return operand{ir.Number(uint64(int64(f)), bits), to}
	}
	return operand{ir.Number(uint64(f), bits), to}
}

// doubled is the double that a float is. Where the exponent is 0 the number is that of the lower bits, in units of 2^-149.
func doubled(x ir.Expr) ir.Expr {
	number := func(n uint64) ir.Expr { return ir.Number(n, 64) }
	wide := widen(x, 64, false)
	sign := ir.Shl.Of(ir.Shr.Of(wide, number(31)), number(63))
	exponent := ir.BitAnd.Of(ir.Shr.Of(wide, number(23)), number(255))
	mantissa := ir.BitAnd.Of(wide, number(1<<23-1))
	var small ir.Expr = number(0)
	for i := range 23 { // the highest bit that is 1
		is := ir.BitOr.Of(number(uint64(1023-149+i)<<52), ir.BitAnd.Of(ir.Shl.Of(mantissa, number(uint64(52-i))), number(1<<52-1)))
		small = ir.Cond{If: ir.Bit(x, i), Then: is, Else: small}
	}
	upper := ir.Cond{If: ir.Eq.Of(exponent, number(255)), Then: number(0x7ff), Else: ir.Add.Of(exponent, number(1023-127))}
	normal := ir.BitOr.Of(ir.Shl.Of(upper, number(52)), ir.Shl.Of(mantissa, number(29)))
	return ir.BitOr.Of(sign, ir.Cond{If: ir.Eq.Of(exponent, number(0)), Then: small, Else: normal})
}

// floatBinary does + - * / of values of a floating-point type.
func (vs *values) floatBinary(n cc.Node, op operator, x, y ir.Expr, t cc.Type) operand {
	a, known := x.(ir.Const)
	b, known2 := y.(ir.Const)
	if !known || !known2 {
		return vs.SomeValue(n, t)
	}
	// A float's result is right where it is computed as a double and rounded once more.
	switch p, q := floatOf(a), floatOf(b); op {
	case "+":
		return vs.Float(p+q, t)
	case "-":
		return vs.Float(p-q, t)
	case "*":
		return vs.Float(p*q, t)
	case "/":
		return vs.Float(p/q, t)
	}
	failf(n, "got floating point, want integers")
	return operand{}
}

// floatCompare compares values of a floating-point type, as a bit: by their magnitudes as integers with a sign. With what is no
// number nothing holds but that it differs.
func floatCompare(op operator, x, y ir.Expr) ir.Expr {
	bits := x.Width()
	infinite := uint64(0x7f800000)
	if bits == 64 {
		infinite = 0x7ff0000000000000
	}
	magnitude := func(x ir.Expr) ir.Expr { return fold(ir.BitAnd, x, ir.Number(ir.Mask(bits-1), bits)) }
	isNumber := func(x ir.Expr) ir.Expr { return not(fold(ir.Ult, ir.Number(infinite, bits), magnitude(x))) }
	number := func(x ir.Expr) ir.Expr {
		negative := fold(ir.Slt, x, ir.Number(0, bits))
		if c, ok := negative.(ir.Const); ok && c.Value == 0 {
			return magnitude(x)
		}
		return ir.Cond{If: negative, Then: fold(ir.Sub, ir.Number(0, bits), magnitude(x)), Else: magnitude(x)}
	}
	var holds ir.Expr
	switch a, b := number(x), number(y); op {
	case "==", "!=":
		holds = fold(ir.Eq, a, b)
	case "<":
		holds = fold(ir.Slt, a, b)
	case ">":
		holds = fold(ir.Slt, b, a)
	case "<=":
		holds = not(fold(ir.Slt, b, a))
	default:
		holds = not(fold(ir.Slt, a, b))
	}
	holds = fold(ir.BitAnd, holds, fold(ir.BitAnd, isNumber(x), isNumber(y)))
	if op == "!=" {
		return not(holds)
	}
	return holds
}
