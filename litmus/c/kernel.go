package c

import (
	"strings"

	"litmuscope/litmus/ir"
)

// kernelCalls are the primitives of the Linux kernel that its memory model knows (its
// tools/memory-model/Documentation, and Documentation/atomic_t.txt on what the variants of an
// atomic are ordered by).
var kernelCalls map[string]callee

// SpinCalls are the names of what can be done to the kernel's spinlocks. Interrupts and preemption are
// none of the model's.
var SpinCalls = struct{ Lock, LockFlags, Unlock, UnlockFlags, Trylock, Init, IsLocked string }{
	Lock:      spins("lock lock_irq lock_bh"),
	LockFlags: spins("lock_irqsave"),
	Unlock:    spins("unlock unlock_irq unlock_bh"), UnlockFlags: spins("unlock_irqrestore"),
	Trylock: spins("trylock"), Init: spins("lock_init"), IsLocked: spins("is_locked"),
}

func spins(names string) string {
	var all []string
	for name := range strings.FieldsSeq(names) {
		all = append(all, "spin_"+name, "raw_spin_"+name)
	}
	return strings.Join(all, " ")
}

func init() { kernelCalls = kernelTable() } // what it holds calls what looks into it

func kernelTable() map[string]callee {
	m := map[string]callee{}
	add := func(names, params, help string, do func(k *calling) value) {
		for name := range strings.FieldsSeq(names) {
			m[name] = callee{params, help, do}
		}
	}
	// Marked accesses.
	readOnce := func(k *calling) value {
		addr, typ := k.lvalue(0)
		return k.load(addr, typ, ir.Tags{tagOnce})
	}
	add("READ_ONCE", "*p", "reads *p once", readOnce)
	const dereferences = "reads the pointer *p once, for what it points to"
	add("rcu_dereference rcu_dereference_raw lockless_dereference", "*p", dereferences, readOnce)
	add("rcu_dereference_check", "*p, held", dereferences, readOnce)
	add("srcu_dereference", "*p, s", dereferences, readOnce)
	add("WRITE_ONCE", "*p, v", "writes v to *p once", func(k *calling) value { return k.assignTo(tagOnce) })
	add("rcu_assign_pointer", "*p, v", "writes the pointer v to *p, a release", func(k *calling) value { return k.assignTo(ir.TagRelease) })
	add("smp_store_mb", "*p, v", "writes v to *p, and then is a full fence", func(k *calling) value {
		k.assignTo(tagOnce)
		return k.fence(KernelFences["smp_mb"])
	})
	load := func(tags ir.Tags) func(*calling) value {
		return func(k *calling) value {
			addr, typ := k.pointer(0)
			return k.load(addr, typ, tags)
		}
	}
	store := func(tags ir.Tags) func(*calling) value {
		return func(k *calling) value {
			addr, typ := k.pointer(0)
			return k.store(addr, k.converted(1, typ), tags)
		}
	}
	add("smp_load_acquire", "p", "reads *p, an acquire", load(Acquiring.Read()))
	add("smp_store_release", "p, v", "writes v to *p, a release", store(Releasing.Write()))

	// Fences.
	for name, tags := range KernelFences {
		add(name, "", fenceHelp[tags[0]], func(k *calling) value { return k.fence(tags) })
	}

	// SRCU: a section's lock reads the index that its unlock is to be given.
	add("srcu_read_lock srcu_down_read", "s", "enters a read-side section of *s, gives its index", load(SrcuLock))
	add("srcu_read_unlock srcu_up_read", "s, index", "leaves the read-side section of *s that has the index", store(SrcuUnlock))
	add("synchronize_srcu synchronize_srcu_expedited", "s", "waits for the read-side sections of *s that have begun", func(k *calling) value {
		addr, _ := k.pointer(0)
		k.Emit(ir.Fence{Tags: SyncSrcu, Addr: addr})
		return void()
	})

	// Locks.
	take := func(k *calling) value {
		addr, _ := k.pointer(0)
		k.lock(addr, SpinRead, SpinWrite)
		return void()
	}
	leave := func(k *calling) value {
		addr, _ := k.pointer(0)
		return k.store(addr, numeral(0), SpinUnlock)
	}
	add(SpinCalls.Lock, "l", "takes the spinlock *l", take)
	add(SpinCalls.LockFlags, "l, flags", "takes the spinlock *l; flags are for its unlock", take)
	add(SpinCalls.Unlock, "l", "leaves the spinlock *l", leave)
	add(SpinCalls.UnlockFlags, "l, flags", "leaves the spinlock *l", leave)
	add(SpinCalls.Trylock, "l", "takes the spinlock *l if it is free, gives whether it did", func(k *calling) value {
		addr, _ := k.pointer(0)
		return value{k.tryLock(addr, SpinRead, SpinWrite, SpinBusy), intType}
	})
	add(SpinCalls.Init, "l", "makes the spinlock *l free, not atomically", func(k *calling) value {
		addr, typ := k.pointer(0)
		return k.store(addr, numeral(0), plain(typ))
	})
	add(SpinCalls.IsLocked, "l", "whether somebody holds the spinlock *l", func(k *calling) value {
		addr, _ := k.pointer(0)
		return value{k.either(
			func() ir.Expr { return k.readHeld(addr, SpinHeld, 1) },
			func() ir.Expr { return k.readHeld(addr, SpinNotHeld, 0) },
		), intType}
	})
	for name, f := range kernelAtomics() {
		m[name] = f
	}
	return m
}

var fenceHelp = map[ir.Tag]string{
	tagMB: "a full fence", tagRmb: "orders reads", tagWmb: "orders writes", tagBarrier: "a fence for the compiler alone",
	tagBeforeAtomic: "a full fence before an atomic update", tagAfterAtomic: "a full fence after an atomic update",
	tagAfterSpinlock: "makes the spin_lock before it a full fence", tagAfterUnlockLock: "makes the unlock and the lock before it a full fence",
	tagAfterSrcuReadUnlock: "makes the srcu_read_unlock before it a full fence",
	tagSyncRcu:             "waits for the RCU read-side sections that have begun", tagRcuLock: "enters an RCU read-side section", tagRcuUnlock: "leaves it",
}

// assignTo writes argument 1 to the place that argument 0 names.
func (k *calling) assignTo(tag ir.Tag) value {
	addr, typ := k.lvalue(0)
	return k.store(addr, k.converted(1, typ), ir.Tags{tag})
}

// kernelAtomics are the atomic updates: atomic_t's, the long ones', and xchg and cmpxchg of any
// word.
func kernelAtomics() map[string]callee {
	m := map[string]callee{}
	types := []string{"atomic_", "atomic_long_", "atomic64_"}
	add := func(name, params, help string, do func(k *calling) value) {
		for _, prefix := range types {
			m[prefix+name] = callee{params, help, do}
		}
	}
	add("read", "p", "reads *p once", func(k *calling) value { return k.marked(0, tagOnce) })
	add("read_acquire", "p", "reads *p, an acquire", func(k *calling) value { return k.marked(0, ir.TagAcquire) })
	for suffix, tag := range map[string]ir.Tag{"": tagOnce, "_release": ir.TagRelease} {
		add("set"+suffix, "p, v", "writes v to *p", func(k *calling) value {
			addr, typ := k.pointer(0)
			return k.store(addr, k.converted(1, typ), ir.Tags{tag})
		})
	}
	operations := map[string]string{"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "andnot": "&~"}
	for name, op := range operations {
		next := func(old, v value) value {
			if op == "&~" {
				return operate("&", old, value{ir.Not(v.x), v.typ})
			}
			return operate(op, old, v)
		}
		add(name, "v, p", "*p = *p "+op+" v, gives nothing and orders nothing", func(k *calling) value {
			v := k.arg(0)
			k.atomic(1, NoReturn, v, next)
			return void()
		})
		for suffix, s := range Strengths {
			add("fetch_"+name+suffix, "v, p", "*p = *p "+op+" v, gives what was there", func(k *calling) value {
				return k.atomic(1, s, k.arg(0), next)
			})
			if name == "add" || name == "sub" {
				add(name+"_return"+suffix, "v, p", "*p = *p "+op+" v, gives what is there then", func(k *calling) value {
					v := k.arg(0)
					return next(k.atomic(1, s, v, next), v)
				})
			}
		}
	}
	one := value{numeral(1), intType}
	for name, op := range map[string]string{"inc": "+", "dec": "-"} {
		next := func(old, v value) value { return operate(op, old, v) }
		add(name, "p", "*p = *p "+op+" 1, gives nothing and orders nothing", func(k *calling) value {
			k.atomic(0, NoReturn, one, next)
			return void()
		})
		for suffix, s := range Strengths {
			add("fetch_"+name+suffix, "p", "*p = *p "+op+" 1, gives what was there", func(k *calling) value { return k.atomic(0, s, one, next) })
			add(name+"_return"+suffix, "p", "*p = *p "+op+" 1, gives what is there then", func(k *calling) value { return next(k.atomic(0, s, one, next), one) })
		}
		add(name+"_and_test", "p", "*p = *p "+op+" 1, gives whether it is 0 then", func(k *calling) value {
			return zero(next(k.atomic(0, Full, one, next), one))
		})
	}
	sum := func(old, v value) value { return operate("+", old, v) }
	add("sub_and_test", "v, p", "*p = *p - v, gives whether it is 0 then", func(k *calling) value {
		next := func(old, v value) value { return operate("-", old, v) }
		v := k.arg(0)
		return zero(next(k.atomic(1, Full, v, next), v))
	})
	add("add_negative", "v, p", "*p = *p + v, gives whether it is negative then", func(k *calling) value {
		v := k.arg(0)
		return operate("<", sum(k.atomic(1, Full, v, sum), v), value{numeral(0), intType})
	})
	unless := func(k *calling, v, u value) value { // what was there, if it is not u
		addr, typ := k.pointer(0)
		old := value{ir.Old{Bits: bits}, typ}
		return k.rmw(addr, typ, func(old value) value { return sum(old, v) }, ir.Not(ir.Eq.Of(old.x, u.x)), Full.Read(Update()...), Full.Write(Update()...))
	}
	add("add_unless", "p, v, u", "*p = *p + v unless *p is u, gives whether it did", func(k *calling) value {
		v, u := k.arg(1), k.arg(2)
		return boolean(ir.Not(ir.Eq.Of(unless(k, v, u).x, u.x)))
	})
	add("fetch_add_unless", "p, v, u", "*p = *p + v unless *p is u, gives what was there", func(k *calling) value {
		v, u := k.arg(1), k.arg(2)
		return unless(k, v, u)
	})
	add("inc_not_zero", "p", "*p = *p + 1 unless *p is 0, gives whether it did", func(k *calling) value {
		none := value{numeral(0), intType}
		return boolean(ir.Not(ir.Eq.Of(unless(k, one, none).x, none.x)))
	})
	for suffix, s := range Strengths {
		exchange := callee{"p, v", "writes v to *p, gives what was there", func(k *calling) value {
			return k.atomic(0, s, k.arg(1), func(_, v value) value { return v })
		}}
		compare := callee{"p, old, v", "writes v to *p if *p is old, gives what was there", func(k *calling) value {
			addr, typ := k.pointer(0)
			old, v := k.converted(1, typ), k.arg(2)
			return k.rmw(addr, typ, func(value) value { return v }, ir.Eq.Of(ir.Old{Bits: bits}, old), s.Read(Update()...), s.Write(Update()...))
		}}
		try := callee{"p, &old, v", "writes v to *p if *p is old, else what is there to old; gives whether it did", func(k *calling) value {
			return k.tryCompareExchange(s)
		}}
		add("xchg"+suffix, exchange.params, exchange.help, exchange.do)
		add("cmpxchg"+suffix, compare.params, compare.help, compare.do)
		add("try_cmpxchg"+suffix, try.params, try.help, try.do)
		m["xchg"+suffix], m["cmpxchg"+suffix], m["try_cmpxchg"+suffix] = exchange, compare, try
	}
	return m
}

func zero(v value) value { return boolean(ir.Eq.Of(v.x, numeral(0))) }

// marked reads through the pointer that argument i is.
func (k *calling) marked(i int, tag ir.Tag) value {
	addr, typ := k.pointer(i)
	return k.load(addr, typ, ir.Tags{tag})
}

// atomic updates what argument i points to, and gives what was there.
func (k *calling) atomic(i int, s Strength, v value, next func(old, v value) value) value {
	addr, typ := k.pointer(i)
	return k.rmw(addr, typ, func(old value) value { return next(old, v) }, nil, s.Read(Update()...), s.Write(Update()...))
}

// tryCompareExchange is cmpxchg that keeps what it has read in the local, or the memory, that
// it took what it expects from.
func (k *calling) tryCompareExchange(s Strength) value {
	addr, typ := k.pointer(0)
	expected := k.expected(1)
	want := k.Keep(k.read(expected).x)
	v := k.arg(2)
	old := k.rmw(addr, typ, func(value) value { return v }, ir.Eq.Of(ir.Old{Bits: bits}, want), s.Read(Update()...), s.Write(Update()...))
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
