package ir

import "fmt"

// Expr is a bit-vector expression over a thread's registers. Every expression has
// a width in bits, 1 to 64.
type Expr interface {
	Width() int
}

// UnaryOp and BinaryOp are the operators of the IR. Both operands of a binary operator have the width of the result;
// the result of a comparison has one bit. Shift counts are unsigned; a count of the width or more shifts all bits out.
// Division is as in RISC-V: the quotient by 0 has all bits 1, and the remainder is the dividend; overflow wraps.
type (
	UnaryOp  int
	BinaryOp int
)

// The operators.
const (
	BitNot UnaryOp = iota
	Neg
)

// The binary operators.
const (
	Add BinaryOp = iota
	Sub
	Mul
	BitAnd
	BitOr
	BitXor
	Shl
	Shr // fills with zeros
	Sar // fills with the sign
	UDiv
	URem
	SDiv // towards 0
	SRem // with the sign of the dividend
	Eq
	Ult // unsigned less than
	Slt // signed less than
)

// The nodes of an expression.
type (
	// Const is a number.
	Const struct {
		Value uint64
		Bits  int
	}
	// Reg is a register of the thread, by index into Thread.Regs.
	Reg struct {
		Index int
		Bits  int
	}
	// Addr is the address of a location, by index into Program.Locs.
	Addr struct {
		Loc  int
		Bits int
	}
	// Old is the value that the enclosing RMW has read.
	Old struct{ Bits int }
	// Unary applies an operator to X.
	Unary struct {
		Op UnaryOp
		X  Expr
	}
	// Binary applies an operator to X and Y.
	Binary struct {
		Op   BinaryOp
		X, Y Expr
	}
	// Cond is Then if If, of one bit, is 1, and otherwise Else.
	Cond struct{ If, Then, Else Expr }
	// Select is Then if If, of one bit, is 1, and otherwise Else. It depends only on the selected operand; see Pick for
	// the dependency on If. Open says that a compiler may make a branch of it: what uses the value is ordered after the
	// reads of If by what a branch and a conditional move have in common, a control dependency. A write has it if its
	// value or address uses the Select, and all later events of the thread have it if an address does.
	Select struct {
		If, Then, Else Expr
		Open           bool
	}
	// Extract is Bits bits of X, from bit Lo up.
	Extract struct {
		X    Expr
		Lo   int
		Bits int
	}
	// Extend widens X to Bits bits, with zeros or with its sign.
	Extend struct {
		X      Expr
		Bits   int
		Signed bool
	}
)

// Cond returns the Cond that has the same value.
func (e Select) Cond() Cond { return Cond{If: e.If, Then: e.Then, Else: e.Else} }

// Width implements Expr.
func (e Const) Width() int { return e.Bits }

// Width implements Expr.
func (e Reg) Width() int { return e.Bits }

// Width implements Expr.
func (e Addr) Width() int { return e.Bits }

// Width implements Expr.
func (e Old) Width() int { return e.Bits }

// Width implements Expr.
func (e Unary) Width() int { return e.X.Width() }

// Width implements Expr.
func (e Binary) Width() int {
	if e.Op >= Eq {
		return 1
	}
	return e.X.Width()
}

// Width implements Expr.
func (e Cond) Width() int { return e.Then.Width() }

// Width implements Expr.
func (e Select) Width() int { return e.Then.Width() }

// Width implements Expr.
func (e Extract) Width() int { return e.Bits }

// Width implements Expr.
func (e Extend) Width() int { return e.Bits }

// Of applies the operator.
func (op UnaryOp) Of(x Expr) Expr { return Unary{op, x} }

// Of applies the operator to two operands of one width.
func (op BinaryOp) Of(x, y Expr) Expr { return Binary{op, x, y} }

// Number returns a constant with the low bits of v.
func Number(v uint64, bits int) Expr { return Const{v & Mask(bits), bits} }

// Not inverts every bit of e.
func Not(e Expr) Expr { return BitNot.Of(e) }

// Bit is bit i of e, counted from the low end.
func Bit(e Expr, i int) Expr { return Extract{e, i, 1} }

// Resize extends e with zeros, or truncates it, to bits.
func Resize(e Expr, bits int) Expr { return Widen(e, bits, false) }

// Widen extends e to bits with zeros or with its sign, or truncates it.
func Widen(e Expr, bits int, signed bool) Expr {
	switch w := e.Width(); {
	case w == bits:
		return e
	case w < bits:
		return Extend{e, bits, signed}
	default:
		return Extract{e, 0, bits}
	}
}

// Mask returns a number whose lowest bits are 1.
func Mask(bits int) uint64 {
	if bits >= 64 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}

// SignExtend returns the low bits of v as a signed number.
func SignExtend(v uint64, bits int) uint64 {
	return uint64(int64(v<<(64-bits)) >> (64 - bits))
}

// Fits reports whether a signed or unsigned number fits in some bits.
func Fits(v uint64, bits int) bool {
	low := v & Mask(bits)
	return v == low || v == SignExtend(low, bits)
}

// WalkExpr calls f on e and, if f returns true, on its operands from left to right.
func WalkExpr(e Expr, f func(Expr) (inside bool)) {
	if !f(e) {
		return
	}
	switch e := e.(type) {
	case Const, Reg, Addr, Old:
	case Unary:
		WalkExpr(e.X, f)
	case Binary:
		WalkExpr(e.X, f)
		WalkExpr(e.Y, f)
	case Cond:
		WalkExpr(e.If, f)
		WalkExpr(e.Then, f)
		WalkExpr(e.Else, f)
	case Select:
		WalkExpr(e.If, f)
		WalkExpr(e.Then, f)
		WalkExpr(e.Else, f)
	case Extract:
		WalkExpr(e.X, f)
	case Extend:
		WalkExpr(e.X, f)
	default:
		panic(fmt.Sprintf("BUG: unknown expression %T", e))
	}
}

// Registers calls f on every register that e reads, whether or not its value affects the result: a false dependency is
// a dependency.
func Registers(e Expr, f func(index int)) {
	WalkExpr(e, func(e Expr) bool {
		if r, ok := e.(Reg); ok {
			f(r.Index)
		}
		return true
	})
}

// Sources calls f on every Reg, Old and Select in e, but not inside a Select: these are the dependencies of e, except
// that the choice of a Select is open.
func Sources(e Expr, f func(Expr)) {
	WalkExpr(e, func(e Expr) bool {
		switch e.(type) {
		case Reg, Old:
			f(e)
		case Select:
			f(e)
			return false
		}
		return true
	})
}

// Eval computes e from the registers' values and old, the value that an RMW has read.
func (p *Program) Eval(e Expr, regs []uint64, old uint64) uint64 {
	switch e := e.(type) {
	case Const:
		return e.Value & Mask(e.Bits)
	case Reg:
		return regs[e.Index]
	case Addr:
		return p.Locs[e.Loc].Address & Mask(e.Bits)
	case Old:
		return old
	case Unary:
		return EvalUnary(e.Op, p.Eval(e.X, regs, old), e.Width())
	case Binary:
		return EvalBinary(e.Op, p.Eval(e.X, regs, old), p.Eval(e.Y, regs, old), e.X.Width())
	case Cond:
		if p.Eval(e.If, regs, old) == 1 {
			return p.Eval(e.Then, regs, old)
		}
		return p.Eval(e.Else, regs, old)
	case Select:
		return p.Eval(e.Cond(), regs, old)
	case Extract:
		return p.Eval(e.X, regs, old) >> e.Lo & Mask(e.Bits)
	case Extend:
		v := p.Eval(e.X, regs, old)
		if e.Signed {
			v = SignExtend(v, e.X.Width()) & Mask(e.Bits)
		}
		return v
	}
	panic(fmt.Sprintf("BUG: unknown expression %T", e))
}

// EvalUnary applies op to a number of the given width in bits.
func EvalUnary(op UnaryOp, x uint64, bits int) uint64 {
	if op == Neg {
		return -x & Mask(bits)
	}
	return ^x & Mask(bits)
}

// EvalBinary applies op to two numbers of the given width in bits.
func EvalBinary(op BinaryOp, x, y uint64, bits int) uint64 {
	bit := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	m := Mask(bits)
	switch op {
	case Add:
		return (x + y) & m
	case Sub:
		return (x - y) & m
	case Mul:
		return (x * y) & m
	case BitAnd:
		return x & y
	case BitOr:
		return x | y
	case BitXor:
		return x ^ y
	case Shl:
		if y >= uint64(bits) {
			return 0
		}
		return x << y & m
	case Shr:
		if y >= uint64(bits) {
			return 0
		}
		return x >> y
	case Sar:
		return uint64(int64(SignExtend(x, bits))>>min(y, 63)) & m
	case UDiv, URem, SDiv, SRem:
		return divide(op, x, y, bits)
	case Eq:
		return bit(x == y)
	case Ult:
		return bit(x < y)
	case Slt:
		return bit(int64(SignExtend(x, bits)) < int64(SignExtend(y, bits)))
	}
	panic("BUG: unknown operator")
}

func divide(op BinaryOp, x, y uint64, bits int) uint64 {
	quotient, remainder := Mask(bits), x
	switch sx, sy := int64(SignExtend(x, bits)), int64(SignExtend(y, bits)); {
	case y == 0:
	case op == UDiv || op == URem:
		quotient, remainder = x/y, x%y
	default: // in Go, dividing the smallest number by -1 wraps, as it must
		quotient, remainder = uint64(sx/sy), uint64(sx%sy)
	}
	if op == UDiv || op == SDiv {
		return quotient & Mask(bits)
	}
	return remainder & Mask(bits)
}
