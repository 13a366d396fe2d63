package riscv

import (
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// value is the value of an atomic access: one number or, for 128 bits, two.
type value []ir.Expr

func (v value) equals(w value) ir.Expr {
	if len(v) == 2 {
		return lower.Double(v).Equals(lower.Double(w))
	}
	return ir.Eq.Of(v[0], w[0])
}

// unless returns v, or w if cond is 1.
func (v value) unless(cond ir.Expr, w value) value {
	out := value{}
	for i := range v {
		out = append(out, ir.Cond{If: cond, Then: w[i], Else: v[i]})
	}
	return out
}

// withZero returns v with a dependency of each part on all of w.
func (v value) withZero(w value) value {
	out := value{}
	for _, part := range v {
		for _, e := range w {
			part = ir.BitOr.Of(part, ir.BitAnd.Of(e, ir.Number(0, e.Width())))
		}
		out = append(out, part)
	}
	return out
}

// update is an atomic read-modify-write of one number or two. It writes only if only (nil: always) is 1.
func (x *instr) update(bits int, at ir.Expr, f func(old value) (next value, only ir.Expr)) (was value) {
	read, write := x.updateTags()
	if bits > xlen {
		old := x.UpdateDouble(at, read, write, func(old lower.Double) (lower.Double, ir.Expr) {
			next, only := f(old[:])
			return lower.Double(next), only
		})
		return old[:]
	}
	next, only := f(value{ir.Old{Bits: bits}})
	dst := x.Temp(bits)
	x.Emit(ir.RMW{Dst: dst, Addr: at, Bits: bits, New: next[0], If: only, Tags: read, WriteTags: write})
	return value{x.Value(dst)}
}

// value returns the value of operand i, a register, or of the pair that it begins, in new registers.
func (x *instr) value(i, bits int) value {
	if bits <= xlen {
		return value{x.Keep(ir.Resize(x.get(i), bits))}
	}
	first, next := x.pair(i)
	both := x.KeepDouble(lower.Double{x.reg(first), x.reg(next)})
	return both[:]
}

// setValue writes operand i, a register, or the pair that it begins, like [instr.set].
func (x *instr) setValue(i int, v value) {
	if len(v) == 1 {
		x.set(i, v[0])
	} else if first, next := x.pair(i); first != x0 {
		x.Assign(x.Reg(first), v[0])
		x.Assign(x.Reg(next), v[1])
	}
}

// pair returns the registers of operand i: one with an even number, and the next. x0 means itself twice.
func (x *instr) pair(i int) (first, next string) {
	first = x.ops[i].Reg
	n, err := strconv.Atoi(strings.TrimPrefix(first, "x"))
	switch {
	case err != nil || n%2 != 0:
		x.Failf(x.ops[i].Pos, "%s: %s: the first of two registers must have an even number", arch, x.ops[i].Text)
		return x0, x0
	case n == 0:
		return x0, x0
	}
	return first, "x" + strconv.Itoa(n+1)
}
