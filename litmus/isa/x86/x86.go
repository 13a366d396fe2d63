// Package x86 lowers X86 and X86_64 litmus tests. X86 tests use Intel's operand order, destination first ("MOV [x],$1",
// "MOV EAX,[x]"), with 32-bit registers; X86_64 tests use AT&T's, source first ("movl $1,(x)", "movl (x),%eax"), with
// 64-bit registers. Both spell registers EAX, eax or %eax. Semantics follow the Intel 64 and IA-32 Architectures
// Software Developer's Manual, volume 2. [Dialect] implements lower.Dialect. [OtherSyntax] reads a test that is written
// in the syntax of the other architecture, and converts it.
//
// It imports litmus, litmus/ir and litmus/lower: no model and no solver.
package x86

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Dialect implements lower.Dialect for the two x86 architectures.
type Dialect struct{}

// Archs implements lower.Dialect.
func (Dialect) Archs() []string { return []string{"X86", "X86_64"} }

// The tags of barriers.
const (
	tagMFENCE ir.Tag = "MFENCE"
	tagSFENCE ir.Tag = "SFENCE"
	tagLFENCE ir.Tag = "LFENCE"
)

// Tags implements lower.Dialect.
func (Dialect) Tags() []ir.Tag { return []ir.Tag{tagMFENCE, tagSFENCE, tagLFENCE} }

// Lower implements lower.Dialect.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	l := newLowerer(t)
	return l.lower()
}

// newLowerer prepares the lowering of a test in its architecture's syntax.
func newLowerer(t *litmus.Test) *lowerer {
	l := &lowerer{Builder: lower.NewBuilder(Dialect{}, t), arch: t.Arch}
	l.wide = t.Arch == "X86_64"
	l.att = l.wide
	return l
}

// lower lowers the test.
func (l *lowerer) lower() (*ir.Program, error) {
	l.PointerBits, l.WordBits = 32, 32
	if l.wide {
		l.PointerBits = 64
	}
	l.Register = registerOf(l.wide)
	l.Hint = l.hint
	l.RegisterBits = func(string) int { return l.PointerBits }
	l.Declare()
	l.Lines(l.begin, l.instruction)
	return l.Finish()
}

// lowerer lowers one test.
type lowerer struct {
	*lower.Builder
	arch  string
	wide  bool     // X86_64
	att   bool     // operands come in AT&T's order, source first
	flags flagRegs // of the thread at hand

	// rewrite, unless nil, receives each instruction with its text before it is lowered.
	rewrite func(cell litmus.Cell, x *instr, in instruction)
}

func (l *lowerer) begin() {
	l.flags = flagRegs{carry: l.Temp(1), zero: l.Temp(1), sign: l.Temp(1), overflow: l.Temp(1)}
}

// repeated are instructions that the prefix REP does not repeat, and what they are with it: to processors, a name for
// the same bytes.
var repeated = map[string]string{"BSF": "TZCNT", "BSR": "LZCNT", "RET": "RET", "NOP": "PAUSE"}

// instruction lowers one cell: an optional LOCK, a mnemonic, operands.
func (l *lowerer) instruction(cell litmus.Cell) {
	whole := cell
	locked := strings.EqualFold(word(cell.Text), "LOCK")
	if locked {
		cell = cell.From(len("LOCK"))
	}
	mnemonic := litmus.Word{Pos: cell.Pos, Text: word(cell.Text)}
	name := strings.ToUpper(mnemonic.Text)
	if rest := cell.From(len(mnemonic.Text)); slices.Contains([]string{"REP", "REPE", "REPZ"}, name) {
		second := strings.ToUpper(word(rest.Text))
		for from, to := range repeated {
			if suffix, ok := strings.CutPrefix(second, from); ok && len(suffix) < 2 {
				cell, mnemonic, name = rest, litmus.Word{Pos: rest.Pos, Text: word(rest.Text)}, to+suffix
			}
		}
	}
	if mnemonic.Text == "" {
		l.Failf(cell.Pos, "%s: want an instruction, got %q", l.arch, cell.Text)
		return
	}
	in, base, bits, ok := l.find(name)
	if !ok {
		l.Unknown(mnemonic, outOfScope(name, cell.Text))
		return
	}
	if in.operands < 0 {
		return
	}
	x := &instr{lowerer: l, name: mnemonic, base: base, locked: locked, bits: bits, from: in.from}
	for _, w := range cell.From(len(mnemonic.Text)).Operands() {
		o, ok := l.operand(w, in.jump)
		if !ok {
			return
		}
		x.ops = append(x.ops, o)
	}
	if l.att { // source first
		slices.Reverse(x.ops)
	}
	least := in.operands
	if in.least > 0 {
		least = in.least
	}
	if !l.HasOperands(mnemonic, least, in.operands, len(x.ops)) {
		return
	}
	inMemory := func(o operand) bool { return o.kind == memory }
	if locked && !(in.lockable && slices.ContainsFunc(x.ops, inMemory)) {
		l.Failf(cell.Pos, "%s: LOCK needs a read-modify-write of memory, which %q is not", l.arch, cell.Text)
		return
	}
	if !x.findWidth() {
		return
	}
	if l.rewrite != nil {
		l.rewrite(whole, x, in)
	}
	in.lower(x)
}

// find looks a mnemonic up, with AT&T's width suffix or without. base is the mnemonic without the suffix.
func (l *lowerer) find(name string) (in instruction, base string, bits int, ok bool) {
	if in, ok = find(name); ok {
		return in, name, in.bits, true
	}
	n := len(name) - 1
	if bits, ok = suffixes[name[n]]; ok {
		if in, ok = find(name[:n]); ok && in.suffix {
			return in, name[:n], bits, true
		}
	}
	return in, "", 0, false
}

var suffixes = map[byte]int{'B': 8, 'W': 16, 'L': 32, 'Q': 64}

// word is the identifier or mnemonic that s begins with.
func word(s string) string {
	i := 0
	for i < len(s) &&
		(s[i] == '_' || s[i] == '.' || 'a' <= s[i] && s[i] <= 'z' || 'A' <= s[i] && s[i] <= 'Z' || i > 0 &&
			'0' <= s[i] && s[i] <= '9') {
		i++
	}
	return s[:i]
}
