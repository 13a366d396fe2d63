package engines_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Once its behaviour is undefined, a program may do anything: it is not safe. Where what fails comes first, or on
// another way, it is unsafe all the same. By name, the property memory has it.
func TestUndefinedBehaviour(t *testing.T) {
	const memory, overflow = ir.Memory, ir.Overflow
	for _, c := range []struct {
		name, text string
		want       string // of assertions
		by         ir.Property
		says       string
	}{
		{
			"in front of an array", "static int a[2];\nint main(void) {\n/*!*/ a[-1] = 1;\nassert(0); }", "unknown",
			memory, "points to no memory",
		},
		{
			"behind an array", "static int a[2];\nint main(void) {\n/*!*/ a[2] = 1;\nassert(0); }", "unknown", memory,
			"points to no memory",
		},
		{
			"at an index that another thread gives",
			"static int a[2];\nstatic atomic_int x; static void *f(void *p) { " +
				"x = 2; return 0; }\nint main(void) { start(f);\n/*!*/ return a[x]; }", "unknown", memory,
			"points to no memory",
		},
		{
			"a null pointer", "int main(void) { int *p = 0;\n\n/*!*/ *p = 1;\nassert(0); }", "unknown", memory,
			"the pointer is null",
		},
		{
			"a null pointer if another thread says so",
			"static atomic_int x; static void *f(void *p) { x = 1; return " +
				"0; }\nint main(void) { start(f); int y, *p = x ? 0 : &y;\n/*!*/ *p = 1; return 0; }",
			"unknown", memory, "null",
		},
		{
			"a member of a null pointer",
			"struct s { int a, b; };\nint main(void) { struct s *p = 0;\n/*!*/ return p->b; }", "unknown", memory,
			"points to no memory",
		},
		{
			"a null pointer given to the library",
			"#include <string.h>\nint main(void) { char *p = 0, a[4] = {0};\n/*!*/ memcpy(p, a, 4); return 0; }",
			"unknown", memory, "",
		},
		{
			"a mutex that is null",
			"int main(void) { pthread_mutex_t *m = 0;\n\n/*!*/ pthread_mutex_lock(m); return 0; }",
			"unknown", memory, "null",
		},
		{
			"a condition variable that is null",
			"int main(void) { pthread_cond_t *c = 0;\n\n/*!*/ pthread_cond_signal(c); return 0; }",
			"unknown", memory, "null",
		},
		{
			"a text that is null", "#include <stdio.h>\nint main(void) { char *s = 0;\n/*!*/ puts(s); return 0; }",
			"unknown", memory, "null",
		},
		{
			"a text that is null, printed",
			"#include <stdio.h>\nint main(void) { char *s = 0;\n/*!*/ printf(\"%*d%% %s\", 3, 4, s); return 0; }",
			"unknown", memory, "null",
		},
		{
			"a function pointer that is null", "static void (*g)(void);\nint main(void) {\n\n/*!*/ g(); return 0; }",
			"unknown", memory, "points to no function",
		},
		{
			"a division by zero",
			"static atomic_int x;\nint main(void) {\n\n/*!*/ int y = 1 / x; assert(y == 5); return 0; }", "unknown",
			overflow, "does not fit",
		},
		{
			"a remainder by zero, assigned",
			"static atomic_int x;\nint main(void) { int y = 3;\n/*!*/ y %= x; return 0; }", "unknown", overflow,
			"does not fit",
		},
		{
			"a shift by the width",
			"static atomic_int x = 32;\nint main(void) {\n\n/*!*/ unsigned y = 1u << x; return y; }", "unknown",
			overflow, "does not fit",
		},

		{"bytes that overlap, copied", "#include <string.h>\nint main(void) { int a[4] = {1};\n" +
			"/*!*/ memcpy(a + 1, a, 3 * sizeof *a); return 0; }", "unknown", memory, "overlap (C17, 7.24.2.1p2)"},
		{
			"texts that overlap, copied",
			"#include <string.h>\nint main(void) { char a[16] = \"abc\";\n/*!*/ strcpy(a + 2, a); return 0; }",
			"unknown", memory, "overlap (C17, 7.24.2.3p2)",
		},
		{
			"a string literal", "int main(void) { char *s = \"abc\";\n\n/*!*/ s[1] = 'x'; return 0; }", "unknown",
			memory,
			"a string literal is written (C17, 6.4.5p7)",
		},
		{
			"a constant object",
			"static const int a[2] = {1, 2};\nint main(void) { int *p = (int *)a;\n/*!*/ p[1] = 3; return 0; }",
			"unknown", memory, "an object defined with const is written",
		},
		{
			"a member by way of the one before", "struct s { int a[4], b; };\n" +
				"int main(void) { struct s x = {{0}, 7}; int i = 4;\n/*!*/ x.a[i] = 1; return 0; }", "unknown", memory,
			"the index is not within x.a, which has 4 elements",
		},
		{
			"a member of a structure that a pointer points to", "struct s { int a[4], b; };\n" +
				"int main(void) { struct s x = {{0}, 7}, *p = &x;\n/*!*/ return p->a[-1 + 5]; }", "unknown", memory,
			"the index is not within p->a",
		},
		{
			"a row by way of the one before",
			"static int m[2][3];\nint main(void) { int i = 4;\n/*!*/ return m[0][i]; }",
			"unknown", memory, "the index is not within m[0], which has 3 elements",
		},
		{
			"a member by way of a sum with the one before",
			"struct s { int a[4], b; };\nint main(void) { struct s x = {{0}, 7};\n/*!*/ return *(x.a + 4); }",
			"unknown", memory, "the index is not within x.a",
		},
		{
			"a row by way of a sum with a pointer to the one before",
			"static int m[2][3];\nint main(void) { int (*p)[3] = m;\n/*!*/ return *(3 + *p); }", "unknown", memory,
			"the index is not within *p, which has 3",
		},
		{
			"an address two behind a member's last element", "struct s { int a[4], b; };\n" +
				"int main(void) { struct s x, *q = &x;\n/*!*/ int *p = q->a + 5; return p == 0; }", "unknown", memory,
			"the index is not within q->a",
		},
		{
			"an address in front of a member", "struct s { int b, a[4]; };\n" +
				"int main(void) { struct s x, *q = &x; int i = 1;\n/*!*/ int *p = q->a - i; return p == 0; }",
			"unknown",
			memory, "the index is not within q->a",
		},
		{"an address behind a member's last element", "struct s { int a[4], b; };\n" +
			"int main(void) { struct s x = {{0}, 7}; int *p = x.a + 4, *q = &*(x.a + 4); return p != q || *(p - 1) " +
			"|| *(3 + x.a); }", "safe", "", ""},
		{
			"a constant local", "int main(void) { const int x = 1; int *p = (int *)&x;\n\n/*!*/ *p = 2; return 0; }",
			"unknown", memory, "an object defined with const is written",
		},
		{
			"a constant parameter",
			"static void f(const int x) { int *p = (int *)&x;\n\n/*!*/ *p = 2; }\nint main(void) { f(1); return 0; }",
			"unknown", memory, "an object defined with const is written",
		},
		{"constant locals, read", "struct b { int a : 3; int b : 9; char c; };\n" +
			"static struct b f(void) { struct b r = {1, 2, 3}; return r; }\n" +
			"static int g(const struct b *p) { return p->a + p->b + p->c; }\n" +
			"int main(void) { const struct b s = {1, 2, 3}, t = f(), u = s; const char m[] = \"abc\"; const int " +
			"v[2][2] = {{1, 2}, {3}};\n" +
			"for (int i = 0; i < 2; i++) { const int k = i; const int *p = &k; assert(*p == i); }\n" +
			"assert(g(&s) + g(&t) + g(&u) == 18 && m[2] == 'c' && v[1][0] == 3); return 0; }", "safe", "", ""},
		{
			"the least number without its sign",
			"#include <stdlib.h>\n#include <limits.h>\nint main(void) { int x = INT_MIN;\n/*!*/ return abs(x) == 1; }",
			"safe", overflow, "abs(x) overflows",
		},
		{
			"the least number divided by -1",
			"#include <limits.h>\nint main(void) { int x = INT_MIN, y = -1;\n/*!*/ return x / y == 1; }", "unknown",
			overflow, "does not fit",
		},
		{"what is said not to be reached", "static int f(int v) { switch (v) { case 0: return 10; } " +
			"__builtin_unreachable(); }\nint main(void) { assert(f(0) == 10); return f(1); }", "unknown", "", ""},
		{
			"a side effect under a condition, beside a read",
			"int main(void) { int a = 1, x = 0; int r = (a && x++) + x; return r; }", "unknown", "", "",
		},
		{
			"a side effect under a condition that does not hold",
			"int main(void) { int a = 0, x = 0; int r = (a && x++) + x; return r; }", "safe", "", "",
		},
		{"a side effect on one side, beside a read", "static atomic_int y; static void *g(void *p) { y = 1; return " +
			"0; }\nint main(void) { start(g); int x = 0; int r = (y ? x++ : 0) + x; return r; }", "unknown", "", ""},
		{
			"two side effects under conditions",
			"int main(void) { int a = 1, b = 1, x = 0; int r = (a && x++) + (b && x++); return r; }",
			"unknown", "", "",
		},
		{
			"two side effects under conditions of which one holds",
			"int main(void) { int a = 1, b = 0, x = 0; int r = (a && x++) + (b && x++); return r; }", "safe", "", "",
		},
		{
			"a side effect on a side, and an assignment",
			"int main(void) { int a = 1, x = 0; x = a ? x++ : 0; return x; }", "unknown", "", "",
		},
		{
			"a side effect before a comma, beside a read",
			"int main(void) { int x = 0; int r = (x++, 1) + x; return r; }",
			"unknown", "", "",
		},
		{"side effects with sequence points between them", "int main(void) { int a = 1, x = 0; int r = a ? x++ : " +
			"x--; x = a ? x + 1 : x - 1; r = (x++, x++, x) + a; return a && x && x++ && x; }", "safe", "", ""},
		{
			"a call without a value", "static int f(int v) { if (v > 5) return 1; }\nint main(void) { return f(3); }",
			"unknown", "", "",
		},
		{"a call without a value that nothing uses, on either side", "static int f(int v) { if (v > 5) return 1; " +
			"}\nstatic atomic_int x; static void *g(void *p) { x = 1; return 0; }\n" +
			"int main(void) { start(g); x ? f(1) : f(2); 1 ? f(3) : f(4); f(1), f(2); (void)(x ? f(1) : (f(2), " +
			"f(3))); return 0; }", "safe", "", ""},
		{"a call without a value on one side, which is used", "static int f(int v) { if (v > 5) return 1; }\n" +
			"static atomic_int x; static void *g(void *p) { x = 1; return 0; }\n" +
			"int main(void) { start(g); return x ? f(1) : f(6); }", "unknown", "", ""},
		{"the zeros below no 1", "static int x;\nint main(void) { return __builtin_ctz(x); }", "unknown", "", ""},

		{"behind memory of one of two sizes", "#include <stdlib.h>\nstatic atomic_int x; static void *f(void *a) { " +
			"x = 1; return 0; }\nint main(void) { start(f); char *p = malloc(x ? 1 : 2);\n" +
			"/*!*/ if (p) p[1] = 1; return 0; }", "unknown", memory, "points to no memory"},
		{
			"memory that is freed",
			"#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 3; free(p);\n/*!*/ return *p; }", "unknown",
			memory, "freed",
		},
		{
			"memory that another thread frees", "#include <stdlib.h>\nstatic int *p; static void *f(void *a) { " +
				"free(p); return 0; }\nint main(void) { p = malloc(4); *p = 1; start(f);\n/*!*/ return *p; }",
			"unknown",
			memory, "freed",
		},
		{
			"memory that is freed twice",
			"#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p);\n/*!*/ free(p); return 0; }", "unknown",
			memory, "already freed",
		},
		{
			"a local of a call that has ended",
			"static int *p; static void g(void) { int x = 1; p = &x; }\nint main(void) { g();\n/*!*/ return *p; }",
			"unknown", memory, "the call that declares it has ended",
		},
		{
			"a local of a thread that has ended",
			"static int *p; static void *f(void *a) { int x = 1; p = &x; return " +
				"0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);\n" +
				"/*!*/ return *p; }",
			"unknown", memory, "the call that declares it has ended",
		},
		{
			"a local of a block that has ended",
			"int main(void) { int *p; { int x = 3; p = &x; }\n\n/*!*/ return *p; }",
			"unknown", memory, "the block that declares it has ended",
		},
		{
			"a local of a block that a goto has left",
			"int main(void) { int *p; { { int x = 3; p = &x; goto out; } }\nout:;\n/*!*/ return *p; }", "unknown",
			memory, "the block that declares it has ended",
		},
		{
			"a local of a block that a goto has led back from",
			"int main(void) { int *p = 0; again: if (p)\n\n/*!*/ return *p;\n{ int x = 3; p = &x; goto again; } }",
			"unknown", memory, "the block that declares it has ended",
		},
		{
			"a local of a block beside", "int main(void) { int *p; { int x = 3; p = &x; goto in; }\n" +
				"{ int y; in: y = 1; p += y - 1;\n/*!*/ return *p; } }", "unknown", memory,
			"the block that declares it has ended",
		},
		{
			"a local of the round before", "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { if (p)\n\n" +
				"/*!*/ *p = 1;\nint x[2]; p = x; x[0] = 2; if (i == 0) continue; } return 0; }", "unknown", memory,
			"the block that declares it has ended",
		},
		{
			"a local of a block that another thread goes on with", "static void *f(void *a) {\n" +
				"/*!*/ return (void *)(long)*(int *)a; }\n" +
				"int main(void) { { int x = 1; pthread_t t; pthread_create(&t, 0, f, &x); } return 0; }",
			"unknown", memory, "ended",
		},
		{"an assertion before that", "int main(void) { assert(0);\nint *p = 0; *p = 1; return 0; }", "unsafe", "", ""},
		{"an assertion on another way", "static atomic_int x; static void *f(void *p) { x = 1; return 0; }\n" +
			"int main(void) { start(f); int *p = 0; if (x) { assert(0); }\nelse *p = 1; return 0; }", "unsafe", "", ""},
		{"within memory of one of two sizes", "#include <stdlib.h>\nstatic atomic_int x; static void *f(void *a) { " +
			"x = 1; return 0; }\nint main(void) { start(f); int n = x + 1; char *p = calloc(1, n); p[n - 1] = 7; " +
			"assert(p[n - 1] == 7); free(p); return 0; }", "safe", "", ""},
		{
			"memory that is freed in the end",
			"#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 3; assert(*p == 3); free(p); return 0; }",
			"safe", "", "",
		},
		{"a local of a call that goes on", "static void *f(void *a) { *(int *)a = 1; return 0; }\n" +
			"static int g(void) { int x = 0; pthread_t t; pthread_create(&t, 0, f, &x); pthread_join(t, 0); return " +
			"x; }\nint main(void) { assert(g() == 1); return 0; }", "safe", "", ""},
		{"locals of blocks that are gone on with", `
struct s { int a, b; };
static int sum(int n) {
	int *p, total = 0;
	for (int i = 0; i < 3; i++) { int x[2] = {i, n}; p = x; total += p[1]; if (i == n) continue; *p = 1; }
	switch (n) { int y; case 1: p = &y; *p = 2; total += y; break; case 2: y = 3; p = &y; total += *p; }
	if (n == 2) goto in;
	{ int z; p = &z; *p = 0; in: p = &z; *p = 1; total += z; }
	total += ({ struct s t = {n, 1}; t; }).b;
	return total;
}
int main(void) { assert(sum(1) == 3 + 2 + 1 + 1); assert(sum(2) == 6 + 3 + 1 + 1); return 0; }`, "safe", "", ""},
		{"a local of a block that a goto stays in", `
static void *f(void *a) { *(int *)a += 1; return 0; }
int main(void) {
	{ int x = 1, *p = &x; pthread_t t; pthread_create(&t, 0, f, p);
	  { int y = 2; p = &y; if (*p == 2) goto in; }
	  assert(0);
	  in: pthread_join(t, 0);
	  again: if (x < 4) { int z = 1; p = &z; x += *p; goto again; }
	  assert(x == 4); }
	return 0;
}`, "safe", "", ""},
		{"bytes that overlap, moved", "#include <string.h>\nint main(void) { int a[4] = {1, 2, 3, 4}; memmove(a + " +
			"1, a, 3 * sizeof *a); assert(a[0] == 1 && a[1] == 1 && a[2] == 2 && a[3] == 3); memmove(a, a + 2, 2 * " +
			"sizeof *a); assert(a[0] == 2 && a[1] == 3 && a[2] == 2); return 0; }", "safe", "", ""},
		{"structures that overlap by a part, moved", "#include <string.h>\nstruct s { char a; int b; };\n" +
			"int main(void) { struct s a[3] = {{1, 2}, {3, 4}}; memmove((char *)a + 8, a, 2 * sizeof *a); " +
			"assert(a[1].a == 1 && a[1].b == 2 && a[2].a == 3 && a[2].b == 4); return 0; }", "safe", "", ""},
		{
			"the sign of the first byte that differs",
			"#include <string.h>\nint main(void) { int a = 0x01000002, b = " +
				"0x02000001; assert(memcmp(&a, &b, 4) > 0 && memcmp(&b, &a, 4) < 0 && memcmp(&a, &a, 4) == 0); " +
				"return 0; }",
			"safe", "", "",
		},
		{"behind an array, but not within it", "struct s { int a[4], b; };\n" +
			"int main(void) { struct s x; int n = 4; for (int *p = x.a, *end = &x.a[n]; p != end; p++) *p = 1; " +
			"unsigned char *c = (unsigned char *)&x; for (int i = 0; i < (int) sizeof x; i++) c[i] = 2; assert(x.b " +
			"== 0x02020202); return 0; }", "safe", "", ""},
		{"an array at the end that is longer", "#include <stdlib.h>\nstruct s { int n; char a[1]; };\n" +
			"int main(void) { struct s *p = malloc(sizeof *p + 2); p->a[2] = 5; assert(p->a[2] == 5); free(p); " +
			"return 0; }", "safe", "", ""},
		{"a call without a value that nobody wants", "static int f(int v) { if (v) return 1; }\n" +
			"int main(void) { f(0); (void) f(0); assert(f(2) == 1); return 0; }", "safe", "", ""},
		{"texts that are printed", "#include <stdio.h>\nint main(void) { char *s = 0; printf(\"%d %s %p\", 1, " +
			"\"a\", s); fprintf(stderr, \"%.*s\\n\", 1, __func__); return 0; }", "safe", "", ""},
		{"within an array", "static int a[2];\nint main(void) { a[1] = 1; assert(a[1]); return 0; }", "safe", "", ""},
		{
			"a pointer that is looked at first", "static int *p;\nint main(void) { if (p) *p = 1; return 0; }", "safe",
			"",
			"",
		},
		{
			"a divisor that is looked at first",
			"static atomic_int x;\nint main(void) { int y = x; if (y) y = 1 / y; return y; }", "safe", "", "",
		},
	} {
		before, _, _ := strings.Cut(threads+c.text, "/*!*/")
		line := 1 + strings.Count(before, "\n")
		for _, by := range [][2]string{
			{"rc11", "axiomatic"},
			{"sc", "axiomatic"},
			{"tso", "machine"},
			{"sc", "lazy-cseq"},
		} {
			v := held(t, threads+c.text, by[0], by[1], ir.Assertion, nil)
			if answer(v) != c.want || v.Undefined != nil != (c.want == "unknown") || c.want == "unknown" &&
				v.Status != solver.Unknown {
				t.Errorf("%s, under %s by %s: %s %s, want %s", c.name, by[0], by[1], answer(v), v.Reason, c.want)
			}
			if c.by == "" {
				continue
			}
			if v.Undefined != nil &&
				!strings.Contains(v.Reason, fmt.Sprintf("behaviour is undefined at line %d, after which", line)) {
				t.Errorf("%s, under %s by %s: %q", c.name, by[0], by[1], v.Reason)
			}
			v = held(t, threads+c.text, by[0], by[1], c.by, nil)
			if v.Failure == nil || v.Failure.Property != c.by || !strings.Contains(v.Failure.Text, c.says) ||
				v.Failure.Line != line {
				t.Errorf("%s, for %s under %s by %s: %s %s, %+v", c.name, c.by, by[0], by[1], answer(v),
					v.Reason, v.Failure)
			}
		}
	}
}

// A location without a write has any value, on the paths that have not written it. To read it is no good use of memory;
// to copy it, or not to look at it there, is.
func TestUnsetMemory(t *testing.T) {
	for _, c := range []struct{ name, text, assertion, memory string }{
		{"a local", "int main(void) { int a; assert(a != 3); return 0; }", "unsafe", "unsafe"},
		{
			"a local that one way sets", "int main(void) { int a; if (any()) a = 1; assert(a != 3); return 0; }",
			"unsafe", "unsafe",
		},
		{
			"a local that one way sets, by its address",
			"int main(void) { int a, *p = &a; if (any()) *p = 1; assert(a != 3); return 0; }", "unsafe", "unsafe",
		},
		{
			"a local that one way sets and the same one reads",
			"int main(void) { int a, c = any(); if (c) a = 1; if (c) assert(a == 1); return 0; }", "safe", "safe",
		},
		{
			"a local that both ways set",
			"int main(void) { int a; if (any()) a = 1; else a = 2; assert(a == 1 || a == 2); return 0; }", "safe",
			"safe",
		},
		{"a local that one case sets", "int main(void) { int a; switch (any()) { case 0: a = 1; break; case 1: a = " +
			"2; } assert(a != 3); return 0; }", "unsafe", "unsafe"},
		{
			"a local that a loop sets",
			"int main(void) { int a; do { a = any(); } while (a == 3); assert(a != 3); return 0; }", "safe", "safe",
		},
		{
			"a local that a loop may leave before it sets it",
			"int main(void) { int a; do { if (any()) break; a = 1; } while (a != 1); assert(a != 3); return 0; }",
			"unsafe", "unsafe",
		},
		{
			"a local that a jump passes by",
			"int main(void) { int a; if (any()) goto end; a = 1;\nend: assert(a != 3); return 0; }",
			"unsafe", "unsafe",
		},
		{"a local of every round", "int main(void) { int c = any(); for (int i = 0; i < 2; i++) { int a, *p = &a; " +
			"if (c + i == 1) *p = 1; assert(c + i != 1 || *p == 1); } return 0; }", "safe", "safe"},
		{"a local of the round before", "int main(void) { for (int i = 0; i < 2; i++) { int a, *p = &a; if (i == 0) " +
			"*p = 1; assert(*p == 1); } return 0; }", "unsafe", "unsafe"},
		{"one of two elements", "#include <stdlib.h>\nint main(void) { int *a = malloc(8), i = any() != 0; a[i] = " +
			"1; assert(a[0] != 3); return 0; }", "unsafe", "unsafe"},
		{"the element that is set", "#include <stdlib.h>\nint main(void) { int *a = malloc(8), i = any() != 0; a[i] " +
			"= 1; assert(a[i] == 1); return 0; }", "safe", "safe"},
		{
			"a struct that is copied",
			"struct s { int a, b; };\nint main(void) { struct s x, y; x.a = 1; y = x; assert(y.a == 1); return 0; }",
			"safe", "safe",
		},
		{
			"a member of a copy",
			"struct s { int a, b; };\nint main(void) { struct s x, y; x.a = 1; y = x; assert(y.b != 3); return 0; }",
			"unsafe", "unsafe",
		},
		{"a member of a copy, of which one way sets it", "struct s { int a, b; };\nint main(void) { struct s x, y; " +
			"if (any()) x.b = 1; y = x; assert(y.b != 3); return 0; }", "unsafe", "unsafe"},
		{
			"a copy of what one way sets, and one of what is set",
			"struct s { int a; };\nstatic int f(void) { struct " +
				"s u[2], w; if (any()) u[0].a = 1; int k = u[1].a = any(); for (int i = 0; i < 2; i++) w = u[i]; " +
				"int d " +
				"= any(); if (d) { struct s v; w = v; } return d || w.a == k; }\n" +
				"int main(void) { assert(f()); return 0; }",
			"safe", "safe",
		},
		{
			"bytes that are copied", "#include <string.h>\nstruct s { int a, b; };\n" +
				"int main(void) { struct s x, y; x.a = 1; memcpy(&y, &x, sizeof x); assert(y.a == 1); return 0; }",
			"safe",
			"safe",
		},
		{"a union whose largest member has a gap", "struct s { short a; char b; int c; };\n" +
			"union u { int a; struct s s; };\nstruct w { char c; union u u[2]; };\n" +
			"static union u same(union u x) { return x; }\n" +
			"int main(void) { union u x = {0x12345678}, y = x; assert(same(y).a == 0x12345678); struct w v = {1, " +
			"{{2}, {x.a}}}, w = v; assert(w.u[1].a == 0x12345678); return 0; }", "safe", "safe"},
		{"bytes of a gap that are set and copied", "#include <string.h>\nstruct s { char a; int b; };\n" +
			"int main(void) { struct s x, y; memset(&x, 7, sizeof x); memcpy(&y, &x, sizeof x); unsigned char *p = " +
			"(unsigned char *)&y; assert(p[2] == 7 && y.b == 0x07070707); return 0; }", "safe", "safe"},
		{"bytes of a gap that are not set", "struct s { char a; int b; };\n" +
			"int main(void) { struct s x; x.a = 1; x.b = 2; unsigned char *p = (unsigned char *)&x; assert(p[2] != " +
			"7); return 0; }", "unsafe", "unsafe"},
		{"a union of which a part is set", "union u { short a; long b; };\n" +
			"static int f(union u x) { return x.a; }\n" +
			"int main(void) { union u x = {3}; x.a = 4; assert(f(x) == 4); return 0; }", "safe", "safe"},
	} {
		text := threads + "extern int __VERIFIER_nondet_int(void);\n#define any __VERIFIER_nondet_int\n" + c.text
		for _, by := range [][2]string{{"rc11", "axiomatic"}, {"sc", "lazy-cseq"}} {
			for property, want := range map[ir.Property]string{ir.Assertion: c.assertion, ir.Memory: c.memory} {
				v := held(t, text, by[0], by[1], property, nil)
				if answer(v) != want {
					t.Errorf("%s, for %s under %s by %s: %s %s, want %s", c.name, property, by[0], by[1], answer(v),
						v.Reason, want)
				}
				if v.Failure != nil && property == ir.Memory && !strings.Contains(v.Failure.Text, "not initialised") {
					t.Errorf("%s: %s", c.name, v.Failure.Text)
				}
			}
		}
	}
}

// Memory of a size that may be anything has an end where its size says, up to a size that the bound on loops says.
func TestMemoryOfAnySize(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"the element behind it", "__VERIFIER_assume(n > 0); a = malloc(n * sizeof *a); a[n] = 1;", "unsafe"},
		{"the last element", "__VERIFIER_assume(n > 0 && n < 4); a = malloc(sizeof(int) * n); a[n - 1] = 1;", "safe"},
		{
			"the last element of more than are looked at",
			"__VERIFIER_assume(n > 0); a = malloc(n * sizeof *a); a[n - 1] = 1;", "safe within bounds",
		},
		{"an element that none may have", "a = malloc(n * sizeof *a); a[0] = 1;", "unsafe"},
		{"no bytes", "a = malloc(0); *(char *)a = 1;", "unsafe"},
		{"too few bytes", "a = malloc(2); a[n & 0] = 1;", "unsafe"},
		{
			"an array of variable length",
			"__VERIFIER_assume(n > 0 && n < 4); int v[n]; v[n - 1] = 1; assert(sizeof v == n * sizeof(int));", "safe",
		},
		{"behind an array of variable length", "__VERIFIER_assume(n > 0); int v[n]; v[n] = 1;", "unsafe"},
		{"zeros", "__VERIFIER_assume(n > 1 && n < 4); a = calloc(n, sizeof *a); assert(a[n - 1] == 0);", "safe"},
		{"each of its elements", "__VERIFIER_assume(n >= 0 && n < 3); a = malloc(n * sizeof *a); int s = 0; for " +
			"(int i = 0; i < n; i++) a[i] = i; for (int i = 0; i < n; i++) s += a[i]; assert(s <= 1);", "safe"},
		{"another sum of them", "__VERIFIER_assume(n >= 0 && n < 3); a = malloc(n * sizeof *a); int s = 0; for (int " +
			"i = 0; i < n; i++) a[i] = i; for (int i = 0; i < n; i++) s += a[i]; assert(s != 1);", "unsafe"},
	} {
		text := threads + "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n" +
			"extern void __VERIFIER_assume(int);\nstatic int *a;\nint main(void) { int n = __VERIFIER_nondet_int(); " +
			c.body + " return 0; }\n"
		for _, by := range [][2]string{{"rc11", "axiomatic"}, {"sc", "lazy-cseq"}} {
			v := held(t, text, by[0], by[1], ir.Memory, nil)
			if v.Verdict != solver.Unsafe {
				if also := held(t, text, by[0], by[1], ir.Assertion, nil); also.Verdict == solver.Unsafe {
					v = also
				}
			}
			if answer(v) != c.want {
				t.Errorf("%s, by %s: %s %s %s, want %s", c.name, by[1], answer(v), v.Reason, v.Error, c.want)
			}
		}
	}
}

// A pointer to a local is good as long as the call is that has it.
func TestDanglingPointers(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"to a local of a main that has left", "static int *p; static void *f(void *a) { *p = 42; return 0; }\n" +
			"int main(void) { int x = 0; p = &x; start(f); pthread_exit(0); }", "unsafe"},
		{
			"to a local of a call that has ended",
			"static int *p; static void g(void) { int x = 1; p = &x; }\nint main(void) { g(); return *p; }", "unsafe",
		},
		{"to a local of a thread that has ended", "static void *f(void *a) { int x = 1; *(int **)a = &x; return 0; " +
			"}\nint main(void) { int *q = 0; pthread_t t; pthread_create(&t, 0, f, &q); pthread_join(t, 0); return " +
			"*q; }", "unsafe"},
		{"to a local of a call that nobody waits in", "static void *f(void *a) { *(int *)a = 42; return 0; " +
			"}\nstatic void go(void) { int x = 0; pthread_t t; pthread_create(&t, 0, f, &x); }\n" +
			"int main(void) { go(); return 0; }", "unsafe"},
		{"to a local of main while the program is", "static void *f(void *a) { *(int *)a = 42; return 0; }\n" +
			"int main(void) { int x = 0; pthread_t t; pthread_create(&t, 0, f, &x); return 0; }", "safe"},
		{"to a local of a call that waits", "static void *f(void *a) { *(int *)a = 42; return 0; }\n" +
			"static void go(void) { int x = 0; pthread_t t; pthread_create(&t, 0, f, &x); pthread_join(t, 0); " +
			"assert(x == 42); }\nint main(void) { go(); go(); return 0; }", "safe"},
		{"given to functions", "static void set(int *a) { *a = 42; }\n" +
			"int main(void) { int x; set(&x); set(&x); assert(x == 42); return 0; }", "safe"},
		{"to a struct that is returned", "struct s { int a, b; };\nstatic struct s make(int a) { struct s s = { a, " +
			"a + 1 }; return s; }\nint main(void) { struct s s = make(1); assert(s.b == 2); return 0; }", "safe"},
	} {
		for _, by := range [][2]string{
			{"rc11", "axiomatic"},
			{"sc", "axiomatic"},
			{"tso", "machine"},
			{"sc", "lazy-cseq"},
			{"aarch64", "axiomatic"},
		} {
			if v := held(t, threads+c.text, by[0], by[1], ir.Memory, nil); answer(v) != c.want {
				t.Errorf("%s, under %s by %s: %s %s, want %s", c.name, by[0], by[1], answer(v), v.Reason, c.want)
			}
		}
	}
}

// Under a model that says nothing of programs with data races, an answer says that there is one, whatever else it says;
// and where there is none, or the model has other rules, it does not.
func TestAnswersNameDataRaces(t *testing.T) {
	const seqlock = `static atomic_int seq;
static PLAIN int a, b;
static void *writer(void *p)
{
	atomic_store_explicit(&seq, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	SET(a);
	SET(b);
	atomic_store_explicit(&seq, 2, memory_order_release);
	return 0;
}
int main(void)
{
	start(writer);
	int s = atomic_load_explicit(&seq, memory_order_acquire);
	int x = GET(a), y = GET(b);
	atomic_thread_fence(memory_order_acquire);
	if (s != 1 && s == atomic_load_explicit(&seq, memory_order_relaxed))
		assert(x == y);
	return 0;
}`
	const plain = "#define PLAIN\n#define SET(a) a = 1\n#define GET(a) a\n"
	const atomic = "#define PLAIN _Atomic\n#define SET(a) atomic_store_explicit(&a, 1, " +
		"memory_order_relaxed)\n#define GET(a) atomic_load_explicit(&a, memory_order_relaxed)\n"
	for _, c := range []struct {
		model, text, want string
		races             bool
	}{
		{"rc11", plain, "unsafe", true},
		{"c11", plain, "safe", true},
		{"imm", plain, "safe", false},
		{"sc", plain, "safe", false},
		{"rc11", atomic, "safe", false},
	} {
		v := held(t, threads+c.text+seqlock, c.model, "axiomatic", ir.Assertion, nil)
		if answer(v) != c.want || v.Race != nil != c.races || c.races &&
			(v.Race.Property != ir.DataRace || len(v.Race.Others) != 1) {
			t.Errorf("under %s: %s with %+v, want %s, a race: %v", c.model, answer(v), v.Race, c.want, c.races)
		}
	}
	if v := held(t, threads+plain+seqlock, "rc11", "axiomatic", ir.DataRace, nil); answer(v) != "unsafe" ||
		v.Race != nil {
		t.Errorf("asked for data races: %s with %+v", answer(v), v.Race)
	}
}

// Bit-fields side by side are one memory location (C11, 3.14): a write to one reads and writes the others in its unit.
// So two threads that write one each race, and if that has a meaning, as in models of machines, one may undo the
// other's write; behind a lock, or with a member or a width of 0 between them, neither.
func TestBitFieldsOfThreads(t *testing.T) {
	const program = threads + `#define L(m) do { pthread_mutex_lock(&m)
#define U(m) pthread_mutex_unlock(&m); } while (0)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct { unsigned locked : 1; %s unsigned pending : 1; } flags;
static void *f(void *p) { %s flags.pending = 1; %s return 0; }
int main(void)
{
	pthread_t other;
	pthread_create(&other, 0, f, 0);
	%[2]s flags.locked = 1; %[3]s
	pthread_join(other, 0);
	assert(flags.locked && flags.pending);
	return 0;
}`
	for _, c := range []struct {
		name, between, lock, unlock string
		races, lost                 bool
	}{
		{"side by side", "", "", "", true, true},
		{"with others between them", "unsigned others : 9;", "", "", true, true},
		{"behind a lock", "", "L(m);", "U(m);", false, false},
		{"in locations of their own", "unsigned : 0;", "", "", false, false},
		{"with a member between them", "int n;", "", "", false, false},
	} {
		text := fmt.Sprintf(program, c.between, c.lock, c.unlock)
		for _, model := range []string{"rc11", "c11", "sc", "tso", "aarch64", "power"} {
			for _, engine := range []string{"axiomatic", "graphs"} {
				if e, err := engines.Find(engine); err != nil || !e.AnswersFor(model) {
					continue
				}
				race, want := "", map[bool]string{true: "unsafe", false: "safe"}[c.lost]
				if model == "rc11" || model == "c11" {
					race = map[bool]string{true: "unsafe", false: "safe"}[c.races]
				}
				if v := held(t, text, model, engine, ir.DataRace, nil); race != "" && answer(v) != race {
					t.Errorf("%s, under %s by %s: of data races %s %s%s, want %s", c.name, model, engine, answer(v),
						v.Reason, v.Error, race)
				}
				if v := held(t, text, model, engine, ir.Assertion, nil); answer(v) != want {
					t.Errorf("%s, under %s by %s: %s %s%s, want %s", c.name, model, engine, answer(v), v.Reason,
						v.Error, want)
				}
			}
		}
	}
}

// A program may access a byte of an object of wider elements; an unsupported feature is no failure.
func TestBytesOfWhatIsShared(t *testing.T) {
	const text = threads + `static int a[4]; static atomic_int x;
static void *f(void *p) { a[1] = 3; x = 3; return 0; }
int main(void) { start(f); char *p = (char *)a + (x & 15);
/*!*/ *%s = 1; return 0; }`
	for access, want := range map[string]string{"p": "safe", "(int *)p": "not aligned"} {
		for _, property := range []ir.Property{ir.Assertion, ir.Memory} {
			v, err := engines.Run(t.Context(), solver.VerifyTask{
				Path: "p.c", Files: []solver.SourceFile{{Name: "p.c", Text: fmt.Sprintf(text, access)}}, Model: "sc",
				Options: solver.DefaultOptions(), Verify: solver.Verify{Properties: []ir.Property{property}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(v.Verdict, v.Error, v.Reason, v.Failure); !strings.Contains(got, want) ||
				want == "safe" && v.Verdict != solver.Safe {
				t.Errorf("*%s, by %s: %s, want %q", access, property, got, want)
			}
		}
	}
}
