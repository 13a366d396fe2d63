package engines_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

const laterHead = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define LOAD(x, o) atomic_load_explicit(&x, memory_order_##o)
#define STORE(x, v, o) atomic_store_explicit(&x, v, memory_order_##o)
#define ADD(x, v, o) atomic_fetch_add_explicit(&x, v, memory_order_##o)
#define FENCE(o) atomic_thread_fence(memory_order_##o)
atomic_int x, y, z, a[2];
int r0, r1, r2;
`

// laterProgram has threads of some bodies.
func laterProgram(threads []string, assertion string) string {
	var b strings.Builder
	b.WriteString(laterHead)
	for i, body := range threads {
		fmt.Fprintf(&b, "void *t%d(void *p) { %s return 0; }\n", i, body)
	}
	b.WriteString("int main(void) { pthread_t t[4]; ")
	for i := range threads {
		fmt.Fprintf(&b, "pthread_create(&t[%d], 0, t%d, 0); ", i, i)
	}
	for i := range threads {
		fmt.Fprintf(&b, "pthread_join(t[%d], 0); ", i)
	}
	fmt.Fprintf(&b, "assert(%s); }\n", assertion)
	return b.String()
}

func askLater(t *testing.T, engine, text string, count bool, properties ...ir.Property) *solver.Verification {
	t.Helper()
	task := randomTask(text)
	task.Model, task.Engine, task.Count, task.Properties, task.Options.Timeout = "imm", engine, count, properties, 0
	v, err := engines.Run(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Where threads run ahead, a read may take its value from what comes behind it in its thread and those that have read
// from that, unless something keeps it there.
func TestReadsOfWhatComesLater(t *testing.T) {
	for _, c := range []struct {
		name    string
		threads []string
		want    solver.Verdict
	}{
		{
			"load buffering",
			[]string{"r0 = LOAD(x, relaxed); STORE(y, 1, relaxed);", "r1 = LOAD(y, relaxed); STORE(x, 1, relaxed);"},
			solver.Unsafe,
		},
		{
			"with a dependency on one side",
			[]string{"r0 = LOAD(x, relaxed); STORE(y, r0, relaxed);", "r1 = LOAD(y, relaxed); STORE(x, 1, relaxed);"},
			solver.Unsafe,
		},
		{
			"with an acquire on one side",
			[]string{"r0 = LOAD(x, acquire); STORE(y, 1, relaxed);", "r1 = LOAD(y, relaxed); STORE(x, 1, relaxed);"},
			solver.Unsafe,
		},
		{
			"between a release and an acquire",
			[]string{"r0 = LOAD(x, acquire); STORE(y, 1, relaxed);", "r1 = LOAD(y, relaxed); STORE(x, 1, release);"},
			solver.Safe,
		},
		{
			"with a branch and an address",
			[]string{
				"r0 = LOAD(x, relaxed); if (r0) STORE(y, 1, relaxed); STORE(a[0], 2, relaxed);",
				"r1 = LOAD(y, relaxed); STORE(a[r1 & 1], 1, relaxed); STORE(x, 1, relaxed);",
			},
			solver.Safe,
		},
		{
			"past a branch",
			[]string{
				"r0 = LOAD(x, relaxed); if (r0) STORE(z, 1, relaxed); STORE(y, 1, relaxed);",
				"r1 = LOAD(y, relaxed); if (r1) STORE(x, 1, relaxed); else STORE(x, 1, relaxed);",
			},
			solver.Safe,
		},
		{
			"past fences",
			[]string{
				"r0 = LOAD(x, relaxed); FENCE(acquire); STORE(y, 1, relaxed);",
				"r1 = LOAD(y, relaxed); FENCE(release); STORE(x, 1, relaxed);",
			},
			solver.Safe,
		},
		{
			"past updates",
			[]string{
				"r0 = ADD(x, 0, relaxed); STORE(y, 1, relaxed);",
				"r1 = ADD(y, 0, relaxed); STORE(x, 1, relaxed);",
			},
			solver.Safe,
		},
		{
			"of three threads",
			[]string{
				"r0 = LOAD(x, relaxed); STORE(y, 1, relaxed);", "r1 = LOAD(y, acquire); STORE(z, 1, relaxed);",
				"r2 = LOAD(z, acquire); STORE(x, r2, relaxed);",
			},
			solver.Unsafe,
		},
		{
			"behind a write of the same location",
			[]string{
				"r0 = LOAD(x, relaxed); STORE(x, 2, relaxed); STORE(y, 1, relaxed);",
				"r1 = LOAD(y, acquire); STORE(x, 1, relaxed);",
			},
			solver.Unsafe,
		},
	} {
		text := laterProgram(c.threads, "!(r0 == 1 && r1 == 1)")
		for _, engine := range []string{"graphs", "axiomatic"} {
			if v := askLater(t, engine, text, false); v.Verdict != c.want || !v.Complete {
				t.Errorf("%s by %s: %s, want %s", c.name, engine, said(v), c.want)
			}
		}
	}
}

// Loops of locks end where threads run ahead.
func TestLocksEndWhereThreadsRunAhead(t *testing.T) {
	for name, body := range map[string]string{
		"a ticket lock": "int n = ADD(x, 1, relaxed); while (LOAD(y, acquire) != n) ; r0++; STORE(y, " +
			"LOAD(y, relaxed) + 1, release);",
		"one that looks first": "do while (LOAD(x, relaxed)) ; while (atomic_exchange_explicit(&x, 1, " +
			"memory_order_acquire)); r0++; STORE(x, 0, release);",
		"one that waits in a row": "int n = ADD(z, 1, relaxed); while (LOAD(x, acquire) < n) ; r0++; STORE(x, n + " +
			"1, release);",
	} {
		text := laterProgram([]string{body, body, body}, "r0 == 3")
		if v := askLater(t, "graphs", text, false, ir.Assertion, ir.Termination); v.Verdict != solver.Safe {
			t.Errorf("%s: %s, want safe", name, said(v))
		}
	}
}

// Programs of few accesses and many ways to order them, or not, have as many executions whether the engine runs threads
// in order or solves a formula.
func TestEnginesAgreeOnWhatComesLater(t *testing.T) {
	orders := map[string][]string{
		"LOAD":  {"relaxed", "relaxed", "acquire", "seq_cst"},
		"STORE": {"relaxed", "relaxed", "release", "seq_cst"}, "ADD": {"relaxed", "acquire", "release", "acq_rel"},
		"FENCE": {"acquire", "release", "acq_rel", "seq_cst"},
	}
	rapid.Check(t, func(r *rapid.T) {
		draw := func(of ...string) string { return rapid.SampledFrom(of).Draw(r, "part") }
		threads := make([]string, rapid.IntRange(2, 3).Draw(r, "threads"))
		for i := range threads {
			body := fmt.Sprintf("int a%d = 0; ", i)
			for range rapid.IntRange(2, 4-len(threads)/3).Draw(r, "accesses") {
				at, value := draw("x", "y", "z"), draw("1", "2", fmt.Sprintf("a%d", i), fmt.Sprintf("a%d + 1", i))
				switch kind := draw("LOAD", "LOAD", "STORE", "STORE", "STORE", "ADD", "FENCE", "IF", "AT"); kind {
				case "LOAD":
					body += fmt.Sprintf("a%d = LOAD(%s, %s); ", i, at, draw(orders[kind]...))
				case "STORE":
					body += fmt.Sprintf("STORE(%s, %s, %s); ", at, value, draw(orders[kind]...))
				case "ADD":
					body += fmt.Sprintf("a%d = ADD(%s, 1, %s); ", i, at, draw(orders[kind]...))
				case "FENCE":
					body += fmt.Sprintf("FENCE(%s); ", draw(orders[kind]...))
				case "IF":
					body += fmt.Sprintf("if (a%d == 1) STORE(%s, %s, relaxed); ", i, at, value)
				case "AT":
					body += fmt.Sprintf("STORE(a[a%d & 1], 1, relaxed); ", i)
				}
			}
			threads[i] = body + fmt.Sprintf("r%d = a%d; ", i, i)
		}
		text := laterProgram(threads,
			fmt.Sprintf("!(r0 == %d && r1 == %d)", rapid.IntRange(0, 2).Draw(r, "first"),
				rapid.IntRange(0, 2).Draw(r, "second")))
		g := askLater(t, "graphs", text, true)
		a := askLater(t, "axiomatic", text, g.Executions != nil && *g.Executions < 300)
		if a.Verdict != g.Verdict || a.Executions != nil && (g.Executions == nil || *g.Executions != *a.Executions) {
			r.Fatalf("axiomatic: %s, %v; graphs: %s, %v\n%s", said(a), a.Executions, said(g), g.Executions, text)
		}
	})
}
