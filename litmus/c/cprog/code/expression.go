package code

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// expr evaluates an expression here and now, unless it has been evaluated: see order.go.
func (l *lowerer) expr(e cc.ExpressionNode) operand {
	if v, ok := l.done[e]; ok {
		return v
	}
	return l.inFull(e, func() operand { return l.evaluate(e) })
}

func (l *lowerer) evaluate(e cc.ExpressionNode) operand {
	if op, x, y := halves(e); y != nil {
		return l.both(e, op.SrcStr(), x, y)
	}
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		return l.primary(n)
	case *cc.PostfixExpression:
		return l.postfix(n)
	case *cc.UnaryExpression:
		return l.unary(n)
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionCast {
			if n.Type().Kind() == cc.Void {
				l.discard(n.CastExpression)
				return operand{nil, n.Type()}
			}
			return l.convert(n, l.converting(n.CastExpression), n.Type())
		}
		return l.expr(n.UnaryExpression)
	case *cc.ConditionalExpression:
		if n.Case == cc.ConditionalExpressionCond {
			return l.conditional(n)
		}
		return l.expr(n.LogicalOrExpression)
	case *cc.ConstantExpression:
		return l.expr(n.ConditionalExpression)
	case *cc.AssignmentExpression:
		return l.assignment(n)
	case *cc.ExpressionList:
		var last operand
		for ; n != nil; n = n.ExpressionList {
			last = l.apart(func() operand {
				if n.ExpressionList == nil {
					return l.expr(n.AssignmentExpression)
				}
				l.discard(n.AssignmentExpression)
				return operand{}
			})
		}
		return last
	}
	l.failf(e, "this expression is not supported")
	return operand{}
}

// halves are the operator and the operands of an expression of two; of one that stands for another, x is nil and y that.
func halves(e cc.ExpressionNode) (op cc.Token, x, y cc.ExpressionNode) {
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

// both does an operation on the values of two expressions, the left one's first.
func (l *lowerer) both(n cc.Node, op string, x, y cc.ExpressionNode) operand {
	if x == nil {
		return l.expr(y)
	}
	if op == "&&" || op == "||" {
		return l.boolean(l.shortCut(op == "||", x, y))
	}
	address := l.pointsAt != n
	a := l.expr(x)
	b := l.expr(y)
	if _, _, _, compares := c.Comparison(op, false); compares {
		return l.compare(n, operator(op), a, b)
	}
	if op == "+" || op == "-" {
		l.assertStaysInArray(n, op, x, y, a, b, address)
	}
	return l.binary(n, operator(op), a, b)
}

// assertStaysInArray asserts that the sum of an array and an integer is an address within that array, or, where only the
// address is taken, the one behind its last element.
func (l *lowerer) assertStaysInArray(n cc.Node, op string, x, y cc.ExpressionNode, a, b operand, address bool) {
	switch {
	case a.t.Kind() == cc.Ptr && cc.IsIntegerType(b.t):
		if op == "-" {
			b = l.negate(n, b)
		}
		l.assertInArray(x, b, address)
	case b.t.Kind() == cc.Ptr && cc.IsIntegerType(a.t):
		l.assertInArray(y, a, address)
	}
}

func (l *lowerer) primary(n *cc.PrimaryExpression) operand {
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		switch d := n.ResolvedTo().(type) {
		case *cc.Enumerator:
			return l.constant(n, d.Value(), d.Type())
		case *cc.Declarator:
			if d.Type().Kind() == cc.Function {
				return l.designator(n, d)
			}
		}
		return l.value(n, l.named(n))
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		return l.constant(n, n.Value(), n.Type())
	case cc.PrimaryExpressionExpr:
		return l.expr(n.ExpressionList)
	case cc.PrimaryExpressionStmt:
		line := l.line
		var v operand
		l.inScope(func() {
			l.scopes[len(l.scopes)-1].lasts = true
			v = l.apart(func() operand { return l.block(n.CompoundStatement, true) })
		})
		l.line = line
		return v
	case cc.PrimaryExpressionGeneric:
		l.typed(n.GenericSelection.AssignmentExpression)
		return l.expr(n.GenericSelection.Associated().AssignmentExpression)
	case cc.PrimaryExpressionFloat:
		if v, ok := n.Value().(cc.Float64Value); ok && isFloat(n.Type()) {
			return l.float(float64(v), n.Type())
		}
		l.failf(n, "floating point of this type (%s) is not supported: want double", n.Type())
	}
	return l.value(n, l.object(n))
}

// constant is a number that the type checker knows.
func (l *lowerer) constant(n cc.Node, v cc.Value, t cc.Type) operand {
	bits := l.bits(n, t)
	switch v := v.(type) {
	case cc.Int64Value:
		return operand{ir.Number(uint64(v), bits), t}
	case cc.UInt64Value:
		return operand{ir.Number(uint64(v), bits), t}
	}
	l.failf(n, "got %s, want a constant", cc.NodeSource(n))
	return operand{}
}

func (l *lowerer) postfix(n *cc.PostfixExpression) operand {
	switch n.Case {
	case cc.PostfixExpressionPrimary:
		return l.expr(n.PrimaryExpression)
	case cc.PostfixExpressionCall:
		return l.call(n)
	case cc.PostfixExpressionInc:
		return l.step(n, n.PostfixExpression, "+", true)
	case cc.PostfixExpressionDec:
		return l.step(n, n.PostfixExpression, "-", true)
	}
	return l.value(n, l.object(n))
}

func (l *lowerer) unary(n *cc.UnaryExpression) operand {
	switch n.Case {
	case cc.UnaryExpressionPostfix:
		return l.expr(n.PostfixExpression)
	case cc.UnaryExpressionInc:
		return l.step(n, n.UnaryExpression, "+", false)
	case cc.UnaryExpressionDec:
		return l.step(n, n.UnaryExpression, "-", false)
	case cc.UnaryExpressionAddrof:
		return l.address(n)
	case cc.UnaryExpressionDeref:
		p := l.dereferenced(n)
		t := l.pointeeType(n, p.t)
		if t.Kind() == cc.Function {
			return p
		}
		return l.value(n, l.memory(n, t, p.x))
	case cc.UnaryExpressionPlus:
		return l.promote(n, l.expr(n.CastExpression))
	case cc.UnaryExpressionMinus:
		return l.negate(n, l.expr(n.CastExpression))
	case cc.UnaryExpressionCpl:
		v := l.promote(n, l.expr(n.CastExpression))
		return operand{fold(ir.BitXor, v.x, ir.Number(ir.Mask(v.x.Width()), v.x.Width())), v.t}
	case cc.UnaryExpressionNot:
		return l.boolean(not(l.truth(n, l.expr(n.CastExpression))))
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
		if size, ok := l.sizeofLong(n); ok {
			return operand{size, n.Type()}
		}
		l.typed(n.UnaryExpression)
		if t := n.TypeName; t != nil {
			l.size(n, t.Type())
		}
		return l.constant(n, n.Value(), n.Type())
	case cc.UnaryExpressionLabelAddr:
		return operand{ir.Number(l.labelNumber(n.Token2.SrcStr()), l.Unit.Pointer), n.Type()}
	}
	l.failf(n, "complex numbers are not supported")
	return operand{}
}

// sizeofLong is sizeof of an array of variable length.
func (l *lowerer) sizeofLong(n *cc.UnaryExpression) (ir.Expr, bool) {
	switch n.Case {
	case cc.UnaryExpressionSizeofType:
		if a, ok := ofVariableLength(n.TypeName.Type()); ok {
			l.measure(n, a)
			return l.bytes(n, a), true
		}
	case cc.UnaryExpressionSizeofExpr:
		e := unwrap(n.UnaryExpression)
		if p, ok := e.(*cc.PrimaryExpression); ok {
			if d, ok := p.ResolvedTo().(*cc.Declarator); ok && l.locals[d].size != nil {
				return l.locals[d].size, true
			}
		}
		if a, ok := ofVariableLength(e.Type().Undecay()); ok {
			return l.bytes(n, a), true
		}
	}
	return nil, false
}

// address does unary &.
func (l *lowerer) address(n *cc.UnaryExpression) operand {
	if d := functionNamed(n.CastExpression); d != nil {
		return l.designator(n, d)
	}
	l.pointsTo = plain(n.CastExpression)
	o := l.object(n.CastExpression)
	if o.reg >= 0 {
		return operand{nil, n.Type()} // an out-argument
	}
	if _, long := ofVariableLength(o.t); long { // which cc takes for a pointer
		return operand{o.addr, o.t.Pointer()}
	}
	return operand{o.addr, n.Type()}
}

// discard evaluates an expression for what it does. Memory that is neither volatile nor atomic is not read for it.
func (l *lowerer) discard(e cc.ExpressionNode) {
	if _, ok := l.done[e]; ok {
		return
	}
	l.inFull(e, func() operand {
		l.discardHere(e)
		return operand{}
	})
}

func (l *lowerer) discardHere(e cc.ExpressionNode) {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		switch n.Case {
		case cc.PrimaryExpressionExpr:
			l.discard(n.ExpressionList)
			return
		case cc.PrimaryExpressionIdent:
			d, ok := n.ResolvedTo().(*cc.Declarator)
			if !ok || d.Type().Kind() == cc.Function {
				return
			}
			l.touch(n)
			return
		case cc.PrimaryExpressionString, cc.PrimaryExpressionFloat:
			return
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionCall:
			l.discards = n
		case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			l.touch(n)
			return
		case cc.PostfixExpressionInc:
			l.step(n, n.PostfixExpression, "+", false)
			return
		case cc.PostfixExpressionDec:
			l.step(n, n.PostfixExpression, "-", false)
			return
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref && n.Type().Kind() != cc.Ptr {
			l.touch(n)
			return
		}
	case *cc.ConditionalExpression:
		if n.Case == cc.ConditionalExpressionCond && n.ExpressionList != nil && (isCall(n.ExpressionList) || isCall(n.ConditionalExpression)) {
			l.discardEither(n)
			return
		}
	case *cc.ExpressionList:
		for ; n != nil; n = n.ExpressionList {
			l.apart(func() operand { l.discard(n.AssignmentExpression); return operand{} })
		}
		return
	}
	l.expr(e)
}

func isCall(e cc.ExpressionNode) bool {
	n, ok := unwrap(e).(*cc.PostfixExpression)
	return ok && n.Case == cc.PostfixExpressionCall
}

// discardEither does ?: as a statement, in which nothing uses what a call returns.
func (l *lowerer) discardEither(n *cc.ConditionalExpression) {
	side := func(e cc.ExpressionNode) {
		l.apart(func() operand { l.discard(unwrap(e)); return operand{} })
	}
	away := l.jumps(n.LogicalOrExpression, false)
	if !l.always(away) {
		side(n.ExpressionList)
	}
	if len(away) == 0 {
		return
	}
	out := l.jump(nil)
	l.land(away...)
	side(n.ConditionalExpression)
	l.land(out)
}

// touch finds an object, and reads it only where that can be noticed.
func (l *lowerer) touch(e cc.ExpressionNode) {
	if o := l.object(e); o.how.Atomic || o.how.Volatile {
		l.value(e, o)
	}
}

// conditional does ?:, by a branch only where a side does something.
func (l *lowerer) conditional(n *cc.ConditionalExpression) operand {
	cond := l.expr(n.LogicalOrExpression)
	bit := l.truth(n, cond)
	then := func() operand {
		if n.ExpressionList == nil { // a ?: b
			return cond
		}
		return l.part(n.ExpressionList, l.expr)
	}
	otherwise := func() operand {
		return l.part(n.ConditionalExpression, l.expr)
	}
	if c, ok := bit.(ir.Const); ok {
		if c.Value == 0 {
			b := otherwise()
			return l.convert(n, b, l.eitherType(n, b, l.unevaluated(n.ExpressionList)))
		}
		a := then()
		return l.convert(n, a, l.eitherType(n, a, l.unevaluated(n.ConditionalExpression)))
	}
	bit = l.keep(bit)
	if n.ExpressionList == nil {
		cond.x = l.keep(cond.x)
	}
	mark, regs := len(l.f.Code), len(l.f.Regs)
	away := l.jump(not(bit))
	a := then()
	set := l.emit(nop{})
	out := l.jump(nil)
	l.land(away)
	b := otherwise()
	t := l.eitherType(n, a, b)
	a, b = l.convert(n, a, t), l.convert(n, b, t)
	if l.pure(mark+1, regs, away, out) {
		l.drop(away, out)
		if t.Kind() == cc.Void {
			return operand{nil, t}
		}
		return operand{ir.Cond{If: bit, Then: a.x, Else: b.x}, t}
	}
	if t.Kind() == cc.Void {
		l.land(out)
		return operand{nil, t}
	}
	r := l.temp(a.x.Width())
	l.f.Code[set].Op = Assign{r, a.x}
	l.emit(Assign{r, b.x})
	l.land(out)
	return operand{l.reg(r), t}
}

// eitherType is the type of ?:.
func (l *lowerer) eitherType(n *cc.ConditionalExpression, a, b operand) cc.Type {
	if !cc.IsIntegerType(n.Type()) || a.t == nil || b.t == nil || !cc.IsIntegerType(a.t) || !cc.IsIntegerType(b.t) {
		return n.Type()
	}
	return l.common(n, a, b)
}

// typed has what the type checker takes an expression's type for be right.
func (l *lowerer) typed(e cc.ExpressionNode) {
	if f := read.Mistaken(e); f != nil {
		l.failf(e, "the type of this is not clear to the C parser, which may take another member for %s: want another name for either", f.Name())
	}
}

// unevaluated is an expression of which the type alone is wanted. The type checker takes what is computed of enumerations
// for an int, which it is not where they have no negative enumerators.
func (l *lowerer) unevaluated(e cc.ExpressionNode) operand {
	if e == nil {
		return operand{}
	}
	e = unwrap(e)
	if !cc.IsIntegerType(e.Type()) {
		return operand{t: e.Type()}
	}
	if c, ok := e.(*cc.ConditionalExpression); ok && c.Case == cc.ConditionalExpressionCond {
		return operand{t: l.eitherType(c, l.unevaluated(c.ExpressionList), l.unevaluated(c.ConditionalExpression))}
	}
	l.typed(e)
	op, x, y := halves(e)
	if x == nil || y == nil {
		return operand{t: e.Type()}
	}
	switch op.SrcStr() {
	case "*", "/", "%", "+", "-", "&", "|", "^":
		if a, b := l.unevaluated(x), l.unevaluated(y); cc.IsIntegerType(a.t) && cc.IsIntegerType(b.t) {
			return operand{t: l.common(e, a, b)}
		}
	case "<<", ">>":
		return operand{t: cc.IntegerPromotion(l.integer(l.unevaluated(x).t))}
	}
	return operand{t: e.Type()}
}
