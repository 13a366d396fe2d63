package code

import (
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// kernel is an access with the tags of one of the kernel's primitives.
func kernel(tags ir.Tags) Access { return Access{Tags: tags} }

func init() {
	for name := range c.KernelFences {
		add(name, 0, func(k *calling) operand { return k.barrier(name) })
	}
	// The header's macros take the address of what is named.
	read := func(names string, s c.Strength) {
		add(names, 1, func(k *calling) operand { return k.loadFrom(k.scalar(0), kernel(s.Read())) })
	}
	write := func(names string, s c.Strength) {
		add(names, 2, func(k *calling) operand {
			o := k.scalar(0)
			k.storeTo(o, k.as(1, o.t), kernel(s.Write()))
			return k.nothing()
		})
	}
	read("READ_ONCE rcu_dereference", c.Unordered)
	write("WRITE_ONCE", c.Unordered)
	read("smp_load_acquire", c.Acquiring)
	write("smp_store_release rcu_assign_pointer", c.Releasing)
	add("smp_store_mb", 2, func(k *calling) operand {
		o := k.scalar(0)
		k.storeTo(o, k.as(1, o.t), kernel(c.Unordered.Write()))
		return k.barrier("smp_mb")
	})

	add("srcu_read_lock srcu_down_read", 1, func(k *calling) operand { return k.loadFrom(k.word(k.address(0)), kernel(c.SrcuLock)) })
	add("srcu_read_unlock srcu_up_read", 2, func(k *calling) operand {
		k.storeTo(k.word(k.address(0)), k.as(1, k.ast.Int), kernel(c.SrcuUnlock))
		return k.nothing()
	})
	add("synchronize_srcu synchronize_srcu_expedited", 1, func(k *calling) operand {
		k.emit(Fence{Tags: c.SyncSrcu, Addr: k.address(0)})
		return k.nothing()
	})

	take := func(k *calling) operand {
		k.lock(k.address(0), kernel(c.SpinRead), kernel(c.SpinWrite))
		return k.nothing()
	}
	leave := func(k *calling) operand {
		k.storeTo(k.word(k.address(0)), ir.Number(0, 32), kernel(c.SpinUnlock))
		return k.nothing()
	}
	add(c.SpinCalls.Lock+" "+c.SpinCalls.LockFlags, 1, take)
	add(c.SpinCalls.Unlock+" "+c.SpinCalls.UnlockFlags, 1, leave)
	add(c.SpinCalls.Init, 1, (*calling).initLock)
	add(c.SpinCalls.Trylock, 1, func(k *calling) operand {
		return k.boolean(k.tryLock(k.address(0), kernel(c.SpinRead), kernel(c.SpinWrite), kernel(c.SpinBusy)))
	})
	add(c.SpinCalls.IsLocked, 1, func(k *calling) operand {
		held := func(tags ir.Tags, state uint64) func() ir.Expr {
			return func() ir.Expr {
				v := k.loadFrom(k.word(k.address(0)), kernel(tags)).x
				k.emit(Assume{Cond: ir.Eq.Of(v, ir.Number(state, 32))})
				return ir.Number(state, 32)
			}
		}
		return k.either(k.ast.Int, held(c.SpinHeld, 1), held(c.SpinNotHeld, 0))
	})
	add("__LKMM_SPIN_LOCK", 1, func(k *calling) operand {
		take(k)
		return k.success()
	})
	add("__LKMM_SPIN_UNLOCK", 1, func(k *calling) operand {
		leave(k)
		return k.success()
	})
	kernelAtomics()
	lkmmIntrinsics()
}

// barrier is one of the kernel's.
func (k *calling) barrier(name string) operand {
	k.emit(Fence{Tags: c.KernelFences[name]})
	return k.nothing()
}

// kernelChange is a read-modify-write with the tags of one of the kernel's.
func (k *calling) kernelChange(o object, s c.Strength, next func(old ir.Expr) ir.Expr) ir.Expr {
	return k.change(o, next, kernel(s.Read(c.Update()...)), kernel(s.Write(c.Update()...)))
}

// kernelTry is one that writes only where when holds.
func (k *calling) kernelTry(o object, s c.Strength, next, when func(old ir.Expr) ir.Expr) (old, wrote ir.Expr) {
	read := kernel(s.Read(c.Update()...))
	return k.try(o, next, when, read, kernel(s.Write(c.Update()...)), read)
}

// kernelAtomics are the functions on atomic_t and its like, and xchg and cmpxchg of any word
// (the kernel's Documentation/atomic_t.txt).
func kernelAtomics() {
	zero := func(k *calling, x ir.Expr) operand { return k.boolean(not(nonzero(x))) }
	for _, of := range []string{"atomic_", "atomic_long_", "atomic64_"} {
		each := func(name string, takes int, do builtin) {
			if builtins[of+name] == nil {
				add(of+name, takes, do)
				return
			}
			// C11's function of the name has its pointer first, the kernel's last.
			c11 := builtins[of+name]
			builtins[of+name] = func(k *calling) operand {
				if len(k.args) == takes && takes > 0 && k.raw[takes-1].t.Kind() == cc.Ptr && k.raw[0].t.Kind() != cc.Ptr {
					return do(k)
				}
				return c11(k)
			}
		}
		each("read", 1, func(k *calling) operand { return k.loadFrom(k.scalar(0), kernel(c.Unordered.Read())) })
		each("read_acquire", 1, func(k *calling) operand { return k.loadFrom(k.scalar(0), kernel(c.Acquiring.Read())) })
		for suffix, s := range map[string]c.Strength{"": c.Unordered, "_release": c.Releasing} {
			each("set"+suffix, 2, func(k *calling) operand {
				o := k.scalar(0)
				k.storeTo(o, k.as(1, o.t), kernel(s.Write()))
				return k.nothing()
			})
		}
		family := func(name string, takes int, m modify, arithmetic bool) { // the pointer is the last argument, and before it may be a number
			amount := func(k *calling, o object) ir.Expr {
				if takes == 1 {
					return ir.Number(1, k.bits(k.node, o.t))
				}
				return k.as(0, o.t)
			}
			each(name, takes, func(k *calling) operand {
				o := k.scalar(takes - 1)
				v := amount(k, o)
				k.kernelChange(o, c.NoReturn, func(old ir.Expr) ir.Expr { return m(old, v) })
				return k.nothing()
			})
			for suffix, s := range c.Strengths {
				fetch := func(k *calling) (object, ir.Expr, ir.Expr) {
					o := k.scalar(takes - 1)
					v := amount(k, o)
					return o, k.kernelChange(o, s, func(old ir.Expr) ir.Expr { return m(old, v) }), v
				}
				each("fetch_"+name+suffix, takes, func(k *calling) operand {
					o, old, _ := fetch(k)
					return operand{old, o.t}
				})
				if !arithmetic {
					continue
				}
				each(name+"_return"+suffix, takes, func(k *calling) operand {
					o, old, v := fetch(k)
					return operand{m(old, v), o.t}
				})
				if suffix == "" && name != "add" {
					each(name+"_and_test", takes, func(k *calling) operand {
						_, old, v := fetch(k)
						return zero(k, m(old, v))
					})
				}
			}
		}
		for name, m := range modifications {
			family(name, 2, m, name == "add" || name == "sub")
		}
		family("andnot", 2, func(old, v ir.Expr) ir.Expr { return ir.BitAnd.Of(old, ir.Not(v)) }, false)
		family("inc", 1, modifications["add"], true)
		family("dec", 1, modifications["sub"], true)
		each("add_negative", 2, func(k *calling) operand {
			o := k.scalar(1)
			v := k.as(0, o.t)
			old := k.kernelChange(o, c.Full, func(old ir.Expr) ir.Expr { return ir.Add.Of(old, v) })
			return k.boolean(ir.Slt.Of(ir.Add.Of(old, v), ir.Number(0, old.Width())))
		})
		// Unless the number is another one, and whether it was not.
		unless := func(k *calling, v, u func(object) ir.Expr) (object, ir.Expr, ir.Expr) {
			o := k.scalar(0)
			add, but := v(o), u(o)
			old, wrote := k.kernelTry(o, c.Full, func(old ir.Expr) ir.Expr { return ir.Add.Of(old, add) },
				func(old ir.Expr) ir.Expr { return not(ir.Eq.Of(old, but)) })
			return o, old, wrote
		}
		number := func(k *calling, n uint64) func(object) ir.Expr {
			return func(o object) ir.Expr { return ir.Number(n, k.bits(k.node, o.t)) }
		}
		argument := func(k *calling, i int) func(object) ir.Expr {
			return func(o object) ir.Expr { return k.as(i, o.t) }
		}
		each("add_unless", 3, func(k *calling) operand {
			_, _, wrote := unless(k, argument(k, 1), argument(k, 2))
			return k.boolean(wrote)
		})
		each("fetch_add_unless", 3, func(k *calling) operand {
			o, old, _ := unless(k, argument(k, 1), argument(k, 2))
			return operand{old, o.t}
		})
		each("inc_not_zero", 1, func(k *calling) operand {
			_, _, wrote := unless(k, number(k, 1), number(k, 0))
			return k.boolean(wrote)
		})
		exchanges(of)
	}
	exchanges("")
}

// exchanges are xchg, cmpxchg and try_cmpxchg behind a prefix.
func exchanges(of string) {
	for suffix, s := range c.Strengths {
		compare := func(k *calling, want ir.Expr, o object) (old, wrote ir.Expr) {
			v := k.as(2, o.t)
			return k.kernelTry(o, s, func(ir.Expr) ir.Expr { return v }, func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, want) })
		}
		add(of+"xchg"+suffix, 2, func(k *calling) operand {
			o := k.scalar(0)
			v := k.as(1, o.t)
			return operand{k.kernelChange(o, s, func(ir.Expr) ir.Expr { return v }), o.t}
		})
		add(of+"cmpxchg"+suffix, 3, func(k *calling) operand {
			o := k.scalar(0)
			old, _ := compare(k, k.as(1, o.t), o)
			return operand{old, o.t}
		})
		outArguments[of+"try_cmpxchg"+suffix] = 1
		add(of+"try_cmpxchg"+suffix, 3, func(k *calling) operand {
			o, expected := k.scalar(0), k.pointee(1)
			old, wrote := compare(k, k.keep(k.convert(k.node, k.read(k.node, expected), o.t).x), o)
			return k.told(expected, operand{old, o.t}, wrote)
		})
	}
}

// lkmmIntrinsics are those of Dat3M's header. Its orders and operations are enumerators, whose
// names say what they are.
func lkmmIntrinsics() {
	// Orders of accesses, and the barriers by which the rest are known, in the enumeration's order.
	strengths := []c.Strength{c.Unordered, c.Acquiring, c.Releasing, c.Full}
	barriers := strings.Fields("smp_mb smp_wmb smp_rmb rcu_read_lock rcu_read_unlock synchronize_rcu smp_mb__before_atomic smp_mb__after_atomic smp_mb__after_spinlock barrier")
	operations := []string{"add", "sub", "and", "or"}
	constant := func(k *calling, i, below int, what string) int {
		n, ok := k.as(i, k.ast.Int).(ir.Const)
		if !ok || n.Value >= uint64(below) {
			k.failf(k.node, "argument %d of %s is no %s that is known", i+1, k.name, what)
		}
		return int(n.Value)
	}
	strength := func(k *calling, i int) c.Strength { return strengths[constant(k, i, len(strengths), "order")] }
	add("__LKMM_load", 3, func(k *calling) operand {
		return k.loadFrom(k.scalar(0), kernel(strength(k, 2).Read()))
	})
	add("__LKMM_store", 4, func(k *calling) operand {
		o := k.scalar(0)
		k.storeTo(o, k.as(2, o.t), kernel(strength(k, 3).Write()))
		return k.nothing()
	})
	add("__LKMM_xchg", 4, func(k *calling) operand {
		o := k.scalar(0)
		v := k.as(2, o.t)
		return operand{k.kernelChange(o, strength(k, 3), func(ir.Expr) ir.Expr { return v }), o.t}
	})
	add("__LKMM_cmpxchg", 6, func(k *calling) operand {
		o := k.scalar(0)
		want, v := k.as(2, o.t), k.as(3, o.t)
		old, _ := k.kernelTry(o, strength(k, 4), func(ir.Expr) ir.Expr { return v }, func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, want) })
		return operand{old, o.t}
	})
	fetch := func(k *calling, s c.Strength, operation int) (object, ir.Expr, ir.Expr) {
		o := k.scalar(0)
		v, m := k.as(2, o.t), modifications[operations[constant(k, operation, len(operations), "operation")]]
		old := k.kernelChange(o, s, func(old ir.Expr) ir.Expr { return m(old, v) })
		return o, old, m(old, v)
	}
	add("__LKMM_atomic_op", 4, func(k *calling) operand {
		fetch(k, c.NoReturn, 3)
		return k.nothing()
	})
	add("__LKMM_atomic_fetch_op", 5, func(k *calling) operand {
		o, old, _ := fetch(k, strength(k, 3), 4)
		return operand{old, o.t}
	})
	add("__LKMM_atomic_op_return", 5, func(k *calling) operand {
		o, _, now := fetch(k, strength(k, 3), 4)
		return operand{now, o.t}
	})
	add("__LKMM_fence", 1, func(k *calling) operand {
		i := constant(k, 0, 3+len(barriers), "barrier") - 3
		if i < 0 {
			k.failf(k.node, "argument 1 of %s is no barrier", k.name)
		}
		return k.barrier(barriers[i])
	})
}
