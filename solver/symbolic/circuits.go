package symbolic

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/known"
	"litmuscope/solver/sat"
)

// Circuits is the domain of bit-vectors of literals.
type Circuits struct{ *sat.Circuit }

func (Circuits) constant(v uint64, bits int) sat.Vec { return sat.ConstVec(v, bits) }

func (Circuits) same(x, y sat.Vec) bool { return slices.Equal(x, y) }

func (d Circuits) unary(op ir.UnaryOp, x sat.Vec) sat.Vec {
	if op == ir.Neg {
		return d.Sub(sat.ConstVec(0, len(x)), x)
	}
	return d.NotVec(x)
}

// binary builds the circuit of an operator on two vectors of equal width; comparisons give one bit. Shift amounts count
// as unsigned.
func (d Circuits) binary(op ir.BinaryOp, x, y sat.Vec) sat.Vec {
	switch op {
	case ir.Add:
		return d.Add(x, y, sat.False)
	case ir.Sub:
		return d.Sub(x, y)
	case ir.Mul:
		return d.Mul(x, y)
	case ir.BitAnd:
		return d.AndVec(x, y)
	case ir.BitOr:
		return d.OrVec(x, y)
	case ir.BitXor:
		return d.XorVec(x, y)
	case ir.Shl:
		return d.Shift(x, y, true, sat.False)
	case ir.Shr:
		return d.Shift(x, y, false, sat.False)
	case ir.Sar:
		return d.Shift(x, y, false, x[len(x)-1])
	case ir.UDiv, ir.URem:
		return d.divide(op == ir.UDiv, x, y)
	case ir.SDiv, ir.SRem:
		return d.divideSigned(op == ir.SDiv, x, y)
	case ir.Eq:
		return sat.Vec{d.EqualVec(x, y)}
	case ir.Ult:
		return sat.Vec{d.Less(x, y)}
	case ir.Slt:
		return sat.Vec{d.LessSigned(x, y)}
	}
	panic("BUG: unknown operator")
}

func (d Circuits) ite(cond, x, y sat.Vec) sat.Vec { return d.IteVec(cond[0], x, y) }

func (Circuits) extract(x sat.Vec, lo, bits int) sat.Vec { return x[lo : lo+bits : lo+bits] }

func (Circuits) extend(x sat.Vec, bits int, signed bool) sat.Vec {
	out := make(sat.Vec, bits)
	fill := sat.False
	if signed {
		fill = x[len(x)-1]
	}
	for i := copy(out, x); i < bits; i++ {
		out[i] = fill
	}
	return out
}

// divide gives the quotient or the remainder.
func (d Circuits) divide(quotient bool, x, y sat.Vec) sat.Vec {
	q, r := d.Divide(x, y)
	if quotient {
		return q
	}
	return r
}

// divideSigned divides without the signs, which the quotient has the product of and the
// remainder the dividend's.
func (d Circuits) divideSigned(quotient bool, x, y sat.Vec) sat.Vec {
	sign := len(x) - 1
	negated := func(negative sat.Lit, v sat.Vec) sat.Vec { return d.IteVec(negative, d.unary(ir.Neg, v), v) }
	q, r := d.Divide(negated(x[sign], x), negated(y[sign], y))
	if !quotient {
		return negated(x[sign], r)
	}
	none := d.EqualVec(y, sat.ConstVec(0, len(y)))
	return d.IteVec(none, sat.ConstVec(ir.Mask(len(y)), len(y)), negated(d.Xor(x[sign], y[sign]), q))
}

// Vec are a value's bits as literals: constants for known bits, the given literals for the others; and where fewer bits
// are enough, as signed, those above them are the last of these.
func Vec(k known.Number, bit func(i int) sat.Lit) sat.Vec {
	v := make(sat.Vec, k.Bits)
	enough := known.SignedBits(k.Least, k.Most)
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
