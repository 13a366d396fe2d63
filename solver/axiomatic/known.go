package axiomatic

import (
	"math/bits"

	"litmuscope/litmus"
)

// known is a value of which some bits are known: those in mask, as in value. It
// stands for every number that agrees with it there.
type known struct {
	value, mask uint64
	bits        int
}

func (k known) constant() bool { return k.mask == litmus.Mask(k.bits) }

// join stands for all that a or b stands for.
func (k known) join(b known) known {
	mask := k.mask & b.mask &^ (k.value ^ b.value)
	return known{k.value & mask, mask, k.bits}
}

// may tells whether the value can be v.
func (k known) may(v uint64) bool { return (k.value^v)&k.mask == 0 }

func unknown(bits int) known { return known{bits: bits} }

// knownBits is the domain of known values.
type knownBits struct{}

func (knownBits) constant(v uint64, bits int) known {
	return known{v & litmus.Mask(bits), litmus.Mask(bits), bits}
}

func (knownBits) same(x, y known) bool { return x == y && x.constant() }

func (d knownBits) unary(op litmus.UnaryOp, x known) known {
	if op == litmus.Neg {
		return d.add(d.unary(litmus.BitNot, x), d.constant(1, x.bits))
	}
	return known{^x.value & x.mask, x.mask, x.bits}
}

func (d knownBits) binary(op litmus.BinaryOp, x, y known) known {
	if x.constant() && y.constant() {
		n := x.bits
		if op >= litmus.Eq {
			n = 1
		}
		return d.constant(litmus.EvalBinary(op, x.value, y.value, x.bits), n)
	}
	switch op {
	case litmus.BitAnd:
		zero := x.mask&^x.value | y.mask&^y.value
		one := x.value & y.value
		return known{one, zero | one, x.bits}
	case litmus.BitOr:
		zero := x.mask &^ x.value & (y.mask &^ y.value)
		one := x.value | y.value
		return known{one, zero | one, x.bits}
	case litmus.BitXor:
		mask := x.mask & y.mask
		return known{(x.value ^ y.value) & mask, mask, x.bits}
	case litmus.Add:
		return d.add(x, y)
	case litmus.Sub:
		return d.add(x, d.unary(litmus.Neg, y))
	case litmus.Mul:
		// At most the sum of the operands' lengths, so many high zeros remain.
		n := bits.Len64(x.most()) + bits.Len64(y.most())
		if n >= x.bits {
			return unknown(x.bits)
		}
		return known{0, litmus.Mask(x.bits) &^ litmus.Mask(n), x.bits}
	case litmus.Shl, litmus.Shr, litmus.Sar:
		if y.constant() {
			return d.shift(op, x, y.value)
		}
		return unknown(x.bits)
	case litmus.Eq:
		if (x.value^y.value)&x.mask&y.mask != 0 {
			return d.constant(0, 1)
		}
	case litmus.Ult:
		if x.most() < y.value {
			return d.constant(1, 1)
		}
		if x.value >= y.most() {
			return d.constant(0, 1)
		}
	}
	if op >= litmus.Eq {
		return unknown(1)
	}
	return unknown(x.bits)
}

// most is the largest number that k stands for; value is the least.
func (k known) most() uint64 { return k.value | litmus.Mask(k.bits)&^k.mask }

// add goes up bit by bit, the carry unknown where it may be either.
func (knownBits) add(x, y known) known {
	out := known{bits: x.bits}
	carry, carryKnown := uint64(0), true
	for i := range x.bits {
		bit := uint64(1) << i
		kx, ky := x.mask&bit != 0, y.mask&bit != 0
		vx, vy := x.value>>i&1, y.value>>i&1
		if kx && ky && carryKnown {
			sum := vx + vy + carry
			out.mask |= bit
			out.value |= sum & 1 << i
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
	return out
}

func (knownBits) shift(op litmus.BinaryOp, x known, n uint64) known {
	shifted := func(v uint64) uint64 { return litmus.EvalBinary(op, v, n, x.bits) }
	if op == litmus.Sar {
		return known{shifted(x.value) & shifted(x.mask), shifted(x.mask), x.bits}
	}
	// What moves in from outside is 0, and known.
	unknownBits := shifted(litmus.Mask(x.bits) &^ x.mask)
	return known{shifted(x.value), litmus.Mask(x.bits) &^ unknownBits, x.bits}
}

func (knownBits) ite(cond, x, y known) known {
	if cond.constant() {
		if cond.value == 1 {
			return x
		}
		return y
	}
	return x.join(y)
}

func (knownBits) extract(x known, lo, n int) known {
	return known{x.value >> lo & litmus.Mask(n), x.mask >> lo & litmus.Mask(n), n}
}

func (knownBits) extend(x known, n int, signed bool) known {
	high := litmus.Mask(n) &^ litmus.Mask(x.bits)
	sign := uint64(1) << (x.bits - 1)
	switch {
	case !signed || x.mask&sign != 0 && x.value&sign == 0:
		return known{x.value, x.mask | high, n}
	case x.mask&sign == 0:
		return known{x.value, x.mask, n}
	}
	return known{x.value | high, x.mask | high, n}
}
