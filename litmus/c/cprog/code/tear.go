package code

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/ir"
)

// A machine of 32 bits reads and writes plain objects of 64 bits as two words, and an object of a packed structure that
// may lie at an odd address byte by byte: other threads may see one part changed and another one not. So these accesses
// become several here, for all engines. An atomic object is accessed as a whole.

// accessBits is the width in bits of the accesses that an access to a scalar of some bits consists of.
func (mem *memory) accessBits(n cc.Node, o object, bits int) int {
	whole := o.how.Atomic || len(o.how.Tags) > 0
	switch {
	case o.odd && whole:
		failf(n, "an atomic access to a member of a packed structure that may not be aligned is not supported: no processor promises one; align the member")
	case o.odd:
		return 8
	case mem.types.pointer == 32 && bits == 64 && !whole:
		return 32
	}
	return bits
}

// readParts reads a scalar in parts of some bits, the lowest first.
func (mem *memory) readParts(o object, bits, part int) ir.Expr {
	var out ir.Expr
	for at := 0; at < bits; at += part {
		r := mem.build.temp(part)
		mem.build.emit(Load{r, mem.behind(o.addr, at/8), o.how})
		x := fold(ir.Shl, ir.Widen(mem.build.reg(r), bits, false), ir.Number(uint64(at), bits))
		if out == nil {
			out = x
		} else {
			out = ir.BitOr.Of(out, x)
		}
	}
	return mem.build.keep(out)
}

// writeParts writes a scalar in parts of some bits, the lowest first.
func (mem *memory) writeParts(o object, x ir.Expr, part int) {
	x = mem.build.keep(x)
	for at := 0; at < x.Width(); at += part {
		mem.build.emit(Store{mem.behind(o.addr, at/8), narrowed(x, at, part), o.how})
	}
}

// behind is an address some bytes behind another one.
func (mem *memory) behind(addr ir.Expr, bytes int) ir.Expr {
	return fold(ir.Add, addr, ir.Number(uint64(bytes), mem.types.pointer))
}
