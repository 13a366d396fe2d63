package elaborate

import (
	"maps"
	"slices"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// Memory that is accessed with several widths, such as unions and memory accessed through character pointers, consists
// of bytes: each byte is a cell. If only one thread accesses the memory, a wider access becomes several accesses of one
// byte; they are not events, so their number is not observable. If several threads share the memory, each access
// remains one access, of several cells (see [ir.Piece]). In the end, bytes that no access separates are merged into one
// location (pieces.go).

// restart is a panic value that aborts a pass when memory turns out to be bytes. The next pass takes it into account.
type restart struct{}

// maxParted is the maximum number of times that a block of bytes is reset because other threads access it.
const maxParted = 3

// makeBytes turns memory that is accessed with two widths into bytes, and aborts the pass.
func (cs *cells) makeBytes(o *block) {
	o.bytes = true
	o.clear()
	panic(restart{})
}

// resetBytes resets a block of bytes that more than one thread accesses: the access of another width may have been an
// imprecise guess.
func (cs *cells) resetBytes(o *block) {
	if !o.bytes || !o.several() || o.parted == maxParted {
		return
	}
	o.parted++
	o.bytes = false
	o.clear()
	panic(restart{})
}

// several reports whether more than one thread accesses a block.
func (o *block) several() bool { return o.shared || len(o.users) > 1 && !o.constant() }

// clear drops the cells of a block.
func (o *block) clear() { maps.DeleteFunc(o.cells, func(at int, _ *cell) bool { return at >= 0 }) }

// bytewise reports whether an access of a width is to bytes. If it may reach bytes, all blocks that it may reach become
// bytes.
func (cs *cells) bytewise(addr *value, bits int) bool {
	all := cs.elab.pointed(addr)
	if bits == 8 || !slices.ContainsFunc(all, func(p span) bool { return p.block.bytes }) {
		return false
	}
	for _, p := range all {
		if !p.block.bytes {
			cs.makeBytes(p.block)
		}
	}
	return true
}

// alone reports whether only this thread can observe an access to bytes. If not, the blocks become shared memory.
func (cs *cells) alone(st *state, addr *value, ordered bool) bool {
	all := cs.elab.pointed(addr)
	if (!ordered || st.single) && !slices.ContainsFunc(all, func(p span) bool { return !cs.private(st, p.block) }) {
		return true
	}
	for _, p := range all {
		cs.elab.share(p.block)
		cs.resetBytes(p.block)
	}
	return false
}

// cellsAt returns the cells of an access.
func (cs *cells) cellsAt(o *block, offset, bits int) []*cell {
	if !o.bytes || bits == 8 {
		return []*cell{cs.cellAt(o, offset, bits)}
	}
	all := make([]*cell, bits/8)
	for i := range all {
		all[i] = cs.cellAt(o, offset+i, 8)
	}
	return all
}

// possibleIn returns the possible values of a read.
func (cs *cells) possibleIn(g target) *value {
	if len(g.behind) == 0 {
		return g.cell.possible
	}
	bits := 8 * (1 + len(g.behind))
	out := definite(g.cell.possible)
	for i, c := range g.behind {
		part := cs.elab.binary(ir.Shl, definite(c.possible), exactly(uint64(8*(i+1))), bits)
		out = cs.elab.binary(ir.BitOr, out, part, bits)
	}
	return out
}

// storeIn records the value of a write.
func (cs *cells) storeIn(g target, v *value) {
	if len(g.behind) == 0 {
		cs.elab.recordStore(g.cell, v)
		return
	}
	for i, c := range append([]*cell{g.cell}, g.behind...) {
		cs.elab.recordStore(c, cs.elab.mapped(v, func(n uint64) uint64 { return n >> (8 * i) & 0xff }, false))
	}
}

// byteAt returns the address of the i-th byte from an address.
func (mem *memory) byteAt(addr operandValue, i int) operandValue {
	if i == 0 {
		return addr
	}
	at := mem.evaluator.operate(ir.Add, addr, constant(uint64(i), addr.x.Width()))
	if n, ok := at.v.constant(); ok {
		at.x = ir.Number(n, addr.x.Width())
	}
	return at
}

// loadBytes reads a register byte by byte.
func (mem *memory) loadBytes(st *state, dst int, addr operandValue, how code.Access) *state {
	bits := mem.out.th.Regs[dst].Bits
	addr = mem.regs.copied(st, addr)
	of := &frame{}
	var whole ir.Expr
	for i := range bits / 8 {
		r := mem.out.register(8)
		if st = mem.load(st, r, mem.byteAt(addr, i), how); st == nil {
			return nil
		}
		st.set(r, definite(mem.regs.get(st, r)))
		of.regs = append(of.regs, r)
		part := ir.Widen(ir.Reg{Index: i, Bits: 8}, bits, false)
		if i == 0 {
			whole = part
		} else {
			whole = ir.BitOr.Of(whole, ir.Shl.Of(part, ir.Number(uint64(8*i), bits)))
		}
	}
	v := mem.evaluator.eval(of, st, whole, nil)
	mem.regs.put(st, dst, v.x, v.v)
	mem.regs.mark(st, dst, constant(1, 1))
	return st
}

// storeBytes writes a number byte by byte.
func (mem *memory) storeBytes(st *state, addr, v operandValue, how code.Access) *state {
	bits := v.x.Width()
	addr = mem.regs.copied(st, addr)
	r := mem.out.register(bits)
	mem.regs.put(st, r, v.x, v.v)
	of := &frame{regs: []int{r}}
	for i := range bits / 8 {
		part := mem.evaluator.eval(of, st, ir.Extract{X: ir.Reg{Bits: bits}, Lo: 8 * i, Bits: 8}, nil)
		if st = mem.store(st, mem.byteAt(addr, i), part, how); st == nil {
			return nil
		}
	}
	return st
}
