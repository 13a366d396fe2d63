package builtins

import (
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

func (all known) addLock() {
	acquire, release := atomically(c.Acquire), atomically(c.Release)

	// A read-write lock is a word: how many readers hold it, or -1 for a writer.
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
	all.add("pthread_rwlock_init", "lock, attributes?", "makes a read-write lock that is free", initLock)
	all.add("pthread_rwlock_rdlock", "lock", "takes the lock together with other readers", waits(share))
	all.add("pthread_rwlock_tryrdlock", "lock",
		"takes the lock together with other readers, unless a writer has it: 0, or else not", tries(share))
	all.add("pthread_rwlock_wrlock", "lock", "takes the lock alone", waits(own))
	all.add("pthread_rwlock_trywrlock", "lock", "takes the lock alone, if it is free: 0, or else not", tries(own))
	all.add("pthread_rwlock_unlock", "lock", "leaves the lock", func(k *Call) values.Operand {
		k.change(k.word(k.address(0)), func(was ir.Expr) ir.Expr {
			return ir.Cond{If: ir.Eq.Of(was, writer), Then: ir.Number(0, 32), Else: ir.Sub.Of(was, ir.Number(1, 32))}
		}, release, release)
		return k.success()
	})

	all.add("pthread_spin_init", "lock, shared?", "makes a spinlock that is free", initLock)
	spin := func(k *Call) ir.Expr { return tryLock(k, k.address(0), acquire, acquire, acquire) }
	all.add("pthread_spin_lock", "lock", "takes the spinlock", waits(spin))
	all.add("pthread_spin_trylock", "lock", "takes the spinlock if it is free: 0, or else not", tries(spin))
	all.add("pthread_spin_unlock", "lock", "leaves the spinlock", func(k *Call) values.Operand {
		k.storeTo(k.word(k.address(0)), ir.Number(0, 32), release)
		return k.success()
	})

	// A barrier counts who has arrived. The last of each group says so, and the others wait for its
	// word: what they read is one write, whoever has come round to the barrier again.
	all.add("pthread_barrier_init", "barrier, attributes, count", "makes a barrier for so many threads",
		func(k *Call) values.Operand {
			k.storeTo(k.word(k.address(0)), ir.Number(0, 32), code.Access{})
			k.storeTo(k.word(k.Memory.Behind(k.address(0), 4)), k.as(2, k.Types.AST.UInt), code.Access{})
			k.storeTo(k.word(k.Memory.Behind(k.address(0), 8)), ir.Number(0, 32), code.Access{})
			return k.success()
		})
	all.add("pthread_barrier_wait", "barrier", "waits until as many threads have come to the barrier as it is for",
		func(k *Call) values.Operand {
			n := k.loadFrom(k.word(k.Memory.Behind(k.address(0), 4)), code.Access{}).X
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
			passed := k.word(k.Memory.Behind(k.address(0), 8))
			others := k.Build.Jump(code.Not(last))
			k.storeTo(passed, round, release)
			end := k.Build.Jump(nil)
			k.Build.Land(others)
			k.wait(func() ir.Expr { return code.Not(ir.Ult.Of(k.loadFrom(passed, acquire).X, round)) })
			k.Build.Land(end)
			return k.pick(last, serial, 0, k.Types.AST.Int)
		})

	// 0: nobody has begun; 1: somebody has; 2: done.
	all.add("pthread_once call_once", "once, function", "calls the function, if nobody has, and waits until it is done",
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
