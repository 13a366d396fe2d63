package lower

import "litmuscope/litmus/ir"

// Bit operations for which instruction sets have single instructions, as shifts, sums and choices (H. S. Warren,
// "Hacker's Delight", second edition, chapters 5, 7 and 8). Intermediate results that are used more than once are in
// temporaries; dependencies go through them.

// LeadingZeros counts the zero bits above the highest 1; for 0, it is the width.
func (b *Builder) LeadingZeros(v ir.Expr) ir.Expr {
	n := v.Width()
	count := ir.Number(0, n)
	v = b.Keep(v)
	for step := n / 2; step >= 1; step /= 2 {
		top := ir.Extract{X: v, Lo: n - step, Bits: step}
		none := b.Keep(ir.Eq.Of(top, ir.Number(0, step)))
		count = ir.Add.Of(count, ir.Cond{If: none, Then: ir.Number(uint64(step), n), Else: ir.Number(0, n)})
		v = b.Keep(ir.Cond{If: none, Then: ir.Shl.Of(v, ir.Number(uint64(step), n)), Else: v})
	}
	// Its highest bit is 1 now, except for 0.
	return ir.Add.Of(count, ir.Resize(ir.Not(ir.Bit(v, n-1)), n))
}

// TrailingZeros counts the zero bits below the lowest 1; for 0, it is the width.
func (b *Builder) TrailingZeros(v ir.Expr) ir.Expr {
	n := v.Width()
	v = b.Keep(v)
	// Count the bits below the lowest 1.
	return b.Ones(ir.BitAnd.Of(ir.Not(v), ir.Sub.Of(v, ir.Number(1, n))), n)
}

// Ones counts the 1 bits of each group of bits, and puts the count in the group's place.
func (b *Builder) Ones(v ir.Expr, group int) ir.Expr {
	n := v.Width()
	for size := 1; size < group; size *= 2 {
		mask := ir.Number(alternate(size), n)
		v = b.Keep(v)
		v = ir.Add.Of(ir.BitAnd.Of(v, mask), ir.BitAnd.Of(ir.Shr.Of(v, ir.Number(uint64(size), n)), mask))
	}
	return v
}

// alternate returns alternating groups of 1 and 0 bits of a size, with 1 bits at the low end.
func alternate(size int) uint64 {
	var mask uint64
	for at := 0; at < 64; at += 2 * size {
		mask |= ir.Mask(size) << at
	}
	return mask
}

// Reverse reverses the order of the units in each group of bits.
func (b *Builder) Reverse(v ir.Expr, unit, group int) ir.Expr {
	n := v.Width()
	for size := group / 2; size >= unit; size /= 2 {
		mask, by := ir.Number(alternate(size), n), ir.Number(uint64(size), n)
		v = b.Keep(v)
		v = ir.BitOr.Of(ir.Shl.Of(ir.BitAnd.Of(v, mask), by), ir.BitAnd.Of(ir.Shr.Of(v, by), mask))
	}
	return v
}

// HighProduct returns the upper half of the product of a and c, each of which may be signed. For 64-bit numbers, it
// adds the products of their halves.
func (b *Builder) HighProduct(a, c ir.Expr, aSigned, cSigned bool) ir.Expr {
	n := a.Width()
	if n <= 32 {
		return ir.Extract{
			X:  ir.Mul.Of(ir.Extend{X: a, Bits: 2 * n, Signed: aSigned}, ir.Extend{X: c, Bits: 2 * n, Signed: cSigned}),
			Lo: n, Bits: n,
		}
	}
	a, c = b.Keep(a), b.Keep(c)
	half := func(e ir.Expr, lo int) ir.Expr {
		return ir.Extend{X: ir.Extract{X: e, Lo: lo, Bits: 32}, Bits: 64}
	}
	product := func(alo, clo int) ir.Expr { return b.Keep(ir.Mul.Of(half(a, alo), half(c, clo))) }
	low, left, right := product(0, 0), product(32, 0), product(0, 32)
	middle := ir.Add.Of(half(low, 32), ir.Add.Of(half(left, 0), half(right, 0)))
	high := ir.Add.Of(ir.Add.Of(product(32, 32), half(b.Keep(middle), 32)), ir.Add.Of(half(left, 32), half(right, 32)))
	// A negative factor was treated as a number that is greater by 2^64.
	correct := func(signed bool, factor, other ir.Expr) {
		if signed {
			high = ir.Sub.Of(high, ir.Cond{If: ir.Bit(factor, n-1), Then: other, Else: ir.Number(0, n)})
		}
	}
	correct(aSigned, a, c)
	correct(cSigned, c, a)
	return high
}

// Rotate rotates v to the right by count, modulo the width of v, which is a power of two.
func (b *Builder) Rotate(v, count ir.Expr) ir.Expr {
	n := v.Width()
	v = b.Keep(v)
	count = b.Keep(ir.BitAnd.Of(count, ir.Number(uint64(n-1), n)))
	return ir.BitOr.Of(ir.Shr.Of(v, count), ir.Shl.Of(v, ir.Sub.Of(ir.Number(uint64(n), n), count)))
}
