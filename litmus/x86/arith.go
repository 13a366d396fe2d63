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
		y := x.keep(x.get(1))
		f := func(old ir.Expr) ir.Expr { return ir.Binary{Op: op, X: old, Y: y} }
		flags := func(old, result ir.Expr) { x.setArithmeticFlags(op, old, y, result) }
		if writes {
			x.modify(f, flags)
			return
		}
		old := x.keep(x.get(0))
		flags(old, x.keep(f(old)))
	}
}

// withCarry lowers ADC and SBB.
func withCarry(op ir.BinaryOp) func(*instr) {
	return func(x *instr) {
		if !x.wantOneMemory() {
			return
		}
		y, carry := x.keep(x.get(1)), x.keep(x.flag().carry)
		f := func(old ir.Expr) ir.Expr {
			return ir.Binary{Op: op, X: ir.Binary{Op: op, X: old, Y: y}, Y: ir.Extend{X: carry, Bits: x.bits}}
		}
		x.modify(f, func(old, result ir.Expr) {
			x.setStepFlags(op, old, y, result)
			less, equal := ir.Binary{Op: ir.Ult, X: old, Y: y}, ir.Binary{Op: ir.Eq, X: old, Y: y}
			if op == ir.Add {
				less.X, less.Y, equal.X, equal.Y = result, old, result, old
			}
			x.setFlag(x.flags[x.t].carry, or(less, and(carry, equal)))
		})
	}
}

// imul lowers the two-operand form. Sign and zero flag, which it leaves undefined,
// stay as they are.
func imul(x *instr) {
	if !x.wantRegister(0) || !x.wantWide() {
		return
	}
	a, b := x.keep(x.get(0)), x.keep(x.get(1))
	result := x.keep(ir.Binary{Op: ir.Mul, X: a, Y: b})
	x.set(0, result)
	overflow := x.keep(not(ir.Binary{Op: ir.Eq, X: x.highProduct(a, b), Y: ir.Binary{
		Op: ir.Sar, X: result, Y: ir.Const{Value: uint64(x.bits - 1), Bits: x.bits},
	}}))
	f := x.flags[x.t]
	x.setFlag(f.carry, overflow)
	x.setFlag(f.overflow, overflow)
}

// highProduct is the upper half of the signed product of a and b. That of 64-bit
// numbers is put together from products of their halves, as on paper.
func (x *instr) highProduct(a, b ir.Expr) ir.Expr {
	n := x.bits
	bin := func(op ir.BinaryOp, a, b ir.Expr) ir.Expr { return ir.Binary{Op: op, X: a, Y: b} }
	if n <= 32 {
		wide := func(e ir.Expr) ir.Expr { return ir.Extend{X: e, Bits: 2 * n, Signed: true} }
		return ir.Extract{X: bin(ir.Mul, wide(a), wide(b)), Lo: n, Bits: n}
	}
	half := func(e ir.Expr, lo int) ir.Expr {
		return ir.Extend{X: ir.Extract{X: e, Lo: lo, Bits: 32}, Bits: 64}
	}
	product := func(alo, blo int) ir.Expr { return x.keep(bin(ir.Mul, half(a, alo), half(b, blo))) }
	low, left, right := product(0, 0), product(32, 0), product(0, 32)
	middle := bin(ir.Add, half(low, 32), bin(ir.Add, half(left, 0), half(right, 0)))
	high := bin(ir.Add, bin(ir.Add, product(32, 32), half(x.keep(middle), 32)), bin(ir.Add, half(left, 32), half(right, 32)))
	// A negative factor was taken for 2^64 more than it is.
	correction := func(sign, e ir.Expr) ir.Expr {
		return ir.Cond{If: signBit(sign), Then: e, Else: ir.Const{Bits: n}}
	}
	return bin(ir.Sub, bin(ir.Sub, high, correction(a, b)), correction(b, a))
}

func negate(x *instr) {
	x.modify(func(old ir.Expr) ir.Expr { return ir.Unary{Op: ir.Neg, X: old} },
		func(old, result ir.Expr) {
			x.setArithmeticFlags(ir.Sub, ir.Const{Bits: x.bits}, old, result)
		})
}

func complement(x *instr) {
	x.modify(func(old ir.Expr) ir.Expr { return ir.Unary{Op: ir.BitNot, X: old} }, nil)
}

// step lowers INC and DEC, which leave the carry flag alone.
func step(op ir.BinaryOp) func(*instr) {
	return func(x *instr) {
		one := ir.Const{Value: 1, Bits: x.bits}
		x.modify(func(old ir.Expr) ir.Expr { return ir.Binary{Op: op, X: old, Y: one} },
			func(old, result ir.Expr) { x.setStepFlags(op, old, one, result) })
	}
}

func shift(op ir.BinaryOp) func(*instr) {
	return func(x *instr) {
		width := uint64(31)
		if x.bits == 64 {
			width = 63
		}
		var count ir.Expr
		switch o := x.ops[1]; {
		case o.kind == immediate:
			count = ir.Const{Value: o.imm & width, Bits: x.bits}
		case o.kind == registerOperand && strings.EqualFold(o.reg.Print, "CL"):
			count = x.keep(ir.Binary{Op: ir.BitAnd, X: ir.Resize(x.read(o.reg), x.bits), Y: ir.Const{Value: width, Bits: x.bits}})
		default:
			x.Failf(o.pos, "%s: %s shifts by a number or by CL, not by %q", x.arch, x.written, o.text)
			return
		}
		x.modify(func(old ir.Expr) ir.Expr { return ir.Binary{Op: op, X: old, Y: count} },
			func(old, result ir.Expr) { x.setShiftFlags(op, old, count, result) })
	}
}
