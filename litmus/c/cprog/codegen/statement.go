package codegen

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// statements makes code for statements.
type statements struct {
	program      *program
	build        *code.Builder
	types        *layout.Types
	values       *values.Arithmetic
	memory       *values.Memory
	symbols      *symbols
	flow         *flow
	position     *position
	expressions  *expressions
	calls        *calls
	declarations *declarations
	result       cc.Type  // type of the function's result
	into         ir.Expr  // address for a returned structure, which the caller passes
	addressed    []string // labels whose address the function takes
}

// block makes code for a compound statement. If its value is wanted, that is the value of its last expression (a GCC
// extension).
func (st *statements) block(n *cc.CompoundStatement, wanted bool) values.Operand {
	for list := n.BlockItemList; list != nil; list = list.BlockItemList {
		item := list.BlockItem
		switch item.Case {
		case cc.BlockItemDecl:
			st.declarations.declaration(item.Declaration)
		case cc.BlockItemStmt:
			last := wanted && list.BlockItemList == nil
			if s := item.Statement; last && s.Case == cc.StatementExpr && s.ExpressionStatement.ExpressionList != nil {
				st.position.at(s)
				v := st.expressions.evaluate(s.ExpressionStatement.ExpressionList)
				v.X = st.build.Snapshot(v.X)
				return v
			}
			st.statement(item.Statement)
		case cc.BlockItemFuncDef:
			syntax.Failf(item, "nested functions are not supported")
		case cc.BlockItemLabel:
			syntax.Failf(item, "__label__ is not supported")
		}
	}
	return values.Of(nil, st.types.AST.Void)
}

func (st *statements) statement(n *cc.Statement) {
	switch n.Case {
	case cc.StatementLabeled:
		st.labelled(n.LabeledStatement)
	case cc.StatementCompound:
		st.flow.inScope(func() { st.block(n.CompoundStatement, false) })
	case cc.StatementExpr:
		if e := n.ExpressionStatement.ExpressionList; e != nil {
			st.position.at(n)
			st.program.tolerate(func() { st.expressions.discard(e) })
		}
	case cc.StatementSelection:
		st.position.at(n)
		st.program.tolerate(func() { st.selection(n.SelectionStatement) })
	case cc.StatementIteration:
		st.position.at(n)
		st.flow.inScope(func() { st.loop(n.IterationStatement) })
	case cc.StatementJump:
		st.position.at(n)
		st.program.tolerate(func() { st.jumpStatement(n.JumpStatement) })
	case cc.StatementAsm:
		st.position.at(n)
		st.inlineAsm(n.AsmStatement.Asm)
	}
}

// labelled makes code for a statement with a label or a case, and starts a thread for a statement marked by read.Async.
func (st *statements) labelled(n *cc.LabeledStatement) {
	if n.Case == cc.LabeledStatementLabel {
		name := n.Token.SrcStr()
		if strings.HasPrefix(name, read.Async) {
			st.asynchronous(n)
			return
		}
		for _, from := range st.flow.gotos[name] {
			st.flow.stay(from)
		}
		st.build.Land(st.flow.gotos[name]...)
		delete(st.flow.gotos, name)
		st.flow.labels[name] = label{len(st.build.Function.Code), slices.Clone(st.flow.scopes)}
		st.build.Landed = len(st.build.Function.Code)
	} else {
		st.build.Land(st.flow.cases[n]...)
		delete(st.flow.cases, n)
	}
	for _, s := range st.flow.scopes { // a jump here skips their declarations
		for _, v := range s.locals {
			st.build.Emit(code.Life{Of: v})
		}
	}
	if n.Statement != nil {
		st.statement(n.Statement)
	}
}

// asynchronous starts a thread that makes the call in the statement.
func (st *statements) asynchronous(n *cc.LabeledStatement) {
	var call *cc.PostfixExpression
	if s := n.Statement; s != nil && s.Case == cc.StatementExpr && s.ExpressionStatement.ExpressionList != nil {
		call, _ = syntax.Unwrap(s.ExpressionStatement.ExpressionList).(*cc.PostfixExpression)
	}
	if call == nil || call.Case != cc.PostfixExpressionCall {
		syntax.Failf(n, "%s starts a thread: want a call of a function after it", n.Token.SrcStr())
	}
	d := syntax.FunctionNamed(call.PostfixExpression)
	if d == nil || st.symbols.functionOf(d) == nil {
		syntax.Failf(call, "%s starts a thread: want a call of a function that the program defines", n.Token.SrcStr())
	}
	st.position.at(n.Statement)
	t := st.symbols.find(d).definition.Declarator.Type().(*cc.FunctionType)
	args, _ := st.calls.arguments(call, t)
	o := code.Spawn{Handle: -1, Fn: st.symbols.functionOf(d)}
	params := t.Parameters()
	for i, a := range args {
		if i >= len(params) || a.X == nil || layout.IsAggregate(a.Type) {
			syntax.Failf(call, "argument %d of %s cannot be passed to a thread", i+1, d.Name())
		}
		o.Args = append(o.Args, a.X)
	}
	if layout.IsAggregate(t.Result()) {
		syntax.Failf(call, "%s returns a structure, which a thread cannot", d.Name())
	}
	st.build.Emit(o)
}

func (st *statements) selection(n *cc.SelectionStatement) {
	if n.Case == cc.SelectionStatementSwitch {
		st.switchStatement(n)
		return
	}
	away := st.expressions.jumps(n.ExpressionList, false)
	if !st.build.Always(away) || syntax.HasLabels(n.Statement) {
		st.statement(n.Statement)
	}
	if n.Statement2 == nil {
		st.build.Land(away...)
		return
	}
	if len(away) == 0 && !syntax.HasLabels(n.Statement2) {
		return
	}
	out := st.build.Jump(nil)
	st.build.Land(away...)
	st.statement(n.Statement2)
	st.build.Land(out)
}

// loop makes code for a loop, with exactly one backward jump, at its end.
func (st *statements) loop(n *cc.IterationStatement) {
	line := st.build.Line
	breaks, continues, scopes := st.flow.breaks, st.flow.continues, st.flow.loopScopes
	defer func() { st.flow.breaks, st.flow.continues, st.flow.loopScopes = breaks, continues, scopes }()
	st.flow.loopScopes = [2]int{len(st.flow.scopes), len(st.flow.scopes)}
	var out, next []int
	st.flow.breaks, st.flow.continues = &out, &next
	cond, after := n.ExpressionList, cc.ExpressionNode(nil)
	switch n.Case {
	case cc.IterationStatementFor:
		if n.ExpressionList != nil {
			st.expressions.discard(n.ExpressionList)
		}
		cond, after = n.ExpressionList2, n.ExpressionList3
	case cc.IterationStatementForDecl:
		st.declarations.declared(n.Declaration)
		cond, after = n.ExpressionList, n.ExpressionList2
	}
	st.build.Line = line
	head := len(st.build.Function.Code)
	if n.Case == cc.IterationStatementDo {
		st.statement(n.Statement)
		st.build.Land(next...)
		st.position.at(n.Token2)
		out = append(out, st.build.Back(head, st.expressions.jumps(cond, false))...)
		st.build.Land(out...)
		return
	}
	var exits []int
	if cond != nil {
		exits = st.expressions.jumps(cond, false)
	}
	if st.build.Always(exits) && !syntax.HasLabels(n.Statement) {
		st.build.Land(exits...)
		return
	}
	st.statement(n.Statement)
	st.build.Land(next...)
	st.build.Line = line
	if after != nil {
		st.expressions.discard(after)
	}
	st.build.Land(append(out, st.build.Back(head, exits)...)...)
}

func (st *statements) jumpStatement(n *cc.JumpStatement) {
	switch n.Case {
	case cc.JumpStatementGoto:
		st.flow.gotoLabel(n, n.Token2.SrcStr())
	case cc.JumpStatementGotoExpr:
		st.gotoAddress(n)
	case cc.JumpStatementContinue, cc.JumpStatementBreak:
		to, scopes := st.flow.breaks, st.flow.loopScopes[0]
		if n.Case == cc.JumpStatementContinue {
			to, scopes = st.flow.continues, st.flow.loopScopes[1]
		}
		if to == nil {
			syntax.Failf(n, "this is outside a loop")
		}
		st.flow.leaveScopes(scopes)
		*to = append(*to, st.build.Jump(nil))
	case cc.JumpStatementReturn:
		st.returned(n)
	}
}

// gotoAddress jumps to a label by its address (a GCC extension): it compares the address with each label whose address
// the function takes.
func (st *statements) gotoAddress(n *cc.JumpStatement) {
	v := st.expressions.evaluate(n.ExpressionList)
	st.types.PointeeType(n, v.Type)
	to := st.build.Keep(v.X)
	for _, name := range st.addressed {
		past := st.build.Jump(code.Not(code.Fold(ir.Eq, to, ir.Number(st.program.labelNumber(name), st.types.Pointer))))
		st.flow.gotoLabel(n, name)
		st.build.Land(past)
	}
	st.build.Emit(code.Assert{
		Cond: ir.Number(0, 1), Property: ir.Undefined, Text: "the jump is to no label of the function",
	})
	st.build.Emit(code.Assume{Cond: ir.Number(0, 1)})
}

// labelNumber returns the number that is the address of the labels with a name. Only labels of one function are
// compared.
func (p *program) labelNumber(name string) uint64 {
	i := slices.Index(p.labelNames, name)
	if i < 0 {
		i = len(p.labelNames)
		p.labelNames = append(p.labelNames, name)
	}
	return uint64(i + 1)
}

func (st *statements) returned(n *cc.JumpStatement) {
	e := n.ExpressionList
	switch {
	case e == nil:
		st.flow.leaveScopes(0)
		st.build.Emit(code.Ret{})
	case st.result.Kind() == cc.Void:
		st.expressions.discard(e)
		st.flow.leaveScopes(0)
		st.build.Emit(code.Ret{})
	case layout.IsAggregate(st.result):
		st.memory.Copy(n, st.into, st.expressions.evaluate(e).X, st.result, code.Access{})
		st.flow.leaveScopes(0)
		st.build.Emit(code.Ret{})
	default:
		x := st.values.Convert(n, st.expressions.evaluate(e), st.result).X
		if len(st.flow.cleans) > 0 {
			x = st.build.Keep(x)
		}
		st.flow.leaveScopes(0)
		st.build.Emit(code.Ret{Value: x})
	}
}

// switchStatement compares the value with one case after the other and jumps to the equal one.
func (st *statements) switchStatement(n *cc.SelectionStatement) {
	breaks, scopes := st.flow.breaks, st.flow.loopScopes[0]
	defer func() { st.flow.breaks, st.flow.loopScopes[0] = breaks, scopes }()
	var out []int
	st.flow.breaks, st.flow.loopScopes[0] = &out, len(st.flow.scopes)
	v := st.values.Promote(n.ExpressionList, st.expressions.evaluate(n.ExpressionList))
	v.X = st.build.Keep(v.X)
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
			bit = code.Fold(ir.Eq, v.X, st.caseValue(c, c.ConstantExpression, v.Type))
		case cc.LabeledStatementRange:
			low := values.Of(st.caseValue(c, c.ConstantExpression, v.Type), v.Type)
			high := values.Of(st.caseValue(c, c.ConstantExpression2, v.Type), v.Type)
			bit = code.Fold(ir.BitAnd, code.Nonzero(st.values.Compare(c, "<=", low, v).X),
				code.Nonzero(st.values.Compare(c, "<=", v, high).X))
		default:
			continue
		}
		st.flow.cases[c] = append(st.flow.cases[c], st.build.Jump(bit))
	}
	away := st.build.Jump(nil)
	if other != nil {
		st.flow.cases[other] = append(st.flow.cases[other], away)
	} else {
		out = append(out, away)
	}
	st.statement(n.Statement)
	st.build.Land(out...)
}

// caseValue returns the constant of a case, converted to the type of the switch.
func (st *statements) caseValue(n cc.Node, e cc.ExpressionNode, t cc.Type) ir.Expr {
	x := st.values.Convert(n, st.expressions.evaluate(e), t).X
	if _, ok := x.(ir.Const); !ok {
		syntax.Failf(n, "got %s, want a constant", cc.NodeSource(e))
	}
	return x
}
