package wasm

import (
	"fmt"
	"math/bits"
	"strings"

	"litmuscope/litmus/ir"
)

// step assembles one operation.
func (f *function) step(at int, op ir.Op) error {
	switch op := op.(type) {
	case ir.Assign:
		f.kept(op.Value)
		f.set(op.Dst)
	case ir.Pick:
		f.kept(op.Value)
		f.set(op.Dst)
	case ir.Choose:
		f.choose(op)
	case ir.Load:
		return f.load(op)
	case ir.Store:
		return f.store(op)
	case ir.RMW:
		return f.update(op)
	case ir.StoreCond:
		return f.storeConditional(op)
	case ir.Fence:
		return f.fence(op)
	case ir.Branch:
		f.branch(at, op)
	case ir.Assume:
		f.kept(op.Cond)
		f.op("i64.eqz", "if")
		f.discard(1)
		f.op("end")
	case ir.Unwound, ir.Lost:
		f.discard(0)
	case ir.Scope:
	default:
		return f.refuse("this cannot run in a browser: %s", name(op))
	}
	return nil
}

// name says what kind of operation is refused.
func name(op ir.Op) string {
	switch op.(type) {
	case ir.Spawn, ir.Join:
		return "a thread that starts threads"
	case ir.Atomic:
		return "an atomic section"
	case ir.Assert:
		return "an assertion"
	case ir.Take:
		return "an access of 128 bits"
	}
	panic(fmt.Sprintf("BUG: unknown operation %T", op))
}

// set moves the number on the stack to a register.
func (f *function) set(register int) { f.index("local.set", localFirst+register) }

// discard marks the cell as not counted and ends the thread. depth is the number of blocks around it in the step.
func (f *function) discard(depth int) {
	f.number("i64.const", 1)
	f.index("local.set", localStatus)
	f.index("br", depth+len(f.targets))
}

// choose makes a free choice by chance. An update that may fail for no reason does not.
func (f *function) choose(op ir.Choose) {
	if op.Weak {
		f.number("i64.const", 1)
		f.set(op.Dst)
		return
	}
	f.index("local.get", paramSeed) // xorshift has made it for this cell
	f.number("i32.const", 7)
	f.op("i32.mul")
	f.number("i32.const", 1)
	f.op("i32.add")
	f.index("local.tee", paramSeed)
	f.number("i32.const", 31)
	f.op("i32.shr_u", "i64.extend_i32_u")
	f.set(op.Dst)
}

// branch jumps if the condition holds. A jump to the next step, which only its dependency tells from none, stores a
// number that nobody reads, so that no compiler removes it.
func (f *function) branch(at int, op ir.Branch) {
	depth := 0
	for depth < len(f.targets) && f.targets[depth] != op.Target {
		depth++
	}
	switch {
	case op.Cond == nil:
		f.index("br", depth)
	case op.Target == at+1:
		f.kept(op.Cond)
		f.op("i32.wrap_i64", "if")
		offset, at := 0, paramResults // the first row, which the end of the cell overwrites
		if f.repeated != nil {
			offset, at = line*(1+f.place), paramBarrier // a line behind the barrier's
		}
		f.index("local.get", at)
		f.index("local.get", paramSeed)
		f.access("i32.store", 2, offset)
		f.op("end")
	default:
		f.kept(op.Cond)
		f.op("i32.wrap_i64")
		f.index("br_if", depth)
	}
}

// width has the instructions for accesses of some bits.
type width struct {
	align                                  int // log2 of the bytes
	load, store, atomicLoad, atomicStore   string
	fetchAdd, exchange, compareAndExchange string
}

var widths = map[int]width{
	8: {
		0, "i64.load8_u", "i64.store8", "i64.atomic.load8_u", "i64.atomic.store8",
		"i64.atomic.rmw8.add_u", "i64.atomic.rmw8.xchg_u", "i64.atomic.rmw8.cmpxchg_u",
	},
	16: {
		1, "i64.load16_u", "i64.store16", "i64.atomic.load16_u", "i64.atomic.store16",
		"i64.atomic.rmw16.add_u", "i64.atomic.rmw16.xchg_u", "i64.atomic.rmw16.cmpxchg_u",
	},
	32: {
		2, "i64.load32_u", "i64.store32", "i64.atomic.load32_u", "i64.atomic.store32",
		"i64.atomic.rmw32.add_u", "i64.atomic.rmw32.xchg_u", "i64.atomic.rmw32.cmpxchg_u",
	},
	64: {
		3, "i64.load", "i64.store", "i64.atomic.load", "i64.atomic.store",
		"i64.atomic.rmw.add", "i64.atomic.rmw.xchg", "i64.atomic.rmw.cmpxchg",
	},
}

// width returns the instructions for an access, or refuses its width or its tags.
func (f *function) width(n int, tags ir.Tags) (width, error) {
	w, ok := widths[n]
	if !ok {
		return w, f.refuse("an access of %d bits cannot run in a browser", n)
	}
	return w, f.refuseReadCopyUpdate(tags)
}

// refuseReadCopyUpdate refuses the kernel's critical sections and grace periods, which are not instructions.
func (f *function) refuseReadCopyUpdate(tags ir.Tags) error {
	for _, t := range tags {
		lower := strings.ToLower(string(t))
		if strings.HasPrefix(lower, "rcu-") || strings.HasPrefix(lower, "srcu-") || strings.HasPrefix(lower, "sync-") {
			return f.refuse("RCU cannot run in a browser: a grace period is no instruction")
		}
	}
	return nil
}

// address puts the address of an access on the stack, in two parts: an i32, and the constant offset from it, which the
// instruction has. An atomic access is aligned.
func (f *function) address(e ir.Expr, atomic bool, align int) (offset int) {
	if a := f.perpetualAccess(); a != nil {
		return f.iterationAddress(a, e)
	}
	if a, ok := e.(ir.Addr); ok {
		f.index("local.get", localCell)
		return f.cells.offset(f.program.Locs[a.Loc].Address)
	}
	at := f.temp()
	f.kept(e)
	f.number("i64.const", int64(f.cells.low))
	f.op("i64.sub")
	f.index("local.set", at)
	f.note("where it is in the cell, without a branch: status is not 0 if it is in no variable")
	count, object := bits.Len(uint(f.cells.count))-1, bits.Len(uint(f.cells.object))-1
	f.index("local.get", localStatus)
	f.index("local.get", at)
	f.number("i64.const", int64(f.cells.shift+count))
	f.op("i64.shr_u", "i64.or")
	f.index("local.get", at)
	f.number("i64.const", int64((1<<f.cells.shift-1)&^(f.cells.object-1)))
	f.op("i64.and", "i64.or")
	if atomic && align > 0 {
		f.index("local.get", at)
		f.number("i64.const", int64(1<<align-1))
		f.op("i64.and", "i64.or")
	}
	f.index("local.set", localStatus)
	f.index("local.get", at)
	f.number("i64.const", int64(f.cells.shift))
	f.op("i64.shr_u")
	f.number("i64.const", int64(f.cells.count-1))
	f.op("i64.and")
	f.number("i64.const", int64(object))
	f.op("i64.shl")
	f.index("local.get", at)
	low := int64(f.cells.object - 1) // an unaligned access may reach into the next variable or cell
	if atomic {
		low &^= 1<<align - 1
	}
	f.number("i64.const", low)
	f.op("i64.and", "i64.or", "i32.wrap_i64")
	f.index("local.get", localCell)
	f.op("i32.add")
	return 0
}

// ordered reports whether an access needs an atomic instruction, and notes if it becomes stronger by that.
func (f *function) ordered(tags ir.Tags, what string) bool {
	atomic := false
	for _, t := range tags {
		atomic = atomic || t == ir.TagAcquire || t == ir.TagRelease || t == ir.TagFull
	}
	if atomic && !tags.Has(ir.TagFull) && !tags.Has("SC") {
		f.change("becomes a sequentially consistent " + what)
	}
	return atomic
}

// load assembles a load.
func (f *function) load(op ir.Load) error {
	w, err := f.width(op.Bits, op.Tags)
	if err != nil {
		return err
	}
	atomic := f.ordered(op.Tags, "load")
	offset := f.address(op.Addr, atomic, w.align)
	if op.Reserve {
		f.change("becomes a load, whose value a compare-and-exchange expects later")
		f.index("local.tee", localAddress)
		f.index("local.get", localAddress)
		f.number("i32.const", int64(offset))
		f.op("i32.add")
		f.index("local.set", localReserved)
	}
	if atomic {
		f.access(w.atomicLoad, w.align, offset)
	} else {
		f.access(w.load, w.align, offset)
	}
	if op.Reserve {
		f.index("local.tee", localLinked)
	}
	if a := f.perpetualAccess(); a != nil {
		f.index("local.tee", f.loads[a.number])
	}
	f.set(op.Dst)
	return nil
}

// store assembles a store.
func (f *function) store(op ir.Store) error {
	w, err := f.width(op.Value.Width(), op.Tags)
	if err != nil {
		return err
	}
	atomic := f.ordered(op.Tags, "store")
	offset := f.address(op.Addr, atomic, w.align)
	if a := f.perpetualAccess(); a != nil {
		f.iterationValue(a, op.Value)
	} else {
		f.kept(op.Value)
	}
	if atomic {
		f.access(w.atomicStore, w.align, offset)
	} else {
		f.access(w.store, w.align, offset)
	}
	return nil
}

// update assembles an atomic read-modify-write: a fetch-and-add, an exchange, or a loop around a compare-and-exchange.
func (f *function) update(op ir.RMW) error {
	w, err := f.width(op.Bits, append(op.Tags[:len(op.Tags):len(op.Tags)], op.WriteTags...))
	if err != nil {
		return err
	}
	if !op.Tags.Has(ir.TagFull) && !op.Tags.Has("SC") {
		f.change("becomes a sequentially consistent update")
	}
	offset := f.address(op.Addr, true, w.align)
	f.index("local.set", localAddress)
	add, isAdd := op.New.(ir.Binary)
	_, addsOld := add.X.(ir.Old)
	switch {
	case op.If == nil && !readsOld(op.New):
		f.index("local.get", localAddress)
		f.kept(op.New)
		f.access(w.exchange, w.align, offset)
		f.index("local.set", localOld)
	case op.If == nil && isAdd && add.Op == ir.Add && addsOld && !readsOld(add.Y):
		f.index("local.get", localAddress)
		f.kept(add.Y)
		f.access(w.fetchAdd, w.align, offset)
		f.index("local.set", localOld)
	default:
		f.op("block", "loop")
		f.index("local.get", localAddress)
		f.access(w.atomicLoad, w.align, offset)
		f.index("local.set", localOld)
		if op.If != nil {
			f.kept(op.If)
			f.op("i64.eqz")
			f.index("br_if", 1)
		}
		f.index("local.get", localAddress)
		f.index("local.get", localOld)
		f.kept(op.New)
		f.access(w.compareAndExchange, w.align, offset)
		f.index("local.get", localOld)
		f.op("i64.ne")
		f.index("br_if", 0)
		f.op("end", "end")
	}
	f.index("local.get", localOld)
	f.set(op.Dst)
	return nil
}

// readsOld reports whether an expression contains what the update has read.
func readsOld(e ir.Expr) (found bool) {
	ir.WalkExpr(e, func(e ir.Expr) bool {
		_, old := e.(ir.Old)
		found = found || old
		return true
	})
	return found
}

// storeConditional assembles a store-conditional: it succeeds if it is at the address of the last exclusive load, and
// the location still has the value that was read.
func (f *function) storeConditional(op ir.StoreCond) error {
	w, err := f.width(op.Value.Width(), op.Tags)
	if err != nil {
		return err
	}
	f.change("becomes a compare-and-exchange, sequentially consistent")
	offset := f.address(op.Addr, true, w.align)
	f.number("i32.const", int64(offset))
	f.op("i32.add")
	f.index("local.set", localAddress)
	f.number("i64.const", int64(op.Fail))
	f.index("local.set", localOld)
	f.index("local.get", localAddress)
	f.index("local.get", localReserved)
	f.op("i32.eq", "if")
	f.index("local.get", localAddress)
	f.index("local.get", localLinked)
	f.kept(op.Value)
	f.access(w.compareAndExchange, w.align, 0)
	f.index("local.get", localLinked)
	f.op("i64.eq", "if")
	f.number("i64.const", int64(op.Ok))
	f.index("local.set", localOld)
	f.op("end", "end")
	f.number("i32.const", 0)
	f.index("local.set", localReserved)
	f.index("local.get", localOld)
	f.set(op.Status)
	return nil
}

// fence assembles a fence. WebAssembly has a full one only.
func (f *function) fence(op ir.Fence) error {
	if err := f.refuseReadCopyUpdate(op.Tags); err != nil {
		return err
	}
	if op.Addr != nil {
		return f.refuse("a fence of one location cannot run in a browser")
	}
	full, orders := true, false
	for _, t := range ir.FullFence {
		full = full && op.Tags.Has(t)
	}
	for _, t := range op.Tags {
		orders = orders || t.Orders()
	}
	switch {
	case !orders:
		f.change("becomes nothing: it orders no accesses of ordinary memory")
		return nil
	case !full:
		f.change("becomes a full fence")
	}
	f.op("atomic.fence")
	return nil
}
