package builtins

import (
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// Condition variables. A wait can wake spuriously (POSIX, pthread_cond_wait). So for every property except termination,
// a wait always does: it unlocks and locks the mutex, and signals do nothing.
//
// A program must not terminate only because of spurious wakeups. If the property is termination, a wait has a choice:
// it wakes spuriously, or it waits for a signal. The condition variable's first word has a bit for each thread. A
// waiting thread sets its bit before it unlocks the mutex, and continues when the bit is clear. A signal clears one of
// the bits, a broadcast all of them. A signal that finds no bit is lost. A wait with a time limit sets its bit, because
// a signal may wake it instead of another thread, but does not wait until the bit is clear.

// maxWaiting bounds the number of threads of a program whose termination is checked.
const maxWaiting = 32

// addCondition enters the condition variables of pthreads and <threads.h>.
func (all byName) addCondition() {
	all.add("pthread_cond_wait cnd_wait", "condition, m",
		"unlocks the mutex *m, waits for a signal, and locks the mutex again; may wake spuriously",
		func(k *Call) values.Operand {
			k.present(0)
			if !k.Shared.Signals {
				leaveAndTake(k)
				return k.success()
			}
			spurious := k.Build.Temp(1)
			k.Build.Emit(code.Choose{Dst: spurious})
			waits := k.Build.Jump(code.Not(k.Build.Reg(spurious)))
			leaveAndTake(k)
			end := k.Build.Jump(nil)
			k.Build.Land(waits)
			bit := queueForSignal(k)
			leaveWaited(k)
			k.wait(func() ir.Expr {
				return ir.Eq.Of(ir.BitAnd.Of(k.loadFrom(k.word(k.address(0)), atomically(c.Relaxed)).X, bit),
					ir.Number(0, 32))
			})
			takeWaited(k)
			k.Build.Land(end)
			return k.success()
		})
	inTime := func(late uint64) handler {
		return func(k *Call) values.Operand {
			k.present(0)
			which := k.Build.Temp(1)
			if !k.Shared.Signals {
				leaveAndTake(k)
				k.Build.Emit(code.Choose{Dst: which})
				return k.pick(k.Build.Reg(which), 0, late, k.Types.AST.Int)
			}
			bit := queueForSignal(k)
			leaveAndTake(k)
			was := changeWaiting(k, func(was ir.Expr) ir.Expr { return ir.BitAnd.Of(was, complement(bit)) })
			woken := k.Build.Keep(ir.Eq.Of(ir.BitAnd.Of(was, bit), ir.Number(0, 32)))
			k.Build.Emit(code.Choose{Dst: which})
			return k.pick(ir.BitOr.Of(woken, k.Build.Reg(which)), 0, late, k.Types.AST.Int)
		}
	}
	all.add("pthread_cond_timedwait", "condition, m, time",
		"unlocks the mutex *m, waits for a signal or a timeout, and locks the mutex again",
		inTime(timedOut))
	all.add("cnd_timedwait", "condition, m, time",
		"unlocks the mutex *m, waits for a signal or a timeout, and locks the mutex again",
		inTime(thrdTimeout))
	all.add("pthread_cond_destroy cnd_destroy", "condition", "has no effect here", (*Call).succeeds)
	all.add("__VERIFIER_cond_destroy", "condition", "has no effect here", (*Call).success)
	for _, f := range []struct {
		names, intrinsic, params, help string
		do                             func(*Call)
	}{
		{
			"pthread_cond_init cnd_init", "__VERIFIER_cond_init", "condition, attributes?",
			"initialises a condition variable", clearWaiting,
		},
		{
			"pthread_cond_signal cnd_signal", "__VERIFIER_cond_signal", "condition",
			"wakes one waiting thread", signalCondition,
		},
		{
			"pthread_cond_broadcast cnd_broadcast", "__VERIFIER_cond_bcast", "condition",
			"wakes all waiting threads", broadcastCondition,
		},
	} {
		all.add(f.names, f.params, f.help, func(k *Call) values.Operand {
			k.present(0)
			f.do(k)
			return k.success()
		})
		all.add(f.intrinsic, f.params, f.help, func(k *Call) values.Operand {
			f.do(k)
			return k.success()
		})
	}
}

// queueForSignal sets the thread's bit in the condition variable (argument 0) and returns the bit.
func queueForSignal(k *Call) ir.Expr {
	me := k.Build.Temp(32)
	k.Build.Emit(code.Self{Dst: me, Most: maxWaiting})
	bit := k.Build.Keep(ir.Shl.Of(ir.Number(1, 32), ir.Sub.Of(k.Build.Reg(me), ir.Number(1, 32))))
	changeWaiting(k, func(was ir.Expr) ir.Expr { return ir.BitOr.Of(was, bit) })
	return bit
}

// changeWaiting updates the bits of the waiting threads in argument 0 and returns the old ones.
func changeWaiting(k *Call, next func(was ir.Expr) ir.Expr) ir.Expr {
	relaxed := atomically(c.Relaxed)
	return k.change(k.word(k.address(0)), next, relaxed, relaxed)
}

// clearWaiting initialises argument 0: no thread waits.
func clearWaiting(k *Call) {
	if k.Shared.Signals {
		k.storeTo(k.word(k.address(0)), ir.Number(0, 32), atomically(c.Relaxed))
	}
}

func broadcastCondition(k *Call) {
	if k.Shared.Signals {
		wakeWhere(k, func(was ir.Expr) ir.Expr { return was })
	}
}

// signalCondition wakes the waiting thread with the lowest number, the second lowest, or the highest. If more than
// three threads wait, it never wakes the others, and the remark says so.
func signalCondition(k *Call) {
	if !k.Shared.Signals {
		return
	}
	k.Unit.Remark(k.Node, k.Name+" wakes the first, second or last waiting thread here; if more than three threads "+
		"wait, "+
		"a real implementation could wake others")
	first, second := k.Build.Temp(1), k.Build.Temp(1)
	k.Build.Emit(code.Choose{Dst: first})
	others := k.Build.Jump(code.Not(k.Build.Reg(first)))
	wakeWhere(k, lowest)
	end := k.Build.Jump(nil)
	k.Build.Land(others)
	k.Build.Emit(code.Choose{Dst: second})
	last := k.Build.Jump(code.Not(k.Build.Reg(second)))
	woken := wakeWhere(k, func(was ir.Expr) ir.Expr { return lowest(withoutLowest(was)) })
	k.Build.Emit(code.Assume{Cond: woken})
	end2 := k.Build.Jump(nil)
	k.Build.Land(last)
	woken = wakeWhere(k, func(was ir.Expr) ir.Expr {
		all := withoutLowest(withoutLowest(was)) // the other two cases cover the lowest bits
		return ir.Cond{If: ir.Eq.Of(all, ir.Number(0, 32)), Then: all, Else: highest(all)}
	})
	k.Build.Emit(code.Assume{Cond: woken})
	k.Build.Land(end, end2)
}

// wakeWhere clears the bits that choice selects from those of the waiting threads, and returns whether it selected any.
func wakeWhere(k *Call, choice func(was ir.Expr) ir.Expr) ir.Expr {
	relaxed := atomically(c.Relaxed)
	_, woken := k.try(k.word(k.address(0)),
		func(was ir.Expr) ir.Expr { return ir.BitAnd.Of(was, complement(choice(was))) },
		func(was ir.Expr) ir.Expr { return code.Not(ir.Eq.Of(choice(was), ir.Number(0, 32))) },
		relaxed, relaxed, relaxed)
	return woken
}

func complement(x ir.Expr) ir.Expr { return ir.BitXor.Of(x, ir.Number(1<<32-1, 32)) }

func lowest(x ir.Expr) ir.Expr { return ir.BitAnd.Of(x, ir.Sub.Of(ir.Number(0, 32), x)) }

func withoutLowest(x ir.Expr) ir.Expr { return ir.BitAnd.Of(x, ir.Sub.Of(x, ir.Number(1, 32))) }

// highest returns the highest 1 bit of x.
func highest(x ir.Expr) ir.Expr {
	for n := uint64(1); n < 32; n *= 2 {
		x = ir.BitOr.Of(x, ir.Shr.Of(x, ir.Number(n, 32)))
	}
	return ir.BitXor.Of(x, ir.Shr.Of(x, ir.Number(1, 32)))
}

// leaveAndTake unlocks the mutex that argument 1 points to, and locks it again.
func leaveAndTake(k *Call) {
	leaveWaited(k)
	takeWaited(k)
}

func leaveWaited(k *Call) {
	noteOwner(k, func() ir.Expr { return ir.Number(0, 32) })
	k.storeTo(k.word(k.address(1)), ir.Number(0, 32), unlockMutex)
}

func takeWaited(k *Call) {
	takeLock(k, k.address(1), lockMutex, lockMutex)
	noteOwner(k, func() ir.Expr { return k.self(k.Types.AST.Int) })
}

// noteOwner records the owner of the mutex that argument 1 points to, unless the mutex is normal.
func noteOwner(k *Call, who func() ir.Expr) {
	if hasMutexKinds(k) {
		normal := k.Build.Jump(ir.Eq.Of(k.loadFrom(mutexPart(k, 1, "__kind"), code.Access{}).X, ir.Number(0, 32)))
		k.storeTo(mutexPart(k, 1, "__owner"), who(), owned)
		k.Build.Land(normal)
	}
}
