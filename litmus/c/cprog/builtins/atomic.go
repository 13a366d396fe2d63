package builtins

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// atomically returns the access of an atomic operation with an order.
func atomically(o c.Order) code.Access { return code.Access{Atomic: true, Order: o} }

// kernel returns an access with the tags of a kernel primitive.
func kernel(tags ir.Tags) code.Access { return code.Access{Tags: tags} }

// addAtomic enters the callees of litmus/c, except those for tests only.
func (all byName) addAtomic() {
	for of, callees := range c.Callees() {
		for name, f := range callees {
			if _, both := all[name]; both || c.Vocabulary(of) == c.Herd {
				continue
			}
			all.add(name, f.Params, f.Help, func(k *Call) values.Operand {
				f, _ := c.Find(k.Name, len(k.Args), func(i int) bool { return k.Raw[i].Type.Kind() == cc.Ptr })
				return doCallee(k, f)
			})
		}
	}
}

// callKernel makes code for a kernel primitive.
func callKernel(k *Call, name string) values.Operand { return doCallee(k, c.Callees()[c.Kernel][name]) }

// doCallee makes code for a callee. An order that is an argument may not be constant; then the code has a branch for
// each.
func doCallee(k *Call, f c.Callee) values.Operand {
	success, failure := f.At("order"), f.At("order_of_failure")
	if success < 0 {
		return performCallee(k, f, f.How, f.How)
	}
	if failure < 0 {
		return k.ordered(success, f, func(o c.Order) values.Operand { return performCallee(k, f, o, o) })
	}
	if n, ok := k.as(failure, k.Types.AST.Int).(ir.Const); ok && n.Value <= uint64(c.SeqCst) {
		if o := c.Order(n.Value); o.OfFailure() != o {
			k.Unit.Remark(syntax.Arguments(k.Node)[failure], fmt.Sprintf(c.NoFailure, o, o.OfFailure()))
		}
	}
	return k.ordered(success, f, func(s c.Order) values.Operand {
		return k.ordered(failure, f, func(o c.Order) values.Operand { return performCallee(k, f, s, o.OfFailure()) })
	})
}

// performCallee makes code for a callee with known orders.
func performCallee(k *Call, f c.Callee, how, failure c.Ordering) values.Operand {
	switch f.Effect {
	case c.Fence:
		if o, ok := how.(c.Order); !ok {
			k.Build.Emit(code.Fence{Tags: how.Read()})
		} else if o != c.Relaxed {
			k.Build.Emit(code.Fence{Order: o})
		}
		return k.nothing()
	case c.SignalFence:
		k.Unit.Remark(k.Node, c.NoSignal)
		return k.nothing()
	case c.IsLockFree:
		return k.answer(ir.Number(1, 32), k.Types.AST.Int)
	case c.SyncSrcu:
		k.Build.Emit(code.Fence{Tags: how.Read(), Addr: k.address(0)})
		return k.nothing()
	case c.TakeSpin:
		takeLock(k, k.address(0), kernel(c.SpinRead), kernel(c.SpinWrite))
		return k.nothing()
	case c.TrySpin:
		return k.Values.Boolean(tryLock(k, k.address(0), kernel(c.SpinRead), kernel(c.SpinWrite), kernel(c.SpinBusy)))
	case c.SpinIsLocked:
		held := func(tags ir.Tags, state uint64) func() ir.Expr {
			return func() ir.Expr {
				v := k.loadFrom(k.word(k.address(0)), kernel(tags)).X
				k.Build.Emit(code.Assume{Cond: ir.Eq.Of(v, ir.Number(state, 32))})
				return ir.Number(state, 32)
			}
		}
		return k.either(k.Types.AST.Int, held(c.SpinHeld, 1), held(c.SpinNotHeld, 0))
	case c.TakeMutex:
		return takeMutex(k)
	case c.TryMutex:
		return tryToTakeMutex(k)
	case c.LeaveMutex:
		return leaveMutex(k)
	}
	o := calleeObject(k, f)
	if layout.IsAggregate(o.Type) {
		return performWhole(k, f, o, how, failure)
	}
	switch f.Effect {
	case c.Load:
		return calleeResult(k, f, k.loadFrom(o, access(how, c.Ordering.Read)))
	case c.Store, c.StoreMb, c.Initialise:
		k.storeTo(o, calleeValue(k, f, o, 0), access(how, c.Ordering.Write))
		if f.Effect == c.StoreMb {
			return callKernel(k, "smp_mb")
		}
		return k.nothing()
	}
	read, write := access(how, c.Ordering.Read, c.Update()...), access(how, c.Ordering.Write, c.Update()...)
	if f.Effect == c.Modify {
		return modifyObject(k, f, o, read, write)
	}
	return compareExchange(k, f, o, read, write, access(failure, c.Ordering.Read, c.Update()...))
}

// access returns the read or the write half of an operation with an order. Without an order it is plain.
func access(how c.Ordering, half func(c.Ordering, ...ir.Tag) ir.Tags, extra ...ir.Tag) code.Access {
	if how == nil {
		return code.Access{}
	}
	if o, ok := how.(c.Order); ok {
		return atomically(o)
	}
	return kernel(half(how, extra...))
}

// calleeObject is the object that a callee accesses.
func calleeObject(k *Call, f c.Callee) values.Object {
	i := f.Object()
	switch i {
	case f.At("flag"): // a byte, whatever the pointer's type is
		return values.At(k.Types.AST.UChar, k.address(i))
	case f.At("l", "s"):
		return k.word(k.address(i))
	}
	if f.Of == c.C11 || f.Of == c.GNU {
		if o := k.pointee(i); layout.IsAggregate(o.Type) {
			return o
		}
	}
	return k.scalar(i)
}

// calleeValue returns the value that a callee writes, or its operand. If no argument gives it, it is otherwise.
func calleeValue(k *Call, f c.Callee, o values.Object, otherwise uint64) ir.Expr {
	if i := f.At("&v"); i >= 0 {
		return k.Build.Snapshot(k.Values.Convert(k.Node, k.Memory.Read(k.Node, k.pointee(i)), o.Type).X)
	}
	i := f.At("v", "index")
	switch {
	case i < 0:
		return ir.Number(otherwise, k.Types.Bits(k.Node, o.Type))
	case f.Op == "" || o.Type.Kind() != cc.Ptr:
		return k.as(i, o.Type)
	}
	v := k.as(i, k.Types.AST.Long)
	if f.Of != c.GNU { // GCC's builtins count bytes, others objects
		v = ir.Mul.Of(v, ir.Number(uint64(k.Types.Size(k.Node, o.Type.(*cc.PointerType).Elem())), v.Width()))
	}
	return code.Widen(v, k.Types.Pointer, true)
}

// calleeResult stores the value read through the argument &result, or returns it.
func calleeResult(k *Call, f c.Callee, v values.Operand) values.Operand {
	if i := f.At("&result"); i >= 0 {
		k.Memory.Write(k.Node, k.pointee(i), v)
		return k.nothing()
	}
	return v
}

// modifyObject makes code for a read-modify-write and returns its result.
func modifyObject(k *Call, f c.Callee, o values.Object, read, write code.Access) values.Operand {
	v := calleeValue(k, f, o, 1)
	if (f.Op == "max" || f.Op == "min") && !strings.HasPrefix(f.Name, "__sync") && !layout.IsSigned(o.Type) {
		f.Op = "u" + f.Op
	}
	next := func(old ir.Expr) ir.Expr {
		if x := f.Next(old, v); o.Type.Kind() == cc.Bool && f.Op != "" { // a bool stays 0 or 1
			return code.Widen(code.Nonzero(x), x.Width(), false)
		}
		return f.Next(old, v)
	}
	if f.Unless != "" {
		var u ir.Expr
		if i := f.At(f.Unless); i >= 0 {
			u = k.as(i, o.Type)
		}
		old, wrote := k.try(o, next, func(old ir.Expr) ir.Expr {
			return code.Not(f.LeavesUnchanged(old, u))
		}, read, write, read)
		switch f.Returns {
		case c.Whether:
			return k.Values.Boolean(wrote)
		case c.New:
			return values.Of(next(old), o.Type)
		}
		return values.Of(old, o.Type)
	}
	old := k.change(o, next, read, write)
	switch f.Returns {
	case c.New:
		return values.Of(next(old), o.Type)
	case c.Nothing:
		return k.nothing()
	case c.IsZero:
		return k.Values.Boolean(code.Not(code.Nonzero(next(old))))
	case c.Negative:
		return k.Values.Boolean(ir.Slt.Of(next(old), ir.Number(0, old.Width())))
	case c.Whether:
		return k.Values.Boolean(code.Nonzero(old))
	}
	return calleeResult(k, f, values.Of(old, o.Type))
}

// compareExchange makes code for a compare-exchange. The expected value is an argument, or a pointer to it through
// which a failed operation stores the value read.
func compareExchange(k *Call, f c.Callee, o values.Object, read, write, failed code.Access) values.Operand {
	var want, weak ir.Expr
	var expected values.Object
	byValue := f.At("old")
	if byValue >= 0 {
		want = k.as(byValue, o.Type)
	} else {
		expected = k.pointee(f.At("&expected", "&old"))
		want = k.Build.Keep(k.Values.Convert(k.Node, k.Memory.Read(k.Node, expected), o.Type).X)
	}
	if i := f.At("weak"); i >= 0 {
		weak = k.Build.Keep(k.Values.Truth(k.Node, k.Args[i]))
	} else if f.Weak {
		weak = ir.Number(1, 1)
	}
	v := calleeValue(k, f, o, 0)
	old, wrote := k.tryWeakly(o, func(ir.Expr) ir.Expr { return v },
		func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, want) }, read, write, failed, weak)
	switch {
	case f.Returns == c.Old:
		return values.Of(old, o.Type)
	case byValue >= 0:
		return k.Values.Boolean(wrote)
	}
	return compareResult(k, expected, values.Of(old, o.Type), wrote)
}

// compareResult returns whether a compare-exchange wrote. If it did not, it stores the value read in expected. If
// expected is a register, it always stores it, as compilers do: after a write the value is the same. So no branch makes
// later code depend on the result.
func compareResult(k *Call, expected values.Object, old values.Operand, wrote ir.Expr) values.Operand {
	if expected.Reg >= 0 && k.Types.Bits(k.Node, expected.Type) == old.X.Width() {
		k.Memory.Write(k.Node, expected, old)
		return k.Values.Boolean(wrote)
	}
	done := k.Build.Jump(wrote)
	k.Memory.Write(k.Node, expected, old)
	k.Build.Land(done)
	return k.Values.Boolean(wrote)
}
