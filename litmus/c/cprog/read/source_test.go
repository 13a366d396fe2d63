package read

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"litmuscope/litmus"
)

func alone(text string) Source { return Source{Files: []File{{"a.c", text}}} }

func TestHeadersAlone(t *testing.T) {
	for _, name := range BuiltInHeaders() {
		for _, ilp32 := range []bool{false, true} {
			s := alone(fmt.Sprintf("#include <%s>\n#include <%s>\nint main(void) { return 0; }\n", name, name))
			s.ABI.ILP32 = ilp32
			if _, err := Translate(s, nil); err != nil {
				t.Errorf("<%s>, ILP32 %v: %v", name, ilp32, err)
			}
		}
	}
}

// All of C's headers go together, and the kernel's with those that its programs use.
func TestHeadersTogether(t *testing.T) {
	c, kernel := "", "#include <pthread.h>\n#include <stdlib.h>\n#include <assert.h>\n"
	for _, name := range BuiltInHeaders() {
		if IsKernels(name) {
			kernel += "#include <" + name + ">\n"
		} else {
			c += "#include <" + name + ">\n"
		}
	}
	for _, text := range []string{c, kernel} {
		if _, err := Translate(alone(text), nil); err != nil {
			t.Error(err)
		}
	}
}

// The data model is the one asked for.
func TestDataModels(t *testing.T) {
	const checks = `#include <stdint.h>
#include <limits.h>
#include <stddef.h>
_Static_assert(sizeof(long) == WORD && sizeof(void *) == WORD && sizeof(size_t) == WORD && sizeof(intptr_t) == WORD,
	"word");
_Static_assert(sizeof(int64_t) == 8 && sizeof(long long) == 8 && sizeof(int) == 4 && sizeof(wchar_t) == 4, "fixed");
_Static_assert(LONG_MAX == (WORD == 8 ? 9223372036854775807LL : 2147483647LL) && SIZE_MAX == (WORD == 8 ? ~0ull : 4294967295ull), "limits");
_Static_assert(INT_MIN + INT_MAX == -1 && UINT_MAX == 4294967295u && ULONG_MAX == SIZE_MAX && LLONG_MIN < 0,
	"limits of int");
_Static_assert(sizeof(UINT64_C(1)) == 8 && UINT64_MAX == 18446744073709551615u, "64 bits");
`
	for _, s := range []Source{{Defines: []string{"WORD=8"}}, {Defines: []string{"WORD=4"}, ABI: ABI{ILP32: true}}} {
		s.Files = []File{{"a.c", checks}}
		if _, err := Translate(s, nil); err != nil {
			t.Errorf("ILP32 %v: %v", s.ABI.ILP32, err)
		}
	}
}

func TestIncludes(t *testing.T) {
	tree := fstest.MapFS{
		"t/variants/a.c": {
			Data: []byte("#include \"../x.c\"\n#include <own.h>\nint main(void) { return f() + own(); }\n"),
		},
		"t/x.c":              {Data: []byte("#include \"beside.h\"\nint f(void) { return beside(); }\n")},
		"t/beside.h":         {Data: []byte("#pragma once\nstatic int beside(void) { return 1; }\n")},
		"include/own.h":      {Data: []byte("#include \"sub/own2.h\"\n#include \"sub/own2.h\"\n")},
		"include/sub/own2.h": {Data: []byte("#pragma once\n#include \"own3.h\"\nstatic int own(void) { return 3; }\n")},
		"include/sub/own3.h": {Data: []byte("/* nothing */")},
		"include/assert.h":   {Data: []byte("#define assert(e) my_assert(e)\n")},
	}
	s := Source{
		Files: []File{{"t/variants/a.c", string(tree["t/variants/a.c"].Data)}}, Include: tree,
		Dirs: []string{"include"},
	}
	if _, err := Translate(s, nil); err != nil {
		t.Error(err)
	}
	// Those that the program brings come before ours.
	s.Files = []File{{"a.c", "#include <assert.h>\nvoid my_assert(int);\nvoid f(int x) { assert(x); }\n"}}
	units, err := Translate(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, found := units[0].Scope.Nodes["__litmus_assert"]; found {
		t.Error("our <assert.h> was taken, though the program has one")
	}
	// Files of one program may include each other, without a file system.
	s = Source{
		Files: []File{
			{"main.c", "#include \"lib/q.h\"\nint main(void) { return q; }\n"},
			{"lib/q.h", "#include \"r.h\"\nstatic int q;\n"},
			{"lib/r.h", "\n"},
		},
	}
	if _, err := Translate(s, nil); err != nil {
		t.Error(err)
	}
}

// The front end reads no file of the machine, whatever a program includes.
func TestNoHostFiles(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.h")
	if err := os.WriteFile(secret, []byte("int secret_is_read;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(dir, "inside")
	if err := os.Mkdir(inside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(inside, "link.h")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	for _, include := range []fs.FS{nil, fstest.MapFS{}, root.FS()} {
		for _, name := range []string{
			secret, "/etc/passwd", "../../../../../../../../etc/passwd", "../secret.h", "./../secret.h", "link.h",
			"file://" + secret,
			"sub/../../secret.h", "/usr/include/stdio.h", "//etc/passwd", "<built-in>/../../../etc/passwd",
			"/dev/stdin", "/proc/self/environ", ".", "..", "/", "",
		} {
			for _, form := range []string{
				"#include \"%s\"", "#include <%s>", "#include_next <%s>",
				"#define H \"%s\"\n#include H",
				"#if __has_include(\"%s\")\n#error it is there\n#endif\n#include \"nowhere\"",
			} {
				s := alone(fmt.Sprintf(form, name) + "\nint main(void) { return 0; }\n")
				s.Include, s.Dirs = include, []string{"..", "/", "", dir}
				_, err := Translate(s, nil)
				if err == nil {
					t.Errorf("%s was read", fmt.Sprintf(form, name))
				} else if strings.Contains(err.Error(), "it is there") {
					t.Errorf("%q is seen", name)
				}
			}
		}
	}
}

// Errors have their place, and advice.
func TestSourceErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{
			"missing header", "#include <nowhere.h>\n",
			`a.c:1:10: <nowhere.h> is not found: searched the file's own folder, inc, more/inc and the built-in headers; -I DIR adds a folder`,
		},
		{"missing file", "int x;\n#include \"no.h\"\n", `a.c:2:10: "no.h" is not found: searched`},
		{"undefined", "int main(void) {\n  return y;\n}\n", "a.c:2:10: undefined: y"},
		{"syntax", "int main(void) {\n  int x = ;\n}\n", "a.c:2:11: unexpected ';'"},
		{"#error", "#ifndef N\n#error \"want N\"\n#endif\n", `a.c:2:2: "want N"`},
		{
			"member", "struct s { int a; } s;\nint f(void) { return s.b; }\n",
			"a.c:2:23: type struct s {a int} has no member named b",
		},
		{"unfinished", "int main(void) {\n", "a.c:1:17: the file ends unexpectedly: expected '}'"},
		{"no text", "int x;\nint \x00 y;\n", "a.c:2:5: the file contains a zero byte"},
		{"in a macro", "#define F(x) (x +)\nint f(int a) {\n  return F(a);\n}\n", "a.c:3:10: "},
		{"line numbers", "\n\n/* a\n b */ int f(void) { return\nz; }\n", "a.c:5:1: undefined: z"},
	} {
		s := alone(test.text)
		s.Dirs = []string{"inc", "more/inc"}
		_, err := Translate(s, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
	// The front end reports all errors at once, of syntax and of names, each where one looks for it, and none that
	// follows from another.
	for _, test := range []struct{ text, want string }{
		{`#include <stdatomic.h>
#include <pthread.h>
atomic_int x;
void *t(void *a) {
  atomic_store_explicit(&x, 1, memory_order_relase);
  int r = x
  undefd(r);
  return 0;
}
int f(int a { return a; }
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0)
  z = 3;
  for (int i = 0; i < 3, i++) x++;
  while (x y) ;
  x = (x + ;
  pthread_jon(p, 0);
  return 0
}
`, `a.c:5:32: undefined: memory_order_relase: did you mean memory_order_release?
a.c:6:12: got undefd, want ';' before it
a.c:7:3: undefined: undefd
a.c:10:12: got '{', want ')' before it
a.c:13:30: got z, want ';' before it
a.c:14:3: undefined: z
a.c:15:29: got ')', want ';' before it
a.c:16:11: got y, want ')' before it
a.c:16:12: undefined: y
a.c:17:12: unexpected ';', expected unary expression
a.c:18:3: undefined: pthread_jon: did you mean pthread_join?
a.c:19:11: got '}', want ';' before it`},
		{
			"#frobnicate\nint f(void) { return first }\n#pragma frob\nint g(void) { return second; }\n",
			`a.c:1:1: #frobnicate is not supported: use a directive of C or a known one of GCC
a.c:2:22: undefined: first
a.c:2:27: got '}', want ';' before it
a.c:3:9: #pragma frob is unknown: remove it if it has no effect
a.c:4:22: undefined: second`,
		},
		{"int f(void) {\n a: ;\n a: return 0;\n}\n", "a.c:3:2: label a is already defined at a.c:2:2"},
		{"int x\nint y;\nint f(void) { return malloc(xx) == y; }\n", `a.c:1:6: got int, want ';' before it
a.c:3:29: undefined: xx: did you mean x?`},
		{
			"int f(void) { return pthread_equl(1, 2) + memory_order_seq_cst; }\n",
			`a.c:1:22: undefined: pthread_equl: did you mean pthread_equal?
a.c:1:43: memory_order_seq_cst is not declared; add #include <stdatomic.h>`,
		},
		{"int f(void) { return c + expression + __VERIFIER_hp_alloc(); }\n", `a.c:1:22: undefined: c
a.c:1:26: undefined: expression
a.c:1:39: __VERIFIER_hp_alloc is not declared; add #include <genmc.h>`},
		{"#define A\n # elifdef A\n#endif\n", "a.c:2:2: unexpected #elifdef\na.c:3:1: unexpected #endif"},
	} {
		_, err := Translate(alone(test.text), map[string]bool{"malloc": true, "pthread_equal": true})
		if err == nil || err.Error() != test.want {
			t.Errorf("%s\ngot\n%v\nwant\n%s", test.text, err, test.want)
		}
	}
	// The front end parses all files, and reports their errors.
	_, err := Translate(
		Source{Files: []File{{"a.c", "int f(void) { return x; }"}, {"b.c", "int g(void) { return 1 }"}}}, nil)
	if list := litmus.Errors(err); len(list) < 2 || list[0].Pos.File != "a.c" || list[len(list)-1].Pos.File != "b.c" {
		t.Errorf("got %v, want errors of both files", err)
	}
	for _, d := range []string{"", "1N", "N=1\n#include", "A B", "-DN"} {
		if _, err := Translate(Source{Files: []File{{"a.c", ""}}, Defines: []string{d}}, nil); err == nil {
			t.Errorf("-D %q is taken", d)
		}
	}
	if _, err := Translate(Source{}, nil); err == nil {
		t.Error("a program of no file is taken")
	}
}

func TestDefines(t *testing.T) {
	s := alone("_Static_assert(A == 1 && B == 2 && C(3) == 4 && !D - 1 == 0, \"\");\n#ifdef D\nint d D;\n#endif\n")
	s.Defines = []string{"A", "B=2", "C(x)=((x)+1)", "D="}
	s.Files[0].Text = strings.Replace(s.Files[0].Text, "!D - 1", "0", 1)
	if _, err := Translate(s, nil); err != nil {
		t.Error(err)
	}
}

// The front end rejects hostile programs, at a place, in little time.
func TestHostileSources(t *testing.T) {
	repeat := strings.Repeat
	long := func(line string) string { return repeat(line, 50_000) }
	billion := "#define A0 x x x x x x x x x x\n"
	for i := range 12 {
		billion += fmt.Sprintf("#define A%d A%d A%d A%d A%d A%d A%d A%d A%d A%d A%d\n", i+1, i, i, i,
			i, i, i, i, i, i, i)
	}
	parens := "#define P0 " + repeat("(", 200) + "\n"
	for i := range 5 {
		parens += fmt.Sprintf("#define P%d %s\n", i+1, repeat(fmt.Sprintf("P%d ", i), 20))
	}
	for name, text := range map[string]string{
		"parentheses":            "int x = " + repeat("(", 100_000) + "1" + repeat(")", 100_000) + ";",
		"parentheses in #if":     "#if " + repeat("(", 100_000) + "1" + repeat(")", 100_000) + "\n#endif\n",
		"parentheses by macros":  parens + "#if P5 1\n#endif\n",
		"prefixes in #if":        "#if " + repeat("!", 500_000) + "1\n#endif\n",
		"braces":                 "int main(void) " + repeat("{", 100_000) + repeat("}", 100_000),
		"braces and more":        "int main(void) " + repeat("{ ;", 100_000),
		"brackets":               "int x" + repeat("[", 100_000),
		"declarators":            "int " + repeat("(*", 100_000) + "x" + repeat(")", 100_000) + ";",
		"stars":                  "int " + repeat("*", 200_000) + "x;",
		"casts":                  "int x = " + repeat("(int)", 100_000) + "1;",
		"prefixes":               "int x = " + repeat("!", 400_000) + "1;",
		"minuses":                "int x = " + repeat("- ", 200_000) + "1;",
		"conditionals":           "int x = " + repeat("1 ? 2 : ", 100_000) + "3;",
		"assignments":            "int f(int x) { " + repeat("x = ", 100_000) + "3; }",
		"ifs":                    "int f(int x) { " + repeat("if (x) ", 100_000) + "; }",
		"whiles":                 "int f(int x) { " + repeat("while (x) ", 60_000) + "; }",
		"dos":                    "int f(int x) { " + repeat("do ", 100_000) + "; }",
		"labels":                 "int f(int x) { " + repeat("a: ", 100_000) + "; }",
		"cases":                  "int f(int x) { switch (x) { " + repeat("case 1: ", 100_000) + "; } }",
		"sizeofs":                "int x = " + repeat("sizeof ", 100_000) + "1;",
		"structs":                repeat("struct { ", 100_000),
		"initialisers":           "int x[] = " + repeat("{", 100_000),
		"sums":                   "int x = 1" + repeat(" + 1", 200_000) + ";",
		"calls":                  "int f(); int g(void) { return f" + repeat("()", 100_000) + "; }",
		"members":                "int f(int x) { return x" + repeat(".a", 100_000) + "; }",
		"conditions":             repeat("#if 1\n", 100_000),
		"expansion":              billion + "int A12;\n",
		"expansion in #if":       billion + "#if A12\n#endif\n",
		"calls of macros":        "#define F(x) x x\nint y = " + repeat("F(", 100_000) + repeat(")", 100_000) + ";",
		"calls of macros, few":   "#define F(x) x x\nint y = " + repeat("F(", 60) + "1" + repeat(")", 60) + ";",
		"50,000 lines":           long("int f(int x) { return x + 1; }\n"),
		"50,000 lines of macros": long("#define M(x) x + 1\n") + "int;;",
		"50,000 open lines":      long("f(x,\n"),
		"50,000 quotes":          long("\"\n"),
		"a long string":          "char *s = \"" + repeat("a", 900_000) + "\" + ;",
		"a long name":            "int " + repeat("a", 900_000) + " + ;",
		"a long comment":         "/*" + repeat("*", 900_000),
		"a long line":            "int x;" + repeat(" ", 900_000) + "y",
		"too much text":          repeat(" ", maxText+1),
		"a huge array":           "char a[0x7fffffffffffffff][0x7fffffffffffffff]; int x = sizeof a + ;",
		"a huge struct":          "struct s { char a[0x7fffffffffffffff], b[0x7fffffffffffffff]; } s, t[9]; int x = ;",
		"struct within itself":   "struct s { struct s s; } s; int x = s;",
		"typeof itself":          "__typeof__(x) x;",
		"many errors":            long("y;\n"),
		"stringify": "#define S(x) #x\n#define T(x) S(x) S(x) S(x)\nchar *s = " + repeat("T(", 4) +
			repeat(")", 4) + " +;",
		"paste":               "#define P(a, b) a ## b\nint x = P(+, *) ;",
		"bad directive":       "#foo\n#if\n#else\n#else\n#endif\n#endif\nint ;;",
		"#include of nothing": "#include\n",
		"#include of a macro": "#define H H\n#include H\n",
		"self-reference":      "#define X X X\n#if X\n#endif\nint X;",
		"unfinished call":     "#define F(a, b) a\nF(1,",
		"shift":               "int x[1 << 100], y[1 / 0], z[-1]; enum { A = 1 / 0 };",
		"#line":               "#line 5 \"/etc/passwd\"\n#include \"x\"\n",
		"unfinished string":   "char *s = \"abc",
		"unfinished comment":  "int x; /* abc",
		"backslashes":         repeat("\\\n", 100_000) + "int x = ;",
		"lost in a pointer":   "int *if;",
		"lost in a bit-field": "struct s { int a;: *next; } *",
		"a character, cut":    "int x = ' \\",
		"a block, cut":        "int f(void) { ({ int y \\",
		"not text":            "\xff\xfe\x80 int x = ;",
	} {
		start := time.Now()
		_, err := Translate(alone(text), nil)
		if err == nil && name != "50,000 lines of macros" {
			t.Errorf("%s: no error", name)
		}
		for _, e := range litmus.Errors(err) {
			if e.Pos.Line == 0 || e.Pos.File == "" {
				t.Errorf("%s: an error without a place: %v", name, e)
			}
			if len(e.Msg) > 1000 {
				t.Errorf("%s: a message of %d bytes", name, len(e.Msg))
			}
		}
		if d := time.Since(start); d > 500*time.Millisecond {
			t.Logf("%s: %v", name, d)
		}
	}
}

// A file that includes itself ends, and gets an error.
func TestEndlessInclusion(t *testing.T) {
	for name, tree := range map[string]fstest.MapFS{
		"once":  {"a.h": {Data: []byte("#include \"a.h\"\n")}},
		"twice": {"a.h": {Data: []byte("#include \"a.h\"\n#include \"a.h\"\n")}},
		"by turn": {
			"a.h": {Data: []byte("#include \"b.h\"\nint x;\n#include \"b.h\"\n")},
			"b.h": {Data: []byte("#include \"a.h\"\nint y;\n#include \"a.h\"\n")},
		},
		"itself": {"a.h": {Data: []byte("#include \"a.c\"\n")}},
	} {
		s := alone("#include \"a.h\"\n#include \"a.c\"\nint main(void) { return 0; }\n")
		s.Include = tree
		if _, err := Translate(s, nil); err == nil || !strings.Contains(err.Error(), "seems to include itself") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, first := range []string{`"a.c"`, "__FILE__"} {
		_, err := Translate(alone("int x;\n#include "+first+"\nint main(void) { return 0; }\n"), nil)
		if err == nil ||
			!strings.HasPrefix(err.Error(),
				"a.c:1:1: more than 1000 files are included: this file seems to include itself") {
			t.Errorf("%s: got %v", first, err)
		}
	}
}

func FuzzSource(f *testing.F) {
	for _, text := range []string{
		"#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\natomic_int x;\n" +
			"int main(void) { atomic_store(&x, 1); assert(x == 1); return 0; }\n",
		"struct s { int a; struct s *next; } *p;\n" +
			"int f(int n) { for (int i = 0; i < n; i++) p = p->next; return p ? p->a : -1; }\n",
		"#define F(x, ...) x ## __VA_ARGS__ #x\n#if defined F && !(1 / 1)\n#elif 2\nint F(y, z);\n#endif\n",
		"int f(int x) { switch (x) { case 1: default: goto l; } l: do x++; while (x < 3); return ({ int y = x; y; " +
			"}); }\n",
		"typedef _Atomic(int *) p; static _Thread_local volatile p a[2] = { [1] = 0 }; void g(void) { __asm__ " +
			"volatile (\"mfence\" ::: \"memory\"); }\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		units, err := Translate(alone(text), nil)
		if err == nil {
			NewQualifiers(units, 64)
			return
		}
		for _, e := range litmus.Errors(err) {
			if e.Pos.Line == 0 {
				t.Errorf("an error without a place: %v", e)
			}
		}
	})
}
