package codegen

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
)

// effects are the possible effects of evaluating an expression, except on locals in registers.
type effects struct {
	atomic        bool // accesses atomic or volatile objects, or orders accesses
	reads, writes bool // through pointers, or of unnamed objects
	read, written map[string]bool
}

// action is a part of an expression that accesses memory or sets a local variable.
type action struct {
	e     cc.ExpressionNode
	after []int // the actions in its operands
	does  effects
	// inner has the actions of its parts, if it has sequence points. C allows other actions between them.
	inner [][]action
}

// collector lists the actions of an expression, each after those in its operands.
type collector struct {
	effects *effectsAnalysis
	all     []action
}

// effectsAnalysis computes the effects of evaluating expressions.
type effectsAnalysis struct {
	types   *layout.Types
	symbols *symbols
	locals  *locals
	lines   *lines
}

func (e *effects) add(f effects) {
	e.atomic, e.reads, e.writes = e.atomic || f.atomic, e.reads || f.reads, e.writes || f.writes
	for name := range f.read {
		e.note(name, false)
	}
	for name := range f.written {
		e.note(name, true)
	}
}

func (e *effects) note(name string, writes bool) {
	to := &e.read
	if writes {
		to = &e.written
	}
	if *to == nil {
		*to = map[string]bool{}
	}
	(*to)[name] = true
}

// any reports whether memory is accessed.
func (e *effects) any() bool {
	return e.atomic || e.reads || e.writes || len(e.read)+len(e.written) > 0
}

// noticed reports whether the program can observe the order of two actions; threads says that it has several threads.
func (e *effects) noticed(f *effects, threads bool) bool {
	if threads && (e.atomic && f.any() || f.atomic && e.any()) {
		return true
	}
	over := func(a, b *effects) bool { // b may access what a writes
		for name := range a.written {
			if b.read[name] || b.written[name] || threads && (b.reads || b.writes) {
				return true
			}
		}
		return threads && a.writes && (b.reads || b.writes)
	}
	return over(e, f) || over(f, e)
}

// unordered returns the actions of an expression whose order is unspecified and observable.
func (ea *effectsAnalysis) unordered(e cc.ExpressionNode) []action {
	k := &collector{effects: ea}
	k.collect(e)
	all := k.all
	if n := len(all) - 1; n >= 0 && all[n].e == syntax.Plain(e) { // the last one is the expression itself
		all = all[:n]
	}
	open := make([]bool, len(all))
	for i := range all {
		for j := range i {
			if !slices.Contains(all[i].after, j) && all[i].does.noticed(&all[j].does, ea.threads()) {
				open[i], open[j] = true, true
				ea.refuseBetween(all[i], all[j])
				ea.refuseBetween(all[j], all[i])
			}
		}
	}
	to := make([]int, len(all))
	var out []action
	for i, a := range all {
		to[i] = -1
		if !open[i] {
			continue
		}
		var after []int
		for _, j := range a.after {
			if to[j] >= 0 {
				after = append(after, to[j])
			}
		}
		to[i] = len(out)
		a.after = after
		out = append(out, a)
	}
	return out
}

// refuseBetween fails if another action may happen between the inner actions of a part, and the program can observe
// that.
func (ea *effectsAnalysis) refuseBetween(part, other action) {
	for _, in := range part.inner {
		count := 0
		for _, a := range in {
			if a.does.noticed(&other.does, ea.threads()) {
				count++
			}
		}
		if count < 2 {
			continue
		}
		syntax.Failf(part.e,
			"C allows the evaluation of %s in the middle of %s, which is not supported: use several statements",
			syntax.SourceOf(other.e), syntax.SourceOf(part.e))
	}
}

// threads reports whether the program may have several threads.
func (ea *effectsAnalysis) threads() bool {
	return ea.types.Qualifiers.Mentions["pthread_create"] || ea.types.Qualifiers.Mentions["thrd_create"] ||
		slices.ContainsFunc(ea.lines.source.Files,
			func(f read.File) bool { return strings.Contains(f.Text, read.Async) })
}

func (k *collector) add(e cc.ExpressionNode, does effects, after []int) []int {
	if !does.any() {
		return after
	}
	k.all = append(k.all, action{e: e, after: after, does: does})
	return append(slices.Clip(after), len(k.all)-1)
}

// whole adds an expression as one action, because its parts have sequence points or are evaluated conditionally.
func (k *collector) whole(e cc.ExpressionNode, after []int, parts ...cc.ExpressionNode) []int {
	var does effects
	var inner [][]action
	for _, p := range parts {
		if p == nil {
			continue
		}
		does.add(k.effects.effectsOf(p))
		in := &collector{effects: k.effects}
		if list, ok := p.(*cc.ExpressionList); ok {
			for ; list != nil; list = list.ExpressionList {
				in.collect(list.AssignmentExpression)
			}
		} else {
			in.collect(p)
		}
		inner = append(inner, in.all)
	}
	out := k.add(e, does, after)
	if does.any() {
		k.all[len(k.all)-1].inner = inner
	}
	return out
}

// collect adds the actions of an expression whose value is needed, and returns their indices.
func (k *collector) collect(e cc.ExpressionNode) []int {
	e = syntax.Plain(e)
	if op, x, y := syntax.Halves(e); y != nil {
		after := k.collect(x)
		if op.SrcStr() == "&&" || op.SrcStr() == "||" {
			return k.whole(e, after, y)
		}
		return append(after, k.collect(y)...)
	}
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		switch n.Case {
		case cc.PrimaryExpressionIdent:
			return k.add(e, k.effects.access(e, false), nil)
		case cc.PrimaryExpressionExpr: // the comma operator
			return k.whole(e, nil, n.ExpressionList)
		case cc.PrimaryExpressionStmt, cc.PrimaryExpressionGeneric:
			return k.add(e, k.effects.effectsOf(e), nil)
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionCall:
			return k.call(n)
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return k.add(e, k.effects.access(n.PostfixExpression, true), k.place(n.PostfixExpression))
		case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			return k.add(e, k.effects.access(e, false), k.place(e))
		case cc.PostfixExpressionComplit:
			return k.add(e, k.effects.effectsOf(e), nil)
		}
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			return k.add(e, k.effects.access(n.UnaryExpression, true), k.place(n.UnaryExpression))
		case cc.UnaryExpressionAddrof:
			return k.place(n.CastExpression)
		case cc.UnaryExpressionDeref:
			return k.add(e, k.effects.access(e, false), k.collect(n.CastExpression))
		case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl, cc.UnaryExpressionNot:
			return k.collect(n.CastExpression)
		}
	case *cc.CastExpression:
		return k.collect(n.CastExpression)
	case *cc.ConditionalExpression:
		return k.whole(e, k.collect(n.LogicalOrExpression), n.ExpressionList, n.ConditionalExpression)
	case *cc.AssignmentExpression:
		after := k.collect(n.AssignmentExpression)
		return k.add(e, k.effects.access(n.UnaryExpression, true), append(after, k.place(n.UnaryExpression)...))
	case *cc.ExpressionList:
		return k.whole(e, nil, e)
	}
	return nil
}

// place adds the actions that determine which object an lvalue designates.
func (k *collector) place(e cc.ExpressionNode) []int {
	switch n := syntax.Plain(e).(type) {
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionIdent {
			return nil
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			return append(k.collect(n.PostfixExpression), k.collect(n.ExpressionList)...)
		case cc.PostfixExpressionSelect:
			return k.place(n.PostfixExpression)
		case cc.PostfixExpressionPSelect:
			return k.collect(n.PostfixExpression)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref {
			return k.collect(n.CastExpression)
		}
	}
	return k.collect(e)
}

// prints reports whether a function only prints its arguments.
func prints(name string) bool {
	return strings.HasSuffix(name, "printf") && !strings.HasPrefix(name, "s") || name == "puts" || name == "fputs" ||
		name == "perror"
}

func (k *collector) call(n *cc.PostfixExpression) []int {
	d := syntax.FunctionNamed(n.PostfixExpression)
	if d != nil && prints(d.Name()) {
		return k.add(n, k.effects.effectsOf(n), nil)
	}
	switch {
	case d == nil:
	case d.Name() == "__builtin_constant_p", d.Name() == "__ccgo__types_compatible_p":
		return nil // sizeof evaluates nothing
	case d.Name() == "__builtin_choose_expr":
		return k.add(n, k.effects.effectsOf(n), nil)
	}
	var after []int
	if d == nil {
		after = k.collect(n.PostfixExpression)
	}
	for _, a := range syntax.Arguments(n) {
		after = append(after, k.collect(a)...)
	}
	return k.add(n, k.effects.callee(n), after)
}

// effectsOf returns the effects of an expression or a statement, including its parts.
func (ea *effectsAnalysis) effectsOf(n cc.Node) effects {
	var out effects
	read.Walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.PrimaryExpression:
			if n.Case == cc.PrimaryExpressionIdent {
				out.add(ea.access(n, false))
			}
		case *cc.PostfixExpression:
			switch n.Case {
			case cc.PostfixExpressionCall:
				out.add(ea.callee(n))
			case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
				out.add(ea.access(n.PostfixExpression, true))
			case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
				out.add(ea.access(n, false))
			}
		case *cc.UnaryExpression:
			switch n.Case {
			case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
				out.add(ea.access(n.UnaryExpression, true))
			case cc.UnaryExpressionDeref:
				out.add(ea.access(n, false))
			case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr,
				cc.UnaryExpressionAlignofType:
				return false
			}
		case *cc.AssignmentExpression:
			if n.Case != cc.AssignmentExpressionCond {
				out.add(ea.access(n.UnaryExpression, true))
			}
		case *cc.AsmStatement:
			out.atomic = true
		}
		return true
	})
	return out
}

// access returns the effects of reading or writing an lvalue. Accesses of a local that is not an array and whose
// address is not taken have none. Structures and arrays are accessed by their scalars.
func (ea *effectsAnalysis) access(e cc.ExpressionNode, writes bool) effects {
	e = syntax.Plain(e)
	var out effects
	if n, ok := e.(*cc.PrimaryExpression); ok && n.Case == cc.PrimaryExpressionIdent {
		if _, ok := n.ResolvedTo().(*cc.Declarator); !ok { // a constant of an enumeration
			return out
		}
	}
	t := e.Type()
	if t == nil || t.Kind() == cc.Function || t.Undecay().Kind() == cc.Array || layout.IsAggregate(t) && !writes {
		return out
	}
	if atomic, volatile := ea.types.Qualifiers.Qualified(e); atomic || volatile {
		out.atomic = true
	}
	d := syntax.VariableOf(e)
	switch {
	case d == nil:
		out.reads, out.writes = !writes, writes
	case d.IsParam() || d.Linkage() == cc.None && !d.IsStatic():
		if b, ok := ea.locals.bindings[d]; ok && (b.of == nil && b.by == nil ||
			!ea.locals.inMemory[d] && d.Type().Undecay().Kind() != cc.Array) || !ok &&
			d.Type().Undecay().Kind() != cc.Array {
			return effects{}
		}
		out.note(d.Name(), writes)
	default:
		out.note(d.Name(), writes)
	}
	return out
}

// callee returns the effects of calling a function, without its arguments.
func (ea *effectsAnalysis) callee(n *cc.PostfixExpression) effects {
	all := effects{atomic: true, reads: true, writes: true}
	d := syntax.FunctionNamed(n.PostfixExpression)
	if d == nil {
		return all
	}
	if ea.symbols.builtinOf(d) != nil {
		return effectsOfBuiltin(d.Name())
	}
	s := ea.symbols.find(d)
	if s == nil || s.definition == nil {
		return effects{}
	}
	if s.does == nil { // for a recursive function, the effects found so far
		s.does = &effects{}
		ast := ea.types.AST
		ea.types.AST = s.unit.ast
		s.does.add(ea.effectsOf(s.definition.CompoundStatement))
		ea.types.AST = ast
	}
	return *s.does
}

// effectsOfBuiltin returns the effects of a builtin. The order of allocations and of free choices is not observable.
func effectsOfBuiltin(name string) effects {
	of := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	}
	switch {
	case name == "__builtin_prefetch", name == "abs", name == "labs", name == "llabs", name == "malloc",
		name == "calloc",
		name == "rand", name == "random", name == "__litmus_arguments",
		of("is", "to", "ffs", "__VERIFIER_nondet", "nondet_", "__builtin_ctz", "__builtin_clz", "__builtin_popcount",
			"__builtin_parity", "__builtin_ffs",
			"__builtin_bswap", "__builtin_expect", "__builtin_abs", "__builtin_labs", "__builtin_llabs",
			"__builtin_malloc",
			"__builtin_alloca",
			"__builtin_assume_aligned", "pthread_self", "thrd_current", "pthread_equal", "atomic_is_lock_free"):
		return effects{}
	case of("strlen", "strcmp", "strncmp", "memcmp", "strchr", "strrchr", "__builtin_strlen", "__builtin_memcmp"):
		return effects{reads: true}
	case of("mem", "str", "__builtin_mem", "__builtin_str", "bzero"):
		return effects{reads: true, writes: true}
	case of("assert", "__litmus_assert", "__VERIFIER_assert", "__VERIFIER_assume", "assume_abort_if_not"):
		return effects{}
	}
	return effects{atomic: true, reads: true, writes: true}
}
