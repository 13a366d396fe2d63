package code

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// block lowers a compound statement. Where its value is wanted, that is its last expression's.
func (l *lowerer) block(n *cc.CompoundStatement, wanted bool) operand {
	for list := n.BlockItemList; list != nil; list = list.BlockItemList {
		item := list.BlockItem
		switch item.Case {
		case cc.BlockItemDecl:
			l.declaration(item.Declaration)
		case cc.BlockItemStmt:
			last := wanted && list.BlockItemList == nil
			if s := item.Statement; last && s.Case == cc.StatementExpr && s.ExpressionStatement.ExpressionList != nil {
				l.at(s)
				v := l.expr(s.ExpressionStatement.ExpressionList)
				v.x = l.settle(v.x)
				return v
			}
			l.statement(item.Statement)
		case cc.BlockItemFuncDef:
			l.failf(item, "functions within functions are not supported")
		case cc.BlockItemLabel:
			l.failf(item, "__label__ is not supported")
		}
	}
	return operand{nil, l.ast.Void}
}

func (l *lowerer) statement(n *cc.Statement) {
	switch n.Case {
	case cc.StatementLabeled:
		l.labelled(n.LabeledStatement)
	case cc.StatementCompound:
		l.inScope(func() { l.block(n.CompoundStatement, false) })
	case cc.StatementExpr:
		if e := n.ExpressionStatement.ExpressionList; e != nil {
			l.at(n)
			l.tolerate(func() { l.discard(e) })
		}
	case cc.StatementSelection:
		l.at(n)
		l.tolerate(func() { l.selection(n.SelectionStatement) })
	case cc.StatementIteration:
		l.at(n)
		l.inScope(func() { l.loop(n.IterationStatement) })
	case cc.StatementJump:
		l.at(n)
		l.tolerate(func() { l.jumpStatement(n.JumpStatement) })
	case cc.StatementAsm:
		l.at(n)
		l.inlineAsm(n.AsmStatement.Asm)
	}
}

func (l *lowerer) labelled(n *cc.LabeledStatement) {
	if n.Case == cc.LabeledStatementLabel {
		name := n.Token.SrcStr()
		if strings.HasPrefix(name, read.Async) {
			l.asynchronous(n)
			return
		}
		for _, from := range l.gotos[name] {
			l.stay(from)
		}
		l.land(l.gotos[name]...)
		delete(l.gotos, name)
		l.labels[name] = label{len(l.f.Code), slices.Clone(l.scopes)}
		l.landed = len(l.f.Code)
	} else {
		l.land(l.cases[n]...)
		delete(l.cases, n)
	}
	for _, s := range l.scopes { // who jumps here has not come by their declarations
		for _, v := range s.locals {
			l.emit(Life{Of: v})
		}
	}
	if n.Statement != nil {
		l.statement(n.Statement)
	}
}

// stay has the locals live on that a jump to this place has ended in front of it, if it has not left their scopes.
func (l *lowerer) stay(from int) {
	for i := from - 1; i >= 0; i-- {
		end, ok := l.f.Code[i].Op.(Life)
		if _, gone := l.f.Code[i].Op.(nop); !gone && (!ok || !end.Ends) {
			return
		}
		if slices.ContainsFunc(l.scopes, func(s *scope) bool { return s.declares(end) }) {
			l.f.Code[i].Op = nop{}
		}
	}
}

// declares tells whether the object whose life ends is of the scope.
func (s *scope) declares(end Life) bool {
	if at, ok := end.Array.(ir.Reg); ok {
		return slices.Contains(s.arrays, at)
	}
	return slices.Contains(s.locals, end.Of)
}

// asynchronous starts a thread that calls what the statement does.
func (l *lowerer) asynchronous(n *cc.LabeledStatement) {
	var call *cc.PostfixExpression
	if s := n.Statement; s != nil && s.Case == cc.StatementExpr && s.ExpressionStatement.ExpressionList != nil {
		call, _ = unwrap(s.ExpressionStatement.ExpressionList).(*cc.PostfixExpression)
	}
	if call == nil || call.Case != cc.PostfixExpressionCall {
		l.failf(n, "%s starts a thread: want a call of a function behind it", n.Token.SrcStr())
	}
	d := functionNamed(call.PostfixExpression)
	if d == nil || l.functionOf(d) == nil {
		l.failf(call, "%s starts a thread: want a call of a function that the program defines", n.Token.SrcStr())
	}
	l.at(n.Statement)
	t := l.find(d).definition.Declarator.Type().(*cc.FunctionType)
	args, _ := l.arguments(call, t)
	o := Spawn{Handle: -1, Fn: l.functionOf(d)}
	params := t.Parameters()
	for i, a := range args {
		if i >= len(params) || a.x == nil || aggregate(a.t) {
			l.failf(call, "argument %d of %s cannot be handed to a thread", i+1, d.Name())
		}
		o.Args = append(o.Args, a.x)
	}
	if aggregate(t.Result()) {
		l.failf(call, "%s gives a structure, which a thread cannot", d.Name())
	}
	l.emit(o)
}

func (l *lowerer) selection(n *cc.SelectionStatement) {
	if n.Case == cc.SelectionStatementSwitch {
		l.switchStatement(n)
		return
	}
	away := l.jumps(n.ExpressionList, false)
	if !l.always(away) || hasLabels(n.Statement) {
		l.statement(n.Statement)
	}
	if n.Statement2 == nil {
		l.land(away...)
		return
	}
	if len(away) == 0 && !hasLabels(n.Statement2) {
		return
	}
	out := l.jump(nil)
	l.land(away...)
	l.statement(n.Statement2)
	l.land(out)
}

// always tells whether what comes next cannot be reached past jumps that go away.
func (l *lowerer) always(jumps []int) bool {
	here := len(l.f.Code)
	if len(jumps) != 1 || jumps[0] != here-1 || l.landed == here {
		return false
	}
	b, ok := l.f.Code[jumps[0]].Op.(Branch)
	return ok && b.Cond == nil
}

// hasLabels tells whether a statement can be jumped into.
func hasLabels(s *cc.Statement) bool {
	found := false
	read.Walk(s, func(n cc.Node) bool {
		_, label := n.(*cc.LabeledStatement)
		found = found || label
		return !found
	})
	return found
}

// loop has one jump back, at its end.
func (l *lowerer) loop(n *cc.IterationStatement) {
	line := l.line
	breaks, continues, scopes := l.breaks, l.continues, l.loopScopes
	defer func() { l.breaks, l.continues, l.loopScopes = breaks, continues, scopes }()
	l.loopScopes = [2]int{len(l.scopes), len(l.scopes)}
	var out, next []int
	l.breaks, l.continues = &out, &next
	cond, after := n.ExpressionList, cc.ExpressionNode(nil)
	switch n.Case {
	case cc.IterationStatementFor:
		if n.ExpressionList != nil {
			l.discard(n.ExpressionList)
		}
		cond, after = n.ExpressionList2, n.ExpressionList3
	case cc.IterationStatementForDecl:
		l.declared(n.Declaration)
		cond, after = n.ExpressionList, n.ExpressionList2
	}
	l.line = line
	head := len(l.f.Code)
	if n.Case == cc.IterationStatementDo {
		l.statement(n.Statement)
		l.land(next...)
		l.at(n.Token2)
		out = append(out, l.back(head, l.jumps(cond, false))...)
		l.land(out...)
		return
	}
	var exits []int
	if cond != nil {
		exits = l.jumps(cond, false)
	}
	if l.always(exits) && !hasLabels(n.Statement) {
		l.land(exits...)
		return
	}
	l.statement(n.Statement)
	l.land(next...)
	l.line = line
	if after != nil {
		l.discard(after)
	}
	l.land(append(out, l.back(head, exits)...)...)
}

// back jumps to the head of a loop. Where all that comes before is the jump that leaves the loop, the two are
// one; those that still leave it are given back.
func (l *lowerer) back(head int, exits []int) []int {
	last := len(l.f.Code) - 1
	if len(exits) == 1 && exits[0] == last && last >= head && l.landed <= last {
		b, _ := l.f.Code[last].Op.(Branch)
		if b.Cond == nil {
			return exits // a loop of one round
		}
		l.f.Code[last].Op = Branch{not(b.Cond), head}
		return nil
	}
	l.emit(Branch{nil, head})
	return exits
}

func (l *lowerer) jumpStatement(n *cc.JumpStatement) {
	switch n.Case {
	case cc.JumpStatementGoto:
		l.gotoLabel(n, n.Token2.SrcStr())
	case cc.JumpStatementGotoExpr:
		l.gotoAddress(n)
	case cc.JumpStatementContinue, cc.JumpStatementBreak:
		to, scopes := l.breaks, l.loopScopes[0]
		if n.Case == cc.JumpStatementContinue {
			to, scopes = l.continues, l.loopScopes[1]
		}
		if to == nil {
			l.failf(n, "this is in no loop")
		}
		l.leaveScopes(scopes)
		*to = append(*to, l.jump(nil))
	case cc.JumpStatementReturn:
		l.returned(n)
	}
}

// gotoLabel jumps to a label, which may be yet to come.
func (l *lowerer) gotoLabel(n *cc.JumpStatement, name string) {
	if len(l.cleans) > 0 {
		l.failf(n, "a goto in a function with attribute cleanup, as %s has it, is not supported: want break, continue or return", l.cleans[0].Name())
	}
	if to, ok := l.labels[name]; ok {
		in := 0
		for in < min(len(to.scopes), len(l.scopes)) && to.scopes[in] == l.scopes[in] {
			in++
		}
		l.leaveScopes(in)
		l.emit(Branch{nil, to.at})
		return
	}
	l.leaveScopes(0) // as far as is known: see stay
	l.gotos[name] = append(l.gotos[name], l.jump(nil))
}

// gotoAddress jumps to the label whose address an expression is: one comparison after the other with those of the function whose
// address the function takes.
func (l *lowerer) gotoAddress(n *cc.JumpStatement) {
	v := l.expr(n.ExpressionList)
	l.pointeeType(n, v.t)
	to := l.keep(v.x)
	for _, name := range l.addressed {
		past := l.jump(not(fold(ir.Eq, to, ir.Number(l.labelNumber(name), l.Unit.Pointer))))
		l.gotoLabel(n, name)
		l.land(past)
	}
	l.emit(Assert{ir.Number(0, 1), ir.Undefined, "the jump is to no label of the function"})
	l.emit(Assume{Cond: ir.Number(0, 1)})
}

// addressedLabels are the labels whose address a function takes.
func addressedLabels(body cc.Node) (names []string) {
	read.Walk(body, func(n cc.Node) bool {
		if u, ok := n.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionLabelAddr && !slices.Contains(names, u.Token2.SrcStr()) {
			names = append(names, u.Token2.SrcStr())
		}
		return true
	})
	return names
}

// labelNumber is the address of labels of a name, which nothing else has: they are told apart within a function alone.
func (p *program) labelNumber(name string) uint64 {
	i := slices.Index(p.labelNames, name)
	if i < 0 {
		i = len(p.labelNames)
		p.labelNames = append(p.labelNames, name)
	}
	return uint64(i + 1)
}

func (l *lowerer) returned(n *cc.JumpStatement) {
	e := n.ExpressionList
	switch {
	case e == nil:
		l.leaveScopes(0)
		l.emit(Ret{})
	case l.result.Kind() == cc.Void:
		l.discard(e)
		l.leaveScopes(0)
		l.emit(Ret{})
	case aggregate(l.result):
		l.copy(n, l.into, l.expr(e).x, l.result, Access{})
		l.leaveScopes(0)
		l.emit(Ret{})
	default:
		x := l.convert(n, l.expr(e), l.result).x
		if len(l.cleans) > 0 {
			x = l.keep(x)
		}
		l.leaveScopes(0)
		l.emit(Ret{x})
	}
}

// switchStatement jumps to the case at hand, one comparison after the other.
func (l *lowerer) switchStatement(n *cc.SelectionStatement) {
	breaks, scopes := l.breaks, l.loopScopes[0]
	defer func() { l.breaks, l.loopScopes[0] = breaks, scopes }()
	var out []int
	l.breaks, l.loopScopes[0] = &out, len(l.scopes)
	v := l.promote(n.ExpressionList, l.expr(n.ExpressionList))
	v.x = l.keep(v.x)
	var other *cc.LabeledStatement
	for _, c := range slices.Backward(n.LabeledStatements()) {
		if c.Switch() == n && c.Case == cc.LabeledStatementDefault {
			other = c
		}
	}
	for _, c := range n.LabeledStatements() {
		if c.Switch() != n {
			continue
		}
		var bit ir.Expr
		switch c.Case {
		case cc.LabeledStatementCaseLabel:
			bit = fold(ir.Eq, v.x, l.caseValue(c, c.ConstantExpression, v.t))
		case cc.LabeledStatementRange:
			low := operand{l.caseValue(c, c.ConstantExpression, v.t), v.t}
			high := operand{l.caseValue(c, c.ConstantExpression2, v.t), v.t}
			bit = fold(ir.BitAnd, nonzero(l.compare(c, "<=", low, v).x), nonzero(l.compare(c, "<=", v, high).x))
		default:
			continue
		}
		l.cases[c] = append(l.cases[c], l.jump(bit))
	}
	away := l.jump(nil)
	if other != nil {
		l.cases[other] = append(l.cases[other], away)
	} else {
		out = append(out, away)
	}
	l.statement(n.Statement)
	l.land(out...)
}

// caseValue is the constant of a case, of the type that the switch is over.
func (l *lowerer) caseValue(n cc.Node, e cc.ExpressionNode, t cc.Type) ir.Expr {
	x := l.convert(n, l.expr(e), t).x
	if _, ok := x.(ir.Const); !ok {
		l.failf(n, "got %s, want a constant", cc.NodeSource(e))
	}
	return x
}
