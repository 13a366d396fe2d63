// Package nzcv computes the condition flags of Arm's instruction sets. A thread has
// them in one register of four bits, as dependencies see them: N, Z, C and V from its
// highest bit down. See the Arm Architecture Reference Manual for A-profile (DDI 0487),
// sections C1.2.4 and F1.2.
//
// The package may import litmus alone.
package nzcv

import "litmuscope/litmus"

// Bits is the width of the flags.
const Bits = 4

const (
	overflow = iota
	carry
	zero
	negative
)

// Condition is a condition code, as it is encoded.
type Condition int

// Always is the condition that holds.
const Always Condition = 14

// Conditions are the condition codes by name, in capitals.
var Conditions = map[string]Condition{
	"EQ": 0, "NE": 1, "CS": 2, "HS": 2, "CC": 3, "LO": 3, "MI": 4, "PL": 5, "VS": 6, "VC": 7,
	"HI": 8, "LS": 9, "GE": 10, "LT": 11, "GT": 12, "LE": 13, "AL": Always,
}

// Holds tells, in one bit, whether the condition holds of flags.
func (c Condition) Holds(flags litmus.Expr) litmus.Expr {
	f := func(i int) litmus.Expr { return bit(flags, i) }
	and := func(a, b litmus.Expr) litmus.Expr { return binary(litmus.BitAnd, a, b) }
	same := binary(litmus.Eq, f(negative), f(overflow))
	var e litmus.Expr
	switch c &^ 1 {
	case 0:
		e = f(zero)
	case 2:
		e = f(carry)
	case 4:
		e = f(negative)
	case 6:
		e = f(overflow)
	case 8:
		e = and(f(carry), not(f(zero)))
	case 10:
		e = same
	case 12:
		e = and(same, not(f(zero)))
	default:
		return litmus.Const{Value: 1, Bits: 1}
	}
	if c&1 == 1 { // the inverse of the code before
		return not(e)
	}
	return e
}

// Of gives the flags of result, which is a op b: for Add and Sub all four, for logical
// operations carry and overflow as given.
func Of(op litmus.BinaryOp, a, b, result, c, v litmus.Expr) litmus.Expr {
	n := result.Width()
	sign := func(e litmus.Expr) litmus.Expr { return bit(e, n-1) }
	differ := func(x, y litmus.Expr) litmus.Expr { return sign(binary(litmus.BitXor, x, y)) }
	switch op {
	case litmus.Add:
		c = binary(litmus.Ult, result, a)
		v = binary(litmus.BitAnd, differ(a, result), differ(b, result))
	case litmus.Sub: // the carry says that nothing had to be borrowed
		c = not(binary(litmus.Ult, a, b))
		v = binary(litmus.BitAnd, differ(a, b), differ(a, result))
	}
	flags := litmus.Expr(litmus.Extend{X: v, Bits: Bits})
	for i, f := range []litmus.Expr{carry: c, zero: binary(litmus.Eq, result, litmus.Const{Bits: n}), negative: sign(result)} {
		if i != overflow {
			moved := binary(litmus.Shl, litmus.Extend{X: f, Bits: Bits}, litmus.Const{Value: uint64(i), Bits: Bits})
			flags = binary(litmus.BitOr, flags, moved)
		}
	}
	return flags
}

// Carry is the carry flag's bit.
func Carry(flags litmus.Expr) litmus.Expr { return bit(flags, carry) }

// Overflow is the overflow flag's bit.
func Overflow(flags litmus.Expr) litmus.Expr { return bit(flags, overflow) }

func bit(e litmus.Expr, i int) litmus.Expr { return litmus.Extract{X: e, Lo: i, Bits: 1} }

func binary(op litmus.BinaryOp, a, b litmus.Expr) litmus.Expr {
	return litmus.Binary{Op: op, X: a, Y: b}
}

func not(e litmus.Expr) litmus.Expr { return litmus.Unary{Op: litmus.BitNot, X: e} }
