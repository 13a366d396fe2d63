package syntax

import (
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/read"
)

// Root returns the local variable that an lvalue is, or is a part of.
func Root(e cc.ExpressionNode) *cc.Declarator {
	switch n := Unwrap(e).(type) {
	case *cc.PrimaryExpression:
		d, _ := n.ResolvedTo().(*cc.Declarator)
		return d
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionSelect || n.Case == cc.PostfixExpressionIndex {
			return Root(n.PostfixExpression)
		}
	}
	return nil
}

// Unwrap removes parentheses.
func Unwrap(e cc.ExpressionNode) cc.ExpressionNode {
	for {
		n, ok := e.(*cc.PrimaryExpression)
		if !ok || n.Case != cc.PrimaryExpressionExpr {
			return e
		}
		if _, comma := n.ExpressionList.(*cc.ExpressionList); comma {
			return e
		}
		e = n.ExpressionList
	}
}

// FunctionNamed returns the function that an expression names, if it does only that.
func FunctionNamed(e cc.ExpressionNode) *cc.Declarator {
	switch n := Unwrap(e).(type) {
	case *cc.PrimaryExpression:
		if d, ok := n.ResolvedTo().(*cc.Declarator); ok && n.Case == cc.PrimaryExpressionIdent &&
			d.Type().Kind() == cc.Function {
			return d
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionAddrof || n.Case == cc.UnaryExpressionDeref {
			return FunctionNamed(n.CastExpression)
		}
	}
	return nil
}

// Arguments returns the arguments of a call, in order.
func Arguments(n *cc.PostfixExpression) []cc.ExpressionNode {
	var out []cc.ExpressionNode
	for list := n.ArgumentExpressionList; list != nil; list = list.ArgumentExpressionList {
		out = append(out, list.AssignmentExpression)
	}
	return out
}

// Halves returns the operator and the operands of a binary expression. For an expression that only wraps another one, x
// is nil and y is that.
func Halves(e cc.ExpressionNode) (op cc.Token, x, y cc.ExpressionNode) {
	switch n := e.(type) {
	case *cc.MultiplicativeExpression:
		return n.Token, n.MultiplicativeExpression, n.CastExpression
	case *cc.AdditiveExpression:
		return n.Token, n.AdditiveExpression, n.MultiplicativeExpression
	case *cc.ShiftExpression:
		return n.Token, n.ShiftExpression, n.AdditiveExpression
	case *cc.RelationalExpression:
		return n.Token, n.RelationalExpression, n.ShiftExpression
	case *cc.EqualityExpression:
		return n.Token, n.EqualityExpression, n.RelationalExpression
	case *cc.AndExpression:
		return n.Token, n.AndExpression, n.EqualityExpression
	case *cc.ExclusiveOrExpression:
		return n.Token, n.ExclusiveOrExpression, n.AndExpression
	case *cc.InclusiveOrExpression:
		return n.Token, n.InclusiveOrExpression, n.ExclusiveOrExpression
	case *cc.LogicalAndExpression:
		return n.Token, n.LogicalAndExpression, n.InclusiveOrExpression
	case *cc.LogicalOrExpression:
		return n.Token, n.LogicalOrExpression, n.LogicalAndExpression
	}
	return op, nil, nil
}

// IsCall reports whether an expression is a call.
func IsCall(e cc.ExpressionNode) bool {
	n, ok := Unwrap(e).(*cc.PostfixExpression)
	return ok && n.Case == cc.PostfixExpressionCall
}

// CheckType rejects an expression whose type the C parser may have got wrong.
func CheckType(e cc.ExpressionNode) {
	if f := read.Mistaken(e); f != nil {
		Failf(e, "the C parser may confuse another member with %s and get the type wrong: rename one of them", f.Name())
	}
}

// Plain removes nodes that only wrap another expression.
func Plain(e cc.ExpressionNode) cc.ExpressionNode {
	for {
		e = Unwrap(e)
		_, x, y := Halves(e)
		switch n := e.(type) {
		case *cc.PostfixExpression:
			if n.Case != cc.PostfixExpressionPrimary {
				return e
			}
			e = n.PrimaryExpression
			continue
		case *cc.UnaryExpression:
			if n.Case != cc.UnaryExpressionPostfix {
				return e
			}
			e = n.PostfixExpression
			continue
		case *cc.CastExpression:
			if n.Case == cc.CastExpressionCast {
				return e
			}
			e = n.UnaryExpression
			continue
		case *cc.ConditionalExpression:
			if n.Case == cc.ConditionalExpressionCond {
				return e
			}
			e = n.LogicalOrExpression
			continue
		case *cc.ConstantExpression:
			e = n.ConditionalExpression
			continue
		case *cc.AssignmentExpression:
			if n.Case != cc.AssignmentExpressionCond {
				return e
			}
			e = n.ConditionalExpression
			continue
		case *cc.ExpressionList:
			if n.ExpressionList != nil {
				return e
			}
			e = n.AssignmentExpression
			continue
		}
		if y == nil || x != nil {
			return e
		}
		e = y
	}
}

// VariableOf returns the variable that an lvalue is, or is a part of, or nil if it is accessed through a pointer.
func VariableOf(e cc.ExpressionNode) *cc.Declarator {
	switch n := Plain(e).(type) {
	case *cc.PrimaryExpression:
		d, _ := n.ResolvedTo().(*cc.Declarator)
		return d
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionSelect:
			return VariableOf(n.PostfixExpression)
		case cc.PostfixExpressionIndex:
			if n.PostfixExpression.Type().Undecay().Kind() == cc.Array {
				return VariableOf(n.PostfixExpression)
			}
		}
	}
	return nil
}

// IsNull reports whether an expression is a constant null pointer.
func IsNull(e cc.ExpressionNode) bool {
	switch v := e.Value().(type) {
	case cc.Int64Value:
		return v == 0
	case cc.UInt64Value:
		return v == 0
	}
	return false
}

// HasLabels reports whether a statement can be the target of a jump from outside.
func HasLabels(s *cc.Statement) bool {
	found := false
	read.Walk(s, func(n cc.Node) bool {
		_, label := n.(*cc.LabeledStatement)
		found = found || label
		return !found
	})
	return found
}

// AddressedLabels returns the labels whose addresses a function uses.
func AddressedLabels(body cc.Node) (names []string) {
	read.Walk(body, func(n cc.Node) bool {
		if u, ok := n.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionLabelAddr &&
			!slices.Contains(names, u.Token2.SrcStr()) {
			names = append(names, u.Token2.SrcStr())
		}
		return true
	})
	return names
}
