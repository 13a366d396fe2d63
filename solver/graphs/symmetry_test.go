package graphs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog"
	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/c/cprog/run"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/solver"
)

// counted explores a whole C program, with or without the symmetry of alike threads.
func counted(t rapid.TB, text, model string, alike bool) *solver.Verification {
	t.Helper()
	m, err := models.Named(model)
	if err != nil {
		t.Fatal(err)
	}
	to := elaborate.Generic
	if m.Target() != "" {
		to = elaborate.Target(m.Target())
	}
	p, err := cprog.Run(cprog.Source{Files: []cprog.File{{Name: "a.c", Text: text}}}, cprog.Options{
		Unroll: 4, Properties: []ir.Property{ir.Assertion}, Target: to, Waits: m.Waits(),
	})
	if err != nil {
		t.Fatal(err, text)
	}
	var are func(a, b any) bool
	if alike {
		are = func(a, b any) bool { return p.Alike(a.(*run.Call), b.(*run.Call)) }
	}
	q := solver.Query{Program: &ir.Program{File: "a.c", Remarks: p.Remarks}, Model: m, Options: solver.DefaultOptions()}
	q.Options.Timeout = 0
	v, err := Engine{}.verify(context.Background(), p, q, solver.Verify{Count: true}, are)
	if err != nil {
		t.Fatal(err, text)
	}
	return v
}

const symmetricHead = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int z;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
`

// drawBody draws what a thread does.
func drawBody(r *rapid.T, n int) string {
	var b strings.Builder
	order := func(list ...string) string {
		return rapid.SampledFrom(append(list, "relaxed", "seq_cst")).Draw(r, "order")
	}
	at := func() string { return rapid.SampledFrom([]string{"x", "y"}).Draw(r, "at") }
	var statement func(depth int)
	statement = func(depth int) {
		switch k := rapid.IntRange(0, 9).Draw(r, "kind"); {
		case k == 0:
			fmt.Fprintf(&b, "atomic_store_explicit(&%s, %d, memory_order_%s); ", at(),
				rapid.IntRange(1, 2).Draw(r, "value"), order("release"))
		case k == 1:
			fmt.Fprintf(&b, "atomic_store_explicit(&%s, s + 1, memory_order_%s); ", at(), order("release"))
		case k <= 3:
			fmt.Fprintf(&b, "s = atomic_load_explicit(&%s, memory_order_%s); ", at(), order("acquire"))
		case k == 4:
			fmt.Fprintf(&b, "s = atomic_fetch_add_explicit(&%s, 1, memory_order_%s); ", at(), order("acq_rel"))
		case k == 5:
			fmt.Fprintf(&b, "{ int e = %d; if (atomic_compare_exchange_strong(&%s, &e, 2)) s = 1; else s = e; } ",
				rapid.IntRange(0, 1).Draw(r, "old"), at())
		case k == 6:
			b.WriteString("pthread_mutex_lock(&m); z++; s = z; pthread_mutex_unlock(&m); ")
		case k == 7 && depth == 0:
			fmt.Fprintf(&b, "if (s == %d) { ", rapid.IntRange(0, 1).Draw(r, "value"))
			statement(1)
			b.WriteString("} ")
		case k == 8 && depth == 0:
			fmt.Fprintf(&b, "while (atomic_load_explicit(&%s, memory_order_%s) == 0) ; ", at(), order("acquire"))
		case k == 9:
			b.WriteString("{ atomic_int l = s; s = atomic_fetch_add(&l, 1); } ")
		default:
			fmt.Fprintf(&b, "atomic_thread_fence(memory_order_%s); ",
				rapid.SampledFrom([]string{"seq_cst", "acq_rel"}).Draw(r, "fence"))
		}
	}
	for range n {
		statement(0)
	}
	return b.String()
}

// drawAlike draws a program with threads that are alike, which main may tell apart.
func drawAlike(r *rapid.T) string {
	threads, own := rapid.IntRange(2, 4).Draw(r, "threads"), rapid.IntRange(0, 2).Draw(r, "others")
	var b strings.Builder
	b.WriteString(symmetricHead)
	first := rapid.SampledFrom(
		[]string{
			"", "", "pthread_mutex_lock(&m); s = z++; pthread_mutex_unlock(&m); ",
			"pthread_mutex_lock(&m); if (!z++) pthread_mutex_unlock(&m); ",
		}).Draw(r, "first")
	fmt.Fprintf(&b, "void *f(void *a) { int s = 0; %s%sreturn 0; }\n", first, drawBody(r, 5-threads))
	if own > 0 {
		fmt.Fprintf(&b, "void *g(void *a) { int s = 0; %sreturn 0; }\n", drawBody(r, 1))
	}
	fmt.Fprintf(&b, "int main(void) {\n\tpthread_t t[%d], u; int s = 0, n = 0;\n", threads)
	between := func() {
		switch rapid.IntRange(0, 12).Draw(r, "between") {
		case 0:
			b.WriteString("\ty = 1;\n")
		case 1:
			b.WriteString("\ts = x;\n")
		case 2:
			b.WriteString("\tn++;\n")
		}
	}
	for i := range threads {
		fmt.Fprintf(&b, "\tpthread_create(&t[%d], 0, f, 0);\n", i)
		if i+1 < threads {
			between()
		}
	}
	for range own {
		b.WriteString("\tpthread_create(&u, 0, g, 0);\n")
	}
	if rapid.Bool().Draw(r, "reads") {
		b.WriteString("\ts = x;\n")
	}
	joined := rapid.IntRange(0, 4).Draw(r, "joined")
	if joined == 0 {
		b.WriteString("\tpthread_join(t[0], 0);\n")
	}
	for i := 0; joined > 1 && i < threads; i++ {
		fmt.Fprintf(&b, "\tpthread_join(t[%d], 0);\n", i)
		if i+1 < threads {
			between()
		}
	}
	fmt.Fprintf(&b, "\tassert(x != %d || s != y);\n}\n", rapid.IntRange(0, 3).Draw(r, "end"))
	return b.String()
}

// The exploration merges threads that are alike, and the answer is the same without.
func TestAlikeThreadsChangeNoAnswer(t *testing.T) {
	irtest.AtMost(t, 15)
	rapid.Check(t, func(r *rapid.T) {
		text := drawAlike(r)
		for _, model := range []string{"sc", "tso", "rc11"} {
			one, other := counted(r, text, model, true), counted(r, text, model, false)
			if one.Verdict != other.Verdict || *one.Executions != *other.Executions {
				r.Fatalf("under %s: %s, %d executions, and %s, %d, without\n%s", model, one.Verdict, *one.Executions,
					other.Verdict, *other.Executions, text)
			}
		}
	})
}

// As many threads as one likes, where they are alike: their order makes no difference.
func TestManyAlikeThreads(t *testing.T) {
	const all = "\tpthread_t t[10];\n\tfor (int i = 0; i < 10; i++) pthread_create(&t[i], 0, f, 0);\n" +
		"\tfor (int i = 0; i < 10; i++) pthread_join(t[i], 0);\n"
	for _, c := range []struct{ name, thread, end string }{
		{"fetch-adds", "atomic_fetch_add(&x, 1);", "assert(x == 10);"},
		{"one lock", "pthread_mutex_lock(&m); z++; pthread_mutex_unlock(&m);", "assert(z == 10);"},
	} {
		text := symmetricHead + "void *f(void *a) { " + c.thread + " return 0; }\nint main(void) {\n" + all + "\t" +
			c.end + "\n}\n"
		for _, model := range []string{"sc", "rc11"} {
			v := counted(t, text, model, true)
			if v.Verdict != solver.Safe || *v.Executions != 3628800 {
				t.Errorf("%s under %s: %s, %d executions, want 10!", c.name, model, v.Verdict, *v.Executions)
			}
		}
	}
}

// A thread begins anew if a revisit removes its spawn. It then follows all events before its next spawn.
func TestThreadsBeginBehindTheirSpawn(t *testing.T) {
	const text = symmetricHead + `void *f(void *a) { x = 1; return 0; }
void *g(void *a) { assert(y == 1); return 0; }
int main(void) {
	pthread_t t, u;
	pthread_create(&t, 0, f, 0);
	int s = x;
	y = 1;
	pthread_create(&u, 0, g, 0);
}
`
	for _, model := range []string{"sc", "tso", "pso", "rc11"} {
		if v := counted(t, text, model, false); v.Verdict != solver.Safe || *v.Executions != 2 {
			t.Errorf("%s: %s, %d executions, want safe, and 2", model, v.Verdict, *v.Executions)
		}
	}
}
