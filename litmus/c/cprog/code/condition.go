package code

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/ir"
)

// nop is a step that turned out not to be needed; tidy takes it away.
type nop struct{}

// drop takes steps back.
func (l *lowerer) drop(steps ...int) {
	for _, i := range steps {
		l.f.Code[i].Op = nop{}
	}
}

// pure tells whether the steps from one on do nothing but to set registers that are newer than regs, some
// jumps among them aside: they may then run whether or not they are wanted.
func (l *lowerer) pure(from, regs int, aside ...int) bool {
	for i := from; i < len(l.f.Code); i++ {
		switch o := l.f.Code[i].Op.(type) {
		case nop, Locate:
		case Assign:
			if o.Dst < regs {
				return false
			}
		case Branch:
			known := false
			for _, j := range aside {
				known = known || i == j
			}
			if !known {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// shortCut does x || y where decides is true, else x && y, as a bit; by a branch only where y does something.
func (l *lowerer) shortCut(decides bool, x, y cc.ExpressionNode) ir.Expr {
	a := l.truth(x, l.expr(x))
	right := func() ir.Expr {
		return l.truth(y, l.part(y, l.expr))
	}
	value := ir.Number(0, 1)
	if decides {
		value = ir.Number(1, 1)
	}
	if a, ok := a.(ir.Const); ok {
		if a == value {
			return value
		}
		return right()
	}
	a = l.keep(a)
	r := l.temp(1)
	set := l.emit(Assign{r, value})
	away := l.jump(when(a, decides))
	regs := len(l.f.Regs)
	b := right()
	if l.pure(away+1, regs) {
		l.drop(set, away)
		if decides {
			return fold(ir.BitOr, a, b)
		}
		return fold(ir.BitAnd, a, b)
	}
	l.emit(Assign{r, b})
	l.land(away)
	return l.reg(r)
}

// when is a bit that is 1 where bit is as sense says.
func when(bit ir.Expr, sense bool) ir.Expr {
	if sense {
		return bit
	}
	return not(bit)
}

// jumps evaluates a condition and goes away where it is as sense says, by jumps that are to be landed; where it
// is not, on.
func (l *lowerer) jumps(e cc.ExpressionNode, sense bool) []int {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		if _, comma := n.ExpressionList.(*cc.ExpressionList); n.Case == cc.PrimaryExpressionExpr && !comma {
			return l.jumps(n.ExpressionList, sense)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionNot {
			return l.jumps(n.CastExpression, !sense)
		}
	case *cc.LogicalAndExpression:
		if n.Case == cc.LogicalAndExpressionLAnd {
			return l.twoJumps(n.LogicalAndExpression, n.InclusiveOrExpression, false, sense)
		}
	case *cc.LogicalOrExpression:
		if n.Case == cc.LogicalOrExpressionLOr {
			return l.twoJumps(n.LogicalOrExpression, n.LogicalAndExpression, true, sense)
		}
	}
	bit := when(l.truth(e, l.expr(e)), sense)
	if c, ok := bit.(ir.Const); ok {
		if c.Value == 0 {
			return nil
		}
		bit = nil
	}
	return []int{l.jump(bit)}
}

// twoJumps is jumps of x || y where decides is true, else of x && y.
func (l *lowerer) twoJumps(x, y cc.ExpressionNode, decides, sense bool) []int {
	first := l.jumps(x, decides)
	mark, regs := len(l.f.Code), len(l.f.Regs)
	second := l.jumps(y, sense)
	// Where y does nothing, one jump will do for both.
	if len(first) == 1 && first[0] == mark-1 && l.landed < mark && len(second) == 1 && l.pure(mark, regs, second[0]) {
		a, _ := l.f.Code[first[0]].Op.(Branch)
		b, _ := l.f.Code[second[0]].Op.(Branch)
		if a.Cond != nil && b.Cond != nil {
			l.drop(first[0])
			cond := fold(ir.BitOr, a.Cond, b.Cond)
			if sense != decides {
				cond = fold(ir.BitAnd, not(a.Cond), b.Cond)
			}
			l.f.Code[second[0]].Op = Branch{cond, -1}
			return second
		}
	}
	if sense == decides {
		return append(first, second...)
	}
	l.land(first...)
	return second
}
