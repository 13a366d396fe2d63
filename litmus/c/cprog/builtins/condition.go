package builtins

import (
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// Condition variables. A wait may end without a signal, so that for all properties but termination it is as if it
// always did: it leaves the mutex and takes it again, and signals do nothing.
//
// That a wait may end like that must not be why a program ends. Where it is asked whether the program terminates, a
// wait has a choice: it ends without a signal, or it waits for one. The condition variable's first word has a bit for
// each thread. Who waits sets its own before it leaves the mutex, and goes on when the bit is clear. A signal clears
// one of the bits, a broadcast all of them. A signal that finds none is lost. Who waits with a time limit sets its bit,
// too, for it may be the one that a signal wakes, but never waits for that.

// maxWaiting bounds the threads of programs of which that is asked, by their numbers.
const maxWaiting = 32

func (all known) addCondition() {
	all.add("pthread_cond_wait cnd_wait", "condition, m",
		"leaves the mutex *m, waits for a signal, and takes the mutex again; may wake without a signal",
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
	all.add("pthread_cond_timedwait", "condition, m, time", "leaves the mutex *m and takes it again, perhaps too late",
		inTime(timedOut))
	all.add("cnd_timedwait", "condition, m, time", "leaves the mutex *m and takes it again, perhaps too late",
		inTime(thrdTimeout))
	all.add("pthread_cond_destroy cnd_destroy", "condition", "does nothing here", (*Call).succeeds)
	all.add("__VERIFIER_cond_destroy", "condition", "does nothing here", (*Call).success)
	for _, f := range []struct {
		names, intrinsic, params, help string
		do                             func(*Call)
	}{
		{
			"pthread_cond_init cnd_init", "__VERIFIER_cond_init", "condition, attributes?",
			"makes a condition variable that no thread waits for", clearWaiting,
		},
		{
			"pthread_cond_signal cnd_signal", "__VERIFIER_cond_signal", "condition",
			"wakes one of the threads that wait", signalCondition,
		},
		{
			"pthread_cond_broadcast cnd_broadcast", "__VERIFIER_cond_bcast", "condition",
			"wakes all threads that wait", broadcastCondition,
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

// queueForSignal has the thread wait for argument 0, and gives its bit.
func queueForSignal(k *Call) ir.Expr {
	me := k.Build.Temp(32)
	k.Build.Emit(code.Self{Dst: me, Most: maxWaiting})
	bit := k.Build.Keep(ir.Shl.Of(ir.Number(1, 32), ir.Sub.Of(k.Build.Reg(me), ir.Number(1, 32))))
	changeWaiting(k, func(was ir.Expr) ir.Expr { return ir.BitOr.Of(was, bit) })
	return bit
}

// changeWaiting changes which threads wait for argument 0, and gives which have.
func changeWaiting(k *Call, next func(was ir.Expr) ir.Expr) ir.Expr {
	relaxed := atomically(c.Relaxed)
	return k.change(k.word(k.address(0)), next, relaxed, relaxed)
}

// clearWaiting makes argument 0 ready for use.
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

// signalCondition wakes the thread that waits of the lowest number, the second lowest, or the highest. Of more than
// three that wait at once, it never wakes others.
func signalCondition(k *Call) {
	if !k.Shared.Signals {
		return
	}
	k.Unit.Remark(k.Node, k.Name+" is followed to the first, the second and the last of the threads that wait: "+
		"where more than three wait at once, it may wake others, too")
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
		all := withoutLowest(withoutLowest(was)) // else it is one of the others
		return ir.Cond{If: ir.Eq.Of(all, ir.Number(0, 32)), Then: all, Else: highest(all)}
	})
	k.Build.Emit(code.Assume{Cond: woken})
	k.Build.Land(end, end2)
}

// wakeWhere wakes the threads that a choice of those that wait has, if it has any: whether it has.
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

// highest is the highest bit of x that is 1.
func highest(x ir.Expr) ir.Expr {
	for n := uint64(1); n < 32; n *= 2 {
		x = ir.BitOr.Of(x, ir.Shr.Of(x, ir.Number(n, 32)))
	}
	return ir.BitXor.Of(x, ir.Shr.Of(x, ir.Number(1, 32)))
}

// leaveAndTake leaves the mutex that argument 1 is, and takes it again.
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

// noteOwner notes who has the mutex that argument 1 is, unless it is a normal one.
func noteOwner(k *Call, who func() ir.Expr) {
	if hasMutexKinds(k) {
		normal := k.Build.Jump(ir.Eq.Of(k.loadFrom(mutexPart(k, 1, "__kind"), code.Access{}).X, ir.Number(0, 32)))
		k.storeTo(mutexPart(k, 1, "__owner"), who(), owned)
		k.Build.Land(normal)
	}
}
