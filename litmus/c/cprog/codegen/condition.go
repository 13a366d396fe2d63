package codegen

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// shortCut makes code for x || y if decides is true, else for x && y, and returns the result as a bit. It emits a
// branch only if y has an effect.
func (ex *expressions) shortCut(decides bool, x, y cc.ExpressionNode) ir.Expr {
	a := ex.values.Truth(x, ex.evaluate(x))
	right := func() ir.Expr {
		return ex.values.Truth(y, ex.order.part(y, ex.evaluate))
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
	a = ex.build.Keep(a)
	r := ex.build.Temp(1)
	set := ex.build.Emit(code.Assign{Dst: r, Value: value})
	away := ex.build.Jump(when(a, decides))
	regs := len(ex.build.Function.Regs)
	b := right()
	if ex.build.Pure(away+1, regs) {
		ex.build.Drop(set, away)
		if decides {
			return ex.build.Pick(a, ir.Number(1, 1), b)
		}
		return ex.build.Pick(a, b, ir.Number(0, 1))
	}
	ex.build.Emit(code.Assign{Dst: r, Value: b})
	ex.build.Land(away)
	return ex.build.Reg(r)
}

// when returns the bit, negated if sense is false.
func when(bit ir.Expr, sense bool) ir.Expr {
	if sense {
		return bit
	}
	return code.Not(bit)
}

// jumps evaluates a condition and emits jumps, without targets yet, that are taken if the condition equals sense.
func (ex *expressions) jumps(e cc.ExpressionNode, sense bool) []int {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		if _, comma := n.ExpressionList.(*cc.ExpressionList); n.Case == cc.PrimaryExpressionExpr && !comma {
			return ex.jumps(n.ExpressionList, sense)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionNot {
			return ex.jumps(n.CastExpression, !sense)
		}
	case *cc.LogicalAndExpression:
		if n.Case == cc.LogicalAndExpressionLAnd {
			return ex.twoJumps(n.LogicalAndExpression, n.InclusiveOrExpression, false, sense)
		}
	case *cc.LogicalOrExpression:
		if n.Case == cc.LogicalOrExpressionLOr {
			return ex.twoJumps(n.LogicalOrExpression, n.LogicalAndExpression, true, sense)
		}
	}
	bit := when(ex.values.Truth(e, ex.evaluate(e)), sense)
	if c, ok := bit.(ir.Const); ok {
		if c.Value == 0 {
			return nil
		}
		bit = nil
	}
	return []int{ex.build.Jump(bit)}
}

// twoJumps emits the jumps of x || y if decides is true, else of x && y.
func (ex *expressions) twoJumps(x, y cc.ExpressionNode, decides, sense bool) []int {
	first := ex.jumps(x, decides)
	mark, regs := len(ex.build.Function.Code), len(ex.build.Function.Regs)
	second := ex.jumps(y, sense)
	// If y has no effect, one jump is enough for both. It depends on y only if x does not decide.
	if len(first) == 1 && first[0] == mark-1 && ex.build.Landed < mark && len(second) == 1 &&
		ex.build.Pure(mark, regs, second[0]) {
		a, _ := ex.build.Function.Code[first[0]].Op.(code.Branch)
		b, _ := ex.build.Function.Code[second[0]].Op.(code.Branch)
		if a.Cond != nil && b.Cond != nil {
			short := ex.build.Temp(1)
			ex.build.Function.Code[first[0]].Op = code.Assign{Dst: short, Value: a.Cond}
			ex.build.Drop(second[0])
			taken := uint64(0)
			if sense == decides {
				taken = 1
			}
			return []int{ex.build.Jump(ex.build.Pick(ex.build.Reg(short), ir.Number(taken, 1), b.Cond))}
		}
	}
	if sense == decides {
		return append(first, second...)
	}
	ex.build.Land(first...)
	return second
}
