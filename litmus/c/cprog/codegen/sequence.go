package codegen

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// accessed is an lvalue as an expression accesses it.
type accessed struct {
	e    cc.ExpressionNode
	name string // notation of the object; "" if only its address identifies it
	in   []conditionalPart
}

// conditionalPart is a part of an expression that is evaluated only if a condition says so: the second operand of && or
// ||, and either of the two that ?: chooses from.
type conditionalPart struct{ of, part cc.ExpressionNode }

// separate reports whether two accesses cannot race here: an expression evaluates at most one of them, or both are in
// one conditional part, which is an expression of its own when it is evaluated.
func separate(a, b []conditionalPart) bool {
	return len(a) > 0 && len(b) > 0 && a[0].of == b[0].of
}

// assertSequenced asserts, before an expression, that it has no two unsequenced accesses to one object, one of them a
// side effect (C17, 6.5p2). If one access is in a conditional part, the assertion is made where that part is evaluated.
// If both are in such parts, it is made in both, and a bit for each part records whether it has been evaluated. Objects
// are compared by their names; objects behind other pointers are not compared. The returned function removes the
// assertions of the parts.
func (eo *evaluationOrder) assertSequenced(e cc.ExpressionNode) (forget func()) {
	same := func(a, b *c.Evaluation) bool {
		x, y := a.Object.(accessed), b.Object.(accessed)
		return x.name != "" && x.name == y.name && !separate(x.in, y.in)
	}
	entered := map[cc.ExpressionNode]int{} // by part, the register of its bit
	var parts []cc.ExpressionNode
	at := func(part cc.ExpressionNode, op code.Op) {
		if eo.atParts == nil {
			eo.atParts = map[cc.ExpressionNode][]code.Op{}
		}
		eo.atParts[part] = append(eo.atParts[part], op)
		parts = append(parts, part)
	}
	enters := func(part cc.ExpressionNode) int {
		if _, ok := entered[part]; !ok {
			entered[part] = eo.build.Temp(1)
			eo.build.Emit(code.Assign{Dst: entered[part], Value: ir.Number(0, 1)})
			at(part, code.Assign{Dst: entered[part], Value: ir.Number(1, 1)})
		}
		return entered[part]
	}
	told := map[[2]cc.ExpressionNode]bool{}
	for _, r := range evaluation(e, nil).Races(same) {
		x, y := r.First.Object.(accessed), r.Second.Object.(accessed)
		a, b := innermost(x.in), innermost(y.in)
		if told[[2]cc.ExpressionNode{a, b}] {
			continue
		}
		told[[2]cc.ExpressionNode{a, b}] = true
		text := r.Text(syntax.SourceOf(y.e))
		fails := code.Assert{Cond: ir.Number(0, 1), Property: ir.Undefined, Text: text}
		switch {
		case a == nil && b == nil:
			eo.build.Emit(fails)
		case a == nil:
			at(b, fails)
		case b == nil:
			at(a, fails)
		default:
			first, second := enters(a), enters(b)
			at(a, code.Assert{Cond: code.Not(eo.build.Reg(second)), Property: ir.Undefined, Text: text})
			at(b, code.Assert{Cond: code.Not(eo.build.Reg(first)), Property: ir.Undefined, Text: text})
		}
	}
	return func() {
		for _, part := range parts {
			delete(eo.atParts, part)
		}
	}
}

// innermost returns the last of nested conditional parts, or nil.
func innermost(in []conditionalPart) cc.ExpressionNode {
	if len(in) == 0 {
		return nil
	}
	return in[len(in)-1].part
}

// part evaluates a conditional part of an expression.
func (eo *evaluationOrder) part(e cc.ExpressionNode, do func(cc.ExpressionNode) values.Operand) values.Operand {
	for _, op := range eo.atParts[e] {
		eo.build.Emit(op)
	}
	return eo.apart(func() values.Operand { return do(e) })
}

// evaluation returns an expression, inside some conditional parts, as C's sequencing rules see it.
func evaluation(e cc.ExpressionNode, in []conditionalPart) *c.Evaluation {
	all := func(of c.Sequencing, es ...cc.ExpressionNode) *c.Evaluation {
		out := &c.Evaluation{Of: of}
		for _, e := range es {
			out.Operands = append(out.Operands, evaluation(e, in))
		}
		return out
	}
	at := func(out *c.Evaluation, e cc.ExpressionNode, writes bool) *c.Evaluation {
		e = syntax.Plain(e)
		if t := e.Type(); t != nil && cc.IsScalarType(t) && t.Undecay().Kind() != cc.Array {
			out.Object, out.Writes = accessed{e, objectName(e), in}, writes
		}
		return out
	}
	part := func(of, part cc.ExpressionNode) *c.Evaluation {
		return evaluation(part, append(slices.Clip(in), conditionalPart{of, part}))
	}
	e = syntax.Plain(e)
	if op, x, y := syntax.Halves(e); y != nil {
		if op.SrcStr() == "&&" || op.SrcStr() == "||" {
			return &c.Evaluation{Of: c.InTurn, Operands: []*c.Evaluation{evaluation(x, in), part(e, y)}}
		}
		return all(c.Unsequenced, x, y)
	}
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		switch n.Case {
		case cc.PrimaryExpressionExpr: // a comma's
			return evaluation(n.ExpressionList, in)
		case cc.PrimaryExpressionIdent:
			if _, ok := n.ResolvedTo().(*cc.Declarator); ok {
				return at(all(c.Unsequenced), e, false)
			}
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionCall:
			if syntax.FunctionNamed(n.PostfixExpression) == nil {
				return all(c.Called, append(syntax.Arguments(n), n.PostfixExpression)...)
			}
			return all(c.Called, syntax.Arguments(n)...)
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return at(placing(n.PostfixExpression, in), n.PostfixExpression, true)
		case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			return at(placing(e, in), e, false)
		}
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			return at(placing(n.UnaryExpression, in), n.UnaryExpression, true)
		case cc.UnaryExpressionAddrof:
			return placing(n.CastExpression, in)
		case cc.UnaryExpressionDeref:
			return at(placing(e, in), e, false)
		case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
			return all(c.Unsequenced, n.CastExpression)
		}
	case *cc.CastExpression:
		return all(c.Unsequenced, n.CastExpression)
	case *cc.ConditionalExpression:
		either := &c.Evaluation{Of: c.OneOf}
		if n.ExpressionList != nil {
			either.Operands = append(either.Operands, part(e, n.ExpressionList))
		}
		either.Operands = append(either.Operands, part(e, n.ConditionalExpression))
		return &c.Evaluation{Of: c.InTurn, Operands: []*c.Evaluation{evaluation(n.LogicalOrExpression, in), either}}
	case *cc.AssignmentExpression:
		place := placing(n.UnaryExpression, in)
		place.Operands = append(place.Operands, evaluation(n.AssignmentExpression, in))
		return at(place, n.UnaryExpression, true)
	case *cc.ExpressionList:
		out := &c.Evaluation{Of: c.InTurn}
		for ; n != nil; n = n.ExpressionList {
			out.Operands = append(out.Operands, evaluation(n.AssignmentExpression, in))
		}
		return out
	}
	return all(c.Unsequenced)
}

// placing returns the evaluation that determines which object an lvalue designates.
func placing(e cc.ExpressionNode, in []conditionalPart) *c.Evaluation {
	of := func(es ...cc.ExpressionNode) *c.Evaluation {
		out := &c.Evaluation{}
		for _, e := range es {
			out.Operands = append(out.Operands, evaluation(e, in))
		}
		return out
	}
	switch n := syntax.Plain(e).(type) {
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionIdent {
			return of()
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			if n.PostfixExpression.Type().Undecay().Kind() == cc.Array {
				out := placing(n.PostfixExpression, in)
				out.Operands = append(out.Operands, evaluation(n.ExpressionList, in))
				return out
			}
			return of(n.PostfixExpression, n.ExpressionList)
		case cc.PostfixExpressionSelect:
			return placing(n.PostfixExpression, in)
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

// objectName returns a name for the object that an lvalue designates, or "". The name denotes the same object as long
// as no variable in it is written.
func objectName(e cc.ExpressionNode) string {
	in := func(of cc.ExpressionNode, format string, args ...any) string {
		name := objectName(of)
		if name == "" {
			return ""
		}
		return fmt.Sprintf(format, append([]any{name}, args...)...)
	}
	switch n := syntax.Plain(e).(type) {
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
			if index := objectName(n.ExpressionList); index != "" {
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
