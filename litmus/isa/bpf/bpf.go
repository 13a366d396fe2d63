// Package bpf lowers BPF litmus tests: programs of the Linux kernel's virtual machine, in the pseudo-C that its
// assembler reads and its verifier prints ("r1 = *(u32 *)(r10 + 0)"). Semantics follow RFC 9669, BPF Instruction Set
// Architecture, and the kernel's documentation of load_acquire and store_release. [Dialect] implements lower.Dialect.
//
// Registers r0 to r10 have 64 bits; w0 to w10 are their low 32, and a write to one fills the rest with zeros. Numbers
// in instructions have 32 bits and a sign.
//
// Atomics that return the old value tag both their accesses SC. Of a comparison that fails, the read is no barrier.
// Other atomics tag theirs AMO. Acquiring loads and releasing stores have the tags Acq and Rel. There are no fences.
//
// It imports litmus, litmus/ir and litmus/lower: no model and no solver.
package bpf

import (
	"regexp"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Dialect implements lower.Dialect for BPF.
type Dialect struct{}

// Archs implements lower.Dialect.
func (Dialect) Archs() []string { return []string{"BPF"} }

const (
	tagSC  ir.Tag = "SC"
	tagAMO ir.Tag = "AMO"
	tagAcq ir.Tag = "Acq"
	tagRel ir.Tag = "Rel"
)

// Tags implements lower.Dialect.
func (Dialect) Tags() []ir.Tag { return []ir.Tag{tagSC, tagAMO, tagAcq, tagRel} }

// Lower implements lower.Dialect.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	l := &lowerer{Builder: lower.NewBuilder(Dialect{}, t)}
	l.PointerBits, l.WordBits, l.Symbolic = 64, 32, true
	l.WidenInt = true // published tests access with 64-bit atomics what they declare as int
	l.Register = register
	l.RegisterBits = func(string) int { return 64 }
	l.Declare()
	l.Lines(nil, l.instruction)
	return l.Finish()
}

// views maps every register name to the register's view.
var views = func() map[string]lower.RegisterView {
	m := map[string]lower.RegisterView{}
	for n := range 11 {
		whole := "r" + strconv.Itoa(n)
		m[whole] = lower.RegisterView{Whole: whole, Print: whole, Bits: 64}
		m["w"+strconv.Itoa(n)] = lower.RegisterView{Whole: whole, Print: "w" + strconv.Itoa(n), Bits: 32}
	}
	return m
}()

func register(name string) (lower.RegisterView, bool) {
	v, ok := views[name]
	return v, ok
}

// lowerer lowers one test.
type lowerer struct {
	*lower.Builder
}

// instruction lowers a cell by the first pattern that matches it, or reports that no instruction is written so.
func (l *lowerer) instruction(cell litmus.Cell) {
	for _, in := range instructions() {
		at := in.pattern.FindStringSubmatchIndex(cell.Text)
		if at == nil {
			continue
		}
		x := &instr{lowerer: l, parts: map[string]litmus.Word{}}
		for i, name := range in.pattern.SubexpNames() {
			if name != "" && at[2*i] >= 0 {
				x.parts[name] = litmus.Word{Pos: cell.At(at[2*i]), Text: cell.Text[at[2*i]:at[2*i+1]]}
			}
		}
		in.lower(x)
		return
	}
	l.Unknown(litmus.Word(cell), lower.WhyNot(features, cell.Text))
}

// instruction is a pattern and its lowering. Parts have names: d a register that it writes, s one that it reads or a
// number, a the register of an address and o the number added to it, t the type of the access, and l a label.
type instruction struct {
	pattern *regexp.Regexp
	lower   func(*instr)
}

// spelled are the parts of patterns, by their letters in patterns.
var spelled = []struct{ letter, pattern string }{
	{"DST", `(?P<d>[rw]\d+)`},
	{"SRC", `(?P<s>[rw]\d+|[+-]?(?:0[xX][[:xdigit:]]+|\d+))`},
	{"REG", `(?P<s>[rw]\d+)`},
	{
		"MEM",
		`\* ?\( ?(?P<t>[us](?:8|16|32|64)) ?\* ?\) ?\( ?(?P<a>r\d+)(?: ?(?P<o>[+-] ?(?:0[xX][[:xdigit:]]+|\d+)))? ?\)`,
	},
	{"PTR", `\( ?(?P<t>u(?:8|16|32|64)) ?\* ?\) ?\( ?(?P<a>r\d+)(?: ?(?P<o>[+-] ?(?:0[xX][[:xdigit:]]+|\d+)))? ?\)`},
	{"ADR", `(?P<a>r\d+)(?: ?(?P<o>[+-] ?(?:0[xX][[:xdigit:]]+|\d+)))?`},
	{"LBL", `(?P<l>[A-Za-z_]\w*)`},
}

// compile makes the expression for a pattern. A blank of the pattern matches any number of blanks, including none.
func compile(pattern string) *regexp.Regexp {
	for _, p := range spelled {
		pattern = strings.ReplaceAll(pattern, p.letter, p.pattern)
	}
	return regexp.MustCompile(`^` + blanks.Replace(pattern) + `\s*$`)
}

var blanks = strings.NewReplacer(" ?", `\s*`, " ", `\s*`)

// instr is one instruction being lowered.
type instr struct {
	*lowerer
	parts map[string]litmus.Word
}
