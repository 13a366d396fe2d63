package code

import (
	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

func init() {
	acquire, release, relaxed := atomically(c.Acquire), atomically(c.Release), atomically(c.Relaxed)

	// A read-write lock is a word: how many readers hold it, or -1 for a writer.
	writer := ir.Number(^uint64(0), 32)
	share := func(k *calling) ir.Expr {
		_, taken := k.try(k.word(k.address(0)), func(was ir.Expr) ir.Expr { return ir.Add.Of(was, ir.Number(1, 32)) },
			func(was ir.Expr) ir.Expr { return not(ir.Eq.Of(was, writer)) }, acquire, acquire, acquire)
		return taken
	}
	own := func(k *calling) ir.Expr {
		_, taken := k.try(k.word(k.address(0)), func(ir.Expr) ir.Expr { return writer },
			func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, ir.Number(0, 32)) }, acquire, acquire, acquire)
		return taken
	}
	waits := func(take func(*calling) ir.Expr) builtin {
		return func(k *calling) operand {
			k.wait(func() ir.Expr { return take(k) })
			return k.success()
		}
	}
	tries := func(take func(*calling) ir.Expr) builtin {
		return func(k *calling) operand { return k.pick(take(k), 0, busy, k.ast.Int) }
	}
	add("pthread_rwlock_init", 1, (*calling).initLock)
	add("pthread_rwlock_rdlock", 1, waits(share))
	add("pthread_rwlock_tryrdlock", 1, tries(share))
	add("pthread_rwlock_wrlock", 1, waits(own))
	add("pthread_rwlock_trywrlock", 1, tries(own))
	add("pthread_rwlock_unlock", 1, func(k *calling) operand {
		k.change(k.word(k.address(0)), func(was ir.Expr) ir.Expr {
			return ir.Cond{If: ir.Eq.Of(was, writer), Then: ir.Number(0, 32), Else: ir.Sub.Of(was, ir.Number(1, 32))}
		}, release, release)
		return k.success()
	})

	add("pthread_spin_init", 1, (*calling).initLock)
	spin := func(k *calling) ir.Expr { return k.tryLock(k.address(0), acquire, acquire, acquire) }
	add("pthread_spin_lock", 1, waits(spin))
	add("pthread_spin_trylock", 1, tries(spin))
	add("pthread_spin_unlock", 1, func(k *calling) operand {
		k.storeTo(k.word(k.address(0)), ir.Number(0, 32), release)
		return k.success()
	})

	// A barrier counts who has arrived. The last of each group says so, and the others wait for its
	// word: what they read is one write, whoever has come round to the barrier again.
	add("pthread_barrier_init", 3, func(k *calling) operand {
		k.storeTo(k.word(k.address(0)), ir.Number(0, 32), Access{})
		k.storeTo(k.word(k.behind(k.address(0), 4)), k.as(2, k.ast.UInt), Access{})
		k.storeTo(k.word(k.behind(k.address(0), 8)), ir.Number(0, 32), Access{})
		return k.success()
	})
	add("pthread_barrier_wait", 1, func(k *calling) operand {
		n := k.loadFrom(k.word(k.behind(k.address(0), 4)), Access{}).x
		k.emit(Assert{not(ir.Eq.Of(n, ir.Number(0, 32))), ir.Memory, "the barrier is not initialised"})
		both := atomically(c.AcqRel)
		ticket := k.change(k.word(k.address(0)), func(was ir.Expr) ir.Expr { return ir.Add.Of(was, ir.Number(1, 32)) }, both, both)
		round := k.keep(ir.Add.Of(ir.UDiv.Of(ticket, n), ir.Number(1, 32)))
		last := k.keep(ir.Eq.Of(ir.Add.Of(ticket, ir.Number(1, 32)), ir.Mul.Of(round, n)))
		passed := k.word(k.behind(k.address(0), 8))
		others := k.jump(not(last))
		k.storeTo(passed, round, release)
		end := k.jump(nil)
		k.land(others)
		k.wait(func() ir.Expr { return not(ir.Ult.Of(k.loadFrom(passed, acquire).x, round)) })
		k.land(end)
		return k.pick(last, serial, 0, k.ast.Int)
	})

	// 0: nobody has begun; 1: somebody has; 2: done.
	add("pthread_once call_once", 2, func(k *calling) operand {
		addr := k.keep(k.address(0))
		_, first := k.try(k.word(addr), func(ir.Expr) ir.Expr { return ir.Number(1, 32) },
			func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, ir.Number(0, 32)) }, acquire, acquire, acquire)
		others := k.jump(not(first))
		k.emit(Call{Dst: -1, Target: k.address(1)})
		k.storeTo(k.word(addr), ir.Number(2, 32), release)
		end := k.jump(nil)
		k.land(others)
		k.wait(func() ir.Expr { return ir.Eq.Of(k.loadFrom(k.word(addr), acquire).x, ir.Number(2, 32)) })
		k.land(end)
		return k.success()
	})

	// A key is an index into what each thread has of its own.
	outArguments["pthread_key_create"], outArguments["tss_create"] = 0, 0
	add("pthread_key_create tss_create", 2, func(k *calling) operand {
		if !k.null(1) {
			k.failf(k.node, "a destructor of what a thread keeps under a key is not supported: want NULL")
		}
		counter := k.word(k.own("keys", 4, false))
		key := k.change(counter, func(was ir.Expr) ir.Expr { return ir.Add.Of(was, ir.Number(1, 32)) }, relaxed, relaxed)
		k.write(k.node, k.pointee(0), operand{key, k.ast.UInt})
		return k.success()
	})
	slot := func(k *calling) object {
		bytes := k.Unit.Pointer / 8
		at := ir.Mul.Of(widen(k.as(0, k.ast.UInt), k.Unit.Pointer, false), ir.Number(uint64(bytes), k.Unit.Pointer))
		return object{t: k.ast.PVoid, reg: -1, addr: ir.Add.Of(k.own("kept under keys", maxKeys*bytes, true), at)}
	}
	add("pthread_getspecific tss_get", 1, func(k *calling) operand { return k.loadFrom(slot(k), Access{}) })
	add("pthread_setspecific tss_set", 2, func(k *calling) operand {
		k.storeTo(slot(k), k.address(1), Access{})
		return k.success()
	})
}

// maxKeys bounds the keys of a program.
const maxKeys = 16
