package values

import (
	"math"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/ir"
)

// Floating point. A value is the 32 or 64 bits of an IEEE 754 number. Constants are computed; other values can be
// copied, negated and compared. The result of any other operation on values that are not constant is any value, and a
// remark says so.

const anyFloat = "floating point is computed for constants only: the result of this can be any value"

// SomeValue returns any value of a type, with a remark.
func (vs *Arithmetic) SomeValue(n cc.Node, t cc.Type) Operand {
	if vs.Static {
		syntax.Failf(n, "got %s, want a constant", cc.NodeSource(n))
	}
	vs.Unit.Remark(n, anyFloat)
	r := vs.Build.Temp(vs.Types.Bits(n, t))
	vs.Build.Emit(code.Choose{Dst: r})
	return Operand{vs.Build.Reg(r), t}
}

// Float returns a constant of a floating-point type.
func (vs *Arithmetic) Float(v float64, t cc.Type) Operand {
	if t.Kind() == cc.Float {
		return Operand{ir.Number(uint64(math.Float32bits(float32(v))), 32), t}
	}
	return Operand{ir.Number(math.Float64bits(v), 64), t}
}

// floatOf returns the number that a constant represents.
func floatOf(c ir.Const) float64 {
	if c.Bits == 32 {
		return float64(math.Float32frombits(uint32(c.Value)))
	}
	return math.Float64frombits(c.Value)
}

// convertFloat converts a value from or to a floating-point type.
func (vs *Arithmetic) convertFloat(n cc.Node, v Operand, to cc.Type) Operand {
	switch {
	case v.Type.Kind() == to.Kind():
		return Operand{v.X, to}
	case to.Kind() == cc.Bool:
		return Operand{code.Widen(vs.Truth(n, v), vs.Types.Bits(n, to), false), to}
	}
	c, known := v.X.(ir.Const)
	bits := vs.Types.Bits(n, to)
	vs.Types.Bits(n, v.Type)
	switch {
	case !known && v.Type.Kind() == cc.Float && to.Kind() == cc.Double:
		return Operand{vs.Build.Keep(doubled(vs.Build.Keep(v.X))), to}
	case !known:
		return vs.SomeValue(n, to)
	case layout.IsFloat(to) && layout.IsFloat(v.Type):
		return vs.Float(floatOf(c), to)
	case layout.IsFloat(to) && layout.IsSigned(v.Type):
		i := int64(ir.SignExtend(c.Value&ir.Mask(c.Bits), c.Bits))
		if to.Kind() == cc.Float {
			return vs.Float(float64(float32(i)), to)
		}
		return vs.Float(float64(i), to)
	case layout.IsFloat(to):
		if u := c.Value & ir.Mask(c.Bits); to.Kind() == cc.Float {
			return vs.Float(float64(float32(u)), to)
		} else {
			return vs.Float(float64(u), to)
		}
	}
	// If the number does not fit, the behaviour is undefined (C17, 6.3.1.4).
	f := math.Trunc(floatOf(c))
	least, most := 0.0, math.Ldexp(1, bits)
	if layout.IsSigned(to) {
		least, most = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)
	}
	switch {
	case !(f >= least && f < most):
		return vs.SomeValue(n, to)
	case f < 0:
		return Operand{ir.Number(uint64(int64(f)), bits), to}
	}
	return Operand{ir.Number(uint64(f), bits), to}
}

// doubled converts a float to a double. If the exponent is 0, the number is that of the lower bits, in units of 2^-149.
func doubled(x ir.Expr) ir.Expr {
	number := func(n uint64) ir.Expr { return ir.Number(n, 64) }
	wide := code.Widen(x, 64, false)
	sign := ir.Shl.Of(ir.Shr.Of(wide, number(31)), number(63))
	exponent := ir.BitAnd.Of(ir.Shr.Of(wide, number(23)), number(255))
	mantissa := ir.BitAnd.Of(wide, number(1<<23-1))
	var small ir.Expr = number(0)
	for i := range 23 { // find the highest 1 bit
		is := ir.BitOr.Of(number(uint64(1023-149+i)<<52),
			ir.BitAnd.Of(ir.Shl.Of(mantissa, number(uint64(52-i))), number(1<<52-1)))
		small = ir.Cond{If: ir.Bit(x, i), Then: is, Else: small}
	}
	upper := ir.Cond{
		If: ir.Eq.Of(exponent, number(255)), Then: number(0x7ff),
		Else: ir.Add.Of(exponent, number(1023-127)),
	}
	normal := ir.BitOr.Of(ir.Shl.Of(upper, number(52)), ir.Shl.Of(mantissa, number(29)))
	return ir.BitOr.Of(sign, ir.Cond{If: ir.Eq.Of(exponent, number(0)), Then: small, Else: normal})
}

// floatBinary applies + - * / to floating-point values.
func (vs *Arithmetic) floatBinary(n cc.Node, op Operator, x, y ir.Expr, t cc.Type) Operand {
	a, known := x.(ir.Const)
	b, known2 := y.(ir.Const)
	if !known || !known2 {
		return vs.SomeValue(n, t)
	}
	// A float's result is correct if it is computed as a double and then rounded.
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
	syntax.Failf(n, "got floating point, want an integer")
	return Operand{}
}

// floatCompare compares floating-point values: by their magnitudes as signed integers. With a NaN, only != is true.
func floatCompare(op Operator, x, y ir.Expr) ir.Expr {
	bits := x.Width()
	infinite := uint64(0x7f800000)
	if bits == 64 {
		infinite = 0x7ff0000000000000
	}
	magnitude := func(x ir.Expr) ir.Expr { return code.Fold(ir.BitAnd, x, ir.Number(ir.Mask(bits-1), bits)) }
	isNumber := func(x ir.Expr) ir.Expr { return code.Not(code.Fold(ir.Ult, ir.Number(infinite, bits), magnitude(x))) }
	number := func(x ir.Expr) ir.Expr {
		negative := code.Fold(ir.Slt, x, ir.Number(0, bits))
		if c, ok := negative.(ir.Const); ok && c.Value == 0 {
			return magnitude(x)
		}
		return ir.Cond{If: negative, Then: code.Fold(ir.Sub, ir.Number(0, bits), magnitude(x)), Else: magnitude(x)}
	}
	var holds ir.Expr
	switch a, b := number(x), number(y); op {
	case "==", "!=":
		holds = code.Fold(ir.Eq, a, b)
	case "<":
		holds = code.Fold(ir.Slt, a, b)
	case ">":
		holds = code.Fold(ir.Slt, b, a)
	case "<=":
		holds = code.Not(code.Fold(ir.Slt, b, a))
	default:
		holds = code.Not(code.Fold(ir.Slt, a, b))
	}
	holds = code.Fold(ir.BitAnd, holds, code.Fold(ir.BitAnd, isNumber(x), isNumber(y)))
	if op == "!=" {
		return code.Not(holds)
	}
	return holds
}
