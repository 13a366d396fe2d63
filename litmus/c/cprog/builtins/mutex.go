package builtins

import (
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// Error numbers that mutexes return besides busy.
const (
	notOwner = 1  // EPERM
	deadlock = 35 // EDEADLK
)

// recursive is the kind of mutex that its owner can lock again. Kind 0 is a normal mutex, whose owner is not recorded;
// other kinds check for errors.
const recursive = 1

// addMutex enters the initialisation of mutexes and the locks with a time limit. The other mutex functions are in
// litmus/c.
func (all byName) addMutex() {
	all.add("pthread_mutex_init __VERIFIER_mutex_init", "m, attributes?", "initialises a mutex",
		func(k *Call) values.Operand {
			if len(k.Args) < 2 || k.null(1) {
				return initMutex(k, ir.Number(0, 32))
			}
			return initMutex(k, k.loadFrom(k.word(k.address(1)), code.Access{}).X)
		})
	all.add("mtx_init", "m, kind", "initialises a mutex", func(k *Call) values.Operand {
		return initMutex(k, code.Fold(ir.BitAnd, k.as(1, k.Types.AST.Int), ir.Number(recursive, 32)))
	})
	// With a time limit, the wait can end at any moment.
	inTime := func(late uint64) handler {
		return func(k *Call) values.Operand {
			return lockOwned(k, deadlock, func() ir.Expr {
				return k.either(k.Types.AST.Int, func() ir.Expr { return waitForMutex(k) },
					func() ir.Expr { return ir.Number(late, 32) }).X
			})
		}
	}
	all.add("pthread_mutex_timedlock", "m, time", "locks the mutex *m, or times out", inTime(timedOut))
	all.add("pthread_mutex_clocklock", "m, clock, time", "locks the mutex *m, or times out", inTime(timedOut))
	all.add("mtx_timedlock", "m, time", "locks the mutex *m, or times out", inTime(thrdTimeout))
}

// waitForMutex locks argument 0, which the thread does not hold, and returns 0.
func waitForMutex(k *Call) ir.Expr {
	takeLock(k, k.address(0), lockMutex, lockMutex)
	return ir.Number(0, 32)
}

func takeMutex(k *Call) values.Operand {
	return lockOwned(k, deadlock, func() ir.Expr { return waitForMutex(k) })
}

// tryToTakeMutex locks argument 0 if it is free. It returns 0, or its library's error number.
func tryToTakeMutex(k *Call) values.Operand {
	failed := uint64(busy)
	if strings.HasPrefix(k.Name, "mtx_") {
		failed = thrdBusy
	}
	return lockOwned(k, failed, func() ir.Expr {
		return k.pick(tryLock(k, k.address(0), lockMutex, lockMutex, tryMutex), 0, failed, k.Types.AST.Int).X
	})
}

// hasMutexKinds reports whether the program uses mutexes that are not normal.
func hasMutexKinds(k *Call) bool {
	for _, name := range strings.Fields("pthread_mutexattr_settype PTHREAD_MUTEX_RECURSIVE " +
		"PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_ERRORCHECK PTHREAD_MUTEX_ERRORCHECK_NP mtx_recursive") {
		if k.Types.Qualifiers.Mentions[name] {
			return true
		}
	}
	return false
}

// mutexPart is a named field of the mutex that argument i points to.
func mutexPart(k *Call, i int, name string) values.Object {
	var find func(t cc.Type) (int64, bool)
	find = func(t cc.Type) (int64, bool) {
		s, ok := t.(interface{ FieldByIndex(int) *cc.Field })
		for j := 0; ok && s.FieldByIndex(j) != nil; j++ {
			f := s.FieldByIndex(j)
			if f.Name() == name {
				return f.Offset(), true
			}
			if at, ok := find(f.Type()); ok {
				return f.Offset() + at, true
			}
		}
		return 0, false
	}
	t := k.Types.PointeeType(k.Node, k.Raw[i].Type)
	at, ok := find(t)
	if !ok {
		syntax.Failf(k.Node, "got a pointer to %s, want a pointer to a pthread_mutex_t", t)
	}
	return k.word(k.Memory.Offset(k.address(i), int(at)))
}

// owned is the access to a mutex's owner, which other threads read, too.
var owned = atomically(c.Relaxed)

// initMutex initialises a mutex of a kind.
func initMutex(k *Call, kind ir.Expr) values.Operand {
	if hasMutexKinds(k) {
		k.storeTo(mutexPart(k, 0, "__kind"), kind, code.Access{})
		k.storeTo(mutexPart(k, 0, "__count"), ir.Number(0, 32), code.Access{})
		k.storeTo(mutexPart(k, 0, "__owner"), ir.Number(0, 32), code.Access{})
	} else if n, ok := kind.(ir.Const); !ok || n.Value != 0 {
		if _, load := kind.(ir.Reg); !load {
			syntax.Failf(k.Node, "mtx_init needs the constant mtx_recursive by its name")
		}
	}
	return initLock(k)
}

// lockOwned locks argument 0 with take, which returns 0 if it did. If the thread already holds the mutex, a recursive
// mutex counts another lock, and another kind returns failed.
func lockOwned(k *Call, failed uint64, take func() ir.Expr) values.Operand {
	if !hasMutexKinds(k) {
		return values.Of(take(), k.Types.AST.Int)
	}
	result := k.Build.Temp(32)
	kind := k.loadFrom(mutexPart(k, 0, "__kind"), code.Access{}).X
	me := k.self(k.Types.AST.Int)
	normal := k.Build.Jump(ir.Eq.Of(kind, ir.Number(0, 32)))
	others := k.Build.Jump(code.Not(ir.Eq.Of(k.loadFrom(mutexPart(k, 0, "__owner"), owned).X, me)))
	checks := k.Build.Jump(code.Not(ir.Eq.Of(kind, ir.Number(recursive, 32))))
	count := mutexPart(k, 0, "__count")
	k.storeTo(count, ir.Add.Of(k.loadFrom(count, code.Access{}).X, ir.Number(1, 32)), code.Access{})
	k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(0, 32)})
	once := k.Build.Jump(nil)
	k.Build.Land(checks)
	k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(failed, 32)})
	wrong := k.Build.Jump(nil)
	k.Build.Land(normal, others)
	k.Build.Emit(code.Assign{Dst: result, Value: take()})
	missed := k.Build.Jump(code.Nonzero(k.Build.Reg(result)))
	unknown := k.Build.Jump(ir.Eq.Of(kind, ir.Number(0, 32)))
	k.storeTo(mutexPart(k, 0, "__owner"), me, owned)
	k.Build.Land(once, wrong, missed, unknown)
	return values.Of(k.Build.Reg(result), k.Types.AST.Int)
}

// leaveMutex unlocks argument 0. A recursive mutex counts down; only the owner can unlock a mutex that is not normal.
func leaveMutex(k *Call) values.Operand {
	free := func() { k.storeTo(k.word(k.address(0)), ir.Number(0, 32), unlockMutex) }
	if !hasMutexKinds(k) {
		free()
		return k.success()
	}
	result := k.Build.Temp(32)
	k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(0, 32)})
	normal := k.Build.Jump(ir.Eq.Of(k.loadFrom(mutexPart(k, 0, "__kind"), code.Access{}).X, ir.Number(0, 32)))
	foreign := k.Build.Jump(
		code.Not(ir.Eq.Of(k.loadFrom(mutexPart(k, 0, "__owner"), owned).X, k.self(k.Types.AST.Int))))
	count := mutexPart(k, 0, "__count")
	times := k.loadFrom(count, code.Access{}).X
	last := k.Build.Jump(ir.Eq.Of(times, ir.Number(0, 32)))
	k.storeTo(count, ir.Sub.Of(times, ir.Number(1, 32)), code.Access{})
	still := k.Build.Jump(nil)
	k.Build.Land(last)
	k.storeTo(mutexPart(k, 0, "__owner"), ir.Number(0, 32), owned)
	k.Build.Land(normal)
	free()
	done := k.Build.Jump(nil)
	k.Build.Land(foreign)
	k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(notOwner, 32)})
	k.Build.Land(still, done)
	return values.Of(k.Build.Reg(result), k.Types.AST.Int)
}

// takeLock waits until a lock, a word that is 0 while it is free, is free, and locks it.
func takeLock(k *Call, addr ir.Expr, read, write code.Access) {
	k.wait(func() ir.Expr { return tryLock(k, addr, read, write, read) })
}

// tryLock locks a word if it is 0 and returns whether it did. A failed attempt writes nothing.
func tryLock(k *Call, addr ir.Expr, read, write, failed code.Access) ir.Expr {
	_, taken := k.try(k.word(addr), func(ir.Expr) ir.Expr { return ir.Number(1, 32) },
		func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, ir.Number(0, 32)) }, read, write, failed)
	return taken
}

// initLock sets the lock that argument 0 points to to free.
func initLock(k *Call) values.Operand {
	k.storeTo(k.word(k.address(0)), ir.Number(0, 32), code.Access{})
	return k.success()
}
