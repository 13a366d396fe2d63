package engines_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

const concurrent = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_t start(void *(*f)(void *)) { pthread_t t; pthread_create(&t, 0, f, 0); return t; }
`

// What real files use, in threads: both engines find the same. An error names the unsupported feature.
func TestCOfRealFiles(t *testing.T) {
	const message = `
struct p { int a; short b, c; };
static struct p s;
static int data;
static void *writer(void *x) { struct p v = {1, 1}; data = 1; __atomic_store(&s, &v, ORDER); return 0; }
int main(void) { start(writer); struct p r; __atomic_load(&s, &r, __ATOMIC_ACQUIRE); if (r.b) assert(data == 1); return 0; }`
	const stack = `
struct head { int top, tag; };
static _Atomic struct head h;
static void *push(void *a) { struct head w, o = h; w.top = 1; w.tag = o.tag + 1; assert(CHANGE); return 0; }
int main(void) { pthread_t a = start(push), b = start(push); pthread_join(a, 0); pthread_join(b, 0); struct head e = h; assert(e.tag == 2); return 0; }`
	const keyed = `
static pthread_key_t first, second;
static atomic_int n;
static void one(void *p) { assert(n == 0 || ANY); n = 1; free(p); }
static void two(void *p) { n = 2; }
static void *thread(void *a) { pthread_setspecific(first, malloc(4)); pthread_setspecific(second, &n); LEAVE; }
int main(void) { pthread_key_create(&first, one); pthread_key_create(&second, two); pthread_join(start(thread), 0); assert(n > 0); return 0; }`
	const sorted = `
struct e { int key; int value; };
static int compare(const void *a, const void *b) { return ((struct e *)a)->key - ((struct e *)b)->key; }
int main(void) { struct e a[2] = {{1, 1}, {1, 2}}; qsort(a, 2, sizeof *a, compare); `
	for _, c := range []struct{ name, text, want, says, properties string }{
		{
			"a structure stored relaxed", strings.ReplaceAll(message, "ORDER", "__ATOMIC_RELAXED"),
			"unsafe", "data == 1",
			"assertion",
		},
		{
			"a structure stored with a release", strings.ReplaceAll(message, "ORDER", "__ATOMIC_RELEASE"), "safe", "",
			"assertion",
		},
		{"a structure stored plainly in two halves", "struct p { int a, b; };\nstatic struct p s;\n" +
			"static void *w(void *x) { s = (struct p){1, 1}; return 0; }\n" +
			"int main(void) { start(w); struct p r = s; assert(r.a == r.b); return 0; }", "unsafe", "r.a", "assertion"},
		{
			"a structure stored at once", "struct p { int a, b; };\nstatic _Atomic struct p s;\n" +
				"static void *w(void *x) { s = (struct p){1, 1}; return 0; }\n" +
				"int main(void) { start(w); struct p r = s; assert(r.a == r.b); return 0; }", "safe", "",
			"assertion+data-race",
		},
		{
			"a structure changed at once",
			strings.ReplaceAll(stack, "CHANGE",
				"({ while (!atomic_compare_exchange_strong(&h, &o, w)) w.tag = o.tag + 1; 1; })"), "safe", "",
			"assertion",
		},
		{
			"a structure overwritten", strings.ReplaceAll(stack, "CHANGE", "(h = w, 1)"), "unsafe", "e.tag == 2",
			"assertion",
		},
		{
			"a structure that has changed meanwhile",
			strings.ReplaceAll(stack, "CHANGE", "atomic_compare_exchange_strong(&h, &o, w)"), "unsafe", "",
			"assertion",
		},
		{"padding, which need not be equal", "static _Atomic struct { char c; int i; } s;\n" +
			"int main(void) { __typeof__((__typeof__(s))s) e = {0, 0}, v = {1, 1}; " +
			"assert(atomic_compare_exchange_strong(&s, &e, v)); return 0; }", "unsafe", "", "assertion"},
		{
			"16 bytes at once",
			"static _Atomic struct { long a, b; } s;\nint main(void) { atomic_load(&s); return 0; }",
			"error", "16 bytes", "assertion",
		},
		{
			"a member of an atomic structure", "static _Atomic struct { int a, b; } s;\nint main(void) { return s.a; }",
			"error", "copy the structure first", "assertion",
		},

		{
			"destructors, in any order", strings.NewReplacer("ANY", "0", "LEAVE", "return 0").Replace(keyed), "unsafe",
			"n == 0", "assertion",
		},
		{
			"destructors, each once", strings.NewReplacer("ANY", "n == 2", "LEAVE", "return 0").Replace(keyed), "safe",
			"",
			"assertion+memory",
		},
		{
			"destructors where a thread leaves",
			strings.NewReplacer("ANY", "n == 2", "LEAVE", "pthread_exit(0)").Replace(keyed), "safe", "",
			"assertion+memory",
		},
		{"a destructor that races", "static pthread_key_t k; static int x;\nstatic void d(void *p) { x++; }\n" +
			"static void *f(void *a) { pthread_setspecific(k, &x); return 0; }\n" +
			"int main(void) { pthread_key_create(&k, d); pthread_t t = start(f); x = 2; pthread_join(t, 0); return " +
			"0; }", "unsafe", "", "data-race"},
		{
			"a destructor before a join", "static pthread_key_t k; static int x;\n" +
				"static void d(void *p) { x++; }\n" +
				"static void *f(void *a) { pthread_setspecific(k, &x); return 0; }\n" +
				"int main(void) { pthread_key_create(&k, d); pthread_join(start(f), 0); x = 2; return 0; }", "safe", "",
			"data-race",
		},
		{
			"no destructor where main returns", "static pthread_key_t k;\nstatic void d(void *p) { assert(0); }\n" +
				"int main(void) { pthread_key_create(&k, d); pthread_setspecific(k, &k); return 0; }", "safe", "",
			"assertion",
		},
		{
			"a destructor where main leaves", "static pthread_key_t k;\nstatic void d(void *p) { assert(0); }\n" +
				"int main(void) { pthread_key_create(&k, d); pthread_setspecific(k, &k); pthread_exit(0); }", "unsafe",
			"",
			"assertion",
		},

		{"equal elements in their order", sorted + "assert(a[0].value == 1); return 0; }", "unsafe", "", "assertion"},
		{
			"equal elements in the other order", sorted + "assert(a[0].value == 2); return 0; }", "unsafe", "",
			"assertion",
		},
		{
			"equal elements in any order", sorted + "assert(a[0].value + a[1].value == 3); return 0; }", "safe", "",
			"assertion+memory",
		},
		{
			"what was reallocated",
			"int main(void) { int *p = malloc(4), *q = p; *p = 1; p = realloc(p, 8); return *q; }",
			"unsafe", "freed", "memory",
		},
		{
			"beyond what was reallocated",
			"int main(void) { int *p = malloc(8); p[0] = 1; p = realloc(p, 4); return p[1]; }", "unsafe", "", "memory",
		},
		{
			"a local reallocated", "int main(void) { int x; int *p = realloc(&x, 8); return 0; }", "unsafe",
			"was not allocated", "memory",
		},
		{
			"freed and reallocated", "int main(void) { int *p = malloc(4); free(p); p = realloc(p, 8); return 0; }",
			"unsafe", "freed", "memory",
		},
		{
			"reallocated to nothing", "int main(void) { int *p = malloc(4); p = realloc(p, 0); assert(!p); return 0; }",
			"safe", "", "assertion+memory",
		},
		{
			"reallocated while another looks", "static int *p; static void *f(void *a) { return (void *)(long)*p; " +
				"}\nint main(void) { p = malloc(4); *p = 1; start(f); p = realloc(p, 8); return 0; }",
			"unsafe", "", "memory",
		},
		{
			"floating point that is computed, which is any value",
			"int main(void) { double x = 2; x = x * 2; assert(x == 4); return 0; }", "unsafe", "x == 4", "assertion",
		},
		{
			"floating point that is passed on", "static _Atomic float x;\nstatic void *f(void *a) { x = 2.5f; return " +
				"0; }\nint main(void) { start(f); float y = x; assert(y == 0 || y == 2.5); return 0; }", "safe", "",
			"assertion",
		},
		{
			"a jump to no label",
			"static void *where;\nint main(void) { where = &&a; goto *(where + 1); a: return 0; }",
			"unknown", "no label", "assertion",
		},
		{
			"printed beyond the end",
			"#include <stdio.h>\nint main(void) { char b[3]; sprintf(b, \"%d\", 123); return 0; }",
			"unsafe", "", "memory",
		},
		{"printed up to the end", "#include <stdio.h>\nint main(void) { char b[3]; snprintf(b, sizeof b, \"%d\", " +
			"123); assert(b[1] == '2'); return 0; }", "safe", "", "assertion+memory"},
		{
			"a conversion that is not printed",
			"#include <stdio.h>\nint main(void) { char b[30]; int n; snprintf(b, sizeof b, \"%n\", &n); return 0; }",
			"error", "%n", "assertion",
		},
	} {
		var properties []ir.Property
		for p := range strings.SplitSeq(c.properties, "+") {
			properties = append(properties, ir.Property(p))
		}
		for _, engine := range []string{"axiomatic", "graphs"} {
			v, err := engines.Run(context.Background(), solver.VerifyTask{
				Files: []solver.SourceFile{{Name: "t.c", Text: concurrent + c.text}}, Model: "rc11", Engine: engine,
				Options: solver.DefaultOptions(), Verify: solver.Verify{Properties: properties},
			})
			got, says := string(v.Verdict), v.Error+v.Reason
			if err != nil {
				got, says = "error", err.Error()
			} else if v.Error != "" {
				got = "error"
			}
			if v.Failure != nil {
				says += v.Failure.Text
			}
			if got != c.want || !strings.Contains(says, c.says) {
				t.Errorf("%s by %s: got %s, %q, want %s, %q", c.name, engine, got, says, c.want, c.says)
			}
			if strings.Contains(c.name, "is any value") &&
				!slices.ContainsFunc(v.Remarks,
					func(r solver.Remark) bool { return strings.Contains(r.Message, "any value") }) {
				t.Errorf("%s by %s: no remark says so: %+v", c.name, engine, v.Remarks)
			}
			if c.name == "padding, which need not be equal" &&
				!slices.ContainsFunc(v.Remarks,
					func(r solver.Remark) bool { return strings.Contains(r.Message, "padding") }) {
				t.Errorf("%s by %s: no remark says so: %+v", c.name, engine, v.Remarks)
			}
		}
	}
}
