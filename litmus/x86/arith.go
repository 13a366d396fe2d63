package x86

import (
	"strings"

	"litmuscope/litmus"
)

func arithmetic(op litmus.BinaryOp, writes bool) func(*instr) {
	return func(x *instr) {
		if !x.wantOneMemory() {
			return
		}
		y := x.keep(x.get(1))
		f := func(old litmus.Expr) litmus.Expr { return litmus.Binary{Op: op, X: old, Y: y} }
		flags := func(old, result litmus.Expr) { x.setArithmeticFlags(op, old, y, result) }
		if writes {
			x.modify(f, flags)
			return
		}
		old := x.keep(x.get(0))
		flags(old, x.keep(f(old)))
	}
}

// withCarry lowers ADC and SBB.
func withCarry(op litmus.BinaryOp) func(*instr) {
	return func(x *instr) {
		if !x.wantOneMemory() {
			return
		}
		y, carry := x.keep(x.get(1)), x.keep(x.flag().carry)
		f := func(old litmus.Expr) litmus.Expr {
			return litmus.Binary{Op: op, X: litmus.Binary{Op: op, X: old, Y: y}, Y: litmus.Extend{X: carry, Bits: x.bits}}
		}
		x.modify(f, func(old, result litmus.Expr) {
			x.setStepFlags(op, old, y, result)
			less, equal := litmus.Binary{Op: litmus.Ult, X: old, Y: y}, litmus.Binary{Op: litmus.Eq, X: old, Y: y}
			if op == litmus.Add {
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
	result := x.keep(litmus.Binary{Op: litmus.Mul, X: a, Y: b})
	x.set(0, result)
	overflow := x.keep(not(litmus.Binary{Op: litmus.Eq, X: x.highProduct(a, b), Y: litmus.Binary{
		Op: litmus.Sar, X: result, Y: litmus.Const{Value: uint64(x.bits - 1), Bits: x.bits},
	}}))
	f := x.flags[x.t]
	x.setFlag(f.carry, overflow)
	x.setFlag(f.overflow, overflow)
}

// highProduct is the upper half of the signed product of a and b. That of 64-bit
// numbers is put together from products of their halves, as on paper.
func (x *instr) highProduct(a, b litmus.Expr) litmus.Expr {
	n := x.bits
	bin := func(op litmus.BinaryOp, a, b litmus.Expr) litmus.Expr { return litmus.Binary{Op: op, X: a, Y: b} }
	if n <= 32 {
		wide := func(e litmus.Expr) litmus.Expr { return litmus.Extend{X: e, Bits: 2 * n, Signed: true} }
		return litmus.Extract{X: bin(litmus.Mul, wide(a), wide(b)), Lo: n, Bits: n}
	}
	half := func(e litmus.Expr, lo int) litmus.Expr {
		return litmus.Extend{X: litmus.Extract{X: e, Lo: lo, Bits: 32}, Bits: 64}
	}
	product := func(alo, blo int) litmus.Expr { return x.keep(bin(litmus.Mul, half(a, alo), half(b, blo))) }
	low, left, right := product(0, 0), product(32, 0), product(0, 32)
	middle := bin(litmus.Add, half(low, 32), bin(litmus.Add, half(left, 0), half(right, 0)))
	high := bin(litmus.Add, bin(litmus.Add, product(32, 32), half(x.keep(middle), 32)), bin(litmus.Add, half(left, 32), half(right, 32)))
	// A negative factor was taken for 2^64 more than it is.
	correction := func(sign, e litmus.Expr) litmus.Expr {
		return litmus.Cond{If: signBit(sign), Then: e, Else: litmus.Const{Bits: n}}
	}
	return bin(litmus.Sub, bin(litmus.Sub, high, correction(a, b)), correction(b, a))
}

func negate(x *instr) {
	x.modify(func(old litmus.Expr) litmus.Expr { return litmus.Unary{Op: litmus.Neg, X: old} },
		func(old, result litmus.Expr) {
			x.setArithmeticFlags(litmus.Sub, litmus.Const{Bits: x.bits}, old, result)
		})
}

func complement(x *instr) {
	x.modify(func(old litmus.Expr) litmus.Expr { return litmus.Unary{Op: litmus.BitNot, X: old} }, nil)
}

// step lowers INC and DEC, which leave the carry flag alone.
func step(op litmus.BinaryOp) func(*instr) {
	return func(x *instr) {
		one := litmus.Const{Value: 1, Bits: x.bits}
		x.modify(func(old litmus.Expr) litmus.Expr { return litmus.Binary{Op: op, X: old, Y: one} },
			func(old, result litmus.Expr) { x.setStepFlags(op, old, one, result) })
	}
}

func shift(op litmus.BinaryOp) func(*instr) {
	return func(x *instr) {
		width := uint64(31)
		if x.bits == 64 {
			width = 63
		}
		var count litmus.Expr
		switch o := x.ops[1]; {
		case o.kind == immediate:
			count = litmus.Const{Value: o.imm & width, Bits: x.bits}
		case o.kind == registerOperand && strings.EqualFold(o.reg.Print, "CL"):
			count = x.keep(litmus.Binary{Op: litmus.BitAnd, X: litmus.Resize(x.read(o.reg), x.bits), Y: litmus.Const{Value: width, Bits: x.bits}})
		default:
			x.Failf(o.pos, "%s: %s shifts by a number or by CL, not by %q", x.arch, x.written, o.text)
			return
		}
		x.modify(func(old litmus.Expr) litmus.Expr { return litmus.Binary{Op: op, X: old, Y: count} },
			func(old, result litmus.Expr) { x.setShiftFlags(op, old, count, result) })
	}
}
