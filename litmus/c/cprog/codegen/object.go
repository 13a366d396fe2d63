package codegen

import (
	"fmt"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// object returns the object that an lvalue designates. A structure that is not an lvalue, such as a call's result, is
// in temporary memory.
func (ex *expressions) object(e cc.ExpressionNode) values.Object {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		switch n.Case {
		case cc.PrimaryExpressionIdent:
			return ex.named(n)
		case cc.PrimaryExpressionExpr:
			if _, comma := n.ExpressionList.(*cc.ExpressionList); !comma {
				return ex.object(n.ExpressionList)
			}
		case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
			v := ex.literals.Of(n)
			return ex.memory.Designated(nil, n.Type().Undecay(), ex.memory.Locate(v))
		case cc.PrimaryExpressionGeneric:
			syntax.CheckType(n.GenericSelection.AssignmentExpression)
			return ex.object(n.GenericSelection.Associated().AssignmentExpression)
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			array, index := ex.evaluate(n.PostfixExpression), ex.evaluate(n.ExpressionList)
			ex.assertInArray(n.PostfixExpression, index, ex.pointsTo == n)
			p := ex.values.Pointer(n, "+", array, index)
			return ex.memory.Designated(n, ex.types.PointeeType(n, p.Type), p.X)
		case cc.PostfixExpressionSelect:
			if atomic, _ := ex.types.Qualifiers.Qualified(n.PostfixExpression); atomic {
				syntax.Failf(n, "access to a member of an atomic structure is undefined behaviour (C17, 6.5.2.3): "+
					"copy the structure first, or use atomic members")
			}
			return ex.member(n, ex.evaluate(n.PostfixExpression).X)
		case cc.PostfixExpressionPSelect:
			return ex.member(n, ex.evaluate(n.PostfixExpression).X)
		case cc.PostfixExpressionComplit:
			return ex.declarations.compound(n)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref {
			p := ex.dereferenced(n)
			return ex.memory.Designated(n, ex.types.PointeeType(n, p.Type), p.X)
		}
	}
	if t := e.Type(); layout.IsAggregate(t) {
		return ex.memory.Designated(nil, t, ex.evaluate(e).X)
	}
	syntax.Failf(e, "got a value, want an object")
	return values.Object{}
}

// dereferenced returns the operand of unary *, an address. It must be the address of an element, not the one after the
// last, unless only the address of the object is taken.
func (ex *expressions) dereferenced(n *cc.UnaryExpression) values.Operand {
	if ex.pointsTo != n {
		ex.pointsAt = syntax.Plain(n.CastExpression)
	}
	return ex.evaluate(n.CastExpression)
}

// assertInArray asserts that an index into an array that is a part of an object, as in s.a[i], m[j][i] or s.a + i, is
// within that array, because beyond it may be another part (C17, 6.5.6p8 and J.2). An array of at most one element at
// the end of a structure has any length, as in programs from before C99. If only the address is taken, it may be the
// one after the last element.
func (ex *expressions) assertInArray(array cc.ExpressionNode, index values.Operand, address bool) {
	of := syntax.Plain(array)
	t := of.Type()
	if t == nil || ex.values.Static || !cc.IsIntegerType(index.Type) {
		return
	}
	a, ok := t.Undecay().(*cc.ArrayType)
	if !ok || a.IsVLA() || a.Len() < 0 {
		return
	}
	length := uint64(a.Len())
	switch part := of.(type) {
	case *cc.PostfixExpression:
		switch part.Case {
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			if length <= 1 && syntax.IsLast(part) {
				return
			}
		case cc.PostfixExpressionIndex:
		default:
			return
		}
	case *cc.UnaryExpression:
		if part.Case != cc.UnaryExpressionDeref {
			return
		}
	default:
		return
	}
	if address {
		length++
	}
	i := code.Widen(index.X, ex.types.Pointer, layout.IsSigned(index.Type))
	if c, ok := i.(ir.Const); ok && c.Value < length {
		return
	}
	ex.build.Emit(code.Assert{
		Cond: ir.Ult.Of(i, ir.Number(length, ex.types.Pointer)), Property: ir.Memory,
		Text: fmt.Sprintf("the index is not within %s, which has %d elements", syntax.SourceOf(of), a.Len()),
	})
}

// member is a field of a structure or a union at an address.
func (ex *expressions) member(n *cc.PostfixExpression, addr ir.Expr) values.Object {
	f, at := read.Member(n)
	// The C parser may confuse members of integer types; this package computes their types itself.
	if f == nil ||
		f.Declarator() != n.Field().Declarator() && !(cc.IsIntegerType(f.Type()) && cc.IsIntegerType(n.Type())) {
		syntax.Failf(n, "the C parser may confuse this member %s with another one: rename it, or the member of the "+
			"same name in a sibling structure", n.Field().Name())
	}
	if f.IsBitfield() {
		return ex.memory.BitField(n, f, at, addr)
	}
	o := ex.memory.Designated(n, f.Type(), code.Fold(ir.Add, addr, ir.Number(uint64(at), ex.types.Pointer)))
	o.Odd = syntax.IsOdd(n, f)
	return o
}

// named is the object or the function that a name refers to.
func (ex *expressions) named(n *cc.PrimaryExpression) values.Object {
	d, ok := n.ResolvedTo().(*cc.Declarator)
	if !ok {
		syntax.Failf(n, "got %s, want an object", n.Token.SrcStr())
	}
	if b, ok := ex.locals.bindings[d]; ok {
		switch {
		case b.by != nil:
			return ex.memory.Designated(n, d.Type(), b.by)
		case b.of == nil:
			return values.Object{Type: d.Type(), Reg: b.reg}
		}
		return ex.memory.Designated(n, d.Type(), ex.memory.Locate(b.of))
	}
	if d.IsParam() {
		syntax.Failf(n, "%s has no value: the program starts with this function", d.Name())
	}
	v, t := ex.symbols.global(n, d)
	return ex.memory.Designated(n, t, ex.memory.Locate(v))
}
