package cprog

import (
	"slices"

	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// machine is what a compiler makes of C's atomics on an architecture, by order: fences before
// and behind an access, and the tags of the access itself. The tables are those of the C/C++11
// mappings to processors (Sewell et al.), and of each architecture's manual.
type machine struct {
	fences map[c.Order]ir.Tags // of atomic_thread_fence; nothing for relaxed
	// Of a load, a store, a read-modify-write: the fence before it and the one behind.
	load, store, rmw func(c.Order) (before, behind ir.Tags)
	// read, write and so on are the accesses' own tags.
	read, write, rmwRead, rmwWrite func(c.Order) ir.Tags
	// casRead and casWrite are those of compare-and-exchange, where they are others.
	casRead, casWrite func(c.Order) ir.Tags
	// branch: what is behind an acquire waits for a branch on what it has read.
	branch bool
}

func tagged(name ir.Tag, generic ...ir.Tag) ir.Tags { return append(ir.Tags{name}, generic...) }

var (
	sync   = tagged("SYNC", ir.FullFence...)
	lwsync = tagged("LWSYNC", ir.TagRR, ir.TagRW, ir.TagWW)
	isync  = tagged("ISYNC", ir.TagBranch)
	dmb    = tagged("DMB.ISH", ir.FullFence...)
	dmbLD  = tagged("DMB.ISHLD", ir.TagRR, ir.TagRW)

	fenceAll     = tagged("Fence.rw.rw", ir.FullFence...)
	fenceAcquire = tagged("Fence.r.rw", ir.TagRR, ir.TagRW)
	fenceRelease = tagged("Fence.rw.w", ir.TagRW, ir.TagWW)
	fenceTSO     = tagged("Fence.tso", ir.TagRR, ir.TagRW, ir.TagWW)
)

func fences(acquire, release, acqRel, seqCst ir.Tags) map[c.Order]ir.Tags {
	return map[c.Order]ir.Tags{c.Consume: acquire, c.Acquire: acquire, c.Release: release, c.AcqRel: acqRel, c.SeqCst: seqCst}
}

// always gives tags whatever the order.
func always(tags ...ir.Tag) func(c.Order) ir.Tags {
	return func(c.Order) ir.Tags { return slices.Clone(tags) }
}

// around puts fences around an access: one before for a release, or for sequential consistency, and one
// behind for an acquire.
func around(release, seqCst, acquire ir.Tags) func(c.Order) (before, behind ir.Tags) {
	return func(o c.Order) (before, behind ir.Tags) {
		if o.Releases() {
			before = release
		}
		if o == c.SeqCst {
			before = seqCst
		}
		if o.Acquires() {
			behind = acquire
		}
		return before, behind
	}
}

// armTags are those of AArch64, which has accesses with acquire and release of their own.
func armTags(acquire, release bool, more ...ir.Tag) func(c.Order) ir.Tags {
	return func(o c.Order) ir.Tags {
		tags := slices.Clone(more)
		if acquire && o.Acquires() {
			tags = append(tags, "A", ir.TagAcquire, ir.TagRCsc)
		}
		if release && o.Releases() {
			tags = append(tags, "L", ir.TagRelease, ir.TagRCsc)
		}
		return tags
	}
}

// riscvTags are those of a half of an atomic operation.
func riscvTags(read bool) func(c.Order) ir.Tags {
	return func(o c.Order) ir.Tags {
		tags := ir.Tags{"AMO", ir.TagLocked}
		acquire, release := o.Acquires(), o.Releases()
		switch {
		case acquire && release:
			tags = append(tags, "AcqRel", ir.TagAcquire, ir.TagRelease, ir.TagRCsc)
		case acquire && read:
			tags = append(tags, "Acq", ir.TagAcquire, ir.TagRCsc)
		case acquire:
			tags = append(tags, ir.TagAcquire, ir.TagRCsc)
		case release && !read:
			tags = append(tags, "Rel", ir.TagRelease, ir.TagRCsc)
		}
		return tags
	}
}

// riscvPair are the tags of a half of a load-reserved and a store-conditional, which
// compare-and-exchange is made of where there is no single instruction for it.
func riscvPair(read bool) func(c.Order) ir.Tags {
	return func(o c.Order) ir.Tags {
		switch {
		case read && o == c.SeqCst:
			return ir.Tags{"LR", ir.TagLocked, "AcqRel", ir.TagAcquire, ir.TagRelease, ir.TagRCsc}
		case read && o.Acquires():
			return ir.Tags{"LR", ir.TagLocked, "Acq", ir.TagAcquire, ir.TagRCsc}
		case read:
			return ir.Tags{"LR", ir.TagLocked}
		case o.Releases():
			return ir.Tags{"StCond", ir.TagLocked, "Rel", ir.TagRelease, ir.TagRCsc}
		}
		return ir.Tags{"StCond", ir.TagLocked}
	}
}

func nothing(c.Order) (before, behind ir.Tags) { return nil, nil }

var machines = map[Target]machine{
	Power: {
		fences: fences(lwsync, lwsync, lwsync, sync), branch: true,
		load: around(nil, sync, isync), store: around(lwsync, sync, nil), rmw: around(lwsync, sync, isync),
		read: always(), write: always(), rmwRead: always("X", ir.TagLocked), rmwWrite: always("X", ir.TagLocked),
	},
	ARM: {
		fences: fences(dmb, dmb, dmb, dmb),
		load:   around(nil, nil, dmb),
		store: func(o c.Order) (before, behind ir.Tags) {
			if o.Releases() {
				before = dmb
			}
			if o == c.SeqCst {
				behind = dmb
			}
			return before, behind
		},
		rmw: around(dmb, dmb, dmb), read: always(), write: always(), rmwRead: always("X", ir.TagLocked), rmwWrite: always("X", ir.TagLocked),
	},
	AArch64: {
		fences: fences(dmbLD, dmb, dmb, dmb), load: nothing, store: nothing, rmw: nothing,
		read: armTags(true, false), write: armTags(false, true),
		rmwRead: armTags(true, false, "AMO", ir.TagLocked), rmwWrite: armTags(false, true, "AMO", ir.TagLocked),
	},
	RISCV: {
		fences: fences(fenceAcquire, fenceRelease, fenceTSO, fenceAll),
		load:   around(nil, fenceAll, fenceAcquire),
		store:  around(fenceRelease, fenceRelease, nil),
		rmw:    nothing, read: always(), write: always(), rmwRead: riscvTags(true), rmwWrite: riscvTags(false),
		casRead: riscvPair(true), casWrite: riscvPair(false),
	},
}

// orderOf is the order of an access: a kernel primitive's is told by its tags.
func (a access) orderOf() c.Order {
	switch {
	case a.atomic || a.tags == nil:
		return a.order
	case a.tags.Has(ir.TagFull) || a.tags.Has("MB"):
		return c.SeqCst
	case a.tags.Has(ir.TagAcquire):
		return c.Acquire
	case a.tags.Has(ir.TagRelease):
		return c.Release
	}
	return c.Relaxed
}

// languageTags are those of an access under a model of the language.
func (t *thread) languageTags(a access, write, update bool) ir.Tags {
	switch {
	case !a.atomic && a.tags != nil:
		return a.tags
	case !a.atomic && a.volatile:
		return ir.Tags{"NA", "VOLATILE"}
	case !a.atomic:
		return ir.Tags{"NA"}
	case t.Target == Kernel && a.tags != nil:
		return kernelLock(a.tags, write)
	case t.Target == Kernel:
		return kernelTags(a.order, write, update)
	}
	more := slices.Clone(a.tags)
	if update {
		more = append(c.Update(), more...)
	}
	if write {
		return a.order.Write(more...)
	}
	return a.order.Read(more...)
}

// kernelLock are the tags of a mutex's accesses as a spinlock's, which GenMC's header makes of it.
func kernelLock(tags ir.Tags, write bool) ir.Tags {
	switch {
	case tags.Has(c.MutexUnlock[0]):
		return c.SpinUnlock
	case tags.Has(c.MutexNotFree[0]):
		return c.SpinBusy
	case write:
		return c.SpinWrite
	}
	return c.SpinRead
}

// kernelTags are those of the kernel's access that comes nearest to C11's.
func kernelTags(o c.Order, write, update bool) ir.Tags {
	switch {
	case update && o == c.SeqCst:
		return ir.Tags{"MB", ir.TagFull}
	case write && o.Releases():
		return ir.Tags{ir.TagRelease}
	case !write && o.Acquires():
		return ir.Tags{ir.TagAcquire}
	}
	return ir.Tags{"ONCE"}
}

func (t *thread) plainTags() ir.Tags {
	if _, ok := machines[t.Target]; ok {
		return nil
	}
	return ir.Tags{"NA"}
}

// barrierOf emits a fence, if there is one.
func (t *thread) barrierOf(tags ir.Tags) {
	if tags != nil {
		t.emit(ir.Fence{Tags: tags})
	}
}

// after emits the fence behind a read of register dst.
func (t *thread) after(m machine, dst int, behind ir.Tags) {
	if behind == nil {
		return
	}
	if m.branch { // an acquire is a branch on what was read, and isync
		at := t.emit(ir.Branch{Cond: ir.Eq.Of(t.reg(dst), t.reg(dst)), Target: -1})
		t.patch(at, at+1)
	}
	t.barrierOf(behind)
}

// emitLoad reads dst at one of some locations.
func (t *thread) emitLoad(dst int, addr ir.Expr, at ir.Locs, how access) {
	op := ir.Load{Dst: dst, Addr: addr, Bits: t.th.Regs[dst].Bits, At: at}
	m, ok := machines[t.Target]
	if !ok {
		op.Tags = t.languageTags(how, false, false)
		t.emit(op)
		return
	}
	if !how.atomic && how.tags == nil {
		t.emit(op)
		return
	}
	o := how.orderOf()
	before, behind := m.load(o)
	op.Tags = m.read(o)
	t.barrierOf(before)
	t.emit(op)
	t.after(m, dst, behind)
}

// emitStore writes to one of some locations.
func (t *thread) emitStore(addr, v ir.Expr, at ir.Locs, how access) {
	op := ir.Store{Addr: addr, Value: v, At: at}
	m, ok := machines[t.Target]
	if !ok {
		op.Tags = t.languageTags(how, true, false)
		t.emit(op)
		return
	}
	if !how.atomic && how.tags == nil {
		t.emit(op)
		return
	}
	o := how.orderOf()
	before, behind := m.store(o)
	op.Tags = m.write(o)
	t.barrierOf(before)
	t.emit(op)
	t.barrierOf(behind)
}

// exchange is a read-modify-write: dst is what was read, of which old is known; it writes
// next where is.
func (t *thread) exchange(st *state, dst int, addr ir.Expr, next, is operandValue, old *value, o update, at ir.Locs) {
	bits := t.th.Regs[dst].Bits
	op := ir.RMW{Dst: dst, Addr: addr, Bits: bits, New: next.x, At: at}
	always := false
	if n, ok := is.v.known(); ok && n == 1 {
		always = true
	} else {
		op.If = is.x
	}
	if m, ok := machines[t.Target]; ok {
		order := max(o.read.orderOf(), o.write.orderOf())
		if o.read.orderOf() == c.Acquire && o.write.orderOf() == c.Release {
			order = c.AcqRel
		}
		before, behind := m.rmw(order)
		op.Tags, op.WriteTags, op.Carry = m.rmwRead(order), m.rmwWrite(order), true
		if !always && m.casRead != nil {
			op.Tags, op.WriteTags = m.casRead(order), m.casWrite(order)
		}
		t.barrierOf(before)
		t.emit(op)
		t.after(m, dst, behind)
		return
	}
	op.Tags, op.WriteTags = t.languageTags(o.read, false, true), t.languageTags(o.write, true, true)
	op.Carry = t.Target == Kernel
	failed := t.languageTags(o.failed, false, true)
	if always || t.Target == X86 || slices.Equal(op.Tags, failed) {
		t.emit(op)
		return
	}
	// Where it fails, it is a read of an order of its own: a choice that is assumed to be
	// right.
	done := t.register(1)
	t.emit(ir.Choose{Dst: done})
	from := t.emit(ir.Branch{Cond: ir.Not(t.reg(done)), Target: -1})
	t.emit(op)
	read := operandValue{t.reg(dst), old}
	t.emit(ir.Assume{Cond: t.withOld(is, read).x})
	past := t.emit(ir.Branch{Target: -1})
	t.patch(from, len(t.th.Code))
	t.emit(ir.Load{Dst: dst, Addr: addr, Bits: bits, Tags: failed, At: at})
	t.emit(ir.Assume{Cond: ir.Not(t.withOld(is, read).x)})
	t.patch(past, len(t.th.Code))
}

// barrier is atomic_thread_fence.
func (t *thread) barrier(o c.Order) {
	if m, ok := machines[t.Target]; ok {
		t.barrierOf(m.fences[o])
		return
	}
	if t.Target == Kernel {
		t.emit(ir.Fence{Tags: kernelFence(o)})
		return
	}
	t.emit(ir.Fence{Tags: o.Fence()})
}

func kernelFence(o c.Order) ir.Tags {
	return append(ir.Tags{"MB"}, o.Fence()[1:]...)
}

// fenceTags are those of a barrier of the kernel's, or of a machine's own, on the target.
func (t *thread) fenceTags(tags ir.Tags) ir.Tags {
	m, ok := machines[t.Target]
	if !ok || len(tags) > 0 && t.ownFence(tags[0]) {
		return tags
	}
	switch {
	case tags.Has(ir.TagWR):
		return m.fences[c.SeqCst]
	case tags.Has(ir.TagRW) && tags.Has(ir.TagRR) && !tags.Has(ir.TagWW):
		return m.fences[c.Acquire]
	case tags.Has(ir.TagRR) || tags.Has(ir.TagWW) || tags.Has(ir.TagRW):
		return m.fences[c.AcqRel]
	}
	return tags
}

// ownFence tells whether a barrier is one of the target's instructions.
func (t *thread) ownFence(first ir.Tag) bool {
	for _, f := range machines[t.Target].fences {
		if len(f) > 0 && f[0] == first {
			return true
		}
	}
	return first == "ISYNC" || first == "ISB" || first == "EIEIO"
}
