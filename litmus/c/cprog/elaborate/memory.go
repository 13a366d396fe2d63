package elaborate

import (
	"slices"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// memory performs the thread's accesses.
//
// An access takes three steps. targets finds the cells that it may reach from the possible values of its address.
// access asserts that the address is one of theirs; an execution in which it is not is undefined and ends there. If all
// these cells belong to this thread alone, the access becomes an assignment to their registers and is no event
// (cells.go). Otherwise it becomes one event, which lists the locations it may reach; the engine finds out which one by
// computing the address.
//
// Values of private memory are as precise as the path to the access. Those of shared memory are the same at all places
// and for all threads, because another thread may write at any time.
type memory struct {
	elab         *elaboration
	out          *output
	regs         *threadRegisters
	evaluator    *evaluator
	instructions *instructions
	cells        *cells
	rounds       *rounds
	lives        *lifetimes
}

// renew makes a local variable uninitialised again.
func (mem *memory) renew(st *state, v *code.Variable, fr *frame) {
	if v.Static || v.PerThread {
		return
	}
	o := mem.cells.variable(v, fr)
	for _, c := range o.cells {
		if c.offset < 0 { // a companion: a new value does not end the lifetime
			continue
		}
		if r, ok := mem.cells.registers[c]; ok && mem.cells.private(st, o) {
			mem.regs.put(st, r, ir.Number(0, c.bits), &value{set: []uint64{0}, pure: true, unset: true, plain: true})
			mem.regs.mark(st, r, constant(0, 1))
		}
	}
}

// load reads a register of the thread from memory.
func (mem *memory) load(st *state, dst int, addr operandValue, how code.Access) *state {
	bits := mem.out.th.Regs[dst].Bits
	if mem.cells.bytewise(addr.v, bits) && mem.cells.alone(st, addr.v, how.Orders()) {
		return mem.loadBytes(st, dst, addr, how)
	}
	all := mem.access(st, addr, bits)
	if len(all) == 0 {
		return nil
	}
	mem.loadCells(st, dst, addr.x, all, how)
	return st
}

// loadCells reads a register from one of several cells.
func (mem *memory) loadCells(st *state, dst int, addr ir.Expr, all []target, how code.Access) operandValue {
	if mem.cells.privately(st, all, how.Orders()) {
		mem.fetch(st, dst, addr, all, how.Copied)
		return mem.regs.read(st, dst)
	}
	var v *value
	for _, g := range all {
		v = mem.elab.join(v, mem.cells.possibleIn(g))
	}
	v = read(v)
	mem.instructions.emitLoad(dst, addr, mem.cells.at(all), how)
	st.forget(dst)
	st.set(dst, v)
	mem.regs.mark(st, dst, constant(1, 1))
	return operandValue{mem.out.reg(dst), v}
}

// store writes a value to memory.
func (mem *memory) store(st *state, addr, v operandValue, how code.Access) *state {
	if !how.Initial {
		mem.assertWritable(addr)
	}
	if mem.cells.bytewise(addr.v, v.x.Width()) && mem.cells.alone(st, addr.v, how.Orders()) {
		return mem.storeBytes(st, addr, v, how)
	}
	all := mem.access(st, addr, v.x.Width())
	if len(all) == 0 {
		return nil
	}
	mem.storeCells(st, addr.x, all, v, how)
	return st
}

// storeTo writes to one existing cell.
func (mem *memory) storeTo(st *state, addr ir.Expr, at *value, x ir.Expr, v *value, how code.Access) {
	all, _, _ := mem.targets(operandValue{addr, at}, x.Width())
	mem.storeCells(st, addr, all, operandValue{x, v}, how)
}

func (mem *memory) storeCells(st *state, addr ir.Expr, all []target, v operandValue, how code.Access) {
	if mem.cells.privately(st, all, how.Orders()) {
		mem.write(st, addr, all, v)
		return
	}
	st.setLasting()
	for _, g := range all {
		mem.cells.storeIn(g, definite(v.v))
	}
	mem.instructions.emitStore(addr, v.x, mem.cells.at(all), how)
}

// write writes to one of several cells that are registers.
func (mem *memory) write(st *state, addr ir.Expr, all []target, v operandValue) {
	set := mem.regs.setAs(st, v)
	for _, g := range all {
		r := mem.cells.cellRegister(g.cell)
		if len(all) == 1 {
			mem.regs.put(st, r, v.x, v.v)
			mem.regs.mark(st, r, set)
			continue
		}
		was := mem.regs.set(st, r)
		if g.cell.doubtful {
			mem.regs.fill(st, r)
		}
		old := mem.regs.read(st, r)
		to := mem.elab.join(old.v, v.v).impure()
		here := ir.Eq.Of(addr, ir.Number(g.addr, addr.Width()))
		mem.regs.put(st, r, ir.Cond{If: here, Then: v.x, Else: old.x}, to)
		mem.regs.mark(st, r, operandValue{ir.Cond{If: here, Then: set.x, Else: was.x}, mem.elab.join(was.v, set.v)})
	}
}

// update performs a read-modify-write. It has three forms, as loads and stores have: byte by byte, on registers, and as
// an event. In the first two, no other thread can come between the read and the write, so they are two separate steps.
//
// For an event, the condition and the new value are expressions over ir.Old, the value that the read returns. A write
// that adds a constant is recorded as an addition of this site (see sums), any other as a stored value.
func (mem *memory) update(fr *frame, st *state, pc int, o code.Update) *state {
	dst, wrote := fr.regs[o.Dst], -1
	if o.Wrote >= 0 {
		wrote = fr.regs[o.Wrote]
	}
	bits := mem.out.th.Regs[dst].Bits
	addr := mem.evaluator.eval(fr, st, o.Addr, nil)
	mem.assertWritable(addr)
	when := o.When
	if when == nil {
		when = ir.Number(1, 1)
	}
	// alone performs it on memory that only this thread accesses; old is the old value.
	alone := func(old operandValue, write func(v operandValue)) {
		firm := mem.rounds.chooseStrong(fr, st, o)
		is := withOld(mem.evaluator.eval(fr, st, when, old.v), old)
		mem.rounds.retry(st, is, firm)
		is = mem.rounds.withSpuriousFailure(is, firm)
		next := withOld(mem.evaluator.eval(fr, st, o.Next, old.v), old)
		write(mem.evaluator.choose(is, func() operandValue { return next }, func() operandValue { return old }))
		mem.regs.put(st, dst, old.x, old.v)
		if wrote >= 0 {
			mem.regs.put(st, wrote, is.x, is.v)
		}
	}
	if mem.cells.bytewise(addr.v, bits) && mem.cells.alone(st, addr.v, true) {
		r := mem.out.register(bits)
		addr = mem.regs.copied(st, addr)
		if st = mem.loadBytes(st, r, addr, o.Read); st != nil {
			alone(mem.regs.read(st, r), func(v operandValue) { st = mem.storeBytes(st, addr, v, o.Write) })
		}
		return st
	}
	all := mem.access(st, addr, bits)
	if len(all) == 0 {
		return nil
	}
	if mem.cells.privately(st, all, true) {
		r := mem.out.register(bits)
		mem.fetch(st, r, addr.x, all, false)
		alone(mem.regs.read(st, r), func(v operandValue) { mem.write(st, addr.x, all, v) })
		return st
	}
	firm := mem.rounds.chooseStrong(fr, st, o)
	site := mix(mix(mem.out.info.key, fr.context), uint64(pc)+1)
	var v *value
	for _, g := range all {
		held := mem.cells.possibleIn(g)
		if slices.ContainsFunc(g.cell.adds, func(a addition) bool { return a.site == site }) {
			held = mem.elab.sums(g.cell, site)
		}
		v = mem.elab.join(v, held)
	}
	v = read(v)
	is := mem.evaluator.eval(fr, st, when, v)
	next := mem.evaluator.eval(fr, st, o.Next, v)
	if is.v.may(1) {
		n, adds := addend(next.x)
		for _, g := range all {
			if adds && len(g.behind) == 0 {
				g.cell.added = append(g.cell.added, addition{site, n})
			} else {
				mem.cells.storeIn(g, next.v)
			}
		}
	}
	does := mem.rounds.withSpuriousFailure(is, firm)
	mem.instructions.exchange(dst, addr.x, next, does, v, o, mem.cells.at(all))
	st.forget(dst)
	st.set(dst, v)
	was := operandValue{mem.out.reg(dst), v}
	mem.rounds.retry(st, withOld(is, was), firm)
	if wrote >= 0 {
		done := withOld(does, was)
		mem.out.emit(ir.Assign{Dst: wrote, Value: done.x})
		st.forget(wrote)
		st.set(wrote, done.v.impure())
	}
	mem.affect(st, dst, wrote, next, is, v)
	return st
}

// addend returns the number that an update adds to the value it reads, if that is all it does.
func addend(next ir.Expr) (n uint64, ok bool) {
	sum, ok := next.(ir.Binary)
	if !ok || sum.Op != ir.Add && sum.Op != ir.Sub {
		return 0, false
	}
	_, old := sum.X.(ir.Old)
	k, known := sum.Y.(ir.Const)
	if !old || !known {
		return 0, false
	}
	if sum.Op == ir.Sub {
		return -k.Value, true
	}
	return k.Value, true
}

// read returns the value of a read: the possible values are v's, but two reads need not return the same one.
func read(v *value) *value {
	w := *definite(v.impure())
	w.of = nil
	return &w
}

// definite returns the value of a read, which is any number if the memory is uninitialised.
func definite(v *value) *value {
	if !v.unset {
		return v
	}
	w := *v
	w.unset, w.loose, w.pure = false, true, false
	return &w
}

// affect records the possible effects of a read-modify-write.
//
// A read-modify-write that may have failed, such as a compare-exchange that a loop repeats, has a lasting effect only
// under conditions on its registers: its success flag is 1, or the value read is the expected one. These conditions let
// later branches exclude the effect, so that the failing round of such a loop is found to wait only (wait.go).
func (mem *memory) affect(st *state, dst, wrote int, next, is operandValue, old *value) {
	if n, ok := is.v.constant(); ok && n == 0 || st.lasting {
		return
	}
	known := facts{}
	if wrote >= 0 {
		known[wrote] = 1
	}
	if eq, ok := is.x.(ir.Binary); ok && eq.Op == ir.Eq {
		x, y := eq.X, eq.Y
		if _, isOld := y.(ir.Old); isOld {
			x, y = y, x
		}
		if _, isOld := x.(ir.Old); isOld {
			if c, ok := y.(ir.Const); ok {
				known[dst] = c.Value
			}
		}
	}
	to, fixed := next.v.constant()
	if mem.elab.options.Waits.Locks && fixed && old.set != nil &&
		len(known) == 0 { // an exchange that writes the old value back
		for _, v := range old.set {
			if v != to {
				st.perhaps = append(slices.Clip(st.perhaps), facts{dst: v})
			}
		}
		return
	}
	if len(known) == 0 {
		st.setLasting()
		return
	}
	st.perhaps = append(slices.Clip(st.perhaps), known)
}

func (mem *memory) within(st *state, how code.Access, write bool) code.Access {
	if st.atomic == 0 {
		return how
	}
	return Within(mem.elab.options, how, write)
}

// Within returns the access that a plain access in an atomic section is. It does not race with accesses in other
// sections. If that needs no barrier, accesses before a section happen before those after another section that reads
// from it.
func Within(o Options, how code.Access, write bool) code.Access {
	if how.Atomic || how.Tags != nil {
		return how
	}
	order := c.Relaxed
	switch {
	case o.Target != Language && o.Target != Generic:
	case write:
		order = c.Release
	default:
		order = c.Acquire
	}
	return code.Access{Atomic: true, Order: order, Volatile: how.Volatile}
}
