package compile_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/compile"
	"litmuscope/litmus/dialect/dialecttest"
)

// The code of each mapping for loads, stores, updates and fences of all orders, and for everything else. A test's doc
// string names its target; without one, to everything, the variants by themselves.
func TestCompile(t *testing.T) {
	dialecttest.Golden(t, "compile.txtar", func(t *testing.T, file, source string) string {
		test, err := litmus.Parse(file, source)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for _, a := range compile.Architectures() {
			for _, variant := range a.Choices() {
				only := test.Doc != "" &&
					!slices.Contains(strings.Split(test.Doc, ", "), strings.TrimSuffix(a.Names[0]+" "+variant, " "))
				if only || test.Doc == "" && strings.Contains(variant, "+") {
					continue
				}
				made, err := compile.Compile(test, a.Names[0], variant)
				if err != nil {
					out.WriteString(err.Error() + "\n")
					continue
				}
				_, text, _ := strings.Cut(made.Text, "\n")
				out.WriteString(strings.TrimSuffix("== "+a.Names[0]+" "+variant, " ") + "\n" +
					strings.TrimPrefix(text, "\""+test.Doc+"\"\n"))
			}
		}
		return out.String()
	})
}

// A test without a mapping, or without an instruction for it, gets an error at the place.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ to, source, want string }{
		{
			"ptx", "C m\n{}\nP0(int *x) {\n  int r = 1 << *x;\n}\n",
			"m:4:13: cannot compile a shift by a variable to PTX: its tests shift by a number of 0 to 31",
		},
		{
			"ptx", "C m\n{}\nP0(int64_t *x) {\n  *x = 1;\n}\n",
			"m:3:13: int64_t * has 64 bits, and PTX has registers of 32",
		},
		{
			"vulkan", "C m\n{}\nP0(atomic_int *x) {\n  atomic_store(x, 1);\n}\n",
			"m:4:3: cannot compile a seq_cst operation to VULKAN: Vulkan's memory model has no sequentially " +
				"consistent order (Vulkan specification, appendix Memory Model); want acquire, release or acq_rel",
		},
		{
			"vulkan", "C m\n{}\nP0(int *x) {\n  int r = *x >> 1;\n}\n",
			"m:4:14: cannot compile this shift to VULKAN: its tests have no instruction for it",
		},
		{
			"aarch64", "OPENCL m\n{ [x]=0; }\nP0@wg 0, dev 0 (global int *x) {\n  *x = 1;\n}\nexists (x=1)\n",
			"m:1:1: cannot compile OpenCL to AArch64, whose threads are in no scopes: want ptx or vulkan",
		},
		{
			"vulkan", "OPENCL m\n{ [x]=0; }\nP0@wg 0, dev 0 (global int *x) {\n  *x = 1;\n}\n" +
				"P1@wg 0, dev 1 (global int *x) {\n  int r = *x;\n}\nexists (x=1)\n",
			"m:6:1: cannot compile a test of several devices to VULKAN: its memory model is that of one device",
		},
		{
			"amdgpu", "",
			`cannot compile tests to "amdgpu": no formal model of AMD's instructions is built in`,
		},
		{"aarch64", "C m\n{}\nP0(mtx_t *m) {\n  mtx_lock(m);\n}\n", "m:4:3: cannot compile mtx_lock"},
		{"ppc", "C m\n{}\nP0(int *x) {\n  WRITE_ONCE(*x, 1);\n}\n", "m:4:3: cannot compile WRITE_ONCE"},
		{
			"arm", "C m\n{}\nP0(int64_t *x) {\n  *x = 1;\n}\n",
			"m:3:13: int64_t * has 64 bits, and ARM has registers of 32",
		},
		{
			"arm", "C m\n{ int64_t x; }\nP0(int64_t *x) {\n  *x = 1;\n}\n",
			"m:2:3: int64_t has 64 bits, and ARM has registers of 32",
		},
		{
			"riscv lrsc", "C m\n{}\nP0(atomic_char *x) {\n  int r = atomic_exchange(x, 1);\n}\n",
			"m:4:30: lr and sc have no form for 8 bits: use the variant amo, which has instructions for them " +
				"(Zabha, Zacas)",
		},
		{"riscv", "C m\n{}\nP0(__int128_t *x) {\n  *x = 1;\n}\n", "has 128 bits, and RISCV has registers of 64"},
		{"ppc", "C m\n{}\nP0(int *x) {\n  int r = *x + *(char *)x;\n}\n", "m:1:1: cannot compile accesses of mixed " +
			"size to PPC: it stores the highest byte of an object first, and C tests the lowest"},
		{
			"ppc", "C m\n{ uint32_t x; }\nP0(uint8_t *x) {\n  *x = 1;\n}\n",
			"cannot compile accesses of mixed size to PPC",
		},
		{
			"x86", "C m\n{}\nP0(int *x) {\n  int r = *x / 3;\n}\n",
			"m:4:14: cannot compile /: litmus tests have no instruction for it",
		},
		{
			"aarch64", "C m\n{ x=y; }\nP0(atomic_int **x) {\n  int r = atomic_load(x);\n}\n",
			"m:4:23: an address does not fit in 32 bits: declare the variable as a pointer, as in int *p",
		},
		{
			"aarch64", "C m\n{}\nP0(int *x) {\n  int r = *x;\n  *r = 1;\n}\n",
			"this has the type of a number",
		},
		{
			"ppc", "C m\n{}\nP0(int64_t *x) {\n  int r = *x < 1;\n}\n",
			"PPC compares 64-bit numbers for less only in a branch: write an if",
		},
		{"ppc", "C m\n{}\nP0(int64_t *x) {\n  *x = 5000000000;\n}\n", "5000000000 does not fit in 32 bits"},
		{"ppc", "C m\n{}\nP0(int *x) {\n  *x = atomic_lood(x);\n}\n", "atomic_load"},
		{
			"aarch64", "X86 m\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n",
			"m:1:1: got a header of X86, want a test in C or OPENCL",
		},
		{
			"bpf", "",
			`cannot compile tests to "bpf": C11's atomics have no complete mapping to it, because LLVM does not compile fences between threads for it (llvm-project, pull requests 108636 and 196734); want one of x86_64, ppc, arm, aarch64, riscv`,
		},
		{"mips", "", `cannot compile tests to "mips": want one of x86_64, ppc, arm, aarch64, riscv`},
		{"ppc loud", "", `ppc has no variant "loud": want some of leading, trailing, plain, ctrl, with + between them`},
		{"ppc leading+trailing", "", "variants leading and trailing exclude each other: both choose seq_cst"},
	} {
		test := &litmus.Test{Arch: "C"}
		if c.source != "" {
			var err error
			if test, err = litmus.Parse("m", c.source); err != nil {
				t.Fatal(err)
			}
		}
		to, variant, _ := strings.Cut(c.to, " ")
		_, err := compile.Compile(test, to, variant)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%s: got %v, want %s", c.source, c.to, err, c.want)
		}
		var placed *litmus.Error
		var list litmus.ErrorList
		if c.source != "" && !errors.As(err, &placed) && !errors.As(err, &list) {
			t.Errorf("%v is at no place", err)
		}
	}
}

func TestChoices(t *testing.T) {
	a, err := compile.Find("ARM64")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"", "llsc", "ldapr", "llsc+ldapr", "ctrl", "llsc+ctrl", "ldapr+ctrl", "llsc+ldapr+ctrl"}
	if got := a.Choices(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A failed exchange releases nothing: with a write, the compiled code omits that.
func TestFailureDoesNotRelease(t *testing.T) {
	made := func(failure string) string {
		test, err := litmus.Parse("m", "C m\n{}\nP0(atomic_int *x) {\n  int e = 0;\n"+
			"  int r = atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_relaxed, memory_order_"+failure+
			");\n}\nexists (0:r=1)\n")
		if err != nil {
			t.Fatal(err)
		}
		c, err := compile.Compile(test, "riscv", "")
		if err != nil {
			t.Fatal(err)
		}
		return c.Text
	}
	for as, written := range map[string]string{"relaxed": "release", "acquire": "acq_rel"} {
		if got, want := made(written), made(as); got != want {
			t.Errorf("with %s\n%s\nwant, as with %s\n%s", written, got, as, want)
		}
	}
}
