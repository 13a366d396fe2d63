package builtins

import (
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// addLock enters read-write locks, spinlocks and barriers of pthreads, and once functions.
//
// A read-write lock is a word: the number of readers that hold it, or -1 for a writer.
func (all byName) addLock() {
	acquire, release := atomically(c.Acquire), atomically(c.Release)

	writer := ir.Number(^uint64(0), 32)
	share := func(k *Call) ir.Expr {
		_, taken := k.try(k.word(k.address(0)), func(was ir.Expr) ir.Expr { return ir.Add.Of(was, ir.Number(1, 32)) },
			func(was ir.Expr) ir.Expr { return code.Not(ir.Eq.Of(was, writer)) }, acquire, acquire, acquire)
		return taken
	}
	own := func(k *Call) ir.Expr {
		_, taken := k.try(k.word(k.address(0)), func(ir.Expr) ir.Expr { return writer },
			func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, ir.Number(0, 32)) }, acquire, acquire, acquire)
		return taken
	}
	waits := func(take func(*Call) ir.Expr) handler {
		return func(k *Call) values.Operand {
			k.wait(func() ir.Expr { return take(k) })
			return k.success()
		}
	}
	tries := func(take func(*Call) ir.Expr) handler {
		return func(k *Call) values.Operand { return k.pick(take(k), 0, busy, k.Types.AST.Int) }
	}
	all.add("pthread_rwlock_init", "lock, attributes?", "initialises a read-write lock", initLock)
	all.add("pthread_rwlock_rdlock", "lock", "locks for reading, together with other readers", waits(share))
	all.add("pthread_rwlock_tryrdlock", "lock",
		"locks for reading unless a writer holds the lock; returns 0 if it did", tries(share))
	all.add("pthread_rwlock_wrlock", "lock", "locks for writing", waits(own))
	all.add("pthread_rwlock_trywrlock", "lock", "locks for writing if the lock is free; returns 0 if it did",
		tries(own))
	all.add("pthread_rwlock_unlock", "lock", "unlocks the lock", func(k *Call) values.Operand {
		k.change(k.word(k.address(0)), func(was ir.Expr) ir.Expr {
			return ir.Cond{If: ir.Eq.Of(was, writer), Then: ir.Number(0, 32), Else: ir.Sub.Of(was, ir.Number(1, 32))}
		}, release, release)
		return k.success()
	})

	all.add("pthread_spin_init", "lock, shared?", "initialises a spinlock", initLock)
	spin := func(k *Call) ir.Expr { return tryLock(k, k.address(0), acquire, acquire, acquire) }
	all.add("pthread_spin_lock", "lock", "locks the spinlock", waits(spin))
	all.add("pthread_spin_trylock", "lock", "locks the spinlock if it is free; returns 0 if it did", tries(spin))
	all.add("pthread_spin_unlock", "lock", "unlocks the spinlock", func(k *Call) values.Operand {
		k.storeTo(k.word(k.address(0)), ir.Number(0, 32), release)
		return k.success()
	})

	// A barrier has three words: the number of arrivals, the number of threads it is for, and the number of rounds
	// that are complete. The last thread of each round increments the third, and the others wait until it is large
	// enough: they read one write, even if another thread has reached the barrier again.
	all.add("pthread_barrier_init", "barrier, attributes, count", "initialises a barrier for count threads",
		func(k *Call) values.Operand {
			k.storeTo(k.word(k.address(0)), ir.Number(0, 32), code.Access{})
			k.storeTo(k.word(k.Memory.Offset(k.address(0), 4)), k.as(2, k.Types.AST.UInt), code.Access{})
			k.storeTo(k.word(k.Memory.Offset(k.address(0), 8)), ir.Number(0, 32), code.Access{})
			return k.success()
		})
	all.add("pthread_barrier_wait", "barrier", "waits until count threads have reached the barrier",
		func(k *Call) values.Operand {
			n := k.loadFrom(k.word(k.Memory.Offset(k.address(0), 4)), code.Access{}).X
			k.Build.Emit(code.Assert{
				Cond: code.Not(ir.Eq.Of(n, ir.Number(0, 32))), Property: ir.Memory,
				Text: "the barrier is not initialised",
			})
			both := atomically(c.AcqRel)
			ticket := k.change(k.word(k.address(0)),
				func(was ir.Expr) ir.Expr { return ir.Add.Of(was, ir.Number(1, 32)) },
				both,
				both)
			round := k.Build.Keep(ir.Add.Of(ir.UDiv.Of(ticket, n), ir.Number(1, 32)))
			last := k.Build.Keep(ir.Eq.Of(ir.Add.Of(ticket, ir.Number(1, 32)), ir.Mul.Of(round, n)))
			passed := k.word(k.Memory.Offset(k.address(0), 8))
			others := k.Build.Jump(code.Not(last))
			k.storeTo(passed, round, release)
			end := k.Build.Jump(nil)
			k.Build.Land(others)
			k.wait(func() ir.Expr { return code.Not(ir.Ult.Of(k.loadFrom(passed, acquire).X, round)) })
			k.Build.Land(end)
			return k.pick(last, serial, 0, k.Types.AST.Int)
		})

	// A once flag is 0 before the call, 1 during it and 2 after it.
	all.add("pthread_once call_once", "once, function",
		"calls the function unless a thread has called it, and waits until the call returns",
		func(k *Call) values.Operand {
			addr := k.Build.Keep(k.address(0))
			others := k.Build.Jump(code.Not(tryLock(k, addr, acquire, acquire, acquire)))
			k.Build.Emit(code.Call{Dst: -1, Target: k.address(1)})
			k.storeTo(k.word(addr), ir.Number(2, 32), release)
			end := k.Build.Jump(nil)
			k.Build.Land(others)
			k.wait(func() ir.Expr { return ir.Eq.Of(k.loadFrom(k.word(addr), acquire).X, ir.Number(2, 32)) })
			k.Build.Land(end)
			return k.success()
		})
}
