// Package aarch64 lowers AArch64 litmus tests: Arm's 64-bit instruction set, in the
// order and spelling of its assembler ("STR W0,[X1]", destination first but for
// stores). Semantics follow the Arm Architecture Reference Manual for A-profile (DDI
// 0487), chapters C6 and B2.
//
// Accesses carry the tags A (acquire), Q (acquire, RCpc), L (release), X (exclusive),
// AMO (both halves of an atomic instruction), CAS (those of a compare-and-swap) and
// NoRet (a read whose value goes nowhere); fences one such as DMB.ISHLD or ISB.
//
// What only system software does is refused by name: page tables, memory tags,
// instructions as data, exceptions.
//
// The package may import litmus, litmus/ir, litmus/lower and litmus/nzcv.
package aarch64

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
	"litmuscope/litmus/nzcv"
)

// Dialect implements lower.Dialect.
type Dialect struct{}

// Archs implements lower.Dialect.
func (Dialect) Archs() []string { return []string{"AArch64"} }

const (
	tagA     ir.Tag = "A"
	tagQ     ir.Tag = "Q"
	tagL     ir.Tag = "L"
	tagX     ir.Tag = "X"
	tagAMO   ir.Tag = "AMO"
	tagCAS   ir.Tag = "CAS"
	tagNoRet ir.Tag = "NoRet"
	tagISB   ir.Tag = "ISB"
)

// Tags implements lower.Dialect.
func (Dialect) Tags() []ir.Tag {
	tags := []ir.Tag{tagA, tagQ, tagL, tagX, tagAMO, tagCAS, tagNoRet, tagISB}
	for option := range barriers {
		tags = append(tags, ir.Tag("DMB."+option), ir.Tag("DSB."+option))
	}
	return tags
}

// Lower implements lower.Dialect.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	l := &lowerer{Builder: lower.NewBuilder(t), wide: map[place]bool{}}
	l.PointerBits, l.WordBits, l.Symbolic = 64, 32, true
	l.Register = register
	l.RegisterBits = func(string) int { return 64 }
	l.Wide = l.isWide
	l.Declare()
	for i, c := range t.Threads {
		l.thread(i, c)
	}
	return l.Finish()
}

// lowerer lowers one test.
type lowerer struct {
	*lower.Builder
	flags []int // per thread: the register of the four condition flags
	// wide are the registers that are written as a whole, by thread and name.
	wide map[place]bool
}

// place is a register of a thread.
type place struct {
	thread int
	whole  string
}

// isWide tells whether a register has ever more than a word in it. The others are
// shown as the words that they are.
func (l *lowerer) isWide(t int, whole string) bool {
	init := l.Program.Threads[t].Regs[l.Reg(t, whole)].Init
	return l.wide[place{t, whole}] || init>>32 != 0 && ir.SignExtend(init, 32) != init
}

func (l *lowerer) thread(t int, c litmus.Thread) {
	l.flags = append(l.flags, l.Temp(t, nzcv.Bits))
	for i, cell := range c.Cells {
		labels, mnemonic, operands := cell.Split()
		for _, w := range labels {
			l.Label(t, w.Text, w.Pos)
		}
		if mnemonic.Text == "" {
			continue
		}
		x := &instr{lowerer: l, t: t, source: i, name: mnemonic, ops: operands}
		x.lower()
	}
}

// instr is one instruction being lowered.
type instr struct {
	*lowerer
	t, source int
	name      litmus.Word
	ops       []litmus.Word
	failed    bool
}

// instruction describes a mnemonic.
type instruction struct {
	least, most int // operands
	lower       func(*instr)
}

var instructions = map[string]instruction{}

func define(name string, least, most int, lower func(*instr)) {
	instructions[name] = instruction{least, most, lower}
}

func init() {
	defineData()
	defineAccesses()
	defineAtomics()
	defineControl()
}

func (x *instr) lower() {
	name := strings.ToUpper(x.name.Text)
	in, ok := instructions[name]
	switch why := outOfScope(name); {
	case ok:
	case why != "":
		x.Failf(x.name.Pos, "AArch64: %s is not supported: %s", x.name.Text, why)
		return
	default:
		x.Failf(x.name.Pos, "AArch64: unknown instruction %s", x.name.Text)
		return
	}
	if n := len(x.ops); n < in.least || n > in.most {
		x.Failf(x.name.Pos, "AArch64: %s takes %s, got %d", x.name.Text, counted(in.least, in.most), n)
		return
	}
	in.lower(x)
}

// outOfScope says why an instruction that there is cannot be run, or "".
func outOfScope(name string) string {
	switch name {
	case "TLBI", "DC", "IC", "AT", "DCPS1", "ERET":
		return "page tables and cache maintenance are out of scope"
	case "STG", "LDG", "STZG", "ST2G", "IRG", "ADDG", "SUBG", "GMI":
		return "memory tags are out of scope"
	case "ADR", "ADRP", "BR", "BLR", "BL":
		return "instruction addresses as data are out of scope"
	case "SVC", "UDF", "HVC", "SMC", "BRK", "MSR", "MRS":
		return "exceptions and system registers are out of scope"
	case "LDXP", "STXP", "LDAXP", "STLXP", "CASP", "CASPA", "CASPL", "CASPAL", "SWPP", "LDCLRP", "LDSETP":
		return "two locations in one atomic step are out of scope"
	case "MOVI", "DUP", "LD1", "ST1", "FMOV", "ADDV", "LD1R", "LD2", "ST2", "LD3", "ST3", "LD4", "ST4":
		return "vector registers are out of scope"
	case "ALIGND", "ALIGNU", "GC", "SC", "SEAL", "UNSEAL":
		return "capabilities are out of scope"
	}
	return ""
}

func counted(least, most int) string {
	words := []string{"no operands", "one operand", "two operands", "three operands", "four operands", "five operands"}
	if least == most {
		return words[most]
	}
	return strings.Fields(words[least])[0] + " to " + words[most]
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
	x.Failf(pos, "AArch64: %s: "+format, append([]any{x.name.Text}, args...)...)
}

func (x *instr) emit(op ir.Op) { x.Emit(x.t, x.source, op) }

// keep puts a value in a temporary, so that later writes to its registers do not
// change it.
func (x *instr) keep(v ir.Expr) ir.Expr {
	tmp := x.Temp(x.t, v.Width())
	x.emit(ir.Assign{Dst: tmp, Value: v})
	return ir.Reg{Index: tmp, Bits: v.Width()}
}

// pick is v by way of an event, which makes it something that decides.
func (x *instr) pick(v ir.Expr) ir.Expr {
	tmp := x.Temp(x.t, v.Width())
	x.emit(ir.Pick{Dst: tmp, Value: v})
	return ir.Reg{Index: tmp, Bits: v.Width()}
}

// picked is v, which the one-bit decision p has let through.
func picked(p, v ir.Expr) ir.Expr { return ir.Cond{If: p, Then: v, Else: v} }

func constant(v uint64, bits int) ir.Expr {
	return ir.Const{Value: v & ir.Mask(bits), Bits: bits}
}

func binary(op ir.BinaryOp, a, b ir.Expr) ir.Expr {
	return ir.Binary{Op: op, X: a, Y: b}
}

func not(e ir.Expr) ir.Expr { return ir.Unary{Op: ir.BitNot, X: e} }

func bit(e ir.Expr, i int) ir.Expr { return ir.Extract{X: e, Lo: i, Bits: 1} }

// extend widens, with zeros or the sign, or cuts.
func extend(e ir.Expr, bits int, signed bool) ir.Expr {
	if signed && e.Width() < bits {
		return ir.Extend{X: e, Bits: bits, Signed: true}
	}
	return ir.Resize(e, bits)
}
