// Package x86 lowers X86 and X86_64 litmus tests.
//
// X86 tests are written in Intel's operand order, destination first
// ("MOV [x],$1", "MOV EAX,[x]"), with 32-bit registers; X86_64 tests in AT&T's,
// source first ("movl $1,(x)", "movl (x),%eax"), with 64-bit ones. Registers may
// be spelled EAX, eax or %eax in both. Semantics follow the Intel 64 and IA-32
// Architectures Software Developer's Manual, volume 2.
//
// The package may import litmus, litmus/ir and litmus/lower.
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
	l := &lowerer{Builder: lower.NewBuilder(t), arch: t.Arch}
	l.wide = t.Arch == "X86_64"
	l.PointerBits, l.WordBits = 32, 32
	if l.wide {
		l.PointerBits = 64
	}
	l.Register = func(name string) (lower.RegisterView, bool) { return register(name, l.wide) }
	l.Hint = l.hint
	l.RegisterBits = func(string) int { return l.PointerBits }
	l.Declare()
	for i, c := range t.Threads {
		l.thread(i, c)
	}
	return l.Finish()
}

// lowerer lowers one test; its fields below the first three are the instruction
// at hand.
type lowerer struct {
	*lower.Builder
	arch string
	wide bool // X86_64

	t, source int
	cell      litmus.Cell
	locked    bool
	flags     []flagRegs // per thread
}

func (l *lowerer) thread(t int, c litmus.Thread) {
	l.t = t
	l.flags = append(l.flags, flagRegs{
		carry: l.Temp(t, 1), zero: l.Temp(t, 1), sign: l.Temp(t, 1), overflow: l.Temp(t, 1),
	})
	for i, cell := range c.Cells {
		l.source, l.cell, l.locked = i, cell, false
		l.instruction()
	}
}

// instruction lowers one cell: labels, an optional LOCK, a mnemonic, operands.
func (l *lowerer) instruction() {
	at := 0
	for {
		at += blanks(l.cell.Text[at:])
		w := word(l.cell.Text[at:])
		end := at + len(w)
		end += blanks(l.cell.Text[end:])
		if w == "" || end >= len(l.cell.Text) || l.cell.Text[end] != ':' {
			break
		}
		l.Label(l.t, w, l.cell.At(at))
		at = end + 1
	}
	if at == len(l.cell.Text) {
		return
	}
	mnemonic := word(l.cell.Text[at:])
	start := at
	at += len(mnemonic)
	name := strings.ToUpper(mnemonic)
	if name == "LOCK" {
		l.locked = true
		at += blanks(l.cell.Text[at:])
		mnemonic = word(l.cell.Text[at:])
		start = at
		at += len(mnemonic)
		name = strings.ToUpper(mnemonic)
	}
	if mnemonic == "" {
		l.Failf(l.cell.At(start), "%s: want an instruction, got %q", l.arch, l.cell.Text[start:])
		return
	}
	in, bits, ok := l.find(name)
	if !ok {
		l.Failf(l.cell.At(start), "%s: unknown instruction %s", l.arch, mnemonic)
		return
	}
	if in.operands < 0 {
		return
	}
	ops, ok := l.operands(at, in.jump)
	if !ok {
		return
	}
	if l.wide { // AT&T: source first
		slices.Reverse(ops)
	}
	if len(ops) != in.operands {
		l.Failf(l.cell.At(start), "%s: %s takes %s, got %d", l.arch, mnemonic, litmus.OperandCount(in.operands), len(ops))
		return
	}
	inMemory := func(o operand) bool { return o.kind == memory }
	if l.locked && !(in.lockable && slices.ContainsFunc(ops, inMemory)) {
		l.Failf(l.cell.At(start), "%s: LOCK needs a read-modify-write of memory, which %q is not", l.arch, l.cell.Text[start:])
		return
	}
	x := &instr{lowerer: l, name: in.name, written: mnemonic, ops: ops, bits: bits, from: in.from}
	if x.settleWidth() {
		in.lower(x)
	}
}

// find looks a mnemonic up, with AT&T's width suffix or without.
func (l *lowerer) find(name string) (in instruction, bits int, ok bool) {
	if in, ok = instructions[name]; ok {
		return in, in.bits, true
	}
	n := len(name) - 1
	if bits, ok = suffixes[name[n]]; ok {
		if in, ok = instructions[name[:n]]; ok && in.suffix {
			return in, bits, true
		}
	}
	return in, 0, false
}

var suffixes = map[byte]int{'B': 8, 'W': 16, 'L': 32, 'Q': 64}

func blanks(s string) int { return len(s) - len(strings.TrimLeft(s, " \t\r\n")) }

// word is the identifier or mnemonic that s begins with.
func word(s string) string {
	i := 0
	for i < len(s) && (s[i] == '_' || s[i] == '.' || 'a' <= s[i] && s[i] <= 'z' || 'A' <= s[i] && s[i] <= 'Z' || i > 0 && '0' <= s[i] && s[i] <= '9') {
		i++
	}
	return s[:i]
}
