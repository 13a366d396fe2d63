package values

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/ir"
)

// Torn accesses. 32-bit hardware accesses plain 64-bit objects as two words, and a possibly misaligned object of a
// packed structure byte by byte. Another thread may observe a new value of one part and an old value of another. So
// these accesses become several accesses here, for all engines. Atomic objects are accessed as a whole.

// accessBits returns the width in bits of the accesses that make up an access to a scalar.
func (mem *Memory) accessBits(n cc.Node, o Object, bits int) int {
	whole := o.How.Atomic || len(o.How.Tags) > 0
	switch {
	case o.Odd && whole:
		syntax.Failf(n, "an atomic access to a member of a packed structure that may be misaligned is not "+
			"supported: no architecture guarantees atomicity; align the member")
	case o.Odd:
		return 8
	case mem.Types.Pointer == 32 && bits == 64 && !whole:
		return 32
	}
	return bits
}

// readParts reads a scalar in parts of some bits, the lowest first.
func (mem *Memory) readParts(o Object, bits, part int) ir.Expr {
	var out ir.Expr
	for at := 0; at < bits; at += part {
		r := mem.Build.Temp(part)
		mem.Build.Emit(code.Load{Dst: r, Addr: mem.Offset(o.Addr, at/8), How: o.How.Done()})
		x := code.Fold(ir.Shl, ir.Widen(mem.Build.Reg(r), bits, false), ir.Number(uint64(at), bits))
		if out == nil {
			out = x
		} else {
			out = ir.BitOr.Of(out, x)
		}
	}
	return mem.Build.Keep(out)
}

// writeParts writes a scalar in parts of some bits, the lowest first.
func (mem *Memory) writeParts(o Object, x ir.Expr, part int) {
	x = mem.Build.Keep(x)
	for at := 0; at < x.Width(); at += part {
		mem.Build.Emit(code.Store{Addr: mem.Offset(o.Addr, at/8), Value: code.Narrowed(x, at, part), How: o.How.Done()})
	}
}

// Offset returns an address plus a number of bytes.
func (mem *Memory) Offset(addr ir.Expr, bytes int) ir.Expr {
	return code.Fold(ir.Add, addr, ir.Number(uint64(bytes), mem.Types.Pointer))
}
