package builtins

import (
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// overflown is SEM_VALUE_MAX, the maximum value of a semaphore.
const overflown = 1<<31 - 1

// addSemaphore enters the semaphores of POSIX. A semaphore is a word: its value.
func (all byName) addSemaphore() {
	acquire, release, relaxed := atomically(c.Acquire), atomically(c.Release), atomically(c.Relaxed)
	zero := func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, ir.Number(0, 32)) }
	take := func(k *Call) ir.Expr {
		_, taken := k.try(k.word(k.address(0)), func(was ir.Expr) ir.Expr { return ir.Sub.Of(was, ir.Number(1, 32)) },
			func(was ir.Expr) ir.Expr { return code.Not(zero(was)) }, acquire, acquire, relaxed)
		return taken
	}
	waits := func(k *Call) ir.Expr {
		k.wait(func() ir.Expr { return take(k) })
		return ir.Number(0, 32)
	}
	all.add("sem_init", "semaphore, shared, value",
		"initialises a semaphore; returns 0, or -1 if value exceeds SEM_VALUE_MAX",
		func(k *Call) values.Operand {
			value := k.Build.Keep(k.as(2, k.Types.AST.UInt))
			tooMany := code.Fold(ir.Ult, ir.Number(overflown, 32), value)
			result := k.Build.Temp(32)
			fails := k.Build.Jump(tooMany)
			k.storeTo(k.word(k.address(0)), value, code.Access{})
			k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(0, 32)})
			end := k.Build.Jump(nil)
			k.Build.Land(fails)
			failSemaphore(k, ir.Number(1, 1), invalid)
			k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(failed, 32)})
			k.Build.Land(end)
			return values.Of(k.Build.Reg(result), k.Types.AST.Int)
		})
	all.add("sem_wait", "semaphore", "waits until the semaphore is above 0, and decrements it",
		func(k *Call) values.Operand { return values.Of(waits(k), k.Types.AST.Int) })
	all.add("sem_trywait", "semaphore", "decrements the semaphore if it is above 0; returns 0 if it did, else -1",
		func(k *Call) values.Operand {
			taken := take(k)
			failSemaphore(k, code.Not(taken), again)
			return k.pick(taken, 0, failed, k.Types.AST.Int)
		})
	// With a time limit, the wait can end at any moment.
	late := func(k *Call) values.Operand {
		return k.either(k.Types.AST.Int, func() ir.Expr { return waits(k) }, func() ir.Expr {
			failSemaphore(k, ir.Number(1, 1), timedOut)
			return ir.Number(failed, 32)
		})
	}
	all.add("sem_timedwait", "semaphore, time",
		"waits until the semaphore is above 0 and decrements it, or times out", late)
	all.add("sem_clockwait", "semaphore, clock, time",
		"waits until the semaphore is above 0 and decrements it, or times out", late)
	all.add("sem_post", "semaphore", "increments the semaphore", func(k *Call) values.Operand {
		_, done := k.try(k.word(k.address(0)), func(was ir.Expr) ir.Expr { return ir.Add.Of(was, ir.Number(1, 32)) },
			func(was ir.Expr) ir.Expr { return code.Not(ir.Eq.Of(was, ir.Number(overflown, 32))) },
			release, release, relaxed)
		failSemaphore(k, code.Not(done), overflow)
		return k.pick(done, 0, failed, k.Types.AST.Int)
	})
	all.add("sem_getvalue", "semaphore, &value", "writes the semaphore's value to *value",
		func(k *Call) values.Operand {
			k.Memory.Write(k.Node, k.pointee(1),
				values.Of(k.loadFrom(k.word(k.address(0)), relaxed).X, k.Types.AST.Int))
			return k.success()
		})
	all.add("sem_destroy", "semaphore", "has no effect here", (*Call).success)

	all.add("__errno_location", "", "returns the address of errno",
		func(k *Call) values.Operand { return k.answer(k.addedVariable("errno", 4, true), k.Types.AST.PVoid) })
}

const (
	again    = 11 // EAGAIN
	invalid  = 22 // EINVAL
	overflow = 75 // EOVERFLOW
	failed   = ^uint64(0)
)

// failSemaphore sets errno to a number if a bit is 1.
func failSemaphore(k *Call, bit ir.Expr, number uint64) {
	on := k.Build.Jump(code.Not(bit))
	k.storeTo(k.word(k.addedVariable("errno", 4, true)), ir.Number(number, 32), code.Access{})
	k.Build.Land(on)
}
