package wasm

import (
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
)

// temp returns a free local of 64 bits, until the next step.
func (f *function) temp() int {
	f.temps++
	f.most = max(f.most, f.temps)
	return localFirst + len(f.thread.Regs) + len(f.loads) + f.temps - 1
}

// kept puts the value of e on the stack, so that it depends on every register in e whatever a compiler finds out: it
// adds each register, masked with a number that is always 0.
func (f *function) kept(e ir.Expr) {
	f.value(e)
	if !foldable(e) {
		return
	}
	var seen []int
	ir.Registers(e, func(r int) {
		if slices.Contains(seen, r) {
			return
		}
		seen = append(seen, r)
		f.index("local.get", localFirst+r)
		f.index("local.get", paramZero)
		f.op("i64.and", "i64.add")
	})
}

// foldable reports whether a compiler may find a value of e that does not depend on all registers in it.
func foldable(e ir.Expr) bool {
	seen, lossy := map[int]bool{}, false
	ir.WalkExpr(e, func(e ir.Expr) bool {
		switch e := e.(type) {
		case ir.Reg:
			lossy = lossy || seen[e.Index]
			seen[e.Index] = true
		case ir.Binary:
			lossy = lossy || e.Op != ir.Add && e.Op != ir.Sub && e.Op != ir.BitXor
		case ir.Extract, ir.Cond, ir.Select:
			lossy = true
		}
		return true
	})
	return lossy && len(seen) > 0
}

// value puts the value of e on the stack: an i64 whose bits from the expression's width on are 0.
func (f *function) value(e ir.Expr) {
	switch e := e.(type) {
	case ir.Const:
		f.number("i64.const", int64(e.Value&ir.Mask(e.Bits)))
	case ir.Addr:
		f.number("i64.const", int64(f.program.Locs[e.Loc].Address&ir.Mask(e.Bits)))
	case ir.Reg:
		f.index("local.get", localFirst+e.Index)
		if f.thread.Regs[e.Index].Bits > e.Bits {
			f.mask(e.Bits)
		}
	case ir.Old:
		f.index("local.get", localOld)
	case ir.Unary:
		if e.Op == ir.Neg {
			f.number("i64.const", 0)
			f.value(e.X)
			f.op("i64.sub")
		} else {
			f.value(e.X)
			f.number("i64.const", -1)
			f.op("i64.xor")
		}
		f.mask(e.Width())
	case ir.Binary:
		f.binary(e)
	case ir.Cond:
		f.choice(e.If, e.Then, e.Else)
	case ir.Select:
		f.choice(e.If, e.Then, e.Else)
	case ir.Extract:
		f.value(e.X)
		f.number("i64.const", int64(e.Lo))
		f.op("i64.shr_u")
		f.mask(e.Bits)
	case ir.Extend:
		f.value(e.X)
		if e.Signed {
			f.signed(e.X.Width())
			f.mask(e.Bits)
		}
	default:
		panic(fmt.Sprintf("BUG: unknown expression %T", e))
	}
}

// mask clears the bits from a width on.
func (f *function) mask(width int) {
	if width < 64 {
		f.number("i64.const", int64(ir.Mask(width)))
		f.op("i64.and")
	}
}

// signed extends the number on the stack, of some bits, with its sign.
func (f *function) signed(width int) {
	if width < 64 {
		f.number("i64.const", int64(64-width))
		f.op("i64.shl")
		f.number("i64.const", int64(64-width))
		f.op("i64.shr_s")
	}
}

// choice puts one of two values on the stack.
func (f *function) choice(cond, then, other ir.Expr) {
	f.value(then)
	f.value(other)
	f.value(cond)
	f.op("i32.wrap_i64", "select")
}

// binary puts X Op Y on the stack.
func (f *function) binary(e ir.Binary) {
	width := e.X.Width()
	switch e.Op {
	case ir.Shl, ir.Shr, ir.Sar:
		f.shift(e, width)
		return
	case ir.UDiv, ir.URem, ir.SDiv, ir.SRem:
		f.divide(e, width)
		return
	}
	f.value(e.X)
	if e.Op == ir.Slt {
		f.signed(width)
	}
	f.value(e.Y)
	switch e.Op {
	case ir.Add:
		f.op("i64.add")
	case ir.Sub:
		f.op("i64.sub")
	case ir.Mul:
		f.op("i64.mul")
	case ir.BitAnd:
		f.op("i64.and")
	case ir.BitOr:
		f.op("i64.or")
	case ir.BitXor:
		f.op("i64.xor")
	case ir.Eq:
		f.op("i64.eq", "i64.extend_i32_u")
	case ir.Ult:
		f.op("i64.lt_u", "i64.extend_i32_u")
	case ir.Slt:
		f.signed(width)
		f.op("i64.lt_s", "i64.extend_i32_u")
	default:
		panic(fmt.Sprintf("BUG: unknown operator %d", e.Op))
	}
	switch e.Op {
	case ir.Add, ir.Sub, ir.Mul:
		f.mask(width)
	}
}

// shift shifts X by Y. WebAssembly takes the count modulo 64; here all bits are out from the width on.
func (f *function) shift(e ir.Binary, width int) {
	count := f.temp()
	f.value(e.Y)
	f.index("local.set", count)
	if e.Op == ir.Sar {
		f.value(e.X)
		f.signed(width)
		f.index("local.get", count)
		f.number("i64.const", 63)
		f.index("local.get", count)
		f.number("i64.const", 63)
		f.op("i64.lt_u", "select", "i64.shr_s")
		f.mask(width)
		return
	}
	f.value(e.X)
	f.index("local.get", count)
	if e.Op == ir.Shl {
		f.op("i64.shl")
	} else {
		f.op("i64.shr_u")
	}
	f.mask(width)
	f.number("i64.const", 0)
	f.index("local.get", count)
	f.number("i64.const", int64(width))
	f.op("i64.lt_u", "select")
}

// divide divides X by Y as the IR does (RISC-V's rules), without WebAssembly's traps: it divides by 1 instead of by 0,
// and negates instead of dividing by -1.
func (f *function) divide(e ir.Binary, width int) {
	x, y := f.temp(), f.temp()
	signed := e.Op == ir.SDiv || e.Op == ir.SRem
	for _, operand := range []struct {
		e  ir.Expr
		to int
	}{{e.X, x}, {e.Y, y}} {
		f.value(operand.e)
		if signed {
			f.signed(width)
		}
		f.index("local.set", operand.to)
	}
	isZero := func() { f.index("local.get", y); f.op("i64.eqz") }
	isMinusOne := func() { f.index("local.get", y); f.number("i64.const", -1); f.op("i64.eq") }
	// With a divisor of 0, or -1 for signed numbers: the special value; otherwise the division by a harmless divisor.
	f.number("i64.const", -1)
	if e.Op == ir.URem || e.Op == ir.SRem {
		f.op("drop")
		f.index("local.get", x)
	}
	if signed {
		f.number("i64.const", 0)
		if e.Op == ir.SDiv {
			f.index("local.get", x)
			f.op("i64.sub")
		}
	}
	f.index("local.get", x)
	f.number("i64.const", 1)
	f.index("local.get", y)
	isZero()
	f.op("select")
	if signed {
		harmless := f.temp()
		f.index("local.set", harmless)
		f.number("i64.const", 1)
		f.index("local.get", harmless)
		isMinusOne()
		f.op("select")
	}
	f.op(map[ir.BinaryOp]string{
		ir.UDiv: "i64.div_u", ir.URem: "i64.rem_u", ir.SDiv: "i64.div_s", ir.SRem: "i64.rem_s",
	}[e.Op])
	if signed {
		isMinusOne()
		f.op("select")
	}
	isZero()
	f.op("select")
	f.mask(width)
}
