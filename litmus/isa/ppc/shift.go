package ppc

import "litmuscope/litmus/ir"

// Bits are numbered from the left in Power: bit 0 is the sign of a doubleword, and
// bit 32 that of a word.

// maskBetween returns a mask of the bits from first to last. It wraps around if first comes after last.
func maskBetween(first, last uint64) uint64 {
	from, to := ir.Mask(int(64-first)), ir.Mask(int(63-last))
	if first <= last {
		return from &^ to
	}
	return from | ^to
}

// rotate rotates a by n bits to the left.
func rotate(a ir.Expr, n uint64) ir.Expr {
	bits := uint64(a.Width())
	if n %= bits; n == 0 {
		return a
	}
	by := func(n uint64) ir.Expr { return ir.Const{Value: n, Bits: int(bits)} }
	return ir.BitOr.Of(ir.Shl.Of(a, by(n)), ir.Shr.Of(a, by(bits-n)))
}

// rotatedLow returns the low word of operand 1, rotated by n bits, in both halves.
func (x *instr) rotatedLow(n uint64) ir.Expr {
	word := x.Keep(ir.Resize(rotate(x.low(1), n), 64))
	return ir.BitOr.Of(word, ir.Shl.Of(word, number(32)))
}

// rotateAndMask returns the masked bits of operand 1 after rotation, and zeros elsewhere.
func (x *instr) rotateAndMask(turned ir.Expr, mask uint64) {
	x.set(0, ir.BitAnd.Of(turned, number(mask)))
}

// givenMask replaces the mask in operand 3 by its first and last bits, as in other forms.
func (x *instr) givenMask() bool {
	for first := range uint64(32) {
		for last := range uint64(32) {
			if maskBetween(32+first, 32+last)&ir.Mask(32) == x.ops[3].Imm {
				given := x.ops[3]
				x.ops = append(x.ops[:3], given, given)
				x.ops[3].Imm, x.ops[4].Imm = first, last
				return true
			}
		}
	}
	x.Failf(x.ops[3].Pos, "PPC: got mask %q, want one whose ones are contiguous", x.ops[3].Text)
	return false
}

// defineShifts adds shifts, rotations, and rotations with a mask, together with their extended mnemonics.
func defineShifts() {
	imm := func(x *instr, i int) uint64 { return x.ops[i].Imm }
	word := func(name, operands string, by, first, last func(x *instr) uint64) {
		record(name, operands, func(x *instr) {
			x.rotateAndMask(x.rotatedLow(by(x)), maskBetween(32+first(x), 32+last(x)))
		})
	}
	double := func(name, operands string, by, first, last func(x *instr) uint64) {
		record(name, operands,
			func(x *instr) { x.rotateAndMask(rotate(x.get(1), by(x)), maskBetween(first(x), last(x))) })
	}
	of := func(v uint64) func(*instr) uint64 { return func(*instr) uint64 { return v } }
	op := func(i int) func(*instr) uint64 { return func(x *instr) uint64 { return imm(x, i) } }
	from := func(v uint64, i int) func(*instr) uint64 { return func(x *instr) uint64 { return v - imm(x, i) } }
	word("rlwinm", "rr555", op(2), op(3), op(4))
	word("rotlwi", "rr5", op(2), of(0), of(31))
	word("slwi", "rr5", op(2), of(0), from(31, 2))
	word("srwi", "rr5", from(32, 2), op(2), of(31))
	word("clrlwi", "rr5", of(0), op(2), of(31))
	word("clrrwi", "rr5", of(0), of(0), from(31, 2))
	double("rldicl", "rr66", op(2), op(3), of(63))
	double("rldicr", "rr66", op(2), of(0), op(3))
	double("rotldi", "rr6", op(2), of(0), of(63))
	double("sldi", "rr6", op(2), of(0), from(63, 2))
	double("srdi", "rr6", from(64, 2), op(2), of(63))
	double("clrldi", "rr6", of(0), op(2), of(63))
	double("clrrdi", "rr6", of(0), of(0), from(63, 2))
	record("rlwimi", "rr555", func(x *instr) {
		mask := maskBetween(32+imm(x, 3), 32+imm(x, 4))
		inserted := ir.BitAnd.Of(x.rotatedLow(imm(x, 2)), number(mask))
		x.set(0, ir.BitOr.Of(inserted, ir.BitAnd.Of(x.get(0), number(^mask))))
	})
	// A count in a register has one additional bit, which shifts everything out.
	for name, op := range map[string]ir.BinaryOp{"sl": ir.Shl, "sr": ir.Shr, "sra": ir.Sar} {
		shift := func(bits int, count func(*instr) ir.Expr) func(*instr) {
			return func(x *instr) {
				v := op.Of(ir.Resize(x.get(1), bits), ir.Resize(count(x), bits))
				x.set(0, ir.Widen(v, 64, op == ir.Sar))
			}
		}
		masked := func(mask uint64) func(*instr) ir.Expr {
			return func(x *instr) ir.Expr { return ir.BitAnd.Of(x.get(2), number(mask)) }
		}
		record(name+"w", "rrr", shift(32, masked(63)))
		record(name+"d", "rrr", shift(64, masked(127)))
		if op == ir.Sar {
			count := func(x *instr) ir.Expr { return x.immediate(2) }
			record(name+"wi", "rr5", shift(32, count))
			record(name+"di", "rr6", shift(64, count))
		}
	}
	for _, name := range []string{"rlwinm", "rlwimi", "rlwinm.", "rlwimi."} {
		in := instructions[name]
		whole := in.lower
		in.shorter = "rr5k"
		in.lower = func(x *instr) {
			if len(x.ops) == 5 || x.givenMask() {
				whole(x)
			}
		}
		instructions[name] = in
	}
}
