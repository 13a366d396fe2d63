// Package arm lowers ARM litmus tests: Arm's 32-bit instruction set as of Armv7, with the acquires and releases of
// Armv8, in the order and spelling of its assembler ("LDR R1,[R0,#4]", destination first except for stores). Any
// instruction may carry a condition after its name ("MOVWEQ R1,#2"). Semantics follow the Arm Architecture Reference
// Manual, Armv7-A edition (DDI 0406), chapters A8 and A3, and for Armv8 the edition for A-profile (DDI 0487), chapters
// F5 and E2. [Dialect] implements lower.Dialect.
//
// Fences carry a tag such as DMB.SY, DSB.ISHST or ISB, exclusive accesses X, acquires A and releases L.
//
// It imports litmus, litmus/ir, litmus/lower and litmus/isa/armasm: no model and no solver.
package arm

import (
	"strconv"
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/armasm"
	"litmuscope/litmus/lower"
)

// Dialect implements lower.Dialect.
type Dialect struct{}

// Archs implements lower.Dialect.
func (Dialect) Archs() []string { return []string{"ARM"} }

const (
	tagISB ir.Tag = "ISB"
	tagX   ir.Tag = "X"
	tagA   ir.Tag = "A"
	tagL   ir.Tag = "L"
)

// Tags implements lower.Dialect.
func (Dialect) Tags() []ir.Tag {
	tags := []ir.Tag{tagISB, tagX, tagA, tagL}
	for option := range barriers {
		tags = append(tags, ir.Tag("DMB."+option), ir.Tag("DSB."+option))
	}
	return tags
}

// Lower implements lower.Dialect.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	l := lower.NewBuilder(Dialect{}, t)
	l.PointerBits, l.WordBits, l.InstructionBytes, l.Symbolic = word, word, 4, true
	l.Register = register
	l.RegisterBits = func(string) int { return word }
	l.Declare()
	var flags int
	l.Lines(func() { flags = l.Temp(armasm.FlagBits) }, func(cell litmus.Cell) {
		x := &instr{Instr: armasm.Instr{Builder: l}, flags: flags, when: armasm.Always}
		x.Name, x.Ops = cell.Split()
		x.lower()
	})
	return l.Finish()
}

// word is the width of a register.
const word = 32

// aliases are the other names of registers.
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

// instr is one instruction being lowered.
type instr struct {
	armasm.Instr
	flags int // the register of the thread's condition flags
	when  armasm.Condition
	holds ir.Expr // whether the condition is true; nil for Always
}

// instruction describes a mnemonic.
type instruction struct {
	least, most int  // operands
	conditional bool // may carry a condition
	accesses    bool // and is skipped entirely if the condition is false
	lower       func(*instr)
}

var instructions = map[string]instruction{}

// find returns the instruction with a name. The table is made on the first call.
func find(name string) (in instruction, ok bool) {
	tabulated.Do(tabulate)
	in, ok = instructions[name]
	return in, ok
}

var tabulated sync.Once

func tabulate() {
	defineData()
	defineAccesses()
	defineControl()
}

// lower lowers one instruction with its condition. A conditional access becomes a branch over the access, which ends
// directly after it; other conditional instructions become selections.
func (x *instr) lower() {
	in, ok := x.find(strings.ToUpper(x.Name.Text))
	if !ok {
		x.Unknown(x.Name, lower.WhyNot(features, strings.ToUpper(x.Name.Text)))
		return
	}
	if !x.HasOperands(x.Name, in.least, in.most, len(x.Ops)) {
		return
	}
	switch {
	case x.when == armasm.Always:
		in.lower(x)
	case in.accesses:
		holds := x.Keep(x.when.Holds(x.flagsNow()))
		x.when = armasm.Always
		// The access depends on the condition, and nothing after it does (DDI 0406, A3.8.2).
		x.Emit(ir.Scope{})
		x.When(holds, func() { in.lower(x) })
		x.Emit(ir.Scope{End: true})
	case in.conditional:
		x.holds = x.Keep(x.when.Holds(x.flagsNow()))
		in.lower(x)
	default:
		x.Failf(x.Name.Pos, "ARM: %s: a condition on this instruction is not supported", x.Name.Text)
	}
}

// find looks up a mnemonic, with or without a condition at its end.
func (x *instr) find(name string) (instruction, bool) {
	if in, ok := find(name); ok {
		return in, true
	}
	if len(name) < 3 {
		return instruction{}, false
	}
	c, ok := armasm.Conditions[name[len(name)-2:]]
	x.when = c
	in, found := find(name[:len(name)-2])
	return in, ok && found
}

func (x *instr) flagsNow() ir.Expr { return x.Value(x.flags) }

// set assigns to register r of the thread, if the instruction's condition is true.
func (x *instr) set(r int, v ir.Expr) {
	if x.holds != nil {
		v = ir.Cond{If: x.holds, Then: v, Else: x.Value(r)}
	}
	x.Assign(r, v)
}

func constant(v uint64) ir.Expr { return ir.Number(v, word) }
