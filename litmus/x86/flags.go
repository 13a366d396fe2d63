package x86

import "litmuscope/litmus/ir"

// flagRegs are the registers that hold a thread's condition flags, one bit each.
type flagRegs struct{ carry, zero, sign, overflow int }

// flagExprs are the flags' values.
type flagExprs struct{ carry, zero, sign, overflow ir.Expr }

func (x *instr) flag() flagExprs {
	f := x.flags[x.t]
	bit := func(i int) ir.Expr { return ir.Reg{Index: i, Bits: 1} }
	return flagExprs{bit(f.carry), bit(f.zero), bit(f.sign), bit(f.overflow)}
}

func not(e ir.Expr) ir.Expr    { return ir.Unary{Op: ir.BitNot, X: e} }
func or(a, b ir.Expr) ir.Expr  { return ir.Binary{Op: ir.BitOr, X: a, Y: b} }
func and(a, b ir.Expr) ir.Expr { return ir.Binary{Op: ir.BitAnd, X: a, Y: b} }
func xor(a, b ir.Expr) ir.Expr { return ir.Binary{Op: ir.BitXor, X: a, Y: b} }

// conditions are the condition codes of Jcc, CMOVcc and SETcc, synonyms included.
var conditions = func() map[string]func(flagExprs) ir.Expr {
	less := func(f flagExprs) ir.Expr { return xor(f.sign, f.overflow) }
	m := map[string]func(flagExprs) ir.Expr{}
	for _, c := range []struct {
		yes, no []string
		holds   func(flagExprs) ir.Expr
	}{
		{[]string{"E", "Z"}, []string{"NE", "NZ"}, func(f flagExprs) ir.Expr { return f.zero }},
		{[]string{"B", "NAE", "C"}, []string{"AE", "NB", "NC"}, func(f flagExprs) ir.Expr { return f.carry }},
		{[]string{"BE", "NA"}, []string{"A", "NBE"}, func(f flagExprs) ir.Expr { return or(f.carry, f.zero) }},
		{[]string{"S"}, []string{"NS"}, func(f flagExprs) ir.Expr { return f.sign }},
		{[]string{"O"}, []string{"NO"}, func(f flagExprs) ir.Expr { return f.overflow }},
		{[]string{"L", "NGE"}, []string{"GE", "NL"}, less},
		{[]string{"LE", "NG"}, []string{"G", "NLE"}, func(f flagExprs) ir.Expr { return or(f.zero, less(f)) }},
	} {
		for _, name := range c.yes {
			m[name] = c.holds
		}
		for _, name := range c.no {
			m[name] = func(f flagExprs) ir.Expr { return not(c.holds(f)) }
		}
	}
	return m
}()

func signBit(e ir.Expr) ir.Expr { return ir.Extract{X: e, Lo: e.Width() - 1, Bits: 1} }

func (x *instr) setFlag(reg int, v ir.Expr) { x.emit(ir.Assign{Dst: reg, Value: v}) }

func (x *instr) setResultFlags(result ir.Expr) {
	f := x.flags[x.t]
	x.setFlag(f.zero, ir.Binary{Op: ir.Eq, X: result, Y: ir.Const{Bits: result.Width()}})
	x.setFlag(f.sign, signBit(result))
}

// setStepFlags sets all flags but the carry after a op b.
func (x *instr) setStepFlags(op ir.BinaryOp, a, b, result ir.Expr) {
	x.setResultFlags(result)
	f := x.flags[x.t]
	switch op {
	case ir.Add: // both operands' signs differ from the result's
		x.setFlag(f.overflow, and(signBit(xor(a, result)), signBit(xor(b, result))))
	case ir.Sub:
		x.setFlag(f.overflow, and(signBit(xor(a, b)), signBit(xor(a, result))))
	default:
		x.setFlag(f.overflow, ir.Const{Bits: 1})
	}
}

func (x *instr) setArithmeticFlags(op ir.BinaryOp, a, b, result ir.Expr) {
	x.setStepFlags(op, a, b, result)
	f := x.flags[x.t]
	switch op {
	case ir.Add:
		x.setFlag(f.carry, ir.Binary{Op: ir.Ult, X: result, Y: a})
	case ir.Sub:
		x.setFlag(f.carry, ir.Binary{Op: ir.Ult, X: a, Y: b})
	default:
		x.setFlag(f.carry, ir.Const{Bits: 1})
	}
}

// setShiftFlags leaves the flags alone where count is 0, and the overflow flag, as
// it is undefined then, where count is not 1.
func (x *instr) setShiftFlags(op ir.BinaryOp, old, count, result ir.Expr) {
	f, n := x.flags[x.t], old.Width()
	zero := ir.Binary{Op: ir.Eq, X: count, Y: ir.Const{Bits: n}}
	set := func(reg int, v ir.Expr) {
		x.setFlag(reg, ir.Cond{If: zero, Then: ir.Reg{Index: reg, Bits: 1}, Else: v})
	}
	set(f.zero, ir.Binary{Op: ir.Eq, X: result, Y: ir.Const{Bits: n}})
	set(f.sign, signBit(result))
	// The last bit shifted out: shift by one less, then look at the edge.
	before := ir.Binary{Op: op, X: old, Y: ir.Binary{Op: ir.Sub, X: count, Y: ir.Const{Value: 1, Bits: n}}}
	if op == ir.Shl {
		set(f.carry, signBit(before))
	} else {
		set(f.carry, ir.Extract{X: before, Bits: 1})
	}
	var overflow ir.Expr
	switch op {
	case ir.Shl: // the sign changes
		overflow = xor(signBit(old), signBit(result))
	case ir.Shr:
		overflow = signBit(old)
	default:
		overflow = ir.Const{Bits: 1}
	}
	once := ir.Binary{Op: ir.Eq, X: count, Y: ir.Const{Value: 1, Bits: n}}
	x.setFlag(f.overflow, ir.Cond{If: once, Then: overflow, Else: x.flag().overflow})
}
