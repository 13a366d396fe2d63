package locksets

import "litmuscope/litmus/ir"

// value is what is known of a register: nothing, that it is not 0, or its number.
type value struct {
	kind   valueKind
	number uint64
}

type valueKind uint8

const (
	anything valueKind = iota
	nonzero
	number
)

func numberOf(n uint64) value { return value{number, n} }

// join is what is known of a register that has either value.
func (v value) join(o value) value {
	switch {
	case v == o:
		return v
	case v.isNonzero() && o.isNonzero():
		return value{kind: nonzero}
	}
	return value{}
}

func (v value) isNonzero() bool { return v.kind == nonzero || v.kind == number && v.number != 0 }

func (v value) is(n uint64) bool { return v.kind == number && v.number == n }

// registers are what is known of a thread's registers in some case.
type registers []value

// eval computes an expression; old is what an update reads.
func (a *Analysis) eval(e ir.Expr, regs registers, old value) value {
	switch e := e.(type) {
	case ir.Const:
		return numberOf(e.Value & ir.Mask(e.Bits))
	case ir.Reg:
		return regs[e.Index]
	case ir.Addr:
		return numberOf(a.p.Locs[e.Loc].Address & ir.Mask(e.Bits))
	case ir.Old:
		return old
	case ir.Unary:
		if x := a.eval(e.X, regs, old); x.kind == number {
			return numberOf(ir.EvalUnary(e.Op, x.number, e.Width()))
		} else if e.Op == ir.BitNot && e.Width() == 1 && x.kind == nonzero {
			return numberOf(0)
		}
	case ir.Binary:
		return evalBinary(e.Op, a.eval(e.X, regs, old), a.eval(e.Y, regs, old), e.X.Width())
	case ir.Cond:
		return a.evalCond(e, regs, old)
	case ir.Select:
		return a.evalCond(e.Cond(), regs, old)
	case ir.Extract:
		if x := a.eval(e.X, regs, old); x.kind == number {
			return numberOf(x.number >> e.Lo & ir.Mask(e.Bits))
		}
	case ir.Extend:
		x := a.eval(e.X, regs, old)
		if x.kind == number && e.Signed {
			return numberOf(ir.SignExtend(x.number, e.X.Width()) & ir.Mask(e.Bits))
		}
		return x
	}
	return value{}
}

func (a *Analysis) evalCond(e ir.Cond, regs registers, old value) value {
	then, other := a.eval(e.Then, regs, old), a.eval(e.Else, regs, old)
	switch c := a.eval(e.If, regs, old); {
	case c.isNonzero():
		return then
	case c.is(0):
		return other
	}
	return then.join(other)
}

func evalBinary(op ir.BinaryOp, x, y value, bits int) value {
	if x.kind == number && y.kind == number {
		return numberOf(ir.EvalBinary(op, x.number, y.number, bits))
	}
	all := ir.Mask(bits)
	switch {
	case op == ir.BitAnd && (x.is(0) || y.is(0)), op == ir.Eq && (x.is(0) && y.isNonzero() || y.is(0) && x.isNonzero()):
		return numberOf(0)
	case op == ir.BitOr && (x.is(all) || y.is(all)):
		return numberOf(all)
	case op == ir.BitOr && (x.isNonzero() || y.isNonzero()):
		return value{kind: nonzero}
	case op == ir.BitAnd && x.is(all):
		return y
	case op == ir.BitAnd && y.is(all), op == ir.BitOr && y.is(0):
		return x
	case op == ir.BitOr && x.is(0):
		return y
	}
	return value{}
}

// suppose adds to regs what follows if e, of one bit, is truth. It reports false if e cannot be.
func (a *Analysis) suppose(e ir.Expr, truth bool, regs registers, old value) bool {
	want := uint64(0)
	if truth {
		want = 1
	}
	switch v := a.eval(e, regs, old); {
	case v.kind == number:
		return v.number == want
	case v.kind == nonzero:
		return truth
	}
	switch e := e.(type) {
	case ir.Reg:
		regs[e.Index] = numberOf(want)
	case ir.Unary:
		if e.Op == ir.BitNot && e.X.Width() == 1 {
			return a.suppose(e.X, !truth, regs, old)
		}
	case ir.Binary:
		return a.supposeBinary(e, truth, regs, old)
	}
	return true
}

// supposeBinary is suppose of a conjunction or disjunction of bits, or of a comparison of a register with a number.
func (a *Analysis) supposeBinary(e ir.Binary, truth bool, regs registers, old value) bool {
	x, y := a.eval(e.X, regs, old), a.eval(e.Y, regs, old)
	switch {
	case e.X.Width() == 1 && (e.Op == ir.BitAnd && truth || e.Op == ir.BitOr && !truth):
		return a.suppose(e.X, truth, regs, old) && a.suppose(e.Y, truth, regs, old)
	case e.X.Width() == 1 && (e.Op == ir.BitAnd && x.is(1) || e.Op == ir.BitOr && x.is(0)):
		return a.suppose(e.Y, truth, regs, old)
	case e.X.Width() == 1 && (e.Op == ir.BitAnd && y.is(1) || e.Op == ir.BitOr && y.is(0)):
		return a.suppose(e.X, truth, regs, old)
	case e.Op == ir.Eq && e.X.Width() == 1 && y.kind == number:
		return a.suppose(e.X, truth == (y.number == 1), regs, old)
	case e.Op == ir.Eq:
		r, ok := e.X.(ir.Reg)
		switch {
		case !ok || y.kind != number:
		case truth:
			regs[r.Index] = y
		case y.number == 0:
			regs[r.Index] = value{kind: nonzero}
		}
	}
	return true
}
