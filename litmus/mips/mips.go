// Package mips lowers MIPS litmus tests: MIPS64 assembly language, destination first
// but for stores ("ori $2,$0,1", "lw $3,0($4)", "sw $3,0($4)").
//
// Registers are named $0 to $31, or by their use, with $ or without (v0, $a0, zero);
// final states print numbers. $a4 to $a7 are registers beside the 32. Registers have
// 64 bits, and instructions on words leave their result with its sign extended.
// Branches have no delay slot, as where the assembler fills it. Semantics follow
// MIPS Architecture for Programmers, volume II.
//
// The package may import litmus, litmus/ir and litmus/lower.
package mips

import (
	"strconv"
	"strings"

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
// words works on them too.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	l := &lowerer{Builder: lower.NewBuilder(t)}
	l.PointerBits, l.WordBits, l.Symbolic = 32, 32, true
	l.Register = register
	l.RegisterBits = func(string) int { return 64 }
	l.Declare()
	l.checkZero()
	for i, c := range t.Threads {
		l.thread(i, c)
	}
	return l.Finish()
}

// uses are the registers' names by their use, in the order of their numbers.
var uses = []string{
	"zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7",
	"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra",
}

// views is every register name to what it stands for.
var views = func() map[string]lower.RegisterView {
	m := map[string]lower.RegisterView{}
	add := func(print string, names ...string) {
		for _, name := range names {
			m[name] = lower.RegisterView{Whole: print, Print: print, Bits: 64}
		}
	}
	for i, name := range uses {
		number := "$" + strconv.Itoa(i)
		add(number, number, name, "$"+name)
	}
	for _, name := range []string{"a4", "a5", "a6", "a7"} {
		add("$"+name, name, "$"+name)
	}
	add("$30", "s8", "$s8")
	return m
}()

func register(name string) (lower.RegisterView, bool) {
	v, ok := views[strings.ToLower(name)]
	return v, ok
}

// checkZero reports initial values of $0, which is always 0.
func (l *lowerer) checkZero() {
	for _, item := range l.Test.Init {
		v, _ := register(item.Target.Name)
		if item.Target.IsRegister() && v.Whole == "$0" && len(item.Values) == 1 && item.Values[0] != (litmus.Literal{Pos: item.Values[0].Pos}) {
			l.Failf(item.Pos, "MIPS: %s is always 0", item.Target.Name)
		}
	}
}

// lowerer lowers one test.
type lowerer struct {
	*lower.Builder
}

func (l *lowerer) thread(t int, c litmus.Thread) {
	for i, cell := range c.Cells {
		labels, mnemonic, operands := cell.Split()
		for _, w := range labels {
			l.Label(t, w.Text, w.Pos)
		}
		if mnemonic.Text == "" {
			continue
		}
		in, ok := instructions[strings.ToLower(mnemonic.Text)]
		if !ok {
			l.Failf(mnemonic.Pos, "MIPS: unknown instruction %s", mnemonic.Text)
			continue
		}
		x := &instr{lowerer: l, t: t, source: i, name: mnemonic.Text, pos: mnemonic.Pos}
		if x.operands(in.operands, operands) {
			in.lower(x)
		}
	}
}

// instr is one instruction being lowered.
type instr struct {
	*lowerer
	t, source int
	name      string // as written
	pos       litmus.Pos
	ops       []operand
}

func (x *instr) emit(op ir.Op) { x.Emit(x.t, x.source, op) }

// get is the value of register operand i.
func (x *instr) get(i int) ir.Expr {
	if x.ops[i].reg == "$0" {
		return number(0)
	}
	return ir.Reg{Index: x.Reg(x.t, x.ops[i].reg), Bits: 64}
}

// set writes register operand i; $0 stays as it is.
func (x *instr) set(i int, v ir.Expr) {
	if x.ops[i].reg != "$0" {
		x.emit(ir.Assign{Dst: x.Reg(x.t, x.ops[i].reg), Value: v})
	}
}

func number(v uint64) ir.Expr { return ir.Const{Value: v, Bits: 64} }

func binary(op ir.BinaryOp, a, b ir.Expr) ir.Expr {
	return ir.Binary{Op: op, X: a, Y: b}
}

func not(e ir.Expr) ir.Expr { return ir.Unary{Op: ir.BitNot, X: e} }

// widen fills a register with a narrower value.
func widen(e ir.Expr, signed bool) ir.Expr {
	if e.Width() == 64 {
		return e
	}
	return ir.Extend{X: e, Bits: 64, Signed: signed}
}
