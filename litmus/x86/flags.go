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

// conditions are the condition codes of Jcc, CMOVcc and SETcc.
var conditions = map[string]func(flagExprs) litmus.Expr{}

func init() {
	less := func(f flagExprs) litmus.Expr { return xor(f.sign, f.overflow) }
	for _, c := range []struct {
		names [2]string // the code and its synonym
		holds func(flagExprs) litmus.Expr
	}{
		{[2]string{"E", "Z"}, func(f flagExprs) litmus.Expr { return f.zero }},
		{[2]string{"NE", "NZ"}, func(f flagExprs) litmus.Expr { return not(f.zero) }},
		{[2]string{"B", "NAE"}, func(f flagExprs) litmus.Expr { return f.carry }},
		{[2]string{"C", "C"}, func(f flagExprs) litmus.Expr { return f.carry }},
		{[2]string{"AE", "NB"}, func(f flagExprs) litmus.Expr { return not(f.carry) }},
		{[2]string{"NC", "NC"}, func(f flagExprs) litmus.Expr { return not(f.carry) }},
		{[2]string{"BE", "NA"}, func(f flagExprs) litmus.Expr { return or(f.carry, f.zero) }},
		{[2]string{"A", "NBE"}, func(f flagExprs) litmus.Expr { return not(or(f.carry, f.zero)) }},
		{[2]string{"S", "S"}, func(f flagExprs) litmus.Expr { return f.sign }},
		{[2]string{"NS", "NS"}, func(f flagExprs) litmus.Expr { return not(f.sign) }},
		{[2]string{"O", "O"}, func(f flagExprs) litmus.Expr { return f.overflow }},
		{[2]string{"NO", "NO"}, func(f flagExprs) litmus.Expr { return not(f.overflow) }},
		{[2]string{"L", "NGE"}, less},
		{[2]string{"GE", "NL"}, func(f flagExprs) litmus.Expr { return not(less(f)) }},
		{[2]string{"LE", "NG"}, func(f flagExprs) litmus.Expr { return or(f.zero, less(f)) }},
		{[2]string{"G", "NLE"}, func(f flagExprs) litmus.Expr { return not(or(f.zero, less(f))) }},
	} {
		conditions[c.names[0]], conditions[c.names[1]] = c.holds, c.holds
	}
}

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

func (x *instr) setNegFlags(old, result litmus.Expr) {
	zero := litmus.Const{Bits: old.Width()}
	x.setArithmeticFlags(litmus.Sub, zero, old, result)
}

// setShiftFlags leaves the flags alone where count is 0. The overflow flag, which
// is undefined but for shifts by one, is left alone too.
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
}
