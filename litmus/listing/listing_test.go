package listing

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var syntaxes = map[string]Syntax{
	"x86_64": X86, "gcc": X86, "aarch64": AArch64, "armv7a": ARM, "riscv64": RISCV, "powerpc64le": PPC, "mips64": MIPS,
}

// Each file is what a compiler made of the same two functions, of one and of three lines of C.
func TestParseFindsFunctionsDataAndSourceLines(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.s")
	if len(files) != len(syntaxes) {
		t.Fatalf("%d files", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		l, err := Parse(file, string(text), syntaxes[strings.TrimSuffix(filepath.Base(file), ".s")])
		if err != nil {
			t.Error(err)
			continue
		}
		var names []string
		for _, f := range l.Functions {
			names = append(names, f.Name)
		}
		if strings.Join(names, " ") != "P0 P1" {
			t.Errorf("%s: functions %v", file, names)
			continue
		}
		for i, f := range l.Functions {
			for _, line := range f.Lines {
				if line.Op != "" && !line.Directive() && line.Source != i+3 && line.Source != 0 {
					t.Errorf("%s: %s is from line %d", file, line.Text, line.Source)
				}
			}
		}
		for _, name := range []string{"x", "y", "P1_r0", "P1_r1"} {
			if len(l.Words(name)) == 0 {
				t.Errorf("%s: no data for %s", file, name)
			}
		}
	}
}

func TestParseSplitsLines(t *testing.T) {
	for _, c := range []struct {
		syntax     Syntax
		text       string
		op, args   string
		wholeLabel string
	}{
		{X86, "\tlock\t\txaddl\t%ecx, x(%rip) # comment", "lock xaddl", "%ecx|x(%rip)", ""},
		{X86, "\tmovl\t4(%rax,%rcx,4), %edx", "movl", "4(%rax,%rcx,4)|%edx", ""},
		{AArch64, "\tadd\tx0, x0, #16 // =16", "add", "x0|x0|#16", ""},
		{AArch64, "\tldr\tw0, [x1, #:lo12:x]", "ldr", "w0|[x1, #:lo12:x]", ""},
		{ARM, "\tldmia r0, {r1, r2} @ both", "ldmia", "r0|{r1, r2}", ""},
		{RISCV, "\tlw a0,%lo(x)(a1)", "lw", "a0|%lo(x)(a1)", ""},
		{MIPS, "$L3: beq $2,$0,$L3", "beq", "$2|$0|$L3", "$L3"},
		{PPC, "\tlwz 3,x@toc@l(3)", "lwz", "3|x@toc@l(3)", ""},
	} {
		l, err := Parse("t.s", "f:\n\tfirst\n"+c.text+"\n", c.syntax)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		lines := l.Function("f").Lines[1:]
		if c.wholeLabel != "" {
			if lines[0].Label != c.wholeLabel {
				t.Errorf("%q: label %q", c.text, lines[0].Label)
			}
			lines = lines[1:]
		}
		if got := lines[0]; got.Op != c.op || strings.Join(got.Args, "|") != c.args {
			t.Errorf("%q: got %s %q", c.text, got.Op, got.Args)
		}
	}
}

// Literal pools stay in the function, and Words finds them there; TOC entries are data.
func TestWords(t *testing.T) {
	l, err := Parse("t.s", `
P0:
	ldr r0, .L3
	bx lr
.L2:
.L3:
	.word x
	.word y
	.section .toc,"aw"
.LC0:
	.quad z
	.set .LC1,.LC0
	.set .LC2,.LC1
	.set .LC3,.LC3
`, ARM)
	if err != nil {
		t.Fatal(err)
	}
	if w := l.Words(".L2"); len(w) != 2 {
		t.Errorf("another label of the pool: %v", w)
	}
	if w := l.Words(".L3"); len(w) != 2 || w[1].Args[0] != "y" {
		t.Errorf("literal pool: %v", w)
	}
	if w := l.Words(".LC0"); len(w) != 1 || w[0].Args[0] != "z" || w[0].Section != ".toc" {
		t.Errorf("TOC entry: %v", w)
	}
	if w := l.Words(".LC2"); len(w) != 1 || w[0].Args[0] != "z" {
		t.Errorf("another name of a TOC entry: %v", w)
	}
	if w := l.Words(".L9"); w != nil {
		t.Errorf("no such label: %v", w)
	}
}

// Compiler Explorer leaves out sections and types, and shows C++ names with their parameters.
func TestParseCompilerExplorer(t *testing.T) {
	l, err := Parse("t.s", `P0(std::atomic<int>&):
        mov     w1, 1
        ret
y:
        .zero   4
`, AArch64)
	if err != nil || l.Function("P0") == nil || len(l.Words("y")) != 1 {
		t.Errorf("got %+v, %v", l, err)
	}
}

// gcc writes an atomic store of RISC-V as one line.
func TestParseSplitsStatements(t *testing.T) {
	l, err := Parse("t.s", "f:\n\tfence iorw,ow;\tamoswap.w zero,a4,0(a5) # store\n\t.string \"a;b\"; nop\n", RISCV)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range l.Function("f").Lines {
		got = append(got, fmt.Sprint(line.Pos.Line, ":", line.Pos.Col, " ", line.Text))
	}
	want := "2:2 fence iorw,ow|2:17 amoswap.w zero,a4,0(a5)|3:2 .string \"a;b\"|3:17 nop"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s", strings.Join(got, "|"))
	}
}

// A number may be a label several times.
func TestParseNamesNumberedLabels(t *testing.T) {
	l, err := Parse("t.s", "f:\n1:\tlr.w a3,0(a4)\n\tbne a3,a1,1f\n\tbnez a2,1b\n1:\tj 1b\n\tj 1f\n\tli a0,1\n", RISCV)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range l.Function("f").Lines {
		got = append(got, line.Label+line.Op+" "+strings.Join(line.Args, ","))
	}
	want := "1.1 |lr.w a3,0(a4)|bne a3,a1,1.2|bnez a2,1.1|1.2 |j 1.2|j 1f|li a0,1"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s", strings.Join(got, "|"))
	}
}

// gcc begins a function of MIPS with .LFB0 = . instead of a label.
func TestParseReadsAssignments(t *testing.T) {
	l, err := Parse("t.s", "f:\n.LFB0 = .\n\tnop\n\t.data\n.LC0:\n\t.quad x\n.LC1 = .LC0\n", MIPS)
	if err != nil {
		t.Fatal(err)
	}
	if lines := l.Function("f").Lines; lines[0].Label != ".LFB0" {
		t.Errorf("got %v", lines)
	}
	if w := l.Words(".LC1"); len(w) != 1 || w[0].Args[0] != "x" {
		t.Errorf("got %v", w)
	}
	if _, err := Parse("t.s", "a = b + 4\n", MIPS); err == nil {
		t.Error("an assignment that the package cannot read is accepted")
	}
}

func TestParseRefusesUnknownDirectives(t *testing.T) {
	_, err := Parse("t.s", "P0:\n\tnop\n\t.frob 3\n", X86)
	if err == nil || err.Error() != "t.s:3:2: unknown directive .frob in the listing" {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("P0:\n\tlock xaddl %ecx, x(%rip)\n.L1:\n\t.long x\n")
	f.Add("a(b):: c\n\t.section \n\t.popsection\n.Lx: .Ly:")
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range syntaxes {
			if l, err := Parse("f.s", text, s); err == nil {
				for _, fn := range l.Functions {
					l.Words(fn.Name)
				}
			}
		}
	})
}
