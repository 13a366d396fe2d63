package lower

import "litmuscope/litmus/ir"

// Accesses of 128 bits. Their values are in two registers of 64 bits, the one at the address first.

// Double is a value of 128 bits, as two values of 64 bits.
type Double [2]ir.Expr

// Equals returns 1 if both halves are equal.
func (p Double) Equals(to Double) ir.Expr {
	return ir.BitAnd.Of(ir.Eq.Of(p[0], to[0]), ir.Eq.Of(p[1], to[1]))
}

// KeepDouble applies [Builder.Keep] to both halves.
func (b *Builder) KeepDouble(p Double) Double { return Double{b.Keep(p[0]), b.Keep(p[1])} }

// LoadDouble emits a load of 128 bits that otherwise is as op says.
func (b *Builder) LoadDouble(op ir.Load) Double {
	op.Dst, op.Bits = b.Temp(64), 128
	behind := b.Temp(64)
	b.Emit(op)
	b.Emit(ir.Take{Dst: behind})
	return Double{b.Value(op.Dst), b.Value(behind)}
}

// UpdateDouble reads and writes 128 bits in one atomic step. It emits a load and a store that succeeds if and only if
// only (nil: always) is 1. next computes both halves from the value read.
func (b *Builder) UpdateDouble(
	at ir.Expr, read, write ir.Tags, next func(old Double) (v Double, only ir.Expr),
) (old Double) {
	at = b.Keep(at)
	old = b.LoadDouble(ir.Load{Addr: at, Tags: read, Reserve: true})
	v, only := next(old)
	if only == nil {
		only = ir.Number(1, 1)
	}
	only = b.Keep(only)
	status := b.Temp(1)
	b.Emit(ir.StoreCond{Status: status, Ok: 1, Fail: 0, Addr: at, Tags: write, Value: v[0], Next: v[1]})
	b.Emit(ir.Assume{Cond: ir.Eq.Of(b.Value(status), only)})
	return old
}
