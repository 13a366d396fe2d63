// Package recognise names texts that are neither litmus tests nor C programs, or that one part of litmuscope receives
// although another reads them: a C program in the place of a test, a log of herd7, a compiler's assembly, a test in the
// format of isla or CppMem. [Errors] and [ProgramErrors] list the errors of a text that cannot be read. If the text is
// one of these, there is one error that says what it is and what to do. Where the conversion to a test is exact, the
// error's Fix makes it; the package checks each conversion by reading its result.
//
// [Of] looks at the first 64 KiB of a text, for a fixed list of signs, so its time is linear. A text whose first word
// is an architecture is a litmus test, whatever else is in it.
//
// It imports litmus, litmus/dialect and litmus/isa/x86: no model and no solver.
package recognise

import (
	"regexp"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
)

// Kind is what a text is.
type Kind string

// The kinds of texts.
const (
	Test     Kind = "a litmus test"
	CProgram Kind = "a C program"
	CPP      Kind = "C++ source"
	Rust     Kind = "Rust source"
	HerdLog  Kind = "a log of herd7 or litmus7"
	Isla     Kind = "a test in the format of isla"
	CppMem   Kind = "a test in the syntax of CppMem"
	Boogie   Kind = "a Boogie program, as Dat3M reads it"
	LLVM     Kind = "LLVM IR"
	SPIRV    Kind = "SPIR-V assembly"
	Objdump  Kind = "objdump's output"
	Listing  Kind = "an assembly listing"
	Model    Kind = "a memory model in the cat language"
)

// Recognised is what a text is.
type Recognised struct {
	Kind Kind
	Line int    // the first line that shows it, from 1
	Arch string // the architecture of assembly, or "" if it is unknown
}

// maxText bounds the part of a text that is looked at, in bytes.
const maxText = 64 << 10

// sign finds texts of a kind: all of its patterns must match. The place of the first match is the place of the kind.
type sign struct {
	kind     Kind
	bare     bool // look at the text without C's comments and strings
	patterns []func() *regexp.Regexp
	unless   func() *regexp.Regexp // a pattern that must not match
}

func patterns(all ...string) (out []func() *regexp.Regexp) {
	for _, p := range all {
		out = append(out, litmus.Pattern(p))
	}
	return out
}

// signs are in the order in which they are looked for: formats that quote code come before the code's own language.
var signs = []sign{
	{kind: HerdLog, patterns: patterns(
		`(?m)^Test \S+( (Allowed|Forbidden|Required|Final)\b.*)?$`,
		`(?m)^(States \d+|Histogram \(\d+ states?\)|Observation \S+ (Never|Sometimes|Always)\b.*)`)},
	{kind: Isla, patterns: patterns(`(?m)^\s*arch\s*=\s*["']`, `(?m)^\s*\[\s*thread\.\w+`)},
	{kind: CppMem, bare: true, patterns: patterns(`\{\{\{`, `\|\|\||\}\}\}`)},
	{kind: SPIRV, patterns: patterns(
		`(?m)^\s*(%\w+\s*=\s*)?Op(Capability|MemoryModel|EntryPoint|ExtInstImport|TypeVoid|TypeFunction|Decorate)\b`,
		`(?m)^\s*(%\w+\s*=\s*)?Op(Function|Return|Type\w+|Label|MemoryModel)\b`)},
	{kind: LLVM, patterns: patterns(`(?m)^(define\s[^\n]*@[\w.$"-]+\s*\(|declare\s[^\n]*@[\w.$"-]+\s*\(|` +
		`target (triple|datalayout)\s*=|source_filename\s*=|; ModuleID\s*=)`)},
	{kind: Boogie, patterns: patterns(`(?m)^\s*(procedure|implementation)\s[^\n]*\(`,
		`(?m)^\s*(var|const)\s+[\w.$#]+\s*:`,
		`(?m):=|\bhavoc\b|\bassume\b|\bmodifies\b`)},
	{kind: Objdump, patterns: patterns(`(?m)^(\S.*:\s+file format \S+|Disassembly of section \S+|` +
		`\s*[0-9a-f]{1,16}:\s+([0-9a-f]{2}( |\t)|[0-9a-f]{4,8}\s)[0-9a-f \t]*\s[a-z][\w.]*)`)},
	{kind: Rust, bare: true, patterns: patterns(
		`(?m)^\s*(pub(\(\w+\))?\s+)?((unsafe|const|async|extern)\s+("C"\s+)?)*fn\s+\w+\s*(<[^>\n]*>)?\(`,
		`\blet\s+(mut\s+)?\w+|->|\buse\s+\w+::|\bimpl\b|\w+::\w+|&mut\b|\bmut\b`)},
	{kind: CPP, bare: true, patterns: patterns(`(?m)\bstd::\w+|^\s*template\s*<|^\s*(inline\s+)?namespace\b[^;\n]*\{?|` +
		`^\s*using\s+(namespace\s+)?\w+|^\s*class\s+\w+|^\s*#\s*include\s*<(atomic|thread|mutex|iostream|cassert|cstdint|` +
		`cstdlib|cstdio|memory|vector|functional|new|utility|condition_variable|shared_mutex|barrier|latch|semaphore)>`)},
	{kind: CProgram, bare: true, patterns: patterns(
		`(?m)^[ \t]*#[ \t]*(include|define|ifdef|ifndef|pragma)\b|^[\w \t*]*\bmain[ \t]*\(|\bpthread_create\b|` +
			`\bthrd_create\b`)},
	{kind: CProgram, bare: true, patterns: patterns(
		`(?m)^[ \t]*[A-Za-z_][\w \t]*[ \t*\n][ \t*]*[A-Za-z_]\w*[ \t]*\([\w \t\n*,()\[\]]*\)[ \t\n]*\{`,
		`;`, `\}`), unless: litmus.Pattern(`(?m)^\s*(P\d+\s*\(|~?\s*(exists|forall)\b|locations\s*\[)`)},
	{kind: Model, patterns: patterns(`(?m)^\s*(acyclic|irreflexive|empty)\s+\S`,
		`(?m)^\s*(let\s+(rec\s+)?[\w-]+|include\s+"|"[^"\n]*"\s*$|(acyclic|irreflexive|empty)[^\n]*\bas\s+[\w-]+)`)},
}

// Of reports what a text is, if it is a litmus test or of a known kind.
func Of(text string) (r Recognised, ok bool) {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(text, "\ufeff"))
	if header(text) {
		return Recognised{Kind: Test, Line: 1}, true
	}
	bare := withoutComments(text)
	for _, s := range signs {
		in := text
		if s.bare {
			in = bare
		}
		if at := s.in(in); at >= 0 {
			return Recognised{s.kind, lineOf(in, at), archOf(s.kind, text)}, true
		}
	}
	if at := listing(text); at >= 0 {
		return Recognised{Listing, lineOf(text, at), archOf(Listing, text)}, true
	}
	return r, false
}

// in returns the offset of the sign in a text, or -1.
func (s sign) in(text string) int {
	first := -1
	for i, p := range s.patterns {
		at := p().FindStringIndex(text)
		if at == nil {
			return -1
		}
		if i == 0 {
			first = at[0]
			for first < at[1] && strings.IndexByte(" \t\n", text[first]) >= 0 {
				first++
			}
		}
	}
	if s.unless != nil && s.unless().MatchString(text) {
		return -1
	}
	return first
}

// lineOf returns the number of the line at an offset.
func lineOf(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }

// header reports whether a text begins as a litmus test does: with an architecture and a name.
func header(text string) bool {
	const blanks = " \t\n\v\f\r"
	text = strings.TrimLeft(litmus.Uncommented(text), blanks)
	line, _, _ := strings.Cut(text, "\n")
	words := strings.Fields(line)
	if len(words) < 2 {
		return false
	}
	return slices.Contains(dialect.Archs(), litmus.ArchName(words[0])) && !strings.ContainsAny(words[1], `=(;`)
}

// withoutComments replaces C's comments and the contents of its strings by blanks, and keeps line breaks, and the names
// of included files.
func withoutComments(text string) string {
	out := []byte(text)
	const code = 0
	in := byte(code) // '/': a line comment, '*': a block comment, '"': a string
	for i := 0; i < len(out); i++ {
		c := out[i]
		next := byte(0)
		if i+1 < len(out) {
			next = out[i+1]
		}
		switch {
		case in == code && c == '/' && (next == '/' || next == '*'):
			in = next
			out[i], out[i+1] = ' ', ' '
			i++
		case in == code && c == '"':
			in = '"'
		case in == code:
		case c == '\n' && in != '*':
			in = code
		case in == '"' && c == '\\' && next != 0 && next != '\n':
			out[i], out[i+1] = ' ', ' '
			i++
		case in == '"' && c == '"':
			in = code
		case in == '*' && c == '*' && next == '/':
			out[i], out[i+1] = ' ', ' '
			in = code
			i++
		case c != '\n':
			out[i] = ' '
		}
	}
	return string(out)
}
