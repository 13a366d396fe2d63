package codegen

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/values"
)

// compounds maps compound assignments to their operators.
var compounds = map[cc.AssignmentExpressionCase]values.Operator{
	cc.AssignmentExpressionMul: "*", cc.AssignmentExpressionDiv: "/", cc.AssignmentExpressionMod: "%",
	cc.AssignmentExpressionAdd: "+", cc.AssignmentExpressionSub: "-", cc.AssignmentExpressionLsh: "<<",
	cc.AssignmentExpressionRsh: ">>", cc.AssignmentExpressionAnd: "&", cc.AssignmentExpressionXor: "^",
	cc.AssignmentExpressionOr: "|",
}

// assignment evaluates the right side before the lvalue on the left, as clang does. C leaves the order unspecified
// (C17, 6.5.16p3).
func (ex *expressions) assignment(n *cc.AssignmentExpression) values.Operand {
	switch n.Case {
	case cc.AssignmentExpressionCond:
		return ex.evaluate(n.ConditionalExpression)
	case cc.AssignmentExpressionAssign:
		v := ex.converting(n.AssignmentExpression)
		v.X = ex.build.Snapshot(v.X)
		o := ex.object(n.UnaryExpression)
		return ex.memory.Write(n, o, v)
	}
	v := ex.evaluate(n.AssignmentExpression)
	ex.types.Bits(n.AssignmentExpression, v.Type)
	v.X = ex.build.Snapshot(v.X)
	_, after := ex.memory.Modify(n, ex.object(n.UnaryExpression), compounds[n.Case], v)
	return after
}

// step makes code for ++ and --. If behind is true, the operator is a postfix one, whose value is the old one.
func (ex *expressions) step(n, of cc.ExpressionNode, op values.Operator, behind bool) values.Operand {
	before, after := ex.memory.Modify(n, ex.object(of), op, ex.values.Number(1, ex.types.AST.Int))
	if behind {
		return before
	}
	return after
}
