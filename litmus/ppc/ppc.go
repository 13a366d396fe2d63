// Package ppc lowers PPC litmus tests: the 64-bit Power architecture in IBM's
// assembly language, destination first ("li r1,1", "stw r1,0(r5)", "lwzx r3,r1,r2").
//
// Registers r0 to r31 have 64 bits; words are 32 bits, and what loads them says
// whether the rest becomes zeros (lwz) or the sign (lwa). The condition register's
// fields cr0 to cr7 hold the results of comparisons. Semantics follow the Power ISA,
// version 3.0, books I and II.
//
// The package may import litmus, litmus/ir and litmus/lower.
package ppc

import (
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Dialect implements lower.Dialect for PPC.
type Dialect struct{}

// Archs implements lower.Dialect.
func (Dialect) Archs() []string { return []string{"PPC"} }

const (
	tagSYNC   ir.Tag = "SYNC"
	tagLWSYNC ir.Tag = "LWSYNC"
	tagEIEIO  ir.Tag = "EIEIO"
	tagISYNC  ir.Tag = "ISYNC"
	tagX      ir.Tag = "X" // of an access with a reservation
)

// Tags implements lower.Dialect.
func (Dialect) Tags() []ir.Tag { return []ir.Tag{tagSYNC, tagLWSYNC, tagEIEIO, tagISYNC, tagX} }

// Lower implements lower.Dialect.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	l := &lowerer{Builder: lower.NewBuilder(t)}
	l.PointerBits, l.WordBits, l.Symbolic = 64, 32, true
	l.Register = register
	l.RegisterBits = func(string) int { return 64 }
	l.Declare()
	for i, c := range t.Threads {
		l.thread(i, c)
	}
	return l.Finish()
}

// register reads r0 to r31.
func register(name string) (lower.RegisterView, bool) {
	if len(name) < 2 || len(name) > 3 || name[0] != 'r' && name[0] != 'R' {
		return lower.RegisterView{}, false
	}
	n, err := strconv.ParseUint(name[1:], 10, 8)
	if err != nil || n > 31 || name[1] == '0' && len(name) == 3 {
		return lower.RegisterView{}, false
	}
	name = strings.ToLower(name)
	return lower.RegisterView{Whole: name, Print: name, Bits: 64}, true
}

// lowerer lowers one test.
type lowerer struct {
	*lower.Builder
	t      int
	fields map[int]field // of the thread at hand: the condition register's, by number
}

// field is a field of the condition register: a register of one bit for each of its
// bits that branches look at.
type field struct{ less, greater, equal int }

func (l *lowerer) thread(t int, c litmus.Thread) {
	l.t, l.fields = t, map[int]field{}
	for i, cell := range c.Cells {
		labels, mnemonic, operands := cell.Split()
		for _, w := range labels {
			l.Label(t, w.Text, w.Pos)
		}
		if mnemonic.Text != "" {
			l.instruction(i, mnemonic, operands)
		} else if len(labels) == 0 {
			l.Failf(cell.Pos, "PPC: want an instruction, got %q", cell.Text)
		}
	}
}

func (l *lowerer) instruction(source int, mnemonic litmus.Word, operands []litmus.Word) {
	name := strings.ToLower(mnemonic.Text)
	in, ok := instructions[name]
	if !ok { // the hint whether a branch is likely to be taken
		if in, ok = instructions[strings.TrimRight(name, "+-")]; !ok || !in.branch {
			l.Failf(mnemonic.Pos, "PPC: unknown instruction %s", mnemonic.Text)
			return
		}
	}
	x := &instr{lowerer: l, source: source, name: mnemonic.Text, pos: mnemonic.Pos}
	if x.operands(in.operands, operands) {
		in.lower(x)
	}
}

// instr is one instruction being lowered.
type instr struct {
	*lowerer
	source int
	name   string // as written
	pos    litmus.Pos
	ops    []operand
}

func (x *instr) emit(op ir.Op) { x.Emit(x.t, x.source, op) }

// get is the value of register operand i.
func (x *instr) get(i int) ir.Expr {
	return ir.Reg{Index: x.Reg(x.t, x.ops[i].reg), Bits: 64}
}

// getBase is the value of register operand i, where r0 stands for the number 0.
func (x *instr) getBase(i int) ir.Expr {
	if x.ops[i].reg == "r0" {
		return number(0)
	}
	return x.get(i)
}

// low is the low word of register operand i.
func (x *instr) low(i int) ir.Expr { return ir.Resize(x.get(i), 32) }

func (x *instr) set(i int, v ir.Expr) {
	x.emit(ir.Assign{Dst: x.Reg(x.t, x.ops[i].reg), Value: v})
}

// keep puts a value in a temporary.
func (x *instr) keep(v ir.Expr) ir.Expr {
	tmp := x.Temp(x.t, v.Width())
	x.emit(ir.Assign{Dst: tmp, Value: v})
	return ir.Reg{Index: tmp, Bits: v.Width()}
}

// field is the condition register's field of a number.
func (x *instr) field(n int) field {
	f, ok := x.fields[n]
	if !ok {
		f = field{x.Temp(x.t, 1), x.Temp(x.t, 1), x.Temp(x.t, 1)}
		x.fields[n] = f
	}
	return f
}

func (x *instr) setField(n int, less, greater, equal ir.Expr) {
	f := x.field(n)
	x.emit(ir.Assign{Dst: f.less, Value: less})
	x.emit(ir.Assign{Dst: f.greater, Value: greater})
	x.emit(ir.Assign{Dst: f.equal, Value: equal})
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
