package code

import (
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// Numbers of errors that mutexes give beside busy.
const (
	notOwner = 1  // EPERM
	deadlock = 35 // EDEADLK
)

// recursive is the kind of mutex that its owner may lock again. Of a normal one, which is 0, the owner is not known;
// others check for errors.
const recursive = 1

func (all known) addMutex() {
	all.add("pthread_mutex_init __VERIFIER_mutex_init", "m, attributes?", "makes a mutex that is free", func(k *calling) operand {
		if len(k.args) < 2 || k.null(1) {
			return k.initMutex(ir.Number(0, 32))
		}
		return k.initMutex(k.loadFrom(k.word(k.address(1)), Access{}).x)
	})
	all.add("mtx_init", "m, kind", "makes a mutex that is free", func(k *calling) operand {
		return k.initMutex(fold(ir.BitAnd, k.as(1, k.types.ast.Int), ir.Number(recursive, 32)))
	})
	// With a time, the wait may end at any moment.
	inTime := func(late uint64) handler {
		return func(k *calling) operand {
			return k.lockOwned(deadlock, func() ir.Expr {
				return k.either(k.types.ast.Int, k.waitForMutex, func() ir.Expr { return ir.Number(late, 32) }).x
			})
		}
	}
	all.add("pthread_mutex_timedlock", "m, time", "locks the mutex *m, or ends at a time", inTime(timedOut))
	all.add("pthread_mutex_clocklock", "m, clock, time", "locks the mutex *m, or ends at a time", inTime(timedOut))
	all.add("mtx_timedlock", "m, time", "locks the mutex *m, or ends at a time", inTime(thrdTimeout))
}

// waitForMutex locks argument 0, which the thread does not hold: 0.
func (k *calling) waitForMutex() ir.Expr {
	k.lock(k.address(0), lockMutex, lockMutex)
	return ir.Number(0, 32)
}

func (k *calling) takeMutex() operand { return k.lockOwned(deadlock, k.waitForMutex) }

// tryMutex locks argument 0 if it is free: 0, or the number that its library has for that it is not.
func (k *calling) tryMutex() operand {
	failed := uint64(busy)
	if strings.HasPrefix(k.name, "mtx_") {
		failed = thrdBusy
	}
	return k.lockOwned(failed, func() ir.Expr {
		return k.pick(k.tryLock(k.address(0), lockMutex, lockMutex, tryMutex), 0, failed, k.types.ast.Int).x
	})
}

// kinds tells whether the program has mutexes that are not normal.
func (k *calling) kinds() bool {
	for _, name := range strings.Fields("pthread_mutexattr_settype PTHREAD_MUTEX_RECURSIVE PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_ERRORCHECK PTHREAD_MUTEX_ERRORCHECK_NP mtx_recursive") {
		if k.types.qualifiers.Mentions[name] {
			return true
		}
	}
	return false
}

// part is what argument i, a mutex, has under a name.
func (k *calling) part(i int, name string) object {
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
	t := k.types.pointeeType(k.node, k.raw[i].t)
	at, ok := find(t)
	if !ok {
		failf(k.node, "got a pointer to %s, want one to a pthread_mutex_t", t)
	}
	return k.word(k.memory.behind(k.address(i), int(at)))
}

// owned is how it is noted who holds a mutex: others look, too.
var owned = atomically(c.Relaxed)

// initMutex makes a mutex of a kind that is free.
func (k *calling) initMutex(kind ir.Expr) operand {
	if k.kinds() {
		k.storeTo(k.part(0, "__kind"), kind, Access{})
		k.storeTo(k.part(0, "__count"), ir.Number(0, 32), Access{})
		k.storeTo(k.part(0, "__owner"), ir.Number(0, 32), Access{})
	} else if n, ok := kind.(ir.Const); !ok || n.Value != 0 {
		if _, load := kind.(ir.Reg); !load {
			failf(k.node, "want mtx_recursive by its name")
		}
	}
	return k.initLock()
}

// lockOwned locks argument 0 as take does, which gives 0 where it has. Where the thread holds it already, it
// holds it once more, or gets an error.
func (k *calling) lockOwned(failed uint64, take func() ir.Expr) operand {
	if !k.kinds() {
		return operand{take(), k.types.ast.Int}
	}
	result := k.build.temp(32)
	kind := k.loadFrom(k.part(0, "__kind"), Access{}).x
	me := k.self(k.types.ast.Int)
	normal := k.build.jump(ir.Eq.Of(kind, ir.Number(0, 32)))
	others := k.build.jump(not(ir.Eq.Of(k.loadFrom(k.part(0, "__owner"), owned).x, me)))
	checks := k.build.jump(not(ir.Eq.Of(kind, ir.Number(recursive, 32))))
	count := k.part(0, "__count")
	k.storeTo(count, ir.Add.Of(k.loadFrom(count, Access{}).x, ir.Number(1, 32)), Access{})
	k.build.emit(Assign{result, ir.Number(0, 32)})
	once := k.build.jump(nil)
	k.build.land(checks)
	k.build.emit(Assign{result, ir.Number(failed, 32)})
	wrong := k.build.jump(nil)
	k.build.land(normal, others)
	k.build.emit(Assign{result, take()})
	missed := k.build.jump(nonzero(k.build.reg(result)))
	unknown := k.build.jump(ir.Eq.Of(kind, ir.Number(0, 32)))
	k.storeTo(k.part(0, "__owner"), me, owned)
	k.build.land(once, wrong, missed, unknown)
	return operand{k.build.reg(result), k.types.ast.Int}
}

// leaveMutex unlocks argument 0, once.
func (k *calling) leaveMutex() operand {
	free := func() { k.storeTo(k.word(k.address(0)), ir.Number(0, 32), unlockMutex) }
	if !k.kinds() {
		free()
		return k.success()
	}
	result := k.build.temp(32)
	k.build.emit(Assign{result, ir.Number(0, 32)})
	normal := k.build.jump(ir.Eq.Of(k.loadFrom(k.part(0, "__kind"), Access{}).x, ir.Number(0, 32)))
	foreign := k.build.jump(not(ir.Eq.Of(k.loadFrom(k.part(0, "__owner"), owned).x, k.self(k.types.ast.Int))))
	count := k.part(0, "__count")
	times := k.loadFrom(count, Access{}).x
	last := k.build.jump(ir.Eq.Of(times, ir.Number(0, 32)))
	k.storeTo(count, ir.Sub.Of(times, ir.Number(1, 32)), Access{})
	still := k.build.jump(nil)
	k.build.land(last)
	k.storeTo(k.part(0, "__owner"), ir.Number(0, 32), owned)
	k.build.land(normal)
	free()
	done := k.build.jump(nil)
	k.build.land(foreign)
	k.build.emit(Assign{result, ir.Number(notOwner, 32)})
	k.build.land(still, done)
	return operand{k.build.reg(result), k.types.ast.Int}
}

// lock takes a lock, a word that is 0 while nobody holds it, as soon as it is free.
func (k *calling) lock(addr ir.Expr, read, write Access) {
	k.wait(func() ir.Expr { return k.tryLock(addr, read, write, read) })
}

// tryLock takes a lock if it is free: whether it did. A failed try writes nothing.
func (k *calling) tryLock(addr ir.Expr, read, write, failed Access) ir.Expr {
	_, taken := k.try(k.word(addr), func(ir.Expr) ir.Expr { return ir.Number(1, 32) },
		func(was ir.Expr) ir.Expr { return ir.Eq.Of(was, ir.Number(0, 32)) }, read, write, failed)
	return taken
}

// initLock makes a lock that is free.
func (k *calling) initLock() operand {
	k.storeTo(k.word(k.address(0)), ir.Number(0, 32), Access{})
	return k.success()
}
