package elaborate

import (
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
)

// From the possible values of an address to the cells that an access may reach. A set of addresses gives the cells at
// these addresses. Spans without a set, such as an array element with an unknown index, give each multiple of the
// access's width in the block that has the right residue.
//
// Impossible addresses are expected, because possible values are approximate: an index that a condition excludes, or a
// pointer that is null on another path. So an address outside all blocks, or one where the memory has cells of another
// width, is no error when the program is generated. It becomes an assertion, which fails only in an execution that
// computes that address. If the address has only one possible value, the cell there must fit, and memory becomes bytes
// otherwise.

// target is a cell that an access may reach. If the access spans several cells of one byte, it is the first.
type target struct {
	cell   *cell
	behind []*cell
	addr   uint64
}

// maxTargets is the maximum number of cells that one access may reach.
const maxTargets = 4096

// targets returns the cells that an access at an address may reach. wild describes the other addresses it may be at.
// odd says that some of these are in blocks, at an offset of another width.
func (mem *memory) targets(addr operandValue, bits int) (all []target, wild *value, odd bool) {
	certain := len(addr.v.set) == 1
	add := func(o *block, a uint64) bool {
		if o == nil || a+uint64(bits/8) > o.base+uint64(o.size) {
			return false
		}
		if !certain && !o.fits(int(a-o.base), bits) {
			if mem.elab.options.Bytes && !o.bytes {
				mem.cells.makeBytes(o)
			}
			odd = true
			return false
		}
		cells := mem.cells.cellsAt(o, int(a-o.base), bits)
		if certain {
			for _, c := range cells {
				c.sure = mem.elab.passes
			}
		}
		all = append(all, target{cells[0], cells[1:], a})
		return true
	}
	v := addr.v
	if v.set != nil {
		var out []uint64
		for _, a := range v.set {
			if !add(mem.elab.blockAt(a), a) {
				out = append(out, a)
			}
		}
		switch {
		case v.loose:
			wild = &value{mod: 1}
		case len(out) > 0:
			wild = &value{set: out}
		}
		return all, wild, odd
	}
	if len(v.spans) == 0 && v.plain {
		return nil, &value{mod: 1}, false
	}
	if len(v.spans) == 0 {
		mem.out.failf(
			"the address of this access can be any number: pointers made from integers are not supported")
	}
	width := uint64(bits / 8)
	for _, p := range v.spans {
		o := p.block
		for _, a := range p.set {
			if a >= o.base {
				add(o, a)
			}
		}
		if p.set != nil {
			continue
		}
		step, a := p.mod, o.base+(p.mod-o.base%p.mod+p.rem)%p.mod
		for i := uint64(0); a%width != 0 && i < width; i++ { // an access is aligned
			a += step
		}
		step = step / gcd(step, width) * width
		for ; a < o.base+uint64(o.size); a += step {
			if a%width == 0 && a >= o.base {
				add(o, a)
			}
			if len(all) > maxTargets {
				mem.out.failf("this access may reach more than %d memory cells, which is not supported", maxTargets)
			}
		}
	}
	return all, &value{mod: 1}, odd
}

// access returns the cells of an access, and asserts that the access reaches one of them. It returns none if every
// execution fails here.
//
// The assertion is as small as possible: it lists the wrong addresses if these are fewer, compares with the bounds of a
// block if all of its elements are possible, and lists the right addresses otherwise. The same condition is assumed
// after it, and refines what is known about the address.
func (mem *memory) access(st *state, addr operandValue, bits int) []target {
	all, wild, odd := mem.targets(addr, bits)
	if wild == nil {
		mem.lives.alive(st, addr, all)
		return all
	}
	var ok ir.Expr
	number := func(a uint64) ir.Expr { return ir.Number(a, addr.x.Width()) }
	or := func(is ir.Expr) {
		if ok == nil {
			ok = is
		} else {
			ok = ir.BitOr.Of(ok, is)
		}
	}
	switch {
	case len(all) == 0:
		ok = ir.Number(0, 1)
	case wild.set != nil && len(wild.set) <= len(all):
		ok = ir.Number(1, 1)
		for i, a := range wild.set {
			not := ir.Not(ir.Eq.Of(addr.x, number(a)))
			if ok = ir.BitAnd.Of(ok, not); i == 0 {
				ok = not
			}
		}
	case addr.v.set == nil && !odd:
		for _, p := range addr.v.spans {
			o := p.block
			if p.set == nil && o.size >= bits/8 {
				in := ir.Ult.Of(ir.Sub.Of(addr.x, number(o.base)), number(uint64(o.size-bits/8+1)))
				aligned := ir.Eq.Of(ir.BitAnd.Of(addr.x, number(uint64(bits/8-1))), number(0))
				or(ir.BitAnd.Of(in, aligned))
			}
		}
		for _, g := range all {
			if i := slices.IndexFunc(addr.v.spans,
				func(p span) bool { return p.block == g.cell.block }); addr.v.spans[i].set != nil {
				or(ir.Eq.Of(addr.x, number(g.addr)))
			}
		}
	default:
		for _, g := range all {
			or(ir.Eq.Of(addr.x, number(g.addr)))
		}
	}
	if odd {
		other := ok
		if bits > 8 { // a misaligned access is undefined, whatever the widths of other accesses are
			other = ir.BitOr.Of(ok, ir.Not(ir.Eq.Of(ir.BitAnd.Of(addr.x, number(uint64(bits/8-1))), number(0))))
		}
		for _, o := range mem.elab.pointed(addr.v) {
			mem.out.emit(ir.Assert{
				Cond: ir.BitOr.Of(other, ir.Not(mem.lives.inside(addr, o.block))), Property: ir.MixedSize,
				Text: fmt.Sprintf("access of %d bits to %s", bits, o.block.otherwise(bits)),
			})
		}
	}
	mem.lives.defined(ok, wildText(wild, all, odd))
	mem.out.emit(ir.Assume{Cond: ok})
	st.decide(ok, 1)
	mem.regs.refine(st, ok, 1)
	mem.lives.alive(st, addr, all)
	return all
}

// assertWritable asserts that a write is not to a string literal or a const object.
func (mem *memory) assertWritable(addr operandValue) {
	for _, o := range mem.elab.pointed(addr.v) {
		if o.block.fixed == "" {
			continue
		}
		ok := ir.Not(mem.lives.inside(addr, o.block))
		if _, known := addr.v.constant(); known {
			ok = ir.Number(0, 1)
		}
		mem.lives.defined(ok, string(o.block.fixed))
	}
}

func wildText(wild *value, all []target, odd bool) string {
	if odd {
		return "the access leaves its object, or is not aligned"
	}
	if len(wild.set) == 1 && wild.set[0] == 0 {
		return "the pointer is null"
	}
	if wild.set == nil && len(all) > 0 {
		return "the access leaves its object"
	}
	return "the pointer points to no memory"
}
