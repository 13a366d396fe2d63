package code

import (
	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// overflown is SEM_VALUE_MAX, beyond which a semaphore is not counted up.
const overflown = 1<<31 - 1

// A semaphore is a word: how often it can be taken before one has to wait.
func (all known) addSemaphore() {
	acquire, release, relaxed := atomically(c.Acquire), atomically(c.Release), atomically(c.Relaxed)
	zero := func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, ir.Number(0, 32)) }
	take := func(k *calling) ir.Expr {
		_, taken := k.try(k.word(k.address(0)), func(was ir.Expr) ir.Expr { return ir.Sub.Of(was, ir.Number(1, 32)) },
			func(was ir.Expr) ir.Expr { return not(zero(was)) }, acquire, acquire, relaxed)
		return taken
	}
	waits := func(k *calling) ir.Expr {
		k.wait(func() ir.Expr { return take(k) })
		return ir.Number(0, 32)
	}
	all.add("sem_init", "semaphore, shared, value", "makes a semaphore: 0, or -1 if value is beyond SEM_VALUE_MAX", func(k *calling) operand {
		value := k.build.keep(k.as(2, k.types.ast.UInt))
		tooMany := fold(ir.Ult, ir.Number(overflown, 32), value)
		result := k.build.temp(32)
		fails := k.build.jump(tooMany)
		k.storeTo(k.word(k.address(0)), value, Access{})
		k.build.emit(Assign{result, ir.Number(0, 32)})
		end := k.build.jump(nil)
		k.build.land(fails)
		k.fails(ir.Number(1, 1), invalid)
		k.build.emit(Assign{result, ir.Number(failed, 32)})
		k.build.land(end)
		return operand{k.build.reg(result), k.types.ast.Int}
	})
	all.add("sem_wait", "semaphore", "waits until the semaphore is above 0, and counts it down", func(k *calling) operand { return operand{waits(k), k.types.ast.Int} })
	all.add("sem_trywait", "semaphore", "counts the semaphore down if it is above 0: 0, or else -1", func(k *calling) operand {
		taken := take(k)
		k.fails(not(taken), again)
		return k.pick(taken, 0, failed, k.types.ast.Int)
	})
	// With a time, the wait may end at any moment.
	late := func(k *calling) operand {
		return k.either(k.types.ast.Int, func() ir.Expr { return waits(k) }, func() ir.Expr {
			k.fails(ir.Number(1, 1), timedOut)
			return ir.Number(failed, 32)
		})
	}
	all.add("sem_timedwait", "semaphore, time", "waits until the semaphore is above 0, and counts it down, or ends at a time", late)
	all.add("sem_clockwait", "semaphore, clock, time", "waits until the semaphore is above 0, and counts it down, or ends at a time", late)
	all.add("sem_post", "semaphore", "counts the semaphore up", func(k *calling) operand {
		_, done := k.try(k.word(k.address(0)), func(was ir.Expr) ir.Expr { return ir.Add.Of(was, ir.Number(1, 32)) },
			func(was ir.Expr) ir.Expr { return not(ir.Eq.Of(was, ir.Number(overflown, 32))) }, release, release, relaxed)
		k.fails(not(done), overflow)
		return k.pick(done, 0, failed, k.types.ast.Int)
	})
	all.add("sem_getvalue", "semaphore, &value", "writes what the semaphore is to *value", func(k *calling) operand {
		k.memory.write(k.node, k.pointee(1), operand{k.loadFrom(k.word(k.address(0)), relaxed).x, k.types.ast.Int})
		return k.success()
	})
	all.add("sem_destroy", "semaphore", "does nothing here", (*calling).success)

	all.add("__errno_location", "", "where errno is", func(k *calling) operand { return k.answer(k.own("errno", 4, true), k.types.ast.PVoid) })
}

const (
	again    = 11 // EAGAIN
	invalid  = 22 // EINVAL
	overflow = 75 // EOVERFLOW
	failed   = ^uint64(0)
)

// fails puts a number into errno where a bit is 1.
func (k *calling) fails(bit ir.Expr, number uint64) {
	on := k.build.jump(not(bit))
	k.storeTo(k.word(k.own("errno", 4, true)), ir.Number(number, 32), Access{})
	k.build.land(on)
}
