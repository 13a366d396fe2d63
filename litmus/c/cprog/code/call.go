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

// calls lowers calls of functions.
type calls struct {
	program     *program
	build       *builder
	types       *types
	values      *values
	memory      *memory
	symbols     *symbols
	expressions *expressions
	position    *position
	variable    ir.Expr               // where the arguments are that have no parameter; nil where there are none
	discards    *cc.PostfixExpression // the call, if it is one, whose value nothing uses
}

// call calls a function of the program, one that the front end knows, or what a pointer points to.
func (cs *calls) call(n *cc.PostfixExpression) operand {
	d := functionNamed(n.PostfixExpression)
	if d == nil {
		p := cs.expressions.evaluate(n.PostfixExpression)
		t, ok := cs.types.pointeeType(n, p.t).(*cc.FunctionType)
		if !ok {
			failf(n, "got %s, want a function", p.t)
		}
		p.x = cs.build.settle(p.x)
		return cs.callTo(n, nil, p.x, t)
	}
	t, _ := d.Type().(*cc.FunctionType)
	if b := cs.symbols.builtinOf(d); b != nil {
		k := cs.calling(n, d.Name())
		k.args, k.raw = cs.arguments(n, t)
		return b.call(k)
	}
	f := cs.symbols.functionOf(d)
	if f == nil {
		if v, ok := cs.known(n, d.Name()); ok {
			return v
		}
		if t != nil && isFloat(t.Result()) && strings.HasPrefix(read.Place(d).File, read.BuiltIn) {
			cs.arguments(n, t)
			return cs.values.someValue(n, t.Result())
		}
		names := cs.program.external
		near := litmus.DidYouMean(d.Name(), slices.DeleteFunc(append(slices.Sorted(maps.Keys(builtins())), slices.Sorted(maps.Keys(names))...), func(name string) bool { return name == d.Name() || strings.HasPrefix(name, inLibrary) }))
		failf(n, "%s is not defined, and no function that is known here%s", d.Name(), near)
	}
	atomic := strings.HasPrefix(d.Name(), "__VERIFIER_atomic_")
	if atomic {
		cs.build.emit(Section{})
	}
	v := cs.callTo(n, f, nil, cs.symbols.find(d).definition.Declarator.Type().(*cc.FunctionType))
	if atomic {
		cs.build.emit(Section{End: true})
	}
	return v
}

// calling is a call of a builtin, without its arguments.
func (cs *calls) calling(n *cc.PostfixExpression, name string) *calling {
	return &calling{
		unit: cs.program.unit, build: cs.build, types: cs.types, values: cs.values, memory: cs.memory,
		literals: cs.program.literals, shared: cs.program.shared, caller: cs, node: n, name: name,
	}
}

func (cs *calls) object(e cc.ExpressionNode) object { return cs.expressions.object(e) }

func (cs *calls) variableArguments() ir.Expr { return cs.variable }

// known does the calls that the type checker answers.
func (cs *calls) known(n *cc.PostfixExpression, name string) (operand, bool) {
	switch name {
	case "__builtin_constant_p", "__ccgo__types_compatible_p":
		return cs.expressions.constant(n, n.Value(), cs.types.ast.Int), true
	case "__builtin_choose_expr":
		args := arguments(n)
		if len(args) == 3 {
			if c, ok := cs.values.truth(n, cs.expressions.evaluate(args[0])).(ir.Const); ok {
				return cs.expressions.evaluate(args[2-int(c.Value)]), true
			}
		}
	}
	return operand{}, false
}

// arguments evaluates a call's, and makes them of the types that the callee wants.
func (cs *calls) arguments(n *cc.PostfixExpression, t *cc.FunctionType) (args, raw []operand) {
	var params []*cc.Parameter
	if t != nil {
		params = slices.DeleteFunc(slices.Clone(t.Parameters()), func(p *cc.Parameter) bool { return p.Type().Kind() == cc.Void })
	}
	for i, a := range arguments(n) {
		v := cs.expressions.evaluate(a)
		v.x = cs.build.settle(v.x)
		raw = append(raw, v)
		switch {
		case v.x == nil || aggregate(v.t) || cs.types.width(v.t) == 0:
		case i < len(params) && params[i].Type().Kind() == cc.Union: // a transparent one, of which this is a member
			into := cs.memory.locate(cs.memory.hidden(a, params[i].Type()))
			cs.build.emit(Store{Addr: into, Value: v.x})
			v = operand{into, params[i].Type()}
		case i < len(params):
			v = cs.values.convert(a, v, params[i].Type())
		case v.t.Kind() == cc.Float:
			v = cs.values.convert(a, v, cs.types.ast.Double)
		default:
			v = cs.values.promote(a, v)
		}
		args = append(args, v)
	}
	return args, raw
}

// callTo calls a function of the program, fn or what target points to, of type t.
func (cs *calls) callTo(n *cc.PostfixExpression, fn *Function, target ir.Expr, t *cc.FunctionType) operand {
	result := t.Result()
	c := Call{Dst: -1, Fn: fn, Target: target}
	var into ir.Expr
	if aggregate(result) {
		into = cs.memory.locate(cs.memory.hidden(n, result))
		c.Args = append(c.Args, into)
	}
	args, _ := cs.arguments(n, t)
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
		failf(n, "this call has %d arguments, and the function %d parameters", len(args), len(params))
	}
	for i, p := range params {
		v := args[i]
		if aggregate(p) {
			to := cs.memory.locate(cs.memory.hidden(n, p))
			cs.memory.copy(n, to, v.x, p, Access{})
			v.x = to
		}
		if v.x == nil {
			failf(n, "an argument has no value")
		}
		c.Args = append(c.Args, v.x)
	}
	if t.IsVariadic() {
		c.Args = append(c.Args, cs.putVariable(n, args, len(params)))
	}
	if into == nil && result.Kind() != cc.Void && cs.discards != n {
		c.Dst = cs.build.temp(cs.types.bits(n, result))
	}
	cs.build.emit(c)
	switch {
	case into != nil:
		return operand{into, result}
	case c.Dst < 0:
		return operand{nil, cs.types.ast.Void}
	}
	return operand{cs.build.reg(c.Dst), result}
}

// variableBytes is how many bytes each argument has that has no parameter.
const variableBytes = 8

// putVariable puts a call's arguments from the first that has no parameter into memory, one behind another, and gives
// its address.
func (cs *calls) putVariable(n *cc.PostfixExpression, args []operand, first int) ir.Expr {
	rest := args[first:]
	if len(rest) == 0 {
		return ir.Number(0, cs.types.pointer)
	}
	nodes := arguments(n)[first:]
	v := &Variable{
		Pos: read.Place(n), Size: variableBytes * len(rest), Align: variableBytes,
		Layout: func(offset int) (string, int) { return fmt.Sprintf("argument %d", first+offset/variableBytes+1), 0 },
	}
	cs.build.function.Locals = append(cs.build.function.Locals, v)
	at := cs.memory.locate(v)
	for i, a := range rest {
		if a.x == nil || aggregate(a.t) {
			failf(nodes[i], "%s among a variable number of arguments is not supported: want a pointer to it", a.t)
		}
		if p, ok := a.t.(*cc.PointerType); ok && p.Elem().Size() == 1 && (cs.types.qualifiers.Mentions["vprintf"] || cs.types.qualifiers.Mentions["vfprintf"]) {
			if _, literal := nodes[i].Value().(cc.StringValue); !literal {
				failf(nodes[i], "a text among a variable number of arguments, which vprintf may read, is not supported: print it with printf")
			}
		}
		cs.build.emit(Store{Addr: fold(ir.Add, at, ir.Number(uint64(variableBytes*i), cs.types.pointer)), Value: a.x})
	}
	return at
}

// designator is the address of a function.
func (cs *calls) designator(n cc.Node, d *cc.Declarator) operand {
	f := cs.symbols.functionOf(d)
	if b := cs.symbols.builtinOf(d); b != nil {
		f = cs.wrapped(n, d, b)
	}
	if f == nil {
		failf(n, "%s is not defined in the program, so its address is not known", d.Name())
	}
	r := cs.build.temp(cs.types.pointer)
	cs.build.emit(Locate{Dst: r, Fn: f})
	return operand{cs.build.reg(r), d.Type().Pointer()}
}

// wrapped is a function that does nothing but to call a builtin, for pointers to point to.
func (cs *calls) wrapped(n cc.Node, d *cc.Declarator, b *builtin) *Function {
	if f := cs.program.wrappers[d.Name()]; f != nil {
		return f
	}
	t := d.Type().(*cc.FunctionType)
	at, ok := n.(cc.ExpressionNode)
	if !ok || t.IsVariadic() || len(t.Parameters()) == 0 {
		failf(n, "the address of %s is not known: call it by its name", d.Name())
	}
	f := &Function{Name: d.Name(), Pos: read.Place(n)}
	w := newLowerer(cs.program, cs.types.ast, f, nil)
	w.build.line = cs.build.line
	k := w.calls.calling(&cc.PostfixExpression{Case: cc.PostfixExpressionCall, PostfixExpression: at}, d.Name())
	for _, p := range t.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		r := w.build.temp(w.types.bits(n, p.Type()))
		f.Params = append(f.Params, r)
		k.args = append(k.args, operand{w.build.reg(r), p.Type()})
	}
	k.raw = k.args
	v := b.call(k)
	if f.Result = cs.types.width(t.Result()); f.Result > 0 && v.x != nil {
		w.build.emit(Ret{w.calls.values.convert(n, v, t.Result()).x})
	} else {
		w.build.emit(Ret{})
	}
	tidy(f)
	cs.program.wrappers[d.Name()] = f
	return f
}

// runs calls a function that runs before main, or after it.
func (cs *calls) runs(r read.Runs) {
	ast, d := cs.types.ast, r.Of
	defer func() { cs.types.ast = ast }()
	cs.types.ast = r.Ast
	fn := cs.symbols.functionOf(d)
	if fn == nil {
		failf(d, "%s has an attribute that runs it, and is not defined", d.Name())
	}
	if t, ok := cs.symbols.find(d).declared.Type().(*cc.FunctionType); !ok || slices.ContainsFunc(t.Parameters(), func(p *cc.Parameter) bool { return p.Type().Kind() != cc.Void }) {
		failf(d, "%s has an attribute that runs it: want a function without parameters", d.Name())
	}
	cs.position.at(d)
	cs.build.emit(Call{Dst: -1, Fn: fn})
}

// runLast calls what runs when the program ends, with a status (nil: 0).
func (cs *calls) runLast(status ir.Expr) {
	if cs.program.registers() {
		if status == nil {
			status = ir.Number(0, 32)
		}
		cs.callLibrary(inLibrary+"last", widen(status, 32, true))
	}
	for _, r := range cs.types.qualifiers.InTurn(true) {
		cs.runs(r)
	}
}
