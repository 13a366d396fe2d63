package symbolic

import (
	"math/bits"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/sat"
)

// Known is a value of which some bits are known: those in mask, as in value; and as a signed
// number it is from Least to Most. It stands for every number that agrees with both. Each is
// as tight as the other makes it.
type Known struct {
	Value, Mask uint64
	Least, Most int64
	Bits        int
}

func (k Known) Constant() bool { return k.Mask == ir.Mask(k.Bits) }

// Join stands for all that a or b stands for.
func (k Known) Join(b Known) Known {
	mask := k.Mask & b.Mask &^ (k.Value ^ b.Value)
	return tight(k.Value&mask, mask, min(k.Least, b.Least), max(k.Most, b.Most), k.Bits)
}

// Vec are the value's bits as literals: constants where they are known, given ones where not;
// and where fewer bits are enough, as signed, those above them are the last of these.
func (k Known) Vec(bit func(i int) sat.Lit) sat.Vec {
	v := make(sat.Vec, k.Bits)
	enough := signedBits(k.Least, k.Most)
	for i := range v {
		switch {
		case k.Mask>>i&1 == 1:
			v[i] = sat.Const(k.Value>>i&1 == 1)
		case i < enough:
			v[i] = bit(i)
		default:
			v[i] = v[enough-1]
		}
	}
	return v
}

// loosened is k, which may be more than before; then no range is known, and no bit from one on
// that was known before.
func (k Known) loosened(before Known) Known {
	if k == before {
		return k
	}
	below := k.Mask
	if lost := before.Mask &^ k.Mask; lost != 0 {
		below &= lost&-lost - 1
	}
	return ofBits(k.Value&below, below, k.Bits)
}

// signedBits is how many bits it takes for all signed numbers of a range.
func signedBits(least, most int64) int {
	return max(bits.Len64(uint64(most^most>>63)), bits.Len64(uint64(least^least>>63))) + 1
}

// signedRange are the signed numbers of some bits.
func signedRange(n int) (least, most int64) {
	most = int64(ir.Mask(n) >> 1)
	return -most - 1, most
}

// tight makes of bits and a range, which have a number in common, what is known by both.
func tight(value, mask uint64, least, most int64, n int) Known {
	all, sign := ir.Mask(n), uint64(1)<<(n-1)
	for {
		// The bits give a range: the others 0 or 1, but for the sign, which is the other way round.
		open := all &^ mask
		least = max(least, int64(ir.SignExtend(value|open&sign, n)))
		most = min(most, int64(ir.SignExtend(value|open&^sign, n)))
		// The range gives the bits that its ends have in common from the top.
		common := all &^ ir.Mask(bits.Len64(uint64(least^most)&all))
		if common&^mask == 0 {
			return Known{value, mask, least, most, n}
		}
		value, mask = value|uint64(least)&common&^mask, mask|common
	}
}

// bare is what is known of k by its bits alone.
func (k Known) bare() Known { return ofBits(k.Value, k.Mask, k.Bits) }

// ofBits knows bits alone.
func ofBits(value, mask uint64, n int) Known {
	least, most := signedRange(n)
	return tight(value, mask, least, most, n)
}

// within adds a range to what is known, where the numbers do not leave the signed ones.
func (k Known) within(least, most int64) Known {
	if lo, hi := signedRange(k.Bits); least < lo || most > hi {
		return k
	}
	return tight(k.Value, k.Mask, max(k.Least, least), min(k.Most, most), k.Bits)
}

// may tells whether the value can be v.
func (k Known) may(v uint64) bool {
	signed := int64(ir.SignExtend(v, k.Bits))
	return (k.Value^v)&k.Mask == 0 && k.Least <= signed && signed <= k.Most
}

func unknown(bits int) Known { return ofBits(0, 0, bits) }

// KnownBits computes with Known values. Where it is plain, no more comes to be known than circuits
// over their Vecs find constant: with ranges, a sum or a comparison may be known that no gate shows.
type KnownBits struct{ plain bool }

func (KnownBits) constant(v uint64, bits int) Known {
	v &= ir.Mask(bits)
	signed := int64(ir.SignExtend(v, bits))
	return Known{v, ir.Mask(bits), signed, signed, bits}
}

func (d KnownBits) unary(op ir.UnaryOp, x Known) Known {
	if op == ir.Neg {
		return d.binary(ir.Sub, d.constant(0, x.Bits), x)
	}
	return tight(^x.Value&x.Mask, x.Mask, ^x.Most, ^x.Least, x.Bits)
}

func (d KnownBits) binary(op ir.BinaryOp, x, y Known) Known {
	if x.Constant() && y.Constant() {
		n := x.Bits
		if op >= ir.Eq {
			n = 1
		}
		return d.constant(ir.EvalBinary(op, x.Value, y.Value, x.Bits), n)
	}
	if op >= ir.Eq {
		return d.compare(op, x, y)
	}
	k := d.bitwise(op, x, y)
	if least, most, ok := between(op, x, y); ok && !d.plain {
		return k.within(least, most)
	}
	return k
}

// compare is one bit.
func (d KnownBits) compare(op ir.BinaryOp, x, y Known) Known {
	var never, surely bool
	switch op {
	case ir.Eq:
		never = (x.Value^y.Value)&x.Mask&y.Mask != 0 || x.Most < y.Least || y.Most < x.Least
	case ir.Ult:
		never, surely = x.least() >= y.most(), x.most() < y.least()
	case ir.Slt:
		never, surely = x.Least >= y.Most && !d.plain, x.Most < y.Least && !d.plain
	}
	switch {
	case never:
		return d.constant(0, 1)
	case surely:
		return d.constant(1, 1)
	}
	return unknown(1)
}

// bitwise is what is known of a result by the bits of the operands.
func (d KnownBits) bitwise(op ir.BinaryOp, x, y Known) Known {
	switch op {
	case ir.BitAnd:
		zero := x.Mask&^x.Value | y.Mask&^y.Value
		one := x.Value & y.Value
		return ofBits(one, zero|one, x.Bits)
	case ir.BitOr:
		zero := x.Mask &^ x.Value & (y.Mask &^ y.Value)
		one := x.Value | y.Value
		return ofBits(one, zero|one, x.Bits)
	case ir.BitXor:
		mask := x.Mask & y.Mask
		return ofBits((x.Value^y.Value)&mask, mask, x.Bits)
	case ir.Add:
		return d.add(x, y)
	case ir.Sub:
		return d.add(x, d.add(d.unary(ir.BitNot, y), d.constant(1, x.Bits)))
	case ir.Shl, ir.Shr, ir.Sar:
		if y.Constant() {
			return d.shift(op, x, y.Value)
		}
	}
	return unknown(x.Bits)
}

// between is the range of a result by those of the operands, as signed numbers, as long as it
// fits into 64 bits.
func between(op ir.BinaryOp, x, y Known) (least, most int64, ok bool) {
	natural := x.Least >= 0 && y.Least >= 0
	switch op {
	case ir.Add:
		return x.Least + y.Least, x.Most + y.Most, small(x, y)
	case ir.Sub:
		return x.Least - y.Most, x.Most - y.Least, small(x, y)
	case ir.Mul:
		if signedBits(x.Least, x.Most)+signedBits(y.Least, y.Most) > 63 {
			return 0, 0, false
		}
		ends := []int64{x.Least * y.Least, x.Least * y.Most, x.Most * y.Least, x.Most * y.Most}
		return slices.Min(ends), slices.Max(ends), true
	case ir.BitAnd:
		if natural {
			return 0, min(x.Most, y.Most), true
		}
		fallthrough
	case ir.BitOr, ir.BitXor: // no longer than the longer one
		least, most = signedRange(max(signedBits(x.Least, x.Most), signedBits(y.Least, y.Most)))
		if natural {
			least = 0
		}
		return least, most, true
	case ir.Shr:
		return x.Least >> y.Value, x.Most >> y.Value, natural && y.Constant() && y.Value < 64
	case ir.Sar:
		return x.Least >> y.Value, x.Most >> y.Value, y.Constant() && y.Value < 64
	case ir.UDiv, ir.SDiv:
		if natural && y.Least > 0 {
			return x.Least / y.Most, x.Most / y.Least, true
		}
	case ir.URem, ir.SRem:
		return 0, min(x.Most, y.Most-1), natural && y.Least > 0
	}
	return 0, 0, false
}

// small tells whether sums and differences of two values fit into 64 bits.
func small(x, y Known) bool {
	const far = int64(1) << 62
	return x.Least >= -far && y.Least >= -far && x.Most < far && y.Most < far
}

// least and most are the ends of what k stands for as an unsigned number.
func (k Known) least() uint64 {
	if k.Least < 0 && k.Most >= 0 {
		return k.Value
	}
	return uint64(k.Least) & ir.Mask(k.Bits)
}

func (k Known) most() uint64 {
	if k.Least < 0 && k.Most >= 0 {
		return k.Value | ir.Mask(k.Bits)&^k.Mask
	}
	return uint64(k.Most) & ir.Mask(k.Bits)
}

// add goes up bit by bit, the carry unknown where it may be either.
func (KnownBits) add(x, y Known) Known {
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
	return ofBits(value, mask, x.Bits)
}

func (KnownBits) shift(op ir.BinaryOp, x Known, n uint64) Known {
	shifted := func(v uint64) uint64 { return ir.EvalBinary(op, v, n, x.Bits) }
	if op == ir.Sar {
		return ofBits(shifted(x.Value)&shifted(x.Mask), shifted(x.Mask), x.Bits)
	}
	// What moves in from outside is 0, and known.
	unknownBits := shifted(ir.Mask(x.Bits) &^ x.Mask)
	return ofBits(shifted(x.Value), ir.Mask(x.Bits)&^unknownBits, x.Bits)
}

func (d KnownBits) ite(cond, x, y Known) Known {
	if cond.Constant() {
		if cond.Value == 1 {
			return x
		}
		return y
	}
	k := x.Join(y)
	if d.plain {
		return k.bare()
	}
	return k
}

func (d KnownBits) extract(x Known, lo, n int) Known {
	k := ofBits(x.Value>>lo&ir.Mask(n), x.Mask>>lo&ir.Mask(n), n)
	if lo == 0 && !d.plain {
		return k.within(x.Least, x.Most)
	}
	return k
}

func (d KnownBits) extend(x Known, n int, signed bool) Known {
	high := ir.Mask(n) &^ ir.Mask(x.Bits)
	sign := uint64(1) << (x.Bits - 1)
	k := ofBits(x.Value, x.Mask, n)
	switch {
	case n == x.Bits:
		return x
	case !signed:
		k = ofBits(x.Value, x.Mask|high, n)
	case x.Mask&sign != 0:
		k = ofBits(ir.SignExtend(x.Value, x.Bits)&ir.Mask(n), x.Mask|high, n)
	}
	if !d.plain && (signed || x.Least >= 0) {
		return k.within(x.Least, x.Most)
	}
	return k
}
