// Package aarch64 lowers AArch64 litmus tests: Arm's 64-bit instruction set, in the order and spelling of its assembler
// ("STR W0,[X1]", destination first except for stores). Semantics follow the Arm Architecture Reference Manual for
// A-profile (DDI 0487), chapters C6 and B2. [Dialect] implements lower.Dialect.
//
// Accesses carry the tags A (acquire), Q (acquire, RCpc), L (release), X (exclusive), AMO (both halves of an atomic
// instruction), CAS (both halves of a compare-and-swap) and NoRet (a read whose value the instruction drops); a fence
// carries a tag such as DMB.ISHLD or ISB.
//
// Tests of the system side ([system]) have memory tags, exceptions with handlers, modified instructions, or page
// tables: an access becomes several operations then, implicit ones and faults among them.
//
// It imports litmus, litmus/ir, litmus/lower and litmus/isa/armasm: no model and no solver.
package aarch64

import (
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
	tags = append(append(tags, systemTags...), tagSigned, tagShadow, "GCSB")
	for option := range barriers {
		tags = append(tags, ir.Tag("DMB."+option), ir.Tag("DSB."+option))
	}
	return tags
}

// Lower implements lower.Dialect.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	pages := findPages(t)
	t = withoutDirectives(t)
	l := lower.NewBuilder(Dialect{}, t)
	l.PointerBits, l.WordBits, l.InstructionBytes, l.Symbolic = 64, 32, 4, true
	l.Register = register
	l.RegisterBits = func(string) int { return 64 }
	wide := map[[2]int]bool{}
	l.Wide = func(t, i int) bool { return wide[[2]int{t, i}] }
	sys := systemOf(l, pages)
	if sys != nil {
		sys.begin(l)
	}
	l.Declare()
	if sys != nil && sys.memtag {
		sys.declareTags(&instr{Instr: armasm.Instr{Builder: l}})
	}
	if sys != nil && sys.translates {
		sys.declareEntries(&instr{Instr: armasm.Instr{Builder: l}})
		sys.declareCodeEntries(&instr{Instr: armasm.Instr{Builder: l}})
	}
	if sys != nil && sys.signs != nil {
		sys.signs.findSignatures(l)
	}
	returns := returnPoints(t)
	var flags []int // by thread
	instruction := func() *instr {
		return &instr{Instr: armasm.Instr{Builder: l}, flags: flags[l.Thread], wide: wide, sys: sys, returns: returns}
	}
	l.Lines(func() {
		flags = append(flags, l.Temp(armasm.FlagBits))
		if sys != nil && sys.signs != nil {
			sys.signs.begin(instruction())
		}
	}, func(cell litmus.Cell) {
		x := instruction()
		x.Name, x.Ops = cell.Split()
		x.lowerRepeated()
	})
	if sys != nil && sys.fetches {
		for l.Thread = range t.Threads {
			instruction().emitCopies(t)
		}
	}
	if sys != nil {
		sys.emitSpurious(l)
		if sys.translates {
			l.Program.EntryBits = sys.entryBits()
		}
	}
	checkVectorOptions(l)
	checkPredicates(l)
	observeVectors(l)
	if sys != nil {
		sys.observeSignatures(l)
	}
	return l.Finish()
}

// instr is one instruction being lowered.
type instr struct {
	armasm.Instr
	flags int             // the register of the thread's condition flags
	wide  map[[2]int]bool // registers that are written with 64 bits, by thread and index

	sys      *system       // nil for a test without a system's side
	returns  map[int][]int // by thread: the instructions behind calls
	handling *handling     // the handler that the instruction is in
	copy     *foreign      // the copy of another thread's code that the instruction is in
	decoded  bool          // the instruction has been fetched
	attempts *attempts     // of the instruction, if a fault repeats it
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
	defineAtomics()
	defineControl()
	defineTags()
	defineExceptions()
	defineCalls()
	defineMaintenance()
	defineVectors()
	defineScalable()
	defineSigning()
	defineGuards()
	defineScalableAccesses()
	defineMatrix()
	defineTranslation()
	defineQuestions()
}

func (x *instr) lower() {
	if x.fetched() {
		return
	}
	name := strings.ToUpper(x.Name.Text)
	in, ok := find(name)
	if !ok {
		x.Unknown(x.Name, lower.WhyNot(features, name))
		return
	}
	if !x.HasOperands(x.Name, in.least, in.most, len(x.Ops)) {
		return
	}
	if x.sys != nil && x.sys.signs != nil && !signedMay(name) {
		x.Fail(len(x.Ops), "the instruction is not supported in tests with pointer authentication")
		return
	}
	in.lower(x)
}

// pick returns v through an event that makes it a decision.
func (x *instr) pick(v ir.Expr) ir.Expr {
	tmp := x.Temp(v.Width())
	x.Emit(ir.Pick{Dst: tmp, Value: v})
	return x.Value(tmp)
}

// throughPick returns v with a dependency on the one-bit decision p.
func throughPick(p, v ir.Expr) ir.Expr { return ir.Cond{If: p, Then: v, Else: v} }
