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

// extend lowers the moves that widen, with zeros or with the sign.
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
	x.set(0, ir.Resize(x.address(x.ops[1]), x.bits))
}

// xchg of memory is locked, with or without the prefix. The memory operand may
// stand on either side.
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

// xadd writes the sum last: with one register twice, the sum stays.
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

// cmpxchg compares the accumulator with operand 0. Under LOCK a comparison that
// fails is a locked read; without, the write to memory is skipped by a jump.
func cmpxchg(x *instr) {
	if !x.wantRegister(1) || !x.wantNoNumber(0) {
		return
	}
	acc, _ := register(accumulators[x.bits], x.wide)
	want, next := x.Keep(x.read(acc)), x.Keep(x.read(x.ops[1].reg))
	same := func(old ir.Expr) ir.Expr { return ir.Eq.Of(old, want) }
	var old ir.Expr
	if x.locked {
		old = x.atomic(next, same(ir.Old{Bits: x.bits}))
	} else {
		old = x.Keep(x.get(0))
	}
	equal := x.Keep(same(old))
	switch {
	case x.locked:
	case x.ops[0].kind == registerOperand:
		x.writeIf(equal, x.ops[0].reg, next)
	default:
		x.when(equal, func() { x.set(0, next) })
	}
	x.setArithmeticFlags(ir.Sub, want, old, x.Keep(ir.Sub.Of(want, old)))
	x.writeIf(ir.Not(equal), acc, old)
}

// writeIf sets a register where cond is 1, and leaves all of it alone where not: a
// 32-bit part too, as measured.
func (x *instr) writeIf(cond ir.Expr, v lower.RegisterView, value ir.Expr) {
	whole := ir.Reg{Index: x.regIndex(v), Bits: x.PointerBits}
	before := x.Keep(whole)
	x.write(v, value)
	x.Assign(whole.Index, ir.Cond{If: cond, Then: whole, Else: before})
}

var accumulators = map[int]string{8: "AL", 16: "AX", 32: "EAX", 64: "RAX"}

// when emits body behind a branch that skips it where cond is 0.
func (x *instr) when(cond ir.Expr, body func()) {
	pc := len(x.Program.Threads[x.Thread].Code)
	x.Emit(ir.Branch{Cond: ir.Not(cond)})
	body()
	code := x.Program.Threads[x.Thread].Code
	br := code[pc].Op.(ir.Branch)
	br.Target = len(code)
	code[pc].Op = br
}
