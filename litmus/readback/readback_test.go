package readback_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/compile"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/readback"
	"litmuscope/litmus/toolchain"
)

// built compiles a test and reads the listing back. It skips if the compiler is not installed.
func built(t *testing.T, arch, command, source string) (*readback.Program, *compile.Test) {
	t.Helper()
	test, err := litmus.Parse("test.litmus", source)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readback.Source(test)
	if err != nil {
		t.Fatal(err)
	}
	m, err := readback.Find(arch)
	if err != nil {
		t.Fatal(err)
	}
	c, err := toolchain.Parse(command)
	if err != nil {
		t.Skip(err)
	}
	c.Arguments = append(m.Options(), c.Arguments...)
	out, err := c.Run(context.Background(), toolchain.Job{
		Files: map[string][]byte{
			"t.c": []byte(p.Text),
		}, Arguments: []string{"-o", "t.s", "t.c"}, Outputs: []string{"t.s"},
	})
	if err != nil {
		t.Fatal(err)
	}
	made, err := m.Read(p, "t.s", string(out["t.s"]))
	if err != nil {
		t.Fatalf("%v\n%s", err, out["t.s"])
	}
	return p, made
}

const messagePassing = `C MP
{}
P0 (int* x, atomic_int* y) {
  *x = 1;
  atomic_store_explicit(y, 1, memory_order_release);
}
P1 (int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = 2;
  if (r0) { r1 = *x; }
}
exists (1:r0=1 /\ 1:r1=0)
`

// Each line of a test that is read back comes from a line of the C test, and states name its locals.
func TestRead(t *testing.T) {
	for _, command := range []string{
		"clang --target=aarch64-linux-gnu -O2", "clang --target=aarch64-linux-gnu -O0", "aarch64-linux-gnu-gcc -O2",
	} {
		t.Run(command, func(t *testing.T) {
			_, made := built(t, "aarch64", command, messagePassing)
			if got := made.Names["P1_r0"].Name; got != "1:r0" {
				t.Errorf("P1_r0 is %q", got)
			}
			for _, l := range made.Threads[0].Lines {
				if strings.HasPrefix(l.Text, "STLR ") && l.From != 5 {
					t.Errorf("%s comes from line %d", l.Text, l.From)
				}
			}
			if !strings.Contains(made.Text, "STLR W") || !strings.Contains(made.Text, "LDAR W") {
				t.Errorf("no release or no acquire:\n%s", made.Text)
			}
		})
	}
}

// code is the program of a test that was read back, without texts and places.
func code(t *testing.T, made *compile.Test) (out [][]ir.Op) {
	t.Helper()
	p, err := dialect.Parse("made", made.Text)
	if err != nil {
		t.Fatalf("%v\n%s", err, made.Text)
	}
	for _, th := range p.Threads {
		var ops []ir.Op
		for _, s := range th.Code {
			ops = append(ops, s.Op)
		}
		out = append(out, ops)
	}
	return out
}

// A listing in Intel syntax, as Compiler Explorer shows it, is the same test as one in AT&T syntax.
func TestReadIntelSyntax(t *testing.T) {
	files, _ := filepath.Glob("../../solver/compilercheck/testdata/*.litmus")
	if len(files) == 0 {
		t.Fatal("no tests")
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"gcc -O0", "gcc -O2", "clang --target=x86_64-linux-gnu -O1 -fPIC"} {
			t.Run(filepath.Base(file)+" "+command, func(t *testing.T) {
				_, att := built(t, "x86", command, string(source))
				_, intel := built(t, "x86", command+" -masm=intel", string(source))
				if !reflect.DeepEqual(code(t, att), code(t, intel)) {
					t.Errorf("got\n%s\nwant\n%s", intel.Text, att.Text)
				}
			})
		}
	}
}

// Functions of C programs take the addresses of locations as parameters.
func TestReadParameters(t *testing.T) {
	test, err := litmus.Parse("test.litmus", strings.Replace(messagePassing, "1:r0=1 /\\ 1:r1=0", "x=1", 1))
	if err != nil {
		t.Fatal(err)
	}
	p, err := readback.Source(test)
	if err != nil {
		t.Fatal(err)
	}
	for arch, text := range map[string]string{
		"aarch64": "P0:\n mov w2, 1\n str w2, [x0]\n stlr w2, [x1]\n ret\nP1:\n ldar w0, [x1]\n ret\n",
		"x86": "P0:\n mov DWORD PTR [rdi], 1\n mov DWORD PTR [rsi], 1\n ret\n" +
			"P1:\n mov eax, DWORD PTR [rsi]\n ret\n",
	} {
		m, err := readback.Find(arch)
		if err != nil {
			t.Fatal(err)
		}
		made, err := m.Read(p, "t.s", text)
		if err != nil {
			t.Errorf("%s: %v", arch, err)
			continue
		}
		for _, want := range map[string][]string{
			"aarch64": {"0:X0=x;", "0:X1=y;", "1:X1=y;"}, "x86": {"0:rdi=x;", "0:rsi=y;", "1:rsi=y;"},
		}[arch] {
			if !strings.Contains(made.Text, want) {
				t.Errorf("%s: no %s in\n%s", arch, want, made.Text)
			}
		}
	}
}

// A frame that stays in memory is an array of its own, and both readings accept the same listing.
func TestReadKeepingStack(t *testing.T) {
	test, err := litmus.Parse("test.litmus", messagePassing)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readback.Source(test)
	if err != nil {
		t.Fatal(err)
	}
	m, err := readback.Find("aarch64")
	if err != nil {
		t.Fatal(err)
	}
	text := "P0:\n sub sp, sp, #16\n mov w0, 1\n str w0, [sp, 12]\n ldr w1, [sp, 12]\n adrp x2, x\n" +
		" str w1, [x2, :lo12:x]\n add sp, sp, #16\n ret\nP1:\n ret\n"
	promoted, err := m.Read(p, "t.s", text)
	if err != nil || strings.Contains(promoted.Text, "SP") || !strings.Contains(promoted.Text, "MOV W1,W28") {
		t.Errorf("%v\n%s", err, promoted.Text)
	}
	kept, err := m.ReadKeepingStack(p, "t.s", text)
	if err != nil || !strings.Contains(kept.Text, "uint64_t P0_stack[1]") ||
		!strings.Contains(kept.Text, "STR W0,[SP,#12]") {
		t.Errorf("%v\n%s", err, kept.Text)
	}
}

// What a listing has that the package does not know is refused with its line.
func TestReadRefuses(t *testing.T) {
	test, err := litmus.Parse("test.litmus", messagePassing)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readback.Source(test)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ arch, line, want string }{
		{"aarch64", "bl __stack_chk_fail", "compile with -fno-stack-protector"},
		{"aarch64", "bl __atomic_load_16", "__atomic_load_16 is in libatomic, whose code is not in the listing"},
		{"aarch64", "ldr q0, [x0]", "q0, is a register of vectors"},
		{"aarch64", "fmov s0, w1", "fmov is unknown"},
		{"aarch64", "b", "too few operands"},
		{"aarch64", "adrp x0, z", "z is neither a location of the test nor a local"},
		{"aarch64", "ldr w0, [x5, :lo12:x]", "X5 does not certainly have the page of x"},
		{"aarch64", "ldr w0, [sp, w1, sxtw]", "the place on the stack is not known"},
		{"aarch64", "mov sp, x3", "the stack pointer has no known place after it"},
		{"aarch64", "b .Lelsewhere", "it leaves the function"},
		{"x86", "call __atomic_load_16@PLT", "__atomic_load_16 is in libatomic"},
		{"x86", "movaps %xmm0, x(%rip)", "registers of vectors"},
		{"x86", "movq %fs:40, %rax", "compile with -fno-stack-protector"},
		{"x86", "jmp *%rax", "compile with -fno-jump-tables"},
		{"x86", "movl z(%rip), %eax", "z is neither a location"},
		{"x86", "movl 4(%rsp,%rax), %eax", "the place on the stack is not known"},
		{"x86", "frob %eax", "frob is unknown"},
		{"riscv", "call __atomic_fetch_add_1", "__atomic_fetch_add_1 is in libatomic or libgcc"},
		{"riscv", "fld fa0, 0(a0)", "fld is unknown"},
		{"riscv", "lw a0, %lo(x)(a1)", "a1 does not certainly have the upper part of the address of x"},
		{"riscv", "auipc a0, 4", "the program counter is not a value in tests"},
		{"riscv", "jr a0", "it jumps to an address in a register"},
		{"riscv", "amoadd.w a0, a1, (sp)", "an atomic access to the stack is not supported"},
		{"riscv", "add sp, sp, a0", "the stack pointer has no known place after it"},
		{"riscv", "lui a0, %hi(z)", "z is neither a location"},
		{"riscv", "j 1f", "it leaves the function"},
		{"ppc", "bl __atomic_load_16", "__atomic_load_16 is in libatomic"},
		{"ppc", "lxvd2x 0,0,3", "lxvd2x is unknown"},
		{"ppc", "lwz 3,x@toc@l(4)", "r4 does not certainly have the upper part of the address of x"},
		{"ppc", "ld 3,.LC9@toc@l(2)", "the listing has no constant at .LC9"},
		{"ppc", "lwarx 3,0,1", "the place on the stack is not known"},
		{"ppc", "bne 0,1,2", "its operands are unknown"},
		{"ppc", "addis 2,3,.TOC.-P0@ha", "it computes the pointer to the table of contents in r2"},
		{"ppc", "addi 3,4,x@got@l", "want a number or a part of an address"},
		{"mips", "beqz $2, .L1", "keep the directives of the listing"},
		{"mips", "teq $2,$0,7", "teq is unknown"},
		{"mips", "ld $2,%got_disp(x)($28)", "$28 does not certainly have the pointer to the GOT"},
		{"mips", "lwc1 $f0,0($2)", "lwc1 is unknown"},
		{"mips", "ll $2,0($sp)", "an atomic access to the stack is not supported"},
		{"mips", "lui $2,%hi(x)", "in the computation of a global address"},
		{"mips", ".set mips16", "this mode of the assembler is unknown"},
		{"arm", "bl __sync_synchronize", "__sync_synchronize is in libatomic or libgcc"},
		{"arm", "vldr d0, [r0]", "vldr is unknown"},
		{"arm", "strex r0, r1, [r2]", "no exclusive load certainly comes before it"},
		{"arm", "add r3, pc", "the program counter is not a value in tests"},
		{"arm", "ldr r3, .L9", "the listing has no constant at .L9"},
		{"arm", "movt r0, #:upper16:x", "R0 does not certainly have the lower half of x"},
		{"arm", "ldr r0, [sp, r1]", "indexed or exclusive access to the stack is not supported"},
		{"arm", "strne r0, [sp]", "a conditional, indexed or exclusive access to the stack"},
		{"arm", "ldr pc, [r0]", "it jumps to an address in memory"},
		{"arm", "bx r3", "it jumps to an address in a register"},
		{"arm", "ldm r0, {r1, pc}", "it loads the program counter from other memory than the stack"},
		{"arm", "rrxs r0, r1", "rrxs is unknown"},
	} {
		m, err := readback.Find(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Read(p, "t.s", "P0:\n nop\n "+c.line+"\n ret\nP1:\n ret\n")
		if err == nil || !strings.HasPrefix(err.Error(), "t.s:3:2: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.line, err, c.want)
		}
	}
}

// A test that C cannot express is refused with its place.
func TestSourceRefuses(t *testing.T) {
	for source, want := range map[string]string{
		"X86 a\n{}\n P0 ;\n NOP ;\nexists (x=1)": "got a header of X86, want a test in C",

		"C a\n{}\nP0 (int *x) { WRITE_ONCE(*x, 1); }\nexists (x=1)":               "primitives of the Linux kernel",
		"C a\n{}\nP0 (mtx_t *m) { mtx_lock(m); }\nexists (m=0)":                   "mutexes are calls of the C library",
		"C a\n{}\nP0 (int *P0_r) { int r = *P0_r; }\nexists (0:r=1)":              "two things are P0_r in C",
		"C a\n{}\nP0 (__int128 *x) { *x = 1; }\nexists (x=1)":                     "128 bits",
		"C a\n{}\nP0 (int *x) { int r; r = 1; x = x + r; *x = 1; }\nexists (x=1)": "the parameter x",
	} {
		test, err := litmus.Parse("a.litmus", source)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readback.Source(test); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "a.litmus:") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("P0:\n mov w0, 1\n adrp x1, x\n str w0, [x1, :lo12:x]\n ret\nP1:\n ret\n")
	f.Add("P0:\n pushq %rbp\n movl $1, x(%rip)\n popq %rbp\n ret\nP1:\n mov eax, DWORD PTR y[rip]\n ret\n")
	f.Add(
		"P0:\n push {r4, lr}\n ldr r3, .L1\n.LPIC0:\n add r3, pc\n strd r0, r1, [sp, #-8]!\n it eq\n moveq r0, #1\n" +
			" ldmia sp!, {r4, pc}\n.L1:\n .word x-(.LPIC0+4)\n",
	)
	f.Add("P0:\n lui a0,%hi(x)\n sw a1,%lo(x)(a0)\n1: lr.w a2,(a0); sc.w a3,a2,(a0); bnez a3,1b\n sd ra,8(sp)\n ret\n")
	f.Add("P0:\n addis 9,2,x@toc@ha\n lwz 9,x@toc@l(9)\n cmpw 7,9,9\n bne- 7,$+4\n stdu 1,-32(1)\n ld 1,0(1)\n blr\n")
	f.Add("P0:\n .set noreorder\n ld $2,%got_disp(x)($28)\n beql $2,$0,.L1\n sw $2,0($sp)\n.L1:\n jr $31\n nop\n")
	test, err := litmus.Parse("test.litmus", messagePassing)
	if err != nil {
		f.Fatal(err)
	}
	p, err := readback.Source(test)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		for _, m := range readback.Machines() {
			_, _ = m.Read(p, "t.s", text)
			_, _ = m.ReadKeepingStack(p, "t.s", text)
		}
	})
}

// Helpers for atomic operations are read as the instruction that they run, or as the loop for older processors.
func TestReadHelpers(t *testing.T) {
	test, err := litmus.Parse("test.litmus", messagePassing)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readback.Source(test)
	if err != nil {
		t.Fatal(err)
	}
	m, err := readback.Find("aarch64")
	if err != nil {
		t.Fatal(err)
	}
	for helper, want := range map[string][2][]string{
		"ldadd4_acq_rel": {{"LDADDAL W0,W0,[X1]"}, {"LDAXR W0,[X1]", "ADD W17,W0,W16", "STLXR W15,W17,[X1]"}},
		"swp4_rel":       {{"SWPL W0,W0,[X1]"}, {"LDXR W0,[X1]", "STLXR W15,W16,[X1]"}},
		"cas1_acq":       {{"CASAB W0,W1,[X2]"}, {"UXTB W16,W0", "LDAXRB W0,[X2]", "CMP W0,W16", "STXRB W17,W1,[X2]"}},
	} {
		text := "P0:\n adrp x1, x\n add x1, x1, :lo12:x\n mov x2, x1\n bl __aarch64_" + helper + "\n ret\nP1:\n ret\n"
		if !m.HasHelpers(text) {
			t.Errorf("%s is no helper", helper)
		}
		for i, how := range []readback.How{{}, {Loops: true}} {
			made, err := m.ReadAs(p, "t.s", text, how)
			if err != nil {
				t.Errorf("%s: %v", helper, err)
				continue
			}
			for _, line := range want[i] {
				if !strings.Contains(made.Text, line+" ") {
					t.Errorf("%s: no %s in\n%s", helper, line, made.Text)
				}
			}
		}
	}
}
