package elaborate

import (
	"cmp"
	"fmt"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// allocate creates a block for each possible size, so that accesses beyond the end are found. If the size can have any
// value, only a few small sizes are possible; executions with larger ones count as cut by the bound, as are those with
// more rounds of the loops that would fill the block.
func (lt *lifetimes) allocate(fr *frame, st *state, pc int, o code.Allocate) *state {
	size := lt.evaluator.eval(fr, st, o.Size, nil)
	sizes := size.v.set
	if sizes == nil || size.v.loose {
		sizes = nil
		var one ir.Expr = ir.Number(0, 1)
		for n := range uint64(lt.elab.options.Unroll + 2) {
			sizes = append(sizes, n*uint64(max(o.Unit, 1)))
			one = ir.BitOr.Of(one, ir.Eq.Of(size.x, ir.Number(sizes[n], size.x.Width())))
		}
		past := lt.out.emit(ir.Branch{Cond: one, Target: -1})
		lt.out.emit(ir.Unwound{})
		st = lt.meeting.land([]edge{{past, st}})
	}
	key := mix(mix(mix(lt.out.info.key, fr.context), uint64(pc)), 7)
	dst := fr.regs[o.Dst]
	bits := lt.out.th.Regs[dst].Bits
	var x ir.Expr
	var all []uint64
	for i, n := range sizes {
		b := lt.allocated(mix(key, n), int(min(n, maxBlock)), o)
		all = append(all, b.base)
		if b.stack {
			fr.made = append(fr.made, b)
		}
		var when ir.Expr // the condition that the size is this one
		if len(sizes) > 1 {
			when = ir.Eq.Of(size.x, ir.Number(n, size.x.Width()))
		}
		if is := ir.Number(b.base, bits); i == 0 {
			x = is
		} else {
			x = ir.Cond{If: when, Then: is, Else: x}
		}
		if b.owed {
			lt.meeting.given(st, when, func(st *state) { lt.companionIs(st, b, given, 1) })
		}
	}
	lt.regs.put(st, dst, x, lt.elab.numbers(all, size.v.pure || len(all) == 1, false))
	return st
}

// maxBlock is the maximum size of a block in bytes.
const maxBlock = 1 << 24

// allocated returns the block of an allocation of some size.
func (lt *lifetimes) allocated(key uint64, size int, o code.Allocate) *block {
	out := lt.elab.block(key, block{
		name: lt.elab.numbered(key, cmp.Or(o.Name, "memory")), pos: lt.out.pos(), size: size, zero: o.Zero, heap: true,
		stack: o.Local, owed: o.Owed && lt.elab.options.checks(ir.Leak), line: lt.out.line,
	})
	if o.Layout != nil {
		out.layout = func(offset int) (string, int) {
			name, bits := o.Layout(offset)
			return out.name + name, bits
		}
	}
	return out
}

// unfreed asserts, where main returns, that every block that has been allocated is freed.
func (lt *lifetimes) unfreed(st *state) {
	for _, o := range lt.elab.blocks {
		if !o.owed {
			continue
		}
		lt.out.line = o.line
		load := func(st *state, offset int) operandValue {
			at := lt.cells.companion(o, offset)
			return lt.memory.loadCells(st, lt.out.register(8), lt.cells.addressed(at), at, LifeAccess(false))
		}
		is := load(st, given)
		var when ir.Expr
		switch n, ok := is.v.constant(); {
		case ok && n == 0:
			continue
		case !ok:
			when = ir.Eq.Of(is.x, ir.Number(1, 8))
		}
		lt.meeting.given(st, when, func(st *state) {
			is := load(st, alive)
			if n, ok := is.v.constant(); !ok || n != 0 {
				lt.out.emit(ir.Assert{Cond: ir.Eq.Of(is.x, ir.Number(0, 8)), Property: ir.Leak, Text: Unfreed(o.name)})
			}
		})
	}
}

// LeavesMain is the error for a program that ends other than by returning from main if the property is leak.
const LeavesMain = "main ends here without returning, where leaks are not checked: let main return, or leave out " +
	"the property leak"

// Unfreed is the text of the failure that a block is not freed.
func Unfreed(name string) string { return name + " is not freed" }

// numbered returns a name for a block that no other block has.
func (e *elaboration) numbered(key uint64, name string) string {
	if known := e.blockByKey[key]; known != nil {
		return known.name
	}
	n := 0
	for _, o := range e.blocks {
		if o.heap {
			n++
		}
	}
	return fmt.Sprintf("%s#%d", name, n+1)
}

// NotAllocated is the text of the failure that realloc gets a pointer that is not from an allocation.
const NotAllocated = "the reallocated memory was not allocated"

// extent sets a register to the size in bytes of the allocated block that begins at an address.
func (lt *lifetimes) extent(st *state, dst int, addr operandValue) {
	bits := lt.out.th.Regs[dst].Bits
	x := ir.Expr(ir.Number(0, bits))
	var known ir.Expr = ir.Number(0, 1)
	sizes := []uint64{}
	for _, p := range lt.elab.pointed(addr.v) {
		o := p.block
		if !o.heap || o.stack {
			continue
		}
		is := ir.Eq.Of(addr.x, ir.Number(o.base, addr.x.Width()))
		known = ir.BitOr.Of(known, is)
		x = ir.Cond{If: is, Then: ir.Number(uint64(o.size), bits), Else: x}
		sizes = append(sizes, uint64(o.size))
		if n, ok := addr.v.constant(); ok && n == o.base {
			lt.regs.put(st, dst, ir.Number(uint64(o.size), bits), exactly(uint64(o.size)))
			return
		}
	}
	lt.defined(known, NotAllocated)
	lt.regs.put(st, dst, x, lt.elab.numbers(append(sizes, 0), false, true))
}

// free ends the life of a block.
func (lt *lifetimes) free(st *state, addr operandValue) *state {
	if n, ok := addr.v.constant(); ok && n == 0 {
		return st
	}
	if !lt.elab.options.FollowsLives() {
		lt.elab.program.UncheckedLifetimes = true
		return st
	}
	st.setLasting()
	var wild ir.Expr = ir.Eq.Of(addr.x, ir.Number(0, addr.x.Width()))
	for _, p := range lt.elab.pointed(addr.v) {
		o := p.block
		if !o.heap || o.stack {
			continue
		}
		if !o.freed {
			o.freed, lt.elab.changed = true, true
		}
		is := ir.Eq.Of(addr.x, ir.Number(o.base, addr.x.Width()))
		wild = ir.BitOr.Of(wild, is)
		lt.meeting.given(st, is, func(st *state) {
			at := lt.cells.companion(o, alive)
			// A second free is found whatever the memory order is.
			found, left := LifeAccess(false), lt.memory.within(st, LifeAccess(true), true)
			old, x := lt.out.register(8), lt.cells.addressed(at)
			if lt.cells.privately(st, at, false) {
				v := lt.cells.selected(st, x, at, lt.regs.read)
				lt.regs.put(st, old, v.x, v.v)
				lt.memory.write(st, x, at, constant(0, 8))
			} else {
				lt.elab.recordStore(at[0].cell, zero)
				v := read(at[0].cell.possible)
				yes := constant(1, 1)
				lt.instructions.exchange(old, x, constant(0, 8), yes, v,
					code.Update{Read: found, Write: left, Failed: found},
					lt.cells.at(at))
				st.set(old, v)
			}
			if n, ok := lt.regs.get(st, old).constant(); !ok || n != 1 {
				lt.defined(ir.Eq.Of(lt.regs.read(st, old).x, ir.Number(1, 8)), "the memory is already freed")
			}
		})
	}
	lt.defined(wild, "the freed memory was not allocated")
	return st
}
