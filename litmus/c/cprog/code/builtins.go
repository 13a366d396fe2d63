package code

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// caller is the function that calls a builtin, and what builtins ask of it.
type caller interface {
	object(e cc.ExpressionNode) object // what an lvalue designates
	variableArguments() ir.Expr        // where the arguments are that have no parameter; nil where there are none
	// The library's functions have names that begin with inLibrary.
	callLibrary(name string, args ...ir.Expr) operand
	libraryType(name string) *cc.FunctionType
	libraryFunction(name string) *Function // nil where the program does not have it
	runLast(status ir.Expr)                // calls what runs when the program ends
}

// calling is a call of a builtin.
type calling struct {
	unit     *Unit
	build    *builder
	types    *types
	values   *values
	memory   *memory
	literals *literals
	shared   *shared
	caller   caller
	node     *cc.PostfixExpression
	name     string
	args     []operand
	raw      []operand // the same, of the types that they have as written
}

// handler makes code of a call of a builtin, whose arguments are evaluated, after C's promotions, in order.
type handler func(k *calling) operand

// builtin is a function that the front end knows.
type builtin struct {
	// params are as its manual names them, but "&v" is one through which a local is read or written while it is called, and no
	// longer, "v?" one that may be left out, and "..." any number more.
	params []string
	help   string // a line
	asks   bool   // by it, a program says what is asked of it
	// library: it calls functions of libraryText.
	library bool
	do      handler
}

// shared is what the calls of builtins in a program share.
type shared struct {
	asts []*cc.AST
	// forVerifiers: the program says by SV-COMP's functions what fails; abort() makes an assumption there.
	forVerifiers bool
	signals      bool // waits on conditions are for signals
	owned        map[string]*Variable
	destructors  *bool // of keys of threads: whether there may be any, once it is known
}

// known are builtins, by every name that they have. Files named builtins_… fill it, one for each library.
type known map[string]*builtin

var table struct {
	once sync.Once
	all  known
}

// builtins are all of them. They are not there before somebody asks.
func builtins() known {
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
	b := &builtin{params: parameters(params), help: help, do: do}
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

// call makes code of a call, which has enough arguments.
func (b *builtin) call(k *calling) operand {
	if len(k.args) < b.takes() {
		failf(k.node, "%s takes (%s), got %d arguments", k.name, b.written(), len(k.args))
	}
	return b.do(k)
}

// takes is how many arguments it takes at least.
func (b *builtin) takes() int {
	n := slices.IndexFunc(b.params, func(p string) bool { return p == "..." || strings.HasSuffix(p, "?") })
	if n < 0 {
		return len(b.params)
	}
	return n
}

// written is what it takes, as those who type a call are shown it.
func (b *builtin) written() string {
	all := slices.DeleteFunc(slices.Clone(b.params), func(p string) bool { return p == "..." })
	return strings.ReplaceAll(strings.Join(all, ", "), "?", "")
}

// emits is a builtin that is one operation, and gives nothing.
func emits(op func(k *calling) Op) handler {
	return func(k *calling) operand {
		k.build.emit(op(k))
		return k.nothing()
	}
}

// builtinNames are the names of all of them.
func builtinNames() map[string]bool {
	out := map[string]bool{}
	for name := range builtins() {
		out[name] = true
	}
	return out
}

// anyValue gives any value of the type that it is declared with.
func anyValue() *builtin { return &builtin{do: (*calling).anything} }

// stubborn tells which builtins a program cannot define anew: SV-COMP's programs give
// them a body, for compilers.
func stubborn(name string) bool {
	switch name {
	case "reach_error", "__VERIFIER_error", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "__VERIFIER_assume", "__CPROVER_assume":
		return true
	}
	return strings.HasPrefix(name, "__VERIFIER_nondet_")
}

// nothing is the value of a call that has none.
func (k *calling) nothing() operand { return operand{nil, k.types.ast.Void} }

// success is what a function gives that cannot fail.
func (k *calling) success() operand { return k.values.number(0, k.types.ast.Int) }

// answer is a value of the type that the function is declared with.
func (k *calling) answer(x ir.Expr, t cc.Type) operand {
	if to := k.node.Type(); to != nil && k.types.width(to) > 0 {
		return k.values.convert(k.node, operand{x, t}, to)
	}
	return operand{x, t}
}

// as is argument i as a value of type t.
func (k *calling) as(i int, t cc.Type) ir.Expr {
	if k.args[i].x == nil {
		failf(k.node, "argument %d of %s has no value", i+1, k.name)
	}
	return k.values.convert(k.node, k.args[i], t).x
}

// address is argument i as a pointer to something of any type.
func (k *calling) address(i int) ir.Expr { return k.as(i, k.types.ast.PVoid) }

// null tells whether argument i is a null pointer as it is written.
func (k *calling) null(i int) bool {
	n, ok := k.args[i].x.(ir.Const)
	return ok && n.Value == 0
}

// word is the integer at an address: what locks and the like are made of.
func (k *calling) word(addr ir.Expr) object { return object{t: k.types.ast.Int, reg: -1, addr: addr} }

// scalar is the scalar that argument i points to: a structure of one is as good.
func (k *calling) scalar(i int) object {
	o := k.pointee(i)
	if aggregate(o.t) {
		if parts := k.types.scalars(k.node, o.t); len(parts) > 0 && parts[0].offset == 0 {
			o.t = parts[0].t
		}
	}
	k.types.bits(k.node, o.t)
	return o
}

// succeeds is a function that does nothing here but to want its first argument to point to something.
func (k *calling) succeeds() operand {
	k.present(0)
	return k.success()
}

// present says that a pointer that is not followed here is not null.
func (k *calling) present(i int) {
	k.build.emit(Assert{nonzero(k.address(i)), ir.Memory, "the pointer is null"})
}

// loadFrom reads an object.
func (k *calling) loadFrom(o object, how Access) operand {
	o.how, o.called = how, true
	return k.memory.read(k.node, o)
}

// storeTo writes one.
func (k *calling) storeTo(o object, x ir.Expr, how Access) { k.build.emit(Store{o.addr, x, how}) }

// change is a read-modify-write: next is what is written, of what was read, which it gives.
func (k *calling) change(o object, next func(old ir.Expr) ir.Expr, read, write Access) ir.Expr {
	bits := k.types.bits(k.node, o.t)
	dst := k.build.temp(bits)
	k.build.emit(Update{Dst: dst, Wrote: -1, Addr: o.addr, Next: next(ir.Old{Bits: bits}), Read: read, Write: write})
	return k.build.reg(dst)
}

// try is a read-modify-write that writes only where when, of what was read, is 1: what
// it read, and whether it wrote.
func (k *calling) try(o object, next, when func(old ir.Expr) ir.Expr, read, write, failed Access) (old, wrote ir.Expr) {
	return k.tryWeakly(o, next, when, read, write, failed, nil)
}

// tryWeakly may fail for no reason where weak (nil: never) is 1.
func (k *calling) tryWeakly(o object, next, when func(old ir.Expr) ir.Expr, read, write, failed Access, weak ir.Expr) (old, wrote ir.Expr) {
	bits := k.types.bits(k.node, o.t)
	dst, done := k.build.temp(bits), k.build.temp(1)
	was := ir.Old{Bits: bits}
	k.build.emit(Update{dst, done, o.addr, next(was), when(was), read, write, failed, weak})
	return k.build.reg(dst), k.build.reg(done)
}

// wait goes on only where what is tried holds, which others may make true: else it is tried again.
func (k *calling) wait(try func() ir.Expr) {
	k.build.emit(Attempt{})
	k.build.emit(Assume{Cond: try(), Wait: true})
}

// ordered does what a callee does in the order that argument i is: not always a constant before functions are
// inlined, so that it may take a branch for each order.
func (k *calling) ordered(i int, f c.Callee, do func(c.Order) operand) operand {
	x := k.as(i, k.types.ast.Int)
	if n, ok := x.(ir.Const); ok {
		if n.Value > uint64(c.SeqCst) {
			failf(k.node, "argument %d of %s is %d, want a memory order", i+1, k.name, int32(n.Value))
		}
		if bad := f.Misfit(c.Order(n.Value)); bad != "" {
			failf(arguments(k.node)[i], "%s", bad)
		}
		return do(c.Order(n.Value))
	}
	x = k.build.keep(x)
	result, t := -1, k.types.ast.Void
	one := func(o c.Order) {
		v := do(o)
		if v.x == nil {
			return
		}
		if result < 0 {
			result, t = k.build.temp(v.x.Width()), v.t
		}
		k.build.emit(Assign{result, v.x})
	}
	var ends []int
	for o := c.Relaxed; o < c.SeqCst; o++ {
		if f.Misfit(o) != "" {
			continue
		}
		other := k.build.jump(not(ir.Eq.Of(x, ir.Number(uint64(o), x.Width()))))
		one(o)
		ends = append(ends, k.build.jump(nil))
		k.build.land(other)
	}
	one(c.SeqCst)
	k.build.land(ends...)
	if result < 0 {
		return k.nothing()
	}
	return operand{k.build.reg(result), t}
}

// either chooses one of two ways to go on, each of which gives a value of type t.
func (k *calling) either(t cc.Type, yes, no func() ir.Expr) operand {
	which, result := k.build.temp(1), k.build.temp(k.types.bits(k.node, t))
	k.build.emit(Choose{Dst: which})
	other := k.build.jump(not(k.build.reg(which)))
	k.build.emit(Assign{result, yes()})
	end := k.build.jump(nil)
	k.build.land(other)
	k.build.emit(Assign{result, no()})
	k.build.land(end)
	return operand{k.build.reg(result), t}
}

// pick is one value where a bit is 1, and another where not.
func (k *calling) pick(bit ir.Expr, yes, no uint64, t cc.Type) operand {
	y, n := k.values.number(yes, t), k.values.number(no, t)
	return operand{ir.Cond{If: bit, Then: y.x, Else: n.x}, t}
}

// text is the string that argument i is written as, or else the argument as it is written.
func (k *calling) text(i int) string {
	e := arguments(k.node)[i]
	if s, ok := e.Value().(cc.StringValue); ok {
		return strings.TrimRight(string(s), "\x00")
	}
	return strings.TrimSpace(cc.NodeSource(e))
}

// own is a static variable of the front end's own.
func (k *calling) own(name string, size int, perThread bool) ir.Expr {
	v := k.shared.owned[name]
	if v == nil {
		v = &Variable{
			Name: name, Pos: read.Place(k.node), Size: size, Align: k.types.pointer / 8, PerThread: perThread, Static: true,
			Layout: func(offset int) (string, int) { return fmt.Sprintf("%s+%d", name, offset), 0 },
		}
		k.shared.owned[name] = v
	}
	return k.memory.locate(v)
}

// pointee is what argument i points to, which may be a local in a register.
func (k *calling) pointee(i int) object {
	var e cc.ExpressionNode = k.node
	if args := arguments(k.node); i < len(args) {
		e = unwrap(args[i])
	}
	t := k.raw[i].t
	of := k.types.pointeeType(e, t)
	for c, ok := e.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast && (k.args[i].x == nil || of.Kind() == cc.Void); c, ok = e.(*cc.CastExpression) {
		e = unwrap(c.CastExpression)
		if p, ok := e.Type().Decay().(*cc.PointerType); ok {
			of = p.Elem()
		}
	}
	if u, ok := e.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionAddrof && k.args[i].x == nil {
		return k.caller.object(u.CastExpression)
	}
	if of.Kind() == cc.Void {
		failf(e, "got a pointer to anything, want one to an object of a type that is known")
	}
	return object{t: of, reg: -1, addr: k.raw[i].x}
}
