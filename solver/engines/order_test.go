package engines_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// asked is the answer about a test in C.
func asked(t *testing.T, text, model, engine string) *solver.Result {
	t.Helper()
	e, err := engines.Find(engine)
	if err != nil {
		t.Fatal(err)
	}
	r, err := engines.Run(t.Context(),
		solver.Task{
			Path: "t.litmus", Source: text, Model: model, Engine: engine,
			Options: e.Heeded(solver.DefaultOptions()),
		})
	if err != nil || r.Status == solver.Failed {
		t.Fatalf("%s\n%v %s", text, err, r.Error)
	}
	return r
}

// C leaves the order of operands and arguments open: the engines try each order. They respect sequence points.
func TestOperandsInAnyOrder(t *testing.T) {
	const writer = "P0 (atomic_int* x, atomic_int* y, int* z) {\n" +
		" atomic_store_explicit(x, 1, memory_order_relaxed);\n atomic_store_explicit(y, 1, memory_order_release);\n}\n"
	const kernel = "P0 (int* x, int* y, int* z) {\n WRITE_ONCE(*x, 1);\n smp_store_release(y, 1);\n}\n"
	const y, x = "atomic_load_explicit(y, memory_order_acquire)", "atomic_load_explicit(x, memory_order_relaxed)"
	for _, c := range []struct{ name, writer, body, exists, models, want string }{
		{"operands", writer, "int r = 2*" + y + " + " + x + ";", "1:r=2", "rc11 c11 sc tso aarch64", "Sometimes"},
		{
			"operands, the other way", writer, "int r = " + x + " + 2*" + y + ";", "1:r=2", "rc11 c11 sc tso aarch64",
			"Sometimes",
		},
		{
			"operands by themselves", writer, "int a = " + y + "; int r = 2*a + " + x + ";", "1:r=2",
			"rc11 sc tso aarch64", "Never",
		},
		{"operands of &&", writer, "int r = " + y + " && !" + x + ";", "1:r=1", "rc11 sc tso aarch64", "Never"},
		{
			"a condition and what it decides", writer, "int r = " + y + " ? 2 + " + x + " : 0;", "1:r=2",
			"rc11 sc aarch64", "Never",
		},
		{"&& beside an operand", writer, "int r = 2*(" + y + " && 1) + " + x + ";", "1:r=2", "rc11 sc", "Sometimes"},
		{
			"operands within operands", writer, "int r = 4*(1 + " + y + ") + (2 - " + x + ");", "1:r=10", "rc11 sc",
			"Sometimes",
		},
		{"three operands", writer, "int r = 4*" + y + " + (2*" + x + " + " + y + ");", "1:r=4", "rc11 sc", "Sometimes"},
		{
			"three operands, by sums", writer, "int r = 4*" + y + " + (2*" + x + " + " + y + ");", "1:r=5", "rc11 sc",
			"Sometimes",
		},
		{"a condition", writer, "int r = 0; if (" + y + " > " + x + ") r = 1;", "1:r=1", "rc11 sc", "Sometimes"},
		{
			"an argument", writer, "atomic_store_explicit(z, " + x + " + 2*" + y + ", memory_order_relaxed);", "z=2",
			"rc11 sc", "Sometimes",
		},
		{
			"calls with side effects", writer, "int r = atomic_fetch_add(y, 2) - atomic_fetch_add(y, 2);", "1:r=2",
			"rc11 sc", "Sometimes",
		},
		{
			"an argument of a kernel's", kernel, "WRITE_ONCE(*z, READ_ONCE(*x) + 2 * smp_load_acquire(y));", "z=2",
			"lkmm",
			"Sometimes",
		},
		{
			"an argument of an argument", kernel, "WRITE_ONCE(*z, READ_ONCE(*x) + 2 * xchg(y, READ_ONCE(*x)));", "z=2",
			"lkmm", "Sometimes",
		},
	} {
		kind := "atomic_int"
		if c.writer == kernel {
			kind = "int"
		}
		text := fmt.Sprintf("C t\n{ }\n%sP1 (%s* x, %s* y, %s* z) {\n %s\n}\nexists (%s)\n", c.writer, kind, kind, kind,
			c.body, c.exists)
		if c.writer == writer {
			text = strings.ReplaceAll(text, "int* z", "atomic_int* z")
			text = strings.ReplaceAll(text, "atomic_atomic_", "atomic_")
		}
		for model := range strings.FieldsSeq(c.models) {
			by := []string{"axiomatic"}
			if model != "c11" { // which chooses an order
				by = append(by, "graphs")
			}
			if model == "tso" || model == "sc" {
				by = append(by, "machine")
			}
			for _, engine := range by {
				r := asked(t, text, model, engine)
				if string(r.Observation) != c.want || len(r.Flags) > 0 && r.Flags[0].Name == solver.UnsequencedRace {
					t.Errorf("%s, under %s by %s: %s %s, want %s", c.name, model, engine,
						r.Observation, r.Reason, c.want)
				}
			}
		}
	}
}

// An expression that writes to an object that it also accesses, unsequenced, is undefined, and no condition is true.
func TestUnsequencedRaces(t *testing.T) {
	for _, c := range []struct {
		body   string
		raised string
	}{
		{"*b = (*a == (*a = 3));", "yes"},
		{"int i = 0; i = i++ + 1;", "yes"},
		{"int i = 0; i = ++i;", "yes"},
		{"*b = *a + (*a)++;", "yes"},
		{"*a += (*a = 2);", "yes"},
		{"int i = 0; *b = i++ + i++;", "yes"},
		{"int i = 0; atomic_store(a, i++ + i);", "yes"},
		{"if (*a == (*a = 3)) *b = 1;", "yes"},
		{"if (*b == 7) *b = (*a == (*a = 3));", "open"},
		{"*a = *a + 1;", ""},
		{"int i = 0; i = i + 1;", ""},
		{"int i = 1; i = i && (i = 3);", "yes"}, // whose own side effect is the last
		{"int i = 1; int k = i && (i = 3);", ""},
		{"int i = 1; *b = i ? (i = 2) : i++;", ""},
		{"int i = 1; *b = i++; *a = i++;", ""},
		{"*a = (*b = 1);", ""},
		{"atomic_store(a, atomic_fetch_add(a, 1) + atomic_fetch_add(a, 1));", ""},
	} {
		text := "C t\n{ [a] = 2; }\nP0 (int* a, int* b) {\n " + c.body + "\n}\nexists (true)\n"
		for _, by := range [][2]string{
			{"rc11", "axiomatic"},
			{"rc11", "graphs"},
			{"sc", "machine"},
			{"tso", "axiomatic"},
		} {
			r := asked(t, text, by[0], by[1])
			raised := ""
			for _, f := range r.Flags {
				if f.Name == solver.UnsequencedRace {
					raised = "open"
					if f.Raised != nil {
						raised = "yes"
					}
				}
			}
			holds := map[string]string{"": "true", "open": "unknown", "yes": "false"}[c.raised]
			got := "unknown"
			if r.ConditionHolds != nil {
				got = fmt.Sprint(*r.ConditionHolds)
			}
			if raised != c.raised || got != holds {
				t.Errorf("%s, under %s by %s: flag %q, want %q; the condition's answer is %s, want %s", c.body, by[0],
					by[1], raised, c.raised, got, holds)
			}
		}
	}
}

// The same of programs: the engines try each order that makes a difference.
func TestProgramsInAnyOrder(t *testing.T) {
	const writer = "static atomic_int x, y; static int g, h;\n" +
		"static void *w(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed); atomic_store_explicit(&y, 1, " +
		"memory_order_release); return 0; }\n" +
		"#define Y atomic_load_explicit(&y, memory_order_acquire)\n" +
		"#define X atomic_load_explicit(&x, memory_order_relaxed)\n" +
		"static int f(void) { return g = 1; } static int k(void) { return g; } static int one(int v) { return v; } " +
		"static int readY(void) { return Y; }\n"
	for _, c := range []struct{ name, body, want string }{
		{"operands", "start(w); assert(2*Y + X != 2);", "unsafe"},
		{"operands, the other way", "start(w); assert(X + 2*Y != 2);", "unsafe"},
		{"statements", "start(w); int a = Y; assert(2*a + X != 2);", "safe"},
		{"operands of &&", "start(w); assert(!(Y && !X));", "safe"},
		{"a condition and what it decides", "start(w); assert((Y ? 2 + X : 0) != 2);", "safe"},
		{"a comma", "start(w); int a; assert((a = Y, 2*a + X) != 2);", "safe"},
		{"&& beside an operand", "start(w); assert(2*(Y && 1) + X != 2);", "unsafe"},
		{"arguments", "start(w); assert(one(2*Y) + one(X) != 2);", "unsafe"},
		{"calls", "start(w); assert(2*readY() + X != 2);", "unsafe"},
		{"three operands", "start(w); assert(4*Y + (2*X + Y) != 4);", "unsafe"},
		{"three operands that stay ordered", "start(w); int a = Y; assert(4*a + (2*X + Y) != 4);", "safe"},
		{"operators on atomic objects", "start(w); assert(2*y + x != 2);", "unsafe"},
		{"calls of one thread", "assert(f() + 2*k() != 1);", "unsafe"},
		{"calls of one thread, the other way", "assert(2*k() + f() != 3);", "unsafe"},
		{"calls of one thread that have nothing in common", "assert(f() + 2*one(3) == 7);", "safe"},
		{"an argument that another has", "assert(one(f()) + one(2) == 3);", "safe"},
		{"a wait for a constant of an enumeration", "enum { two = 2 }; start(w); while (X >= two) ;", "safe"},
		{"an assignment and what it assigns", "h = f() + one(h); assert(h == 1);", "safe"},

		{"two side effects", "int i = 0; i = i++ + 1;", "unknown"},
		{"a side effect and a value", "int *p = &g; *p = (h == (h = 3));", "unknown"},
		{"arguments with side effects", "int i = 1; one(i++ + i);", "unknown"},
		{"an index with a side effect", "int a[2], i = 0; a[i] = i++; assert(1);", "unknown"},
		{"a side effect by a pointer", "int *p = &g; *p = *p + (*p)++;", "unknown"},
		{"an atomic object", "int i = x++ + x; assert(i < 9);", "unknown"},
		{"a side effect that is decided on", "int i = 1; if (h || (i = i++)) g = 1;", "unknown"},
		{"a side effect that is not come to", "int i = 1; if (h && (i = i++)) g = 1;", "safe"},
		{"an assignment", "int i = 1; i = i + 1; i += i; g = h = i; assert(g == 4);", "safe"},
		{
			"sequence points",
			"int i = 1; i = (i++, 2); int a = i && i++; i = i ? (i = 5) : i++; assert(i == 5 && a == 1);", "safe",
		},
		{
			"side effects on two objects",
			"int a[3], i = 0, j = 0; a[i++] = j++; int *p = a; *p++ = i; assert(a[0] == 1 && p == a + 1);", "safe",
		},
		{"calls with side effects", "g = one(g++) + 1; assert(g == 1);", "safe"},
	} {
		text := threads + writer + "int main(void) {\n" +
			strings.ReplaceAll(c.body, "i = i ? (i = 5) : i++", "if (i) i = 5; else i++") + "\nreturn 0; }"
		for _, by := range [][2]string{
			{"rc11", "axiomatic"},
			{"rc11", "graphs"},
			{"sc", "graphs"},
			{"sc", "lazy-cseq"},
			{"tso", "machine"},
		} {
			v := held(t, text, by[0], by[1], ir.Assertion, nil)
			if answer(v) != c.want || v.Undefined != nil != (c.want == "unknown") {
				t.Errorf("%s, under %s by %s: %s %s, want %s", c.name, by[0], by[1], answer(v), v.Reason, c.want)
			}
		}
	}
}
