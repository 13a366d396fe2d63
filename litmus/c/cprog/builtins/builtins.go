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

// Caller is the function that calls a builtin, and what builtins ask of it.
type Caller interface {
	Object(e cc.ExpressionNode) values.Object // what an lvalue designates
	// where the arguments are that have no parameter; nil where there are none
	VariableArguments() ir.Expr
	// The library's functions have names that begin with inLibrary.
	CallLibrary(name string, args ...ir.Expr) values.Operand
	LibraryType(name string) *cc.FunctionType
	LibraryFunction(name string) *code.Function // nil where the program does not have it
	RunLast(status ir.Expr)                     // calls what runs when the program ends
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
	Raw      []values.Operand // the same, of the types that they have as written
}

// handler makes code of a call of a builtin, whose arguments are evaluated, after C's promotions, in order.
type handler func(k *Call) values.Operand

// Builtin is a function that the front end knows.
type Builtin struct {
	// params are as its manual names them, but "&v" is one through which a local is read or written while it is called,
	// and no longer, "v?" one that may be left out, and "..." any number more.
	Params []string
	help   string // a line
	asks   bool   // by it, a program says what is asked of it
	// library: it calls functions of libraryText.
	library bool
	do      handler
}

// Shared is what the calls of builtins in a program share.
type Shared struct {
	Asts []*cc.AST
	// forVerifiers: the program says by SV-COMP's functions what fails; abort() makes an assumption there.
	ForVerifiers bool
	Signals      bool // waits on conditions are for signals
	Owned        map[string]*code.Variable
	destructors  *bool // of keys of threads: whether there may be any, once it is known
}

// known are builtins, by every name that they have. The other files fill it, one for each library.
type known map[string]*Builtin

var table struct {
	once sync.Once
	all  known
}

// All returns all of them, by every name. They are not there before somebody asks.
func All() known {
	table.once.Do(func() {
		all := known{}
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

func parameters(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// add enters one.
func (all known) add(names, params, help string, do handler) {
	b := &Builtin{Params: parameters(params), help: help, do: do}
	for name := range strings.FieldsSeq(names) {
		if all[name] != nil {
			panic("BUG: two builtins " + name)
		}
		all[name] = b
	}
}

// ask enters one by which a program says what is asked of it.
func (all known) ask(names, params, help string, do handler) {
	all.add(names, params, help, do)
	for name := range strings.FieldsSeq(names) {
		all[name].asks = true
	}
}

// Call makes code of a call, which has enough arguments.
func (b *Builtin) Call(k *Call) values.Operand {
	if len(k.Args) < b.takes() {
		syntax.Failf(k.Node, "%s takes (%s), got %d arguments", k.Name, b.written(), len(k.Args))
	}
	return b.do(k)
}

// takes is how many arguments it takes at least.
func (b *Builtin) takes() int {
	n := slices.IndexFunc(b.Params, func(p string) bool { return p == "..." || strings.HasSuffix(p, "?") })
	if n < 0 {
		return len(b.Params)
	}
	return n
}

// written is what it takes, as those who type a call are shown it.
func (b *Builtin) written() string {
	all := slices.DeleteFunc(slices.Clone(b.Params), func(p string) bool { return p == "..." })
	return strings.ReplaceAll(strings.Join(all, ", "), "?", "")
}

// emits is a builtin that is one operation, and gives nothing.
func emits(op func(k *Call) code.Op) handler {
	return func(k *Call) values.Operand {
		k.Build.Emit(op(k))
		return k.nothing()
	}
}

// Names are the names of all of them.
func Names() map[string]bool {
	out := map[string]bool{}
	for name := range All() {
		out[name] = true
	}
	return out
}

// AnyValue gives any value of the type that it is declared with.
func AnyValue() *Builtin { return &Builtin{do: (*Call).anything} }

// Stubborn tells which builtins a program cannot define anew: SV-COMP's programs give
// them a body, for compilers.
func Stubborn(name string) bool {
	switch name {
	case "reach_error", "__VERIFIER_error", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "__VERIFIER_assume",
		"__CPROVER_assume":
		return true
	}
	return strings.HasPrefix(name, "__VERIFIER_nondet_")
}

// nothing is the value of a call that has none.
func (k *Call) nothing() values.Operand { return values.Of(nil, k.Types.AST.Void) }

// success is what a function gives that cannot fail.
func (k *Call) success() values.Operand { return k.Values.Number(0, k.Types.AST.Int) }

// answer is a value of the type that the function is declared with.
func (k *Call) answer(x ir.Expr, t cc.Type) values.Operand {
	if to := k.Node.Type(); to != nil && k.Types.Width(to) > 0 {
		return k.Values.Convert(k.Node, values.Of(x, t), to)
	}
	return values.Of(x, t)
}

// as is argument i as a value of type t.
func (k *Call) as(i int, t cc.Type) ir.Expr {
	if k.Args[i].X == nil {
		syntax.Failf(k.Node, "argument %d of %s has no value", i+1, k.Name)
	}
	return k.Values.Convert(k.Node, k.Args[i], t).X
}

// address is argument i as a pointer to something of any type.
func (k *Call) address(i int) ir.Expr { return k.as(i, k.Types.AST.PVoid) }

// null tells whether argument i is a null pointer as it is written.
func (k *Call) null(i int) bool {
	n, ok := k.Args[i].X.(ir.Const)
	return ok && n.Value == 0
}

// word is the integer at an address: what locks and the like are made of.
func (k *Call) word(addr ir.Expr) values.Object { return values.At(k.Types.AST.Int, addr) }

// scalar is the scalar that argument i points to: a structure of one is as good.
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

// succeeds is a function that does nothing here but to want its first argument to point to something.
func (k *Call) succeeds() values.Operand {
	k.present(0)
	return k.success()
}

// present says that a pointer that is not followed here is not null.
func (k *Call) present(i int) {
	k.Build.Emit(code.Assert{Cond: code.Nonzero(k.address(i)), Property: ir.Memory, Text: "the pointer is null"})
}

// loadFrom reads an object.
func (k *Call) loadFrom(o values.Object, how code.Access) values.Operand {
	o.How, o.Called = how, true
	return k.Memory.Read(k.Node, o)
}

// storeTo writes one.
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

// try is a read-modify-write that writes only where when, of what was read, is 1: what
// it read, and whether it wrote.
func (k *Call) try(
	o values.Object, next, when func(old ir.Expr) ir.Expr, read, write, failed code.Access,
) (old, wrote ir.Expr) {
	return k.tryWeakly(o, next, when, read, write, failed, nil)
}

// tryWeakly may fail for no reason where weak (nil: never) is 1.
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

// wait goes on only where what is tried holds, which others may make true: else it is tried again.
func (k *Call) wait(try func() ir.Expr) {
	k.Build.Emit(code.Attempt{})
	k.Build.Emit(code.Assume{Cond: try(), Wait: true})
}

// ordered does what a callee does in the order that argument i is: not always a constant before functions are
// inlined, so that it may take a branch for each order.
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

// either chooses one of two ways to go on, each of which gives a value of type t.
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

// pick is one value where a bit is 1, and another where not.
func (k *Call) pick(bit ir.Expr, yes, no uint64, t cc.Type) values.Operand {
	y, n := k.Values.Number(yes, t), k.Values.Number(no, t)
	return values.Of(ir.Cond{If: bit, Then: y.X, Else: n.X}, t)
}

// text is the string that argument i is written as, or else the argument as it is written.
func (k *Call) text(i int) string {
	e := syntax.Arguments(k.Node)[i]
	if s, ok := e.Value().(cc.StringValue); ok {
		return strings.TrimRight(string(s), "\x00")
	}
	return strings.TrimSpace(cc.NodeSource(e))
}

// own is a static variable of the front end's own.
func (k *Call) own(name string, size int, perThread bool) ir.Expr {
	v := k.Shared.Owned[name]
	if v == nil {
		v = &code.Variable{
			Name: name, Pos: read.Place(k.Node), Size: size, Align: k.Types.Pointer / 8, PerThread: perThread,
			Static: true,
			Layout: func(offset int) (string, int) { return fmt.Sprintf("%s+%d", name, offset), 0 },
		}
		k.Shared.Owned[name] = v
	}
	return k.Memory.Locate(v)
}

// pointee is what argument i points to, which may be a local in a register.
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
		syntax.Failf(e, "got a pointer to anything, want one to an object of a type that is known")
	}
	return values.At(of, k.Raw[i].X)
}
