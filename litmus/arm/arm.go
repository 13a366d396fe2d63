// Package arm lowers ARM litmus tests: Arm's 32-bit instruction set as of Armv7, in
// the order and spelling of its assembler ("LDR R1,[R0,#4]", destination first but for
// stores). Any instruction may carry a condition behind its name ("MOVWEQ R1,#2").
// Semantics follow the Arm Architecture Reference Manual, Armv7-A edition (DDI 0406),
// chapters A8 and A3.
//
// Fences carry a tag such as DMB.SY, DSB.ISHST or ISB, exclusive accesses X.
//
// The package may import litmus, litmus/ir, litmus/lower and litmus/nzcv.
package arm

import (
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
	"litmuscope/litmus/nzcv"
)

// Dialect implements lower.Dialect.
type Dialect struct{}

// Archs implements lower.Dialect.
func (Dialect) Archs() []string { return []string{"ARM"} }

const (
	tagISB ir.Tag = "ISB"
	tagX   ir.Tag = "X"
)

// Tags implements lower.Dialect.
func (Dialect) Tags() []ir.Tag {
	tags := []ir.Tag{tagISB, tagX}
	for option := range barriers {
		tags = append(tags, ir.Tag("DMB."+option), ir.Tag("DSB."+option))
	}
	return tags
}

// Lower implements lower.Dialect.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	l := &lowerer{Builder: lower.NewBuilder(t)}
	l.PointerBits, l.WordBits, l.Symbolic = word, word, true
	l.Register = register
	l.RegisterBits = func(string) int { return word }
	l.Declare()
	for i, c := range t.Threads {
		l.flags = append(l.flags, l.Temp(i, nzcv.Bits))
		l.thread(i, c)
	}
	return l.Finish()
}

// word is the width of a register.
const word = 32

// lowerer lowers one test.
type lowerer struct {
	*lower.Builder
	flags []int // per thread: the register of its condition flags
}

// aliases are the registers that have a name beside their number.
var aliases = map[string]string{"FP": "R11", "IP": "R12", "SP": "R13", "LR": "R14", "PC": "R15"}

func register(name string) (v lower.RegisterView, ok bool) {
	up := strings.ToUpper(name)
	if whole, ok := aliases[up]; ok {
		up = whole
	}
	digits, named := strings.CutPrefix(up, "R")
	n, err := strconv.Atoi(digits)
	if !named || err != nil || n < 0 || n > 15 || strconv.Itoa(n) != digits {
		return v, false
	}
	return lower.RegisterView{Whole: up, Print: up, Bits: word}, true
}

func (l *lowerer) thread(t int, c litmus.Thread) {
	for i, cell := range c.Cells {
		labels, mnemonic, operands := cell.Split()
		for _, w := range labels {
			l.Label(t, w.Text, w.Pos)
		}
		if mnemonic.Text != "" {
			x := &instr{lowerer: l, t: t, source: i, name: mnemonic, ops: operands, when: nzcv.Always}
			x.lower()
		}
	}
}

// instr is one instruction being lowered.
type instr struct {
	*lowerer
	t, source int
	name      litmus.Word
	ops       []litmus.Word
	when      nzcv.Condition
	failed    bool
}

// instruction describes a mnemonic.
type instruction struct {
	least, most int  // operands
	conditional bool // may be skipped by a condition
	lower       func(*instr)
}

var instructions = map[string]instruction{}

func init() {
	defineData()
	defineAccesses()
	defineControl()
}

func (x *instr) lower() {
	in, ok := x.find(strings.ToUpper(x.name.Text))
	if !ok {
		x.Failf(x.name.Pos, "ARM: unknown instruction %s", x.name.Text)
		return
	}
	if n := len(x.ops); n < in.least || n > in.most {
		x.Failf(x.name.Pos, "ARM: %s has %d operands, want %s", x.name.Text, n, counted(in.least, in.most))
		return
	}
	if x.when != nzcv.Always && !in.conditional {
		x.Failf(x.name.Pos, "ARM: %s: a condition on this instruction is not supported", x.name.Text)
		return
	}
	in.lower(x)
}

// find looks a mnemonic up, with a condition behind it or without.
func (x *instr) find(name string) (instruction, bool) {
	if in, ok := instructions[name]; ok {
		return in, true
	}
	if len(name) < 3 {
		return instruction{}, false
	}
	c, ok := nzcv.Conditions[name[len(name)-2:]]
	x.when = c
	in, found := instructions[name[:len(name)-2]]
	return in, ok && found
}

func counted(least, most int) string {
	if least == most {
		return strconv.Itoa(most)
	}
	return strconv.Itoa(least) + " to " + strconv.Itoa(most)
}

// fail reports operand i, once for an instruction.
func (x *instr) fail(i int, format string, args ...any) {
	if x.failed {
		return
	}
	x.failed = true
	pos := x.name.Pos
	if i < len(x.ops) {
		pos = x.ops[i].Pos
	}
	x.Failf(pos, "ARM: %s: "+format, append([]any{x.name.Text}, args...)...)
}

func (x *instr) emit(op ir.Op) { x.Emit(x.t, x.source, op) }

func (x *instr) keep(v ir.Expr) ir.Expr {
	tmp := x.Temp(x.t, v.Width())
	x.emit(ir.Assign{Dst: tmp, Value: v})
	return ir.Reg{Index: tmp, Bits: v.Width()}
}

func (x *instr) flagsNow() ir.Expr { return ir.Reg{Index: x.flags[x.t], Bits: nzcv.Bits} }

// set gives register r of the thread a value, if the instruction's condition holds.
func (x *instr) set(r int, v ir.Expr) {
	if x.when != nzcv.Always {
		v = ir.Cond{If: x.when.Holds(x.flagsNow()), Then: v, Else: ir.Reg{Index: r, Bits: v.Width()}}
	}
	x.emit(ir.Assign{Dst: r, Value: v})
}

func constant(v uint64) ir.Expr { return ir.Const{Value: v & ir.Mask(word), Bits: word} }

func binary(op ir.BinaryOp, a, b ir.Expr) ir.Expr {
	return ir.Binary{Op: op, X: a, Y: b}
}
