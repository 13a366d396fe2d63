package x86

import (
	"strings"

	"litmuscope/litmus"
)

// instruction describes a mnemonic.
type instruction struct {
	name     string
	operands int  // how many; -1 for any number
	suffix   bool // may carry AT&T's b, w, l or q
	lockable bool
	jump     bool // its operand is a label
	lower    func(*instr)
}

// instr is one instruction being lowered.
type instr struct {
	*lowerer
	name  string
	start int // offset of the mnemonic in the cell
	ops   []operand
	bits  int // operand width
}

var instructions = map[string]instruction{}

func define(name string, operands int, lower func(*instr)) {
	instructions[name] = instruction{name: name, operands: operands, suffix: operands > 0, lower: lower}
}

func init() {
	for _, name := range []string{"NOP", "ENDBR64", "ENDBR32"} {
		define(name, -1, func(*instr) {})
	}
	define("PAUSE", 0, func(*instr) {})
	define("RET", 0, func(x *instr) { x.Jump(x.t, x.source, nil, "", x.cell.Pos) })
	define("MFENCE", 0, func(x *instr) { x.fence(litmus.FullFence...) })
	define("SFENCE", 0, func(x *instr) { x.fence(litmus.TagWW) })
	define("LFENCE", 0, func(x *instr) { x.fence(litmus.TagRR, litmus.TagRW) })
	define("MOV", 2, mov)
	define("MOVABS", 2, mov)
	define("LEA", 2, lea)
	define("XCHG", 2, xchg)
	define("CMPXCHG", 2, cmpxchg)
	define("XADD", 2, xadd)
	define("ADD", 2, arithmetic(litmus.Add, true))
	define("SUB", 2, arithmetic(litmus.Sub, true))
	define("CMP", 2, arithmetic(litmus.Sub, false))
	define("AND", 2, arithmetic(litmus.BitAnd, true))
	define("TEST", 2, arithmetic(litmus.BitAnd, false))
	define("OR", 2, arithmetic(litmus.BitOr, true))
	define("XOR", 2, arithmetic(litmus.BitXor, true))
	define("INC", 1, step(litmus.Add))
	define("DEC", 1, step(litmus.Sub))
	define("NEG", 1, func(x *instr) {
		x.modify(func(old litmus.Expr) litmus.Expr { return litmus.Unary{Op: litmus.Neg, X: old} }, x.setNegFlags)
	})
	define("NOT", 1, func(x *instr) {
		x.modify(func(old litmus.Expr) litmus.Expr { return litmus.Unary{Op: litmus.BitNot, X: old} }, nil)
	})
	define("SHL", 2, shift(litmus.Shl))
	define("SAL", 2, shift(litmus.Shl))
	define("SHR", 2, shift(litmus.Shr))
	define("SAR", 2, shift(litmus.Sar))
	for _, name := range []string{"XCHG", "CMPXCHG", "XADD", "ADD", "SUB", "AND", "OR", "XOR", "INC", "DEC", "NEG", "NOT"} {
		in := instructions[name]
		in.lockable = true
		instructions[name] = in
	}
	instructions["JMP"] = instruction{name: "JMP", operands: 1, jump: true, lower: func(x *instr) {
		x.Jump(x.t, x.source, nil, x.ops[0].text, x.ops[0].pos)
	}}
}

// conditional finds Jcc, CMOVcc and SETcc.
func conditional(name string) (instruction, bool) {
	if cc, ok := conditions[strings.TrimPrefix(name, "J")]; ok && name[0] == 'J' {
		return instruction{name: name, operands: 1, jump: true, lower: func(x *instr) {
			x.Jump(x.t, x.source, cc(x.flag()), x.ops[0].text, x.ops[0].pos)
		}}, true
	}
	if cc, ok := conditions[strings.TrimPrefix(name, "CMOV")]; ok && strings.HasPrefix(name, "CMOV") {
		return instruction{name: name, operands: 2, lower: func(x *instr) {
			v := x.get(1) // the source is read whatever the condition
			x.set(0, litmus.Cond{If: cc(x.flag()), Then: v, Else: x.get(0)})
		}}, true
	}
	if cc, ok := conditions[strings.TrimPrefix(name, "SET")]; ok && strings.HasPrefix(name, "SET") {
		return instruction{name: name, operands: 1, lower: func(x *instr) {
			x.bits = 8
			x.set(0, litmus.Extend{X: cc(x.flag()), Bits: 8})
		}}, true
	}
	return instruction{}, false
}

// settleWidth finds the operands' width: a suffix, a register, a location's type,
// or 32 bits.
func (x *instr) settleWidth() bool {
	for i, o := range x.ops {
		if o.kind != registerOperand || i == 1 && strings.HasPrefix(x.name, "S") && x.name != "SUB" {
			continue // the count of a shift has a width of its own
		}
		if x.bits == 0 {
			x.bits = o.reg.Bits
		}
		if x.bits != o.reg.Bits {
			x.Failf(o.pos, "%s: %s has %d bits, but %s works on %d here", x.arch, o.text, o.reg.Bits, x.name, x.bits)
			return false
		}
	}
	if x.bits == 0 {
		x.bits = 32
		for _, o := range x.ops {
			if o.kind == memory && o.base == nil && o.index == nil && o.disp == 0 {
				x.bits = x.Program.Locs[x.Loc(o.sym)].Bits
			}
		}
	}
	return true
}

func (x *instr) emit(op litmus.Op) { x.Emit(x.t, x.source, op) }

func (x *instr) fence(generic ...string) {
	x.emit(litmus.Fence{Tags: append(litmus.Tags{x.name}, generic...)})
}

func (x *instr) regIndex(v litmus.RegisterView) int { return x.Reg(x.t, v.Whole) }

// read is a register's value, as wide as its view.
func (x *instr) read(v litmus.RegisterView) litmus.Expr {
	whole := litmus.Reg{Index: x.regIndex(v), Bits: x.PointerBits}
	if v.Bits == x.PointerBits {
		return whole
	}
	return litmus.Extract{X: whole, Lo: v.Lo, Bits: v.Bits}
}

// write sets a register: 32 bits of a 64-bit one clear the rest, 8 and 16 bits
// leave it alone.
func (x *instr) write(v litmus.RegisterView, value litmus.Expr) {
	i := x.regIndex(v)
	if v.Bits == x.PointerBits || v.Bits == 32 {
		x.emit(litmus.Assign{Dst: i, Value: litmus.Resize(value, x.PointerBits)})
		return
	}
	n := x.PointerBits
	keep := litmus.Binary{Op: litmus.BitAnd, X: litmus.Reg{Index: i, Bits: n}, Y: litmus.Const{Value: ^(litmus.Mask(v.Bits) << v.Lo), Bits: n}}
	moved := litmus.Binary{Op: litmus.Shl, X: litmus.Resize(value, n), Y: litmus.Const{Value: uint64(v.Lo), Bits: n}}
	x.emit(litmus.Assign{Dst: i, Value: litmus.Binary{Op: litmus.BitOr, X: keep, Y: moved}})
}

// address is what a memory operand points to.
func (x *instr) address(o operand) litmus.Expr {
	n := x.PointerBits
	var sum litmus.Expr
	add := func(e litmus.Expr) {
		if sum == nil {
			sum = e
		} else {
			sum = litmus.Binary{Op: litmus.Add, X: sum, Y: e}
		}
	}
	if o.sym != "" {
		add(litmus.Addr{Loc: x.Loc(o.sym), Bits: n})
	}
	if o.base != nil {
		add(litmus.Resize(x.read(*o.base), n))
	}
	if o.index != nil {
		i := litmus.Resize(x.read(*o.index), n)
		if o.scale != 1 {
			i = litmus.Binary{Op: litmus.Mul, X: i, Y: litmus.Const{Value: o.scale, Bits: n}}
		}
		add(i)
	}
	if o.disp != 0 || sum == nil {
		add(litmus.Const{Value: o.disp, Bits: n})
	}
	return sum
}

// pointer is the address of memory operand o, for an access of the instruction's
// width.
func (x *instr) pointer(o operand) litmus.Expr {
	a := x.address(o)
	if direct, ok := a.(litmus.Addr); ok {
		x.Accessed(direct.Loc, x.bits, o.pos)
	}
	return a
}

// get is the value of operand i; memory is loaded.
func (x *instr) get(i int) litmus.Expr {
	o := x.ops[i]
	switch o.kind {
	case registerOperand:
		return x.read(o.reg)
	case immediate:
		if o.sym != "" {
			return litmus.Resize(litmus.Addr{Loc: x.Loc(o.sym), Bits: x.PointerBits}, x.bits)
		}
		return litmus.Const{Value: o.imm & litmus.Mask(x.bits), Bits: x.bits}
	}
	return x.load(o)
}

func (x *instr) load(o operand) litmus.Expr {
	tmp := x.Temp(x.t, x.bits)
	x.emit(litmus.Load{Dst: tmp, Addr: x.pointer(o), Bits: x.bits})
	return litmus.Reg{Index: tmp, Bits: x.bits}
}

// set writes operand i.
func (x *instr) set(i int, v litmus.Expr) {
	o := x.ops[i]
	switch o.kind {
	case registerOperand:
		x.write(o.reg, v)
	case memory:
		x.emit(litmus.Store{Addr: x.pointer(o), Value: v})
	default:
		x.Failf(o.pos, "%s: %s cannot write to %q", x.arch, x.name, o.text)
	}
}

// keep puts a value in a temporary, so that later writes to its registers do not
// change it.
func (x *instr) keep(v litmus.Expr) litmus.Expr {
	tmp := x.Temp(x.t, v.Width())
	x.emit(litmus.Assign{Dst: tmp, Value: v})
	return litmus.Reg{Index: tmp, Bits: v.Width()}
}

// modify replaces operand 0 by f of its old value, atomically under LOCK, and
// hands old value and result to flags.
func (x *instr) modify(f func(old litmus.Expr) litmus.Expr, flags func(old, result litmus.Expr)) {
	var old litmus.Expr
	if x.locked {
		old = x.atomic(f(litmus.Old{Bits: x.bits}), nil)
	} else {
		old = x.keep(x.get(0))
		x.set(0, f(old))
	}
	if flags != nil {
		flags(old, x.keep(f(old)))
	}
}

// atomic is a locked read-modify-write of operand 0, which gives the old value.
func (x *instr) atomic(new, cond litmus.Expr) litmus.Expr {
	tmp := x.Temp(x.t, x.bits)
	x.emit(litmus.RMW{Dst: tmp, Addr: x.pointer(x.ops[0]), Bits: x.bits, New: new, If: cond, Tags: litmus.Tags{litmus.TagLocked}})
	return litmus.Reg{Index: tmp, Bits: x.bits}
}

func mov(x *instr) {
	if x.ops[0].kind == memory && x.ops[1].kind == memory {
		x.twoMemory()
		return
	}
	x.set(0, x.get(1))
}

func arithmetic(op litmus.BinaryOp, writes bool) func(*instr) {
	return func(x *instr) {
		if x.ops[1].kind == memory && x.ops[0].kind == memory {
			x.twoMemory()
			return
		}
		y := x.keep(x.get(1))
		f := func(old litmus.Expr) litmus.Expr { return litmus.Binary{Op: op, X: old, Y: y} }
		flags := func(old, result litmus.Expr) { x.setArithmeticFlags(op, old, y, result) }
		if writes {
			x.modify(f, flags)
			return
		}
		old := x.keep(x.get(0))
		flags(old, x.keep(f(old)))
	}
}

func (x *instr) twoMemory() {
	x.Failf(x.ops[1].pos, "%s: %s cannot take two operands in memory", x.arch, x.name)
}

// step lowers INC and DEC, which leave the carry flag alone.
func step(op litmus.BinaryOp) func(*instr) {
	return func(x *instr) {
		one := litmus.Const{Value: 1, Bits: x.bits}
		x.modify(func(old litmus.Expr) litmus.Expr { return litmus.Binary{Op: op, X: old, Y: one} },
			func(old, result litmus.Expr) { x.setStepFlags(op, old, one, result) })
	}
}

func shift(op litmus.BinaryOp) func(*instr) {
	return func(x *instr) {
		width := uint64(31)
		if x.bits == 64 {
			width = 63
		}
		var count litmus.Expr
		switch o := x.ops[1]; {
		case o.kind == immediate:
			count = litmus.Const{Value: o.imm & width, Bits: x.bits}
		case o.kind == registerOperand && o.reg.Print != "" && strings.EqualFold(o.reg.Print, "CL"):
			count = x.keep(litmus.Binary{Op: litmus.BitAnd, X: litmus.Resize(x.read(o.reg), x.bits), Y: litmus.Const{Value: width, Bits: x.bits}})
		default:
			x.Failf(o.pos, "%s: %s shifts by a number or by CL, not by %q", x.arch, x.name, o.text)
			return
		}
		x.modify(func(old litmus.Expr) litmus.Expr { return litmus.Binary{Op: op, X: old, Y: count} },
			func(old, result litmus.Expr) { x.setShiftFlags(op, old, count, result) })
	}
}

func lea(x *instr) {
	if x.ops[1].kind != memory || x.ops[0].kind != registerOperand {
		x.Failf(x.ops[1].pos, "%s: LEA takes a register and an address", x.arch)
		return
	}
	x.set(0, litmus.Resize(x.address(x.ops[1]), x.bits))
}

// xchg of memory is locked, with or without the prefix. The memory operand may
// stand on either side.
func xchg(x *instr) {
	if x.ops[0].kind == registerOperand && x.ops[1].kind == memory {
		x.ops[0], x.ops[1] = x.ops[1], x.ops[0]
	}
	if x.ops[1].kind != registerOperand || x.ops[0].kind == immediate {
		x.Failf(x.ops[0].pos, "%s: XCHG takes a register and a register or an address", x.arch)
		return
	}
	if x.ops[0].kind == memory {
		x.write(x.ops[1].reg, x.atomic(x.read(x.ops[1].reg), nil))
		return
	}
	a, b := x.keep(x.get(0)), x.keep(x.get(1))
	x.set(0, b)
	x.set(1, a)
}

func xadd(x *instr) {
	if x.ops[1].kind != registerOperand || x.ops[0].kind == immediate {
		x.Failf(x.ops[0].pos, "%s: XADD takes a register or an address, and a register", x.arch)
		return
	}
	y := x.keep(x.get(1))
	var before litmus.Expr
	x.modify(func(old litmus.Expr) litmus.Expr { return litmus.Binary{Op: litmus.Add, X: old, Y: y} },
		func(old, result litmus.Expr) {
			before = old
			x.setArithmeticFlags(litmus.Add, old, y, result)
		})
	x.write(x.ops[1].reg, before)
}

// cmpxchg compares the accumulator with operand 0. Under LOCK a comparison that
// fails is a locked read; without, the write is skipped by a jump.
func cmpxchg(x *instr) {
	if x.ops[1].kind != registerOperand || x.ops[0].kind == immediate {
		x.Failf(x.ops[0].pos, "%s: CMPXCHG takes a register or an address, and a register", x.arch)
		return
	}
	names := map[int]string{8: "AL", 16: "AX", 32: "EAX", 64: "RAX"}
	acc, _ := register(names[x.bits], x.wide)
	want, next := x.keep(x.read(acc)), x.keep(x.read(x.ops[1].reg))
	var old litmus.Expr
	if x.locked {
		old = x.atomic(next, litmus.Binary{Op: litmus.Eq, X: litmus.Old{Bits: x.bits}, Y: want})
	} else {
		old = x.keep(x.get(0))
	}
	equal := x.keep(litmus.Binary{Op: litmus.Eq, X: old, Y: want})
	if !x.locked {
		x.unless(equal, func() { x.set(0, next) })
	}
	x.setArithmeticFlags(litmus.Sub, want, old, x.keep(litmus.Binary{Op: litmus.Sub, X: want, Y: old}))
	x.write(acc, litmus.Cond{If: equal, Then: want, Else: old})
}

// unless emits body behind a branch that is taken where cond is 0.
func (x *instr) unless(cond litmus.Expr, body func()) {
	pc := len(x.Program.Threads[x.t].Code)
	x.emit(litmus.Branch{Cond: litmus.Unary{Op: litmus.BitNot, X: cond}})
	body()
	code := x.Program.Threads[x.t].Code
	br := code[pc].Op.(litmus.Branch)
	br.Target = len(code)
	code[pc].Op = br
}
