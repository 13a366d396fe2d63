package codegen

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// expressions makes code for expressions and finds the objects that lvalues designate.
type expressions struct {
	program      *program
	build        *code.Builder
	types        *layout.Types
	values       *values.Arithmetic
	memory       *values.Memory
	literals     *values.Literals
	symbols      *symbols
	locals       *locals
	flow         *flow
	order        *evaluationOrder
	calls        *calls
	declarations *declarations
	statements   *statements
	pointsTo     cc.ExpressionNode // the expression of which only the address is taken, if any
	pointsAt     cc.ExpressionNode // the address through which an object is accessed, if any
}

// evaluate returns the value of an expression. If the expression is an action that is already evaluated (order.go), it
// returns that value.
func (ex *expressions) evaluate(e cc.ExpressionNode) values.Operand {
	if v, ok := ex.order.done[e]; ok {
		return v
	}
	return ex.order.inFull(e, func() values.Operand { return ex.evaluateHere(e) })
}

// evaluateHere makes code for an expression at this point. Operators with two operands go to both; each kind of node
// has its own function.
func (ex *expressions) evaluateHere(e cc.ExpressionNode) values.Operand {
	if op, x, y := syntax.Halves(e); y != nil {
		return ex.both(e, op.SrcStr(), x, y)
	}
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		return ex.primary(n)
	case *cc.PostfixExpression:
		return ex.postfix(n)
	case *cc.UnaryExpression:
		return ex.unary(n)
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionCast {
			if n.Type().Kind() == cc.Void {
				ex.discard(n.CastExpression)
				return values.Of(nil, n.Type())
			}
			return ex.values.Convert(n, ex.converting(n.CastExpression), n.Type())
		}
		return ex.evaluate(n.UnaryExpression)
	case *cc.ConditionalExpression:
		if n.Case == cc.ConditionalExpressionCond {
			return ex.conditional(n)
		}
		return ex.evaluate(n.LogicalOrExpression)
	case *cc.ConstantExpression:
		return ex.evaluate(n.ConditionalExpression)
	case *cc.AssignmentExpression:
		return ex.assignment(n)
	case *cc.ExpressionList:
		var last values.Operand
		for ; n != nil; n = n.ExpressionList {
			last = ex.order.apart(func() values.Operand {
				if n.ExpressionList == nil {
					return ex.evaluate(n.AssignmentExpression)
				}
				ex.discard(n.AssignmentExpression)
				return values.Operand{}
			})
		}
		return last
	}
	syntax.Failf(e, "this expression is not supported")
	return values.Operand{}
}

// both applies an operator to two expressions and evaluates the left one first.
func (ex *expressions) both(n cc.Node, op string, x, y cc.ExpressionNode) values.Operand {
	if x == nil {
		return ex.evaluate(y)
	}
	if op == "&&" || op == "||" {
		return ex.values.Boolean(ex.shortCut(op == "||", x, y))
	}
	address := ex.pointsAt != n
	a := ex.evaluate(x)
	b := ex.evaluate(y)
	if _, _, _, compares := c.Comparison(op, false); compares {
		return ex.values.Compare(n, values.Operator(op), a, b)
	}
	if op == "+" || op == "-" {
		ex.assertStaysInArray(n, op, x, y, a, b, address)
	}
	return ex.values.Binary(n, values.Operator(op), a, b)
}

// assertStaysInArray asserts that the sum of an array and an integer is an address in the array. If only the address is
// taken, it may be the one after the last element (C17, 6.5.6p8).
func (ex *expressions) assertStaysInArray(
	n cc.Node, op string, x, y cc.ExpressionNode, a, b values.Operand, address bool,
) {
	switch {
	case a.Type.Kind() == cc.Ptr && cc.IsIntegerType(b.Type):
		if op == "-" {
			b = ex.values.Negate(n, b)
		}
		ex.assertInArray(x, b, address)
	case b.Type.Kind() == cc.Ptr && cc.IsIntegerType(a.Type):
		ex.assertInArray(y, a, address)
	}
}

// primary makes code for a constant, a string, a name or an expression in parentheses (C17, 6.5.1).
func (ex *expressions) primary(n *cc.PrimaryExpression) values.Operand {
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		switch d := n.ResolvedTo().(type) {
		case *cc.Enumerator:
			return ex.constant(n, d.Value(), d.Type())
		case *cc.Declarator:
			if d.Type().Kind() == cc.Function {
				return ex.calls.designator(n, d)
			}
		}
		return ex.memory.Value(n, ex.named(n))
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		return ex.constant(n, n.Value(), n.Type())
	case cc.PrimaryExpressionExpr:
		return ex.evaluate(n.ExpressionList)
	case cc.PrimaryExpressionStmt:
		line := ex.build.Line
		var v values.Operand
		ex.flow.inScope(func() {
			ex.flow.scopes[len(ex.flow.scopes)-1].lasts = true
			v = ex.order.apart(func() values.Operand { return ex.statements.block(n.CompoundStatement, true) })
		})
		ex.build.Line = line
		return v
	case cc.PrimaryExpressionGeneric:
		syntax.CheckType(n.GenericSelection.AssignmentExpression)
		return ex.evaluate(n.GenericSelection.Associated().AssignmentExpression)
	case cc.PrimaryExpressionFloat:
		if v, ok := n.Value().(cc.Float64Value); ok && layout.IsFloat(n.Type()) {
			return ex.values.Float(float64(v), n.Type())
		}
		syntax.Failf(n, "floating point of this type (%s) is not supported: use double", n.Type())
	}
	return ex.memory.Value(n, ex.object(n))
}

// constant is a value that the type checker has computed.
func (ex *expressions) constant(n cc.Node, v cc.Value, t cc.Type) values.Operand {
	bits := ex.types.Bits(n, t)
	switch v := v.(type) {
	case cc.Int64Value:
		return values.Of(ir.Number(uint64(v), bits), t)
	case cc.UInt64Value:
		return values.Of(ir.Number(uint64(v), bits), t)
	}
	syntax.Failf(n, "got %s, want a constant", cc.NodeSource(n))
	return values.Operand{}
}

func (ex *expressions) postfix(n *cc.PostfixExpression) values.Operand {
	switch n.Case {
	case cc.PostfixExpressionPrimary:
		return ex.evaluate(n.PrimaryExpression)
	case cc.PostfixExpressionCall:
		return ex.calls.call(n)
	case cc.PostfixExpressionInc:
		return ex.step(n, n.PostfixExpression, "+", true)
	case cc.PostfixExpressionDec:
		return ex.step(n, n.PostfixExpression, "-", true)
	}
	return ex.memory.Value(n, ex.object(n))
}

// unary makes code for operators with one operand (C17, 6.5.3).
func (ex *expressions) unary(n *cc.UnaryExpression) values.Operand {
	switch n.Case {
	case cc.UnaryExpressionPostfix:
		return ex.evaluate(n.PostfixExpression)
	case cc.UnaryExpressionInc:
		return ex.step(n, n.UnaryExpression, "+", false)
	case cc.UnaryExpressionDec:
		return ex.step(n, n.UnaryExpression, "-", false)
	case cc.UnaryExpressionAddrof:
		return ex.address(n)
	case cc.UnaryExpressionDeref:
		p := ex.dereferenced(n)
		t := ex.types.PointeeType(n, p.Type)
		if t.Kind() == cc.Function {
			return p
		}
		return ex.memory.Value(n, ex.memory.Designated(n, t, p.X))
	case cc.UnaryExpressionPlus:
		return ex.values.Promote(n, ex.evaluate(n.CastExpression))
	case cc.UnaryExpressionMinus:
		return ex.values.Negate(n, ex.evaluate(n.CastExpression))
	case cc.UnaryExpressionCpl:
		v := ex.values.Promote(n, ex.evaluate(n.CastExpression))
		return values.Of(code.Fold(ir.BitXor, v.X, ir.Number(ir.Mask(v.X.Width()), v.X.Width())), v.Type)
	case cc.UnaryExpressionNot:
		return ex.values.Boolean(code.Not(ex.values.Truth(n, ex.evaluate(n.CastExpression))))
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr,
		cc.UnaryExpressionAlignofType:
		if size, ok := ex.sizeofLong(n); ok {
			return values.Of(size, n.Type())
		}
		syntax.CheckType(n.UnaryExpression)
		if t := n.TypeName; t != nil {
			ex.types.Size(n, t.Type())
		}
		return ex.constant(n, n.Value(), n.Type())
	case cc.UnaryExpressionLabelAddr:
		return values.Of(ir.Number(ex.program.labelNumber(n.Token2.SrcStr()), ex.types.Pointer), n.Type())
	}
	syntax.Failf(n, "complex numbers are not supported")
	return values.Operand{}
}

// sizeofLong is sizeof for an array of variable length.
func (ex *expressions) sizeofLong(n *cc.UnaryExpression) (ir.Expr, bool) {
	switch n.Case {
	case cc.UnaryExpressionSizeofType:
		if a, ok := layout.OfVariableLength(n.TypeName.Type()); ok {
			ex.declarations.measure(n, a)
			return ex.values.Bytes(n, a), true
		}
	case cc.UnaryExpressionSizeofExpr:
		e := syntax.Unwrap(n.UnaryExpression)
		if p, ok := e.(*cc.PrimaryExpression); ok {
			if d, ok := p.ResolvedTo().(*cc.Declarator); ok && ex.locals.bindings[d].size != nil {
				return ex.locals.bindings[d].size, true
			}
		}
		if a, ok := layout.OfVariableLength(e.Type().Undecay()); ok {
			return ex.values.Bytes(n, a), true
		}
	}
	return nil, false
}

// address makes code for unary &.
func (ex *expressions) address(n *cc.UnaryExpression) values.Operand {
	if d := syntax.FunctionNamed(n.CastExpression); d != nil {
		return ex.calls.designator(n, d)
	}
	ex.pointsTo = syntax.Plain(n.CastExpression)
	o := ex.object(n.CastExpression)
	if o.Reg >= 0 {
		return values.Of(nil, n.Type()) // an out-argument
	}
	if _, long := layout.OfVariableLength(o.Type); long { // the C parser treats it as a pointer
		return values.Of(o.Addr, o.Type.Pointer())
	}
	return values.Of(o.Addr, n.Type())
}

// discard evaluates an expression for its effects only. It does not read objects that are neither volatile nor atomic.
func (ex *expressions) discard(e cc.ExpressionNode) {
	if _, ok := ex.order.done[e]; ok {
		return
	}
	ex.order.inFull(e, func() values.Operand {
		ex.discardHere(e)
		return values.Operand{}
	})
}

// discardHere implements discard for each kind of node: it evaluates operands with effects and omits computations and
// plain reads.
func (ex *expressions) discardHere(e cc.ExpressionNode) {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		switch n.Case {
		case cc.PrimaryExpressionExpr:
			ex.discard(n.ExpressionList)
			return
		case cc.PrimaryExpressionIdent:
			d, ok := n.ResolvedTo().(*cc.Declarator)
			if !ok || d.Type().Kind() == cc.Function {
				return
			}
			ex.touch(n)
			return
		case cc.PrimaryExpressionString, cc.PrimaryExpressionFloat:
			return
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionCall:
			ex.calls.discards = n
		case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			ex.touch(n)
			return
		case cc.PostfixExpressionInc:
			ex.step(n, n.PostfixExpression, "+", false)
			return
		case cc.PostfixExpressionDec:
			ex.step(n, n.PostfixExpression, "-", false)
			return
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref && n.Type().Kind() != cc.Ptr {
			ex.touch(n)
			return
		}
	case *cc.ConditionalExpression:
		if n.Case == cc.ConditionalExpressionCond && n.ExpressionList != nil &&
			(syntax.IsCall(n.ExpressionList) || syntax.IsCall(n.ConditionalExpression)) {
			ex.discardEither(n)
			return
		}
	case *cc.ExpressionList:
		for ; n != nil; n = n.ExpressionList {
			ex.order.apart(func() values.Operand { ex.discard(n.AssignmentExpression); return values.Operand{} })
		}
		return
	}
	ex.evaluate(e)
}

// discardEither makes code for ?: as a statement, where the results of calls are not used.
func (ex *expressions) discardEither(n *cc.ConditionalExpression) {
	side := func(e cc.ExpressionNode) {
		ex.order.apart(func() values.Operand { ex.discard(syntax.Unwrap(e)); return values.Operand{} })
	}
	away := ex.jumps(n.LogicalOrExpression, false)
	if !ex.build.Always(away) {
		side(n.ExpressionList)
	}
	if len(away) == 0 {
		return
	}
	out := ex.build.Jump(nil)
	ex.build.Land(away...)
	side(n.ConditionalExpression)
	ex.build.Land(out)
}

// touch determines an object, and reads it only if the read is observable.
func (ex *expressions) touch(e cc.ExpressionNode) {
	if o := ex.object(e); o.How.Atomic || o.How.Volatile {
		ex.memory.Value(e, o)
	}
}

// conditional makes code for ?:, with a branch only if an operand has an effect.
func (ex *expressions) conditional(n *cc.ConditionalExpression) values.Operand {
	cond := ex.evaluate(n.LogicalOrExpression)
	bit := ex.values.Truth(n, cond)
	then := func() values.Operand {
		if n.ExpressionList == nil { // a ?: b
			return cond
		}
		return ex.order.part(n.ExpressionList, ex.evaluate)
	}
	otherwise := func() values.Operand {
		return ex.order.part(n.ConditionalExpression, ex.evaluate)
	}
	if c, ok := bit.(ir.Const); ok {
		if c.Value == 0 {
			b := otherwise()
			return ex.values.Convert(n, b, ex.eitherType(n, b, ex.unevaluated(n.ExpressionList)))
		}
		a := then()
		return ex.values.Convert(n, a, ex.eitherType(n, a, ex.unevaluated(n.ConditionalExpression)))
	}
	bit = ex.build.Keep(bit)
	if n.ExpressionList == nil {
		cond.X = ex.build.Keep(cond.X)
	}
	mark, regs := len(ex.build.Function.Code), len(ex.build.Function.Regs)
	away := ex.build.Jump(code.Not(bit))
	a := then()
	set := ex.build.Emit(code.Nop{})
	out := ex.build.Jump(nil)
	ex.build.Land(away)
	b := otherwise()
	t := ex.eitherType(n, a, b)
	a, b = ex.values.Convert(n, a, t), ex.values.Convert(n, b, t)
	if ex.build.Pure(mark+1, regs, away, out) {
		ex.build.Drop(away, out)
		if t.Kind() == cc.Void {
			return values.Of(nil, t)
		}
		return values.Of(ex.build.Pick(bit, a.X, b.X), t)
	}
	if t.Kind() == cc.Void {
		ex.build.Land(out)
		return values.Of(nil, t)
	}
	r := ex.build.Temp(a.X.Width())
	ex.build.Function.Code[set].Op = code.Assign{Dst: r, Value: a.X}
	ex.build.Emit(code.Assign{Dst: r, Value: b.X})
	ex.build.Land(out)
	return values.Of(ex.build.Reg(r), t)
}

// eitherType is the type of ?: (C17, 6.5.15).
func (ex *expressions) eitherType(n *cc.ConditionalExpression, a, b values.Operand) cc.Type {
	if !cc.IsIntegerType(n.Type()) || a.Type == nil || b.Type == nil || !cc.IsIntegerType(a.Type) ||
		!cc.IsIntegerType(b.Type) {
		return n.Type()
	}
	return ex.values.Common(n, a, b)
}

// unevaluated returns an expression's type only. The type checker gives computations with enumerations the type int,
// which is wrong for enumerations without negative enumerators.
func (ex *expressions) unevaluated(e cc.ExpressionNode) values.Operand {
	if e == nil {
		return values.Operand{}
	}
	e = syntax.Unwrap(e)
	if !cc.IsIntegerType(e.Type()) {
		return values.Operand{Type: e.Type()}
	}
	if c, ok := e.(*cc.ConditionalExpression); ok && c.Case == cc.ConditionalExpressionCond {
		return values.Operand{
			Type: ex.eitherType(c, ex.unevaluated(c.ExpressionList), ex.unevaluated(c.ConditionalExpression)),
		}
	}
	syntax.CheckType(e)
	op, x, y := syntax.Halves(e)
	if x == nil || y == nil {
		return values.Operand{Type: e.Type()}
	}
	switch op.SrcStr() {
	case "*", "/", "%", "+", "-", "&", "|", "^":
		if a, b := ex.unevaluated(x), ex.unevaluated(y); cc.IsIntegerType(a.Type) && cc.IsIntegerType(b.Type) {
			return values.Operand{Type: ex.values.Common(e, a, b)}
		}
	case "<<", ">>":
		return values.Operand{Type: cc.IntegerPromotion(ex.types.Integer(ex.unevaluated(x).Type))}
	}
	return values.Operand{Type: e.Type()}
}

// converting evaluates an expression whose value is converted at once.
func (ex *expressions) converting(e cc.ExpressionNode) values.Operand {
	ex.memory.Converted = syntax.Unwrap(e)
	return ex.evaluate(e)
}
