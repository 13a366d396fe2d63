package arm

import (
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/armasm"
)

// defineCarries adds instructions that add the carry flag. A subtraction is the sum with the complement.
func defineCarries() {
	for name, o := range map[string]operation{"ADC": {}, "SBC": {invert: true}, "RSC": {invert: true, reverse: true}} {
		withFlags(name, 2, 4, func(x *instr, flags bool) {
			last := 2
			if len(x.Ops) == 2 {
				last = 1
			}
			a, b := x.read(last-1), x.flexible(last)
			if o.reverse {
				a, b = b, a
			}
			if o.invert {
				b = ir.Not(b)
			}
			a, b = x.Keep(a), x.Keep(b)
			carry := x.Keep(armasm.Carry(x.flagsNow()))
			result := x.Keep(armasm.AddWithCarry(a, b, carry))
			if flags {
				x.set(x.flags, armasm.FlagsWithCarry(a, b, carry, result))
			}
			x.set(x.reg(0), result)
		})
	}
}

// defineProducts adds products of 64 bits, lower half first, and sums with products.
func defineProducts() {
	for name, signed := range map[string]bool{"UMULL": false, "SMULL": true} {
		define(name, 4, 4, true, func(x *instr) {
			low, high := x.reg(0), x.reg(1)
			if low == high {
				x.Fail(1, "%s: the two halves need two different registers", x.Ops[1].Text)
			}
			a, b := x.Keep(x.read(2)), x.Keep(x.read(3))
			product := x.Keep(ir.Mul.Of(a, b))
			above := x.Keep(x.HighProduct(a, b, signed, signed))
			x.set(low, product)
			x.set(high, above)
		})
	}
	define("SMMUL", 3, 3, true, func(x *instr) {
		a, b := x.Keep(x.read(1)), x.Keep(x.read(2))
		x.set(x.reg(0), x.HighProduct(a, b, true, true))
	})
	for name, op := range map[string]ir.BinaryOp{"MLA": ir.Add, "MLS": ir.Sub} {
		define(name, 4, 4, true, func(x *instr) { x.set(x.reg(0), op.Of(x.read(3), ir.Mul.Of(x.read(1), x.read(2)))) })
	}
}

// defineFields adds instructions that extract a register's bits, count them or change their order.
func defineFields() {
	for letter, signed := range map[string]bool{"U": false, "S": true} {
		define(letter+"BFX", 4, 4, true, func(x *instr) {
			if low, n, ok := x.field(2); ok {
				x.set(x.reg(0), ir.Widen(ir.Extract{X: x.read(1), Lo: low, Bits: n}, word, signed))
			}
		})
		for size, bits := range map[string]int{"B": 8, "H": 16} {
			define(letter+"XT"+size, 2, 3, true, func(x *instr) {
				v := x.read(1)
				if len(x.Ops) == 3 {
					turn := strings.ReplaceAll(strings.ToUpper(x.Ops[2].Text), " ", "")
					if turn != "ROR#8" && turn != "ROR#16" && turn != "ROR#24" {
						x.Fail(2, "got operand %q, want ROR #8, ROR #16 or ROR #24", x.Ops[2].Text)
						return
					}
					v, _ = x.shifted(x.Ops[2].Text, v)
				}
				x.set(x.reg(0), ir.Widen(ir.Resize(v, bits), word, signed))
			})
		}
	}
	insert := func(x *instr, i int, v ir.Expr) {
		if low, n, ok := x.field(i); ok {
			mask := ir.Mask(n) << low
			moved := ir.BitAnd.Of(ir.Shl.Of(v, constant(uint64(low))), constant(mask))
			x.set(x.reg(0), ir.BitOr.Of(moved, ir.BitAnd.Of(x.read(0), constant(^mask&ir.Mask(word)))))
		}
	}
	define("BFI", 4, 4, true, func(x *instr) { insert(x, 2, x.read(1)) })
	define("BFC", 3, 3, true, func(x *instr) { insert(x, 1, constant(0)) })
	for name, f := range map[string]func(x *instr, v ir.Expr) ir.Expr{
		"CLZ":   func(x *instr, v ir.Expr) ir.Expr { return x.LeadingZeros(v) },
		"RBIT":  func(x *instr, v ir.Expr) ir.Expr { return x.Reverse(v, 1, word) },
		"REV":   func(x *instr, v ir.Expr) ir.Expr { return x.Reverse(v, 8, word) },
		"REV16": func(x *instr, v ir.Expr) ir.Expr { return x.Reverse(v, 8, 16) },
		"REVSH": func(x *instr, v ir.Expr) ir.Expr { return ir.Widen(ir.Resize(x.Reverse(v, 8, 16), 16), word, true) },
	} {
		define(name, 2, 2, true, func(x *instr) { x.set(x.reg(0), f(x, x.read(1))) })
	}
}

// field returns operands i and i + 1: the lowest bit of a field and its number of bits.
func (x *instr) field(i int) (low, n int, ok bool) {
	from, bits := x.Number(i), x.Number(i+1)
	if bits == 0 || from >= word || bits > word || from+bits > word {
		x.Fail(i+1, "want a field of at least 1 bit that does not end beyond bit %d", word-1)
		return 0, 0, false
	}
	return int(from), int(bits), true
}
