package elaborate

import (
	"fmt"

	"litmuscope/litmus/ir"
)

// evaluator evaluates expressions with the facts about registers.
type evaluator struct {
	elab *elaboration
	regs *threadRegisters
}

// operandValue is an expression over a thread's registers, with its possible values.
type operandValue struct {
	x ir.Expr
	v *value
}

func constant(n uint64, bits int) operandValue {
	n &= ir.Mask(bits)
	return operandValue{ir.Number(n, bits), exactly(n)}
}

// eval translates an expression over a frame's registers to one over the thread's registers. A value that is known in
// advance becomes a number. A value that a read decides remains an expression, to keep the dependency.
func (ev *evaluator) eval(fr *frame, st *state, x ir.Expr, old *value) operandValue {
	out := ev.compute(fr, st, x, old)
	if n, ok := out.v.constant(); ok {
		if _, is := out.x.(ir.Const); !is {
			out.x = ir.Number(n, x.Width())
		}
	}
	return out
}

// compute implements eval for each kind of expression.
func (ev *evaluator) compute(fr *frame, st *state, x ir.Expr, old *value) operandValue {
	switch x := x.(type) {
	case ir.Const:
		return operandValue{x, exactly(x.Value & ir.Mask(x.Bits))}
	case ir.Reg:
		r := fr.regs[x.Index]
		return operandValue{ir.Reg{Index: r, Bits: x.Bits}, ev.regs.get(st, r)}
	case ir.Old:
		return operandValue{x, old}
	case ir.Unary:
		a := ev.eval(fr, st, x.X, old)
		return operandValue{ir.Unary{Op: x.Op, X: a.x}, ev.elab.unary(x.Op, a.v, x.Width())}
	case ir.Binary:
		return ev.operate(x.Op, ev.eval(fr, st, x.X, old), ev.eval(fr, st, x.Y, old))
	case ir.Select:
		cond := ev.eval(fr, st, x.If, old)
		out := ev.choose(cond, func() operandValue { return ev.eval(fr, st, x.Then, old) },
			func() operandValue { return ev.eval(fr, st, x.Else, old) })
		if _, known := cond.v.constant(); !known {
			c, _ := out.x.(ir.Cond)
			out.x = ir.Select{If: c.If, Then: c.Then, Else: c.Else, Open: x.Open}
		}
		return out
	case ir.Cond:
		return ev.choose(ev.eval(fr, st, x.If, old), func() operandValue { return ev.eval(fr, st, x.Then, old) },
			func() operandValue { return ev.eval(fr, st, x.Else, old) })
	case ir.Extract:
		a := ev.eval(fr, st, x.X, old)
		keep := x.Lo == 0 && a.v.mod&(a.v.mod-1) == 0
		return operandValue{
			ir.Extract{X: a.x, Lo: x.Lo, Bits: x.Bits},
			ev.elab.mapped(a.v, func(n uint64) uint64 { return n >> x.Lo & ir.Mask(x.Bits) }, keep),
		}
	case ir.Extend:
		a := ev.eval(fr, st, x.X, old)
		return operandValue{
			ir.Extend{X: a.x, Bits: x.Bits, Signed: x.Signed},
			ev.elab.mapped(a.v, func(n uint64) uint64 {
				if x.Signed {
					return ir.SignExtend(n, x.X.Width()) & ir.Mask(x.Bits)
				}
				return n
			}, true),
		}
	}
	panic(fmt.Sprintf("BUG: unknown expression %T", x))
}

// operate applies an operator to two operands.
func (ev *evaluator) operate(op ir.BinaryOp, a, b operandValue) operandValue {
	out := operandValue{ir.Binary{Op: op, X: a.x, Y: b.x}, nil}
	if a.x == b.x {
		switch op {
		case ir.Sub, ir.BitXor:
			out.v = &value{set: []uint64{0}, pure: a.v.pure, plain: true}
			return out
		case ir.Eq:
			out.v = &value{set: []uint64{1}, pure: a.v.pure, plain: true}
			return out
		}
	}
	out.v = ev.elab.binary(op, a.v, b.v, a.x.Width())
	return out
}

// choose returns one of two operands, depending on a bit.
func (ev *evaluator) choose(cond operandValue, then, otherwise func() operandValue) operandValue {
	if n, ok := cond.v.constant(); ok {
		if n == 1 {
			return then()
		}
		return otherwise()
	}
	a, b := then(), otherwise()
	v := ev.elab.join(a.v, b.v)
	switch {
	case !cond.v.may(0):
		v = a.v.impure()
	case !cond.v.may(1):
		v = b.v.impure()
	case v.pure:
		v = v.impure()
	}
	return operandValue{ir.Cond{If: cond.x, Then: a.x, Else: b.x}, v}
}

// withOld replaces ir.Old in x by the value that was read.
func withOld(x, old operandValue) operandValue {
	return operandValue{replaceOld(x.x, old.x), x.v}
}

func replaceOld(x, old ir.Expr) ir.Expr {
	switch x := x.(type) {
	case ir.Old:
		return old
	case ir.Unary:
		x.X = replaceOld(x.X, old)
		return x
	case ir.Binary:
		x.X, x.Y = replaceOld(x.X, old), replaceOld(x.Y, old)
		return x
	case ir.Select:
		x.If, x.Then, x.Else = replaceOld(x.If, old), replaceOld(x.Then, old), replaceOld(x.Else, old)
		return x
	case ir.Cond:
		x.If, x.Then, x.Else = replaceOld(x.If, old), replaceOld(x.Then, old), replaceOld(x.Else, old)
		return x
	case ir.Extract:
		x.X = replaceOld(x.X, old)
		return x
	case ir.Extend:
		x.X = replaceOld(x.X, old)
		return x
	}
	return x
}
