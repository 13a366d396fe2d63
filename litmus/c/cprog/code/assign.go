package code

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/ir"
)

// compounds are the operators of compound assignments.
var compounds = map[cc.AssignmentExpressionCase]operator{
	cc.AssignmentExpressionMul: "*", cc.AssignmentExpressionDiv: "/", cc.AssignmentExpressionMod: "%",
	cc.AssignmentExpressionAdd: "+", cc.AssignmentExpressionSub: "-", cc.AssignmentExpressionLsh: "<<",
	cc.AssignmentExpressionRsh: ">>", cc.AssignmentExpressionAnd: "&", cc.AssignmentExpressionXor: "^",
	cc.AssignmentExpressionOr: "|",
}

// assignment evaluates the right side before it finds what is on the left, as clang does: C leaves it open.
func (l *lowerer) assignment(n *cc.AssignmentExpression) operand {
	switch n.Case {
	case cc.AssignmentExpressionCond:
		return l.expr(n.ConditionalExpression)
	case cc.AssignmentExpressionAssign:
		v := l.converting(n.AssignmentExpression)
		v.x = l.settle(v.x)
		o := l.object(n.UnaryExpression)
		return l.write(n, o, v)
	}
	v := l.expr(n.AssignmentExpression)
	l.bits(n.AssignmentExpression, v.t)
	v.x = l.settle(v.x)
	_, after := l.modify(n, l.object(n.UnaryExpression), compounds[n.Case], v)
	return after
}

// step does ++ and --, whose value is the old one where they come behind.
func (l *lowerer) step(n, of cc.ExpressionNode, op operator, behind bool) operand {
	before, after := l.modify(n, l.object(of), op, l.number(1, l.ast.Int))
	if behind {
		return before
	}
	return after
}

// modify applies an operator to an object and a value, and gives what the object was before and is after.
func (l *lowerer) modify(n cc.Node, o object, op operator, v operand) (before, after operand) {
	if !o.how.Atomic {
		now := l.read(n, o)
		before = operand{l.settle(now.x), now.t}
		return before, l.write(n, o, l.binary(n, op, now, v))
	}
	l.operated(n, o)
	overflow := l.overflow
	l.overflow = false // atomic arithmetic wraps around
	defer func() { l.overflow = overflow }()
	bits := l.bits(n, o.t)
	next := func(old ir.Expr) ir.Expr {
		return l.convert(n, l.binary(n, op, operand{old, o.t}, v), o.t).x
	}
	r := l.temp(bits)
	l.emit(Update{Dst: r, Wrote: -1, Addr: o.addr, Next: next(ir.Old{Bits: bits}), Read: o.how, Write: o.how})
	return operand{l.reg(r), o.t}, operand{next(l.reg(r)), o.t}
}
