package code

import "litmuscope/litmus/ir"

// Fold applies an operator, and computes the result if the operands are constants.
func Fold(op ir.BinaryOp, x, y ir.Expr) ir.Expr {
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

// Pick returns then if a bit is 1, and otherwise the other operand. A compiler may make a branch of it, so the result
// depends on the operand that is picked, but not on the other one, and on the bit as after a branch (ir.Select, Open).
func Pick(bit, then, otherwise ir.Expr) ir.Expr {
	if c, ok := bit.(ir.Const); ok {
		if c.Value&1 == 1 {
			return then
		}
		return otherwise
	}
	return ir.Select{If: bit, Then: then, Else: otherwise, Open: true}
}

// Widen is ir.Widen, computed at once for a constant.
func Widen(x ir.Expr, bits int, signed bool) ir.Expr {
	if c, ok := x.(ir.Const); ok {
		v := c.Value & ir.Mask(c.Bits)
		if signed {
			v = ir.SignExtend(v, c.Bits)
		}
		return ir.Number(v, bits)
	}
	return ir.Widen(x, bits, signed)
}

// Not negates a bit.
func Not(bit ir.Expr) ir.Expr {
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

// Nonzero returns whether x is not 0, as a bit.
func Nonzero(x ir.Expr) ir.Expr {
	if x.Width() == 1 {
		return x
	}
	if e, ok := x.(ir.Extend); ok && e.X.Width() == 1 {
		return e.X
	}
	return Not(Fold(ir.Eq, x, ir.Number(0, x.Width())))
}

// Narrowed returns some bits of x, from bit lo on.
func Narrowed(x ir.Expr, lo, bits int) ir.Expr {
	if c, ok := x.(ir.Const); ok {
		return ir.Number(c.Value>>lo, bits)
	}
	if lo == 0 && bits == x.Width() {
		return x
	}
	return ir.Extract{X: x, Lo: lo, Bits: bits}
}
