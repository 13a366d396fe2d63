package ppc

import (
	"math/bits"
	"sync"

	"litmuscope/litmus/ir"
)

// instruction describes a mnemonic.
type instruction struct {
	operands string // see kinds
	shorter  string // the shape with one operand less, if there is one
	branch   bool   // may carry a hint, + or -
	lower    func(*instr)
}

var instructions = map[string]instruction{}

func define(name, operands string, lower func(*instr)) {
	instructions[name] = instruction{operands: operands, lower: lower}
}

// record defines an instruction, and its form with a dot, which compares the result in the first operand with 0.
func record(name, operands string, lower func(*instr)) {
	define(name, operands, lower)
	define(name+".", operands, func(x *instr) {
		lower(x)
		x.compareZero()
	})
}

// find returns the instruction with a name. The table is made on the first call.
func find(name string) (in instruction, ok bool) {
	tabulated.Do(tabulate)
	in, ok = instructions[name]
	return in, ok
}

var tabulated sync.Once

func tabulate() {
	define("nop", "", func(*instr) {})
	for _, name := range []string{"sync", "hwsync"} {
		define(name, "", fence(tagSYNC, ir.FullFence...))
	}
	define("lwsync", "", fence(tagLWSYNC, ir.TagRR, ir.TagRW, ir.TagWW))
	define("eieio", "", fence(tagEIEIO, ir.TagWW))
	define("isync", "", fence(tagISYNC, ir.TagBranch))
	defineImmediates()
	defineArithmetic()
	defineShifts()
	defineBranches()
	defineConditions()
	defineMemory()
}

func fence(tag ir.Tag, generic ...ir.Tag) func(*instr) {
	tags := append(ir.Tags{tag}, generic...)
	return func(x *instr) { x.Emit(ir.Fence{Tags: tags}) }
}

// immediate returns operand i, a number.
func (x *instr) immediate(i int) ir.Expr { return number(x.ops[i].Imm) }

// upper returns operand i, a number, as the upper half of a word, sign-extended.
func (x *instr) upper(i int) ir.Expr {
	return number(ir.SignExtend(x.ops[i].Imm<<16&ir.Mask(32), 32))
}

func defineImmediates() {
	define("li", "rs", func(x *instr) { x.set(0, x.immediate(1)) })
	define("lis", "rh", func(x *instr) { x.set(0, x.upper(1)) })
	define("addi", "rrs", func(x *instr) { x.set(0, ir.Add.Of(x.getBase(1), x.immediate(2))) })
	define("addis", "rrh", func(x *instr) { x.set(0, ir.Add.Of(x.getBase(1), x.upper(2))) })
	define("subi", "rrs", func(x *instr) { x.set(0, ir.Sub.Of(x.getBase(1), x.immediate(2))) })
	define("la", "rm", func(x *instr) { x.set(0, x.displaced(1)) })
	// These write a carry to a register that no supported instruction reads.
	define("subfic", "rrs", func(x *instr) { x.set(0, ir.Sub.Of(x.immediate(2), x.get(1))) })
	record("addic", "rrs", func(x *instr) { x.set(0, ir.Add.Of(x.get(1), x.immediate(2))) })
	define("mulli", "rrs", func(x *instr) { x.set(0, ir.Mul.Of(x.get(1), x.immediate(2))) })
	for _, logic := range []struct {
		name, shifted string
		op            ir.BinaryOp
	}{{"ori", "oris", ir.BitOr}, {"xori", "xoris", ir.BitXor}, {"andi.", "andis.", ir.BitAnd}} {
		apply := func(x *instr, v ir.Expr) {
			x.set(0, logic.op.Of(x.get(1), v))
			if logic.op == ir.BitAnd {
				x.compareZero()
			}
		}
		define(logic.name, "rru", func(x *instr) { apply(x, x.immediate(2)) })
		define(logic.shifted, "rru", func(x *instr) { apply(x, number(x.ops[2].Imm<<16)) })
	}
}

// defineArithmetic adds arithmetic, logic, products, divisions and counts of bits. It leaves out the carry register.
func defineArithmetic() {
	two := func(name string, f func(a, b ir.Expr) ir.Expr) {
		record(name, "rrr", func(x *instr) { x.set(0, f(x.get(1), x.get(2))) })
	}
	two("add", ir.Add.Of)
	two("sub", ir.Sub.Of)
	two("subf", func(a, b ir.Expr) ir.Expr { return ir.Sub.Of(b, a) })
	two("mulld", ir.Mul.Of)
	two("mullw", func(a, b ir.Expr) ir.Expr {
		return ir.Mul.Of(ir.Widen(ir.Resize(a, 32), 64, true), ir.Widen(ir.Resize(b, 32), 64, true))
	})
	two("and", ir.BitAnd.Of)
	two("or", ir.BitOr.Of)
	two("xor", ir.BitXor.Of)
	two("andc", func(a, b ir.Expr) ir.Expr { return ir.BitAnd.Of(a, ir.Not(b)) })
	two("orc", func(a, b ir.Expr) ir.Expr { return ir.BitOr.Of(a, ir.Not(b)) })
	two("nand", func(a, b ir.Expr) ir.Expr { return ir.Not(ir.BitAnd.Of(a, b)) })
	two("nor", func(a, b ir.Expr) ir.Expr { return ir.Not(ir.BitOr.Of(a, b)) })
	two("eqv", func(a, b ir.Expr) ir.Expr { return ir.Not(ir.BitXor.Of(a, b)) })
	for name, signed := range map[string]bool{"": true, "u": false} {
		record("mulhd"+name, "rrr", func(x *instr) { x.set(0, x.HighProduct(x.get(1), x.get(2), signed, signed)) })
		// The upper half is undefined; here it is 0.
		define("mulhw"+name, "rrr",
			func(x *instr) { x.set(0, ir.Resize(x.HighProduct(x.low(1), x.low(2), signed, signed), 64)) })
	}
	one := func(name string, f func(a ir.Expr) ir.Expr) {
		record(name, "rr", func(x *instr) { x.set(0, f(x.get(1))) })
	}
	one("mr", func(a ir.Expr) ir.Expr { return a })
	one("not", ir.Not)
	one("neg", func(a ir.Expr) ir.Expr { return ir.Neg.Of(a) })
	for name, bits := range map[string]int{"w": 32, "d": 64} {
		counted := func(count func(x *instr, v ir.Expr) ir.Expr) func(*instr) {
			return func(x *instr) { x.set(0, ir.Resize(count(x, ir.Resize(x.get(1), bits)), 64)) }
		}
		record("cntlz"+name, "rr", counted(func(x *instr, v ir.Expr) ir.Expr { return x.LeadingZeros(v) }))
		record("cnttz"+name, "rr", counted(func(x *instr, v ir.Expr) ir.Expr { return x.TrailingZeros(v) }))
		define("div"+name, "rrr", divide(ir.SDiv, bits))
		define("div"+name+"u", "rrr", divide(ir.UDiv, bits))
	}
	for name, group := range map[string]int{"b": 8, "w": 32, "d": 64} { // a count for each
		define("popcnt"+name, "rr", func(x *instr) { x.set(0, x.Ones(x.get(1), group)) })
	}
	for name, bits := range map[string]int{"extsb": 8, "extsh": 16, "extsw": 32} {
		one(name, func(a ir.Expr) ir.Expr { return ir.Widen(ir.Resize(a, bits), 64, true) })
	}
}

// divide lowers the divisions. Undefined results are 0, with a remark: division by 0, and the upper half of the
// register after a division of words.
func divide(op ir.BinaryOp, bits int) func(*instr) {
	return func(x *instr) {
		a, b := x.Keep(ir.Resize(x.get(1), bits)), x.Keep(ir.Resize(x.get(2), bits))
		none := ir.Number(0, bits)
		undefined, when := ir.Eq.Of(b, none), "by 0"
		if op == ir.SDiv {
			least := ir.Number(1<<(bits-1), bits)
			undefined = ir.BitOr.Of(undefined, ir.BitAnd.Of(ir.Eq.Of(a, least), ir.Eq.Of(ir.Not(b), none)))
			when += ", or of the least number by -1,"
		}
		x.Remarkf(x.name.Pos, "%s %s has no defined result: the result here is 0", x.name.Text, when)
		x.set(0, ir.Resize(ir.Cond{If: undefined, Then: none, Else: op.Of(a, b)}, 64))
	}
}

// compareZero sets cr0 according to the sign of the result in operand 0.
func (x *instr) compareZero() { x.compare(0, x.get(0), number(0), ir.Slt) }

// compare sets a condition field. less is the order: signed or not.
func (x *instr) compare(n int, a, b ir.Expr, less ir.BinaryOp) {
	x.setField(n, less.Of(a, b), less.Of(b, a), ir.Eq.Of(a, b))
}

// defineBranches adds comparisons, branches on conditions and on bits of the condition register, and jumps through the
// link and count registers.
func defineBranches() {
	for _, c := range []struct {
		suffix   string // of the mnemonic, w or d
		bits     int
		operator ir.BinaryOp
		number   string
	}{{"w", 32, ir.Slt, "s"}, {"d", 64, ir.Slt, "s"}, {"lw", 32, ir.Ult, "u"}, {"ld", 64, ir.Ult, "u"}} {
		define("cmp"+c.suffix, "Crr", func(x *instr) {
			x.compare(int(x.ops[0].Imm), ir.Resize(x.get(1), c.bits), ir.Resize(x.get(2), c.bits), c.operator)
		})
		define("cmp"+c.suffix+"i", "Cr"+c.number, func(x *instr) {
			x.compare(int(x.ops[0].Imm), ir.Resize(x.get(1), c.bits), ir.Resize(x.immediate(2), c.bits), c.operator)
		})
	}
	branch := func(name, operands string, lower func(*instr)) {
		instructions[name] = instruction{operands: operands, branch: true, lower: lower}
	}
	branch("b", "l", func(x *instr) { x.jump(0, nil) })
	// The operands of bc are how (4: if a bit of the condition register is 0, 12: if it is 1, 20: always; the lowest
	// two bits are a hint), and which bit.
	branch("bc", "uul", func(x *instr) {
		how, bit := x.ops[0].Imm, x.ops[1].Imm
		switch {
		case bit > 31:
			x.Failf(x.ops[1].Pos, "PPC: bc wants a bit of the condition register here, from 0 to 31, not %s",
				x.ops[1].Text)
		case how == 20:
			x.jump(2, nil)
		case how&^3 == 4:
			x.jump(2, ir.Not(x.conditionBit(bit)))
		case how&^3 == 12:
			x.jump(2, x.conditionBit(bit))
		default:
			x.Failf(x.ops[0].Pos, "PPC: bc %s is not supported: want 4, where a bit is 0, 12, where it is 1, or 20",
				x.ops[0].Text)
		}
	})
	// The link register has the address of the caller, unless the test sets it.
	branch("blr", "", func(x *instr) { x.JumpTo(x.Value(x.link), x.name, true) })
	branch("bctr", "", func(x *instr) { x.JumpTo(x.Value(x.count), x.name, false) })
	for name, of := range map[string]func(*instr) int{
		"lr": func(x *instr) int { return x.link }, "ctr": func(x *instr) int { return x.count },
	} {
		define("mt"+name, "r", func(x *instr) { x.Assign(of(x), x.get(0)) })
		define("mf"+name, "r", func(x *instr) { x.set(0, x.Value(of(x))) })
	}
	define("mfcr", "r", func(x *instr) {
		all := number(0)
		for n := range fieldsOfCR {
			all = ir.BitOr.Of(all, x.fieldBits(n))
		}
		x.set(0, all)
	})
	for _, c := range []struct {
		is, isNot []string
		of        func(field) int
	}{
		{[]string{"eq"}, []string{"ne"}, func(f field) int { return f.equal }},
		{[]string{"lt"}, []string{"ge", "nl"}, func(f field) int { return f.less }},
		{[]string{"gt"}, []string{"le", "ng"}, func(f field) int { return f.greater }},
	} {
		of := func(x *instr) ir.Expr { return x.Value(c.of(x.field(int(x.ops[0].Imm)))) }
		for _, name := range c.is {
			branch("b"+name, "Cl", func(x *instr) { x.jump(1, of(x)) })
			branch("b"+name+"lr", "C", func(x *instr) { x.returns(of(x)) })
		}
		for _, name := range c.isNot {
			branch("b"+name, "Cl", func(x *instr) { x.jump(1, ir.Not(of(x))) })
			branch("b"+name+"lr", "C", func(x *instr) { x.returns(ir.Not(of(x))) })
		}
	}
}

// defineConditions adds instructions that copy fields of the condition register, choose by its bits, or count in the
// count register.
func defineConditions() {
	// mfocrf has one field, which its mask selects; the rest, which is undefined, is 0 here.
	define("mfocrf", "r8", func(x *instr) {
		n := bits.LeadingZeros8(uint8(x.ops[1].Imm))
		if bits.OnesCount64(x.ops[1].Imm) != 1 {
			x.Failf(
				x.ops[1].Pos,
				"PPC: mfocrf wants a mask of one field here, such as 128 for cr0, not %s",
				x.ops[1].Text,
			)
			return
		}
		x.set(0, x.fieldBits(n))
	})
	define("mcrf", "cc", func(x *instr) {
		to, from := x.field(int(x.ops[0].Imm)), x.field(int(x.ops[1].Imm))
		for _, b := range [][2]int{{to.less, from.less}, {to.greater, from.greater}, {to.equal, from.equal}} {
			x.Assign(b[0], x.Value(b[1]))
		}
	})
	// isel copies the first source, where r0 means 0, if a bit of the condition register is 1, and else the second.
	selects := func(x *instr, cond ir.Expr) {
		x.set(0, ir.Cond{If: cond, Then: x.getBase(1), Else: x.get(2)})
	}
	define("isel", "rbr5", func(x *instr) { selects(x, x.conditionBit(x.ops[3].Imm)) })
	for bit, name := range []string{"isellt", "iselgt", "iseleq"} {
		define(name, "rbr", func(x *instr) { selects(x, x.conditionBit(uint64(bit))) })
	}
	for name, zero := range map[string]bool{"bdnz": false, "bdz": true} {
		instructions[name] = instruction{operands: "l", branch: true, lower: func(x *instr) {
			x.Assign(x.count, ir.Sub.Of(x.Value(x.count), number(1)))
			done := ir.Eq.Of(x.Value(x.count), number(0))
			if !zero {
				done = ir.Not(done)
			}
			x.jump(0, done)
		}}
	}
}

// fieldBits returns a field of the condition register in the place that it has there. The fourth bit, for overflow, is
// never set.
func (x *instr) fieldBits(n int) ir.Expr {
	f, all := x.field(n), number(0)
	for i, bit := range []int{f.less, f.greater, f.equal} {
		at := ir.Number(uint64(31-4*n-i), 64)
		all = ir.BitOr.Of(all, ir.Shl.Of(ir.Resize(x.Value(bit), 64), at))
	}
	return all
}

// conditionBit returns a bit of the condition register. Each field has four bits; the last, for overflow, is never set.
func (x *instr) conditionBit(n uint64) ir.Expr {
	f := x.field(int(n / 4))
	if n%4 == 3 {
		return ir.Number(0, 1)
	}
	return x.Value([]int{f.less, f.greater, f.equal}[n%4])
}

// returns branches through the link register if cond is 1.
func (x *instr) returns(cond ir.Expr) {
	x.When(cond, func() { x.JumpTo(x.Value(x.link), x.name, true) })
}

// jump branches to operand i, a label, if cond is 1.
func (x *instr) jump(i int, cond ir.Expr) {
	x.Jump(cond, x.ops[i].Word)
}
