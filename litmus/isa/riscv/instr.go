package riscv

import (
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// instruction describes a mnemonic.
type instruction struct {
	shape   string // see kinds
	ordered bool   // may carry .aq and .rl
	lower   func(*instr)
}

// instr is one instruction being lowered.
type instr struct {
	*lowerer
	name     string // in lower case, without the memory order
	mnemonic litmus.Word
	order    ir.Tag // Acq, Rel, AcqRel or ""
	ops      []lower.Operand
}

var instructions = map[string]instruction{}

func define(shape string, lower func(*instr), names ...string) {
	for _, name := range names {
		instructions[name] = instruction{shape: shape, lower: lower}
	}
}

// find returns the instruction with a name. The table is made on the first call.
func find(name string) (in instruction, ok bool) {
	tabulated.Do(tabulate)
	in, ok = instructions[name]
	return in, ok
}

var tabulated sync.Once

func tabulate() {
	defineArithmetic()
	defineMultiplications()
	defineBits()
	defineMoves()
	defineBranches()
	defineAccesses()
}

// bits returns the width of an arithmetic instruction: that of a word for a mnemonic that ends in w, such as addw.
func (x *instr) bits() int {
	if strings.HasSuffix(x.name, "w") {
		return wordBits
	}
	return xlen
}

// reg returns the value of a register.
func (x *instr) reg(whole string) ir.Expr {
	if whole == x0 {
		return ir.Const{Bits: xlen}
	}
	return x.Value(x.Reg(whole))
}

// get returns the value of operand i, a register or a number.
func (x *instr) get(i int) ir.Expr {
	if o := x.ops[i]; o.Reg == "" {
		return ir.Const{Value: o.Imm, Bits: xlen}
	}
	return x.reg(x.ops[i].Reg)
}

// dst returns the IR register that operand i writes; x0 ignores writes.
func (x *instr) dst(i int) int {
	if x.ops[i].Reg == x0 {
		return x.Temp(xlen)
	}
	return x.Reg(x.ops[i].Reg)
}

// set writes operand i, a register, with a sign-extended value.
func (x *instr) set(i int, v ir.Expr) {
	if x.ops[i].Reg != x0 {
		x.Assign(x.dst(i), ir.Widen(v, xlen, true))
	}
}

func defineArithmetic() {
	for name, op := range map[string]ir.BinaryOp{
		"add": ir.Add, "and": ir.BitAnd, "or": ir.BitOr, "xor": ir.BitXor,
	} {
		define("rrr", compute(op), name)
		define("rri", compute(op), name+"i")
	}
	define("rrr", compute(ir.Sub), "sub", "subw")
	define("rrr", compute(ir.Add), "addw")
	define("rri", compute(ir.Add), "addiw")
	for name, op := range map[string]ir.BinaryOp{"sll": ir.Shl, "srl": ir.Shr, "sra": ir.Sar} {
		define("rrr", shift(op), name, name+"w")
		define("rrc", shift(op), name+"i")
		define("rrw", shift(op), name+"iw")
	}
	define("rrr", compare(ir.Slt), "slt")
	define("rri", compare(ir.Slt), "slti")
	define("rrr", compare(ir.Ult), "sltu")
	define("rri", compare(ir.Ult), "sltiu")
}

// compute lowers rd ← rs1 op (rs2 or a number).
func compute(op ir.BinaryOp) func(*instr) {
	return func(x *instr) {
		n := x.bits()
		x.set(0, op.Of(ir.Resize(x.get(1), n), ir.Resize(x.get(2), n)))
	}
}

// shift uses as many low bits of the count as the operand's width allows.
func shift(op ir.BinaryOp) func(*instr) {
	return func(x *instr) {
		n := x.bits()
		count := ir.BitAnd.Of(ir.Resize(x.get(2), n), ir.Const{Value: uint64(n - 1), Bits: n})
		x.set(0, op.Of(ir.Resize(x.get(1), n), count))
	}
}

func compare(op ir.BinaryOp) func(*instr) {
	return func(x *instr) {
		x.set(0, ir.Extend{X: op.Of(x.get(1), x.get(2)), Bits: xlen})
	}
}

// defineMoves adds moves, loads of numbers and addresses, negations, extensions and comparisons with 0.
func defineMoves() {
	define("", func(*instr) {}, "nop", "pause")
	define("ri", func(x *instr) {
		if n := x.ops[1].Imm; ir.SignExtend(n, 12) != n && (n&ir.Mask(12) != 0 || ir.SignExtend(n, wordBits) != n) {
			x.Long(x.mnemonic) // too long for an addi or a lui
		}
		x.set(0, x.get(1))
	}, "li")
	define("rr", func(x *instr) { x.set(0, x.get(1)) }, "mv")
	define("rv", func(x *instr) {
		x.Long(x.mnemonic)
		if o := x.ops[1]; x.HasLabel(o.Text) {
			x.set(0, x.LabelAddress(o.Word))
		} else {
			x.set(0, ir.Addr{Loc: x.Loc(o.Text), Bits: xlen})
		}
	}, "la", "lla")
	define("ri", func(x *instr) {
		if o := x.ops[1]; o.Imm > ir.Mask(20) {
			x.Failf(o.Pos, "%s: lui takes a number of 20 bits, not %s", arch, o.Text)
			return
		}
		x.set(0, ir.Const{Value: ir.SignExtend(x.ops[1].Imm<<12, wordBits), Bits: xlen})
	}, "lui")
	define("rr", func(x *instr) { x.set(0, ir.Not(x.get(1))) }, "not")
	define("rr", func(x *instr) { x.set(0, ir.Neg.Of(ir.Resize(x.get(1), x.bits()))) }, "neg", "negw")
	for name, bits := range map[string]int{"b": 8, "h": 16, "w": 32} {
		long := func(x *instr) { // without Zbb; sext.w is addiw, and zext.b andi
			if x.name != "sext.w" && x.name != "zext.b" {
				x.Long(x.mnemonic)
			}
		}
		define("rr", func(x *instr) { long(x); x.set(0, ir.Resize(x.get(1), bits)) }, "sext."+name)
		define("rr", func(x *instr) { long(x); x.set(0, ir.Resize(ir.Resize(x.get(1), bits), xlen)) }, "zext."+name)
	}
	for name, holds := range zeroTests {
		define("rr", func(x *instr) { x.set(0, ir.Extend{X: holds(x.get(1)), Bits: xlen}) }, "s"+name)
	}
}

// zeroTests are the comparisons with 0, in the s… instructions and, with two more, in the b… instructions.
var zeroTests = map[string]func(ir.Expr) ir.Expr{
	"eqz": func(e ir.Expr) ir.Expr { return ir.Eq.Of(e, ir.Const{Bits: xlen}) },
	"nez": func(e ir.Expr) ir.Expr { return ir.Not(ir.Eq.Of(e, ir.Const{Bits: xlen})) },
	"ltz": func(e ir.Expr) ir.Expr { return ir.Slt.Of(e, ir.Const{Bits: xlen}) },
	"gtz": func(e ir.Expr) ir.Expr { return ir.Slt.Of(ir.Const{Bits: xlen}, e) },
}

// defineBranches adds branches, jumps, returns and instructions without effect.
func defineBranches() {
	jump := func(x *instr, cond ir.Expr, label lower.Operand) {
		x.Jump(cond, label.Word)
	}
	define("l", func(x *instr) { jump(x, nil, x.ops[0]) }, "j")
	returnAddress := "x1"
	define("", func(x *instr) { x.JumpTo(x.reg(returnAddress), x.mnemonic, true) }, "ret")
	define("r", func(x *instr) { x.JumpTo(x.get(0), x.mnemonic, x.ops[0].Reg == returnAddress) }, "jr")
	for _, c := range []struct {
		yes, no string
		op      ir.BinaryOp
		swap    bool
	}{
		{"beq", "bne", ir.Eq, false},
		{"blt", "bge", ir.Slt, false},
		{"bgt", "ble", ir.Slt, true},
		{"bltu", "bgeu", ir.Ult, false},
		{"bgtu", "bleu", ir.Ult, true},
	} {
		holds := func(x *instr) ir.Expr {
			a, b := x.get(0), x.get(1)
			if c.swap {
				a, b = b, a
			}
			return c.op.Of(a, b)
		}
		define("rrl", func(x *instr) { jump(x, holds(x), x.ops[2]) }, c.yes)
		define("rrl", func(x *instr) { jump(x, ir.Not(holds(x)), x.ops[2]) }, c.no)
	}
	for name, holds := range zeroTests {
		define("rl", func(x *instr) { jump(x, holds(x.get(0)), x.ops[1]) }, "b"+name)
	}
	define("rl", func(x *instr) { jump(x, ir.Not(zeroTests["gtz"](x.get(0))), x.ops[1]) }, "blez")
	define("rl", func(x *instr) { jump(x, ir.Not(zeroTests["ltz"](x.get(0))), x.ops[1]) }, "bgez")
}
