package c

import "litmuscope/litmus/ir"

// SignalFence is what there is to say of atomic_signal_fence.
const SignalFence = "atomic_signal_fence orders nothing between threads"

// c11Calls is <stdatomic.h> (C11, 7.17), and mutexes (7.26.4). Functions without _explicit
// are sequentially consistent.
var c11Calls map[string]callee

func init() { c11Calls = c11Table() } // what it holds calls what looks into it

func c11Table() map[string]callee {
	m := map[string]callee{}
	// both adds a function with an explicit order, its last argument, and without.
	both := func(name, params, help string, fits func(Order) bool, what string, do func(k *calling, o Order) value) {
		m[name] = callee{params, help + ", sequentially consistent", func(k *calling) value { return do(k, SeqCst) }}
		explicit := callee{params + ", order", help, nil}
		last := explicit.takes() - 1
		explicit.do = func(k *calling) value { return do(k, k.order(last, fits, what)) }
		m[name+"_explicit"] = explicit
	}
	loads, stores := Order.OfLoads, Order.OfStores

	both("atomic_load", "p", "reads *p", loads, "a load", func(k *calling, o Order) value {
		addr, typ := k.pointer(0)
		return k.load(addr, typ, o.Read())
	})
	both("atomic_store", "p, v", "writes v to *p", stores, "a store", func(k *calling, o Order) value {
		addr, typ := k.pointer(0)
		return k.store(addr, k.converted(1, typ), o.Write())
	})
	fetch := func(name, help string, next func(old, v value) value) {
		both(name, "p, v", help, nil, "", func(k *calling, o Order) value {
			addr, typ := k.pointer(0)
			v := k.arg(1)
			return k.rmw(addr, typ, func(old value) value { return next(old, v) }, nil, o.Read(Update()...), o.Write(Update()...))
		})
	}
	fetch("atomic_exchange", "writes v to *p, gives what was there", func(_, v value) value { return v })
	for name, op := range map[string]string{"add": "+", "sub": "-", "or": "|", "xor": "^", "and": "&"} {
		fetch("atomic_fetch_"+name, "*p = *p "+op+" v, gives what was there", func(old, v value) value { return operate(op, old, v) })
	}
	both("atomic_flag_test_and_set", "p", "sets the flag *p, gives whether it was set", nil, "", func(k *calling, o Order) value {
		addr, typ := k.pointer(0)
		return k.rmw(addr, typ, func(value) value { return value{numeral(1), intType} }, nil, o.Read(Update()...), o.Write(Update()...))
	})
	both("atomic_flag_clear", "p", "clears the flag *p", stores, "a store", func(k *calling, o Order) value {
		addr, _ := k.pointer(0)
		return k.store(addr, numeral(0), o.Write())
	})
	for _, weak := range []bool{false, true} {
		name, help := "atomic_compare_exchange_strong", "writes v to *p if *p is *expected, else *p to *expected; gives whether it did"
		if weak {
			name, help = "atomic_compare_exchange_weak", help+"; may fail though they are equal"
		}
		m[name] = callee{"p, expected, v", help + ", sequentially consistent", func(k *calling) value { return k.compareExchange(SeqCst, SeqCst, weak) }}
		m[name+"_explicit"] = callee{"p, expected, v, order, order_of_failure", help, func(k *calling) value {
			success, failure := k.order(3, nil, ""), k.order(4, nil, "")
			if of := failure.OfFailure(); of != failure {
				k.Remarkf(k.c.Args[4].Where().Pos, NoFailure, failure, of)
			}
			return k.compareExchange(success, failure.OfFailure(), weak)
		}}
	}
	m["atomic_thread_fence"] = callee{"order", "a fence", func(k *calling) value { return k.fence(k.order(0, nil, "").Fence()) }}
	m["atomic_signal_fence"] = callee{"order", "a fence for the compiler alone, which no other thread sees", func(k *calling) value {
		k.order(0, nil, "")
		k.Remarkf(k.c.Pos, SignalFence)
		return void()
	}}
	m["atomic_init"] = callee{"p, v", "writes v to *p, not atomically", func(k *calling) value {
		addr, typ := k.pointer(0)
		return k.store(addr, k.converted(1, typ), plain(typ))
	}}
	m["atomic_is_lock_free"] = callee{"p", "true here", func(k *calling) value {
		k.pointer(0)
		return value{numeral(1), intType}
	}}
	for _, name := range []string{"mtx_lock", "pthread_mutex_lock", "lock"} {
		m[name] = callee{"m", "locks the mutex *m", func(k *calling) value {
			addr, _ := k.pointer(0)
			k.lock(addr, mutexRead, mutexWrite)
			return value{numeral(0), intType} // thrd_success
		}}
	}
	for _, name := range []string{"mtx_trylock", "pthread_mutex_trylock"} {
		m[name] = callee{"m", "locks the mutex *m if it is free: 0, or else not", func(k *calling) value {
			addr, _ := k.pointer(0)
			taken := k.tryLock(addr, mutexRead, mutexWrite, ir.Tags{tagNotFree, tagAtomic, tagRLX})
			return boolean(ir.Not(truthOf(taken)))
		}}
	}
	for _, name := range []string{"mtx_unlock", "pthread_mutex_unlock", "unlock"} {
		m[name] = callee{"m", "unlocks the mutex *m", func(k *calling) value {
			addr, _ := k.pointer(0)
			k.store(addr, numeral(0), Release.Write(tagUnlock))
			return value{numeral(0), intType}
		}}
	}
	return m
}

// The tags of a mutex's events: it is locked as by an acquiring exchange, and unlocked as by
// a releasing store (C11, 7.26.4).
var (
	mutexRead  = Acquire.Read(append(Update(), tagLocked)...)
	mutexWrite = Acquire.Write(append(Update(), tagLocked)...)
)

// compareExchange is a read-modify-write where it succeeds, and a read where it fails.
// Whether it does is a choice, for the two have orders of their own.
func (k *calling) compareExchange(success, failure Order, weak bool) value {
	addr, typ := k.pointer(0)
	expected := k.expected(1)
	want := k.Keep(k.read(expected).x)
	v := k.converted(2, typ)
	done := k.either(func() ir.Expr {
		old := k.rmw(addr, typ, func(value) value { return value{v, typ} }, nil, success.Read(Update()...), success.Write(Update()...))
		k.Emit(ir.Assume{Cond: ir.Eq.Of(old.x, want)})
		return ir.Eq.Of(old.x, want)
	}, func() ir.Expr {
		old := k.load(addr, typ, failure.Read(Update()...))
		if !weak {
			k.Emit(ir.Assume{Cond: ir.Not(ir.Eq.Of(old.x, want))})
		}
		k.write(expected, old)
		return ir.Eq.Of(old.x, want)
	})
	return value{done, intType}
}

// expected is what argument i points to: a local, which only there has an address, or memory.
func (k *calling) expected(i int) (p place) {
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
