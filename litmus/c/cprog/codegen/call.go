package codegen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/builtins"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// calls lowers calls of functions.
type calls struct {
	program     *program
	build       *code.Builder
	types       *layout.Types
	values      *values.Arithmetic
	memory      *values.Memory
	symbols     *symbols
	expressions *expressions
	position    *position
	variable    ir.Expr               // the address of the variable arguments; nil if the function has none
	discards    *cc.PostfixExpression // the call whose value is not used, if any
}

// call makes code for a call of a builtin, of a function of the program, or through a pointer.
func (cs *calls) call(n *cc.PostfixExpression) values.Operand {
	d := syntax.FunctionNamed(n.PostfixExpression)
	if d == nil {
		p := cs.expressions.evaluate(n.PostfixExpression)
		t, ok := cs.types.PointeeType(n, p.Type).(*cc.FunctionType)
		if !ok {
			syntax.Failf(n, "got %s, want a function", p.Type)
		}
		p.X = cs.build.Snapshot(p.X)
		return cs.callTo(n, nil, p.X, t)
	}
	t, _ := d.Type().(*cc.FunctionType)
	if b := cs.symbols.builtinOf(d); b != nil {
		k := cs.calling(n, d.Name())
		k.Args, k.Raw = cs.arguments(n, t)
		return b.Call(k)
	}
	f := cs.symbols.functionOf(d)
	if f == nil {
		if v, ok := cs.compileTimeCall(n, d.Name()); ok {
			return v
		}
		if t != nil && layout.IsFloat(t.Result()) && strings.HasPrefix(read.Place(d).File, read.BuiltIn) {
			cs.arguments(n, t)
			return cs.values.SomeValue(n, t.Result())
		}
		names := cs.program.external
		known := append(slices.Sorted(maps.Keys(builtins.All())), slices.Sorted(maps.Keys(names))...)
		near := litmus.DidYouMean(d.Name(), slices.DeleteFunc(known, func(name string) bool {
			return name == d.Name() || strings.HasPrefix(name, builtins.InLibrary)
		}))
		syntax.Failf(n, "%s is not defined, and is not a known library function%s", d.Name(), near)
	}
	atomic := strings.HasPrefix(d.Name(), "__VERIFIER_atomic_")
	if atomic {
		cs.build.Emit(code.Section{})
	}
	v := cs.callTo(n, f, nil, cs.symbols.find(d).definition.Declarator.Type().(*cc.FunctionType))
	if atomic {
		cs.build.Emit(code.Section{End: true})
	}
	return v
}

// calling returns the call of a builtin, without its arguments.
func (cs *calls) calling(n *cc.PostfixExpression, name string) *builtins.Call {
	return &builtins.Call{
		Unit: cs.program.unit, Build: cs.build, Types: cs.types, Values: cs.values, Memory: cs.memory,
		Literals: cs.program.literals, Shared: cs.program.shared, Caller: cs, Node: n, Name: name,
	}
}

// Object returns the object that an lvalue designates.
func (cs *calls) Object(e cc.ExpressionNode) values.Object { return cs.expressions.object(e) }

// VariableArguments returns the address of the variable arguments, or nil.
func (cs *calls) VariableArguments() ir.Expr { return cs.variable }

// compileTimeCall handles calls that the type checker has computed.
func (cs *calls) compileTimeCall(n *cc.PostfixExpression, name string) (values.Operand, bool) {
	switch name {
	case "__builtin_constant_p", "__ccgo__types_compatible_p":
		return cs.expressions.constant(n, n.Value(), cs.types.AST.Int), true
	case "__builtin_choose_expr":
		args := syntax.Arguments(n)
		if len(args) == 3 {
			if c, ok := cs.values.Truth(n, cs.expressions.evaluate(args[0])).(ir.Const); ok {
				return cs.expressions.evaluate(args[2-int(c.Value)]), true
			}
		}
	}
	return values.Operand{}, false
}

// arguments evaluates the arguments of a call and converts them to the types of the parameters. raw has them before
// conversion.
func (cs *calls) arguments(n *cc.PostfixExpression, t *cc.FunctionType) (args, raw []values.Operand) {
	var params []*cc.Parameter
	if t != nil {
		params = slices.DeleteFunc(slices.Clone(t.Parameters()),
			func(p *cc.Parameter) bool { return p.Type().Kind() == cc.Void })
	}
	for i, a := range syntax.Arguments(n) {
		v := cs.expressions.evaluate(a)
		v.X = cs.build.Snapshot(v.X)
		raw = append(raw, v)
		switch {
		case v.X == nil || layout.IsAggregate(v.Type) || cs.types.Width(v.Type) == 0:
		case i < len(params) && params[i].Type().Kind() == cc.Union: // a transparent union, of which this is a member
			into := cs.memory.Locate(cs.memory.Hidden(a, params[i].Type()))
			cs.build.Emit(code.Store{Addr: into, Value: v.X})
			v = values.Of(into, params[i].Type())
		case i < len(params):
			v = cs.values.Convert(a, v, params[i].Type())
		case v.Type.Kind() == cc.Float:
			v = cs.values.Convert(a, v, cs.types.AST.Double)
		default:
			v = cs.values.Promote(a, v)
		}
		args = append(args, v)
	}
	return args, raw
}

// callTo makes code for a call of a function of type t: fn, or the function that target points to.
func (cs *calls) callTo(n *cc.PostfixExpression, fn *code.Function, target ir.Expr, t *cc.FunctionType) values.Operand {
	result := t.Result()
	c := code.Call{Dst: -1, Fn: fn, Target: target}
	var into ir.Expr
	if layout.IsAggregate(result) {
		into = cs.memory.Locate(cs.memory.Hidden(n, result))
		c.Args = append(c.Args, into)
	}
	args, _ := cs.arguments(n, t)
	var params []cc.Type
	for _, p := range t.Parameters() {
		if p.Type().Kind() != cc.Void {
			params = append(params, p.Type())
		}
	}
	if fn == nil && len(t.Parameters()) == 0 { // a pointer to a function with unspecified parameters, as in int (*f)()
		for _, v := range args {
			params = append(params, v.Type)
		}
	}
	if len(args) < len(params) {
		syntax.Failf(n, "this call has %d arguments, but the function has %d parameters", len(args), len(params))
	}
	for i, p := range params {
		v := args[i]
		if layout.IsAggregate(p) {
			to := cs.memory.Locate(cs.memory.Hidden(n, p))
			cs.memory.Copy(n, to, v.X, p, code.Access{})
			v.X = to
		}
		if v.X == nil {
			syntax.Failf(n, "an argument has no value")
		}
		c.Args = append(c.Args, v.X)
	}
	if t.IsVariadic() {
		c.Args = append(c.Args, cs.putVariable(n, args, len(params)))
	}
	if into == nil && result.Kind() != cc.Void && cs.discards != n {
		c.Dst = cs.build.Temp(cs.types.Bits(n, result))
	}
	cs.build.Emit(c)
	switch {
	case into != nil:
		return values.Of(into, result)
	case c.Dst < 0:
		return values.Of(nil, cs.types.AST.Void)
	}
	return values.Of(cs.build.Reg(c.Dst), result)
}

// variableBytes is the size of a variable argument, in bytes.
const variableBytes = 8

// putVariable stores the arguments of a call from index first in memory, one after the other, and returns their
// address.
func (cs *calls) putVariable(n *cc.PostfixExpression, args []values.Operand, first int) ir.Expr {
	rest := args[first:]
	if len(rest) == 0 {
		return ir.Number(0, cs.types.Pointer)
	}
	nodes := syntax.Arguments(n)[first:]
	v := &code.Variable{
		Pos: read.Place(n), Size: variableBytes * len(rest), Align: variableBytes,
		Layout: func(offset int) (string, int) { return fmt.Sprintf("argument %d", first+offset/variableBytes+1), 0 },
	}
	cs.build.Function.Locals = append(cs.build.Function.Locals, v)
	at := cs.memory.Locate(v)
	for i, a := range rest {
		if a.X == nil || layout.IsAggregate(a.Type) {
			syntax.Failf(nodes[i], "%s as a variable argument is not supported: pass a pointer to it",
				a.Type)
		}
		if p, ok := a.Type.(*cc.PointerType); ok && p.Elem().Size() == 1 &&
			(cs.types.Qualifiers.Mentions["vprintf"] || cs.types.Qualifiers.Mentions["vfprintf"]) {
			if _, literal := nodes[i].Value().(cc.StringValue); !literal {
				syntax.Failf(nodes[i],
					"a string as a variable argument, which vprintf may read, is not supported: print it with printf")
			}
		}
		cs.build.Emit(code.Store{
			Addr: code.Fold(ir.Add, at, ir.Number(uint64(variableBytes*i), cs.types.Pointer)), Value: a.X,
		})
	}
	return at
}

// designator returns the address of a function.
func (cs *calls) designator(n cc.Node, d *cc.Declarator) values.Operand {
	f := cs.symbols.functionOf(d)
	if b := cs.symbols.builtinOf(d); b != nil {
		f = cs.wrapped(n, d, b)
	}
	if f == nil {
		syntax.Failf(n, "%s is not defined in the program, so it has no address", d.Name())
	}
	r := cs.build.Temp(cs.types.Pointer)
	cs.build.Emit(code.Locate{Dst: r, Fn: f})
	return values.Of(cs.build.Reg(r), d.Type().Pointer())
}

// wrapped returns a function that only calls a builtin, so that pointers can point to it.
func (cs *calls) wrapped(n cc.Node, d *cc.Declarator, b *builtins.Builtin) *code.Function {
	if f := cs.program.wrappers[d.Name()]; f != nil {
		return f
	}
	t := d.Type().(*cc.FunctionType)
	at, ok := n.(cc.ExpressionNode)
	if !ok || t.IsVariadic() || len(t.Parameters()) == 0 {
		syntax.Failf(n, "the address of %s is not supported: call it by its name", d.Name())
	}
	f := &code.Function{Name: d.Name(), Pos: read.Place(n)}
	w := newLowerer(cs.program, cs.types.AST, f, nil)
	w.build.Line = cs.build.Line
	k := w.calls.calling(&cc.PostfixExpression{Case: cc.PostfixExpressionCall, PostfixExpression: at}, d.Name())
	for _, p := range t.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		r := w.build.Temp(w.types.Bits(n, p.Type()))
		f.Params = append(f.Params, r)
		k.Args = append(k.Args, values.Of(w.build.Reg(r), p.Type()))
	}
	k.Raw = k.Args
	v := b.Call(k)
	if f.Result = cs.types.Width(t.Result()); f.Result > 0 && v.X != nil {
		w.build.Emit(code.Ret{Value: w.calls.values.Convert(n, v, t.Result()).X})
	} else {
		w.build.Emit(code.Ret{})
	}
	code.Tidy(f)
	cs.program.wrappers[d.Name()] = f
	return f
}

// runs calls a function that runs before or after main.
func (cs *calls) runs(r read.Runs) {
	ast, d := cs.types.AST, r.Of
	defer func() { cs.types.AST = ast }()
	cs.types.AST = r.Ast
	fn := cs.symbols.functionOf(d)
	if fn == nil {
		syntax.Failf(d, "%s has attribute constructor or destructor, but is not defined", d.Name())
	}
	if t, ok := cs.symbols.find(d).declared.Type().(*cc.FunctionType); !ok ||
		slices.ContainsFunc(t.Parameters(), func(p *cc.Parameter) bool { return p.Type().Kind() != cc.Void }) {
		syntax.Failf(d, "%s has attribute constructor or destructor: use a function without parameters", d.Name())
	}
	cs.position.at(d)
	cs.build.Emit(code.Call{Dst: -1, Fn: fn})
}

// RunLast calls the functions that run when the program ends, with a status (nil: 0).
func (cs *calls) RunLast(status ir.Expr) {
	if cs.program.registers() {
		if status == nil {
			status = ir.Number(0, 32)
		}
		cs.CallLibrary(builtins.InLibrary+"last", code.Widen(status, 32, true))
	}
	for _, r := range cs.types.Qualifiers.InOrder(true) {
		cs.runs(r)
	}
}
