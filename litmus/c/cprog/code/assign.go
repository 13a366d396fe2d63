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
func (ex *expressions) assignment(n *cc.AssignmentExpression) operand {
	switch n.Case {
	case cc.AssignmentExpressionCond:
		return ex.evaluate(n.ConditionalExpression)
	case cc.AssignmentExpressionAssign:
		v := ex.converting(n.AssignmentExpression)
		v.x = ex.build.settle(v.x)
		o := ex.object(n.UnaryExpression)
		return ex.memory.write(n, o, v)
	}
	v := ex.evaluate(n.AssignmentExpression)
	ex.types.bits(n.AssignmentExpression, v.t)
	v.x = ex.build.settle(v.x)
	_, after := ex.memory.modify(n, ex.object(n.UnaryExpression), compounds[n.Case], v)
	return after
}

// step does ++ and --, whose value is the old one where they come behind.
func (ex *expressions) step(n, of cc.ExpressionNode, op operator, behind bool) operand {
	before, after := ex.memory.modify(n, ex.object(of), op, ex.values.number(1, ex.types.ast.Int))
	if behind {
		return before
	}
	return after
}

// modify applies an operator to an object and a value, and gives what the object was before and is after.
func (mem *memory) modify(n cc.Node, o object, op operator, v operand) (before, after operand) {
	if !o.how.Atomic {
		now := mem.read(n, o)
		before = operand{mem.build.settle(now.x), now.t}
		return before, mem.write(n, o, mem.values.binary(n, op, now, v))
	}
	mem.operated(n, o)
	overflow := mem.values.overflow
	mem.values.overflow = false // atomic arithmetic wraps around
	defer func() { mem.values.overflow = overflow }()
	bits := mem.types.bits(n, o.t)
	next := func(old ir.Expr) ir.Expr {
		return mem.values.convert(n, mem.values.binary(n, op, operand{old, o.t}, v), o.t).x
	}
	r := mem.build.temp(bits)
	mem.build.emit(Update{Dst: r, Wrote: -1, Addr: o.addr, Next: next(ir.Old{Bits: bits}), Read: o.how, Write: o.how})
	return operand{mem.build.reg(r), o.t}, operand{next(mem.build.reg(r)), o.t}
}
