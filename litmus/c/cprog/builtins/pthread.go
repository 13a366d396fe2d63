package builtins

import (
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/values"
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
	lockMutex   = code.Access{Atomic: true, Order: c.Acquire, Tags: c.MutexLocked}
	tryMutex    = code.Access{Atomic: true, Order: c.Relaxed, Tags: c.MutexNotFree}
	unlockMutex = code.Access{Atomic: true, Order: c.Release, Tags: c.MutexUnlock}
)

func (all known) addPthread() {
	all.add("pthread_create", "&thread, attributes, function, argument", "starts a thread, which calls the function",
		func(k *Call) values.Operand { return createThread(k, 2, 3) })
	all.add("thrd_create", "&thread, function, argument", "starts a thread, which calls the function",
		func(k *Call) values.Operand { return createThread(k, 1, 2) })
	all.add("pthread_join", "thread, &result", "waits for a thread to end, and writes what it gave to *result",
		func(k *Call) values.Operand { return joinThread(k, k.Types.AST.PVoid) })
	all.add("thrd_join", "thread, &result", "waits for a thread to end, and writes what it gave to *result",
		func(k *Call) values.Operand { return joinThread(k, k.Types.AST.Int) })
	all.add("pthread_exit __VERIFIER_thread_exit", "result", "ends the thread", func(k *Call) values.Operand {
		cleanUp(k)
		destroyKeys(k)
		return leaveThread(k, k.Types.AST.PVoid)
	})
	all.add("__litmus_cleanup_push", "entry", "notes what the thread has to call when it ends",
		func(k *Call) values.Operand {
			list := values.At(k.Types.AST.PVoid, k.own("clean-ups", k.Types.Pointer/8, true))
			k.storeTo(values.At(k.Types.AST.PVoid, k.address(0)), k.loadFrom(list, code.Access{}).X, code.Access{})
			k.storeTo(list, k.address(0), code.Access{})
			return k.nothing()
		})
	all.add("__litmus_cleanup_pop", "entry", "forgets it", func(k *Call) values.Operand {
		list := values.At(k.Types.AST.PVoid, k.own("clean-ups", k.Types.Pointer/8, true))
		k.storeTo(list, k.loadFrom(values.At(k.Types.AST.PVoid, k.address(0)), code.Access{}).X, code.Access{})
		return k.nothing()
	})
	all.add("thrd_exit", "result", "ends the thread", func(k *Call) values.Operand {
		destroyKeys(k)
		return leaveThread(k, k.Types.AST.Int)
	})
	all.add("pthread_self thrd_current __VERIFIER_thread_self", "", "gives the thread that asks",
		func(k *Call) values.Operand { return k.answer(k.self(k.Types.AST.ULong), k.Types.AST.ULong) })
	all.add("pthread_equal thrd_equal", "a, b", "whether two threads are one", func(k *Call) values.Operand {
		return k.Values.Boolean(ir.Eq.Of(k.as(0, k.Types.AST.ULong), k.as(1, k.Types.AST.ULong)))
	})
	// The intrinsics of GenMC's header.
	all.add("__VERIFIER_thread_create __VERIFIER_thread_create_symmetric", "attributes, function, argument",
		"starts a thread, which calls the function, and gives it",
		func(k *Call) values.Operand { return startThread(k, 1, 2) })
	all.add("__VERIFIER_spawn __VERIFIER_spawn_symmetric", "function, argument",
		"starts a thread, which calls the function, and gives it",
		func(k *Call) values.Operand { return startThread(k, 0, 1) })
	all.add("__VERIFIER_thread_join __VERIFIER_join __VERIFIER_join_symmetric", "thread",
		"waits for a thread to end, gives what it gave", func(k *Call) values.Operand {
			dst := k.Build.Temp(k.Types.Pointer)
			k.Build.Emit(code.Join{Dst: dst, Handle: k.as(0, k.Types.AST.ULong)})
			return values.Of(k.Build.Reg(dst), k.Types.AST.PVoid)
		})

	all.add("pthread_detach thrd_detach", "thread", "does nothing here", (*Call).success)
	all.add("pthread_mutex_destroy mtx_destroy pthread_rwlock_destroy pthread_barrier_destroy pthread_spin_destroy",
		"object", "does nothing here", (*Call).succeeds)
	all.add("__VERIFIER_mutex_destroy __VERIFIER_barrier_destroy pthread_setcancelstate", "object, ...",
		"does nothing here", (*Call).success)
	all.add("pthread_yield sched_yield thrd_yield", "", "does nothing here: threads may go on at any time anyway",
		(*Call).success)
	all.threadAttributes()
}

// createThread starts a thread, and notes its number where argument 0 points.
func createThread(k *Call, function, argument int) values.Operand {
	id := startThread(k, function, argument)
	if !k.null(0) {
		k.Memory.Write(k.Node, k.pointee(0), id)
	}
	return k.success()
}

// startThread starts a thread, and gives its number.
func startThread(k *Call, function, argument int) values.Operand {
	handle := k.Build.Temp(k.Types.Pointer)
	spawn := code.Spawn{Handle: handle, Target: k.address(function), Args: []ir.Expr{k.address(argument)}}
	if k.Shared.destroys() { // what calls the function, and then destructors, is the thread
		name := InLibrary + "thread"
		if k.Name == "thrd_create" {
			name = InLibrary + "thrd"
		}
		spawn.Fn, spawn.Target, spawn.Args = k.Caller.LibraryFunction(name), nil, append([]ir.Expr{spawn.Target},
			spawn.Args...)
	}
	k.Build.Emit(spawn)
	return values.Of(k.Build.Reg(handle), k.Types.AST.ULong)
}

// joinThread waits for a thread, and writes what it gave, a t, where argument 1 points, unless that is null.
func joinThread(k *Call, t cc.Type) values.Operand {
	id := k.as(0, k.Types.AST.ULong)
	if k.null(1) {
		k.Build.Emit(code.Join{Dst: -1, Handle: id})
		return k.success()
	}
	dst := k.Build.Temp(k.Types.Pointer)
	k.Build.Emit(code.Join{Dst: dst, Handle: id})
	to := values.At(t, k.Args[1].X) // whatever it is a pointer to as it is written
	if to.Addr == nil {
		to = k.pointee(1)
	}
	k.Memory.Write(k.Node, to, k.Values.Convert(k.Node, values.Of(k.Build.Reg(dst), k.Types.AST.ULong), t))
	return k.success()
}

// cleanUp calls what the thread has pushed and not popped.
func cleanUp(k *Call) {
	if !k.Types.Qualifiers.Mentions["__litmus_cleanup_push"] {
		return
	}
	bytes := k.Types.Pointer / 8
	list := values.At(k.Types.AST.PVoid, k.own("clean-ups", bytes, true))
	at := k.Build.Temp(k.Types.Pointer)
	k.Build.Emit(code.Assign{Dst: at, Value: k.loadFrom(list, code.Access{}).X})
	word := func(i int) ir.Expr {
		return k.loadFrom(values.At(k.Types.AST.PVoid, k.Memory.Behind(k.Build.Reg(at), i*bytes)), code.Access{}).X
	}
	k.repeat(func() ir.Expr { return code.Nonzero(k.Build.Reg(at)) }, func() {
		k.Build.Emit(code.Call{Dst: -1, Target: word(1), Args: []ir.Expr{word(2)}})
		k.Build.Emit(code.Assign{Dst: at, Value: word(0)})
	})
}

// destroyKeys calls the destructors of what the thread keeps under keys.
func destroyKeys(k *Call) {
	if k.Shared.destroys() {
		k.Caller.CallLibrary(InLibrary + "destroy")
	}
}

func leaveThread(k *Call, t cc.Type) values.Operand {
	k.Build.Emit(code.Exit{Value: k.as(0, t)})
	return k.nothing()
}

// self is the thread's number.
func (k *Call) self(t cc.Type) ir.Expr {
	dst := k.Build.Temp(k.Types.Bits(k.Node, t))
	k.Build.Emit(code.Self{Dst: dst})
	return k.Build.Reg(dst)
}

// threadAttributes are of threads, mutexes and so on: numbers that can be set, and asked for. Of those,
// a mutex's type alone means anything.
func (all known) threadAttributes() {
	for _, of := range []string{
		"pthread_attr_", "pthread_mutexattr_", "pthread_condattr_", "pthread_rwlockattr_", "pthread_barrierattr_",
	} {
		all.add(of+"init", "attributes", "makes attributes: as usual", func(k *Call) values.Operand {
			for i := range min(k.Types.Size(k.Node, k.pointee(0).Type)/4, 4) {
				k.storeTo(k.word(k.Memory.Behind(k.address(0), 4*i)), ir.Number(0, 32), code.Access{})
			}
			return k.success()
		})
		all.add(of+"destroy", "attributes", "does nothing here", (*Call).success)
	}
	for offset, names := range [][]string{
		{
			"pthread_attr_*detachstate", "pthread_mutexattr_*type", "pthread_rwlockattr_*pshared",
			"pthread_condattr_*pshared",
			"pthread_barrierattr_*pshared",
		},
		{"pthread_attr_*stacksize", "pthread_mutexattr_*pshared", "pthread_condattr_*clock"},
		{"pthread_mutexattr_*protocol"},
		{"pthread_mutexattr_*prioceiling"},
	} {
		for _, name := range names {
			of, what, _ := strings.Cut(name, "*")
			all.add(of+"set"+what, "attributes, value", "sets an attribute", func(k *Call) values.Operand {
				k.storeTo(k.word(k.Memory.Behind(k.address(0), 4*offset)), k.as(1, k.Types.AST.Int), code.Access{})
				return k.success()
			})
			all.add(of+"get"+what, "attributes, &value", "writes an attribute to *value", func(k *Call) values.Operand {
				k.Memory.Write(k.Node, k.pointee(1),
					k.loadFrom(k.word(k.Memory.Behind(k.address(0), 4*offset)), code.Access{}))
				return k.success()
			})
		}
	}
}
