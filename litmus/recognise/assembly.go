package recognise

import (
	"regexp"
	"strings"

	"litmuscope/litmus"
)

// Listings of assembly have no sign of their own, so each line is classified: a label, a directive, an instruction, or
// something else. In a listing, all lines but a few are of the first three classes, and the registers are those of one
// architecture.

var (
	label     = litmus.Pattern(`^[\w.$@"<>]+(\([\w \t*&:,<>]*\))?(\[[^\]]*\])?:\s*([#;/@].*)?$`)
	directive = litmus.Pattern(`^\s+\.(cfi_|globa?l|text|section|type|size|p2align|align|balign|file|ident|quad|xword|` +
		`long|word|short|byte|string|asciz|zero|arch|attribute|option|set|weak|comm|local|intel_syntax|abiversion|machine)`)
	instruction = litmus.Pattern(`^\s+(lock |rep[nz]* )?[a-zA-Z][\w.]*([ \t]+[^;|{}]+)?\s*([#;/@].*)?$|` +
		`^(lock )?[a-zA-Z][\w.]*[ \t]+[^;|{}]*[\w\])]\s*([#;/@].*)?$|^\s*(ret|mfence|isync|lwsync|sync|fence|nop)$`)
)

// registers are what operands of each architecture look like, in the order in which they are looked for.
var registers = []struct {
	arch    string
	pattern func() *regexp.Regexp
}{
	{"X86_64", litmus.Pattern(`(?i)\b(e|r)(ax|bx|cx|dx|si|di|bp|sp)\b|\b(byte|word|dword|qword) ptr\b|%r\d`)},
	{"AArch64", litmus.Pattern(`(?i)\b[xw]([0-9]|[12][0-9]|30|zr)\b[^\n]*(\[|,)`)},
	{"RISCV", litmus.Pattern(`(?i)\b(lw|ld|sw|sd|lui|li|addi|amo\w+\.[wd][\w.]*|lr\.[wd]\S*|sc\.[wd]\S*)\s+\w+,[^\n]*` +
		`\(?\b(a[0-7]|t[0-6]|s[0-9]|sp|ra|zero|x[0-9]+)\b|\bfence\s+[rwio]+`)},
	{"PPC", litmus.Pattern(`(?i)\b(lwz|stw|std|ld|lwarx|stwcx\.|ldarx|stdcx\.|addi|cmpw|cmpwi|mr|li)\s+(%?r)?\d+,|` +
		`\blwsync\b|\bblr\b`)},
	{"MIPS", litmus.Pattern(`\b(lw|sw|ll|sc|addiu|lui|move|jr)\s+\$\w+`)},
	{"ARM", litmus.Pattern(`(?i)\b(ldr|str|mov|ldrex|strex|bx|push|pop|add|cmp)\w*\s+\{?(r([0-9]|1[0-5])|lr|sp|pc)\b|` +
		`\bbx\s+lr\b`)},
}

// archOf guesses the architecture of assembly.
func archOf(kind Kind, text string) string {
	if kind != Listing && kind != Objdump {
		return ""
	}
	for _, r := range registers {
		if r.pattern().MatchString(text) {
			return r.arch
		}
	}
	return ""
}

// maxListed bounds the lines of a listing that are looked at.
const maxListed = 500

// listing returns the offset of the first line of an assembly listing, or -1.
func listing(text string) int {
	labels, directives, instructions, others, first, at, lines := 0, 0, 0, 0, -1, 0, 0
	for line := range strings.Lines(text) {
		start := at
		at += len(line)
		line = strings.TrimRight(line, " \t\n")
		if line == "" || strings.ContainsAny(strings.TrimSpace(line)[:1], "#;@/") {
			continue
		}
		if lines++; lines > maxListed {
			break
		}
		switch {
		case label().MatchString(line):
			labels++
		case directive().MatchString(line):
			directives++
		case instruction().MatchString(line):
			instructions++
		default:
			others++
			continue
		}
		if first < 0 {
			first = start
		}
	}
	switch {
	case others*10 > labels+directives+instructions:
		return -1
	case directives >= 2 && labels+instructions > 0, labels >= 1 && instructions >= 2, instructions >= 2:
		if archOf(Listing, text) == "" && directives < 2 {
			return -1
		}
		return first
	}
	return -1
}
