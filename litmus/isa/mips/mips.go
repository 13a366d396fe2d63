// Package mips lowers MIPS litmus tests: MIPS64 assembly language, destination first except for stores ("ori $2,$0,1",
// "lw $3,0($4)", "sw $3,0($4)"). Semantics follow MIPS Architecture for Programmers, volume II. [Dialect] implements
// lower.Dialect.
//
// Registers have the names $0 to $31, or those of their use, with $ or without (v0, $a0, zero); outcomes show numbers.
// $a4 to $a7 are registers beside the 32. Registers have 64 bits, and instructions on words extend the sign of their
// result. Branches have no delay slot, as in code whose slots the assembler fills.
//
// It imports litmus, litmus/ir and litmus/lower: no model and no solver.
package mips

import (
	"strconv"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Dialect implements lower.Dialect for MIPS.
type Dialect struct{}

// Archs implements lower.Dialect.
func (Dialect) Archs() []string { return []string{"MIPS"} }

const (
	tagSYNC ir.Tag = "SYNC"
	tagX    ir.Tag = "X" // of load-linked and store-conditional
)

// Tags implements lower.Dialect.
func (Dialect) Tags() []ir.Tag { return []ir.Tag{tagSYNC, tagX} }

// Lower implements lower.Dialect. Addresses fit in a word, so that arithmetic on
// words also works on addresses.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	l := &lowerer{Builder: lower.NewBuilder(Dialect{}, t)}
	l.PointerBits, l.WordBits, l.Symbolic = 32, 32, true
	l.OneWidth = "MIPS machines can have either byte order, so MIPS tests do not support accesses of mixed size"
	l.Register = register
	l.RegisterBits = func(string) int { return 64 }
	l.Declare()
	l.checkZero()
	l.Lines(func() { l.hi, l.lo = l.Temp(64), l.Temp(64) }, l.instruction)
	return l.Finish()
}

// uses are the registers' conventional names, in the order of their numbers.
var uses = []string{
	"zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7",
	"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra",
}

// views maps every register name to the register's view.
var views = sync.OnceValue(func() map[string]lower.RegisterView {
	m := map[string]lower.RegisterView{}
	add := func(print string, names ...string) {
		for _, name := range names {
			m[name] = lower.RegisterView{Whole: print, Print: print, Bits: 64}
		}
	}
	for i, name := range uses {
		print := "$" + strconv.Itoa(i)
		add(print, print, name, "$"+name)
	}
	for _, name := range []string{"a4", "a5", "a6", "a7"} {
		add("$"+name, name, "$"+name)
	}
	add("$30", "s8", "$s8")
	return m
})

func register(name string) (lower.RegisterView, bool) {
	v, ok := views()[strings.ToLower(name)]
	return v, ok
}

// checkZero reports initial values of $0, which is always 0.
func (l *lowerer) checkZero() {
	for _, item := range l.Test.Init {
		v, _ := register(item.Target.Name)
		if item.Target.IsRegister() && v.Whole == "$0" && len(item.Values) == 1 &&
			item.Values[0] != (litmus.Literal{Pos: item.Values[0].Pos}) {
			l.Failf(item.Pos, "MIPS: %s is always 0", item.Target.Name)
		}
	}
}

// lowerer lowers one test.
type lowerer struct {
	*lower.Builder
	hi, lo int // in the current thread: the registers for products
}

func (l *lowerer) instruction(cell litmus.Cell) {
	mnemonic, words := cell.Split()
	in, ok := find(strings.ToLower(mnemonic.Text))
	if !ok {
		l.Unknown(mnemonic, lower.WhyNot(features, strings.ToLower(mnemonic.Text)))
		return
	}
	if ops, ok := l.Operands(mnemonic, in.operands, kinds, words); ok {
		in.lower(&instr{lowerer: l, name: mnemonic, ops: ops})
	}
}

// instr is one instruction being lowered.
type instr struct {
	*lowerer
	name litmus.Word
	ops  []lower.Operand
}

// get returns the value of operand i, a register.
func (x *instr) get(i int) ir.Expr {
	if x.ops[i].Reg == "$0" {
		return number(0)
	}
	return x.Value(x.Reg(x.ops[i].Reg))
}

// set writes operand i, a register; $0 stays 0.
func (x *instr) set(i int, v ir.Expr) {
	if x.ops[i].Reg != "$0" {
		x.Assign(x.Reg(x.ops[i].Reg), v)
	}
}

func number(v uint64) ir.Expr { return ir.Number(v, 64) }

// kinds are the kinds of operands, by the letters of an instruction's shape.
var kinds = map[byte]lower.Kind{
	'r': lower.ARegister,
	'm': lower.AnAddress("an address such as 0($4), with a number of 16 bits in front,", -1<<15, 1<<15-1),
	's': signExtended(16, lower.ANumber(-1<<15, 1<<16-1)), // may also be written unsigned, 0xffff for -1
	'u': lower.ANumber(0, 1<<16-1),
	'w': signExtended(32, lower.ANumber(-1<<31, 1<<32-1)), // the range of li
	'5': lower.ANumber(0, 31),
	'6': lower.ANumber(0, 63),
	'z': lower.ANumber(1, 32),
	'Z': lower.ANumber(1, 64),
	'l': lower.ALabel,
}

// signExtended extends the sign of a number with the given number of bits.
func signExtended(bits int, k lower.Kind) lower.Kind {
	return lower.Kind{Want: k.Want, Read: func(b *lower.Builder, o *lower.Operand) bool {
		ok := k.Read(b, o)
		o.Imm = ir.SignExtend(o.Imm, bits)
		return ok
	}}
}
