// Package ppc lowers PPC litmus tests: the 64-bit Power architecture in IBM's assembly language, destination first ("li
// r1,1", "stw r1,0(r5)", "lwzx r3,r1,r2"). Semantics follow the Power ISA, version 3.0, books I and II. [Dialect]
// implements lower.Dialect.
//
// Registers r0 to r31 have 64 bits. Words have 32 bits, and the load says whether it fills the rest with zeros (lwz) or
// the sign (lwa). The condition register's fields cr0 to cr7 contain results of comparisons.
//
// It imports litmus, litmus/ir and litmus/lower: no model and no solver.
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
	tagX      ir.Tag = "X" // an access with a reservation
)

// Tags implements lower.Dialect.
func (Dialect) Tags() []ir.Tag { return []ir.Tag{tagSYNC, tagLWSYNC, tagEIEIO, tagISYNC, tagX} }

// Lower implements lower.Dialect.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	l := &lowerer{Builder: lower.NewBuilder(Dialect{}, t)}
	l.PointerBits, l.WordBits, l.InstructionBytes, l.Symbolic = 64, 32, 4, true
	l.Program.BigEndian = !t.LittleEndian
	l.Register = register
	l.RegisterBits = func(string) int { return 64 }
	l.Wide = l.isWide
	l.Declare()
	l.Lines(func() { l.fields, l.link, l.count = map[int]field{}, l.Temp(64), l.Temp(64) }, l.instruction)
	return l.Finish()
}

// register parses r0 to r31.
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
	// In the current thread: the fields of the condition register, by number, and the registers that jumps to addresses
	// use.
	fields      map[int]field
	link, count int
}

// fieldsOfCR is the number of fields of the condition register.
const fieldsOfCR = 8

// field is a field of the condition register: a register for each bit that branches test.
type field struct{ less, greater, equal int }

// isWide reports whether a register may contain a doubleword from the init block or memory, such as an address, or a
// value computed from one. States show the other registers as words.
func (l *lowerer) isWide(t, reg int) bool {
	th := &l.Program.Threads[t]
	wide := make([]bool, len(th.Regs))
	for i, r := range th.Regs {
		wide[i] = !ir.Fits(r.Init, 32)
	}
	for again := true; again; {
		again = false
		for _, s := range th.Code {
			dst, used := ir.Effect(s.Op)
			if dst < 0 || wide[dst] {
				continue
			}
			switch op := s.Op.(type) {
			case ir.Load:
				wide[dst] = op.Bits > 32
			case ir.Assign:
				ir.WalkExpr(used[0], func(e ir.Expr) bool {
					r, ok := e.(ir.Reg)
					wide[dst] = wide[dst] || ok && wide[r.Index]
					return e.Width() > 32
				})
			}
			again = again || wide[dst]
		}
	}
	return wide[reg]
}

func (l *lowerer) instruction(cell litmus.Cell) {
	mnemonic, words := cell.Split()
	name := strings.ToLower(mnemonic.Text)
	in, ok := find(name)
	if !ok { // the hint of how likely the branch is
		if in, ok = find(strings.TrimRight(name, "+-")); !ok || !in.branch {
			l.Unknown(mnemonic, lower.WhyNot(features, name))
			return
		}
	}
	x := &instr{lowerer: l, name: mnemonic}
	shape, optional := strings.CutPrefix(in.operands, "C")
	if optional && len(words) <= len(shape) {
		x.ops = []lower.Operand{{}}
	} else {
		shape = in.operands
		if in.shorter != "" && len(words) == len(shape)-1 {
			shape = in.shorter
		}
	}
	if ops, ok := l.Operands(mnemonic, shape, kinds, words); ok {
		x.ops = append(x.ops, ops...)
		in.lower(x)
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
	return x.Value(x.Reg(x.ops[i].Reg))
}

// getBase returns the value of operand i, a register. r0 means 0.
func (x *instr) getBase(i int) ir.Expr {
	if x.ops[i].Reg == "r0" {
		return number(0)
	}
	return x.get(i)
}

// low returns the low word of operand i, a register.
func (x *instr) low(i int) ir.Expr { return ir.Resize(x.get(i), 32) }

func (x *instr) set(i int, v ir.Expr) {
	x.Assign(x.Reg(x.ops[i].Reg), v)
}

// field returns a field of the condition register, by number.
func (x *instr) field(n int) field {
	f, ok := x.fields[n]
	if !ok {
		f = field{x.Temp(1), x.Temp(1), x.Temp(1)}
		x.fields[n] = f
	}
	return f
}

func (x *instr) setField(n int, less, greater, equal ir.Expr) {
	f := x.field(n)
	x.Assign(f.less, less)
	x.Assign(f.greater, greater)
	x.Assign(f.equal, equal)
}

func number(v uint64) ir.Expr { return ir.Number(v, 64) }

// kinds are the kinds of operands, by the letters of an instruction's shape. An operand with an upper-case letter may
// be omitted, and is then 0.
var kinds = map[byte]lower.Kind{
	'r': lower.ARegister,
	'b': {Want: "a register or 0", Read: func(b *lower.Builder, o *lower.Operand) bool {
		o.Reg = "r0" // r0 means 0 as a base
		return o.Text == "0" || lower.ARegister.Read(b, o)
	}},
	'm': lower.AnAddress("an address such as 0(r1), with a number of 16 bits in front,", -1<<15, 1<<15-1),
	's': lower.ANumber(-1<<15, 1<<15-1),
	'u': lower.ANumber(0, 1<<16-1),
	'h': lower.ANumber(-1<<15, 1<<16-1), // the upper half of a word
	'k': lower.ANumber(1, 1<<32-1),      // a mask
	'5': lower.ANumber(0, 31),
	'6': lower.ANumber(0, 63),
	'8': lower.ANumber(0, 255),
	'C': aField,
	'c': aField,
	'l': lower.ALabel,
}

// aField is a field of the condition register.
var aField = lower.Kind{Want: "a condition field from cr0 to cr7", Read: func(_ *lower.Builder, o *lower.Operand) bool {
	name := strings.ToLower(o.Text)
	if len(name) != 3 || !strings.HasPrefix(name, "cr") || name[2] < '0' || name[2] > '7' {
		return false
	}
	o.Imm = uint64(name[2] - '0')
	return true
}}
