package code

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// arguments are a call's, in order.
func arguments(n *cc.PostfixExpression) []cc.ExpressionNode {
	var out []cc.ExpressionNode
	for list := n.ArgumentExpressionList; list != nil; list = list.ArgumentExpressionList {
		out = append(out, list.AssignmentExpression)
	}
	return out
}

// outArguments are the arguments of a call that only say where the callee, a builtin, reads or writes a local.
func (l *lowerer) outArguments(n *cc.PostfixExpression) (out []cc.ExpressionNode) {
	if n.Case != cc.PostfixExpressionCall {
		return nil
	}
	if d := functionNamed(n.PostfixExpression); d != nil {
		if b := l.builtinOf(d); b != nil {
			for i, a := range arguments(n) {
				if i < len(b.params) && strings.HasPrefix(b.params[i], "&") {
					out = append(out, a)
				}
			}
		}
	}
	return out
}

// builtinOf is the builtin that a function is, if it is one.
func (l *lowerer) builtinOf(d *cc.Declarator) *builtin {
	if s := l.find(d); s != nil && s.definition != nil && !stubborn(d.Name()) {
		return nil
	}
	if b := builtins()[d.Name()]; b != nil || !read.IsAnything(d.Name()) {
		return b
	}
	return &builtin{do: (*calling).anything} // of any type
}

// call calls a function of the program, one that the front end knows, or what a pointer points to.
func (l *lowerer) call(n *cc.PostfixExpression) operand {
	d := functionNamed(n.PostfixExpression)
	if d == nil {
		p := l.expr(n.PostfixExpression)
		t, ok := l.pointeeType(n, p.t).(*cc.FunctionType)
		if !ok {
			l.failf(n, "got %s, want a function", p.t)
		}
		p.x = l.settle(p.x)
		return l.callTo(n, nil, p.x, t)
	}
	t, _ := d.Type().(*cc.FunctionType)
	if b := l.builtinOf(d); b != nil {
		k := &calling{lowerer: l, node: n, name: d.Name()}
		k.args, k.raw = l.arguments(n, t)
		return b.call(k)
	}
	f := l.functionOf(d)
	if f == nil {
		if v, ok := l.known(n, d.Name()); ok {
			return v
		}
		if t != nil && isFloat(t.Result()) && strings.HasPrefix(read.Place(d).File, read.BuiltIn) {
			l.arguments(n, t)
			return l.someValue(n, t.Result())
		}
		names := l.external
		near := litmus.DidYouMean(d.Name(), slices.DeleteFunc(append(slices.Sorted(maps.Keys(builtins())), slices.Sorted(maps.Keys(names))...), func(name string) bool { return name == d.Name() || strings.HasPrefix(name, inLibrary) }))
		l.failf(n, "%s is not defined, and no function that is known here%s", d.Name(), near)
	}
	atomic := strings.HasPrefix(d.Name(), "__VERIFIER_atomic_")
	if atomic {
		l.emit(Section{})
	}
	v := l.callTo(n, f, nil, l.find(d).definition.Declarator.Type().(*cc.FunctionType))
	if atomic {
		l.emit(Section{End: true})
	}
	return v
}

// known does the calls that the type checker answers.
func (l *lowerer) known(n *cc.PostfixExpression, name string) (operand, bool) {
	switch name {
	case "__builtin_constant_p", "__ccgo__types_compatible_p":
		return l.constant(n, n.Value(), l.ast.Int), true
	case "__builtin_choose_expr":
		args := arguments(n)
		if len(args) == 3 {
			if c, ok := l.truth(n, l.expr(args[0])).(ir.Const); ok {
				return l.expr(args[2-int(c.Value)]), true
			}
		}
	}
	return operand{}, false
}

// arguments evaluates a call's, and makes them of the types that the callee wants.
func (l *lowerer) arguments(n *cc.PostfixExpression, t *cc.FunctionType) (args, raw []operand) {
	var params []*cc.Parameter
	if t != nil {
		params = slices.DeleteFunc(slices.Clone(t.Parameters()), func(p *cc.Parameter) bool { return p.Type().Kind() == cc.Void })
	}
	for i, a := range arguments(n) {
		v := l.expr(a)
		v.x = l.settle(v.x)
		raw = append(raw, v)
		switch {
		case v.x == nil || aggregate(v.t) || l.Unit.bits(v.t) == 0:
		case i < len(params) && params[i].Type().Kind() == cc.Union: // a transparent one, of which this is a member
			into := l.locate(l.hidden(a, params[i].Type()))
			l.emit(Store{Addr: into, Value: v.x})
			v = operand{into, params[i].Type()}
		case i < len(params):
			v = l.convert(a, v, params[i].Type())
		case v.t.Kind() == cc.Float:
			v = l.convert(a, v, l.ast.Double)
		default:
			v = l.promote(a, v)
		}
		args = append(args, v)
	}
	return args, raw
}

// callTo calls a function of the program, fn or what target points to, of type t.
func (l *lowerer) callTo(n *cc.PostfixExpression, fn *Function, target ir.Expr, t *cc.FunctionType) operand {
	result := t.Result()
	c := Call{Dst: -1, Fn: fn, Target: target}
	var into ir.Expr
	if aggregate(result) {
		into = l.locate(l.hidden(n, result))
		c.Args = append(c.Args, into)
	}
	args, _ := l.arguments(n, t)
	var params []cc.Type
	for _, p := range t.Parameters() {
		if p.Type().Kind() != cc.Void {
			params = append(params, p.Type())
		}
	}
	if fn == nil && len(t.Parameters()) == 0 { // a pointer to a function of any parameters, as in int (*f)()
		for _, v := range args {
			params = append(params, v.t)
		}
	}
	if len(args) < len(params) {
		l.failf(n, "this call has %d arguments, and the function %d parameters", len(args), len(params))
	}
	for i, p := range params {
		v := args[i]
		if aggregate(p) {
			to := l.locate(l.hidden(n, p))
			l.copy(n, to, v.x, p, Access{})
			v.x = to
		}
		if v.x == nil {
			l.failf(n, "an argument has no value")
		}
		c.Args = append(c.Args, v.x)
	}
	if t.IsVariadic() {
		c.Args = append(c.Args, l.variableArguments(n, args, len(params)))
	}
	if into == nil && result.Kind() != cc.Void && l.discards != n {
		c.Dst = l.temp(l.bits(n, result))
	}
	l.emit(c)
	switch {
	case into != nil:
		return operand{into, result}
	case c.Dst < 0:
		return operand{nil, l.ast.Void}
	}
	return operand{l.reg(c.Dst), result}
}

// variableBytes is how many bytes each argument has that has no parameter.
const variableBytes = 8

// variableArguments puts a call's arguments from the first that has no parameter into memory, one behind another, and gives
// its address.
func (l *lowerer) variableArguments(n *cc.PostfixExpression, args []operand, first int) ir.Expr {
	rest := args[first:]
	if len(rest) == 0 {
		return ir.Number(0, l.Unit.Pointer)
	}
	nodes := arguments(n)[first:]
	v := &Variable{
		Pos: read.Place(n), Size: variableBytes * len(rest), Align: variableBytes,
		Layout: func(offset int) (string, int) { return fmt.Sprintf("argument %d", first+offset/variableBytes+1), 0 },
	}
	l.f.Locals = append(l.f.Locals, v)
	at := l.locate(v)
	for i, a := range rest {
		if a.x == nil || aggregate(a.t) {
			l.failf(nodes[i], "%s among a variable number of arguments is not supported: want a pointer to it", a.t)
		}
		if p, ok := a.t.(*cc.PointerType); ok && p.Elem().Size() == 1 && (l.Mentions["vprintf"] || l.Mentions["vfprintf"]) {
			if _, literal := nodes[i].Value().(cc.StringValue); !literal {
				l.failf(nodes[i], "a text among a variable number of arguments, which vprintf may read, is not supported: print it with printf")
			}
		}
		l.emit(Store{Addr: fold(ir.Add, at, ir.Number(uint64(variableBytes*i), l.Unit.Pointer)), Value: a.x})
	}
	return at
}

// designator is the address of a function.
func (l *lowerer) designator(n cc.Node, d *cc.Declarator) operand {
	f := l.functionOf(d)
	if b := l.builtinOf(d); b != nil {
		f = l.wrapped(n, d, b)
	}
	if f == nil {
		l.failf(n, "%s is not defined in the program, so its address is not known", d.Name())
	}
	r := l.temp(l.Unit.Pointer)
	l.emit(Locate{Dst: r, Fn: f})
	return operand{l.reg(r), d.Type().Pointer()}
}

// wrapped is a function that does nothing but to call a builtin, for pointers to point to.
func (l *lowerer) wrapped(n cc.Node, d *cc.Declarator, b *builtin) *Function {
	if f := l.wrappers[d.Name()]; f != nil {
		return f
	}
	t := d.Type().(*cc.FunctionType)
	at, ok := n.(cc.ExpressionNode)
	if !ok || t.IsVariadic() || len(t.Parameters()) == 0 {
		l.failf(n, "the address of %s is not known: call it by its name", d.Name())
	}
	f := &Function{Name: d.Name(), Pos: read.Place(n)}
	w := &lowerer{program: l.program, ast: l.ast, f: f, line: l.line}
	k := &calling{lowerer: w, node: &cc.PostfixExpression{Case: cc.PostfixExpressionCall, PostfixExpression: at}, name: d.Name()}
	for _, p := range t.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		r := w.temp(w.bits(n, p.Type()))
		f.Params = append(f.Params, r)
		k.args = append(k.args, operand{w.reg(r), p.Type()})
	}
	k.raw = k.args
	v := b.call(k)
	if f.Result = l.Unit.bits(t.Result()); f.Result > 0 && v.x != nil {
		w.emit(Ret{w.convert(n, v, t.Result()).x})
	} else {
		w.emit(Ret{})
	}
	tidy(f)
	l.wrappers[d.Name()] = f
	return f
}

// pointee is what argument i points to, which may be a local in a register.
func (k *calling) pointee(i int) object {
	var e cc.ExpressionNode = k.node
	if args := arguments(k.node); i < len(args) {
		e = unwrap(args[i])
	}
	t := k.raw[i].t
	of := k.pointeeType(e, t)
	for c, ok := e.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast && (k.args[i].x == nil || of.Kind() == cc.Void); c, ok = e.(*cc.CastExpression) {
		e = unwrap(c.CastExpression)
		if p, ok := e.Type().Decay().(*cc.PointerType); ok {
			of = p.Elem()
		}
	}
	if u, ok := e.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionAddrof && k.args[i].x == nil {
		return k.object(u.CastExpression)
	}
	if of.Kind() == cc.Void {
		k.failf(e, "got a pointer to anything, want one to an object of a type that is known")
	}
	return object{t: of, reg: -1, addr: k.raw[i].x}
}
