package elaborate

import (
	"cmp"
	"fmt"
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Which accesses are events. A block that a single thread accesses needs no events: nobody can observe the order of its
// accesses. Its cells are registers of the thread, which saves the engines all relations of these accesses, and keeps
// values precise. Before main starts its first thread, all memory is like that.
//
// Which threads access a block is a fact that passes find: the first pass treats a block as private to each thread,
// records users, and the next pass uses registers only if there is one user. Users are never removed. A block that
// nobody may write, as a constant or a vtable, is private to each thread, too. An access with a memory order is an
// event even if its location is private, because it may order other accesses.
//
// When main starts the first thread, the numbers in its registers become initial values of locations (flush). A value
// that is not known in advance, or that differs between the paths, is written by a plain store instead.

// cells finds the memory of accesses, and assigns registers to memory that only the thread accesses.
type cells struct {
	elab         *elaboration
	out          *output
	regs         *threadRegisters
	instructions *instructions
	stack        *stack
	registers    map[*cell]int // registers for memory that only this thread accesses
}

// private reports whether a thread's accesses to a block are not events.
func (cs *cells) private(st *state, o *block) bool {
	if st.single {
		return true
	}
	if !slices.Contains(o.users, cs.out.info) {
		o.users = append(o.users, cs.out.info)
		cs.elab.changed = true
	}
	return !o.shared && (len(o.users) == 1 || o.constant())
}

// cellRegister returns the register for a cell that only the thread accesses.
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

// beginning returns a cell's value when the thread begins.
func (cs *cells) beginning(c *cell) *value {
	if cs.out.info.number == 1 {
		return cs.elab.initially(c)
	}
	return cs.elab.valueAtStart(c)
}

// flush runs before main starts the first thread: the current values in private cells become the initial values of the
// memory that other threads access.
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
		n, known := v.constant()
		if known && !cs.elab.flushed && (c.begins == nil || !cs.elab.same(c.begins, v)) {
			c.begins = v
			cs.elab.changed = true
		}
		o := c.block
		cs.resetBytes(o)
		others := o.several() || len(o.users) == 1 && o.users[0] != cs.out.info
		if had, ok := cs.elab.valueAtStart(c).constant(); others && !v.unfilled() && !(known && ok && n == had) {
			cs.elab.share(o)
			cs.elab.recordStore(c, definite(v))
			cs.out.emit(ir.Store{
				Addr:  ir.Number(o.base+uint64(c.offset), cs.elab.unit.Pointer),
				Value: cs.regs.read(st, cs.registers[c]).x,
				Tags:  cs.instructions.tagsOf(code.Access{}, true, false), At: ir.Locs{cs.elab.locate(c)},
			})
		}
	}
	cs.elab.flushed = true
}

// privately reports whether an access to cells is not an event. If some of the cells are shared, or the access has a
// memory order, the private ones become shared, too.
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
		cs.resetBytes(g.cell.block)
	}
	return false
}

// selected returns the value of one of several private cells, chosen by the address.
func (cs *cells) selected(st *state, addr ir.Expr, all []target, of func(*state, int) operandValue) operandValue {
	out := of(st, cs.cellRegister(all[len(all)-1].cell))
	for _, g := range slices.Backward(all[:len(all)-1]) {
		then := of(st, cs.cellRegister(g.cell))
		out.x = ir.Cond{If: ir.Eq.Of(addr, ir.Number(g.addr, addr.Width())), Then: then.x, Else: out.x}
		out.v = cs.elab.join(out.v, then.v).impure()
	}
	return out
}

// at returns the locations of cells.
func (cs *cells) at(all []target) ir.Locs {
	var out ir.Locs
	for _, g := range all {
		if n := uint64(1 + len(g.behind)); g.addr%n != 0 {
			cs.out.failf("access of %d bits to %s: misaligned accesses to memory that threads share and access "+
				"with several widths are not supported", 8*n, g.cell.name())
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

// Companions are bytes that belong to a block and have negative offsets: alive is 1 until it is freed, given once it is
// allocated.
const (
	alive = -1
	given = -2
)

// companion returns the companion of a block at an offset.
func (cs *cells) companion(o *block, offset int) []target {
	c := cs.cellAt(o, offset, 8)
	return []target{{cell: c, addr: c.address()}}
}

// addressed returns the address of one cell.
func (cs *cells) addressed(at []target) ir.Expr { return ir.Number(at[0].addr, cs.elab.unit.Pointer) }

// variable returns the block of a variable, as a thread's frame (nil: none) sees it.
func (cs *cells) variable(v *code.Variable, fr *frame) *block {
	if v.Static && !v.PerThread {
		return cs.elab.static(v)
	}
	o := block{
		name: v.Name, pos: v.Pos, size: max(v.Size, 1), zero: v.Static, init: v.Init, layout: v.Layout,
		fixed: v.ReadOnly,
	}
	key := mix(0, uint64(cs.elab.identity(v)))
	switch {
	case v.PerThread:
		key = mix(cs.out.info.key, key)
		o.name = fmt.Sprintf("%s@%d", v.Name, cs.out.info.number)
		o.by, o.perThread = cs.out.info, cs.out.info.number > 1
	case !v.Static:
		depth := len(cs.stack.depth)
		for depth > 0 && cs.stack.depth[depth-1] != fr {
			depth--
		}
		o.depth, o.of, o.by = depth, fr.fn, cs.out.info
		key = mix(mix(cs.out.info.key, key), uint64(depth))
		if cs.out.info.number > 1 {
			o.name = fmt.Sprintf("%s@%d", v.Name, cs.out.info.number)
		}
	}
	return cs.elab.block(key, o)
}

// cellAt returns the scalar of a block at an offset.
func (cs *cells) cellAt(o *block, offset, bits int) *cell {
	if c := o.cells[offset]; c != nil && (c.sure == cs.elab.passes || c.bits == bits) {
		c.seen = cs.elab.passes
		if c.bits != bits {
			cs.makeBytes(o)
		}
		return c
	}
	sure := -1 // in no pass yet
	for _, c := range o.cells {
		if c.overlaps(offset, bits) {
			if c.sure == cs.elab.passes {
				cs.makeBytes(o)
			}
			sure = cs.elab.passes
			delete(o.cells, c.offset)
		}
	}
	c := &cell{block: o, offset: offset, bits: bits, pos: cs.out.pos(), loc: -1, seen: cs.elab.passes, sure: sure}
	c.possible = cs.elab.initially(c)
	o.cells[offset] = c
	cs.elab.changed = true
	if sure == cs.elab.passes {
		panic(restart{})
	}
	return c
}
