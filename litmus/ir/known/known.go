// Package known computes with partly known numbers: a [Number] has some known bits, and a range. A result covers every
// value that the operands' values can give, and possibly more. [Of], [OfBits], [Tight] and [Unknown] make numbers;
// [Domain] evaluates expressions.
//
// It imports litmus/ir.
package known

import (
	"math"
	"math/bits"
	"slices"

	"litmuscope/litmus/ir"
)

// Number is a partly known value. The bits in Mask are those of Value, and as a signed number it is from Least to Most.
// It represents every number that agrees with both. Each representation is as tight as the other makes it.
type Number struct {
	Value, Mask uint64
	Least, Most int64
	Bits        int
}

// Constant reports whether all bits are known.
func (k Number) Constant() bool { return k.Mask == ir.Mask(k.Bits) }

// Join returns a Number that represents all numbers of k and b.
func (k Number) Join(b Number) Number {
	mask := k.Mask & b.Mask &^ (k.Value ^ b.Value)
	return Tight(k.Value&mask, mask, min(k.Least, b.Least), max(k.Most, b.Most), k.Bits)
}

// Loosened weakens k, which may have grown since before: its range is unknown, and so are all bits from the lowest one
// on that is no longer known.
func (k Number) Loosened(before Number) Number {
	if k == before {
		return k
	}
	below := k.Mask
	if lost := before.Mask &^ k.Mask; lost != 0 {
		below &= lost&-lost - 1
	}
	return OfBits(k.Value&below, below, k.Bits)
}

// SignedBits returns the number of bits that all signed numbers of a range need.
func SignedBits(least, most int64) int {
	return max(bits.Len64(uint64(most^most>>63)), bits.Len64(uint64(least^least>>63))) + 1
}

// SignedRange returns the range of signed numbers of some bits.
func SignedRange(n int) (least, most int64) {
	most = int64(ir.Mask(n) >> 1)
	return -most - 1, most
}

// Tight combines known bits and a range, which have a number in common.
func Tight(value, mask uint64, least, most int64, n int) Number {
	all, sign := ir.Mask(n), uint64(1)<<(n-1)
	for {
		// The bits give a range: unknown bits are all 0 or all 1, except the sign, which is reversed.
		open := all &^ mask
		least = max(least, int64(ir.SignExtend(value|open&sign, n)))
		most = min(most, int64(ir.SignExtend(value|open&^sign, n)))
		// The range gives the bits that its ends have in common at the top.
		common := all &^ ir.Mask(bits.Len64(uint64(least^most)&all))
		if common&^mask == 0 {
			return Number{value, mask, least, most, n}
		}
		value, mask = value|uint64(least)&common&^mask, mask|common
	}
}

// Bare returns k with only its known bits.
func (k Number) Bare() Number { return OfBits(k.Value, k.Mask, k.Bits) }

// OfBits returns a number of which only bits are known.
func OfBits(value, mask uint64, n int) Number {
	least, most := SignedRange(n)
	return Tight(value, mask, least, most, n)
}

// within adds a range to the facts, unless the numbers exceed the signed range.
func (k Number) within(least, most int64) Number {
	if lo, hi := SignedRange(k.Bits); least < lo || most > hi {
		return k
	}
	return Tight(k.Value, k.Mask, max(k.Least, least), min(k.Most, most), k.Bits)
}

// May reports whether the value can be v.
func (k Number) May(v uint64) bool {
	signed := int64(ir.SignExtend(v, k.Bits))
	return (k.Value^v)&k.Mask == 0 && k.Least <= signed && signed <= k.Most
}

// Unknown returns a number of which nothing is known.
func Unknown(bits int) Number { return OfBits(0, 0, bits) }

// Domain computes with Numbers. If it is Plain, a result is only known if a circuit with the unknown bits as inputs
// would find it constant. With ranges, a sum or a comparison may be known although no gate shows it.
type Domain struct{ Plain bool }

// Of returns a known number.
func Of(v uint64, bits int) Number {
	v &= ir.Mask(bits)
	signed := int64(ir.SignExtend(v, bits))
	return Number{v, ir.Mask(bits), signed, signed, bits}
}

// Unary applies an operator.
func (d Domain) Unary(op ir.UnaryOp, x Number) Number {
	if op == ir.Neg {
		return d.Binary(ir.Sub, Of(0, x.Bits), x)
	}
	return Tight(^x.Value&x.Mask, x.Mask, ^x.Most, ^x.Least, x.Bits)
}

// Binary applies an operator to two numbers of one width.
func (d Domain) Binary(op ir.BinaryOp, x, y Number) Number {
	if x.Constant() && y.Constant() {
		n := x.Bits
		if op >= ir.Eq {
			n = 1
		}
		return Of(ir.EvalBinary(op, x.Value, y.Value, x.Bits), n)
	}
	if op >= ir.Eq {
		return d.compare(op, x, y)
	}
	k := d.bitwise(op, x, y)
	if least, most, ok := between(op, x, y); ok && !d.Plain {
		return k.within(least, most)
	}
	return k
}

// compare returns the result of a comparison, one bit.
func (d Domain) compare(op ir.BinaryOp, x, y Number) Number {
	var never, surely bool
	switch op {
	case ir.Eq:
		never = (x.Value^y.Value)&x.Mask&y.Mask != 0 || x.Most < y.Least || y.Most < x.Least
	case ir.Ult:
		never, surely = x.Lowest() >= y.Highest(), x.Highest() < y.Lowest()
	case ir.Slt:
		never, surely = x.Least >= y.Most && !d.Plain, x.Most < y.Least && !d.Plain
	}
	switch {
	case never:
		return Of(0, 1)
	case surely:
		return Of(1, 1)
	}
	return Unknown(1)
}

// bitwise returns the bits of a result that follow from the bits of the operands.
func (d Domain) bitwise(op ir.BinaryOp, x, y Number) Number {
	switch op {
	case ir.BitAnd:
		zero := x.Mask&^x.Value | y.Mask&^y.Value
		one := x.Value & y.Value
		return OfBits(one, zero|one, x.Bits)
	case ir.BitOr:
		zero := x.Mask &^ x.Value & (y.Mask &^ y.Value)
		one := x.Value | y.Value
		return OfBits(one, zero|one, x.Bits)
	case ir.BitXor:
		mask := x.Mask & y.Mask
		return OfBits((x.Value^y.Value)&mask, mask, x.Bits)
	case ir.Add:
		return d.add(x, y)
	case ir.Sub:
		return d.add(x, d.add(d.Unary(ir.BitNot, y), Of(1, x.Bits)))
	case ir.Shl, ir.Shr, ir.Sar:
		if y.Constant() {
			return d.shift(op, x, y.Value)
		}
	}
	return Unknown(x.Bits)
}

// between returns the range of a result from those of the operands, as signed numbers, if it fits in 64 bits.
func between(op ir.BinaryOp, x, y Number) (least, most int64, ok bool) {
	natural := x.Least >= 0 && y.Least >= 0
	switch op {
	case ir.Add:
		return x.Least + y.Least, x.Most + y.Most, small(x, y)
	case ir.Sub:
		return x.Least - y.Most, x.Most - y.Least, small(x, y)
	case ir.Mul:
		if SignedBits(x.Least, x.Most)+SignedBits(y.Least, y.Most) > 63 {
			return 0, 0, false
		}
		ends := []int64{x.Least * y.Least, x.Least * y.Most, x.Most * y.Least, x.Most * y.Most}
		return slices.Min(ends), slices.Max(ends), true
	case ir.BitAnd:
		if natural {
			return 0, min(x.Most, y.Most), true
		}
		fallthrough
	case ir.BitOr, ir.BitXor: // not wider than the wider operand
		least, most = SignedRange(max(SignedBits(x.Least, x.Most), SignedBits(y.Least, y.Most)))
		if natural {
			least = 0
		}
		return least, most, true
	case ir.Shr:
		return x.Least >> y.Value, x.Most >> y.Value, natural && y.Constant() && y.Value < 64
	case ir.Sar:
		return x.Least >> y.Value, x.Most >> y.Value, y.Constant() && y.Value < 64
	case ir.UDiv:
		if d := y.Lowest(); d > 0 {
			least, most := x.Lowest()/y.Highest(), x.Highest()/d
			return int64(least), int64(most), most <= math.MaxInt64
		}
	case ir.URem:
		if y.Lowest() > 0 {
			most := min(x.Highest(), y.Highest()-1)
			return 0, int64(most), most <= math.MaxInt64
		}
	case ir.SDiv:
		if natural && y.Least > 0 {
			return x.Least / y.Most, x.Most / y.Least, true
		}
	case ir.SRem:
		return 0, min(x.Most, y.Most-1), natural && y.Least > 0
	}
	return 0, 0, false
}

// small reports whether sums and differences of two values fit in 64 bits.
func small(x, y Number) bool {
	const far = int64(1) << 62
	return x.Least >= -far && y.Least >= -far && x.Most < far && y.Most < far
}

// Lowest and Highest are the least and the greatest unsigned number that k represents.
func (k Number) Lowest() uint64 {
	if k.Least < 0 && k.Most >= 0 {
		return k.Value
	}
	return uint64(k.Least) & ir.Mask(k.Bits)
}

// Highest returns the highest unsigned number that k may be.
func (k Number) Highest() uint64 {
	if k.Least < 0 && k.Most >= 0 {
		return k.Value | ir.Mask(k.Bits)&^k.Mask
	}
	return uint64(k.Most) & ir.Mask(k.Bits)
}

// add goes up bit by bit, the carry unknown where it may be either.
func (Domain) add(x, y Number) Number {
	value, mask := uint64(0), uint64(0)
	carry, carryKnown := uint64(0), true
	for i := range x.Bits {
		bit := uint64(1) << i
		kx, ky := x.Mask&bit != 0, y.Mask&bit != 0
		vx, vy := x.Value>>i&1, y.Value>>i&1
		if kx && ky && carryKnown {
			sum := vx + vy + carry
			mask |= bit
			value |= sum & 1 << i
			carry = sum >> 1
			continue
		}
		// The sum bit is open; the carry is known if two agreeing inputs are.
		ones, zeros := uint64(0), uint64(0)
		count := func(k bool, v uint64) {
			if k {
				ones, zeros = ones+v, zeros+1-v
			}
		}
		count(kx, vx)
		count(ky, vy)
		count(carryKnown, carry)
		switch {
		case ones >= 2:
			carry, carryKnown = 1, true
		case zeros >= 2:
			carry, carryKnown = 0, true
		default:
			carryKnown = false
		}
	}
	return OfBits(value, mask, x.Bits)
}

func (Domain) shift(op ir.BinaryOp, x Number, n uint64) Number {
	shifted := func(v uint64) uint64 { return ir.EvalBinary(op, v, n, x.Bits) }
	if op == ir.Sar {
		return OfBits(shifted(x.Value)&shifted(x.Mask), shifted(x.Mask), x.Bits)
	}
	// What moves in from outside is 0, and known.
	unknownBits := shifted(ir.Mask(x.Bits) &^ x.Mask)
	return OfBits(shifted(x.Value), ir.Mask(x.Bits)&^unknownBits, x.Bits)
}

// Ite is x where cond is 1, and else y.
func (d Domain) Ite(cond, x, y Number) Number {
	if cond.Constant() {
		if cond.Value == 1 {
			return x
		}
		return y
	}
	k := x.Join(y)
	if d.Plain {
		return k.Bare()
	}
	return k
}

// Extract is n bits of x from lo up.
func (d Domain) Extract(x Number, lo, n int) Number {
	k := OfBits(x.Value>>lo&ir.Mask(n), x.Mask>>lo&ir.Mask(n), n)
	if lo == 0 && !d.Plain {
		return k.within(x.Least, x.Most)
	}
	return k
}

// Extend widens x to n bits, with zeros or with its sign.
func (d Domain) Extend(x Number, n int, signed bool) Number {
	high := ir.Mask(n) &^ ir.Mask(x.Bits)
	sign := uint64(1) << (x.Bits - 1)
	k := OfBits(x.Value, x.Mask, n)
	switch {
	case n == x.Bits:
		return x
	case !signed:
		k = OfBits(x.Value, x.Mask|high, n)
	case x.Mask&sign != 0:
		k = OfBits(ir.SignExtend(x.Value, x.Bits)&ir.Mask(n), x.Mask|high, n)
	}
	if !d.Plain && (signed || x.Least >= 0) {
		return k.within(x.Least, x.Most)
	}
	return k
}
