package elaborate

import (
	"cmp"
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// renew has a local begin anew.
func (t *thread) renew(st *state, v *code.Variable, fr *frame) {
	if v.Static || v.PerThread {
		return
	}
	o := t.variable(v, fr)
	for _, c := range o.cells {
		if r, ok := t.cells[c]; ok && t.private(st, o) {
			t.put(st, r, ir.Number(0, c.bits), &value{set: []uint64{0}, pure: true, unset: true, plain: true})
			t.mark(st, r, t.constant(0, 1))
		}
	}
}

// private tells whether a thread's accesses of an block are no events.
func (t *thread) private(st *state, o *block) bool {
	if st.single {
		return true
	}
	if !slices.Contains(o.users, t.info) {
		o.users = append(o.users, t.info)
		t.changed = true
	}
	return !o.shared && len(o.users) == 1
}

// cellRegister is the register of a cell that the thread alone accesses.
func (t *thread) cellRegister(c *cell) int {
	r, ok := t.cells[c]
	if !ok {
		r = t.register(c.bits)
		begins := *t.beginning(c)
		begins.late = false
		t.th.Regs[r].Init = begins.set[0]
		t.begin(r, &begins)
		t.cells[c] = r
		if c.doubtful {
			t.doubt(r, &begins)
		}
	}
	return r
}

// begin notes what a register has when the thread begins.
func (t *thread) begin(r int, v *value) {
	for len(t.begins) <= r {
		t.begins = append(t.begins, nil)
	}
	t.begins[r] = v
}

// beginning is what a cell has when the thread begins.
func (t *thread) beginning(c *cell) *value {
	if t.info.number == 1 {
		return t.initially(c)
	}
	return t.elaboration.begins(c)
}

// flush is what main does before its first spawn: memory that others access begins with
// what it has now.
func (t *thread) flush(st *state) {
	st.single = false
	cells := make([]*cell, 0, len(t.cells))
	for c := range t.cells {
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(a, b *cell) int {
		return cmp.Or(cmp.Compare(a.block.base, b.block.base), cmp.Compare(a.offset, b.offset))
	})
	for _, c := range cells {
		v := t.get(st, t.cells[c])
		n, known := v.known()
		if known && !t.flushed && (c.begins == nil || !t.same(c.begins, v)) {
			c.begins = v
			t.changed = true
		}
		o := c.block
		t.asks(o)
		others := o.shared || len(o.users) > 1 || len(o.users) == 1 && o.users[0] != t.info
		if had, ok := t.elaboration.begins(c).known(); others && !v.unfilled() && !(known && ok && n == had) {
			t.share(o)
			t.hold(c, settled(v))
			t.emit(ir.Store{Addr: ir.Number(o.base+uint64(c.offset), t.Pointer), Value: t.read(st, t.cells[c]).x, Tags: t.tagsOf(code.Access{}, true, false), At: ir.Locs{t.locate(c)}})
		}
	}
	t.flushed = true
}

// load reads a register of the thread from memory.
func (t *thread) load(st *state, dst int, addr operandValue, how code.Access) *state {
	bits := t.th.Regs[dst].Bits
	if t.bytewise(addr.v, bits) && t.alone(st, addr.v, how.Orders()) {
		return t.loadBytes(st, dst, addr, how)
	}
	all := t.access(st, addr, bits)
	if len(all) == 0 {
		return nil
	}
	t.loadCells(st, dst, addr.x, all, how)
	return st
}

// loadCells reads a register from one of some cells.
func (t *thread) loadCells(st *state, dst int, addr ir.Expr, all []target, how code.Access) operandValue {
	if t.privately(st, all, how.Orders()) {
		t.fetch(st, dst, addr, all, how.Copied)
		return t.read(st, dst)
	}
	var v *value
	for _, g := range all {
		v = t.join(v, t.heldIn(g))
	}
	v = read(v)
	t.emitLoad(dst, addr, t.at(all), how)
	st.forget(dst)
	st.set(dst, v)
	t.mark(st, dst, t.constant(1, 1))
	return operandValue{t.reg(dst), v}
}

// privately tells whether an access to cells is no event. Those of the thread alone among
// others are made memory for all, and so are those that are accessed in order.
func (t *thread) privately(st *state, all []target, ordered bool) bool {
	private := 0
	if !ordered || st.single {
		for _, g := range all {
			if t.private(st, g.cell.block) {
				private++
			}
		}
		if private == len(all) {
			return true
		}
	}
	for _, g := range all {
		if ordered || private > 0 {
			t.share(g.cell.block)
		}
		t.asks(g.cell.block)
	}
	return false
}

// selected is what one of some cells that are registers has.
func (t *thread) selected(st *state, addr ir.Expr, all []target, of func(*state, int) operandValue) operandValue {
	out := of(st, t.cellRegister(all[len(all)-1].cell))
	for _, g := range slices.Backward(all[:len(all)-1]) {
		then := of(st, t.cellRegister(g.cell))
		out.x = ir.Cond{If: ir.Eq.Of(addr, ir.Number(g.addr, addr.Width())), Then: then.x, Else: out.x}
		out.v = t.join(out.v, then.v).impure()
	}
	return out
}

// at are the locations of cells.
func (t *thread) at(all []target) ir.Locs {
	var out ir.Locs
	for _, g := range all {
		if n := uint64(1 + len(g.behind)); g.addr%n != 0 {
			t.failf("access of %d bits to %s: misaligned accesses of what several threads share at several widths are not supported", 8*n, g.cell.name())
		}
		at := t.locate(g.cell)
		out = append(out, at)
		for _, c := range g.behind {
			next := t.locate(c)
			t.program.Locs[at].Next = next
			at = next
		}
	}
	slices.Sort(out)
	return out
}

// store writes a value to memory.
func (t *thread) store(st *state, addr, v operandValue, how code.Access) *state {
	if !how.Initial {
		t.assertWritable(addr)
	}
	if t.bytewise(addr.v, v.x.Width()) && t.alone(st, addr.v, how.Orders()) {
		return t.storeBytes(st, addr, v, how)
	}
	all := t.access(st, addr, v.x.Width())
	if len(all) == 0 {
		return nil
	}
	t.storeCells(st, addr.x, all, v, how)
	return st
}

// storeTo writes to one cell that is there.
func (t *thread) storeTo(st *state, addr ir.Expr, at *value, x ir.Expr, v *value, how code.Access) {
	all, _, _ := t.targets(operandValue{addr, at}, x.Width())
	t.storeCells(st, addr, all, operandValue{x, v}, how)
}

func (t *thread) storeCells(st *state, addr ir.Expr, all []target, v operandValue, how code.Access) {
	if t.privately(st, all, how.Orders()) {
		t.write(st, addr, all, v)
		return
	}
	st.lasts()
	for _, g := range all {
		t.holdIn(g, settled(v.v))
	}
	t.emitStore(addr, v.x, t.at(all), how)
}

// write writes to one of some cells that are registers.
func (t *thread) write(st *state, addr ir.Expr, all []target, v operandValue) {
	set := t.setAs(st, v)
	for _, g := range all {
		r := t.cellRegister(g.cell)
		if len(all) == 1 {
			t.put(st, r, v.x, v.v)
			t.mark(st, r, set)
			continue
		}
		was := t.set(st, r)
		if g.cell.doubtful {
			t.fill(st, r)
		}
		old := t.read(st, r)
		to := t.join(old.v, v.v).impure()
		here := ir.Eq.Of(addr, ir.Number(g.addr, addr.Width()))
		t.put(st, r, ir.Cond{If: here, Then: v.x, Else: old.x}, to)
		t.mark(st, r, operandValue{ir.Cond{If: here, Then: set.x, Else: was.x}, t.join(was.v, set.v)})
	}
}

// update reads and writes in one step.
func (t *thread) update(fr *frame, st *state, pc int, o code.Update) *state {
	dst, wrote := fr.regs[o.Dst], -1
	if o.Wrote >= 0 {
		wrote = fr.regs[o.Wrote]
	}
	bits := t.th.Regs[dst].Bits
	addr := t.eval(fr, st, o.Addr, nil)
	t.assertWritable(addr)
	when := o.When
	if when == nil {
		when = ir.Number(1, 1)
	}
	// alone does it where nobody else knows of the memory, of which old is a register's worth.
	alone := func(old operandValue, write func(v operandValue)) {
		firm := t.firmly(fr, st, o)
		is := t.withOld(t.eval(fr, st, when, old.v), old)
		t.retry(st, is, firm)
		is = t.weakened(is, firm)
		next := t.withOld(t.eval(fr, st, o.Next, old.v), old)
		write(t.choose(is, func() operandValue { return next }, func() operandValue { return old }))
		t.put(st, dst, old.x, old.v)
		if wrote >= 0 {
			t.put(st, wrote, is.x, is.v)
		}
	}
	if t.bytewise(addr.v, bits) && t.alone(st, addr.v, true) {
		r := t.register(bits)
		addr = t.held(st, addr)
		if st = t.loadBytes(st, r, addr, o.Read); st != nil {
			alone(t.read(st, r), func(v operandValue) { st = t.storeBytes(st, addr, v, o.Write) })
		}
		return st
	}
	all := t.access(st, addr, bits)
	if len(all) == 0 {
		return nil
	}
	if t.privately(st, all, true) {
		r := t.register(bits)
		t.fetch(st, r, addr.x, all, false)
		alone(t.read(st, r), func(v operandValue) { t.write(st, addr.x, all, v) })
		return st
	}
	firm := t.firmly(fr, st, o)
	site := mix(mix(t.info.key, fr.context), uint64(pc)+1)
	var v *value
	for _, g := range all {
		held := t.heldIn(g)
		if slices.ContainsFunc(g.cell.adds, func(a addition) bool { return a.site == site }) {
			held = t.sums(g.cell, site)
		}
		v = t.join(v, held)
	}
	v = read(v)
	is := t.eval(fr, st, when, v)
	next := t.eval(fr, st, o.Next, v)
	if is.v.may(1) {
		n, adds := addend(next.x)
		for _, g := range all {
			if adds && len(g.behind) == 0 {
				g.cell.added = append(g.cell.added, addition{site, n})
			} else {
				t.holdIn(g, next.v)
			}
		}
	}
	does := t.weakened(is, firm)
	t.exchange(dst, addr.x, next, does, v, o, t.at(all))
	st.forget(dst)
	st.set(dst, v)
	was := operandValue{t.reg(dst), v}
	t.retry(st, t.withOld(is, was), firm)
	if wrote >= 0 {
		done := t.withOld(does, was)
		t.emit(ir.Assign{Dst: wrote, Value: done.x})
		st.forget(wrote)
		st.set(wrote, done.v.impure())
	}
	t.affect(st, dst, wrote, next, is, v)
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
func (t *thread) affect(st *state, dst, wrote int, next, is operandValue, old *value) {
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
	if t.Waits.Locks && fixed && old.set != nil && len(known) == 0 { // an exchange that writes back what was there
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
func (t *thread) withOld(x, old operandValue) operandValue {
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
