package riscv

import "litmuscope/litmus/ir"

// defineMultiplications adds the extension M (the manual's chapter of that name). Its divisions are those of the IR:
// they do not trap.
func defineMultiplications() {
	define("rrr", compute(ir.Mul), "mul", "mulw")
	for name, op := range map[string]ir.BinaryOp{"div": ir.SDiv, "divu": ir.UDiv, "rem": ir.SRem, "remu": ir.URem} {
		define("rrr", compute(op), name, name+"w")
	}
	for name, signed := range map[string][2]bool{
		"mulh": {true, true}, "mulhsu": {true, false},
		"mulhu": {false, false},
	} {
		define("rrr", func(x *instr) { x.set(0, x.HighProduct(x.get(1), x.get(2), signed[0], signed[1])) }, name)
	}
}

// two defines an instruction with two sources.
func two(f func(a, b ir.Expr) ir.Expr) func(*instr) {
	return func(x *instr) { x.set(0, f(x.get(1), x.get(2))) }
}

// one defines an instruction with one source, which is a word if the name ends in w. The result is not sign-extended.
func one(f func(x *instr, v ir.Expr) ir.Expr) func(*instr) {
	return func(x *instr) { x.set(0, ir.Resize(f(x, ir.Resize(x.get(1), x.bits())), xlen)) }
}

// defineBits adds the extensions Zba, Zbb and Zbs (the manual's chapter on bit manipulation).
func defineBits() {
	defineAddresses()
	defineBasicBits()
	defineSingleBits()
}

// defineAddresses adds Zba: sums with shifted registers.
func defineAddresses() {
	number := func(v uint64) ir.Expr { return ir.Number(v, xlen) }
	word := func(e ir.Expr) ir.Expr { return ir.Resize(ir.Resize(e, wordBits), xlen) }
	for i, name := range []string{"add", "sh1add", "sh2add", "sh3add"} {
		by := number(uint64(i))
		define("rrr", two(func(a, b ir.Expr) ir.Expr { return ir.Add.Of(b, ir.Shl.Of(word(a), by)) }), name+".uw")
		if i > 0 {
			define("rrr", two(func(a, b ir.Expr) ir.Expr { return ir.Add.Of(b, ir.Shl.Of(a, by)) }), name)
		}
	}
	define("rrc", two(func(a, b ir.Expr) ir.Expr { return ir.Shl.Of(word(a), b) }), "slli.uw")
}

// defineBasicBits adds Zbb, except sext and zext, which assemblers also have without it.
func defineBasicBits() {
	define("rrr", two(func(a, b ir.Expr) ir.Expr { return ir.BitAnd.Of(a, ir.Not(b)) }), "andn")
	define("rrr", two(func(a, b ir.Expr) ir.Expr { return ir.BitOr.Of(a, ir.Not(b)) }), "orn")
	define("rrr", two(func(a, b ir.Expr) ir.Expr { return ir.Not(ir.BitXor.Of(a, b)) }), "xnor")
	for letter, less := range map[string]ir.BinaryOp{"": ir.Slt, "u": ir.Ult} {
		define("rrr", two(lesser(less, false)), "min"+letter)
		define("rrr", two(lesser(less, true)), "max"+letter)
	}
	define("rr", one(func(x *instr, v ir.Expr) ir.Expr { return x.LeadingZeros(v) }), "clz", "clzw")
	define("rr", one(func(x *instr, v ir.Expr) ir.Expr { return x.TrailingZeros(v) }), "ctz", "ctzw")
	define("rr", one(func(x *instr, v ir.Expr) ir.Expr { return x.Ones(v, v.Width()) }), "cpop", "cpopw")
	define("rr", one(func(x *instr, v ir.Expr) ir.Expr { return x.Reverse(v, 8, xlen) }), "rev8")
	define("rr", one(orBytes), "orc.b")
	for name, left := range map[string]bool{"rol": true, "ror": false} {
		define("rrr", rotate(left), name, name+"w")
	}
	define("rrc", rotate(false), "rori")
	define("rrw", rotate(false), "roriw")
}

// orBytes returns ones in each byte that is not 0.
func orBytes(x *instr, v ir.Expr) ir.Expr {
	v = x.Keep(v)
	out := ir.Number(0, xlen)
	for lo := 0; lo < xlen; lo += 8 {
		some := ir.Not(ir.Eq.Of(ir.Extract{X: v, Lo: lo, Bits: 8}, ir.Number(0, 8)))
		byte := ir.Resize(ir.Extend{X: some, Bits: 8, Signed: true}, xlen)
		out = ir.BitOr.Of(out, ir.Shl.Of(byte, ir.Number(uint64(lo), xlen)))
	}
	return out
}

func rotate(left bool) func(*instr) {
	return func(x *instr) {
		n := x.bits()
		count := ir.Resize(x.get(2), n)
		if left {
			count = ir.Neg.Of(count)
		}
		x.set(0, x.Rotate(ir.Resize(x.get(1), n), count))
	}
}

// defineSingleBits adds Zbs: operations on one bit, whose number is in the low bits of a register or in the
// instruction.
func defineSingleBits() {
	bit := func(name string, f func(v, n ir.Expr) ir.Expr) {
		lower := func(x *instr) {
			x.set(0, f(x.get(1), ir.BitAnd.Of(x.get(2), ir.Number(xlen-1, xlen))))
		}
		define("rrr", lower, name)
		define("rrc", lower, name+"i")
	}
	mask := func(n ir.Expr) ir.Expr { return ir.Shl.Of(ir.Number(1, xlen), n) }
	bit("bset", func(v, n ir.Expr) ir.Expr { return ir.BitOr.Of(v, mask(n)) })
	bit("bclr", func(v, n ir.Expr) ir.Expr { return ir.BitAnd.Of(v, ir.Not(mask(n))) })
	bit("binv", func(v, n ir.Expr) ir.Expr { return ir.BitXor.Of(v, mask(n)) })
	bit("bext", func(v, n ir.Expr) ir.Expr { return ir.BitAnd.Of(ir.Shr.Of(v, n), ir.Number(1, xlen)) })
}
