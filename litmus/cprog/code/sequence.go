package code

import (
	"fmt"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// accessed is an lvalue as an expression accesses it.
type accessed struct {
	e    cc.ExpressionNode
	name string // which object it is, in the program's words; "" where only its address says so
}

// assertSequenced says, before an expression, that no two of its accesses to one object are in no order, one of them a side
// effect (C17, 6.5p2). Which objects are one is known by their names; objects that are found by other pointers are not
// compared.
func (l *lowerer) assertSequenced(e cc.ExpressionNode) {
	same := func(a, b *c.Evaluation) bool {
		x, y := a.Object.(accessed), b.Object.(accessed)
		return x.name != "" && x.name == y.name
	}
	tree := l.evaluation(e)
	if races := tree.Races(same); len(races) > 0 {
		name := shorten(squeeze(cc.NodeSource(races[0].Second.Object.(accessed).e)))
		l.emit(Assert{ir.Number(0, 1), ir.Undefined, races[0].Text(name)})
	}
}

// evaluation is an expression as C's rules of sequencing see it. What a condition decides is left out: it is an expression of
// its own, where it is come to.
func (l *lowerer) evaluation(e cc.ExpressionNode) *c.Evaluation {
	all := func(of c.Sequencing, es ...cc.ExpressionNode) *c.Evaluation {
		out := &c.Evaluation{Of: of}
		for _, e := range es {
			out.Operands = append(out.Operands, l.evaluation(e))
		}
		return out
	}
	at := func(out *c.Evaluation, e cc.ExpressionNode, writes bool) *c.Evaluation {
		e = plain(e)
		if t := e.Type(); t != nil && cc.IsScalarType(t) && t.Undecay().Kind() != cc.Array {
			out.Object, out.Writes = accessed{e: e, name: l.objectName(e)}, writes
		}
		return out
	}
	e = plain(e)
	if op, x, y := halves(e); y != nil {
		if op.SrcStr() == "&&" || op.SrcStr() == "||" {
			return all(c.InTurn, x)
		}
		return all(c.Unsequenced, x, y)
	}
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		if _, ok := n.ResolvedTo().(*cc.Declarator); ok && n.Case == cc.PrimaryExpressionIdent {
			return at(all(c.Unsequenced), e, false)
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionCall:
			if functionNamed(n.PostfixExpression) == nil {
				return all(c.Called, append(arguments(n), n.PostfixExpression)...)
			}
			return all(c.Called, arguments(n)...)
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return at(l.placing(n.PostfixExpression), n.PostfixExpression, true)
		case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			return at(l.placing(e), e, false)
		}
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			return at(l.placing(n.UnaryExpression), n.UnaryExpression, true)
		case cc.UnaryExpressionAddrof:
			return l.placing(n.CastExpression)
		case cc.UnaryExpressionDeref:
			return at(l.placing(e), e, false)
		case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
			return all(c.Unsequenced, n.CastExpression)
		}
	case *cc.CastExpression:
		return all(c.Unsequenced, n.CastExpression)
	case *cc.ConditionalExpression:
		return all(c.InTurn, n.LogicalOrExpression)
	case *cc.AssignmentExpression:
		place := l.placing(n.UnaryExpression)
		place.Operands = append(place.Operands, l.evaluation(n.AssignmentExpression))
		return at(place, n.UnaryExpression, true)
	}
	return all(c.Unsequenced)
}

// placing is how it is found what an lvalue designates.
func (l *lowerer) placing(e cc.ExpressionNode) *c.Evaluation {
	of := func(es ...cc.ExpressionNode) *c.Evaluation {
		out := &c.Evaluation{}
		for _, e := range es {
			out.Operands = append(out.Operands, l.evaluation(e))
		}
		return out
	}
	switch n := plain(e).(type) {
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionIdent {
			return of()
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			if n.PostfixExpression.Type().Undecay().Kind() == cc.Array {
				out := l.placing(n.PostfixExpression)
				out.Operands = append(out.Operands, l.evaluation(n.ExpressionList))
				return out
			}
			return of(n.PostfixExpression, n.ExpressionList)
		case cc.PostfixExpressionSelect:
			return l.placing(n.PostfixExpression)
		case cc.PostfixExpressionPSelect:
			return of(n.PostfixExpression)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref {
			return of(n.CastExpression)
		}
	}
	return of(e)
}

// objectName is a name for what an lvalue designates, the same for the same object as long as nothing in it is written; ""
// where there is none.
func (l *lowerer) objectName(e cc.ExpressionNode) string {
	in := func(of cc.ExpressionNode, format string, args ...any) string {
		name := l.objectName(of)
		if name == "" {
			return ""
		}
		return fmt.Sprintf(format, append([]any{name}, args...)...)
	}
	switch n := plain(e).(type) {
	case *cc.PrimaryExpression:
		d, ok := n.ResolvedTo().(*cc.Declarator)
		switch {
		case n.Case == cc.PrimaryExpressionInt:
			return n.Token.SrcStr()
		case !ok || n.Case != cc.PrimaryExpressionIdent:
			return ""
		case d.Linkage() == cc.None:
			return fmt.Sprintf("%s@%p", d.Name(), d)
		}
		return d.Name()
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			if index := l.objectName(n.ExpressionList); index != "" {
				return in(n.PostfixExpression, "%s[%s]", index)
			}
		case cc.PostfixExpressionSelect:
			return in(n.PostfixExpression, "%s.%s", n.Token2.SrcStr())
		case cc.PostfixExpressionPSelect:
			return in(n.PostfixExpression, "%s->%s", n.Token2.SrcStr())
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref {
			return in(n.CastExpression, "(*%s)")
		}
	}
	return ""
}
