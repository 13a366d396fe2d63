package engines_test

import (
	"fmt"
	"strings"
	"testing"

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
	r, err := engines.Run(t.Context(), solver.Task{Path: "t.litmus", Source: text, Model: model, Engine: engine, Options: e.Heeded(solver.DefaultOptions())})
	if err != nil || r.Status == solver.Failed {
		t.Fatalf("%s\n%v %s", text, err, r.Error)
	}
	return r
}

// C leaves the order of operands and arguments open: each order is tried. A sequence point is kept.
func TestOperandsInAnyOrder(t *testing.T) {
	const writer = "P0 (atomic_int* x, atomic_int* y, int* z) {\n atomic_store_explicit(x, 1, memory_order_relaxed);\n atomic_store_explicit(y, 1, memory_order_release);\n}\n"
	const kernel = "P0 (int* x, int* y, int* z) {\n WRITE_ONCE(*x, 1);\n smp_store_release(y, 1);\n}\n"
	const y, x = "atomic_load_explicit(y, memory_order_acquire)", "atomic_load_explicit(x, memory_order_relaxed)"
	for _, c := range []struct{ name, writer, body, exists, models, want string }{
		{"operands", writer, "int r = 2*" + y + " + " + x + ";", "1:r=2", "rc11 c11 sc tso aarch64", "Sometimes"},
		{"operands, the other way", writer, "int r = " + x + " + 2*" + y + ";", "1:r=2", "rc11 c11 sc tso aarch64", "Sometimes"},
		{"operands by themselves", writer, "int a = " + y + "; int r = 2*a + " + x + ";", "1:r=2", "rc11 sc tso aarch64", "Never"},
		{"operands of &&", writer, "int r = " + y + " && !" + x + ";", "1:r=1", "rc11 sc tso aarch64", "Never"},
		{"a condition and what it decides", writer, "int r = " + y + " ? 2 + " + x + " : 0;", "1:r=2", "rc11 sc aarch64", "Never"},
		{"&& beside an operand", writer, "int r = 2*(" + y + " && 1) + " + x + ";", "1:r=2", "rc11 sc", "Sometimes"},
		{"operands within operands", writer, "int r = 4*(1 + " + y + ") + (2 - " + x + ");", "1:r=10", "rc11 sc", "Sometimes"},
		{"three operands", writer, "int r = 4*" + y + " + (2*" + x + " + " + y + ");", "1:r=4", "rc11 sc", "Sometimes"},
		{"three operands, by sums", writer, "int r = 4*" + y + " + (2*" + x + " + " + y + ");", "1:r=5", "rc11 sc", "Sometimes"},
		{"a condition", writer, "int r = 0; if (" + y + " > " + x + ") r = 1;", "1:r=1", "rc11 sc", "Sometimes"},
		{"an argument", writer, "atomic_store_explicit(z, " + x + " + 2*" + y + ", memory_order_relaxed);", "z=2", "rc11 sc", "Sometimes"},
		{"calls with side effects", writer, "int r = atomic_fetch_add(y, 2) - atomic_fetch_add(y, 2);", "1:r=2", "rc11 sc", "Sometimes"},
		{"an argument of a kernel's", kernel, "WRITE_ONCE(*z, READ_ONCE(*x) + 2 * smp_load_acquire(y));", "z=2", "lkmm", "Sometimes"},
		{"an argument of an argument", kernel, "WRITE_ONCE(*z, READ_ONCE(*x) + 2 * xchg(y, READ_ONCE(*x)));", "z=2", "lkmm", "Sometimes"},
	} {
		kind := "atomic_int"
		if c.writer == kernel {
			kind = "int"
		}
		text := fmt.Sprintf("C t\n{ }\n%sP1 (%s* x, %s* y, %s* z) {\n %s\n}\nexists (%s)\n", c.writer, kind, kind, kind, c.body, c.exists)
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
					t.Errorf("%s, under %s by %s: %s %s, want %s", c.name, model, engine, r.Observation, r.Reason, c.want)
				}
			}
		}
	}
}

// An expression that writes to what it accesses in no order that C knows is undefined, and no condition holds.
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
		for _, by := range [][2]string{{"rc11", "axiomatic"}, {"rc11", "graphs"}, {"sc", "machine"}, {"tso", "axiomatic"}} {
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
				t.Errorf("%s, under %s by %s: flag %q, want %q; the condition's answer is %s, want %s", c.body, by[0], by[1], raised, c.raised, got, holds)
			}
		}
	}
}
