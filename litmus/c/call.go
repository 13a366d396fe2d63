package c

import (
	"maps"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// callee is a function or macro that tests may call.
type callee struct {
	params string // as its manual names them, for messages and for those who type: "p, v, order"
	help   string
	do     func(k *calling) value
}

// takes is how many arguments it takes.
func (f callee) takes() int {
	if f.params == "" {
		return 0
	}
	return strings.Count(f.params, ",") + 1
}

// calling is one call being lowered.
type calling struct {
	*lowerer
	c *Call
}

// call lowers a call. Some names are in both vocabularies, with their arguments the other way
// round: the kernel's have the pointer last.
func (l *lowerer) call(c *Call) value {
	f, ok := c11Calls[c.Func]
	if k, both := kernelCalls[c.Func]; both && (!ok || len(c.Args) == k.takes() && l.isPointer(c.Args[len(c.Args)-1]) && !l.isPointer(c.Args[0])) {
		f, ok = k, true
	}
	if why, bad := refusedCalls[c.Func]; bad {
		l.Failf(c.Pos, "C: %s is not supported: %s", c.Func, why)
		return poison()
	}
	if !ok {
		l.Failf(c.Pos, "C: %s is no function of <stdatomic.h> and no primitive of the Linux kernel's model%s",
			c.Func, litmus.DidYouMean(c.Func, slices.Sorted(maps.Keys(allCalls()))))
		return poison()
	}
	if len(c.Args) != f.takes() {
		l.Failf(c.Pos, "C: %s takes (%s), got %d arguments", c.Func, f.params, len(c.Args))
		return poison()
	}
	return f.do(&calling{l, c})
}

func allCalls() map[string]callee {
	all := maps.Clone(kernelCalls)
	maps.Copy(all, c11Calls)
	return all
}

// isPointer tells whether an argument is written as an address.
func (l *lowerer) isPointer(x Expr) bool {
	switch x := x.(type) {
	case *Name:
		if _, param := l.params[x.Text]; param {
			return true
		}
		return l.typeOfLocal(x.Text).stars > 0
	case *Unary:
		return x.Op == "&"
	case *Cast:
		return x.Type.stars > 0
	case *Binary:
		return l.isPointer(x.X) || l.isPointer(x.Y)
	}
	return false
}

var refusedCalls = map[string]string{
	"kill_dependency":       "a value cannot be parted from what it depends on",
	"call_rcu":              "want synchronize_rcu()",
	"smp_cond_load_acquire": "want while (!smp_load_acquire(p));", "smp_cond_load_relaxed": "want while (!READ_ONCE(*p));",
	"read_lock": "reader-writer locks are not in the kernel's model", "write_lock": "reader-writer locks are not in the kernel's model",
	"printf": "list what to show in locations [...]", "assert": "want a condition: exists, ~exists or forall",
}

func (k *calling) arg(i int) value { return k.value(k.c.Args[i]) }

// converted is argument i as a value of a type.
func (k *calling) converted(i int, to Type) ir.Expr { return convert(k.arg(i), to).x }

// pointer is argument i as an address, and the type of what is there.
func (k *calling) pointer(i int) (ir.Expr, Type) {
	v := k.arg(i)
	return v.x, v.typ.pointee()
}

// lvalue is the place that argument i names, as READ_ONCE(*p) does; a location's own name
// stands for the location.
func (k *calling) lvalue(i int) (addr ir.Expr, typ Type) {
	x := k.c.Args[i]
	if name, ok := x.(*Name); ok {
		if t, param := k.params[name.Text]; param && !k.moved[name.Text] {
			return k.address(name.Text), t.pointee()
		}
		k.Failf(name.Pos, "C: %s is a local: %s takes memory, as in %s(*p)", name.Text, k.c.Func, k.c.Func)
		return numeral(0), intType
	}
	for { // a cast before it is of the value
		c, ok := x.(*Cast)
		if !ok {
			break
		}
		x = c.X
	}
	p, ok := k.place(x)
	if !ok || p.addr == nil {
		return numeral(0), intType
	}
	return p.addr, p.typ
}

// order is argument i as a memory order.
func (k *calling) order(i int, fits func(Order) bool, what string) Order {
	at := k.c.Args[i].Where()
	if name, ok := k.c.Args[i].(*Name); ok {
		if o, ok := Orders[name.Text]; ok {
			if fits == nil || fits(o) {
				return o
			}
			k.Failf(at.Pos, "C: %s", o.Misfit(what))
			return Relaxed
		}
	}
	hint := ""
	if name, ok := k.c.Args[i].(*Name); ok {
		hint = litmus.DidYouMean(name.Text, slices.Sorted(maps.Keys(Orders)))
	}
	k.Failf(at.Pos, "C: want a memory order here, such as memory_order_relaxed%s", hint)
	return Relaxed
}

// void is the value of what has none.
func void() value { return value{numeral(0), Type{name: "void", width: 32, signed: true}} }

func (k *calling) fence(tags ir.Tags) value {
	k.Emit(ir.Fence{Tags: tags})
	return void()
}

func (k *calling) store(addr ir.Expr, x ir.Expr, tags ir.Tags) value {
	k.Emit(ir.Store{Addr: addr, Value: x, Tags: tags})
	return void()
}

// rmw emits a read-modify-write, and gives what it has read.
func (k *calling) rmw(addr ir.Expr, typ Type, next func(old value) value, only ir.Expr, read, write ir.Tags) value {
	dst := k.Temp(bits)
	k.Emit(ir.RMW{Dst: dst, Addr: addr, Bits: bits, New: convert(next(value{ir.Old{Bits: bits}, typ}), typ).x, If: only, Tags: read, WriteTags: write})
	return value{k.Value(dst), typ}
}

// either lowers one of two ways to go, which only what is read there decides: each is to
// assume what it stands for, and gives what it has read. What comes of it is 1 or 0 by the
// way taken, and depends on what was read: nothing depends on the choice.
func (k *calling) either(yes, no func() ir.Expr) ir.Expr {
	which, result := k.Temp(1), k.Temp(1)
	k.Emit(ir.Choose{Dst: which})
	otherwise := k.jump(ir.Not(k.Value(which)))
	k.Assign(result, ir.BitOr.Of(truthOf(yes()), ir.Number(1, 1)))
	over := k.jump(nil)
	k.land(otherwise)
	k.Assign(result, ir.BitAnd.Of(truthOf(no()), ir.Number(0, 1)))
	k.land(over)
	return ir.Resize(k.Value(result), bits)
}

// lock takes a lock where it is free, and only there: an execution in which it is not goes on
// in another, which takes it later.
func (k *calling) lock(addr ir.Expr, read, write ir.Tags) ir.Expr {
	old := k.rmw(addr, intType, func(value) value { return value{numeral(1), intType} }, nil, read, write)
	k.Emit(ir.Assume{Cond: ir.Eq.Of(old.x, numeral(0))})
	return old.x
}

// tryLock takes a lock if it is free, and else reads that it is not: whether it did.
func (k *calling) tryLock(addr ir.Expr, read, write, busy ir.Tags) ir.Expr {
	return k.either(
		func() ir.Expr { return k.lock(addr, read, write) },
		func() ir.Expr { return k.readHeld(addr, busy, 1) },
	)
}

// readHeld reads a lock that is in the state given.
func (k *calling) readHeld(addr ir.Expr, tags ir.Tags, state uint64) ir.Expr {
	v := k.load(addr, intType, tags)
	k.Emit(ir.Assume{Cond: ir.Eq.Of(v.x, numeral(state))})
	return v.x
}

// Words implements lower.Dialect: statements and what can be called, the vocabulary of the
// architecture, or tongue, first.
func (Dialect) Words(tongue string) lower.Words {
	var forms []lower.Form
	add := func(calls map[string]callee, names ...string) {
		for _, name := range names {
			f := lower.Form{Mnemonic: name, Operands: asWritten.Replace("(" + calls[name].params + ")"), Help: calls[name].help}
			if !slices.Contains(forms, f) {
				forms = append(forms, f)
			}
		}
	}
	vocabularies := []map[string]callee{c11Calls, kernelCalls}
	first := usual[0]
	if tongue != "C" {
		slices.Reverse(vocabularies)
		first = usual[1]
	}
	add(vocabularies[0], strings.Fields(first)...)
	forms = append(forms, statements...)
	for _, v := range vocabularies {
		add(v, slices.Sorted(maps.Keys(v))...)
	}
	barriers, cycles := []string{"atomic_thread_fence(memory_order_seq_cst);", "atomic_thread_fence(memory_order_acq_rel);"}, cycles11
	if tongue != "C" {
		barriers, cycles = []string{"smp_mb();", "smp_wmb();", "smp_rmb();"}, cyclesKernel
	}
	return lower.Words{
		Forms: forms, Registers: []string{"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7"},
		Modifiers: lower.Names(Orders), Bodies: true, Barriers: barriers, Cycles: cycles,
	}
}

// usual are the calls that most tests make, of C11's and of the kernel's.
var usual = [2]string{
	"atomic_load_explicit atomic_store_explicit atomic_load atomic_store atomic_thread_fence atomic_exchange_explicit " +
		"atomic_fetch_add_explicit atomic_compare_exchange_strong_explicit mtx_lock mtx_unlock",
	"READ_ONCE WRITE_ONCE smp_load_acquire smp_store_release smp_mb smp_rmb smp_wmb rcu_dereference rcu_assign_pointer " +
		"rcu_read_lock rcu_read_unlock synchronize_rcu spin_lock spin_unlock xchg cmpxchg",
}

// statements are what C has beside calls.
var statements = []lower.Form{
	{Mnemonic: "int", Operands: " r0 = 0", Help: "declares a local, which final states show as 0:r0"},
	{Mnemonic: "if", Operands: " (v) { }", Help: "does what is between { and } where the condition is not 0; so else, behind it, where it is"},
	{Mnemonic: "while", Operands: " (v == 0) { }", Help: "repeats what is between { and } while the condition is not 0"},
	{Mnemonic: "do", Operands: " { } while (v == 0)", Help: "repeats what is between { and } until the condition is 0"},
	{Mnemonic: "return", Help: "ends the thread"},
}

// asWritten puts what a test could have in place of parameters.
var asWritten = strings.NewReplacer("order_of_failure", "memory_order_relaxed", "order", "memory_order_relaxed", "expected", "&expected")
