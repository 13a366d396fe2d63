package armasm

import "litmuscope/litmus/ir"

// FlagBits is the width of the flags.
const FlagBits = 4

const (
	overflow = iota
	carry
	zero
	negative
)

// Condition is a condition code, in its encoding.
type Condition int

// Always is the condition that is always true.
const Always Condition = 14

// Conditions are the condition codes by name, in upper case.
var Conditions = map[string]Condition{
	"EQ": 0, "NE": 1, "CS": 2, "HS": 2, "CC": 3, "LO": 3, "MI": 4, "PL": 5, "VS": 6, "VC": 7,
	"HI": 8, "LS": 9, "GE": 10, "LT": 11, "GT": 12, "LE": 13, "AL": Always,
}

// Holds returns, as one bit, whether the condition is true for flags.
func (c Condition) Holds(flags ir.Expr) ir.Expr {
	f := func(i int) ir.Expr { return ir.Bit(flags, i) }
	same := ir.Eq.Of(f(negative), f(overflow))
	var e ir.Expr
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
		e = ir.BitAnd.Of(f(carry), ir.Not(f(zero)))
	case 10:
		e = same
	case 12:
		e = ir.BitAnd.Of(same, ir.Not(f(zero)))
	default:
		return ir.Const{Value: 1, Bits: 1}
	}
	if c&1 == 1 { // the inverse of the previous code
		return ir.Not(e)
	}
	return e
}

// FlagsOf returns the flags for result, which is a op b: all four for Add and Sub; for logical operations, carry and
// overflow are c and v.
func FlagsOf(op ir.BinaryOp, a, b, result, c, v ir.Expr) ir.Expr {
	switch op {
	case ir.Add:
		c = ir.Ult.Of(result, a)
		v = ir.BitAnd.Of(differ(a, result), differ(b, result))
	case ir.Sub: // the carry is set if there was no borrow
		c = ir.Not(ir.Ult.Of(a, b))
		v = ir.BitAnd.Of(differ(a, b), differ(a, result))
	}
	return flagsOf(result, c, v)
}

// AddWithCarry returns the sum of two numbers and one bit.
func AddWithCarry(a, b, carry ir.Expr) ir.Expr {
	return ir.Add.Of(ir.Add.Of(a, b), ir.Extend{X: carry, Bits: a.Width()})
}

// FlagsWithCarry returns the flags for result, which is AddWithCarry(a, b, in).
func FlagsWithCarry(a, b, in, result ir.Expr) ir.Expr {
	c := ir.BitOr.Of(ir.Ult.Of(result, a), ir.BitAnd.Of(in, ir.Eq.Of(result, a)))
	return flagsOf(result, c, ir.BitAnd.Of(differ(a, result), differ(b, result)))
}

func sign(e ir.Expr) ir.Expr { return ir.Bit(e, e.Width()-1) }

// differ returns whether two numbers have different signs.
func differ(x, y ir.Expr) ir.Expr { return sign(ir.BitXor.Of(x, y)) }

// flagsOf assembles the flags of a result.
func flagsOf(result, c, v ir.Expr) ir.Expr {
	flags := ir.Expr(ir.Extend{X: v, Bits: FlagBits})
	for i, f := range []ir.Expr{
		carry: c, zero: ir.Eq.Of(result, ir.Number(0, result.Width())),
		negative: sign(result),
	} {
		if i != overflow {
			moved := ir.Shl.Of(ir.Extend{X: f, Bits: FlagBits}, ir.Number(uint64(i), FlagBits))
			flags = ir.BitOr.Of(flags, moved)
		}
	}
	return flags
}

// Carry returns the carry flag.
func Carry(flags ir.Expr) ir.Expr { return ir.Bit(flags, carry) }

// Overflow returns the overflow flag.
func Overflow(flags ir.Expr) ir.Expr { return ir.Bit(flags, overflow) }
