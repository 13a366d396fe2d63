package lower

import "litmuscope/litmus/ir"

// What follows computes by shifts, sums and choices what instruction sets have single instructions for, by
// the ways of H. S. Warren, "Hacker's Delight", second edition, chapters 5, 7 and 8. What is used more than
// once on the way is kept in temporaries, which dependencies go through.

// LeadingZeros counts the zeros above the highest one: of 0, all of them.
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
	// Its highest bit is a one now, but for 0.
	return ir.Add.Of(count, ir.Resize(ir.Not(ir.Bit(v, n-1)), n))
}

// TrailingZeros counts the zeros below the lowest one: of 0, all of them.
func (b *Builder) TrailingZeros(v ir.Expr) ir.Expr {
	n := v.Width()
	v = b.Keep(v)
	// The ones of what is below the lowest one, and of nothing else.
	return b.Ones(ir.BitAnd.Of(ir.Not(v), ir.Sub.Of(v, ir.Number(1, n))), n)
}

// Ones counts the ones of each group of bits, in the place of the group.
func (b *Builder) Ones(v ir.Expr, group int) ir.Expr {
	n := v.Width()
	for size := 1; size < group; size *= 2 {
		mask := ir.Number(alternate(size), n)
		v = b.Keep(v)
		v = ir.Add.Of(ir.BitAnd.Of(v, mask), ir.BitAnd.Of(ir.Shr.Of(v, ir.Number(uint64(size), n)), mask))
	}
	return v
}

// alternate has groups of ones and of zeros in turn, ones at the low end.
func alternate(size int) uint64 {
	var mask uint64
	for at := 0; at < 64; at += 2 * size {
		mask |= ir.Mask(size) << at
	}
	return mask
}

// Reverse puts the units of each group of bits into the opposite order.
func (b *Builder) Reverse(v ir.Expr, unit, group int) ir.Expr {
	n := v.Width()
	for size := group / 2; size >= unit; size /= 2 {
		mask, by := ir.Number(alternate(size), n), ir.Number(uint64(size), n)
		v = b.Keep(v)
		v = ir.BitOr.Of(ir.Shl.Of(ir.BitAnd.Of(v, mask), by), ir.BitAnd.Of(ir.Shr.Of(v, by), mask))
	}
	return v
}

// HighProduct is the upper half of the product of a and c, each of which may have a sign. That of 64-bit
// numbers is put together from products of their halves, as on paper.
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
	// A negative factor was taken for 2^64 more than it is.
	correct := func(signed bool, factor, other ir.Expr) {
		if signed {
			high = ir.Sub.Of(high, ir.Cond{If: ir.Bit(factor, n-1), Then: other, Else: ir.Number(0, n)})
		}
	}
	correct(aSigned, a, c)
	correct(cSigned, c, a)
	return high
}

// Rotate turns v to the right by a count of bits, of which as many low bits are looked at as there are places.
func (b *Builder) Rotate(v, count ir.Expr) ir.Expr {
	n := v.Width()
	v = b.Keep(v)
	count = b.Keep(ir.BitAnd.Of(count, ir.Number(uint64(n-1), n)))
	return ir.BitOr.Of(ir.Shr.Of(v, count), ir.Shl.Of(v, ir.Sub.Of(ir.Number(uint64(n), n), count)))
}
