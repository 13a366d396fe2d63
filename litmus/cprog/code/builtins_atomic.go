package code

import (
	"fmt"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// atomically is how an atomic operation of an order accesses memory.
func atomically(o c.Order) Access { return Access{Atomic: true, Order: o} }

// The orders that loads and stores may have; others any.
var loads, stores = c.Order.OfLoads, c.Order.OfStores

// modify is what a read-modify-write makes of what was there, old, and of its operand.
type modify func(old, v ir.Expr) ir.Expr

// modifications are those that C11, GCC and the kernel have functions for.
var modifications = map[string]modify{
	"add": func(old, v ir.Expr) ir.Expr { return ir.Add.Of(old, v) },
	"sub": func(old, v ir.Expr) ir.Expr { return ir.Sub.Of(old, v) },
	"and": func(old, v ir.Expr) ir.Expr { return ir.BitAnd.Of(old, v) },
	"or":  func(old, v ir.Expr) ir.Expr { return ir.BitOr.Of(old, v) },
	"xor": func(old, v ir.Expr) ir.Expr { return ir.BitXor.Of(old, v) },
}

func nand(old, v ir.Expr) ir.Expr { return ir.Not(ir.BitAnd.Of(old, v)) }

func init() {
	// Of <stdatomic.h>, each function is there with an order, its last argument, and without.
	both := func(name string, takes int, fits func(c.Order) bool, what string, do func(k *calling, o c.Order) operand) {
		add(name, takes, func(k *calling) operand { return do(k, c.SeqCst) })
		add(name+"_explicit", takes+1, func(k *calling) operand {
			return k.ordered(takes, fits, what, func(o c.Order) operand { return do(k, o) })
		})
	}
	both("atomic_load", 1, loads, "a load", func(k *calling, o c.Order) operand { return k.loadFrom(k.scalar(0), atomically(o)) })
	both("atomic_store", 2, stores, "a store", (*calling).atomicStore)
	both("atomic_exchange", 2, nil, "", (*calling).exchange)
	for name, m := range modifications {
		both("atomic_fetch_"+name, 2, nil, "", func(k *calling, o c.Order) operand { return k.fetch(m, o, true) })
	}
	both("atomic_flag_test_and_set", 1, nil, "", (*calling).testAndSet)
	both("atomic_flag_clear", 1, stores, "a store", (*calling).clearFlag)

	for name, weak := range map[string]ir.Expr{"atomic_compare_exchange_strong": nil, "atomic_compare_exchange_weak": ir.Number(1, 1)} {
		outArguments[name], outArguments[name+"_explicit"] = 1, 1
		add(name, 3, func(k *calling) operand { return k.compareExchange(2, weak, c.SeqCst, c.SeqCst) })
		add(name+"_explicit", 5, func(k *calling) operand { return k.compareExchangeOrdered(2, weak, 3, 4) })
	}
	add("atomic_thread_fence __atomic_thread_fence", 1, func(k *calling) operand {
		return k.ordered(0, nil, "", func(o c.Order) operand {
			if o != c.Relaxed {
				k.emit(Fence{Order: o})
			}
			return k.nothing()
		})
	})
	// The compiler's fence: no other thread sees it.
	add("atomic_signal_fence __atomic_signal_fence", 1, func(k *calling) operand {
		k.remark(k.node, c.SignalFence)
		return k.nothing()
	})
	add("atomic_init", 2, func(k *calling) operand {
		o := k.scalar(0)
		k.storeTo(o, k.as(1, o.t), Access{})
		return k.nothing()
	})
	add("atomic_is_lock_free __atomic_is_lock_free __atomic_always_lock_free", 1, func(k *calling) operand {
		return k.answer(ir.Number(1, 32), k.ast.Int)
	})
	gccAtomics()
	gccSync()
}

// gccAtomics are the builtins that GCC has for C11's functions. They take pointers to anything, add
// bytes to pointers, and may take values through pointers.
func gccAtomics() {
	add("__atomic_load_n", 2, func(k *calling) operand {
		return k.ordered(1, loads, "a load", func(o c.Order) operand { return k.loadFrom(k.scalar(0), atomically(o)) })
	})
	outArguments["__atomic_load"] = 1
	add("__atomic_load", 3, func(k *calling) operand {
		return k.ordered(2, loads, "a load", func(o c.Order) operand {
			k.write(k.node, k.pointee(1), k.loadFrom(k.scalar(0), atomically(o)))
			return k.nothing()
		})
	})
	add("__atomic_store_n", 3, func(k *calling) operand { return k.ordered(2, stores, "a store", k.atomicStore) })
	outArguments["__atomic_store"] = 1
	add("__atomic_store", 3, func(k *calling) operand {
		return k.ordered(2, stores, "a store", func(o c.Order) operand {
			to := k.scalar(0)
			k.storeTo(to, k.convert(k.node, k.read(k.node, k.pointee(1)), to.t).x, atomically(o))
			return k.nothing()
		})
	})
	add("__atomic_exchange_n", 3, func(k *calling) operand { return k.ordered(2, nil, "", k.exchange) })
	outArguments["__atomic_exchange"] = 2
	add("__atomic_exchange", 4, func(k *calling) operand {
		return k.ordered(3, nil, "", func(o c.Order) operand {
			at := k.scalar(0)
			v := k.settle(k.convert(k.node, k.read(k.node, k.pointee(1)), at.t).x)
			k.write(k.node, k.pointee(2), operand{k.change(at, func(ir.Expr) ir.Expr { return v }, atomically(o), atomically(o)), at.t})
			return k.nothing()
		})
	})
	fetch := func(name string, m modify) {
		add("__atomic_fetch_"+name, 3, func(k *calling) operand {
			return k.ordered(2, nil, "", func(o c.Order) operand { return k.fetch(m, o, false) })
		})
		add("__atomic_"+name+"_fetch", 3, func(k *calling) operand {
			return k.ordered(2, nil, "", func(o c.Order) operand { return k.changed(m, o) })
		})
	}
	for name, m := range modifications {
		fetch(name, m)
	}
	fetch("nand", nand)
	outArguments["__atomic_compare_exchange_n"], outArguments["__atomic_compare_exchange"] = 1, 1
	weak := func(k *calling) ir.Expr { return k.keep(k.truth(k.node, k.args[3])) }
	add("__atomic_compare_exchange_n", 6, func(k *calling) operand { return k.compareExchangeOrdered(2, weak(k), 4, 5) })
	add("__atomic_compare_exchange", 6, func(k *calling) operand {
		k.args[2] = k.read(k.node, k.pointee(2))
		return k.compareExchangeOrdered(2, weak(k), 4, 5)
	})
	add("__atomic_test_and_set", 2, func(k *calling) operand { return k.ordered(1, nil, "", k.testAndSet) })
	add("__atomic_clear", 2, func(k *calling) operand { return k.ordered(1, stores, "a store", k.clearFlag) })
}

// gccSync are the older ones, which are full barriers.
func gccSync() {
	old := func(name string, m modify) {
		add("__sync_fetch_and_"+name, 2, func(k *calling) operand { return k.fetch(m, c.SeqCst, false) })
		add("__sync_"+name+"_and_fetch", 2, func(k *calling) operand { return k.changed(m, c.SeqCst) })
	}
	for name, m := range modifications {
		old(name, m)
	}
	old("nand", nand)
	swap := func(k *calling) (old, wrote ir.Expr, t cc.Type) {
		o := k.scalar(0)
		want, v := k.as(1, o.t), k.as(2, o.t)
		how := atomically(c.SeqCst)
		old, wrote = k.try(o, func(ir.Expr) ir.Expr { return v }, func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, want) }, how, how, how)
		return old, wrote, o.t
	}
	add("__sync_bool_compare_and_swap", 3, func(k *calling) operand {
		_, wrote, _ := swap(k)
		return k.boolean(wrote)
	})
	add("__sync_val_compare_and_swap", 3, func(k *calling) operand {
		old, _, t := swap(k)
		return operand{old, t}
	})
	add("__sync_lock_test_and_set", 2, func(k *calling) operand { return k.exchange(c.Acquire) })
	add("__sync_lock_release", 1, func(k *calling) operand {
		o := k.scalar(0)
		k.storeTo(o, ir.Number(0, k.bits(k.node, o.t)), atomically(c.Release))
		return k.nothing()
	})
	add("__sync_synchronize", 0, func(k *calling) operand {
		k.emit(Fence{Order: c.SeqCst})
		return k.nothing()
	})
}

func (k *calling) atomicStore(o c.Order) operand {
	at := k.scalar(0)
	k.storeTo(at, k.as(1, at.t), atomically(o))
	return k.nothing()
}

func (k *calling) exchange(o c.Order) operand {
	at := k.scalar(0)
	v := k.as(1, at.t)
	return operand{k.change(at, func(ir.Expr) ir.Expr { return v }, atomically(o), atomically(o)), at.t}
}

// step is argument 1 as what is added to a scalar of type t: to a pointer, objects, or bytes.
func (k *calling) stepOf(t cc.Type, objects bool) ir.Expr {
	if t.Kind() != cc.Ptr {
		return k.as(1, t)
	}
	v := k.as(1, k.ast.Long)
	if objects {
		v = ir.Mul.Of(v, ir.Number(uint64(k.size(k.node, t.(*cc.PointerType).Elem())), v.Width()))
	}
	return widen(v, k.Unit.Pointer, true)
}

// fetch modifies what argument 0 points to, and gives what was there.
func (k *calling) fetch(m modify, o c.Order, objects bool) operand {
	at := k.scalar(0)
	v := k.stepOf(at.t, objects)
	return operand{k.change(at, func(old ir.Expr) ir.Expr { return k.inType(m(old, v), at.t) }, atomically(o), atomically(o)), at.t}
}

// changed modifies it, and gives what is there then.
func (k *calling) changed(m modify, o c.Order) operand {
	at := k.scalar(0)
	v := k.stepOf(at.t, false)
	old := k.change(at, func(old ir.Expr) ir.Expr { return k.inType(m(old, v), at.t) }, atomically(o), atomically(o))
	return operand{k.inType(m(old, v), at.t), at.t}
}

// inType keeps a _Bool at 0 or 1.
func (k *calling) inType(x ir.Expr, t cc.Type) ir.Expr {
	if t.Kind() == cc.Bool {
		return widen(nonzero(x), x.Width(), false)
	}
	return x
}

// flag is the byte that a flag is.
func (k *calling) flag() object { return object{t: k.ast.UChar, reg: -1, addr: k.address(0)} }

func (k *calling) testAndSet(o c.Order) operand {
	was := k.change(k.flag(), func(ir.Expr) ir.Expr { return ir.Number(1, 8) }, atomically(o), atomically(o))
	return k.boolean(nonzero(was))
}

func (k *calling) clearFlag(o c.Order) operand {
	k.storeTo(k.flag(), ir.Number(0, 8), atomically(o))
	return k.nothing()
}

// compareExchangeOrdered takes the orders from arguments.
func (k *calling) compareExchangeOrdered(desired int, weak ir.Expr, success, failure int) operand {
	if n, ok := k.as(failure, k.ast.Int).(ir.Const); ok && n.Value <= uint64(c.SeqCst) {
		if o := c.Order(n.Value); o.OfFailure() != o {
			k.remark(arguments(k.node)[failure], fmt.Sprintf(c.NoFailure, o, o.OfFailure()))
		}
	}
	return k.ordered(success, nil, "", func(s c.Order) operand {
		return k.ordered(failure, nil, "", func(f c.Order) operand { return k.compareExchange(desired, weak, s, f.OfFailure()) })
	})
}

// compareExchange writes an argument to where argument 0 points, if what argument 1 points to is there;
// else it writes there what it has found. Where weak (nil: never) is 1, it may fail though that is there.
func (k *calling) compareExchange(desired int, weak ir.Expr, success, failure c.Order) operand {
	at, expected := k.scalar(0), k.pointee(1)
	want := k.keep(k.convert(k.node, k.read(k.node, expected), at.t).x)
	v := k.as(desired, at.t)
	old, wrote := k.tryWeakly(at, func(ir.Expr) ir.Expr { return v }, func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, want) },
		atomically(success), atomically(success), atomically(failure), weak)
	return k.told(expected, operand{old, at.t}, wrote)
}

// told is whether a compare-and-exchange wrote. Else it puts what it has found where that was expected; in a local it
// does so in any case, as compilers do, for where it wrote, that is there already: no branch has what comes behind
// depend on it.
func (k *calling) told(expected object, old operand, wrote ir.Expr) operand {
	if expected.reg >= 0 && k.bits(k.node, expected.t) == old.x.Width() {
		k.write(k.node, expected, old)
		return k.boolean(wrote)
	}
	done := k.jump(wrote)
	k.write(k.node, expected, old)
	k.land(done)
	return k.boolean(wrote)
}
