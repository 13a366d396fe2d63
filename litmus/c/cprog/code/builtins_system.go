package code

import (
	"fmt"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// What an operating system does is not known here, so a call of it gives any value of its type, sets errno to any error, and
// writes anything through those of its arguments that it writes through. A futex is an exception.

func (all known) addSystem() {
	// Each writes through the arguments of these numbers.
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
		all.add(f.names, f.params, "asks the system: any value, or an error", func(k *calling) operand {
			for _, i := range f.writes {
				k.anythingThrough(i)
			}
			return k.system()
		})
	}
	for _, f := range []struct{ name, params string }{{"read", "file, to, size"}, {"pread", "file, to, size, offset"}, {"recv", "socket, to, size, flags"}} {
		all.add(f.name, f.params, "reads: anything, or an error", func(k *calling) operand { return k.received() })
	}
	all.add("pipe", "files", "asks the system for two files, or fails", func(k *calling) operand {
		at := k.build.keep(k.address(0))
		for i := range 2 {
			k.storeAnything(object{t: k.types.ast.Int, reg: -1, addr: k.memory.behind(at, 4*i)})
		}
		return k.system()
	})
	all.add("poll", "files, count, time", "asks the system: any events", func(k *calling) operand {
		// struct pollfd has 8 bytes, and revents, a short, is at 6.
		at, n, i := k.build.keep(k.address(0)), k.build.keep(k.as(1, k.types.ast.ULong)), k.build.temp(k.types.pointer)
		k.build.emit(Assign{i, ir.Number(0, k.types.pointer)})
		k.repeat(func() ir.Expr { return ir.Ult.Of(k.build.reg(i), n) }, func() {
			k.storeAnything(object{t: k.types.ast.Short, reg: -1, addr: k.memory.behind(ir.Add.Of(at, ir.Shl.Of(k.build.reg(i), ir.Number(3, k.types.pointer))), 6)})
			k.build.emit(Assign{i, ir.Add.Of(k.build.reg(i), ir.Number(1, k.types.pointer))})
		})
		return k.system()
	})
	all.add("mmap", "at, size, protection, flags, file, offset", "gives memory of so many bytes, or MAP_FAILED", func(k *calling) operand {
		const anonymous = 0x20
		flags, known := k.as(3, k.types.ast.Int).(ir.Const)
		zero := known && flags.Value&anonymous != 0
		size := k.as(1, k.types.ast.SizeT)
		v := k.either(k.types.ast.PVoid, func() ir.Expr { return k.allocate(size, zero, false).x }, func() ir.Expr {
			k.setErrno(k.anyError())
			return ir.Number(failed, k.types.pointer)
		})
		k.unmodelled()
		return v
	})
	all.add("munmap", "memory, size", "ends the life of memory that mmap gave, all of it, or fails", func(k *calling) operand {
		const page = 4096
		word := func(n uint64) ir.Expr { return ir.Number(n, k.types.pointer) }
		at, size, result := k.build.keep(k.address(0)), k.build.keep(k.as(1, k.types.ast.SizeT)), k.build.temp(32)
		k.build.emit(Assign{result, ir.Number(failed, 32)})
		nothing := k.build.jump(ir.Eq.Of(at, word(failed))) // MAP_FAILED
		v := k.either(k.types.ast.Int, func() ir.Expr {
			is := k.build.temp(k.types.pointer)
			k.build.emit(Extent{is, at})
			pages := ir.BitAnd.Of(ir.Add.Of(size, word(page-1)), word(^uint64(page-1)))
			k.build.emit(Assert{not(ir.Ult.Of(pages, k.build.reg(is))), ir.Memory, "munmap ends a part of what mmap gave: that is not supported, all of it is"})
			k.build.emit(Free{at})
			return ir.Number(0, 32)
		}, func() ir.Expr {
			k.setErrno(k.anyError())
			return ir.Number(failed, 32)
		})
		k.build.emit(Assign{result, v.x})
		end := k.build.jump(nil)
		k.build.land(nothing)
		k.setErrno(ir.Number(invalid, 32))
		k.build.land(end)
		return operand{k.build.reg(result), k.types.ast.Int}
	})
	all.add("signal", "number, handler", "has a signal be ignored, or handled as usual", func(k *calling) operand {
		if h, ok := k.as(1, k.types.ast.PVoid).(ir.Const); !ok || h.Value > 1 {
			k.noHandlers()
		}
		return k.system()
	})
	all.add("sigaction", "number, action, old", "writes anything to *old", func(k *calling) operand {
		if !k.null(1) {
			k.noHandlers()
		}
		k.anythingThrough(2)
		return k.system()
	})
	all.add("syscall", "number, ...", "makes a system call: SYS_futex, SYS_gettid, SYS_getpid or SYS_sched_yield", (*calling).systemCall)
	all.add("warn warnx", "format, ...", "prints: nothing that can be asked about", (*calling).nothing)
	all.add("err errx", "status, format, ...", "prints, and ends the program with a status", func(k *calling) operand { return builtins()["exit"].do(k) })
}

func (k *calling) noHandlers() {
	failf(k.node, "signal handlers are not supported: call the handler in a thread of its own")
}

// unmodelled remarks that what the system does is not known.
func (k *calling) unmodelled() {
	k.unit.remark(k.node, fmt.Sprintf("%s may give any value here: what the system does is not modelled", k.name))
}

// system is any value, of a call that may have set errno.
func (k *calling) system() operand {
	k.unmodelled()
	if k.node.Type() == nil || k.types.width(k.node.Type()) == 0 {
		return k.nothing()
	}
	k.setErrno(k.anyError())
	return k.anything()
}

// anyError is the number of any error.
func (k *calling) anyError() ir.Expr {
	e := k.build.temp(32)
	k.build.emit(Choose{Dst: e})
	k.build.emit(Assume{Cond: ir.Slt.Of(ir.Number(0, 32), k.build.reg(e))})
	return k.build.reg(e)
}

// errnos that are given by name.
const (
	interrupted = 4   // EINTR
	tryAgain    = 11  // EAGAIN
	noSystem    = 38  // ENOSYS
	late        = 110 // ETIMEDOUT
)

func (k *calling) setErrno(e ir.Expr) {
	k.memory.write(k.node, object{t: k.types.ast.Int, reg: -1, addr: k.own("errno", 4, true)}, operand{e, k.types.ast.Int})
}

// storeAnything sets a scalar to anything.
func (k *calling) storeAnything(o object) {
	r := k.build.temp(k.types.bits(k.node, o.t))
	k.build.emit(Choose{Dst: r})
	k.memory.write(k.node, o, operand{k.build.reg(r), o.t})
}

// anythingThrough sets what argument i points to, unless it is null, to anything.
func (k *calling) anythingThrough(i int) {
	if i >= len(k.args) || k.null(i) {
		return
	}
	to, o := k.build.keep(k.address(i)), k.pointee(i)
	none := k.build.jump(not(nonzero(to)))
	for _, s := range k.types.scalars(k.node, o.t) {
		k.storeAnything(object{t: s.t, reg: -1, addr: k.memory.behind(to, s.offset)})
	}
	k.build.land(none)
}

// received reads bytes into memory: as many as it is asked for at most, or it fails.
func (k *calling) received() operand {
	to := k.build.keep(k.address(1))
	k.elements(k.types.ast.UChar, 2, func(t cc.Type, offset ir.Expr) {
		k.storeAnything(object{t: t, reg: -1, addr: fold(ir.Add, to, offset)})
	})
	most := k.build.keep(k.as(2, k.types.ast.SizeT))
	v := k.system()
	k.build.emit(Assume{Cond: not(ir.Slt.Of(ir.Resize(most, v.x.Width()), v.x))})
	k.build.emit(Assume{Cond: not(ir.Slt.Of(v.x, ir.Number(failed, v.x.Width())))})
	return v
}

// Linux's numbers on every machine here, for headers/sys/syscall.h says them.
const (
	sysFutex = 202
	sysYield = 24
	sysPid   = 39
	sysTid   = 186
)

// systemCall is syscall.
func (k *calling) systemCall() operand {
	n, ok := k.as(0, k.types.ast.Long).(ir.Const)
	if !ok {
		failf(k.node, "syscall wants a constant number here, such as SYS_futex")
	}
	switch n.Value {
	case sysFutex:
		if len(k.args) < 4 {
			failf(k.node, "SYS_futex wants an address, an operation and a value")
		}
		return k.futex()
	case sysYield:
		return k.answer(ir.Number(0, 32), k.types.ast.Int)
	case sysPid, sysTid:
		return k.natural()
	}
	failf(k.node, "system call %d is not supported: want SYS_futex, SYS_gettid, SYS_getpid or SYS_sched_yield, or the function of the library", n.Value)
	return operand{}
}

// Operations of a futex, less the flags.
const (
	futexWait       = 0
	futexWake       = 1
	futexWaitBitset = 9
	futexWakeBitset = 10
	futexFlags      = 128 | 256
)

// futex waits while a word has a value, or wakes those who do. futex(2) lets a wait end for no reason, which takes in all wakes: so a
// waker does nothing but to give a number, and a wait reads the word and is over. A wake that is missing cannot be found so.
func (k *calling) futex() operand {
	if k.shared.signals { // which termination asks for
		failf(k.node, "termination is not supported of programs with futexes: a wait may end for no reason here, so that a missing wake would not be found")
	}
	t := k.node.Type()
	bits := k.types.bits(k.node, t)
	op := k.build.keep(ir.BitAnd.Of(k.as(2, k.types.ast.Int), ir.Number(^uint64(futexFlags), 32)))
	if n, ok := k.as(2, k.types.ast.Int).(ir.Const); ok {
		switch n.Value &^ futexFlags {
		case futexWait, futexWake, futexWaitBitset, futexWakeBitset:
		default:
			failf(k.node, "futex operation %d is not supported: want FUTEX_WAIT, FUTEX_WAKE, or those with a bit set", n.Value&^futexFlags)
		}
	}
	is := func(a, b uint64) ir.Expr {
		return ir.BitOr.Of(ir.Eq.Of(op, ir.Number(a, 32)), ir.Eq.Of(op, ir.Number(b, 32)))
	}
	result := k.build.temp(bits)
	fails := func(errno ir.Expr) {
		k.setErrno(errno)
		k.build.emit(Assign{result, ir.Number(failed, bits)})
	}
	word, want := k.word(k.build.keep(k.address(1))), k.build.keep(k.as(3, k.types.ast.Int))
	noWait := k.build.jump(not(is(futexWait, futexWaitBitset)))
	differs := k.build.jump(not(ir.Eq.Of(k.loadFrom(word, atomically(c.Relaxed)).x, want)))
	which := k.build.temp(1)
	k.build.emit(Choose{Dst: which})
	broken := k.build.jump(k.build.reg(which))
	k.build.emit(Assign{result, ir.Number(0, bits)})
	ends := []int{k.build.jump(nil)}
	k.build.land(broken)
	var why ir.Expr = ir.Number(interrupted, 32)
	if len(k.args) > 4 && !k.null(4) {
		timeout := k.build.temp(1)
		k.build.emit(Choose{Dst: timeout})
		why = ir.Cond{If: ir.BitAnd.Of(k.build.reg(timeout), nonzero(k.address(4))), Then: ir.Number(late, 32), Else: why}
	}
	fails(why)
	ends = append(ends, k.build.jump(nil))
	k.build.land(differs)
	fails(ir.Number(tryAgain, 32))
	ends = append(ends, k.build.jump(nil))
	k.build.land(noWait)
	noWake := k.build.jump(not(is(futexWake, futexWakeBitset)))
	woken := k.build.temp(bits)
	k.build.emit(Choose{Dst: woken})
	k.build.emit(Assume{Cond: not(ir.Slt.Of(k.build.reg(woken), ir.Number(0, bits)))})
	k.build.emit(Assume{Cond: not(ir.Slt.Of(ir.Widen(want, bits, true), k.build.reg(woken)))})
	k.build.emit(Assign{result, k.build.reg(woken)})
	ends = append(ends, k.build.jump(nil))
	k.build.land(noWake)
	fails(ir.Number(noSystem, 32))
	k.build.land(ends...)
	k.unit.remark(k.node, "a wait on a futex may end for no reason here, as futex(2) lets it: a missing wake is not found")
	return operand{k.build.reg(result), t}
}
