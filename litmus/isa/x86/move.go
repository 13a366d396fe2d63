package x86

import (
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

func mov(x *instr) {
	if x.wantOneMemory() {
		x.set(0, x.get(1))
	}
}

// extend lowers the moves that zero- or sign-extend.
func extend(signed bool) func(*instr) {
	return func(x *instr) {
		if x.wantRegister(0) && x.wantNoNumber(1) {
			x.set(0, ir.Extend{X: x.get(1), Bits: x.bits, Signed: signed})
		}
	}
}

func lea(x *instr) {
	if !x.wantRegister(0) || !x.wantWide() {
		return
	}
	if x.ops[1].kind != memory {
		x.Failf(x.ops[1].Pos, "%s: LEA wants an address here, got %q", x.arch, x.ops[1].Text)
		return
	}
	if o := x.ops[1]; o.direct() && x.HasLabel(o.sym) {
		x.set(0, ir.Resize(x.label(o), x.bits))
		return
	}
	x.set(0, ir.Resize(x.address(x.ops[1]), x.bits))
}

// xchg with memory is locked, with or without the prefix. The memory operand may be on either side.
func xchg(x *instr) {
	if x.ops[0].kind == registerOperand && x.ops[1].kind == memory {
		x.ops[0], x.ops[1] = x.ops[1], x.ops[0]
	}
	if !x.wantRegister(1) || !x.wantNoNumber(0) {
		return
	}
	if x.ops[0].kind == memory {
		x.write(x.ops[1].reg, x.atomic(x.read(x.ops[1].reg), nil))
		return
	}
	a, b := x.Keep(x.get(0)), x.Keep(x.get(1))
	x.set(0, b)
	x.set(1, a)
}

// xadd writes the sum last: with one register twice, the sum remains.
func xadd(x *instr) {
	if !x.wantRegister(1) || !x.wantNoNumber(0) {
		return
	}
	y := x.Keep(x.get(1))
	sum := func(old ir.Expr) ir.Expr { return ir.Add.Of(old, y) }
	flags := func(old, result ir.Expr) { x.setArithmeticFlags(ir.Add, old, y, result) }
	if x.ops[0].kind == registerOperand {
		old := x.Keep(x.get(0))
		result := x.Keep(sum(old))
		x.write(x.ops[1].reg, old)
		x.set(0, result)
		flags(old, result)
		return
	}
	var before ir.Expr
	x.modify(sum, func(old, result ir.Expr) {
		before = old
		flags(old, result)
	})
	x.write(x.ops[1].reg, before)
}

// cmpxchg compares the accumulator with operand 0. Under LOCK, a comparison that fails is a locked read; without LOCK,
// a jump skips the write to memory.
func cmpxchg(x *instr) {
	if !x.wantRegister(1) || !x.wantNoNumber(0) {
		return
	}
	acc, _ := register(accumulators[x.bits], x.wide)
	want, next := x.Keep(x.read(acc)), x.Keep(x.read(x.ops[1].reg))
	var old ir.Expr
	if x.ops[0].kind == registerOperand {
		old = x.Keep(x.get(0))
		x.writeIf(x.Keep(ir.Eq.Of(old, want)), x.ops[0].reg, next)
	} else {
		old = x.compareAndStore(want, next)
	}
	equal := x.Keep(ir.Eq.Of(old, want))
	x.setArithmeticFlags(ir.Sub, want, old, x.Keep(ir.Sub.Of(want, old)))
	x.writeIf(ir.Not(equal), acc, old)
}

// cmpxchgPair compares a pair of registers with operand 0, which is twice as wide. With 128 bits it is supported only
// under LOCK, because otherwise the manual does not say how its accesses are divided.
func cmpxchgPair(x *instr) {
	o, n := x.ops[0], x.bits
	if o.kind != memory {
		x.Failf(o.Pos, "%s: %s wants an address here, got %q", x.arch, x.name.Text, o.Text)
		return
	}
	if !x.locked && n == 64 {
		x.Failf(x.name.Pos, "%s: %s without LOCK is not supported: its accesses are of 128 bits and not atomic",
			x.arch, x.name.Text)
		return
	}
	regs := func(names ...string) (v lower.Double, views [2]lower.RegisterView) {
		for i, name := range names {
			views[i], _ = register(map[int]string{32: "E", 64: "R"}[n]+name, x.wide)
			v[i] = x.read(views[i])
		}
		return x.KeepDouble(v), views
	}
	want, acc := regs("AX", "DX")
	next, _ := regs("BX", "CX")
	var old lower.Double
	if n == 64 {
		old = x.UpdateDouble(x.address(o), locked, locked,
			func(old lower.Double) (lower.Double, ir.Expr) { return next, old.Equals(want) })
	} else {
		x.bits = 2 * n
		both := x.Keep(joined(next))
		was := x.Keep(x.compareAndStore(joined(want), both))
		old = lower.Double{ir.Resize(was, n), ir.Extract{X: was, Lo: n, Bits: n}}
	}
	equal := x.Keep(old.Equals(want))
	x.Assign(x.flags.zero, equal)
	for i, v := range acc {
		x.writeIf(ir.Not(equal), v, old[i])
	}
}

// joined returns a pair of words as one number.
func joined(p lower.Double) ir.Expr {
	n := p[0].Width()
	return ir.BitOr.Of(ir.Widen(p[0], 2*n, false), ir.Shl.Of(ir.Widen(p[1], 2*n, false), ir.Number(uint64(n), 2*n)))
}

// compareAndStore writes next to operand 0 if it contains want, and returns the old value.
func (x *instr) compareAndStore(want, next ir.Expr) (old ir.Expr) {
	want = x.Keep(want)
	if x.locked {
		return x.atomic(next, ir.Eq.Of(ir.Old{Bits: x.bits}, want))
	}
	old = x.Keep(x.get(0))
	x.When(x.Keep(ir.Eq.Of(old, want)), func() { x.set(0, next) })
	return old
}

// writeIf sets a register if cond is 1, and otherwise leaves all of it unchanged, also for a 32-bit part, as measured.
func (x *instr) writeIf(cond ir.Expr, v lower.RegisterView, value ir.Expr) {
	whole := ir.Reg{Index: x.regIndex(v), Bits: x.PointerBits}
	before := x.Keep(whole)
	x.write(v, value)
	x.Assign(whole.Index, ir.Cond{If: cond, Then: whole, Else: before})
}

var accumulators = map[int]string{8: "AL", 16: "AX", 32: "EAX", 64: "RAX"}
