package x86

import "litmuscope/litmus/ir"

// flagRegs are the registers that hold a thread's condition flags, one bit each.
type flagRegs struct{ carry, zero, sign, overflow int }

// flagExprs are the flags' values.
type flagExprs struct{ carry, zero, sign, overflow ir.Expr }

func (x *instr) flag() flagExprs {
	f := x.flags
	return flagExprs{x.Value(f.carry), x.Value(f.zero), x.Value(f.sign), x.Value(f.overflow)}
}

// conditions are the condition codes of Jcc, CMOVcc and SETcc, with synonyms.
var conditions = func() map[string]func(flagExprs) ir.Expr {
	less := func(f flagExprs) ir.Expr { return ir.BitXor.Of(f.sign, f.overflow) }
	m := map[string]func(flagExprs) ir.Expr{}
	for _, c := range []struct {
		yes, no []string
		holds   func(flagExprs) ir.Expr
	}{
		{[]string{"E", "Z"}, []string{"NE", "NZ"}, func(f flagExprs) ir.Expr { return f.zero }},
		{[]string{"B", "NAE", "C"}, []string{"AE", "NB", "NC"}, func(f flagExprs) ir.Expr { return f.carry }},
		{[]string{"BE", "NA"}, []string{"A", "NBE"}, func(f flagExprs) ir.Expr { return ir.BitOr.Of(f.carry, f.zero) }},
		{[]string{"S"}, []string{"NS"}, func(f flagExprs) ir.Expr { return f.sign }},
		{[]string{"O"}, []string{"NO"}, func(f flagExprs) ir.Expr { return f.overflow }},
		{[]string{"L", "NGE"}, []string{"GE", "NL"}, less},
		{[]string{"LE", "NG"}, []string{"G", "NLE"}, func(f flagExprs) ir.Expr { return ir.BitOr.Of(f.zero, less(f)) }},
	} {
		for _, name := range c.yes {
			m[name] = c.holds
		}
		for _, name := range c.no {
			m[name] = func(f flagExprs) ir.Expr { return ir.Not(c.holds(f)) }
		}
	}
	return m
}()

func signBit(e ir.Expr) ir.Expr { return ir.Bit(e, e.Width()-1) }

func (x *instr) setResultFlags(result ir.Expr) {
	f := x.flags
	x.Assign(f.zero, ir.Eq.Of(result, ir.Number(0, result.Width())))
	x.Assign(f.sign, signBit(result))
}

// setStepFlags sets all flags except the carry after a op b.
func (x *instr) setStepFlags(op ir.BinaryOp, a, b, result ir.Expr) {
	x.setResultFlags(result)
	f := x.flags
	switch op {
	case ir.Add: // both operands' signs differ from the result's
		x.Assign(f.overflow, ir.BitAnd.Of(signBit(ir.BitXor.Of(a, result)), signBit(ir.BitXor.Of(b, result))))
	case ir.Sub:
		x.Assign(f.overflow, ir.BitAnd.Of(signBit(ir.BitXor.Of(a, b)), signBit(ir.BitXor.Of(a, result))))
	default:
		x.Assign(f.overflow, ir.Number(0, 1))
	}
}

func (x *instr) setArithmeticFlags(op ir.BinaryOp, a, b, result ir.Expr) {
	x.setStepFlags(op, a, b, result)
	f := x.flags
	switch op {
	case ir.Add:
		x.Assign(f.carry, ir.Ult.Of(result, a))
	case ir.Sub:
		x.Assign(f.carry, ir.Ult.Of(a, b))
	default:
		x.Assign(f.carry, ir.Number(0, 1))
	}
}

// setShiftFlags leaves the flags unchanged if count is 0, and the overflow flag, which is undefined then, if count is
// not 1.
func (x *instr) setShiftFlags(op ir.BinaryOp, old, count, result ir.Expr) {
	f, n := x.flags, old.Width()
	zero := ir.Eq.Of(count, ir.Number(0, n))
	set := func(reg int, v ir.Expr) {
		x.Assign(reg, ir.Cond{If: zero, Then: x.Value(reg), Else: v})
	}
	set(f.zero, ir.Eq.Of(result, ir.Number(0, n)))
	set(f.sign, signBit(result))
	// The last bit shifted out: shift by one less, then look at the edge.
	before := op.Of(old, ir.Sub.Of(count, ir.Number(1, n)))
	if op == ir.Shl {
		set(f.carry, signBit(before))
	} else {
		set(f.carry, ir.Extract{X: before, Bits: 1})
	}
	var overflow ir.Expr
	switch op {
	case ir.Shl: // the sign changes
		overflow = ir.BitXor.Of(signBit(old), signBit(result))
	case ir.Shr:
		overflow = signBit(old)
	default:
		overflow = ir.Number(0, 1)
	}
	once := ir.Eq.Of(count, ir.Number(1, n))
	x.Assign(f.overflow, ir.Cond{If: once, Then: overflow, Else: x.flag().overflow})
}
