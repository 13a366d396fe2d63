package engines_test

import (
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// A loop is what it does: whatever way there is into it and back, and whatever marks say of it.
func TestLoopsAreWhatTheyDo(t *testing.T) {
	const shared = threads + marks +
		"static atomic_int x, y, z;\nint __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);\n"
	for _, c := range []struct{ name, text, want string }{
		{"a marked round that others see the middle of", `
static void *marks(void *arg) { spin((x = 1, x = 2, y == 1)); return 0; }
static void *sees(void *arg) { int a = x, b = x; assert(!(a == 2 && b == 1)); return 0; }
int main(void) { start(marks); start(sees); }`, "unsafe"},
		{"marked rounds that count", `
static void *marks(void *arg) { spin((x++, y == 1)); return 0; }
int main(void) { start(marks); assert(x != 2); }`, "unsafe"},
		{"marked rounds that count for themselves", `
static void *marks(void *arg) { int n = 0; spin((n++, y == 1)); assert(n == 1); return 0; }
int main(void) { start(marks); y = 1; }`, "unsafe"},
		{"marked rounds that only wait", `
static void *marks(void *arg) { int n; spin((n = y, n == 1)); assert(n == 1); return 0; }
int main(void) { start(marks); y = 1; }`, "safe"},
		{
			"a loop entered in its middle, whose head cannot be come to but from there", `
static void *enters(void *arg) {
	int a = y;
	if (a == 1) goto middle;
	if (a != 2) return 0;
	for (;;) {
		assert(!z);
	middle:
		if (x) break;
	}
	return 0;
}
int main(void) { start(enters); int n = __VERIFIER_nondet_int() & 3; __VERIFIER_assume(n * n == 1); y = n; z = 1; }`,
			"unsafe",
		},
		{"from a loop in a loop back before both", `
int main(void) {
	int n = 0;
	if (__VERIFIER_nondet_int() & 1) x = 1;
again:
	for (int i = 3; i >= 0; i--)
		for (int j = 0; j < 2; j++) {
			if (i == 2 && j == 1 && atomic_exchange(&x, 0)) goto again;
			n++;
		}
	assert(n != 3 + 8);
}`, "unsafe"},
		{"from a loop back into another, which is gone on with", `
int main(void) {
	int n = 0, i = 0;
	if (__VERIFIER_nondet_int() & 1) x = 1;
	for (; i < 3; i++) {
	middle:
		n++;
	}
	for (int j = 0; j < 2; j++)
		if (atomic_exchange(&x, 0)) { i = 1; goto middle; }
	assert(n != 3 + 2);
}`, "unsafe"},
		{"the same, of which there are no such rounds", `
int main(void) {
	int n = 0, i = 0, back = __VERIFIER_nondet_int() & 1;
	for (; i < 3; i++) {
	middle:
		n++;
	}
	for (int j = 0; j < 2; j++)
		if (back) { back = 0; i = 1; goto middle; }
	assert(n == 3 || n == 5);
}`, "safe"},
		{"two loops that are each entered from the other, for ever", `
static void *user(void *arg) {
one:
	if (y == 1) goto three;
two:
	if (y == 2) goto one;
three:
	if (y == 3) goto two;
	if (y != 4) goto one;
	return 0;
}
int main(void) { start(user); }`, "safe"},
	} {
		for _, model := range []string{"sc", "rc11"} {
			if got := answer(
				held(t, shared+c.text, model, "axiomatic", ir.Assertion,
					func(t *solver.VerifyTask) { t.Options.Unroll = 6 })); got != c.want {
				t.Errorf("%s, under %s: %s, want %s", c.name, model, got, c.want)
			}
		}
	}
}

// An answer has a bound on loops where it rests on one: not if the loops ran to their ends.
func TestLoopsRunToTheirEndsHaveNoBound(t *testing.T) {
	for _, c := range []struct {
		engine, text string
		bound        bool
	}{
		{"graphs", `int main(void) { int n = 0; for (int i = 0; i < 10; i++) n += i; assert(n == 45); }`, false},
		{"axiomatic", `int main(void) { int n = 0; for (int i = 0; i < 10; i++) n += i; assert(n == 45); }`, true},
		{
			"graphs",
			`atomic_int x; void *f(void *p) { while (!x) x = 0; return 0; } int main(void) { start(f); x = 1; }`,
			true,
		},
	} {
		task := randomTask(threads + c.text)
		task.Model, task.Engine, task.Options.Timeout = "sc", c.engine, 0
		v, err := engines.Run(t.Context(), task)
		if _, bound := v.Bounds["unroll"]; err != nil || v.Verdict != solver.Safe || bound != c.bound ||
			v.Complete == (c.engine == "graphs" && c.bound) {
			t.Errorf("%s, %s: %v, %s, bounds %v", c.engine, c.text, err, said(v), v.Bounds)
		}
	}
}
