package codegen

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/read"
)

func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"int f(void) { return 0; }", "t.c:1:1: there is no function main to begin with"},
		{
			"int main(void) {\n\tlong double f = 1;\n\treturn 0;\n}",
			"t.c:2:14: floating point (long double) is not supported",
		},
		{
			"struct s { int a : 3; } x; int *p; int main(void) { p = &x.a; return 0; }",
			"t.c:1:57: bit-field a has no address",
		},
		{
			"struct s { int a : 3; } x; int main(void) { return sizeof x.a; }",
			"t.c:1:52: sizeof and _Alignof do not apply to bit-field a",
		},
		{
			"struct s { struct { long a; } n; struct { int a; }; } x; int main(void) { return sizeof(x.a + 1); }",
			"t.c:1:88: the C parser may confuse another member with a and get the type wrong: rename one of them",
		},
		{"struct s { struct { long a; } n; struct { int a; }; int b : 1; } x; int main(void) { __typeof__(x.a) k = " +
			"1; return k; }", "t.c:1:86: the C parser may confuse another member with a and get the type wrong: " +
			"rename one of them"},
		{
			"struct s { struct { int *a; } n; char c; int a : 3; char d; } x;\nint main(void) { return x.a; }",
			"t.c:2:25: the C parser may confuse this member a with another one: rename it, or the member of the " +
				"same name in a sibling structure",
		},
		{
			"struct s { _Atomic int a : 3; } x; int main(void) { return x.a; }",
			"t.c:1:24: bit-field a is _Atomic, which is not supported: no C compiler implements atomic accesses to " +
				"bit-fields",
		},
		{
			"struct s { int a; } s; int f(int n, ...) { return n; } int main(void) { return f(1, s); }",
			"t.c:1:85: struct s {a int} as a variable argument is not supported: pass a pointer to it",
		},
		{"void vprintf(); void f(char *s, ...) { vprintf(s); } int main(void) { char b[2] = \"\"; f(\"%s%s\", " +
			"\"a\", b); return 0; }", "t.c:1:102: a string as a variable argument, which vprintf may read, is not " +
			"supported: print it with printf"},
		{
			"int main(void) { __builtin_va_list l; __builtin_va_start(l, l); return 0; }",
			"t.c:1:39: va_start is in a function without variable arguments",
		},
		{
			"int main(void) { return strange(1); }",
			"t.c:1:25: strange is not defined, and is not a known library function",
		},
		{"extern int x; int main(void) { return x; }", "t.c:1:39: x is declared but not defined"},
		{
			"int x = 1, y = x + 1; int main(void) { return y; }",
			"t.c:1:16: got x + 1, want a constant",
		},
		{
			"int f(void); int main(void) { int (*p)(void) = f; return p(); }",
			"t.c:1:48: f is not defined in the program, so it has no address",
		},
		{"int f(int *p) { return *p; }", "t.c:1:25: p has no value: the program starts with this function"},
		{
			"_Atomic struct { long a, b; } s; int main(void) { s = s; return 0; }",
			"t.c:1:55: an atomic access of 16 bytes, to all of struct {a long; b long}, is not supported: use 1, " +
				"2, 4 or 8 bytes, such as a 32-bit index and a 32-bit tag",
		},
		{"__int128 x; int main(void) { return x == 0; }", "t.c:1:37: values of type __int128 are not supported"},
		{
			"int main(void) { int a[100][1000] = { 0 }; return 0; }",
			"t.c:1:37: this sets an object of more than 16384 scalars, which is not supported",
		},
		{"#include <pthread.h>\n_Atomic int x, y, z; int main(void) { pthread_t t; pthread_create(&t, 0, 0, " +
			"0);\nreturn (x, y) + z; }", "t.c:3:8: C allows the evaluation of z in the middle of (x, y), which is " +
			"not supported: use several statements"},
		{
			"#include <pthread.h>\n_Atomic int x, y, z; int main(void) { pthread_t t; pthread_create(&t, 0, 0, " +
				"0);\nreturn (x ? y + z : 1) + z; }",
			"t.c:3:9: C allows the evaluation of z in the middle of x ? y + z : " +
				"1, which is not supported: use several statements",
		},
		{"int main(void) { __label__ l; l: return 0; }", "t.c:1:18: __label__ is not supported"},
	} {
		o := Options{}
		if !strings.Contains(c.text, "main") && !strings.Contains(c.want, "main") {
			o.Entry = "f"
		}
		_, err := Make(read.Source{Files: []read.File{{Name: "t.c", Text: c.text}}}, o)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// A function without a call may contain anything.
func TestUnreachable(t *testing.T) {
	lowered(t, `
double pi = 3.14;
double area(double r) { return pi * r * r; }
int sum(int n, ...) { return n; }
int main(void) { if (0) strange(); return 0; }`, Options{})
}

// loops are the ranges of a function's jumps back.
func loops(f *code.Function) (ranges [][2]int) {
	for i, s := range f.Code {
		if b, ok := s.Op.(code.Branch); ok && b.Target <= i {
			ranges = append(ranges, [2]int{b.Target, i})
		}
	}
	return ranges
}

// Each loop has one jump back, and ranges of loops are apart or one within the other.
func TestLoops(t *testing.T) {
	for _, c := range []struct {
		body string
		want int
	}{
		{"while (x);", 1},
		{"while (x || y);", 1},
		{"while (x && y) { if (x) break; y--; }", 1},
		{"do x++; while (y && x || z);", 1},
		{"do x++; while (0);", 0},
		{"while (0) x++;", 0},
		{"for (;;) { if (x) return 1; }", 1},
		{"for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { if (x) continue; y++; }", 2},
		{"for (int i = 0; i < 3; i++) { while (x) if (y) break; do z++; while (z < 3); }", 3},
		{"if (x) while (y); else for (; z;);", 2},
		{"again: if (x) { y++; goto again; }", 1},
	} {
		u := lowered(t, "volatile int x, y, z; int main(void) { "+c.body+" return 0; }", Options{})
		ranges := loops(u.Functions["main"])
		if len(ranges) != c.want {
			t.Errorf("%s: %d jumps back, want %d", c.body, len(ranges), c.want)
		}
		for i, a := range ranges {
			for _, b := range ranges[:i] {
				apart := a[1] < b[0] || b[1] < a[0]
				within := a[0] >= b[0] && a[1] <= b[1] || b[0] >= a[0] && b[1] <= a[1]
				if !apart && !within {
					t.Errorf("%s: loops %v and %v cross", c.body, a, b)
				}
			}
		}
	}
}

// count is how many steps of a function are of the kind that is says.
func count(f *code.Function, is func(code.Op) bool) (n int) {
	for _, s := range f.Code {
		if is(s.Op) {
			n++
		}
	}
	return n
}

func isBranch(o code.Op) bool { _, ok := o.(code.Branch); return ok }

// A condition takes no more branches than there are decisions that others could notice.
func TestBranches(t *testing.T) {
	for _, c := range []struct {
		body string
		want int
	}{
		{"return a && b || !a;", 0},
		{"return a ? b : -b;", 0},
		{"if (a && b) x = 1;", 1},
		{"if (a && (b || a > 3)) x = 1;", 1},
		{"return a && x;", 1},
		{"if (a || x) y = 1;", 2},
		{"return a ? x : y;", 2},
		{"if (1) x = 1; else y = 1;", 0},
		{"return 0 && x;", 0},
	} {
		u := lowered(t, "int x, y; int f(int a, int b) { "+c.body+" return 0; } int main(void) { return f(1, 2); }",
			Options{})
		if got := count(u.Functions["f"], isBranch); got != c.want {
			t.Errorf("%s: %d branches, want %d", c.body, got, c.want)
		}
	}
}

// Locals are in memory where something may point to them, and nowhere else.
func TestRegisters(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"int a = 1; return a;", ""},
		{"int a, *p = &a; return *p;", "a"},
		{"int a[2]; a[0] = 1; return a[0];", "a"},
		{"struct { int x; } s = { 1 }; return s.x;", "s"},
		{"int e = 0; while (!__atomic_compare_exchange_n(&x, &e, 1, 0, 0, 0)) e = 0; return e;", ""},
		{"int e = 0; if (!__atomic_compare_exchange_n(&x, &e, 1, 0, 0, 0)) return *(&e + 0); return e;", "e"},
		{"unsigned long t; pthread_create(&t, 0, g, 0); return t;", ""},
		{"static int n; return n++;", ""},
		{"int a = sizeof(&x); return a;", ""},
	} {
		u := lowered(t, "#include <pthread.h>\nint x; void *g(void *p) { return p; } int main(void) { "+c.body+" }",
			Options{})
		var names []string
		for _, v := range u.Functions["main"].Locals {
			names = append(names, v.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: got %q in memory, want %q", c.body, got, c.want)
		}
	}
}

// A local that may be read before its first write is in memory, which records whether it is set; others are not.
func TestFirstValues(t *testing.T) {
	for _, c := range []struct {
		body     string
		inMemory bool
	}{
		{"int a; a = x; return a;", false},
		{"int a; if (x) a = 1; return a;", true},
		{"int a; if (x) a = 1; else a = 2; return a;", false},
		{"int a; while (x) { a = 1; x = a; }", false},
		{"int a; do { if (x) x = a; a = 2; } while (x);", true},
		{"int a; return sizeof a;", false},
		{"int a; if (x) goto end; a = 1; end: return a;", true},
		{"int a; switch (x) { case 1: a = 1; break; default: a = 2; } return a;", false},
	} {
		u := lowered(t, "int x; int main(void) { "+c.body+" return 0; }", Options{})
		chosen := count(u.Functions["main"], func(o code.Op) bool { _, ok := o.(code.Choose); return ok })
		if got := len(u.Functions["main"].Locals) > 0; got != c.inMemory || chosen > 0 {
			t.Errorf("%s: in memory: %t, want %t; %d first values in registers", c.body, got, c.inMemory, chosen)
		}
	}
}

// The declaration determines how accesses work.
func TestAccesses(t *testing.T) {
	sc := code.Access{Atomic: true, Order: c.SeqCst}
	for _, c := range []struct {
		body  string
		loads []code.Access
		does  func(code.Op) bool
	}{
		{"return x;", []code.Access{{}}, nil},
		{"return a;", []code.Access{sc}, nil},
		{"return *pa + p->a + p->x;", []code.Access{{}, sc, {}, sc, {}, {}}, nil},
		{"return v;", []code.Access{{Volatile: true}}, nil},
		{"(void)x; (void)a; x; v;", []code.Access{sc, {Volatile: true}}, nil},
		{"a++;", nil, func(o code.Op) bool {
			u, ok := o.(code.Update)
			return ok && fmt.Sprint(u.Read, u.Write) == fmt.Sprint(sc, sc)
		}},
		{"a = x;", []code.Access{{}}, func(o code.Op) bool { s, ok := o.(code.Store); return ok && s.How.Atomic }},
		{
			"_Atomic int l = 1; int *q = (int *)&l; return *q;",
			[]code.Access{{}},
			func(o code.Op) bool { s, ok := o.(code.Store); return ok && !s.How.Atomic },
		},
	} {
		u := lowered(t, "int x; _Atomic int a, *pa = &a; volatile int v; struct { _Atomic int a; int x; } s, *p = "+
			"&s; int main(void) { "+c.body+" return 0; }", Options{})
		var got []code.Access
		for _, s := range u.Functions["main"].Code {
			if l, ok := s.Op.(code.Load); ok {
				got = append(got, l.How)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.loads) {
			t.Errorf("%s: loads %v, want %v", c.body, got, c.loads)
		}
		if c.does != nil && count(u.Functions["main"], c.does) != 1 {
			t.Errorf("%s: not one step of the kind wanted", c.body)
		}
	}
}

// The text of statements is that of the source, and for loops the head alone.
func TestLines(t *testing.T) {
	const text = `#define INC(v) do { v++; } while (0)
int x, y;
int main(void)
{
	int a = 1, /* one */
	    b = 2;
	if (a &&
	    b) { x = a; } else y = b; // done
	for (int i = 0; i < 3; i++) x += i;
	INC(x);
	do { y--; } while (y > 3);
	switch (x) { case 1: y = "a;b"[0]; break; }
	int t[] = { 1, 2 };
	return x;
}
`
	u := lowered(t, text, Options{})
	var got []string
	for _, l := range u.Lines {
		got = append(got, fmt.Sprintf("%d:%d %s", l.Pos.Line, l.Pos.Col, l.Text))
	}
	want := []string{
		"3:1 int main(void)", "5:2 int a = 1, b = 2;", "7:2 if (a && b)", "8:11 x = a;", "8:25 y = b;",
		"9:2 for (int i = 0; i < 3; i++)", "9:30 x += i;", "10:2 INC(x);", "11:2 do", "11:7 y--;",
		"11:14 while (y > 3)",
		"12:2 switch (x)", `12:23 y = "a;b"[0];`, "12:37 break;", "13:2 int t[] = { 1, 2 };", "14:2 return x;",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestSeveralFiles(t *testing.T) {
	files := []read.File{
		{
			Name: "a.c",
			Text: "extern int shared; int get(void); static int own = 1; static int f(void) { return own; }\n" +
				"extern int table[]; int main(void) { return shared + get() * 10 + f() * 100 + table[2] * 1000; }",
		},
		{Name: "b.c", Text: "int shared = 2; int unused; static int own = 3; static int f(void) { return own; }\n" +
			"int table[] = { 4, 5, 6 }; int get(void) { return f(); }"},
	}
	u, err := Make(read.Source{Files: files}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := interpret(t, u, "main"); got != 2+30+100+6000 {
		t.Errorf("got %d", got)
	}
	for _, c := range []struct{ a, b, want string }{
		{"int x = 1; int main(void) { return x; }", "int x = 2;", "b.c:1:5: x is initialised twice, at a.c:1:5 before"},
		{
			"int main(void) { return 0; }", "int main(void) { return 1; }",
			"b.c:1:5: main is defined twice, at a.c:1:5 before",
		},
	} {
		_, err := Make(read.Source{Files: []read.File{{Name: "a.c", Text: c.a}, {Name: "b.c", Text: c.b}}}, Options{})
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// With the overflow check, the front end finds results that do not fit, and nothing else.
func TestOverflow(t *testing.T) {
	const least, most = "(-2147483647 - 1)", "2147483647"
	for _, c := range []struct {
		expression, a, b string
		fails            bool
	}{
		{"a + b", most, "1", true},
		{"a + b", most, "0", false},
		{"a + b", least, "-1", true},
		{"a - b", least, "1", true},
		{"a - b", "0", least, true},
		{"a - b", "-1", least, false},
		{"a * b", "65536", "32768", true},
		{"a * b", "-65536", "32768", false},
		{"-a", least, "0", true},
		{"a / b", "1", "0", true},
		{"a / b", least, "-1", true},
		{"a % b", least, "-1", true},
		{"a / b", "7", "-1", false},
		{"a << b", "1", "31", true},
		{"a << b", "1", "30", false},
		{"a << b", "-1", "0", true},
		{"a >> b", "-1", "32", true},
		{"a >> b", "-1", "31", false},
		{"(unsigned)a + b", most, most, false},
		{"(unsigned)a / b", "1", "0", true},
		{"(long)a * b", most, most, false},
		{"(long)a * a * a", "2097152", "0", true},
		{"(long)a * a * a", "2097151", "0", false},
		{"(signed char)(a + b)", "100", "100", false},
		{"a++", most, "0", true},
		{"--a", least, "0", true},
		{"a += b", most, "2", true},
	} {
		text := fmt.Sprintf("int f(int a, int b) { return %s; } int main(void) { return f(%s, %s); }",
			c.expression, c.a, c.b)
		_, in := interpret(t, lowered(t, text, Options{Overflow: true}), "main")
		if fails := len(in.failed) > 0; fails != c.fails {
			t.Errorf("%s with %s and %s: failed %q", c.expression, c.a, c.b, in.failed)
		}
	}
}

func TestLayout(t *testing.T) {
	u := lowered(t, `
struct s { int a; struct { char b[4]; long c; } in[2]; union { int u; }; } g;
int main(void) { struct s *p = &g; return p->a; }`, Options{})
	var g *code.Variable
	for _, s := range u.Functions["main"].Code {
		if l, ok := s.Op.(code.Locate); ok {
			g = l.Of
		}
	}
	for offset, want := range map[int]string{
		0: "g.a", 8: "g.in[0].b[0]", 11: "g.in[0].b[3]",
		32: "g.in[1].c", 40: "g.u",
	} {
		if got, _ := g.Layout(offset); got != want {
			t.Errorf("at %d: got %s, want %s", offset, got, want)
		}
	}
}

// Pointers and long have the width of the chosen data model.
func TestILP32(t *testing.T) {
	const text = `
struct s { char c; long l; void *p; } x = { 1, -2, &x };
int main(void) { unsigned long big = -1; return sizeof x + (x.p == &x) * 100 + (x.l < 0) * 200 + (big + 1 == 0) * 400 + sizeof(long long); }`
	for _, c := range []struct {
		ilp32 bool
		want  uint64
	}{{true, 12 + 700 + 8}, {false, 24 + 700 + 8}} {
		u, err := Make(read.Source{Files: []read.File{{Name: "t.c", Text: text}}, ABI: read.ABI{ILP32: c.ilp32}},
			Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := interpret(t, u, "main"); got != c.want {
			t.Errorf("ILP32 %v: got %d, want %d", c.ilp32, got, c.want)
		}
	}
}

// A pointer can point to a function that the front end knows.
func TestPointersToBuiltins(t *testing.T) {
	u := lowered(t, `
#include <pthread.h>
struct { int (*lock)(pthread_mutex_t *); int (*abs)(int); } ops = { pthread_mutex_lock, &__builtin_abs };
int main(void) { return ops.abs(-3) + (ops.lock != 0); }`, Options{})
	if got, _ := interpret(t, u, "main"); got != 4 {
		t.Errorf("got %d, want 4", got)
	}
}

// A function with this name is one atomic step at every call.
func TestAtomicFunctions(t *testing.T) {
	u := lowered(t, `
int x;
void __VERIFIER_atomic_inc(void) { x++; }
int main(void) { __VERIFIER_atomic_inc(); return 0; }`, Options{})
	var got []string
	for _, s := range u.Functions["main"].Code {
		got = append(got, fmt.Sprintf("%T", s.Op))
	}
	if want := "code.Section code.Call code.Section code.Ret"; !strings.HasPrefix(strings.Join(got, " "), want) {
		t.Errorf("got %s", got)
	}
}

// A truncated file is an error at its place, or parses.
func TestCutPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/run/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	step := 101
	if testing.Short() {
		step = 509
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for cut := 0; cut < len(text); cut += step {
			_, err := Make(read.Source{Files: []read.File{{Name: "t.c", Text: string(text[:cut])}}},
				Options{Entry: "test"})
			if err == nil {
				t.Errorf("%s is read though it is cut at %d", name, cut)
			} else if !strings.HasPrefix(err.Error(), "t.c") {
				t.Errorf("%s, cut at %d: %v", name, cut, err)
			}
		}
	}
}

// Every call of an undefined function gets an error.
func TestNowhereDefined(t *testing.T) {
	_, err := Make(alone("void frob(void);\nvoid pthread_mutx_lock(int *);\nint main(void) {\n  int m = 0;\n"+
		"  pthread_mutx_lock(&m);\n  frob();\n  if (m) frob();\n  return 0;\n}\n"), Options{})
	if want := `a.c:5:3: pthread_mutx_lock is not defined, and is not a known library function: did you mean pthread_mutex_lock?
a.c:6:3: frob is not defined, and is not a known library function
a.c:7:10: frob is not defined, and is not a known library function`; err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// A program's own functions take the place of those that headers declare by their names.
func TestOwnNames(t *testing.T) {
	const text = `#include <stdlib.h>
#include <unistd.h>
static unsigned long rand(int a) { return a; }
int sleep(char *x, int y) { return y; }
#include <time.h>
int time(int x) { return x + 1; }
char __VERIFIER_nondet_long();
int test(void) { return rand(6) != 6 || sleep(0, 3) != 3 || time(1) != 2 || sizeof(__VERIFIER_nondet_long()) != 1; }
`
	if result, _ := interpret(t, lowered(t, text, Options{Entry: "test"}), "test"); result != 0 {
		t.Error("the headers' functions are taken")
	}
}
