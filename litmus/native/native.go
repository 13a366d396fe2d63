// Package native turns litmus tests into C programs that run on a processor.
//
//	t, err := native.Assemble(test, native.Target{Arch: "X86_64", LittleEndian: true})
//	source := native.File([]*native.Test{t})
//
// A [Test] is the C text of one test: a function for each thread, whose inline assembly is the test's own instructions
// in the syntax of the system's assembler, or C for tests in C11, and tables of its variables, initial values and
// observed places. [File] puts tests between program/before.c and program/after.c, the program around them, which is
// the same for every test: it runs the threads on many cells, counts the outcomes and prints litmus7's log.
//
// A test in PTX becomes a kernel, which the program passes to the CUDA driver. Registers keep their names; one that
// compilers reserve gets another, which a comment states. What cannot run is a litmus.ErrorList.
//
// It imports litmus, litmus/ir, litmus/lower, litmus/dialect, litmus/c and litmus/isa/x86.
package native

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

// MostThreads is the largest number of threads of a test that runs.
const MostThreads = 16

// Target is the processor that a program is for.
type Target struct {
	Arch         string // as in the headers of tests: X86_64, AArch64, …
	LittleEndian bool
}

// Runs reports whether the target runs instructions of an architecture. Every target runs C, and PTX on its GPU.
func (t Target) Runs(arch string) bool {
	return arch == t.Arch || arch == "C" || arch == "PTX" || arch == "X86" && t.Arch == "X86_64"
}

// Test is a test as C text.
type Test struct {
	Name, Arch string
	Threads    int
	Program    *ir.Program // with the names and widths of what the log prints

	text         string // with numberMark for its number in the file
	flags        []string
	instructions []Instruction
}

// Instruction is an instruction of a test as the program has it.
type Instruction struct {
	Pos  litmus.Pos
	Text string // in an asm statement: %% is a percent sign
}

// Find returns the place of the first instruction that a compiler's message quotes.
func (t *Test) Find(message string) (pos litmus.Pos, ok bool) {
	plain := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }
	message = plain(message)
	for _, in := range t.instructions {
		text := plain(strings.ReplaceAll(in.Text, "%%", "%"))
		if strings.Contains(in.Text, " ") && strings.Contains(message, text) {
			return in.Pos, true
		}
	}
	return pos, false
}

//go:embed program/before.c
var before string

//go:embed program/after.c
var after string

// Assemble turns a test into C, for a target that runs its architecture.
func Assemble(t *litmus.Test, target Target) (*Test, error) {
	if litmus.Scopes(t.Arch) != nil && t.Arch != "PTX" {
		return nil, wholef(t, "hw runs no tests for %s: of the tests for GPUs, it runs those in PTX", t.Arch)
	}
	if t.Arch == "LISA" {
		return nil, wholef(t, "hw runs no tests in LISA: no processor has its instructions")
	}
	if !target.Runs(t.Arch) {
		return nil, wholef(t, "the test is for %s, and the program is for %s: build it with --cc and a compiler for %s",
			t.Arch, target.Arch, t.Arch)
	}
	if t.Arch == "BPF" {
		return nil, wholef(t, "BPF programs run in the kernel only")
	}
	if dialect.Tongue(t.Source) == dialect.Kernel {
		return nil, wholef(t, "the test uses primitives of the Linux kernel, which run in the kernel only")
	}
	on := *t
	on.LittleEndian = target.LittleEndian
	p, err := dialect.Runnable(&on)
	if err != nil {
		return nil, err
	}
	a := &assembler{test: &on, program: p, target: target}
	if err := a.admit(); err != nil {
		return nil, err
	}
	a.layOut()
	a.assemble()
	if len(a.errors) > 0 {
		return nil, a.errors.Sorted()
	}
	return &Test{
		Name: t.Name, Arch: t.Arch, Threads: len(p.Threads), Program: p, text: a.out.String(), flags: a.flags,
		instructions: a.instructions,
	}, nil
}

// assembler writes the C text of one test.
type assembler struct {
	test    *litmus.Test
	program *ir.Program
	target  Target
	errors  litmus.ErrorList
	out     strings.Builder
	flags   []string

	instructions []Instruction

	objects []object
	low     bool    // addresses must fit in 31 bits
	results [][]int // the observed registers of each thread
}

// printf adds to the text.
func (a *assembler) printf(format string, args ...any) { fmt.Fprintf(&a.out, format, args...) }

// failf records why the test cannot run.
func (a *assembler) failf(pos litmus.Pos, format string, args ...any) {
	a.errors = append(a.errors, litmus.Errorf(pos, format, args...))
}

// wholef is an error about a test as a whole.
func wholef(t *litmus.Test, format string, args ...any) error {
	return litmus.ErrorList{litmus.Errorf(litmus.Pos{File: t.File, Line: 1, Col: 1}, format, args...)}
}

// admit refuses programs that no processor can run in this way.
func (a *assembler) admit() error {
	p := a.program
	switch {
	case len(p.Threads) > MostThreads:
		return wholef(a.test, "the test has %d threads, and hw runs at most %d", len(p.Threads), MostThreads)
	case p.System:
		return wholef(a.test, "the test has memory tags, exceptions, modified instructions or page tables, which take "+
			"an operating system: hw does not run it")
	case len(p.Labels) > 0:
		return wholef(a.test, "the test uses the address of the label %s: hw runs tests that use labels in jumps only",
			p.Labels[0].Name)
	}
	for i := range p.Threads {
		th := &p.Threads[i]
		for _, s := range th.Code {
			what := ""
			switch s.Op.(type) {
			case ir.Spawn, ir.Join:
				what = "starts threads"
			case ir.Atomic:
				what = "has an atomic section"
			case ir.Assert:
				what = "asserts"
			case ir.Lost:
				what = "jumps to an address"
			default:
				continue
			}
			pos := litmus.Pos{File: p.File, Line: 1, Col: 1}
			if s.Source >= 0 && s.Source < len(th.Source) {
				pos = th.Source[s.Source].Pos
			}
			return litmus.ErrorList{litmus.Errorf(pos, "P%d %s, which hw does not run", th.ID, what)}
		}
	}
	return nil
}

// assemble writes everything about the test.
func (a *assembler) assemble() {
	a.results = make([][]int, len(a.program.Threads))
	for _, o := range a.program.Observed {
		if o.Thread >= 0 {
			a.results[o.Thread] = append(a.results[o.Thread], o.Index)
		}
	}
	a.printf("\n/* %s */\n", comment(a.test.Name))
	switch a.test.Arch {
	case "C":
		a.bodies()
	case "PTX":
		a.kernel()
	default:
		a.columns()
	}
	a.tables()
}

// comment makes a text safe inside /* and */.
func comment(s string) string { return strings.ReplaceAll(s, "*/", "* /") }

// File returns a C file with tests. The first lines say how to build it.
func File(tests []*Test) []byte {
	var b strings.Builder
	name := "tests"
	if len(tests) == 1 {
		name = tests[0].Name
	}
	name = strings.Map(func(r rune) rune {
		if r == '*' || r == '/' || r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, name)
	fmt.Fprintf(&b, "/* %s, as a C program. Build and run it on %s, under Linux or macOS:\n\n", name, processors(tests))
	fmt.Fprintf(&b, "     cc -O2 -pthread%s -o %s %s.c\n     ./%s -r 10 -s 10000\n\n", flagsOf(tests), name, name, name)
	b.WriteString("   ./" + name + " -h lists the options. litmuscope compare reads the log. */\n")
	onGPU := slices.ContainsFunc(tests, func(t *Test) bool { return t.Arch == "PTX" })
	if onGPU {
		b.WriteString("#define GPU\n")
	}
	b.WriteString(before)
	b.WriteString(guards(tests))
	for i, t := range tests {
		suffix := ""
		if len(tests) > 1 {
			suffix = fmt.Sprintf("_%d", i)
		}
		b.WriteString(strings.ReplaceAll(t.text, numberMark, suffix))
	}
	b.WriteByte('\n')
	b.WriteString(after)
	if onGPU {
		b.WriteString(cuda)
	}
	b.WriteString("\nint main(int argc, char **argv) {\n  static const struct test *const tests[] = {\n")
	for i := range tests {
		if len(tests) > 1 {
			fmt.Fprintf(&b, "    &test_%d,\n", i)
		} else {
			b.WriteString("    &test,\n")
		}
	}
	b.WriteString("  };\n  return run_all(argc, argv, tests, (int)(sizeof tests / sizeof *tests));\n}\n")
	return []byte(b.String())
}

// numberMark stands in a test's text for its number in the file. No litmus test has this byte.
const numberMark = "\x00"

// Flags returns the flags with which a file of some tests is compiled.
func Flags(tests []*Test) []string {
	return append([]string{"-O2", "-pthread"}, strings.Fields(flagsOf(tests))...)
}

// flagsOf returns the flags that some of the tests need, each with a blank in front.
func flagsOf(tests []*Test) string {
	text := ""
	for _, t := range tests {
		for _, f := range t.flags {
			if !strings.Contains(text+" ", " "+f+" ") {
				text += " " + f
			}
		}
	}
	return text
}

// macros are the conditions under which a file for an architecture compiles.
var macros = map[string]string{
	"X86": "defined(__x86_64__)", "X86_64": "defined(__x86_64__)", "AArch64": "defined(__aarch64__)",
	"ARM": "defined(__arm__) && !defined(__thumb__)", "PPC": "defined(__powerpc64__)",
	"RISCV": "defined(__riscv) && __riscv_xlen == 64", "MIPS": "defined(__mips64)",
}

// guards stops the compiler where the tests are for another processor.
func guards(tests []*Test) string {
	text := ""
	done := map[string]bool{}
	for _, t := range tests {
		if m := macros[t.Arch]; m != "" && !done[m] {
			done[m] = true
			text += fmt.Sprintf("\n#if !(%s)\n#error \"This file is for %s.\"\n#endif\n", m, processors([]*Test{t}))
		}
	}
	return text
}

// processors names the processors that a file is for.
func processors(tests []*Test) string {
	for _, t := range tests {
		if t.Arch != "C" {
			return map[string]string{
				"X86": "x86-64", "X86_64": "x86-64", "AArch64": "AArch64", "ARM": "Armv7 or Armv8 in 32-bit mode",
				"PPC": "Power (64 bits)", "RISCV": "RISC-V (64 bits)", "MIPS": "MIPS (64 bits)",
			}[t.Arch]
		}
	}
	return "any processor"
}

// quote returns a C string with a text.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			b.WriteString(`\n`)
			if i+1 < len(s) {
				b.WriteString("\"\n    \"")
			}
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c == '?': // no trigraphs
			b.WriteString(`\?`)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// path returns the path of the test as a log shows it.
func (a *assembler) path() string { return filepath.ToSlash(a.test.File) }
