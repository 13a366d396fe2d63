// Package riscv lowers RISCV litmus tests: RV64 assembly with the extensions M and A, Zabha, Zacas, Zalasr, Zba, Zbb
// and Zbs. Semantics follow The RISC-V Instruction Set Manual, Volume I: Unprivileged Architecture. [Dialect]
// implements lower.Dialect. Two conventions are those of the field's litmus tests:
//
//   - Loads and stores of Zalasr (lw.aq, sw.rl) may have an offset, and an annotation that Zalasr reserves (lw.rl,
//     sw.aq), which is then RCpc.
//   - Device memory has no effect: fence iorw,iorw orders what fence rw,rw does.
//
// Accesses have the tag Acq, Rel or AcqRel by their annotation, and AMO, LR or StCond if they belong to an atomic
// instruction. Fences have the tag Fence.P.S, with their predecessor and successor sets, Fence.tso or Fence.i.
//
// It imports litmus, litmus/ir and litmus/lower: no model and no solver.
package riscv

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Dialect implements lower.Dialect.
type Dialect struct{}

const (
	arch     = "RISCV"
	wordBits = 32
	xlen     = 64 // of registers and addresses
)

// Archs implements lower.Dialect.
func (Dialect) Archs() []string { return []string{arch} }

// Tags implements lower.Dialect.
func (Dialect) Tags() []ir.Tag {
	tags := []ir.Tag{tagAcq, tagRel, tagAcqRel, tagAMO, tagLR, tagStCond, tagFenceTSO, tagFenceI}
	for _, before := range accessSets {
		for _, after := range accessSets {
			tags = append(tags, fenceTag(before, after))
		}
	}
	return tags
}

// Lower implements lower.Dialect.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	l := &lowerer{Builder: lower.NewBuilder(Dialect{}, t)}
	l.PointerBits, l.WordBits = xlen, wordBits
	l.Register = register
	l.RegisterBits = func(string) int { return xlen }
	l.Symbolic, l.InstructionBytes = true, 4
	l.Declare()
	l.Lines(nil, l.line)
	return l.Finish()
}

// lowerer lowers one test.
type lowerer struct{ *lower.Builder }

func (l *lowerer) line(cell litmus.Cell) {
	mnemonic, words := cell.Split()
	name, order := split(strings.ToLower(mnemonic.Text))
	in, ok := find(name)
	if !ok || order != "" && !in.ordered {
		l.Unknown(mnemonic, lower.WhyNot(features, name))
		return
	}
	if name == "fence" && len(words) == 0 { // the manual's meaning of a bare fence
		all := litmus.Word{Pos: mnemonic.Pos, Text: "iorw"}
		words = []litmus.Word{all, all}
	}
	if ops, ok := l.Operands(mnemonic, in.shape, kinds, words); ok {
		in.lower(&instr{lowerer: l, name: name, mnemonic: mnemonic, order: order, ops: ops})
	}
}

// split splits the memory order annotation from a mnemonic.
func split(name string) (base string, order ir.Tag) {
	for _, s := range []struct {
		suffix string
		order  ir.Tag
	}{
		{".aq.rl", tagAcqRel}, {".aqrl", tagAcqRel}, {".aq", tagAcq}, {".rl", tagRel},
	} {
		if base, ok := strings.CutSuffix(name, s.suffix); ok {
			return base, s.order
		}
	}
	return name, ""
}
