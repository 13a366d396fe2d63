package aarch64

import (
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/armasm"
)

// operation is the operation of an arithmetic instruction on its two sources.
type operation struct {
	op     ir.BinaryOp
	invert bool // complements the second source
	flags  bool
}

// defineData adds arithmetic and logic with two sources, and comparisons.
func defineData() {
	for name, o := range map[string]operation{
		"ADD": {op: ir.Add}, "ADDS": {op: ir.Add, flags: true},
		"SUB": {op: ir.Sub}, "SUBS": {op: ir.Sub, flags: true},
		"AND": {op: ir.BitAnd}, "ANDS": {op: ir.BitAnd, flags: true},
		"BIC": {op: ir.BitAnd, invert: true}, "BICS": {op: ir.BitAnd, invert: true, flags: true},
		"ORR": {op: ir.BitOr}, "ORN": {op: ir.BitOr, invert: true},
		"EOR": {op: ir.BitXor}, "EON": {op: ir.BitXor, invert: true},
	} {
		define(name, 3, 4, func(x *instr) {
			r := x.reg(0)
			a, b := x.read(x.regOf(1, r.bits)), x.flexible(2, r.bits)
			x.separate(o.op, a, b)
			x.write(r, x.compute(o, a, b))
		})
	}
	for name, o := range map[string]operation{
		"CMP": {op: ir.Sub, flags: true}, "CMN": {op: ir.Add, flags: true}, "TST": {op: ir.BitAnd, flags: true},
	} {
		define(name, 2, 3, func(x *instr) {
			r := x.reg(0)
			a, b := x.read(r), x.flexible(1, r.bits)
			if x.sys != nil && x.sys.signs != nil && r.bits == 64 {
				a, b = x.Keep(a), x.Keep(b)
				b = ir.Cond{If: x.equalPointers(a, b), Then: a, Else: b}
			}
			x.compute(o, a, b)
		})
	}
	for name, o := range map[string]operation{
		"NEG": {op: ir.Sub}, "NEGS": {op: ir.Sub, flags: true}, "MVN": {op: ir.BitOr, invert: true},
	} {
		define(name, 2, 3, func(x *instr) {
			r := x.reg(0)
			x.write(r, x.compute(o, ir.Number(0, r.bits), x.flexible(1, r.bits)))
		})
	}
	defineMoves()
	defineCarries()
	defineSelects()
	defineShifts()
	defineFields()
	defineMultiplications()
	defineDivisions()
	defineCounts()
	defineExtremes()
}

// compute returns an operation's result, and sets the flags if the operation does.
func (x *instr) compute(o operation, a, b ir.Expr) ir.Expr {
	if o.invert {
		b = ir.Not(b)
	}
	result := o.op.Of(a, b)
	if !o.flags {
		return result
	}
	a, b = x.Keep(a), x.Keep(b)
	result = x.Keep(o.op.Of(a, b))
	none := ir.Number(0, 1)
	x.Assign(x.flags, armasm.FlagsOf(o.op, a, b, result, none, none))
	return result
}

// defineMoves adds moves of registers and of numbers.
func defineMoves() {
	define("MOV", 2, 2, func(x *instr) {
		r := x.reg(0)
		if x.isReg(1) {
			x.write(r, x.read(x.regOf(1, r.bits)))
			return
		}
		x.write(r, ir.Number(x.Number(1), r.bits))
	})
	wide := func(f func(x *instr, r reg, v, shift uint64) ir.Expr) func(*instr) {
		return func(x *instr) {
			r, shift := x.reg(0), uint64(0)
			v := x.numberBelow(1, 1<<16)
			if len(x.Ops) == 3 {
				shift = x.leftShift(2, r.bits)
			}
			x.write(r, f(x, r, uint64(v)<<shift, shift))
		}
	}
	define("MOVZ", 2, 3, wide(func(_ *instr, r reg, v, _ uint64) ir.Expr { return ir.Number(v, r.bits) }))
	define("MOVN", 2, 3, wide(func(_ *instr, r reg, v, _ uint64) ir.Expr { return ir.Number(^v, r.bits) }))
	define("MOVK", 2, 3, wide(func(x *instr, r reg, v, shift uint64) ir.Expr {
		rest := ir.BitAnd.Of(x.read(r), ir.Number(^(0xffff<<shift), r.bits))
		return ir.BitOr.Of(rest, ir.Number(v, r.bits))
	}))
}

// condition returns operand i, a condition code.
func (x *instr) condition(i int) armasm.Condition {
	code, ok := armasm.Conditions[strings.ToUpper(x.Ops[i].Text)]
	if !ok {
		x.Fail(i, "got operand %q, want a condition such as EQ", x.Ops[i].Text)
	}
	return code
}

// selection sets r to a if the condition is true, else to b. The result depends on the selected register; the decision
// is a pick, so the dependency on the condition is one through the pick.
func (x *instr) selection(r reg, code armasm.Condition, a, b ir.Expr) {
	p := x.pick(x.conditionValue(code))
	x.write(r, ir.Select{If: p, Then: throughPick(p, a), Else: throughPick(p, b)})
}

// defineSelects adds conditional selections, CSET and its like, and conditional comparisons.
func defineSelects() {
	change := map[string]func(ir.Expr) ir.Expr{
		"CSEL":  func(e ir.Expr) ir.Expr { return e },
		"CSINC": func(e ir.Expr) ir.Expr { return ir.Add.Of(e, ir.Number(1, e.Width())) },
		"CSINV": ir.Not,
		"CSNEG": ir.Neg.Of,
	}
	for name, f := range change {
		define(name, 4, 4, func(x *instr) {
			r := x.reg(0)
			a, b := x.read(x.regOf(1, r.bits)), x.read(x.regOf(2, r.bits))
			x.selection(r, x.condition(3), a, f(b))
		})
	}
	for name, of := range map[string]string{"CINC": "CSINC", "CINV": "CSINV", "CNEG": "CSNEG"} {
		f := change[of]
		define(name, 3, 3, func(x *instr) {
			r := x.reg(0)
			v := x.read(x.regOf(1, r.bits))
			x.selection(r, x.condition(2), f(v), v)
		})
	}
	define("CCMP", 4, 4, conditionalCompare(ir.Sub))
	define("CCMN", 4, 4, conditionalCompare(ir.Add))
	for name, yes := range map[string]uint64{"CSET": 1, "CSETM": ^uint64(0)} {
		define(name, 2, 2, func(x *instr) {
			r := x.reg(0)
			x.selection(r, x.condition(1), ir.Number(yes, r.bits), ir.Number(0, r.bits))
		})
	}
}

// defineCarries adds instructions that add the carry flag. A subtraction is the sum with the complement.
func defineCarries() {
	carrying := func(name string, least int, invert, flags bool) {
		define(name, least, least, func(x *instr) {
			r := x.reg(0)
			a := ir.Number(0, r.bits)
			if least == 3 {
				a = x.read(x.regOf(1, r.bits))
			}
			b := x.read(x.regOf(least-1, r.bits))
			if invert {
				b = ir.Not(b)
			}
			a, b = x.Keep(a), x.Keep(b)
			carry := x.Keep(armasm.Carry(x.Value(x.flags)))
			result := x.Keep(armasm.AddWithCarry(a, b, carry))
			if flags {
				x.Assign(x.flags, armasm.FlagsWithCarry(a, b, carry, result))
			}
			x.write(r, result)
		})
	}
	for suffix, flags := range map[string]bool{"": false, "S": true} {
		carrying("ADC"+suffix, 3, false, flags)
		carrying("SBC"+suffix, 3, true, flags)
		carrying("NGC"+suffix, 2, true, flags)
	}
}

// conditionalCompare sets the flags for a op b if a condition is true, else to a number. As in a selection, the flags
// depend on the result that they get, through the decision.
func conditionalCompare(op ir.BinaryOp) func(*instr) {
	return func(x *instr) {
		r := x.reg(0)
		a, b := x.Keep(x.read(r)), ir.Expr(nil)
		if x.isReg(1) {
			b = x.Keep(x.read(x.regOf(1, r.bits)))
		} else {
			b = ir.Number(uint64(x.numberBelow(1, 1<<5)), r.bits)
		}
		otherwise := ir.Number(uint64(x.numberBelow(2, 1<<armasm.FlagBits)), armasm.FlagBits)
		p := x.pick(x.conditionValue(x.condition(3)))
		none := ir.Number(0, 1)
		flags := armasm.FlagsOf(op, a, b, x.Keep(op.Of(a, b)), none, none)
		x.Assign(x.flags, ir.Select{If: p, Then: throughPick(p, flags), Else: throughPick(p, otherwise)})
	}
}

// defineShifts adds shifts and rotations by a number or a register, and EXTR.
func defineShifts() {
	for name, op := range shifts {
		define(name, 3, 3, func(x *instr) {
			r := x.reg(0)
			v := x.read(x.regOf(1, r.bits))
			x.write(r, op.Of(v, x.amount(2, r.bits)))
		})
	}
	define("ROR", 3, 3, func(x *instr) {
		r := x.reg(0)
		x.write(r, x.Rotate(x.read(x.regOf(1, r.bits)), x.amount(2, r.bits)))
	})
	for _, name := range []string{"LSL", "LSR", "ASR", "ROR"} { // the same, only by a register
		shift := instructions[name].lower
		define(name+"V", 3, 3, func(x *instr) {
			if !x.isReg(2) {
				x.Fail(2, "got operand %q, want a register", x.Ops[2].Text)
				return
			}
			shift(x)
		})
	}
	define("EXTR", 4, 4, func(x *instr) {
		r := x.reg(0)
		high, low := x.read(x.regOf(1, r.bits)), x.read(x.regOf(2, r.bits))
		n := uint64(x.numberBelow(3, r.bits))
		// If n is 0, the result has no bit of the upper register, but still depends on it.
		x.write(r, ir.BitOr.Of(shiftBy(ir.Shr, low, n), ir.Shl.Of(high, ir.Number(uint64(r.bits)-n, r.bits))))
	})
	for name, e := range extensions {
		if e.bits == 64 {
			continue
		}
		define(name, 2, 2, func(x *instr) {
			r := x.reg(0)
			v := ir.Resize(x.read(x.reg(1)), e.bits)
			x.write(r, ir.Widen(v, r.bits, e.signed))
		})
	}
}

// defineFields adds the instructions that move a field of bits. With U or S, the other bits become zeros or the sign;
// with neither, they stay as they were.
func defineFields() {
	for name, signed := range map[string]bool{"UBFM": false, "SBFM": true} {
		define(name, 4, 4, func(x *instr) {
			r := x.reg(0)
			v := x.read(x.regOf(1, r.bits))
			x.write(r, bitField(v, x.numberBelow(2, r.bits), x.numberBelow(3, r.bits), signed))
		})
	}
	define("BFM", 4, 4, func(x *instr) {
		r := x.reg(0)
		v := x.read(x.regOf(1, r.bits))
		x.write(r, insertField(x.read(r), v, x.numberBelow(2, r.bits), x.numberBelow(3, r.bits)))
	})
	// Aliases give a field by its lowest bit, in the source or in the destination, and its width.
	field := func(name string, operands int, into bool, move func(old, v ir.Expr, rotate, last int) ir.Expr) {
		define(name, operands, operands, func(x *instr) {
			r := x.reg(0)
			v := ir.Number(0, r.bits)
			if operands == 4 {
				v = x.read(x.regOf(1, r.bits))
			}
			low, n := x.numberBelow(operands-2, r.bits), x.numberBelow(operands-1, r.bits+1)
			if n == 0 || low+n > r.bits {
				x.Fail(operands-1, "want a field of at least 1 bit that does not end beyond bit %d", r.bits-1)
				return
			}
			rotate, last := low, low+n-1
			if into {
				rotate, last = (r.bits-low)%r.bits, n-1
			}
			x.write(r, move(x.read(r), v, rotate, last))
		})
	}
	for letter, signed := range map[string]bool{"U": false, "S": true} {
		move := func(_, v ir.Expr, rotate, last int) ir.Expr { return bitField(v, rotate, last, signed) }
		field(letter+"BFX", 4, false, move)
		field(letter+"BFIZ", 4, true, move)
	}
	field("BFI", 4, true, insertField)
	field("BFXIL", 4, false, insertField)
	field("BFC", 3, true, insertField)
}

// amount returns a shift count, operand i: a number, or the low bits of a register.
func (x *instr) amount(i, bits int) ir.Expr {
	if x.isReg(i) {
		return ir.BitAnd.Of(x.read(x.regOf(i, bits)), ir.Number(uint64(bits-1), bits))
	}
	return ir.Number(uint64(x.numberBelow(i, bits)), bits)
}

// bitField computes UBFM and SBFM: bits r to s move down to bit 0 or, if s is below r, bits 0 to s move up to the width
// minus r.
func bitField(v ir.Expr, r, s int, signed bool) ir.Expr {
	n := v.Width()
	if s >= r {
		return ir.Widen(ir.Extract{X: v, Lo: r, Bits: s - r + 1}, n, signed)
	}
	field := ir.Widen(ir.Extract{X: v, Bits: s + 1}, n, signed)
	return shiftBy(ir.Shl, field, uint64(n-r))
}

// insertField computes BFM: it moves the same bits to the same places, and takes the others from old.
func insertField(old, v ir.Expr, r, s int) ir.Expr {
	n := v.Width()
	mask := ir.Mask(s + 1)
	if s >= r {
		mask = ir.Mask(s - r + 1)
	} else {
		mask <<= n - r
	}
	return ir.BitOr.Of(bitField(v, r, s, false), ir.BitAnd.Of(old, ir.Number(^mask, n)))
}

// defineMultiplications adds products, their sums with a third operand, and upper halves.
func defineMultiplications() {
	// product defines an instruction that adds a product to its fourth operand, or
	// subtracts it, with 0 instead of the fourth operand if it has three; long ones extend the factors.
	product := func(name string, operands int, op ir.BinaryOp, long, signed bool) {
		define(name, operands, operands, func(x *instr) {
			r := x.reg(0)
			n := r.bits
			if long {
				r, n = x.regOf(0, 64), 32
			}
			a, b := ir.Widen(x.read(x.regOf(1, n)), r.bits, signed), ir.Widen(x.read(x.regOf(2, n)), r.bits, signed)
			to := ir.Number(0, r.bits)
			if operands == 4 {
				to = x.read(x.regOf(3, r.bits))
			}
			x.write(r, op.Of(to, ir.Mul.Of(a, b)))
		})
	}
	product("MUL", 3, ir.Add, false, false)
	product("MNEG", 3, ir.Sub, false, false)
	product("MADD", 4, ir.Add, false, false)
	product("MSUB", 4, ir.Sub, false, false)
	for letter, signed := range map[string]bool{"S": true, "U": false} {
		product(letter+"MULL", 3, ir.Add, true, signed)
		product(letter+"MNEGL", 3, ir.Sub, true, signed)
		product(letter+"MADDL", 4, ir.Add, true, signed)
		product(letter+"MSUBL", 4, ir.Sub, true, signed)
		define(letter+"MULH", 3, 3, func(x *instr) {
			x.write(x.regOf(0, 64), x.HighProduct(x.read(x.regOf(1, 64)), x.read(x.regOf(2, 64)), signed, signed))
		})
	}
}

// defineDivisions adds divisions, which never trap: division by 0 gives 0, and an overflow is truncated.
func defineDivisions() {
	for name, op := range map[string]ir.BinaryOp{"UDIV": ir.UDiv, "SDIV": ir.SDiv} {
		define(name, 3, 3, func(x *instr) {
			r := x.reg(0)
			a, b := x.read(x.regOf(1, r.bits)), x.read(x.regOf(2, r.bits))
			zero := ir.Number(0, r.bits)
			x.write(r, ir.Cond{If: ir.Eq.Of(b, zero), Then: zero, Else: op.Of(a, b)})
		})
	}
}

// defineExtremes adds the greater and the lesser of two registers, or of a register and a number of 8 bits, which is
// signed if the comparison is.
func defineExtremes() {
	for name, less := range map[string]ir.BinaryOp{"SMAX": ir.Slt, "SMIN": ir.Slt, "UMAX": ir.Ult, "UMIN": ir.Ult} {
		define(name, 3, 3, func(x *instr) {
			r := x.reg(0)
			a := x.Keep(x.read(x.regOf(1, r.bits)))
			var b ir.Expr
			if x.isReg(2) {
				b = x.Keep(x.read(x.regOf(2, r.bits)))
			} else {
				n, least := x.Number(2), 0
				if less == ir.Slt {
					least = -128
				}
				if int64(n) < int64(least) || int64(n) > int64(least)+255 {
					x.Fail(2, "%s is out of range: want %d to %d", x.Ops[2].Text, least, least+255)
				}
				b = ir.Number(n, r.bits)
			}
			if strings.HasSuffix(name, "MIN") {
				x.write(r, ir.Cond{If: less.Of(a, b), Then: a, Else: b})
				return
			}
			x.write(r, ir.Cond{If: less.Of(a, b), Then: b, Else: a})
		})
	}
}

// defineCounts adds the instructions that count bits or change their order.
func defineCounts() {
	of := func(name string, f func(x *instr, v ir.Expr) ir.Expr) {
		define(name, 2, 2, func(x *instr) {
			r := x.reg(0)
			v := x.Keep(x.read(x.regOf(1, r.bits)))
			x.write(r, f(x, v))
		})
	}
	of("CLZ", func(x *instr, v ir.Expr) ir.Expr { return x.LeadingZeros(v) })
	of("CLS", func(x *instr, v ir.Expr) ir.Expr { // the number of bits below the sign that equal it
		one := ir.Number(1, v.Width())
		return ir.Sub.Of(x.LeadingZeros(ir.BitXor.Of(v, ir.Sar.Of(v, one))), one)
	})
	of("ABS", func(_ *instr, v ir.Expr) ir.Expr {
		return ir.Cond{If: ir.Bit(v, v.Width()-1), Then: ir.Neg.Of(v), Else: v}
	})
	of("CNT", func(x *instr, v ir.Expr) ir.Expr { return x.Ones(v, v.Width()) })
	of("CTZ", func(x *instr, v ir.Expr) ir.Expr { return x.TrailingZeros(v) })
	// reversal defines an instruction that puts the units of each group of bits into
	// the opposite order; a group of 0 is the register.
	reversal := func(name string, unit, group int) {
		of(name, func(x *instr, v ir.Expr) ir.Expr {
			g := group
			if g == 0 {
				g = v.Width()
			}
			if g > v.Width() {
				x.Fail(0, "%s has %d bits, want %d", x.Ops[0].Text, v.Width(), g)
				return v
			}
			return x.Reverse(v, unit, g)
		})
	}
	reversal("RBIT", 1, 0)
	reversal("REV", 8, 0)
	reversal("REV16", 8, 16)
	reversal("REV32", 8, 32)
	reversal("REV64", 8, 64)
}
