package c

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// calling is a call while it is being lowered.
type calling struct {
	*lowerer
	c *Call
	f Callee
	v *value // the value to write, once it is evaluated
}

// NoSignal is the remark on a call of atomic_signal_fence.
const NoSignal = "atomic_signal_fence orders nothing between threads"

// call lowers a call and reports an unknown function or a wrong number of arguments.
func (l *lowerer) call(c *Call) value {
	if l.Test.Arch == "OPENCL" {
		v, ok := l.ofOpenCL(c)
		if !ok {
			l.Failf(c.Pos, "OPENCL: unknown function %s: want an operation of <stdatomic.h> on an object, "+
				"atomic_work_item_fence or work_group_barrier", c.Func)
			return poison()
		}
		return v
	}
	f, ok := Find(c.Func, len(c.Args), func(i int) bool { return l.isPointer(c.Args[i]) })
	if why, bad := refusedCalls[c.Func]; bad {
		l.Failf(c.Pos, "C: %s is not supported: %s", c.Func, why)
		return poison()
	}
	if !ok || f.Of == GNU {
		all := Callees()
		names := slices.Concat(lower.Names(all[C11]), lower.Names(all[Kernel]), lower.Names(all[Herd]))
		l.Failf(c.Pos, "C: unknown function %s: neither <stdatomic.h> nor the Linux kernel's memory model has it%s",
			c.Func,
			litmus.DidYouMean(c.Func, names))
		return poison()
	}
	if len(c.Args) != f.Arity() {
		l.Failf(c.Pos, "C: %s takes (%s), got %d arguments", c.Func, f.Params, len(c.Args))
		return poison()
	}
	return (&calling{lowerer: l, c: c, f: f}).does()
}

// does lowers the effect of the callee.
func (k *calling) does() value {
	f, how := k.f, k.f.How
	if i := f.At("order"); i >= 0 {
		how = k.order(i, true)
	}
	switch f.Effect {
	case Fence:
		if o, ok := how.(Order); ok {
			return k.fence(o.Fence())
		}
		return k.fence(how.Read())
	case SignalFence:
		k.Remarkf(k.c.Pos, NoSignal)
		return void()
	}
	if f.At("v") < f.Object() { // evaluate arguments from left to right
		k.operand(0)
	}
	addr, typ := k.object()
	switch f.Effect {
	case Load:
		return k.load(addr, typ, how.Read())
	case Store:
		return k.store(addr, k.convert(k.operand(0), typ).x, typ, how.Write())
	case StoreMb:
		k.store(addr, k.convert(k.operand(0), typ).x, typ, how.Write())
		return k.fence(fully(tagMB))
	case Initialise:
		return k.store(addr, k.convert(k.operand(0), typ).x, typ, plain(typ))
	case Modify:
		return k.update(addr, typ, how)
	case CompareExchange:
		if order, ok := how.(Order); ok {
			return k.compareExchange(addr, typ, order)
		}
		return k.compareExchangeOnce(addr, typ, how)
	case IsLockFree:
		return value{numeral(1), intType}
	case SyncSrcu:
		k.Emit(ir.Fence{Tags: how.Read(), Addr: addr})
		return void()
	case TakeSpin, TakeMutex:
		k.lock(addr, typ, how.Read(), how.Write())
		return value{numeral(0), intType} // of a mutex, thrd_success
	case TrySpin, TryMutex:
		taken := k.either(
			func() ir.Expr { return k.lock(addr, typ, how.Read(), how.Write()) },
			func() ir.Expr { return k.readHeld(addr, typ, how.(Tagged).Busy, 1) },
		)
		if f.Effect == TryMutex {
			return boolean(ir.Not(truthOf(taken)))
		}
		return value{taken, intType}
	case LeaveMutex:
		k.store(addr, numeral(0), typ, how.Write())
		return value{numeral(0), intType}
	case SpinIsLocked:
		return value{k.either(
			func() ir.Expr { return k.readHeld(addr, typ, SpinHeld, 1) },
			func() ir.Expr { return k.readHeld(addr, typ, SpinNotHeld, 0) },
		), intType}
	}
	panic("BUG: no code for the effect of " + f.Name + " does")
}

// isPointer reports whether an argument is written as an address.
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
	"kill_dependency":       "a value always keeps its dependencies",
	"call_rcu":              "use synchronize_rcu()",
	"smp_cond_load_acquire": "use while (!smp_load_acquire(p));",
	"smp_cond_load_relaxed": "use while (!READ_ONCE(*p));",
	"read_lock":             "reader-writer locks are not in the kernel's model",
	"write_lock":            "reader-writer locks are not in the kernel's model",
	"printf":                "list the values to show in locations [...]",
	"assert":                "write a condition: exists, ~exists or forall",
}

func (k *calling) arg(i int) value { return k.value(k.c.Args[i]) }

// pointer returns argument i as an address, and the type of the object there.
func (k *calling) pointer(i int) (ir.Expr, Type) {
	v := k.arg(i)
	return v.x, v.typ.pointee()
}

// object returns the address and the type of the object that the callee accesses.
func (k *calling) object() (ir.Expr, Type) {
	i := k.f.Object()
	if k.f.At("*p") == i {
		return k.lvalue(i)
	}
	return k.pointer(i)
}

// operand returns the value that the callee writes, or the operand of its operator. If no argument gives it, it is
// otherwise.
func (k *calling) operand(otherwise uint64) value {
	if i := k.f.At("v", "index"); i >= 0 && k.v == nil {
		v := k.arg(i)
		k.v = &v
	}
	if k.v == nil {
		return value{numeral(otherwise), intType}
	}
	return *k.v
}

// lvalue returns the address and type of the lvalue that argument i is, as in READ_ONCE(*p). The name of a location
// stands for the location.
func (k *calling) lvalue(i int) (addr ir.Expr, typ Type) {
	x := k.c.Args[i]
	if name, ok := x.(*Name); ok {
		if t, param := k.params[name.Text]; param && !k.moved[name.Text] {
			return k.address(name.Text), t.pointee()
		}
		k.Failf(name.Pos, "C: %s is a local variable: %s accesses memory, as in %s(*p)", name.Text, k.c.Func, k.c.Func)
		return numeral(0), intType
	}
	for { // a cast converts the value, not the object
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

// order returns argument i as a memory order. If fit is true, it reports an order that the callee cannot have.
func (k *calling) order(i int, fit bool) Order {
	at, hint := k.c.Args[i].Where(), litmus.Guess{}
	if name, ok := k.c.Args[i].(*Name); ok {
		if o, ok := Orders[name.Text]; ok {
			bad := k.f.Misfit(o)
			if !fit || bad == "" {
				return o
			}
			k.Failf(at.Pos, "C: %s", bad)
			return Relaxed
		}
		hint = litmus.DidYouMean(name.Text, lower.Names(Orders))
	}
	k.Failf(at.Pos, "C: want a memory order here, such as memory_order_relaxed%s", hint)
	return Relaxed
}

// void is the result of a call that returns nothing.
func void() value { return value{numeral(0), Type{name: "void", width: 32, signed: true}} }

func (k *calling) fence(tags ir.Tags) value {
	k.Emit(ir.Fence{Tags: tags})
	return void()
}

func (l *lowerer) store(addr, x ir.Expr, typ Type, tags ir.Tags) value {
	l.Emit(ir.Store{Addr: addr, Value: ir.Resize(x, l.access(typ)), Tags: tags})
	return void()
}

// rmw emits a read-modify-write and returns the value it reads. next computes the value to write; if only is not nil,
// the write happens only if it is 1.
func (l *lowerer) rmw(addr ir.Expr, typ Type, next func(old value) value, only ir.Expr, read, write ir.Tags) value {
	n := l.access(typ)
	dst := l.Temp(n)
	l.Emit(
		ir.RMW{
			Dst: dst, Addr: addr, Bits: n, New: ir.Resize(l.convert(next(l.old(typ)), typ).x, n), If: only,
			Tags: read, WriteTags: write,
		})
	return l.extended(l.Value(dst), typ)
}

// old returns the value that a read-modify-write has read, for use in its own expressions.
func (l *lowerer) old(typ Type) value { return l.extended(ir.Old{Bits: l.width(typ)}, typ) }

// either lowers a choice between two alternatives. Each reads memory, assumes its own condition, and returns an
// expression over the value read. The result is 1 or 0 according to the way taken, and depends on the value read: no
// dependency goes through the choice itself.
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

// lock acquires a lock under the assumption that it is free. Executions in which it is not free are covered by others,
// in which the thread acquires it later.
func (k *calling) lock(addr ir.Expr, typ Type, read, write ir.Tags) ir.Expr {
	old := k.rmw(addr, typ, func(value) value { return value{numeral(1), intType} }, nil, read, write)
	k.Emit(ir.Assume{Cond: ir.Eq.Of(old.x, numeral(0))})
	return old.x
}

// readHeld reads a lock and assumes that it is in the given state.
func (k *calling) readHeld(addr ir.Expr, typ Type, tags ir.Tags, state uint64) ir.Expr {
	v := k.load(addr, typ, tags)
	k.Emit(ir.Assume{Cond: ir.Eq.Of(v.x, numeral(state))})
	return v.x
}

// update lowers a read-modify-write and returns the result of the call.
func (k *calling) update(addr ir.Expr, typ Type, how Ordering) value {
	v, zero, u := k.operand(1), value{numeral(0), intType}, value{}
	next := func(old value) value {
		switch k.f.Op {
		case "":
			return v
		case "&~":
			return k.operate("&", old, value{ir.Not(v.x), v.typ})
		}
		return k.operate(k.f.Op, old, v)
	}
	var only ir.Expr
	if k.f.Unless != "" {
		if i := k.f.At(k.f.Unless); i >= 0 {
			u = k.arg(i)
		}
		only = ir.Not(k.f.LeavesUnchanged(k.old(typ).x, u.x))
	}
	old := k.rmw(addr, typ, next, only, how.Read(Update()...), how.Write(Update()...))
	switch k.f.Returns {
	case New:
		return next(old)
	case Nothing:
		return void()
	case IsZero:
		return boolean(ir.Eq.Of(next(old).x, numeral(0)))
	case Negative:
		return k.operate("<", next(old), zero)
	case Whether:
		if only != nil {
			return boolean(ir.Not(k.f.LeavesUnchanged(old.x, u.x)))
		}
	}
	return old
}

// compareExchange lowers a C11 compare-exchange: a read-modify-write if it succeeds, a read if it fails. Whether it
// succeeds is a choice, because the two cases have different memory orders.
func (k *calling) compareExchange(addr ir.Expr, typ Type, success Order) value {
	failure := success
	if i := k.f.At("order_of_failure"); i >= 0 {
		said := k.order(i, false)
		if failure = said.OfFailure(); failure != said {
			k.Remarkf(k.c.Args[i].Where().Pos, NoFailure, said, failure)
		}
	}
	expected := k.expected()
	want := k.Keep(k.read(expected).x)
	v := k.convert(k.operand(0), typ).x
	done := k.either(func() ir.Expr {
		old := k.rmw(addr, typ, func(value) value { return value{v, typ} }, nil, success.Read(Update()...),
			success.Write(Update()...))
		k.Emit(ir.Assume{Cond: ir.Eq.Of(old.x, want)})
		return ir.Eq.Of(old.x, want)
	}, func() ir.Expr {
		old := k.load(addr, typ, failure.Read(Update()...))
		if !k.f.Weak {
			k.Emit(ir.Assume{Cond: ir.Not(ir.Eq.Of(old.x, want))})
		}
		k.write(expected, old)
		return ir.Eq.Of(old.x, want)
	})
	return value{done, intType}
}

// compareExchangeOnce lowers cmpxchg or try_cmpxchg of the kernel. If the expected value is given by a pointer, it
// stores the value read through that pointer.
func (k *calling) compareExchangeOnce(addr ir.Expr, typ Type, how Ordering) value {
	var expected place
	var want ir.Expr
	i := k.f.At("old")
	if i >= 0 {
		want = k.convert(k.arg(i), typ).x
	} else {
		expected = k.expected()
		want = k.Keep(k.read(expected).x)
	}
	v := k.operand(0)
	old := k.rmw(addr, typ, func(value) value { return v }, ir.Eq.Of(k.old(typ).x, want), how.Read(Update()...),
		how.Write(Update()...))
	if i >= 0 {
		return old
	}
	done := ir.Eq.Of(old.x, want)
	if expected.addr == nil {
		k.setLocal(expected.local, old)
	} else {
		k.controlled(k.c.Cell, func() {
			skip := k.jump(done)
			k.write(expected, old)
			k.land(skip)
		})
	}
	return boolean(done)
}

// expected returns the object that the expected-value argument points to: a local variable written as &r, or memory.
func (k *calling) expected() (p place) {
	i := k.f.At("&expected", "&old")
	if u, ok := k.c.Args[i].(*Unary); ok && u.Op == "&" && k.isLocal(u.X) {
		p, _ = k.place(u.X)
		return p
	}
	p.addr, p.typ = k.pointer(i)
	return p
}

func (l *lowerer) isLocal(x Expr) bool {
	name, ok := x.(*Name)
	if !ok {
		return false
	}
	_, param := l.params[name.Text]
	return !param
}
