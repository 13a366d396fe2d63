package x86

import (
	"litmuscope/litmus/ir"
)

// defineBits adds instructions that find bits and move them. Flags that an instruction leaves undefined stay as they
// are.
func defineBits() {
	define("BT", 2, bitTest(nil))
	define("BTS", 2, bitTest(func(old, bit ir.Expr) ir.Expr { return ir.BitOr.Of(old, bit) }))
	define("BTR", 2, bitTest(func(old, bit ir.Expr) ir.Expr { return ir.BitAnd.Of(old, ir.Not(bit)) }))
	define("BTC", 2, bitTest(func(old, bit ir.Expr) ir.Expr { return ir.BitXor.Of(old, bit) }))
	define("BSF", 2, scan((*instr).TrailingZeros))
	define("BSR", 2, scan(func(x *instr, v ir.Expr) ir.Expr {
		return ir.Sub.Of(ir.Number(uint64(x.bits-1), x.bits), x.LeadingZeros(v))
	}))
	define("TZCNT", 2, zeros((*instr).TrailingZeros))
	define("LZCNT", 2, zeros((*instr).LeadingZeros))
	define("POPCNT", 2, count)
	define("BSWAP", 1, swapBytes)
	define("ANDN", 3, andNot)
	for name, op := range map[string]ir.BinaryOp{"SHLX": ir.Shl, "SHRX": ir.Shr, "SARX": ir.Sar} {
		define(name, 3, shiftElsewhere(op))
	}
	define("RORX", 3, func(x *instr) {
		if x.ops[2].kind != immediate {
			x.Failf(x.ops[2].Pos, "%s: %s turns by a number, not by %q", x.arch, x.name.Text, x.ops[2].Text)
			return
		}
		if x.wantExtended() {
			x.set(0, x.Rotate(x.get(1), x.get(2)))
		}
	})
}

// bitTest lowers BT, which copies a bit into the carry flag, and the instructions that also change the bit.
func bitTest(change func(old, bit ir.Expr) ir.Expr) func(*instr) {
	return func(x *instr) {
		if !x.wantWide() || !x.wantOneMemory() || !x.wantNoNumber(0) {
			return
		}
		if x.ops[0].kind == memory && x.ops[1].kind == registerOperand {
			x.Failf(x.ops[1].Pos,
				"%s: %s of memory by a register is not supported: the bit may be far from the address; use a number",
				x.arch, x.name.Text)
			return
		}
		at := x.Keep(ir.BitAnd.Of(x.get(1), ir.Number(uint64(x.bits-1), x.bits)))
		carry := func(old, _ ir.Expr) {
			x.Assign(x.flags.carry, ir.Extract{X: ir.Shr.Of(old, at), Bits: 1})
		}
		if change == nil {
			carry(x.get(0), nil)
			return
		}
		bit := x.Keep(ir.Shl.Of(ir.Number(1, x.bits), at))
		x.modify(func(old ir.Expr) ir.Expr { return change(old, bit) }, carry)
	}
}

// scan lowers BSF and BSR. For 0 they leave their result as it was, as AMD's manual has always said and Intel's now
// does.
func scan(find func(*instr, ir.Expr) ir.Expr) func(*instr) {
	return func(x *instr) {
		if !x.wantRegister(0) || !x.wantWide() || !x.wantNoNumber(1) {
			return
		}
		v := x.Keep(x.get(1))
		none := x.Keep(ir.Eq.Of(v, ir.Number(0, x.bits)))
		x.writeIf(ir.Not(none), x.ops[0].reg, x.Keep(find(x, v)))
		x.Assign(x.flags.zero, none)
	}
}

// zeros lowers TZCNT and LZCNT, which for 0 return the width.
func zeros(find func(*instr, ir.Expr) ir.Expr) func(*instr) {
	return func(x *instr) {
		if !x.wantRegister(0) || !x.wantWide() || !x.wantNoNumber(1) {
			return
		}
		v := x.Keep(x.get(1))
		result := x.Keep(find(x, v))
		x.set(0, result)
		x.Assign(x.flags.carry, ir.Eq.Of(v, ir.Number(0, x.bits)))
		x.Assign(x.flags.zero, ir.Eq.Of(result, ir.Number(0, x.bits)))
	}
}

func count(x *instr) {
	if !x.wantRegister(0) || !x.wantWide() || !x.wantNoNumber(1) {
		return
	}
	v := x.Keep(x.get(1))
	x.set(0, x.Ones(v, x.bits))
	f := x.flags
	x.Assign(f.zero, ir.Eq.Of(v, ir.Number(0, x.bits)))
	for _, flag := range []int{f.carry, f.sign, f.overflow} {
		x.Assign(flag, ir.Number(0, 1))
	}
}

func swapBytes(x *instr) {
	if x.wantRegister(0) && x.wantExtended() {
		x.set(0, x.Reverse(x.get(0), 8, x.bits))
	}
}

func andNot(x *instr) {
	if !x.wantExtended() || !x.wantRegister(1) || !x.wantNoNumber(2) {
		return
	}
	result := x.Keep(ir.BitAnd.Of(ir.Not(x.get(1)), x.get(2)))
	x.set(0, result)
	x.setResultFlags(result)
	x.Assign(x.flags.carry, ir.Number(0, 1))
	x.Assign(x.flags.overflow, ir.Number(0, 1))
}

// shiftElsewhere lowers shifts of one operand by another into a third, without flags.
func shiftElsewhere(op ir.BinaryOp) func(*instr) {
	return func(x *instr) {
		if !x.wantExtended() || !x.wantNoNumber(1) || !x.wantRegister(2) {
			return
		}
		x.set(0, op.Of(x.get(1), ir.BitAnd.Of(x.get(2), ir.Number(uint64(x.bits-1), x.bits))))
	}
}

// wantExtended reports an error unless operand 0 is a register of 32 bits or more.
func (x *instr) wantExtended() bool {
	if !x.wantRegister(0) {
		return false
	}
	if x.bits < 32 {
		x.Failf(x.ops[0].Pos, "%s: %s has no form for %d bits", x.arch, x.name.Text, x.bits)
		return false
	}
	return true
}

// rotate lowers ROL and ROR.
func rotate(left bool) func(*instr) {
	return func(x *instr) {
		by := x.shiftCount()
		if by == nil {
			return
		}
		turn := by
		if left {
			turn = ir.Neg.Of(by)
		}
		x.modify(func(old ir.Expr) ir.Expr { return x.Rotate(old, turn) }, func(_, result ir.Expr) {
			n := x.bits
			edge, overflow := signBit(result), ir.BitXor.Of(signBit(result), ir.Bit(result, n-2))
			if left {
				edge = ir.Bit(result, 0)
				overflow = ir.BitXor.Of(signBit(result), edge)
			}
			f := x.flag()
			once, none := ir.Eq.Of(by, ir.Number(1, n)), ir.Eq.Of(by, ir.Number(0, n))
			x.Assign(x.flags.overflow, ir.Cond{If: once, Then: overflow, Else: f.overflow})
			x.Assign(x.flags.carry, ir.Cond{If: none, Then: f.carry, Else: edge})
		})
	}
}

// widenAccumulator lowers the sign extensions of the accumulator, into itself or into the next register.
func widenAccumulator(from, to string) func(*instr) {
	return func(x *instr) {
		src, ok := register(from, x.wide)
		dst, there := register(to, x.wide)
		if !ok || !there {
			x.Failf(x.name.Pos, "%s: %s works on %s, which only 64-bit code has", x.arch, x.name.Text, to)
			return
		}
		v := x.read(src)
		if to[len(to)-2] == 'D' { // only the sign
			x.write(dst, ir.Sar.Of(v, ir.Number(uint64(src.Bits-1), src.Bits)))
			return
		}
		x.write(dst, ir.Extend{X: v, Bits: dst.Bits, Signed: true})
	}
}
