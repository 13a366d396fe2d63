package codegen

import (
	"strings"
	"testing"

	"litmuscope/litmus/c/cprog/read"
)

func alone(text string) read.Source {
	return read.Source{Files: []read.File{{Name: "a.c", Text: text}}}
}

// An unknown construct that may change what a program means is an error at its place, with advice.
func TestRefusedByName(t *testing.T) {
	const main = "\nint main(void) { return 0; }\n"
	for _, test := range []struct{ text, want string }{
		{"#import <x.h>", "a.c:1:1: #import is not supported: use #include"},
		{"  #  elifdf A", "a.c:1:3: #elifdf is not supported: did you mean #elifdef?"},
		{"#if 0\n#elifdef\n#endif", "a.c:2:2: expected expression"},
		{"#frobnicate \\\n 3", "a.c:1:1: #frobnicate is not supported"},
		{"#pragma omp parallel", "a.c:1:9: #pragma omp is not supported: OpenMP is not supported"},
		{"#pragma weak main", "a.c:1:9: #pragma weak is not supported"},
		{"#pragma frob nicate", "a.c:1:9: #pragma frob nicate is unknown"},
		{"#pragma GCC frob", "a.c:1:9: #pragma GCC frob is unknown"},
		{"int x;\n_Pragma(\"omp parallel\")", "a.c:2:1: #pragma omp is not supported"},
		{"#pragma pack(show)", "a.c:1:9: #pragma pack is not supported"},
		{
			"#pragma pack(2)\nstruct s { char c; int i; };",
			"a.c:2:1: packing this structure is not supported: member i is not at its offset",
		},
		{
			"struct s { char c; int (*f)(void), *i; } __attribute__((packed));",
			"a.c:1:1: packing this structure is not supported: member f",
		},
		{
			"struct s { char c; } __attribute__((packd));",
			"a.c:1:37: unknown attribute packd: did you mean packed?",
		},
		{
			"int f(void) __attribute__((alias(\"main\")));",
			"a.c:1:28: attribute alias is not supported: use the function",
		},
		{"int f(int *p __attribute__((cleanup(free))));", "a.c:1:29: attribute cleanup is not supported here"},
		{
			"typedef int byte __attribute__((mode(QI)));\nbyte b;",
			"a.c:2:1: byte has attribute mode(QI), which is not supported",
		},
		{
			"void g(int *p); void f(void) { int x __attribute__((unused, cleanup(g), aligned(4))) = 3; }",
			"a.c:1:61: attribute cleanup is not supported here: move it to an __attribute__ of its own",
		},
		{"enum e { one __attribute__((frob)), two };", "a.c:1:29: attribute frob is not supported here"},
		{"void f(void) {\na: __attribute__((frob)) ;\ngoto a; }", "a.c:2:19: attribute frob is not supported here"},
		{"enum e { one } __attribute__((packed));", "a.c:1:31: attribute packed is not supported for an enumeration"},
		{"#define ODD __attribute__((frob))\nenum e { one ODD };", "a.c:1:1: attribute frob is not supported here"},
		{
			"__attribute__((constructor)) void f(int x) { }",
			"a.c:1:35: f has attribute constructor or destructor: use a function without parameters",
		},
		{"#include <fenv.h>", "a.c:1:10: <fenv.h> is not built in: floating point is not supported"},
		{"#include <pthreads.h>", "a.c:1:10: <pthreads.h> is not found: did you mean <pthread.h>?"},
	} {
		_, err := Make(alone(test.text+main), Options{})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.text, err, test.want)
		}
	}
	for _, harmless := range []string{
		"#ident \"a\"\n#warning b\n#\n# 12 \"elsewhere.h\" 1 3", "#if 0\n#frobnicate\n#pragma omp\n#endif",
		"/*\n#frobnicate */", "#define S \"\\\n#frobnicate\"",
		"#pragma GCC diagnostic push\n#pragma STDC FP_CONTRACT ON\n#pragma once",
		"#pragma pack(8)\nstruct s { char c; long i; };", "#pragma pack(push)\n#pragma pack(pop)\n#pragma pack()",
		"__attribute__((noinline, __cold__, format(printf, 1, 2))) void f(const char *, ...);",
		"typedef int word __attribute__((mode(SI)));\nword w;",
		"typedef int byte __attribute__((mode(QI)));",
		"enum e { one __attribute__((deprecated)), two __attribute__((unused)) };",
	} {
		if _, err := Make(alone(harmless+main), Options{}); err != nil {
			t.Errorf("%s: got %v, want nothing", harmless, err)
		}
	}
}
