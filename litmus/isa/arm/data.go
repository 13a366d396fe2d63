package arm

import (
	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/armasm"
)

// operation is the operation of an arithmetic instruction on its two sources.
type operation struct {
	op      ir.BinaryOp
	invert  bool // complements the second source
	reverse bool // takes the second source first
}

// defineData adds moves, arithmetic, comparisons and shifts, with and without setting the flags.
func defineData() {
	for name, o := range map[string]operation{
		"ADD": {op: ir.Add}, "SUB": {op: ir.Sub}, "RSB": {op: ir.Sub, reverse: true}, "MUL": {op: ir.Mul},
		"AND": {op: ir.BitAnd}, "BIC": {op: ir.BitAnd, invert: true},
		"ORR": {op: ir.BitOr}, "ORN": {op: ir.BitOr, invert: true}, "EOR": {op: ir.BitXor},
	} {
		withFlags(name, 2, 4, func(x *instr, flags bool) {
			if len(x.Ops) == 2 { // the destination is the first source
				x.set(x.reg(0), x.compute(o, x.read(0), x.flexible(1), flags))
				return
			}
			x.set(x.reg(0), x.compute(o, x.read(1), x.flexible(2), flags))
		})
	}
	for name, o := range map[string]operation{
		"CMP": {op: ir.Sub}, "CMN": {op: ir.Add}, "TST": {op: ir.BitAnd}, "TEQ": {op: ir.BitXor},
	} {
		define(name, 2, 3, true, func(x *instr) { x.compute(o, x.read(0), x.flexible(1), true) })
	}
	for name, invert := range map[string]bool{"MOV": false, "MVN": true} {
		withFlags(name, 2, 3, func(x *instr, flags bool) {
			x.set(x.reg(0), x.compute(operation{op: ir.BitOr, invert: invert}, constant(0), x.flexible(1), flags))
		})
	}
	for name, op := range shifts {
		withFlags(name, 3, 3, func(x *instr, flags bool) {
			from := x.Keep(x.read(1))
			carry := x.shiftCarry(name, from, x.Ops[2].Text)
			v, ok := x.shifted(name+" "+x.Ops[2].Text, from)
			if !ok {
				x.Fail(2, "got operand %q, want a number or a register", x.Ops[2].Text)
				v = op(x, constant(0), constant(0))
			}
			if v = x.Keep(v); flags {
				x.set(x.flags, armasm.FlagsOf(ir.BitOr, v, v, v, carry, armasm.Overflow(x.flagsNow())))
			}
			x.set(x.reg(0), v)
		})
	}
	defineCarries()
	defineProducts()
	defineFields()
	define("MOVW", 2, 2, true, func(x *instr) { x.set(x.reg(0), constant(x.half(1))) })
	define("MOVT", 2, 2, true, func(x *instr) {
		low := ir.BitAnd.Of(x.read(0), constant(0xffff))
		x.set(x.reg(0), ir.BitOr.Of(low, constant(x.half(1)<<16)))
	})
}

// shiftCarry returns the carry flag after a shift of v: the last bit that is shifted out, or the flag as it is if the
// count is 0 (DDI 0406, A2.2.1 Shift_C).
func (x *instr) shiftCarry(name string, v ir.Expr, amount string) ir.Expr {
	count, now := constant(0), armasm.Carry(x.flagsNow())
	if r, ok := x.index(amount); ok {
		count = x.Keep(ir.BitAnd.Of(x.Value(r), constant(0xff)))
	} else if n, ok := armasm.ParseNumber(amount); ok {
		count = constant(n)
	}
	// The bits of v and the one that is shifted out lie in 64 bits.
	wide, by := ir.Widen(v, 2*word, name == "ASR"), ir.Widen(count, 2*word, false)
	below := ir.Shl.Of(wide, ir.Number(1, 2*word))
	var out ir.Expr
	switch name {
	case "LSL":
		out = ir.Bit(ir.Shl.Of(wide, by), word)
	case "LSR":
		out = ir.Bit(ir.Shr.Of(below, by), 0)
	case "ASR":
		out = ir.Bit(ir.Sar.Of(below, by), 0)
	default: // ROR: the sign of the result
		out = ir.Bit(x.Rotate(v, count), word-1)
	}
	return ir.Cond{If: ir.Eq.Of(count, constant(0)), Then: now, Else: out}
}

// half returns operand i, a number of 16 bits.
func (x *instr) half(i int) uint64 {
	v := x.Number(i)
	if v > 0xffff {
		x.Fail(i, "%s is out of range: want 0 to 65535", x.Ops[i].Text)
	}
	return v
}

func define(name string, least, most int, conditional bool, lower func(*instr)) {
	instructions[name] = instruction{least: least, most: most, conditional: conditional, lower: lower}
}

// withFlags defines an instruction that sets the flags if S follows its name.
func withFlags(name string, least, most int, lower func(x *instr, flags bool)) {
	define(name, least, most, true, func(x *instr) { lower(x, false) })
	define(name+"S", least, most, true, func(x *instr) { lower(x, true) })
}

// compute returns an operation's result, and sets the flags if asked. Logical operations leave carry and overflow
// unchanged.
func (x *instr) compute(o operation, a, b ir.Expr, flags bool) ir.Expr {
	if o.invert {
		b = ir.Not(b)
	}
	if o.reverse {
		a, b = b, a
	}
	if !flags {
		return o.op.Of(a, b)
	}
	a, b = x.Keep(a), x.Keep(b)
	result := x.Keep(o.op.Of(a, b))
	now := x.flagsNow()
	x.set(x.flags, armasm.FlagsOf(o.op, a, b, result, armasm.Carry(now), armasm.Overflow(now)))
	return result
}
