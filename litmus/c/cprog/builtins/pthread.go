package builtins

import (
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// Error numbers and results of functions of <pthread.h> and <threads.h>.
const (
	busy        = 16  // EBUSY
	timedOut    = 110 // ETIMEDOUT
	thrdBusy    = 1
	thrdTimeout = 4
	serial      = ^uint64(0) // PTHREAD_BARRIER_SERIAL_THREAD
)

// The accesses that lock a mutex, find it locked, and unlock it.
var (
	lockMutex   = code.Access{Atomic: true, Order: c.Acquire, Tags: c.MutexLocked}
	tryMutex    = code.Access{Atomic: true, Order: c.Relaxed, Tags: c.MutexNotFree}
	unlockMutex = code.Access{Atomic: true, Order: c.Release, Tags: c.MutexUnlock}
)

// addPthread enters the functions of pthreads and <threads.h> that start, join and end threads, and their attributes.
func (all byName) addPthread() {
	all.add("pthread_create", "&thread, attributes, function, argument", "starts a thread that calls the function",
		func(k *Call) values.Operand { return createThread(k, 2, 3) })
	all.add("thrd_create", "&thread, function, argument", "starts a thread that calls the function",
		func(k *Call) values.Operand { return createThread(k, 1, 2) })
	all.add("pthread_join", "thread, &result", "waits until a thread ends, and writes its result to *result",
		func(k *Call) values.Operand { return joinThread(k, k.Types.AST.PVoid) })
	all.add("thrd_join", "thread, &result", "waits until a thread ends, and writes its result to *result",
		func(k *Call) values.Operand { return joinThread(k, k.Types.AST.Int) })
	all.add("pthread_exit __VERIFIER_thread_exit", "result", "ends the thread", func(k *Call) values.Operand {
		cleanUp(k)
		destroyKeys(k)
		return leaveThread(k, k.Types.AST.PVoid)
	})
	all.add("__litmus_cleanup_push", "entry", "pushes a clean-up function to call when the thread ends",
		func(k *Call) values.Operand {
			list := values.At(k.Types.AST.PVoid, k.addedVariable("clean-ups", k.Types.Pointer/8, true))
			k.storeTo(values.At(k.Types.AST.PVoid, k.address(0)), k.loadFrom(list, code.Access{}).X, code.Access{})
			k.storeTo(list, k.address(0), code.Access{})
			return k.nothing()
		})
	all.add("__litmus_cleanup_pop", "entry", "pops a clean-up function", func(k *Call) values.Operand {
		list := values.At(k.Types.AST.PVoid, k.addedVariable("clean-ups", k.Types.Pointer/8, true))
		k.storeTo(list, k.loadFrom(values.At(k.Types.AST.PVoid, k.address(0)), code.Access{}).X, code.Access{})
		return k.nothing()
	})
	all.add("thrd_exit", "result", "ends the thread", func(k *Call) values.Operand {
		destroyKeys(k)
		return leaveThread(k, k.Types.AST.Int)
	})
	all.add("pthread_self thrd_current __VERIFIER_thread_self", "", "returns the calling thread",
		func(k *Call) values.Operand { return k.answer(k.self(k.Types.AST.ULong), k.Types.AST.ULong) })
	all.add("pthread_equal thrd_equal", "a, b", "returns whether two threads are the same",
		func(k *Call) values.Operand {
			return k.Values.Boolean(ir.Eq.Of(k.as(0, k.Types.AST.ULong), k.as(1, k.Types.AST.ULong)))
		})
	// Intrinsics of GenMC's header.
	all.add("__VERIFIER_thread_create __VERIFIER_thread_create_symmetric", "attributes, function, argument",
		"starts a thread that calls the function, and returns it",
		func(k *Call) values.Operand { return startThread(k, 1, 2) })
	all.add("__VERIFIER_spawn __VERIFIER_spawn_symmetric", "function, argument",
		"starts a thread that calls the function, and returns it",
		func(k *Call) values.Operand { return startThread(k, 0, 1) })
	all.add("__VERIFIER_thread_join __VERIFIER_join __VERIFIER_join_symmetric", "thread",
		"waits until a thread ends, returns its result", func(k *Call) values.Operand {
			dst := k.Build.Temp(k.Types.Pointer)
			k.Build.Emit(code.Join{Dst: dst, Handle: k.as(0, k.Types.AST.ULong)})
			return values.Of(k.Build.Reg(dst), k.Types.AST.PVoid)
		})

	all.add("pthread_detach thrd_detach", "thread", "has no effect here", (*Call).success)
	all.add("pthread_mutex_destroy mtx_destroy pthread_rwlock_destroy pthread_barrier_destroy pthread_spin_destroy",
		"object", "has no effect here", (*Call).succeeds)
	all.add("__VERIFIER_mutex_destroy __VERIFIER_barrier_destroy pthread_setcancelstate", "object, ...",
		"has no effect here", (*Call).success)
	all.add("pthread_yield sched_yield thrd_yield", "", "has no effect here: threads can be scheduled at any time",
		(*Call).success)
	all.threadAttributes()
}

// createThread starts a thread and writes its number through argument 0.
func createThread(k *Call, function, argument int) values.Operand {
	id := startThread(k, function, argument)
	if !k.null(0) {
		k.Memory.Write(k.Node, k.pointee(0), id)
	}
	return k.success()
}

// startThread starts a thread and returns its number.
func startThread(k *Call, function, argument int) values.Operand {
	handle := k.Build.Temp(k.Types.Pointer)
	spawn := code.Spawn{Handle: handle, Target: k.address(function), Args: []ir.Expr{k.address(argument)}}
	if k.Shared.destroys() { // the thread runs a library function, which calls the function and then destructors
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

// joinThread waits until a thread ends and writes its result, of type t, through argument 1 unless that is null.
func joinThread(k *Call, t cc.Type) values.Operand {
	id := k.as(0, k.Types.AST.ULong)
	if k.null(1) {
		k.Build.Emit(code.Join{Dst: -1, Handle: id})
		return k.success()
	}
	dst := k.Build.Temp(k.Types.Pointer)
	k.Build.Emit(code.Join{Dst: dst, Handle: id})
	to := values.At(t, k.Args[1].X) // whatever its declared pointee type is
	if to.Addr == nil {
		to = k.pointee(1)
	}
	k.Memory.Write(k.Node, to, k.Values.Convert(k.Node, values.Of(k.Build.Reg(dst), k.Types.AST.ULong), t))
	return k.success()
}

// cleanUp calls the clean-up functions that the thread has pushed and not popped.
func cleanUp(k *Call) {
	if !k.Types.Qualifiers.Mentions["__litmus_cleanup_push"] {
		return
	}
	bytes := k.Types.Pointer / 8
	list := values.At(k.Types.AST.PVoid, k.addedVariable("clean-ups", bytes, true))
	at := k.Build.Temp(k.Types.Pointer)
	k.Build.Emit(code.Assign{Dst: at, Value: k.loadFrom(list, code.Access{}).X})
	word := func(i int) ir.Expr {
		return k.loadFrom(values.At(k.Types.AST.PVoid, k.Memory.Offset(k.Build.Reg(at), i*bytes)), code.Access{}).X
	}
	k.repeat(func() ir.Expr { return code.Nonzero(k.Build.Reg(at)) }, func() {
		k.Build.Emit(code.Call{Dst: -1, Target: word(1), Args: []ir.Expr{word(2)}})
		k.Build.Emit(code.Assign{Dst: at, Value: word(0)})
	})
}

// destroyKeys calls the destructors of the thread's thread-specific data.
func destroyKeys(k *Call) {
	if k.Shared.destroys() {
		k.Caller.CallLibrary(InLibrary + "destroy")
	}
}

func leaveThread(k *Call, t cc.Type) values.Operand {
	k.Build.Emit(code.Exit{Value: k.as(0, t)})
	return k.nothing()
}

// self returns the thread's number.
func (k *Call) self(t cc.Type) ir.Expr {
	dst := k.Build.Temp(k.Types.Bits(k.Node, t))
	k.Build.Emit(code.Self{Dst: dst})
	return k.Build.Reg(dst)
}

// threadAttributes enters the attributes of threads, mutexes and so on: numbers that programs can set and get. Only the
// type of a mutex has an effect.
func (all byName) threadAttributes() {
	for _, of := range []string{
		"pthread_attr_", "pthread_mutexattr_", "pthread_condattr_", "pthread_rwlockattr_", "pthread_barrierattr_",
	} {
		all.add(of+"init", "attributes", "initialises attributes with defaults", func(k *Call) values.Operand {
			for i := range min(k.Types.Size(k.Node, k.pointee(0).Type)/4, 4) {
				k.storeTo(k.word(k.Memory.Offset(k.address(0), 4*i)), ir.Number(0, 32), code.Access{})
			}
			return k.success()
		})
		all.add(of+"destroy", "attributes", "has no effect here", (*Call).success)
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
				k.storeTo(k.word(k.Memory.Offset(k.address(0), 4*offset)), k.as(1, k.Types.AST.Int), code.Access{})
				return k.success()
			})
			all.add(of+"get"+what, "attributes, &value", "writes an attribute to *value", func(k *Call) values.Operand {
				k.Memory.Write(k.Node, k.pointee(1),
					k.loadFrom(k.word(k.Memory.Offset(k.address(0), 4*offset)), code.Access{}))
				return k.success()
			})
		}
	}
}
