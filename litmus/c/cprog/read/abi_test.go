package read

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arches are the architectures with an ABI, with their plain char and long.
var arches = []struct{ arch, char, model string }{
	{"X86_64", SignedChar, LP64},
	{"AArch64", UnsignedChar, LP64},
	{"ARM", UnsignedChar, ILP32},
	{"PPC", UnsignedChar, LP64},
	{"RISCV", UnsignedChar, LP64},
	{"MIPS", SignedChar, ILP32},
	{"C", SignedChar, LP64},
}

// A program sees the ABI that Linux has on an architecture: in types, in constants, in conditions, in headers and in
// the predefined macros.
func TestABI(t *testing.T) {
	text := `
#include <limits.h>
#include <stdint.h>
#include <stddef.h>
_Static_assert(sizeof(long) == LONG && sizeof(void *) == LONG && sizeof(size_t) == LONG, "widths");
_Static_assert(sizeof(long) == __SIZEOF_LONG__ && sizeof(void *) == __SIZEOF_POINTER__ && sizeof(long long) == 8, "macros of widths");
_Static_assert(((char)-1 < 0) == SIGNED && ('\xff' < 0) == SIGNED && (CHAR_MIN < 0) == SIGNED, "char");
#if ('\xff' < 0) != SIGNED || defined(__CHAR_UNSIGNED__) == SIGNED
#error char in a condition
#endif
_Static_assert(INT64_MAX == __INT64_MAX__ && UINTPTR_MAX == __UINTPTR_MAX__ && SIZE_MAX == __SIZE_MAX__ && LONG_MAX == __LONG_MAX__, "limits");
int main(void) { return 0; }
`
	for _, a := range arches {
		for _, change := range []struct{ model, char string }{{"", ""}, {LP64, SignedChar}, {ILP32, UnsignedChar}} {
			abi, err := ABIOf(a.arch).With(change.model, change.char)
			if err != nil {
				t.Fatal(err)
			}
			model, char := a.model, a.char
			if change.model != "" {
				model, char = change.model, change.char
			}
			defines := []string{
				"LONG=" + map[string]string{LP64: "8", ILP32: "4"}[model],
				"SIGNED=" + map[string]string{SignedChar: "1", UnsignedChar: "0"}[char],
			}
			if _, err := Translate(Source{Files: []File{{"t.c", text}}, Defines: defines, ABI: abi}, nil); err != nil {
				t.Errorf("%s %v: %v", a.arch, change, err)
			}
		}
	}
	if _, err := (ABI{}).With("lp46", ""); err == nil || !strings.Contains(err.Error(), "lp64 or ilp32") {
		t.Errorf("an unknown data model: %v", err)
	}
}

// Predefined macros exist, -D and -U override them, and a program that defines a protected one gets an error.
func TestPredefined(t *testing.T) {
	for _, c := range []struct {
		arch, want string // a condition
		defines    []string
	}{
		{"", "defined(__STDC__) && __STDC_VERSION__ >= 201112L && __STDC_HOSTED__", nil},
		{"", "__x86_64__ && __linux__ && __GNUC__ > 9 && !defined(__aarch64__) && __BYTE_ORDER__ == " +
			"__ORDER_LITTLE_ENDIAN__", nil},
		{"", "defined(__GCC_ATOMIC_LLONG_LOCK_FREE) && __ATOMIC_SEQ_CST == 5 && __SIZEOF_INT128__", nil},
		{"AArch64", "__aarch64__ && __LP64__ && !defined(__x86_64__)", nil},
		{"ARM", "__arm__ && !defined(__LP64__) && !defined(__SIZEOF_INT128__)", nil},
		{"PPC", "__powerpc64__ && __PPC__", nil},
		{"RISCV", "__riscv && __riscv_xlen == 64", nil},
		{"MIPS", "__mips__ && !defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_8)", nil},
		{"", "__STDC_VERSION__ == 199901L", []string{"__STDC_VERSION__=199901L"}},
		{"", "!defined(__STDC_VERSION__)", []string{"-U__STDC_VERSION__"}},
		{"", "!defined(__linux__) && __x86_64__ == 7", []string{"-U__linux__", "__x86_64__=7"}},
		{"", "N == 2", []string{"N=1", "-U N", "N=2"}},
		{"", "!defined(N)", []string{"N=1", "-UN"}},
		{"", "F(3) == 6", []string{"F(x)=(x)*2"}},
		{"", "__has_attribute(packed) && __has_attribute(__noreturn__) && !__has_attribute(frob) && " +
			"defined(__has_attribute)", nil},
		{
			"", "defined(__has_builtin) && __has_builtin(known) && !__has_builtin(unknown) && defined(__has_include)",
			nil,
		},
	} {
		text := "#if " + c.want + "\nint x;\n#else\n#error another program\n#endif\n"
		s := Source{Files: []File{{"t.c", text}}, Defines: c.defines, ABI: ABIOf(c.arch)}
		if _, err := Translate(s, map[string]bool{"known": true}); err != nil {
			t.Errorf("%s %v, %s: %v", c.arch, c.defines, c.want, err)
		}
	}
	for text, want := range map[string]string{
		"#undef __STDC__\nint x;":                "t.c:1:1: #undef __STDC__",
		"int x;\n # define __STDC_VERSION__ 1\n": "t.c:2:2: #define __STDC_VERSION__",
		"#define __FILE__ \"x\"\nint x;":         "t.c:1:1: #define __FILE__",
	} {
		if _, err := Translate(Source{Files: []File{{"t.c", text}}}, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	for d, want := range map[string]string{
		"__LINE__=3": "computes", "3=x": "want NAME", "-U": "want -U NAME",
		"-Ux=1": "want -U NAME", "defined": "computes",
	} {
		if _, err := Translate(Source{Files: []File{{"t.c", "int x;"}}, Defines: []string{d}}, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("-D %s: got %v, want %s", d, err, want)
		}
	}
}

// The predefined macros for x86-64 are those of this machine's compiler, if it is GCC for x86-64: except for its
// version, floating types beyond C's, and macros that depend on how it was built.
func TestPredefinedAsGCC(t *testing.T) {
	gcc, err := exec.LookPath("x86_64-linux-gnu-gcc")
	if err != nil {
		t.Skip("there is no GCC for x86-64 here")
	}
	out, err := exec.Command(gcc, "-std=gnu17", "-dM", "-E", "-x", "c", "/dev/null").Output()
	if err != nil {
		t.Fatal(err)
	}
	own, err := Source{}.Macros()
	if err != nil {
		t.Fatal(err)
	}
	theirs := strings.Split(strings.TrimSpace(string(out)), "\n")
	depends := func(line string) bool {
		for _, part := range []string{
			"__GNUC", "__VERSION__", "__GXX_ABI", "FLT", "__DEC", "__BFLT", "BFLOAT16",
			"PIC__", "PIE__", "pic__", "pie__", "__CET__", "__STDC_ISO_10646__", "__STDC_IEC",
			"_FORTIFY_SOURCE", "__SSP",
		} {
			if strings.Contains(line, part) {
				return true
			}
		}
		return false
	}
	for _, line := range theirs {
		if line = strings.TrimSpace(line); !slices.Contains(own, line) && !depends(line) {
			t.Errorf("GCC predefines %s, and nothing here does", line)
		}
	}
	for _, line := range own {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "#define "), " ")
		if !slices.ContainsFunc(theirs, func(l string) bool { return strings.HasPrefix(l, "#define "+name+" ") }) &&
			!depends(line) {
			t.Errorf("%s is predefined here alone", line)
		}
	}
}

// Only includes outside of false conditions say which kernel headers a program includes.
func TestIncludesKernel(t *testing.T) {
	for text, want := range map[string]bool{
		"#include <linux/atomic.h>\n":                                                          true,
		"#include <lkmm.h>\n":                                                                  true,
		"#ifdef __KERNEL__\n#include <linux/kernel.h>\n#endif\n":                               false,
		"#ifndef __KERNEL__\n#include <linux/atomic.h>\n#endif\n":                              true,
		"#define __KERNEL__\n#if defined(__KERNEL__) && 1\n#include <asm/barrier.h>\n#endif\n": true,
		"/*\n#include <linux/atomic.h>\n*/\nint main;\n":                                       false,
		"#define X /* a\n b */ 1\n#if X\n#include <linux/atomic.h>\n#endif\n":                  true,
		"#if 0\n#include <linux/atomic.h>\n#else\nint x = ';\n#endif\n":                        false,
		"#ifdef __linux__\n#include <linux/futex.h>\n#endif\n":                                 false,
		"#include <stdatomic.h>\n":                                                             false,
		"#include <linux/not-there.h>\n":                                                       true,
	} {
		if got := IncludesKernel(Source{Files: []File{{"t.c", text}}}); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
