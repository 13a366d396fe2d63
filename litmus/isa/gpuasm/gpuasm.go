// Package gpuasm has what PTX and the assembly language of Vulkan's tests have in common: mnemonics of parts between
// dots, operands that are registers, numbers or locations, arithmetic, branches, and control barriers. An [Instr] is
// one instruction being lowered. [Common] has the instructions that both have.
//
// Registers r0 to r255 and locations have 32 bits.
//
// It imports litmus, litmus/ir and litmus/lower: no model and no solver.
package gpuasm

import (
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Bits is the width of registers and locations.
const Bits = 32

const pointerBits = 64

// Register parses a register: r0, r1 …, also with % in front.
func Register(name string) (lower.RegisterView, bool) {
	digits, ok := strings.CutPrefix(strings.TrimPrefix(name, "%"), "r")
	if n, err := strconv.Atoi(digits); !ok || err != nil || n < 0 || n > 255 || strconv.Itoa(n) != digits {
		return lower.RegisterView{}, false
	}
	return lower.RegisterView{Whole: "r" + digits, Print: "r" + digits, Bits: Bits}, true
}

// NewBuilder starts lowering a test.
func NewBuilder(d lower.Dialect, t *litmus.Test) *lower.Builder {
	b := lower.NewBuilder(d, t)
	b.PointerBits, b.WordBits = pointerBits, Bits
	b.Register = Register
	b.RegisterBits = func(string) int { return Bits }
	return b
}

// Instr is one instruction being lowered: its mnemonic, the parts of that in lower case, and its operands.
type Instr struct {
	*lower.Builder
	Name  litmus.Word
	Parts []string
	Ops   []litmus.Word

	Computed bool // some control barrier of the test has its number in a register
	bad      bool // an error has been reported
}

// Read splits an instruction.
func Read(b *lower.Builder, cell litmus.Cell) *Instr {
	mnemonic, ops := cell.Split()
	return &Instr{Builder: b, Name: mnemonic, Parts: strings.Split(strings.ToLower(mnemonic.Text), "."), Ops: ops}
}

// Instruction is a kind of instruction, with the numbers of operands that it may have.
type Instruction struct {
	Least, Most int
	Lower       func(*Instr)
}

// Fail reports the first error of an instruction.
func (x *Instr) Fail(pos litmus.Pos, format string, args ...any) {
	if !x.bad {
		x.bad = true
		x.Failf(pos, x.Test.Arch+": "+format, args...)
	}
}

// To returns the register that an operand names.
func (x *Instr) To(i int) int {
	v, ok := x.FindRegister(x.Ops[i].Text)
	if !ok {
		x.Fail(x.Ops[i].Pos, "%s wants a register here, such as r0, got %q", x.Name.Text, x.Ops[i].Text)
		return x.Temp(Bits)
	}
	return x.Reg(v.Whole)
}

// Get returns the value of an operand, a register or a number.
func (x *Instr) Get(i int) ir.Expr {
	if _, ok := x.FindRegister(x.Ops[i].Text); ok {
		return x.Value(x.To(i))
	}
	v, err := litmus.ParseNumber(x.Ops[i].Text)
	if err != nil || v > ir.Mask(Bits) && v != ir.SignExtend(v&ir.Mask(Bits), Bits) {
		x.Fail(x.Ops[i].Pos, "%s wants a register or a number of 32 bits here, got %q", x.Name.Text, x.Ops[i].Text)
	}
	return ir.Number(v, Bits)
}

// IsNumber reports whether an operand is written as a number.
func (x *Instr) IsNumber(i int) bool {
	c := x.Ops[i].Text
	return c != "" && (c[0] >= '0' && c[0] <= '9' || c[0] == '-' || c[0] == '+')
}

// Location returns the address of the location that an operand names, in brackets or not, the proxy of that name, and
// the tag of accesses by a name that is an alias.
func (x *Instr) Location(i int) (addr ir.Expr, proxy string, tags ir.Tags) {
	w := x.Ops[i]
	name := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(w.Text, "["), "]"))
	if !litmus.IsLabel(name) || name[0] >= '0' && name[0] <= '9' {
		x.Fail(w.Pos, "%s wants a location here, such as x, got %q", x.Name.Text, w.Text)
		return ir.Number(0, pointerBits), litmus.DefaultProxy, nil
	}
	if _, is := Register(name); is {
		x.Fail(w.Pos, "%s: addresses in registers are not supported: name the location", x.Name.Text)
	}
	proxy, tags = x.Alias(name)
	loc := x.Loc(name)
	x.Accessed(loc, Bits)
	return ir.Addr{Loc: loc, Bits: pointerBits}, proxy, tags
}

// Constant reads an operand that must be a number of a range.
func (x *Instr) Constant(i int, what string, least, most int64) int {
	text := strings.TrimLeft(x.Ops[i].Text, "0")
	if text == "" || text[0] == 'x' || text[0] == 'b' {
		text = "0" + text
	}
	v, err := litmus.ParseNumber(text)
	if !x.IsNumber(i) || err != nil || int64(v) < least || int64(v) > most {
		x.Fail(x.Ops[i].Pos, "%s wants %s here, from %d to %d, got %q", x.Name.Text, what, least, most, x.Ops[i].Text)
		return int(least)
	}
	return int(v)
}

// JumpIf emits a jump to the label that an operand names.
func (x *Instr) JumpIf(cond ir.Expr, to int) {
	if !x.IsTarget(x.Ops[to].Text) {
		x.Fail(x.Ops[to].Pos, "%s wants a label here, got %q", x.Name.Text, x.Ops[to].Text)
		return
	}
	x.Jump(cond, x.Ops[to])
}

// Plain rejects parts of a mnemonic beyond the first.
func (x *Instr) Plain() { x.Unread(x.Parts[1:]) }

// Unread rejects parts of a mnemonic that nothing has read.
func (x *Instr) Unread(parts []string) {
	for _, part := range parts {
		x.Fail(x.Name.Pos, "%s: unknown part .%s", x.Name.Text, part)
	}
}

// Updates are the operations of atomic updates, as functions of the old value and the operand.
var Updates = map[string]func(old, v ir.Expr) ir.Expr{
	"add": ir.Add.Of, "sub": ir.Sub.Of, "and": ir.BitAnd.Of, "or": ir.BitOr.Of, "xor": ir.BitXor.Of,
	"exch": func(_, v ir.Expr) ir.Expr { return v },
	"min":  func(old, v ir.Expr) ir.Expr { return ir.Cond{If: ir.Slt.Of(v, old), Then: v, Else: old} },
	"max":  func(old, v ir.Expr) ir.Expr { return ir.Cond{If: ir.Slt.Of(old, v), Then: v, Else: old} },
}

// Update emits a read-modify-write. The old value goes to a register, unless that is -1.
func (x *Instr) Update(dst int, addr, next, cond ir.Expr, read, write ir.Tags) {
	old := x.Temp(Bits)
	x.Emit(ir.RMW{Dst: old, Addr: addr, Bits: Bits, New: next, If: cond, Tags: read, WriteTags: write})
	if dst >= 0 {
		x.Assign(dst, x.Value(old))
	}
}

// ComputesBarriers reports whether a call of a control barrier in the test has its number in a register.
func ComputesBarriers(t *litmus.Test, mnemonics ...string) bool {
	for _, th := range t.Threads {
		for _, cell := range th.Cells {
			_, rest := cell.Labels()
			mnemonic, operands := rest.Split()
			first, _, _ := strings.Cut(strings.ToLower(mnemonic.Text), ".")
			for _, m := range mnemonics {
				if first == m && len(operands) > 1 {
					if _, is := Register(operands[1].Text); is {
						return true
					}
				}
			}
		}
	}
	return false
}

// Control emits a call of a control barrier, whose operands are the number of the instance, that of the barrier, and
// that of threads. Calls of one instance meet. The barrier's number may be in a register.
func (x *Instr) Control(bar ir.Barrier, tags ir.Tags) {
	bar.Instance = x.Constant(0, "the number of the instance", 0, 1<<16)
	if len(x.Ops) == 3 {
		bar.Quorum = x.Constant(2, "the number of threads", 1, litmus.MaxThreads)
	}
	var number ir.Expr
	if len(x.Ops) > 1 {
		if _, is := x.FindRegister(x.Ops[1].Text); is {
			number = x.BarrierNumber(x.Get(1))
		} else {
			bar.Number = 1 + x.Constant(1, "the number of the barrier", 0, lower.BarrierNumbers-1)
			if x.Computed {
				number = x.BarrierNumber(ir.Number(uint64(bar.Number-1), Bits))
			}
		}
		if x.Computed {
			bar.Number = 0
		}
	}
	x.Barrier(bar, tags, number)
}

// Common are the instructions that work on registers alone, and jumps.
var Common = map[string]Instruction{
	"mov": {2, 2, func(x *Instr) { x.Plain(); x.Assign(x.To(0), x.Get(1)) }},
	"add": arithmetic(ir.Add), "sub": arithmetic(ir.Sub), "and": arithmetic(ir.BitAnd), "or": arithmetic(ir.BitOr),
	"xor": arithmetic(ir.BitXor), "mul": arithmetic(ir.Mul),
	"beq": branch(ir.Eq, false, false), "bne": branch(ir.Eq, true, false),
	"blt": branch(ir.Slt, false, false), "bge": branch(ir.Slt, true, false),
	"bgt": branch(ir.Slt, false, true), "ble": branch(ir.Slt, true, true),
	"goto": {1, 1, func(x *Instr) { x.Plain(); x.JumpIf(nil, 0) }},
}

func arithmetic(op ir.BinaryOp) Instruction {
	return Instruction{3, 3, func(x *Instr) {
		x.Plain()
		x.Assign(x.To(0), op.Of(x.Get(1), x.Get(2)))
	}}
}

// branch compares two operands, swapped or not, and goes to the third; negated, it does so if the comparison fails.
func branch(op ir.BinaryOp, negated, swapped bool) Instruction {
	return Instruction{3, 3, func(x *Instr) {
		x.Plain()
		a, b := x.Get(0), x.Get(1)
		if swapped {
			a, b = b, a
		}
		cond := op.Of(a, b)
		if negated {
			cond = ir.Not(cond)
		}
		x.JumpIf(cond, 2)
	}}
}

// Forms are the words for the common instructions.
var Forms = [][3]string{
	{"add", "r0, r1, 1", "adds"},
	{"sub", "r0, r1, 1", "subtracts"},
	{"and", "r0, r1, 1", "bitwise and"},
	{"or", "r0, r1, 1", "bitwise or"},
	{"xor", "r0, r1, r1", "bitwise exclusive or; of a register with itself: 0, with a dependency on it"},
	{"mul", "r0, r1, 2", "multiplies"},
	{"mov", "r0, 1", "copies a register or a number"},
	{
		"b<eq=equal to|ne=not equal to|lt=less than|ge=at least|gt=greater than|le=at most>", "r0, 1, L0",
		"jumps to a label if the first is $1 the second",
	},
	{"goto", "L0", "jumps to a label"},
}

// Registers lists registers for completions.
func Registers() (out []string) {
	for n := range 16 {
		out = append(out, "r"+strconv.Itoa(n))
	}
	return out
}
