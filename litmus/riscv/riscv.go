// Package riscv lowers RISCV litmus tests: RV64 assembly with the A extension.
//
// Semantics follow The RISC-V Instruction Set Manual, Volume I: Unprivileged
// Architecture. Three conventions are those of the field's litmus tests:
//
//   - plain loads and stores may be annotated too (lw.aq, sw.rl); the manual keeps
//     such instructions in mind for the future, as RCpc;
//   - an atomic that throws half of its work away is that half alone: amoswap to x0
//     is a store, and amoor or amoadd of x0 a load;
//   - device memory plays no part: fence iorw,iorw orders what fence rw,rw does.
//
// Accesses are tagged Acq, Rel or AcqRel by their annotation, and AMO, LR or StCond
// where they are one of an atomic instruction. Fences are tagged Fence.P.S, by their
// predecessor and successor sets, Fence.tso and Fence.i.
//
// The package may import litmus, litmus/ir and litmus/lower.
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
	l := &lowerer{Builder: lower.NewBuilder(t)}
	l.PointerBits, l.WordBits = xlen, wordBits
	l.Register = register
	l.RegisterBits = func(string) int { return xlen }
	l.Symbolic = true
	l.Declare()
	for i, c := range t.Threads {
		l.t = i
		for k, cell := range c.Cells {
			l.source, l.cell = k, cell
			l.line()
		}
	}
	return l.Finish()
}

// lowerer lowers one test; the other fields are the cell at hand.
type lowerer struct {
	*lower.Builder
	t, source int
	cell      litmus.Cell
}

// line lowers one cell: labels, a mnemonic, operands.
func (l *lowerer) line() {
	labels, mnemonic, operands := l.cell.Split()
	for _, w := range labels {
		l.Label(l.t, w.Text, w.Pos)
	}
	if mnemonic.Text == "" {
		return
	}
	name, order := split(strings.ToLower(mnemonic.Text))
	in, ok := instructions[name]
	switch {
	case !ok || order != "" && !in.ordered:
		l.Failf(mnemonic.Pos, "%s: unknown instruction %s", arch, mnemonic.Text)
		return
	case in.refusal != "":
		l.Failf(mnemonic.Pos, "%s: %s is not supported: %s", arch, mnemonic.Text, in.refusal)
		return
	}
	x := &instr{lowerer: l, name: name, mnemonic: mnemonic, order: order}
	if x.operands(in.shape, operands) {
		in.lower(x)
	}
}

// split takes the memory order annotation off a mnemonic.
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
