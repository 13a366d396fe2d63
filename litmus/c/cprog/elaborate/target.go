package elaborate

import (
	"slices"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/compile"
	"litmuscope/litmus/ir"
)

// instructions emits the accesses and fences that atomics are compiled to.
//
// The same C program is checked against models of three kinds. For a language model (Language), an access keeps its
// order of C as a tag. For every model at once (Generic), it gets generic tags, and a compare-exchange is one
// instruction whether it succeeds or fails. For an architecture, Options.Mapping says which instructions a compiler
// would emit: barriers before and after the access, and an exclusive pair or a single instruction for a
// read-modify-write. The kernel's model has its own tags for its primitives, and C11's orders become the closest of
// them.
type instructions struct {
	elab *elaboration
	out  *output
}

func (ins *instructions) tagsOf(a code.Access, write, update bool) ir.Tags {
	return Tags(ins.elab.options, a, write, update)
}

// Tags returns the tags of an access: C's own or, for a kernel primitive, the kernel's, which guarantee the kernel's
// ordering under every model.
func Tags(o Options, a code.Access, write, update bool) ir.Tags {
	switch {
	case !a.Atomic && a.Tags != nil:
		return a.Tags
	case !a.Atomic && a.Volatile:
		return ir.Tags{"NA", "VOLATILE"}
	case !a.Atomic:
		return ir.Tags{"NA"}
	case o.Target == Kernel && a.Tags != nil:
		return kernelLock(a.Tags, write)
	case o.Target == Kernel:
		return kernelTags(a.Order, write, update)
	}
	if o.Mapping != nil {
		return ir.Tags{a.Order.Source()}
	}
	more := slices.Clone(a.Tags)
	if update {
		more = append(c.Update(), more...)
	}
	if write {
		return a.Order.Write(more...)
	}
	return a.Order.Read(more...)
}

// kernelLock returns the tags of a mutex's accesses as those of a spinlock, which GenMC's header implements mutexes by.
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

// kernelTags returns the tags of the kernel access that corresponds to a C11 access most closely.
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

// The C order of an instruction does not affect the hardware's ordering. Its tag is used for C11's happens-before,
// which detects data races under every model (c11-races.cat).

// sourced returns an instruction's tags together with the tag of its order in C.
func sourced(tags ir.Tags, o c.Order) ir.Tags { return append(ir.Tags{o.Source()}, tags...) }

// Failing returns the tags of a read that stands both for a successful and a failed update. C11's happens-before uses
// the order of failure, because it sees the order of success at the write.
func Failing(tags ir.Tags, success, failure c.Order) ir.Tags {
	if !failure.Acquires() || !success.Acquires() {
		failure = c.Relaxed
	}
	out := ir.Tags{failure.Source()}
	for _, t := range tags {
		if t != success.Source() {
			out = append(out, t)
		}
	}
	return out
}

// around emits the steps before or after an access that reads register dst: barriers, and branches on the value read
// that later steps wait for.
func (ins *instructions) around(all []compile.Adjacent, dst int) {
	for _, a := range all {
		if !a.Branch {
			ins.out.emit(ir.Fence{Tags: a.Fence})
			continue
		}
		at := ins.out.emit(ir.Branch{Cond: ir.Eq.Of(ins.out.reg(dst), ins.out.reg(dst)), Target: -1})
		ins.out.patch(at, at+1)
	}
}

// emitLoad reads dst from one of some locations.
func (ins *instructions) emitLoad(dst int, addr ir.Expr, at ir.Locs, how code.Access) {
	op := ir.Load{Dst: dst, Addr: addr, Bits: ins.out.th.Regs[dst].Bits, At: at}
	if m := ins.elab.options.Mapping; m != nil && how.Atomic {
		e := m.Load(how.Order)
		op.Tags = sourced(e.Read, how.Order)
		ins.emitMapped(op, e, dst)
		return
	}
	op.Tags = ins.tagsOf(how, false, false)
	ins.out.emit(op)
}

// emitStore writes to one of some locations.
func (ins *instructions) emitStore(addr, v ir.Expr, at ir.Locs, how code.Access) {
	op := ir.Store{Addr: addr, Value: v, At: at}
	if m := ins.elab.options.Mapping; m != nil && how.Atomic {
		e := m.Store(how.Order)
		op.Tags = sourced(e.Write, how.Order)
		ins.emitMapped(op, e, -1)
		return
	}
	op.Tags = ins.tagsOf(how, true, false)
	ins.out.emit(op)
}

// emitMapped emits an access with the steps that the mapping puts around it. dst is the register that it reads, or -1.
func (ins *instructions) emitMapped(op ir.Op, e compile.Effect, dst int) {
	ins.around(e.Before, -1)
	ins.out.emit(op)
	ins.around(e.After, dst)
}

// exchange emits a read-modify-write. dst receives the value read, whose possible values are old. It writes next if is
// holds.
func (ins *instructions) exchange(dst int, addr ir.Expr, next, is operandValue, old *value, o code.Update, at ir.Locs) {
	bits := ins.out.th.Regs[dst].Bits
	op := ir.RMW{Dst: dst, Addr: addr, Bits: bits, New: next.x, At: at}
	always := false
	if n, ok := is.v.constant(); ok && n == 1 {
		always = true
	} else {
		op.If = is.x
	}
	if ins.elab.options.Mapping != nil && o.Read.Atomic {
		ins.compiled(op, o)
		return
	}
	op.Tags, op.WriteTags = ins.tagsOf(o.Read, false, true), ins.tagsOf(o.Write, true, true)
	op.Carry = ins.elab.options.Target == Kernel || !o.Read.Atomic
	failed := ins.tagsOf(o.Failed, false, true)
	if !always && ins.elab.options.Target == Generic && o.Read.Atomic {
		op.Tags = Failing(op.Tags, o.Read.Order, o.Failed.Order)
	}
	if always || ins.elab.options.Target == Generic || slices.Equal(op.Tags, failed) {
		ins.out.emit(op)
		return
	}
	// If it fails, it is a read with a different order: a choice, with the assumption that it is right.
	done := ins.out.register(1)
	ins.out.emit(ir.Choose{Dst: done})
	from := ins.out.emit(ir.Branch{Cond: ir.Not(ins.out.reg(done)), Target: -1})
	ins.out.emit(op)
	read := operandValue{ins.out.reg(dst), old}
	ins.out.emit(ir.Assume{Cond: withOld(is, read).x})
	past := ins.out.emit(ir.Branch{Target: -1})
	ins.out.patch(from, len(ins.out.th.Code))
	ins.out.emit(ir.Load{Dst: dst, Addr: addr, Bits: bits, Tags: failed, At: at})
	ins.out.emit(ir.Assume{Cond: ir.Not(withOld(is, read).x)})
	ins.out.patch(past, len(ins.out.th.Code))
}

// compiled emits a read-modify-write as the target's mapping implements it. op is the operation without its tags.
func (ins *instructions) compiled(op ir.RMW, o code.Update) {
	order := o.Read.Order.Join(o.Write.Order)
	var e compile.Effect
	switch {
	case op.If != nil:
		e = ins.elab.options.Mapping.CompareExchange(order, o.Failed.Order)
	case mentionsOld(op.New):
		e = ins.elab.options.Mapping.Fetch(order)
	default:
		e = ins.elab.options.Mapping.Exchange(order)
	}
	op.Tags, op.WriteTags, op.Carry = sourced(e.Read, order), sourced(e.Write, order), e.Carry
	if op.If != nil {
		op.Tags = Failing(op.Tags, order, o.Failed.Order)
	}
	ins.around(e.Before, -1)
	switch {
	case e.Pair != nil:
		exit := ins.pair(op, e.Pair)
		if exit >= 0 && o.Failed.Order.Acquires() {
			ins.out.patch(exit, len(ins.out.th.Code))
		}
		ins.around(e.After, op.Dst)
		if exit >= 0 && !o.Failed.Order.Acquires() {
			ins.out.patch(exit, len(ins.out.th.Code))
		}
		return
	case e.Picks:
		ins.picking(op)
	default:
		ins.out.emit(op)
	}
	ins.around(e.After, op.Dst)
}

// pair emits op as a load-reserved and a store-conditional that are retried until the latter succeeds. Failed attempts
// are not executed: other executions, in which it succeeds, cover them. exit is the branch that skips the write, or -1.
func (ins *instructions) pair(op ir.RMW, p *compile.Pair) (exit int) {
	ins.out.emit(ir.Load{Dst: op.Dst, Addr: op.Addr, Bits: op.Bits, Tags: op.Tags, At: op.At, Reserve: true})
	old := ins.out.reg(op.Dst)
	exit = -1
	if op.If != nil {
		exit = ins.out.emit(ir.Branch{Cond: ir.Not(replaceOld(op.If, old)), Target: -1})
	}
	commit := p.Commit
	commit.Status, commit.Addr, commit.Value = ins.out.register(8), op.Addr, replaceOld(op.New, old)
	commit.Tags, commit.At = op.WriteTags, op.At
	if p.Bound {
		commit.Value = ir.Add.Of(ir.BitXor.Of(old, old), commit.Value)
	}
	ins.out.emit(commit)
	done := ir.Eq.Of(ins.out.reg(commit.Status), ir.Number(commit.Ok, 8))
	if p.Operands {
		given := ir.BitXor.Of(ir.Resize(op.Addr, op.Bits), commit.Value)
		done = ir.BitOr.Of(done, ir.BitAnd.Of(ir.Bit(given, 0), ir.Number(0, 1)))
	}
	past := ins.out.emit(ir.Branch{Cond: done, Target: -1})
	ins.out.emit(ir.Assume{Cond: ir.Number(0, 1)})
	ins.out.patch(past, len(ins.out.th.Code))
	return exit
}

// picking emits op as AArch64's compare-and-swap. The comparison decides by way of a choice what is written. If it
// succeeds, the result may be the expected value. (A failed one may also write back the value it has read, which no
// reader can distinguish.)
func (ins *instructions) picking(op ir.RMW) {
	is, _ := op.If.(ir.Binary)
	want := is.Y
	if _, old := is.Y.(ir.Old); old {
		want = is.X
	}
	if _, old := want.(ir.Old); is.Op != ir.Eq || old || mentionsOld(want) {
		ins.out.emit(op)
		return
	}
	pick := func(x ir.Expr) ir.Expr {
		r := ins.out.register(x.Width())
		ins.out.emit(ir.Pick{Dst: r, Value: x})
		return ins.out.reg(r)
	}
	kept, read := ins.out.register(op.Bits), ins.out.register(op.Bits)
	ins.out.emit(ir.Assign{Dst: kept, Value: want})
	want = ins.out.reg(kept)
	dst := op.Dst
	op.If, op.Dst = ir.Eq.Of(ir.Old{Bits: op.Bits}, pick(want)), read
	ins.out.emit(op)
	either := ins.out.register(1)
	ins.out.emit(ir.Choose{Dst: either})
	equal := pick(ir.BitAnd.Of(ins.out.reg(either), ir.Eq.Of(ins.out.reg(read), want)))
	ins.out.emit(ir.Assign{
		Dst:   dst,
		Value: ir.Select{If: equal, Then: ir.Cond{If: equal, Then: want, Else: want}, Else: ins.out.reg(read)},
	})
}

func mentionsOld(x ir.Expr) (found bool) {
	ir.Sources(x, func(x ir.Expr) {
		_, old := x.(ir.Old)
		found = found || old
	})
	return found
}

// barrier emits atomic_thread_fence.
func (ins *instructions) barrier(o c.Order) {
	switch {
	case ins.elab.options.Mapping != nil:
		if o != c.Relaxed {
			ins.out.emit(ir.Fence{Tags: ir.Tags{o.Source()}})
		}
		ins.around(ins.elab.options.Mapping.Fence(o), -1)
	case ins.elab.options.Target == Kernel:
		ins.out.emit(ir.Fence{Tags: append(ir.Tags{"MB"}, o.Fence()[1:]...)})
	default:
		ins.out.emit(ir.Fence{Tags: o.Fence()})
	}
}
