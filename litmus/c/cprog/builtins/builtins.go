package builtins

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// Caller is the function that calls a builtin, with the operations that builtins need from it.
type Caller interface {
	Object(e cc.ExpressionNode) values.Object // the object that an lvalue designates
	// the address of the arguments without a parameter; nil if the function has no variable arguments
	VariableArguments() ir.Expr
	// Names of library functions begin with InLibrary.
	CallLibrary(name string, args ...ir.Expr) values.Operand
	LibraryType(name string) *cc.FunctionType
	LibraryFunction(name string) *code.Function // nil if the program does not contain it
	RunLast(status ir.Expr)                     // calls the functions that run when the program ends
}

// Call is a call of a builtin.
type Call struct {
	Unit     *code.Unit
	Build    *code.Builder
	Types    *layout.Types
	Values   *values.Arithmetic
	Memory   *values.Memory
	Literals *values.Literals
	Shared   *Shared
	Caller   Caller
	Node     *cc.PostfixExpression
	Name     string
	Args     []values.Operand
	Raw      []values.Operand // the same, before C's promotions
}

// handler makes code for a call of a builtin. The arguments are evaluated in order and promoted.
type handler func(k *Call) values.Operand

// Builtin is a function that the front end implements.
type Builtin struct {
	// Params has the names of its manual. "&v" is a pointer through which the call reads or writes a variable, but not
	// after it returns; "v?" is optional; "..." means any number of arguments.
	Params []string
	help   string // one line
	asks   bool   // programs state properties or assumptions with it
	// library: it calls functions of libraryText.
	library bool
	do      handler
}

// Shared is the state that all calls of builtins in a program share.
type Shared struct {
	Asts []*cc.AST
	// ForVerifiers: the program states failures with SV-COMP's functions, so that abort() is an assumption.
	ForVerifiers bool
	Signals      bool // waits on condition variables need signals: the property is termination
	Added        map[string]*code.Variable
	destructors  *bool // whether thread-specific data may have destructors; nil until computed
}

// byName maps names to builtins. Each file of the package fills it for one library.
type byName map[string]*Builtin

var table struct {
	once sync.Once
	all  byName
}

// All returns all builtins by name. The first call builds the table.
func All() byName {
	table.once.Do(func() {
		all := byName{}
		for _, fill := range []func(){
			all.addAtomic,
			all.addCharacters,
			all.addCondition,
			all.addKernel,
			all.addLibrary,
			all.addLock,
			all.addMemory,
			all.addMutex,
			all.addOther,
			all.addPrint,
			all.addPthread,
			all.addSemaphore,
			all.addSystem,
			all.addVerifier,
		} {
			fill()
		}
		table.all = all
	})
	return table.all
}

// parameters splits a list of parameters.
func parameters(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// add enters a builtin under each of its names, which spaces separate. params is the list of its parameters, help a
// line.
func (all byName) add(names, params, help string, do handler) {
	b := &Builtin{Params: parameters(params), help: help, do: do}
	for name := range strings.FieldsSeq(names) {
		if all[name] != nil {
			panic("BUG: two builtins are named " + name)
		}
		all[name] = b
	}
}

// addCheck enters a builtin with which programs state properties or assumptions.
func (all byName) addCheck(names, params, help string, do handler) {
	all.add(names, params, help, do)
	for name := range strings.FieldsSeq(names) {
		all[name].asks = true
	}
}

// Call makes code for a call, or fails if it has too few arguments.
func (b *Builtin) Call(k *Call) values.Operand {
	if len(k.Args) < b.leastArguments() {
		syntax.Failf(k.Node, "%s takes (%s), got %d arguments", k.Name, b.written(), len(k.Args))
	}
	return b.do(k)
}

// leastArguments returns the minimum number of arguments.
func (b *Builtin) leastArguments() int {
	n := slices.IndexFunc(b.Params, func(p string) bool { return p == "..." || strings.HasSuffix(p, "?") })
	if n < 0 {
		return len(b.Params)
	}
	return n
}

// written returns the parameters as completions and errors show them.
func (b *Builtin) written() string {
	all := slices.DeleteFunc(slices.Clone(b.Params), func(p string) bool { return p == "..." })
	return strings.ReplaceAll(strings.Join(all, ", "), "?", "")
}

// emits returns a handler that emits one operation and returns no value.
func emits(op func(k *Call) code.Op) handler {
	return func(k *Call) values.Operand {
		k.Build.Emit(op(k))
		return k.nothing()
	}
}

// Names returns the names of all builtins.
func Names() map[string]bool {
	out := map[string]bool{}
	for name := range All() {
		out[name] = true
	}
	return out
}

// AnyValue returns a builtin that returns any value of its declared type.
func AnyValue() *Builtin { return &Builtin{do: (*Call).anything} }

// IgnoresDefinition reports whether a program's own definition of a builtin is ignored. SV-COMP's programs define some
// of them for compilers.
func IgnoresDefinition(name string) bool {
	switch name {
	case "reach_error", "__VERIFIER_error", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "__VERIFIER_assume",
		"__CPROVER_assume":
		return true
	}
	return strings.HasPrefix(name, "__VERIFIER_nondet_")
}

// nothing is the value of a call that returns void.
func (k *Call) nothing() values.Operand { return values.Of(nil, k.Types.AST.Void) }

// success is the result 0 of a function that cannot fail.
func (k *Call) success() values.Operand { return k.Values.Number(0, k.Types.AST.Int) }

// answer converts a value to the type that the function is declared with.
func (k *Call) answer(x ir.Expr, t cc.Type) values.Operand {
	if to := k.Node.Type(); to != nil && k.Types.Width(to) > 0 {
		return k.Values.Convert(k.Node, values.Of(x, t), to)
	}
	return values.Of(x, t)
}

// as returns argument i converted to type t.
func (k *Call) as(i int, t cc.Type) ir.Expr {
	if k.Args[i].X == nil {
		syntax.Failf(k.Node, "argument %d of %s has no value", i+1, k.Name)
	}
	return k.Values.Convert(k.Node, k.Args[i], t).X
}

// address returns argument i as a pointer to void.
func (k *Call) address(i int) ir.Expr { return k.as(i, k.Types.AST.PVoid) }

// null reports whether argument i is a constant null pointer.
func (k *Call) null(i int) bool {
	n, ok := k.Args[i].X.(ir.Const)
	return ok && n.Value == 0
}

// word is the int at an address, which locks and similar objects consist of.
func (k *Call) word(addr ir.Expr) values.Object { return values.At(k.Types.AST.Int, addr) }

// scalar is the scalar that argument i points to. A pointer to a structure means its first scalar.
func (k *Call) scalar(i int) values.Object {
	o := k.pointee(i)
	if layout.IsAggregate(o.Type) {
		if parts := k.Types.Scalars(k.Node, o.Type); len(parts) > 0 && parts[0].Offset == 0 {
			o.Type = parts[0].Type
		}
	}
	k.Types.Bits(k.Node, o.Type)
	return o
}

// succeeds handles a function that does nothing except to require that its first argument is not null.
func (k *Call) succeeds() values.Operand {
	k.present(0)
	return k.success()
}

// present asserts that argument i, a pointer that is not dereferenced here, is not null.
func (k *Call) present(i int) {
	k.Build.Emit(code.Assert{Cond: code.Nonzero(k.address(i)), Property: ir.Memory, Text: "the pointer is null"})
}

// loadFrom reads an object.
func (k *Call) loadFrom(o values.Object, how code.Access) values.Operand {
	o.How, o.Called = how, true
	return k.Memory.Read(k.Node, o)
}

// storeTo writes an object.
func (k *Call) storeTo(o values.Object, x ir.Expr, how code.Access) {
	k.Build.Emit(code.Store{Addr: o.Addr, Value: x, How: how})
}

// change emits a read-modify-write and returns the value that it read. next computes the value to write from that one.
func (k *Call) change(o values.Object, next func(old ir.Expr) ir.Expr, read, write code.Access) ir.Expr {
	bits := k.Types.Bits(k.Node, o.Type)
	dst := k.Build.Temp(bits)
	k.Build.Emit(
		code.Update{Dst: dst, Wrote: -1, Addr: o.Addr, Next: next(ir.Old{Bits: bits}), Read: read, Write: write})
	return k.Build.Reg(dst)
}

// try emits a read-modify-write that writes only if when, over the value read, is 1. It returns the value read, and
// whether it wrote.
func (k *Call) try(
	o values.Object, next, when func(old ir.Expr) ir.Expr, read, write, failed code.Access,
) (old, wrote ir.Expr) {
	return k.tryWeakly(o, next, when, read, write, failed, nil)
}

// tryWeakly is try for an operation that may fail spuriously if weak is 1; nil means never.
func (k *Call) tryWeakly(
	o values.Object, next, when func(old ir.Expr) ir.Expr, read, write, failed code.Access, weak ir.Expr,
) (old, wrote ir.Expr) {
	bits := k.Types.Bits(k.Node, o.Type)
	dst, done := k.Build.Temp(bits), k.Build.Temp(1)
	was := ir.Old{Bits: bits}
	k.Build.Emit(code.Update{
		Dst: dst, Wrote: done, Addr: o.Addr, Next: next(was), When: when(was), Read: read, Write: write, Failed: failed,
		Weak: weak,
	})
	return k.Build.Reg(dst), k.Build.Reg(done)
}

// wait makes the thread wait until try, which reads memory, returns 1. Other threads can make it true.
func (k *Call) wait(try func() ir.Expr) {
	k.Build.Emit(code.Attempt{})
	k.Build.Emit(code.Assume{Cond: try(), Wait: true})
}

// ordered calls do with the memory order that argument i is. If the order is not a constant, which it may become only
// when functions are inlined, the code has a branch for each order.
func (k *Call) ordered(i int, f c.Callee, do func(c.Order) values.Operand) values.Operand {
	x := k.as(i, k.Types.AST.Int)
	if n, ok := x.(ir.Const); ok {
		if n.Value > uint64(c.SeqCst) {
			syntax.Failf(k.Node, "argument %d of %s is %d, want a memory order", i+1, k.Name, int32(n.Value))
		}
		if bad := f.Misfit(c.Order(n.Value)); bad != "" {
			syntax.Failf(syntax.Arguments(k.Node)[i], "%s", bad)
		}
		return do(c.Order(n.Value))
	}
	x = k.Build.Keep(x)
	result, t := -1, k.Types.AST.Void
	one := func(o c.Order) {
		v := do(o)
		if v.X == nil {
			return
		}
		if result < 0 {
			result, t = k.Build.Temp(v.X.Width()), v.Type
		}
		k.Build.Emit(code.Assign{Dst: result, Value: v.X})
	}
	var ends []int
	for o := c.Relaxed; o < c.SeqCst; o++ {
		if f.Misfit(o) != "" {
			continue
		}
		other := k.Build.Jump(code.Not(ir.Eq.Of(x, ir.Number(uint64(o), x.Width()))))
		one(o)
		ends = append(ends, k.Build.Jump(nil))
		k.Build.Land(other)
	}
	one(c.SeqCst)
	k.Build.Land(ends...)
	if result < 0 {
		return k.nothing()
	}
	return values.Of(k.Build.Reg(result), t)
}

// either emits a free choice between two alternatives, each of which returns a value of type t.
func (k *Call) either(t cc.Type, yes, no func() ir.Expr) values.Operand {
	which, result := k.Build.Temp(1), k.Build.Temp(k.Types.Bits(k.Node, t))
	k.Build.Emit(code.Choose{Dst: which})
	other := k.Build.Jump(code.Not(k.Build.Reg(which)))
	k.Build.Emit(code.Assign{Dst: result, Value: yes()})
	end := k.Build.Jump(nil)
	k.Build.Land(other)
	k.Build.Emit(code.Assign{Dst: result, Value: no()})
	k.Build.Land(end)
	return values.Of(k.Build.Reg(result), t)
}

// pick returns one constant if a bit is 1, and another if not.
func (k *Call) pick(bit ir.Expr, yes, no uint64, t cc.Type) values.Operand {
	y, n := k.Values.Number(yes, t), k.Values.Number(no, t)
	return values.Of(ir.Cond{If: bit, Then: y.X, Else: n.X}, t)
}

// text returns the string literal that argument i is, or else the source of the argument.
func (k *Call) text(i int) string {
	e := syntax.Arguments(k.Node)[i]
	if s, ok := e.Value().(cc.StringValue); ok {
		return strings.TrimRight(string(s), "\x00")
	}
	return strings.TrimSpace(cc.NodeSource(e))
}

// addedVariable returns the address of a static variable that the front end adds to the program.
func (k *Call) addedVariable(name string, size int, perThread bool) ir.Expr {
	v := k.Shared.Added[name]
	if v == nil {
		v = &code.Variable{
			Name: name, Pos: read.Place(k.Node), Size: size, Align: k.Types.Pointer / 8, PerThread: perThread,
			Static: true,
			Layout: func(offset int) (string, int) { return fmt.Sprintf("%s+%d", name, offset), 0 },
		}
		k.Shared.Added[name] = v
	}
	return k.Memory.Locate(v)
}

// pointee is the object that argument i points to. It may be a local variable in a register.
func (k *Call) pointee(i int) values.Object {
	var e cc.ExpressionNode = k.Node
	if args := syntax.Arguments(k.Node); i < len(args) {
		e = syntax.Unwrap(args[i])
	}
	t := k.Raw[i].Type
	of := k.Types.PointeeType(e, t)
	for c, ok := e.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast &&
		(k.Args[i].X == nil || of.Kind() == cc.Void); c, ok = e.(*cc.CastExpression) {
		e = syntax.Unwrap(c.CastExpression)
		if p, ok := e.Type().Decay().(*cc.PointerType); ok {
			of = p.Elem()
		}
	}
	if u, ok := e.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionAddrof && k.Args[i].X == nil {
		return k.Caller.Object(u.CastExpression)
	}
	if of.Kind() == cc.Void {
		syntax.Failf(e, "got a void pointer, want a pointer to an object of a complete type")
	}
	return values.At(of, k.Raw[i].X)
}
