package x86

import "litmuscope/litmus"

// flagRegs are the registers that hold a thread's condition flags, one bit each.
type flagRegs struct{ carry, zero, sign, overflow int }

// flagExprs are the flags' values.
type flagExprs struct{ carry, zero, sign, overflow litmus.Expr }

func (x *instr) flag() flagExprs {
	f := x.flags[x.t]
	bit := func(i int) litmus.Expr { return litmus.Reg{Index: i, Bits: 1} }
	return flagExprs{bit(f.carry), bit(f.zero), bit(f.sign), bit(f.overflow)}
}

func not(e litmus.Expr) litmus.Expr    { return litmus.Unary{Op: litmus.BitNot, X: e} }
func or(a, b litmus.Expr) litmus.Expr  { return litmus.Binary{Op: litmus.BitOr, X: a, Y: b} }
func and(a, b litmus.Expr) litmus.Expr { return litmus.Binary{Op: litmus.BitAnd, X: a, Y: b} }
func xor(a, b litmus.Expr) litmus.Expr { return litmus.Binary{Op: litmus.BitXor, X: a, Y: b} }

// conditions are the condition codes of Jcc, CMOVcc and SETcc, synonyms included.
var conditions = func() map[string]func(flagExprs) litmus.Expr {
	less := func(f flagExprs) litmus.Expr { return xor(f.sign, f.overflow) }
	m := map[string]func(flagExprs) litmus.Expr{}
	for _, c := range []struct {
		yes, no []string
		holds   func(flagExprs) litmus.Expr
	}{
		{[]string{"E", "Z"}, []string{"NE", "NZ"}, func(f flagExprs) litmus.Expr { return f.zero }},
		{[]string{"B", "NAE", "C"}, []string{"AE", "NB", "NC"}, func(f flagExprs) litmus.Expr { return f.carry }},
		{[]string{"BE", "NA"}, []string{"A", "NBE"}, func(f flagExprs) litmus.Expr { return or(f.carry, f.zero) }},
		{[]string{"S"}, []string{"NS"}, func(f flagExprs) litmus.Expr { return f.sign }},
		{[]string{"O"}, []string{"NO"}, func(f flagExprs) litmus.Expr { return f.overflow }},
		{[]string{"L", "NGE"}, []string{"GE", "NL"}, less},
		{[]string{"LE", "NG"}, []string{"G", "NLE"}, func(f flagExprs) litmus.Expr { return or(f.zero, less(f)) }},
	} {
		for _, name := range c.yes {
			m[name] = c.holds
		}
		for _, name := range c.no {
			m[name] = func(f flagExprs) litmus.Expr { return not(c.holds(f)) }
		}
	}
	return m
}()

func signBit(e litmus.Expr) litmus.Expr { return litmus.Extract{X: e, Lo: e.Width() - 1, Bits: 1} }

func (x *instr) setFlag(reg int, v litmus.Expr) { x.emit(litmus.Assign{Dst: reg, Value: v}) }

func (x *instr) setResultFlags(result litmus.Expr) {
	f := x.flags[x.t]
	x.setFlag(f.zero, litmus.Binary{Op: litmus.Eq, X: result, Y: litmus.Const{Bits: result.Width()}})
	x.setFlag(f.sign, signBit(result))
}

// setStepFlags sets all flags but the carry after a op b.
func (x *instr) setStepFlags(op litmus.BinaryOp, a, b, result litmus.Expr) {
	x.setResultFlags(result)
	f := x.flags[x.t]
	switch op {
	case litmus.Add: // both operands' signs differ from the result's
		x.setFlag(f.overflow, and(signBit(xor(a, result)), signBit(xor(b, result))))
	case litmus.Sub:
		x.setFlag(f.overflow, and(signBit(xor(a, b)), signBit(xor(a, result))))
	default:
		x.setFlag(f.overflow, litmus.Const{Bits: 1})
	}
}

func (x *instr) setArithmeticFlags(op litmus.BinaryOp, a, b, result litmus.Expr) {
	x.setStepFlags(op, a, b, result)
	f := x.flags[x.t]
	switch op {
	case litmus.Add:
		x.setFlag(f.carry, litmus.Binary{Op: litmus.Ult, X: result, Y: a})
	case litmus.Sub:
		x.setFlag(f.carry, litmus.Binary{Op: litmus.Ult, X: a, Y: b})
	default:
		x.setFlag(f.carry, litmus.Const{Bits: 1})
	}
}

// setShiftFlags leaves the flags alone where count is 0, and the overflow flag, as
// it is undefined then, where count is not 1.
func (x *instr) setShiftFlags(op litmus.BinaryOp, old, count, result litmus.Expr) {
	f, n := x.flags[x.t], old.Width()
	zero := litmus.Binary{Op: litmus.Eq, X: count, Y: litmus.Const{Bits: n}}
	set := func(reg int, v litmus.Expr) {
		x.setFlag(reg, litmus.Cond{If: zero, Then: litmus.Reg{Index: reg, Bits: 1}, Else: v})
	}
	set(f.zero, litmus.Binary{Op: litmus.Eq, X: result, Y: litmus.Const{Bits: n}})
	set(f.sign, signBit(result))
	// The last bit shifted out: shift by one less, then look at the edge.
	before := litmus.Binary{Op: op, X: old, Y: litmus.Binary{Op: litmus.Sub, X: count, Y: litmus.Const{Value: 1, Bits: n}}}
	if op == litmus.Shl {
		set(f.carry, signBit(before))
	} else {
		set(f.carry, litmus.Extract{X: before, Bits: 1})
	}
	var overflow litmus.Expr
	switch op {
	case litmus.Shl: // the sign changes
		overflow = xor(signBit(old), signBit(result))
	case litmus.Shr:
		overflow = signBit(old)
	default:
		overflow = litmus.Const{Bits: 1}
	}
	once := litmus.Binary{Op: litmus.Eq, X: count, Y: litmus.Const{Value: 1, Bits: n}}
	x.setFlag(f.overflow, litmus.Cond{If: once, Then: overflow, Else: x.flag().overflow})
}
