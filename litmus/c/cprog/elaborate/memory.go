package elaborate

import (
	"cmp"
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// renew has a local begin anew.
func (mem *memory) renew(st *state, v *code.Variable, fr *frame) {
	if v.Static || v.PerThread {
		return
	}
	o := mem.cells.variable(v, fr)
	for _, c := range o.cells {
		if r, ok := mem.cells.registers[c]; ok && mem.cells.private(st, o) {
			mem.regs.put(st, r, ir.Number(0, c.bits), &value{set: []uint64{0}, pure: true, unset: true, plain: true})
			mem.regs.mark(st, r, constant(0, 1))
		}
	}
}

// private tells whether a thread's accesses of an block are no events.
func (cs *cells) private(st *state, o *block) bool {
	if st.single {
		return true
	}
	if !slices.Contains(o.users, cs.out.info) {
		o.users = append(o.users, cs.out.info)
		cs.elab.changed = true
	}
	return !o.shared && len(o.users) == 1
}

// cellRegister is the register of a cell that the thread alone accesses.
func (cs *cells) cellRegister(c *cell) int {
	r, ok := cs.registers[c]
	if !ok {
		r = cs.out.register(c.bits)
		begins := *cs.beginning(c)
		begins.late = false
		cs.out.th.Regs[r].Init = begins.set[0]
		cs.regs.begin(r, &begins)
		cs.registers[c] = r
		if c.doubtful {
			cs.regs.doubt(r, &begins)
		}
	}
	return r
}

// begin notes what a register has when the thread begins.
func (tr *threadRegisters) begin(r int, v *value) {
	for len(tr.begins) <= r {
		tr.begins = append(tr.begins, nil)
	}
	tr.begins[r] = v
}

// beginning is what a cell has when the thread begins.
func (cs *cells) beginning(c *cell) *value {
	if cs.out.info.number == 1 {
		return cs.elab.initially(c)
	}
	return cs.elab.begins(c)
}

// flush is what main does before its first spawn: memory that others access begins with
// what it has now.
func (cs *cells) flush(st *state) {
	st.single = false
	cells := make([]*cell, 0, len(cs.registers))
	for c := range cs.registers {
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(a, b *cell) int {
		return cmp.Or(cmp.Compare(a.block.base, b.block.base), cmp.Compare(a.offset, b.offset))
	})
	for _, c := range cells {
		v := cs.regs.get(st, cs.registers[c])
		n, known := v.known()
		if known && !cs.elab.flushed && (c.begins == nil || !cs.elab.same(c.begins, v)) {
			c.begins = v
			cs.elab.changed = true
		}
		o := c.block
		cs.asks(o)
		others := o.shared || len(o.users) > 1 || len(o.users) == 1 && o.users[0] != cs.out.info
		if had, ok := cs.elab.begins(c).known(); others && !v.unfilled() && !(known && ok && n == had) {
			cs.elab.share(o)
			cs.elab.hold(c, settled(v))
			cs.out.emit(ir.Store{Addr: ir.Number(o.base+uint64(c.offset), cs.elab.unit.Pointer), Value: cs.regs.read(st, cs.registers[c]).x, Tags: cs.instructions.tagsOf(code.Access{}, true, false), At: ir.Locs{cs.elab.locate(c)}})
		}
	}
	cs.elab.flushed = true
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

// loadCells reads a register from one of some cells.
func (mem *memory) loadCells(st *state, dst int, addr ir.Expr, all []target, how code.Access) operandValue {
	if mem.cells.privately(st, all, how.Orders()) {
		mem.fetch(st, dst, addr, all, how.Copied)
		return mem.regs.read(st, dst)
	}
	var v *value
	for _, g := range all {
		v = mem.elab.join(v, mem.cells.heldIn(g))
	}
	v = read(v)
	mem.instructions.emitLoad(dst, addr, mem.cells.at(all), how)
	st.forget(dst)
	st.set(dst, v)
	mem.regs.mark(st, dst, constant(1, 1))
	return operandValue{mem.out.reg(dst), v}
}

// privately tells whether an access to cells is no event. Those of the thread alone among
// others are made memory for all, and so are those that are accessed in order.
func (cs *cells) privately(st *state, all []target, ordered bool) bool {
	private := 0
	if !ordered || st.single {
		for _, g := range all {
			if cs.private(st, g.cell.block) {
				private++
			}
		}
		if private == len(all) {
			return true
		}
	}
	for _, g := range all {
		if ordered || private > 0 {
			cs.elab.share(g.cell.block)
		}
		cs.asks(g.cell.block)
	}
	return false
}

// selected is what one of some cells that are registers has.
func (cs *cells) selected(st *state, addr ir.Expr, all []target, of func(*state, int) operandValue) operandValue {
	out := of(st, cs.cellRegister(all[len(all)-1].cell))
	for _, g := range slices.Backward(all[:len(all)-1]) {
		then := of(st, cs.cellRegister(g.cell))
		out.x = ir.Cond{If: ir.Eq.Of(addr, ir.Number(g.addr, addr.Width())), Then: then.x, Else: out.x}
		out.v = cs.elab.join(out.v, then.v).impure()
	}
	return out
}

// at are the locations of cells.
func (cs *cells) at(all []target) ir.Locs {
	var out ir.Locs
	for _, g := range all {
		if n := uint64(1 + len(g.behind)); g.addr%n != 0 {
			cs.out.failf("access of %d bits to %s: misaligned accesses of what several threads share at several widths are not supported", 8*n, g.cell.name())
		}
		at := cs.elab.locate(g.cell)
		out = append(out, at)
		for _, c := range g.behind {
			next := cs.elab.locate(c)
			cs.elab.program.Locs[at].Next = next
			at = next
		}
	}
	slices.Sort(out)
	return out
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

// storeTo writes to one cell that is there.
func (mem *memory) storeTo(st *state, addr ir.Expr, at *value, x ir.Expr, v *value, how code.Access) {
	all, _, _ := mem.targets(operandValue{addr, at}, x.Width())
	mem.storeCells(st, addr, all, operandValue{x, v}, how)
}

func (mem *memory) storeCells(st *state, addr ir.Expr, all []target, v operandValue, how code.Access) {
	if mem.cells.privately(st, all, how.Orders()) {
		mem.write(st, addr, all, v)
		return
	}
	st.lasts()
	for _, g := range all {
		mem.cells.holdIn(g, settled(v.v))
	}
	mem.instructions.emitStore(addr, v.x, mem.cells.at(all), how)
}

// write writes to one of some cells that are registers.
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

// update reads and writes in one step.
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
	// alone does it where nobody else knows of the memory, of which old is a register's worth.
	alone := func(old operandValue, write func(v operandValue)) {
		firm := mem.rounds.firmly(fr, st, o)
		is := withOld(mem.evaluator.eval(fr, st, when, old.v), old)
		mem.rounds.retry(st, is, firm)
		is = mem.rounds.weakened(is, firm)
		next := withOld(mem.evaluator.eval(fr, st, o.Next, old.v), old)
		write(mem.evaluator.choose(is, func() operandValue { return next }, func() operandValue { return old }))
		mem.regs.put(st, dst, old.x, old.v)
		if wrote >= 0 {
			mem.regs.put(st, wrote, is.x, is.v)
		}
	}
	if mem.cells.bytewise(addr.v, bits) && mem.cells.alone(st, addr.v, true) {
		r := mem.out.register(bits)
		addr = mem.regs.held(st, addr)
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
	firm := mem.rounds.firmly(fr, st, o)
	site := mix(mix(mem.out.info.key, fr.context), uint64(pc)+1)
	var v *value
	for _, g := range all {
		held := mem.cells.heldIn(g)
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
				mem.cells.holdIn(g, next.v)
			}
		}
	}
	does := mem.rounds.weakened(is, firm)
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

// addend is what an update adds to what it reads, if that is all it does.
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

// read is what a read of memory gives: a number of its own, though others may have read the same.
func read(v *value) *value {
	w := *settled(v.impure())
	w.of = nil
	return &w
}

// settled is what a read gives, which may be anything where nothing has been put.
func settled(v *value) *value {
	if !v.unset {
		return v
	}
	w := *v
	w.unset, w.loose, w.pure = false, true, false
	return &w
}

// affect notes what a read-modify-write may have done.
func (mem *memory) affect(st *state, dst, wrote int, next, is operandValue, old *value) {
	if n, ok := is.v.known(); ok && n == 0 || st.lasting {
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
	to, fixed := next.v.known()
	if mem.elab.options.Waits.Locks && fixed && old.set != nil && len(known) == 0 { // an exchange that writes back what was there
		for _, v := range old.set {
			if v != to {
				st.perhaps = append(slices.Clip(st.perhaps), facts{dst: v})
			}
		}
		return
	}
	if len(known) == 0 {
		st.lasts()
		return
	}
	st.perhaps = append(slices.Clip(st.perhaps), known)
}

// withOld puts what was read in the place of ir.Old.
func withOld(x, old operandValue) operandValue {
	return operandValue{replaceOld(x.x, old.x), x.v}
}

func replaceOld(x, old ir.Expr) ir.Expr {
	switch x := x.(type) {
	case ir.Old:
		return old
	case ir.Unary:
		x.X = replaceOld(x.X, old)
		return x
	case ir.Binary:
		x.X, x.Y = replaceOld(x.X, old), replaceOld(x.Y, old)
		return x
	case ir.Cond:
		x.If, x.Then, x.Else = replaceOld(x.If, old), replaceOld(x.Then, old), replaceOld(x.Else, old)
		return x
	case ir.Extract:
		x.X = replaceOld(x.X, old)
		return x
	case ir.Extend:
		x.X = replaceOld(x.X, old)
		return x
	}
	return x
}
