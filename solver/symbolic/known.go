package symbolic

import (
	"math/bits"

	"litmuscope/litmus/ir"
)

// Known is a value of which some bits are known: those in mask, as in value. It
// stands for every number that agrees with it there.
type Known struct {
	Value, Mask uint64
	Bits        int
}

func (k Known) Constant() bool { return k.Mask == ir.Mask(k.Bits) }

// Join stands for all that a or b stands for.
func (k Known) Join(b Known) Known {
	mask := k.Mask & b.Mask &^ (k.Value ^ b.Value)
	return Known{k.Value & mask, mask, k.Bits}
}

// may tells whether the value can be v.
func (k Known) may(v uint64) bool { return (k.Value^v)&k.Mask == 0 }

func unknown(bits int) Known { return Known{Bits: bits} }

// KnownBits computes with Known values.
type KnownBits struct{}

func (KnownBits) constant(v uint64, bits int) Known {
	return Known{v & ir.Mask(bits), ir.Mask(bits), bits}
}

func (d KnownBits) unary(op ir.UnaryOp, x Known) Known {
	if op == ir.Neg {
		return d.add(d.unary(ir.BitNot, x), d.constant(1, x.Bits))
	}
	return Known{^x.Value & x.Mask, x.Mask, x.Bits}
}

func (d KnownBits) binary(op ir.BinaryOp, x, y Known) Known {
	if x.Constant() && y.Constant() {
		n := x.Bits
		if op >= ir.Eq {
			n = 1
		}
		return d.constant(ir.EvalBinary(op, x.Value, y.Value, x.Bits), n)
	}
	switch op {
	case ir.BitAnd:
		zero := x.Mask&^x.Value | y.Mask&^y.Value
		one := x.Value & y.Value
		return Known{one, zero | one, x.Bits}
	case ir.BitOr:
		zero := x.Mask &^ x.Value & (y.Mask &^ y.Value)
		one := x.Value | y.Value
		return Known{one, zero | one, x.Bits}
	case ir.BitXor:
		mask := x.Mask & y.Mask
		return Known{(x.Value ^ y.Value) & mask, mask, x.Bits}
	case ir.Add:
		return d.add(x, y)
	case ir.Sub:
		return d.add(x, d.unary(ir.Neg, y))
	case ir.Mul:
		// At most the sum of the operands' lengths, so many high zeros remain.
		n := bits.Len64(x.most()) + bits.Len64(y.most())
		if n >= x.Bits {
			return unknown(x.Bits)
		}
		return Known{0, ir.Mask(x.Bits) &^ ir.Mask(n), x.Bits}
	case ir.Shl, ir.Shr, ir.Sar:
		if y.Constant() {
			return d.shift(op, x, y.Value)
		}
		return unknown(x.Bits)
	case ir.Eq:
		if (x.Value^y.Value)&x.Mask&y.Mask != 0 {
			return d.constant(0, 1)
		}
	case ir.Ult:
		if x.most() < y.Value {
			return d.constant(1, 1)
		}
		if x.Value >= y.most() {
			return d.constant(0, 1)
		}
	}
	if op >= ir.Eq {
		return unknown(1)
	}
	return unknown(x.Bits)
}

// most is the largest number that k stands for; value is the least.
func (k Known) most() uint64 { return k.Value | ir.Mask(k.Bits)&^k.Mask }

// add goes up bit by bit, the carry unknown where it may be either.
func (KnownBits) add(x, y Known) Known {
	out := Known{Bits: x.Bits}
	carry, carryKnown := uint64(0), true
	for i := range x.Bits {
		bit := uint64(1) << i
		kx, ky := x.Mask&bit != 0, y.Mask&bit != 0
		vx, vy := x.Value>>i&1, y.Value>>i&1
		if kx && ky && carryKnown {
			sum := vx + vy + carry
			out.Mask |= bit
			out.Value |= sum & 1 << i
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

func (KnownBits) shift(op ir.BinaryOp, x Known, n uint64) Known {
	shifted := func(v uint64) uint64 { return ir.EvalBinary(op, v, n, x.Bits) }
	if op == ir.Sar {
		return Known{shifted(x.Value) & shifted(x.Mask), shifted(x.Mask), x.Bits}
	}
	// What moves in from outside is 0, and known.
	unknownBits := shifted(ir.Mask(x.Bits) &^ x.Mask)
	return Known{shifted(x.Value), ir.Mask(x.Bits) &^ unknownBits, x.Bits}
}

func (KnownBits) ite(cond, x, y Known) Known {
	if cond.Constant() {
		if cond.Value == 1 {
			return x
		}
		return y
	}
	return x.Join(y)
}

func (KnownBits) extract(x Known, lo, n int) Known {
	return Known{x.Value >> lo & ir.Mask(n), x.Mask >> lo & ir.Mask(n), n}
}

func (KnownBits) extend(x Known, n int, signed bool) Known {
	high := ir.Mask(n) &^ ir.Mask(x.Bits)
	sign := uint64(1) << (x.Bits - 1)
	switch {
	case !signed || x.Mask&sign != 0 && x.Value&sign == 0:
		return Known{x.Value, x.Mask | high, n}
	case x.Mask&sign == 0:
		return Known{x.Value, x.Mask, n}
	}
	return Known{x.Value | high, x.Mask | high, n}
}
