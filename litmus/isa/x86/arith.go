package x86

import (
	"strings"

	"litmuscope/litmus/ir"
)

func arithmetic(op ir.BinaryOp, writes bool) func(*instr) {
	return func(x *instr) {
		if !x.wantOneMemory() {
			return
		}
		y := x.Keep(x.get(1))
		f := func(old ir.Expr) ir.Expr { return op.Of(old, y) }
		flags := func(old, result ir.Expr) { x.setArithmeticFlags(op, old, y, result) }
		if writes {
			x.modify(f, flags)
			return
		}
		old := x.Keep(x.get(0))
		flags(old, x.Keep(f(old)))
	}
}

// withCarry lowers ADC and SBB.
func withCarry(op ir.BinaryOp) func(*instr) {
	return func(x *instr) {
		if !x.wantOneMemory() {
			return
		}
		y, carry := x.Keep(x.get(1)), x.Keep(x.flag().carry)
		f := func(old ir.Expr) ir.Expr {
			return op.Of(op.Of(old, y), ir.Extend{X: carry, Bits: x.bits})
		}
		x.modify(f, func(old, result ir.Expr) {
			x.setStepFlags(op, old, y, result)
			a, b := old, y
			if op == ir.Add {
				a, b = result, old
			}
			x.Assign(x.flags.carry, ir.BitOr.Of(ir.Ult.Of(a, b), ir.BitAnd.Of(carry, ir.Eq.Of(a, b))))
		})
	}
}

// imul lowers the forms with two and three operands. Sign and zero flag, which it leaves undefined, stay as they are.
func imul(x *instr) {
	if !x.wantRegister(0) || !x.wantWide() {
		return
	}
	first := 0
	if len(x.ops) == 3 {
		if first = 1; !x.wantNoNumber(1) {
			return
		}
		if x.ops[2].kind != immediate {
			x.Failf(x.ops[2].Pos, "%s: %s of three operands multiplies by a number, not by %q", x.arch, x.name.Text,
				x.ops[2].Text)
			return
		}
	}
	a, b := x.Keep(x.get(first)), x.Keep(x.get(first+1))
	result := x.Keep(ir.Mul.Of(a, b))
	x.set(0, result)
	overflow := x.Keep(
		ir.Not(ir.Eq.Of(x.HighProduct(a, b, true, true), ir.Sar.Of(result, ir.Number(uint64(x.bits-1), x.bits)))))
	f := x.flags
	x.Assign(f.carry, overflow)
	x.Assign(f.overflow, overflow)
}

func negate(x *instr) {
	x.modify(ir.Neg.Of,
		func(old, result ir.Expr) {
			x.setArithmeticFlags(ir.Sub, ir.Number(0, x.bits), old, result)
		})
}

func complement(x *instr) {
	x.modify(ir.Not, nil)
}

// step lowers INC and DEC, which leave the carry flag unchanged.
func step(op ir.BinaryOp) func(*instr) {
	return func(x *instr) {
		one := ir.Number(1, x.bits)
		x.modify(func(old ir.Expr) ir.Expr { return op.Of(old, one) },
			func(old, result ir.Expr) { x.setStepFlags(op, old, one, result) })
	}
}

func shift(op ir.BinaryOp) func(*instr) {
	return func(x *instr) {
		if count := x.shiftCount(); count != nil {
			x.modify(func(old ir.Expr) ir.Expr { return op.Of(old, count) },
				func(old, result ir.Expr) { x.setShiftFlags(op, old, count, result) })
		}
	}
}

// shiftCount returns the distance of a shift, operand 1; without one, it is 1. It reports an error, and returns nil,
// for operands other than numbers and CL.
func (x *instr) shiftCount() ir.Expr {
	width := uint64(31)
	if x.bits == 64 {
		width = 63
	}
	if len(x.ops) == 1 {
		return ir.Number(1, x.bits)
	}
	switch o := x.ops[1]; {
	case o.kind == immediate:
		return ir.Number(o.imm&width, x.bits)
	case o.kind == registerOperand && strings.EqualFold(o.reg.Print, "CL"):
		return x.Keep(ir.BitAnd.Of(ir.Resize(x.read(o.reg), x.bits), ir.Number(width, x.bits)))
	default:
		x.Failf(o.Pos, "%s: %s shifts by a number or by CL, not by %q", x.arch, x.name.Text, o.Text)
		return nil
	}
}
