package builtins

import (
	"fmt"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// addSystem enters functions that call the operating system. The system is not modelled: a call returns any value of
// its type, sets errno to any error, and writes any values through the arguments that it writes through. The system
// call for futexes is an exception.
func (all byName) addSystem() {
	// writes lists the arguments that the function writes through.
	for _, f := range []struct {
		names, params string
		writes        []int
	}{
		{"open creat openat fcntl", "file, ...", nil},
		{"close fsync fdatasync unlink rmdir chdir isatty dup", "file", nil},
		{"access mkdir chmod fchmod ftruncate truncate rename dup2 lseek", "file, ...", nil},
		{"stat lstat fstat", "file, status", []int{1}},
		{"socket", "domain, type, protocol", nil},
		{"bind connect", "socket, address, size", nil},
		{"listen shutdown", "socket, how", nil},
		{"accept", "socket, address, size", []int{1, 2}},
		{"setsockopt", "socket, level, name, value, size", nil},
		{"send", "socket, from, size, flags", nil},
		{"sendto", "socket, from, size, flags, address, address_size", nil},
		{"select", "count, reads, writes, errors, time", []int{1, 2, 3}},
		{"kill", "process, signal", nil},
		{"raise alarm", "number", nil},
		{"getppid getuid geteuid getgid getegid gettid", "", nil},
		{"msync mlock munlock", "memory, size, ...", nil},
		{"mprotect madvise", "memory, size, how", nil},
		{"sigemptyset sigfillset", "set", []int{0}},
		{"sigaddset sigdelset", "set, signal", []int{0}},
		{"sigprocmask pthread_sigmask", "how, set, old", []int{2}},
	} {
		all.add(f.names, f.params, "calls the system; returns any value, or an error", func(k *Call) values.Operand {
			for _, i := range f.writes {
				anythingThrough(k, i)
			}
			return askSystem(k)
		})
	}
	for _, f := range []struct{ name, params string }{
		{"read", "file, to, size"}, {"pread", "file, to, size, offset"}, {"recv", "socket, to, size, flags"},
	} {
		all.add(f.name, f.params, "reads any values, or returns an error",
			func(k *Call) values.Operand { return received(k) })
	}
	all.add("pipe", "files", "sets two files to any numbers, or fails", func(k *Call) values.Operand {
		at := k.Build.Keep(k.address(0))
		for i := range 2 {
			storeAnything(k, values.At(k.Types.AST.Int, k.Memory.Offset(at, 4*i)))
		}
		return askSystem(k)
	})
	all.add("poll", "files, count, time", "sets revents to any events, or fails", func(k *Call) values.Operand {
		// struct pollfd has 8 bytes, and revents, a short, is at 6.
		at, n, i := k.Build.Keep(k.address(0)), k.Build.Keep(k.as(1, k.Types.AST.ULong)), k.Build.Temp(k.Types.Pointer)
		k.Build.Emit(code.Assign{Dst: i, Value: ir.Number(0, k.Types.Pointer)})
		k.repeat(func() ir.Expr { return ir.Ult.Of(k.Build.Reg(i), n) }, func() {
			storeAnything(k, values.At(k.Types.AST.Short,
				k.Memory.Offset(ir.Add.Of(at, ir.Shl.Of(k.Build.Reg(i), ir.Number(3, k.Types.Pointer))), 6)))
			k.Build.Emit(code.Assign{Dst: i, Value: ir.Add.Of(k.Build.Reg(i), ir.Number(1, k.Types.Pointer))})
		})
		return askSystem(k)
	})
	all.add("mmap", "at, size, protection, flags, file, offset", "allocates size bytes, or returns MAP_FAILED",
		func(k *Call) values.Operand {
			const anonymous = 0x20
			flags, known := k.as(3, k.Types.AST.Int).(ir.Const)
			zero := known && flags.Value&anonymous != 0
			size := k.as(1, k.Types.AST.SizeT)
			v := k.either(k.Types.AST.PVoid, func() ir.Expr { return k.allocate(size, zero, false).X }, func() ir.Expr {
				setErrno(k, anyError(k))
				return ir.Number(failed, k.Types.Pointer)
			})
			remarkUnmodelled(k)
			return v
		})
	all.add("munmap", "memory, size", "frees all memory of one mmap, or fails",
		func(k *Call) values.Operand {
			const page = 4096
			word := func(n uint64) ir.Expr { return ir.Number(n, k.Types.Pointer) }
			at, size, result := k.Build.Keep(k.address(0)), k.Build.Keep(k.as(1, k.Types.AST.SizeT)), k.Build.Temp(32)
			k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(failed, 32)})
			nothing := k.Build.Jump(ir.Eq.Of(at, word(failed))) // MAP_FAILED
			v := k.either(k.Types.AST.Int, func() ir.Expr {
				is := k.Build.Temp(k.Types.Pointer)
				k.Build.Emit(code.Extent{Dst: is, Addr: at})
				pages := ir.BitAnd.Of(ir.Add.Of(size, word(page-1)), word(^uint64(page-1)))
				k.Build.Emit(code.Assert{
					Cond: code.Not(ir.Ult.Of(pages, k.Build.Reg(is))), Property: ir.Memory,
					Text: "munmap frees a part of an mmap, which is not supported: unmap all of it",
				})
				k.Build.Emit(code.Free{Addr: at})
				return ir.Number(0, 32)
			}, func() ir.Expr {
				setErrno(k, anyError(k))
				return ir.Number(failed, 32)
			})
			k.Build.Emit(code.Assign{Dst: result, Value: v.X})
			end := k.Build.Jump(nil)
			k.Build.Land(nothing)
			setErrno(k, ir.Number(invalid, 32))
			k.Build.Land(end)
			return values.Of(k.Build.Reg(result), k.Types.AST.Int)
		})
	all.add("signal", "number, handler", "sets a signal to be ignored or handled by default",
		func(k *Call) values.Operand {
			if h, ok := k.as(1, k.Types.AST.PVoid).(ir.Const); !ok || h.Value > 1 {
				noHandlers(k)
			}
			return askSystem(k)
		})
	all.add("sigaction", "number, action, old", "writes any values to *old", func(k *Call) values.Operand {
		if !k.null(1) {
			noHandlers(k)
		}
		anythingThrough(k, 2)
		return askSystem(k)
	})
	all.add("syscall", "number, ...", "makes a system call: SYS_futex, SYS_gettid, SYS_getpid or SYS_sched_yield",
		systemCall)
	all.add("warn warnx", "format, ...", "prints; output is not modelled", (*Call).nothing)
	all.add("err errx", "status, format, ...", "prints, and ends the program with a status",
		func(k *Call) values.Operand { return All()["exit"].do(k) })
}

func noHandlers(k *Call) {
	syntax.Failf(k.Node, "signal handlers are not supported: call the handler in a thread of its own")
}

// remarkUnmodelled remarks that the operating system is not modelled.
func remarkUnmodelled(k *Call) {
	k.Unit.Remark(k.Node, fmt.Sprintf("%s can return any value: the operating system is not modelled", k.Name))
}

// askSystem returns any value and sets errno to any error.
func askSystem(k *Call) values.Operand {
	remarkUnmodelled(k)
	if k.Node.Type() == nil || k.Types.Width(k.Node.Type()) == 0 {
		return k.nothing()
	}
	setErrno(k, anyError(k))
	return k.anything()
}

// anyError returns any error number.
func anyError(k *Call) ir.Expr {
	e := k.Build.Temp(32)
	k.Build.Emit(code.Choose{Dst: e})
	k.Build.Emit(code.Assume{Cond: ir.Slt.Of(ir.Number(0, 32), k.Build.Reg(e))})
	return k.Build.Reg(e)
}

// Error numbers for errno.
const (
	interrupted = 4   // EINTR
	tryAgain    = 11  // EAGAIN
	noSystem    = 38  // ENOSYS
	late        = 110 // ETIMEDOUT
)

func setErrno(k *Call, e ir.Expr) {
	k.Memory.Write(k.Node, values.At(k.Types.AST.Int, k.addedVariable("errno", 4, true)), values.Of(e, k.Types.AST.Int))
}

// storeAnything sets a scalar to any value.
func storeAnything(k *Call, o values.Object) {
	r := k.Build.Temp(k.Types.Bits(k.Node, o.Type))
	k.Build.Emit(code.Choose{Dst: r})
	k.Memory.Write(k.Node, o, values.Of(k.Build.Reg(r), o.Type))
}

// anythingThrough sets the object that argument i points to, unless it is null, to any value.
func anythingThrough(k *Call, i int) {
	if i >= len(k.Args) || k.null(i) {
		return
	}
	to, o := k.Build.Keep(k.address(i)), k.pointee(i)
	none := k.Build.Jump(code.Not(code.Nonzero(to)))
	for _, s := range k.Types.Scalars(k.Node, o.Type) {
		storeAnything(k, values.At(s.Type, k.Memory.Offset(to, s.Offset)))
	}
	k.Build.Land(none)
}

// received reads any bytes into memory. It returns any number up to size, or -1.
func received(k *Call) values.Operand {
	to := k.Build.Keep(k.address(1))
	eachElement(k, k.Types.AST.UChar, 2, func(t cc.Type, offset ir.Expr) {
		storeAnything(k, values.At(t, code.Fold(ir.Add, to, offset)))
	})
	most := k.Build.Keep(k.as(2, k.Types.AST.SizeT))
	v := askSystem(k)
	k.Build.Emit(code.Assume{Cond: code.Not(ir.Slt.Of(ir.Resize(most, v.X.Width()), v.X))})
	k.Build.Emit(code.Assume{Cond: code.Not(ir.Slt.Of(v.X, ir.Number(failed, v.X.Width())))})
	return v
}

// System call numbers on every architecture here; headers/sys/syscall.h defines the same ones.
const (
	sysFutex = 202
	sysYield = 24
	sysPid   = 39
	sysTid   = 186
)

// systemCall handles syscall.
func systemCall(k *Call) values.Operand {
	n, ok := k.as(0, k.Types.AST.Long).(ir.Const)
	if !ok {
		syntax.Failf(k.Node, "the number of syscall is not constant: use a constant such as SYS_futex")
	}
	switch n.Value {
	case sysFutex:
		if len(k.Args) < 4 {
			syntax.Failf(k.Node, "SYS_futex needs an address, an operation and a value")
		}
		return futex(k)
	case sysYield:
		return k.answer(ir.Number(0, 32), k.Types.AST.Int)
	case sysPid, sysTid:
		return k.natural()
	}
	syntax.Failf(k.Node, "system call %d is not supported: use SYS_futex, SYS_gettid, SYS_getpid or "+
		"SYS_sched_yield, or a library function", n.Value)
	return values.Operand{}
}

// Operations of a futex, without the flags.
const (
	futexWait       = 0
	futexWake       = 1
	futexWaitBitset = 9
	futexWakeBitset = 10
	futexFlags      = 128 | 256
)

// futex handles SYS_futex, which waits while a word has a value, or wakes waiting threads. futex(2) allows spurious
// wakeups, and these include all wakeups by other threads. So waking only returns a number, and a wait reads the word
// and returns. This cannot find a missing wakeup.
func futex(k *Call) values.Operand {
	if k.Shared.Signals { // the property is termination
		syntax.Failf(k.Node, "termination of programs with futexes is not supported: waits wake spuriously, so a "+
			"missing wakeup would not be found")
	}
	t := k.Node.Type()
	bits := k.Types.Bits(k.Node, t)
	op := k.Build.Keep(ir.BitAnd.Of(k.as(2, k.Types.AST.Int), ir.Number(^uint64(futexFlags), 32)))
	if n, ok := k.as(2, k.Types.AST.Int).(ir.Const); ok {
		switch n.Value &^ futexFlags {
		case futexWait, futexWake, futexWaitBitset, futexWakeBitset:
		default:
			syntax.Failf(k.Node,
				"futex operation %d is not supported: use FUTEX_WAIT, FUTEX_WAKE, FUTEX_WAIT_BITSET or "+
					"FUTEX_WAKE_BITSET",
				n.Value&^futexFlags)
		}
	}
	is := func(a, b uint64) ir.Expr {
		return ir.BitOr.Of(ir.Eq.Of(op, ir.Number(a, 32)), ir.Eq.Of(op, ir.Number(b, 32)))
	}
	result := k.Build.Temp(bits)
	fails := func(errno ir.Expr) {
		setErrno(k, errno)
		k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(failed, bits)})
	}
	word, want := k.word(k.Build.Keep(k.address(1))), k.Build.Keep(k.as(3, k.Types.AST.Int))
	noWait := k.Build.Jump(code.Not(is(futexWait, futexWaitBitset)))
	differs := k.Build.Jump(code.Not(ir.Eq.Of(k.loadFrom(word, atomically(c.Relaxed)).X, want)))
	which := k.Build.Temp(1)
	k.Build.Emit(code.Choose{Dst: which})
	broken := k.Build.Jump(k.Build.Reg(which))
	k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(0, bits)})
	ends := []int{k.Build.Jump(nil)}
	k.Build.Land(broken)
	var why ir.Expr = ir.Number(interrupted, 32)
	if len(k.Args) > 4 && !k.null(4) {
		timeout := k.Build.Temp(1)
		k.Build.Emit(code.Choose{Dst: timeout})
		why = ir.Cond{
			If: ir.BitAnd.Of(k.Build.Reg(timeout), code.Nonzero(k.address(4))), Then: ir.Number(late, 32), Else: why,
		}
	}
	fails(why)
	ends = append(ends, k.Build.Jump(nil))
	k.Build.Land(differs)
	fails(ir.Number(tryAgain, 32))
	ends = append(ends, k.Build.Jump(nil))
	k.Build.Land(noWait)
	noWake := k.Build.Jump(code.Not(is(futexWake, futexWakeBitset)))
	woken := k.Build.Temp(bits)
	k.Build.Emit(code.Choose{Dst: woken})
	k.Build.Emit(code.Assume{Cond: code.Not(ir.Slt.Of(k.Build.Reg(woken), ir.Number(0, bits)))})
	k.Build.Emit(code.Assume{Cond: code.Not(ir.Slt.Of(ir.Widen(want, bits, true), k.Build.Reg(woken)))})
	k.Build.Emit(code.Assign{Dst: result, Value: k.Build.Reg(woken)})
	ends = append(ends, k.Build.Jump(nil))
	k.Build.Land(noWake)
	fails(ir.Number(noSystem, 32))
	k.Build.Land(ends...)
	k.Unit.Remark(k.Node,
		"a wait on a futex can wake spuriously, as futex(2) allows: a missing wakeup is not found")
	return values.Of(k.Build.Reg(result), t)
}
