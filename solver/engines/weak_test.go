package engines_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// held returns the answer of an engine about a program, under a model and for a property.
func held(
	t *testing.T, text, model, engine string, property ir.Property, change func(*solver.VerifyTask),
) *solver.Verification {
	t.Helper()
	e, err := engines.Find(engine)
	if err != nil {
		t.Fatal(err)
	}
	options := solver.DefaultOptions()
	options.Unroll = 2
	task := solver.VerifyTask{
		Path: "p.c", Files: []solver.SourceFile{{Name: "p.c", Text: text}}, Model: model, Engine: engine,
		Options: e.Heeded(options), Verify: solver.Verify{Properties: []ir.Property{property}},
	}
	if change != nil {
		change(&task)
	}
	v, err := engines.Run(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	if v.Status == solver.Failed {
		t.Fatalf("%s\n%s", text, v.Error)
	}
	return v
}

// answer is a verdict in a word or three.
func answer(v *solver.Verification) string {
	if v.Verdict == solver.Safe && !v.Complete {
		return "safe within bounds"
	}
	return string(v.Verdict)
}

const threads = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define start(f) do { pthread_t t; pthread_create(&t, 0, f, 0); } while (0)
#define both(f) do { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_join(t, 0); pthread_join(u, 0); } while (0)
`

// A weak compare-and-exchange may fail for no reason in every spelling, on memory of one thread's own
// and on that of all; but where it is an instruction that does not.
func TestWeakExchanges(t *testing.T) {
	spellings := []string{
		"atomic_compare_exchange_weak(&x, &e, 1)",
		"atomic_compare_exchange_weak_explicit(&x, &e, 1, memory_order_acq_rel, memory_order_acquire)",
		"atomic_compare_exchange_weak_explicit(&x, &e, 1, memory_order_release, memory_order_relaxed)",
		"__atomic_compare_exchange_n((int *)&x, &e, 1, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)",
		"__atomic_compare_exchange((int *)&x, &e, &d, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)",
		"__atomic_compare_exchange_n((int *)&x, &e, 1, d, __ATOMIC_RELAXED, __ATOMIC_RELAXED)",
		"atomic_compare_exchange_strong(&x, &e, 1)",
		"__atomic_compare_exchange_n((int *)&x, &e, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)",
		"__atomic_compare_exchange_n((int *)&x, &e, 1, !d, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)",
	}
	const weak = 6 // of them
	programs := []string{
		"int main(void) { int e = 0, d = 1; int r = %s; assert(r); return 0; }",
		"static void *f(void *a) { int e = 0, d = 1; int r = %s; assert(r); return 0; }\n" +
			"int main(void) { start(f); return x == 3; }",
	}
	models := []struct {
		model, target string
		engines       []string
		fails         bool
	}{
		{"rc11", "", []string{"axiomatic"}, true},
		{"c11", "", []string{"axiomatic"}, true},
		{"imm", "", []string{"axiomatic"}, true},
		{"power", "", []string{"axiomatic"}, true},
		{"riscv", "", []string{"axiomatic"}, true},
		{"sc", "", []string{"axiomatic", "machine", "lazy-cseq"}, true},
		{"tso", "", []string{"axiomatic", "machine", "etso"}, true},
		{"pso", "", []string{"axiomatic", "machine", "epso"}, true},
		{"tso", "x86", []string{"axiomatic", "machine", "etso"}, false},
		{"aarch64", "", []string{"axiomatic"}, false},
		{"lkmm", "", []string{"axiomatic"}, false},
	}
	for i, call := range spellings {
		for _, p := range programs {
			text := threads + "static atomic_int x;\n" + fmt.Sprintf(p, call)
			for _, c := range models {
				want := "safe"
				if c.fails && i < weak {
					want = "unsafe"
				}
				for _, engine := range c.engines {
					v := held(t, text, c.model, engine, ir.Assertion,
						func(t *solver.VerifyTask) { t.Target = c.target })
					if got := answer(v); got != want {
						t.Errorf("%s in %q, under %s %s by %s: %s, want %s", call, p[:16], c.model, c.target, engine,
							got+v.Reason, want)
					}
				}
			}
		}
	}
}

// Loops that try again end, and the count covers only what a strong exchange would have done. What counts how often it
// has failed may count on.
func TestWeakExchangesThatAreTriedAgain(t *testing.T) {
	for _, c := range []struct{ name, loop, want string }{
		{"with what was found", "int e = 0; while (!atomic_compare_exchange_KIND(&x, &e, e + 1)) ;", "safe"},
		{"from a load on", "int e = atomic_load(&x); while (!atomic_compare_exchange_KIND(&x, &e, e + 1)) ;", "safe"},
		{"from an atomic access without a name", "int e = x; while (!atomic_compare_exchange_KIND_explicit(&x, &e, " +
			"e + 1, memory_order_acquire, memory_order_relaxed)) ;", "safe"},
		{
			"with a load in each round",
			"int e; do e = atomic_load(&x); while (!atomic_compare_exchange_KIND(&x, &e, e + 1));", "safe",
		},
		{
			"left by break",
			"for (;;) { int e = atomic_load(&x); if (atomic_compare_exchange_KIND(&x, &e, e + 1)) break; }", "safe",
		},
		{"by a function", "int e = atomic_load(&x); while (!swap(&e)) ;", "safe"},
		{
			"with what is worked out between",
			"int e = 0, d = 1; while (!atomic_compare_exchange_KIND(&x, &e, d)) d = e + 1;", "safe",
		},
		{"a lock", "int e; do e = 0; while (!atomic_compare_exchange_KIND(&l, &e, 1)); x = x + 1; l = 0;", "safe"},
		{
			"a lock that is looked at first",
			"int e; do { while (l) ; e = 0; } while (!atomic_compare_exchange_KIND(&l, &e, 1)); x = x + 1; l = 0;",
			"safe",
		},
	} {
		text := threads + "static atomic_int x, l;\nstatic _Bool swap(int *e) { return " +
			"atomic_compare_exchange_KIND(&x, e, *e + 1); }\n" +
			"static void *f(void *a) { " + c.loop +
			" return 0; }\nint main(void) { both(f); assert(x == 2); return 0; }"
		for _, by := range [][2]string{
			{"sc", "axiomatic"},
			{"rc11", "axiomatic"},
			{"power", "axiomatic"},
			{"sc", "machine"},
			{"tso", "machine"},
			{"sc", "lazy-cseq"},
		} {
			for _, p := range []ir.Property{ir.Assertion, ir.Termination} {
				if p == ir.Termination && by[1] == "lazy-cseq" {
					continue
				}
				var counts [2]string
				for i, kind := range []string{"strong", "weak"} {
					v := held(t, strings.ReplaceAll(text, "KIND", kind), by[0], by[1], p,
						func(t *solver.VerifyTask) { t.Count = by[1] == "axiomatic" })
					if got := answer(v); got != c.want {
						t.Errorf("%s, %s, for %s under %s by %s: %s, want %s", c.name, kind, p, by[0], by[1],
							got+v.Reason, c.want)
					}
					if v.Executions != nil {
						counts[i] = fmt.Sprint(*v.Executions)
					}
				}
				if counts[0] != counts[1] {
					t.Errorf("%s, under %s: %s executions with strong exchanges, %s with weak ones", c.name, by[0],
						counts[0], counts[1])
				}
			}
		}
	}
	const counting = "static void *f(void *a) { int e = 0, n = 0; while (!atomic_compare_exchange_weak(&x, &e, 1)) " +
		"n++; assert(n < %d); return 0; }\nint main(void) { start(f); return 0; }"
	for n, want := range map[int]string{2: "unsafe", 5: "safe within bounds"} {
		text := threads + "static atomic_int x;\n" + fmt.Sprintf(counting, n)
		for _, by := range [][2]string{
			{"sc", "axiomatic"},
			{"rc11", "axiomatic"},
			{"tso", "machine"},
			{"sc", "lazy-cseq"},
		} {
			if v := held(t, text, by[0], by[1], ir.Assertion, nil); answer(v) != want {
				t.Errorf("a loop that counts to %d, under %s by %s: %s, want %s", n, by[0], by[1],
					answer(v)+v.Reason, want)
			}
		}
	}
}

// A value from an earlier read, and one from a new read, are two, though they may be the same numbers: a round that has
// found something new is not one that only waits.
func TestReadsAreNotOne(t *testing.T) {
	const text = threads + `static atomic_int x;
static void *f(void *a)
{
	int e = atomic_load(&x), first = e;
	while (!atomic_compare_exchange_strong(&x, &e, e + 1)) ;
	assert(!(first == 0 && e == 5));
	return 0;
}
static void *g(void *a) { atomic_store(&x, 5); return 0; }
int main(void) { start(f); start(g); return 0; }`
	for _, by := range [][2]string{
		{"sc", "axiomatic"},
		{"rc11", "axiomatic"},
		{"aarch64", "axiomatic"},
		{"sc", "machine"},
		{"sc", "lazy-cseq"},
	} {
		if v := held(t, text, by[0], by[1], ir.Assertion, nil); answer(v) != "unsafe" {
			t.Errorf("under %s by %s: %s, want unsafe", by[0], by[1], answer(v)+v.Reason)
		}
	}
}
