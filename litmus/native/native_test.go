package native_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/native"
)

var update = flag.Bool("update", false, "write the C text of the golden tests to testdata")

const tests = "../catalogue/tests/"

// assemble turns a test into C for its own architecture.
func assemble(t *testing.T, file, source, arch string) (*native.Test, error) {
	t.Helper()
	test, err := litmus.Parse(file, source)
	if err != nil {
		t.Fatal(err)
	}
	return native.Assemble(test, native.Target{Arch: arch, LittleEndian: true})
}

// The C text of some tests of each dialect is that of testdata. Only the part about the test is there: the program
// around it is the same for all.
func TestGolden(t *testing.T) {
	for _, file := range []string{
		"X86/SB", "X86/spinlock", "X86_64/MP+mfence+po", "AArch64/MP+popl+poap", "AArch64/MP+dmb.sy+ctrl",
		"ARM/MP+dmb+addr", "PPC/MP+lwsync+addr", "PPC/IRIW+syncs", "RISCV/MP+poprl+poaqp", "RISCV/LB+addrs",
		"MIPS/SB+syncs", "C/MP+porlxrel+poacqrlx",
	} {
		arch, name, _ := strings.Cut(file, "/")
		source, err := os.ReadFile(tests + file + ".litmus")
		if err != nil {
			t.Error(err)
			continue
		}
		on := arch
		if arch == "X86" || arch == "C" {
			on = "X86_64"
		}
		test, err := assemble(t, name+".litmus", string(source), on)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		got := about(native.File([]*native.Test{test}))
		golden := filepath.Join("testdata", arch+"-"+name+".c")
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from the C text (%v): go test ./litmus/native -update, and read the difference\n%s",
				golden, err, got)
		}
	}
}

// about returns the part of a C file that is about the test.
func about(file []byte) []byte {
	from := bytes.Index(file, []byte("\n/* Numbers of different widths"))
	from += bytes.Index(file[from:], []byte("\n}\n")) + len("\n}\n")
	return file[from:bytes.Index(file, []byte("\nenum { LINE"))]
}

// A test that a processor cannot run is refused at its place.
func TestRefusals(t *testing.T) {
	for _, test := range []struct{ name, on, source, want string }{
		{
			"another architecture", "X86_64", "AArch64 t\n{}\nP0 ;\nMOV W0,#1 ;\nexists (0:X0=1)",
			"t:1:1: the test is for AArch64, and the program is for X86_64: build it with --cc and a compiler for " +
				"AArch64",
		},
		{
			"a kernel test", "X86_64", "C t\n{}\nP0(int *x) { WRITE_ONCE(*x, 1); }\nexists (x=1)",
			"t:1:1: the test uses primitives of the Linux kernel, which run in the kernel only",
		},
		{
			"an unknown instruction", "AArch64", "AArch64 t\n{}\nP0 ;\nFLY X0 ;\nexists (0:X0=1)",
			"t:4:1: AArch64: ",
		},
		{
			"a test of the system's side", "AArch64", "AArch64 t\n{}\nP0 ;\nUDF #0 ;\nexists (0:X0=1)",
			"t:1:1: the test has memory tags, exceptions, modified instructions or page tables, which take an " +
				"operating system: hw does not run it",
		},
		{
			"the address of a label", "X86_64",
			"X86_64 t\n{}\nP0 ;\nmovq $L0,%rax ;\njmp *%rax ;\nL0: movl $1,(x) ;\nexists (x=1)",
			`the test uses the address of the label label:"P0:L0"`,
		},
		{
			"a lock", "X86_64", "C t\n{}\nP0(mtx_t *m) { mtx_lock(m); mtx_unlock(m); }\nexists (m=0)",
			"t:3:16: C: hw does not run mtx_lock: it runs the functions of <stdatomic.h>",
		},
		{
			"adjacent registers that compilers reserve", "ARM",
			"ARM t\n{ 0:R0=x; }\nP0 ;\nLDRD R12,R13,[R0] ;\nexists (0:R12=1)",
			"t:4:1: ARM: LDRD needs adjacent registers, and compilers reserve R13: use others",
		},
		{
			"more registers than compilers leave free", "X86_64",
			"X86_64 t\n{}\nP0 ;\n" + manyRegisters() + "exists (0:rax=0)",
			"t:3:1: P0 uses",
		},
	} {
		_, err := assemble(t, "t", test.source, test.on)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want %s", test.name, err, test.want)
		}
	}
}

// manyRegisters names all registers of X86_64.
func manyRegisters() string {
	text := ""
	for r := range strings.FieldsSeq("rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15") {
		text += "movq $0,%" + r + " ;\n"
	}
	return text
}

// compiler skips the test unless a compiler is installed.
func compiler(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
}

// A program counts every outcome once, keeps the test's text apart from the log, and prints addresses by name, arrays
// as a whole and filtered outcomes not at all.
func TestPrograms(t *testing.T) {
	compiler(t, "cc")
	for _, test := range []struct{ name, source, want string }{
		{
			"addresses, arrays and signs",
			"C t\n{ long a[2] = {1,2}; int *p = x; }\n" +
				"P0(long *a, int **p, int *x, int *y) { int *r0 = *p; a[1] = 7; *p = y; int r1 = 0 - 1; }\n" +
				"locations [a; p; 0:r1;]\nexists (0:r0=x /\\ a[0]=1)",
			"100     *>0:r0=x; 0:r1=-1; a={1,7}; a[0]=1; [p]=y;",
		},
		{
			"a filter",
			"C t\n{}\nP0(int *x) { *x = 1; }\nfilter (x=0)\nexists (x=1)",
			"Histogram (0 states)",
		},
		{
			"a question about nothing",
			"C t\n{}\nP0(int *x) { *x = 1; }\nexists true",
			"Observation t Always 100 0",
		},
		{
			"statements",
			"C t\n{}\nP0(atomic_int *x) { int i = 0; for (int k = 0; k < 3; k++) {\n" +
				"i += k; if (k == 9) { return; } }\nwhile (i > 100) { i--; } do { i++; } while (i < 2);\n" +
				"atomic_fetch_add_explicit(x, i, memory_order_relaxed);\n" +
				"if (i == 4) { i = 5; } else { i = i ? 6 : 7; } }\nforall (0:i=5 \\/ 0:i=6 /\\ x=4)",
			"100     *>0:i=5; [x]=4;",
		},
		{
			"a text with the marks of C", "C t\n\"*/ ??/ %d %s \\n é\"\n{}\nP0(int *x) { *x = 1; }\nforall (x=1)",
			"\"*/ ??/ %d %s \\n é\"",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, err := assemble(t, "t", test.source, "")
			if err != nil {
				t.Fatal(err)
			}
			out := run(t, n, "-r", "2", "-s", "50")
			if !strings.Contains(out, test.want+"\n") {
				t.Errorf("got\n%s\nwant a line %q", out, test.want)
			}
		})
	}
}

// run builds and runs a program of one test.
func run(t *testing.T, n *native.Test, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	tests := []*native.Test{n}
	if err := os.WriteFile(dir+"/t.c", native.File(tests), 0o644); err != nil {
		t.Fatal(err)
	}
	build := append(native.Flags(tests), "-Wall", "-Wno-unused", "-Werror", "-o", dir+"/t", dir+"/t.c")
	if out, err := exec.CommandContext(t.Context(), "cc", build...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), dir+"/t", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// A program refuses wrong options.
func TestOptions(t *testing.T) {
	compiler(t, "cc")
	n, err := assemble(t, "t", "C t\n{}\nP0(int *x) { *x = 1; }\nforall (x=1)", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []string{"poll", "time", "free"} {
		out := run(t, n, "-r", "3", "-s", "7", "-st", "3", "-b", b, "-na", "-ns", "-np", "-seed", "5", "-q")
		if !strings.HasPrefix(out, "Test t Required\nHistogram (1 states)\n21      *>[x]=1;\nOk\n") {
			t.Errorf("-b %s: got\n%s", b, out)
		}
	}
}
