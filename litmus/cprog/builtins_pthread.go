package cprog

import (
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// Numbers of errors that functions of <pthread.h> and <threads.h> give.
const (
	busy        = 16  // EBUSY
	timedOut    = 110 // ETIMEDOUT
	thrdBusy    = 1
	thrdTimeout = 4
	serial      = ^uint64(0) // PTHREAD_BARRIER_SERIAL_THREAD
)

// How a mutex is taken, found taken, and left.
var (
	lockMutex   = access{atomic: true, order: c.Acquire, tags: c.MutexLocked}
	tryMutex    = access{atomic: true, order: c.Relaxed, tags: c.MutexNotFree}
	unlockMutex = access{atomic: true, order: c.Release, tags: c.MutexUnlock}
)

func init() {
	outArguments["pthread_create"], outArguments["thrd_create"] = 0, 0
	add("pthread_create", 4, func(k *calling) operand { return k.create(2, 3) })
	add("thrd_create", 3, func(k *calling) operand { return k.create(1, 2) })
	outArguments["pthread_join"], outArguments["thrd_join"] = 1, 1
	add("pthread_join", 2, func(k *calling) operand { return k.joinThread(k.ast.PVoid) })
	add("thrd_join", 2, func(k *calling) operand { return k.joinThread(k.ast.Int) })
	add("pthread_exit __VERIFIER_thread_exit", 1, func(k *calling) operand { return k.leave(k.ast.PVoid) })
	add("thrd_exit", 1, func(k *calling) operand { return k.leave(k.ast.Int) })
	add("pthread_self thrd_current __VERIFIER_thread_self", 0, func(k *calling) operand { return k.answer(k.self(k.ast.ULong), k.ast.ULong) })
	add("pthread_equal thrd_equal", 2, func(k *calling) operand {
		return k.boolean(ir.Eq.Of(k.as(0, k.ast.ULong), k.as(1, k.ast.ULong)))
	})
	// The intrinsics of GenMC's header.
	add("__VERIFIER_thread_create __VERIFIER_thread_create_symmetric", 3, func(k *calling) operand { return k.start(1, 2) })
	add("__VERIFIER_spawn __VERIFIER_spawn_symmetric", 2, func(k *calling) operand { return k.start(0, 1) })
	add("__VERIFIER_thread_join __VERIFIER_join __VERIFIER_join_symmetric", 1, func(k *calling) operand {
		dst := k.temp(k.unit.pointer)
		k.emit(join{dst, k.as(0, k.ast.ULong)})
		return operand{k.reg(dst), k.ast.PVoid}
	})

	add("pthread_mutex_init mtx_init __VERIFIER_mutex_init", 1, (*calling).initLock)
	add("pthread_mutex_lock mtx_lock __VERIFIER_mutex_lock", 1, func(k *calling) operand {
		k.lock(k.address(0), lockMutex, lockMutex)
		return k.success()
	})
	try := func(failed uint64) builtin {
		return func(k *calling) operand {
			return k.pick(k.tryLock(k.address(0), lockMutex, lockMutex, tryMutex), 0, failed, k.ast.Int)
		}
	}
	add("pthread_mutex_trylock __VERIFIER_mutex_trylock", 1, try(busy))
	add("mtx_trylock", 1, try(thrdBusy))
	// With a time, the wait may end at any moment.
	add("pthread_mutex_timedlock pthread_mutex_clocklock", 2, func(k *calling) operand { return k.lockInTime(timedOut) })
	add("mtx_timedlock", 2, func(k *calling) operand { return k.lockInTime(thrdTimeout) })
	add("pthread_mutex_unlock mtx_unlock __VERIFIER_mutex_unlock", 1, func(k *calling) operand {
		k.storeTo(k.word(k.address(0)), ir.Number(0, 32), unlockMutex)
		return k.success()
	})

	// A wait on a condition may end without a signal, so that it is as if it always did: signals
	// do nothing.
	add("pthread_cond_wait cnd_wait", 2, func(k *calling) operand {
		k.relock()
		return k.success()
	})
	add("pthread_cond_timedwait", 3, func(k *calling) operand { return k.relockInTime(timedOut) })
	add("cnd_timedwait", 3, func(k *calling) operand { return k.relockInTime(thrdTimeout) })
	add("pthread_cond_init pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast cnd_init cnd_destroy cnd_signal cnd_broadcast", 1, (*calling).success)
	add("__VERIFIER_cond_init __VERIFIER_cond_destroy __VERIFIER_cond_signal __VERIFIER_cond_bcast", 1, (*calling).success)

	add("pthread_detach thrd_detach pthread_mutex_destroy mtx_destroy pthread_rwlock_destroy pthread_barrier_destroy pthread_spin_destroy", 1, (*calling).success)
	add("__VERIFIER_mutex_destroy __VERIFIER_barrier_destroy pthread_setcancelstate pthread_key_delete tss_delete", 1, (*calling).success)
	add("pthread_yield sched_yield thrd_yield", 0, (*calling).success)
	threadAttributes()
}

// create starts a thread, and notes its number where argument 0 points.
func (k *calling) create(function, argument int) operand {
	id := k.start(function, argument)
	if !k.null(0) {
		k.write(k.node, k.pointee(0), id)
	}
	return k.success()
}

// start starts a thread, and gives its number.
func (k *calling) start(function, argument int) operand {
	handle := k.temp(k.unit.pointer)
	k.emit(spawn{handle: handle, target: k.address(function), arg: k.address(argument)})
	return operand{k.reg(handle), k.ast.ULong}
}

// joinThread waits for a thread, and writes what it gave, a t, where argument 1 points, unless that is null.
func (k *calling) joinThread(t cc.Type) operand {
	id := k.as(0, k.ast.ULong)
	if k.null(1) {
		k.emit(join{-1, id})
		return k.success()
	}
	dst := k.temp(k.unit.pointer)
	k.emit(join{dst, id})
	k.write(k.node, k.pointee(1), k.convert(k.node, operand{k.reg(dst), k.ast.ULong}, t))
	return k.success()
}

func (k *calling) leave(t cc.Type) operand {
	k.emit(exit{k.as(0, t)})
	return k.nothing()
}

// self is the thread's number.
func (k *calling) self(t cc.Type) ir.Expr {
	dst := k.temp(k.bits(k.node, t))
	k.emit(self{dst})
	return k.reg(dst)
}

// lock takes a lock, a word that is 0 while nobody holds it, as soon as it is free.
func (k *calling) lock(addr ir.Expr, read, write access) {
	k.wait(k.tryLock(addr, read, write, read))
}

// tryLock takes a lock if it is free: whether it did. A failed try writes nothing.
func (k *calling) tryLock(addr ir.Expr, read, write, failed access) ir.Expr {
	_, taken := k.try(k.word(addr), func(ir.Expr) ir.Expr { return ir.Number(1, 32) },
		func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, ir.Number(0, 32)) }, read, write, failed)
	return taken
}

// initLock makes a lock that is free.
func (k *calling) initLock() operand {
	k.storeTo(k.word(k.address(0)), ir.Number(0, 32), access{})
	return k.success()
}

func (k *calling) lockInTime(late uint64) operand {
	return k.either(k.ast.Int, func() ir.Expr {
		k.lock(k.address(0), lockMutex, lockMutex)
		return ir.Number(0, 32)
	}, func() ir.Expr { return ir.Number(late, 32) })
}

// relock leaves the mutex that argument 1 is, and takes it again.
func (k *calling) relock() {
	k.storeTo(k.word(k.address(1)), ir.Number(0, 32), unlockMutex)
	k.lock(k.address(1), lockMutex, lockMutex)
}

func (k *calling) relockInTime(late uint64) operand {
	k.relock()
	which := k.temp(1)
	k.emit(choose{which})
	return k.pick(k.reg(which), 0, late, k.ast.Int)
}

// threadAttributes are of threads, mutexes and so on: numbers that can be set, and asked for. Of those,
// a mutex's type alone means anything, and one that may be locked twice is refused.
func threadAttributes() {
	for _, of := range []string{"pthread_attr_", "pthread_mutexattr_", "pthread_condattr_", "pthread_rwlockattr_", "pthread_barrierattr_"} {
		add(of+"init", 1, func(k *calling) operand {
			for i := range min(k.size(k.node, k.pointee(0).t)/4, 4) {
				k.storeTo(k.word(k.behind(k.address(0), 4*i)), ir.Number(0, 32), access{})
			}
			return k.success()
		})
		add(of+"destroy", 1, (*calling).success)
	}
	for offset, names := range [][]string{
		{"pthread_attr_*detachstate", "pthread_mutexattr_*type", "pthread_rwlockattr_*pshared", "pthread_condattr_*pshared", "pthread_barrierattr_*pshared"},
		{"pthread_attr_*stacksize", "pthread_mutexattr_*pshared", "pthread_condattr_*clock"},
		{"pthread_mutexattr_*protocol"},
		{"pthread_mutexattr_*prioceiling"},
	} {
		for _, name := range names {
			of, what, _ := strings.Cut(name, "*")
			add(of+"set"+what, 2, func(k *calling) operand {
				if what == "type" {
					if n, ok := k.as(1, k.ast.Int).(ir.Const); !ok || n.Value != 0 {
						k.failf(k.node, "mutexes that check for errors, or may be locked twice by one thread, are not supported: want PTHREAD_MUTEX_NORMAL")
					}
				}
				k.storeTo(k.word(k.behind(k.address(0), 4*offset)), k.as(1, k.ast.Int), access{})
				return k.success()
			})
			outArguments[of+"get"+what] = 1
			add(of+"get"+what, 2, func(k *calling) operand {
				k.write(k.node, k.pointee(1), k.loadFrom(k.word(k.behind(k.address(0), 4*offset)), access{}))
				return k.success()
			})
		}
	}
}
