package engines_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog/cprogtest"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// The engine of graphs reports behaviour that it does not follow, and never treats it as harmless.
func TestGraphsSayWhatTheyDoNotFollow(t *testing.T) {
	const head = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n" +
		"extern void __VERIFIER_assume(int);\nextern int __VERIFIER_nondet_int(void);\n"
	for _, c := range []struct {
		name, body string
		property   ir.Property
		want       string
	}{
		{
			"a number that is assumed about",
			`int main(int argc, char **argv) { __VERIFIER_assume(argc == 5); assert(0); }`, ir.Assertion, "unsafe",
		},
		{
			"a number of which others see one bit",
			`int x; void *f(void *q) { assert(x < 2); return 0; } int main(void) { pthread_t t; x = __VERIFIER_nondet_int() & 1; pthread_create(&t, 0, f, 0); }`, ir.Assertion, "safe",
		},
		{
			"a number that others see",
			`int x; void *f(void *q) { assert(x != 5); return 0; } int main(void) { pthread_t t; x = __VERIFIER_nondet_int(); pthread_create(&t, 0, f, 0); }`, ir.Assertion, "this can be one of too many numbers",
		},
		{
			"a number that is divided", `int main(void) { assert(__VERIFIER_nondet_int() % 7 != 6); }`, ir.Assertion,
			"this can be one of too many numbers",
		},
		{"arguments that nobody looks at", `int main(int argc, char **argv) { assert(1); }`, ir.Assertion, "safe"},
		{
			"a loop that waits, and writes",
			`_Atomic int x, y; void *f(void *q) { for (; y = 0, x == 0 ? 1 : 0; ) { } return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; assert(y == 0); }`, ir.Assertion, "safe",
		},
		{
			"memory that is freed",
			`void *f(void *q) { int *p = malloc(4); *p = 1; free(p); *p = 2; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }`, ir.Assertion, "behaviour is undefined at line 6",
		},
		{
			"memory that is freed, where that is asked",
			`void *f(void *q) { int *p = malloc(4); *p = 1; free(p); *p = 2; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }`, ir.Memory, "unsafe",
		},
		{
			"a local of a call that has ended",
			`int *g(void) { int x = 1; int *p = &x; return p; } int main(void) { assert(*g() == 1); }`, ir.Assertion,
			"behaviour is undefined at line 6",
		},
		{
			"memory without a value",
			`int *p; void *f(void *q) { return 0 * *p + (char *)0; } int main(void) { pthread_t t; p = malloc(4); pthread_create(&t, 0, f, 0); pthread_join(t, 0); int k = *p; }`, ir.Assertion, "may have any value: this engine does not support",
		},
		{
			"the same, where that is asked",
			`int *p; void *f(void *q) { return *p + (char *)0; } int main(void) { pthread_t t; p = malloc(4); pthread_create(&t, 0, f, 0); pthread_join(t, 0); int k = *p; }`, ir.Memory, "unsafe",
		},
	} {
		task := randomTask(head + c.body)
		task.Model, task.Engine, task.Properties, task.Options.Timeout = "sc", "graphs", []ir.Property{c.property}, 0
		v, err := engines.Run(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		if got := said(v); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %q", c.name, got, c.want)
		}
	}
}

// If a write that does not release publishes a node, another thread that finds it may read a field without a value. The
// engine does not follow what comes after; but that is a data race, by name or not, and there is none where the write
// releases and the read acquires.
func TestGraphsNameRacesWithWhatHasNoValue(t *testing.T) {
	const program = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int key; };
_Atomic(struct node *) list;
void *find(void *q) { struct node *n = atomic_load_explicit(&list,
	memory_order_READ); if (n) assert(n->key == 7); return 0; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, find, 0);
	struct node *n = malloc(sizeof *n);
	n->key = 7;
	atomic_store_explicit(&list, n, memory_order_WRITE);
	pthread_join(t, 0);
	free(n);
}
`
	for _, c := range []struct {
		model, read, write string
		property           ir.Property
		want               string
		races              bool
	}{
		{"rc11", "acquire", "relaxed", ir.Assertion, "may have any value: this engine does not support", true},
		{"rc11", "relaxed", "release", ir.Assertion, "may have any value: this engine does not support", true},
		{"rc11", "acquire", "release", ir.Assertion, "safe", false},
		{"rc11", "acquire", "relaxed", ir.DataRace, "unsafe", false},
		{"rc11", "acquire", "release", ir.DataRace, "safe", false},
		{"imm", "acquire", "relaxed", ir.Assertion, "may have any value: this engine does not support", false},
	} {
		for _, engine := range []string{"graphs", engines.Auto} {
			task := randomTask(strings.NewReplacer("READ", c.read, "WRITE", c.write).Replace(program))
			task.Model, task.Engine, task.Properties, task.Options.Timeout = c.model, engine,
				[]ir.Property{c.property}, 0
			v, err := engines.Run(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			got := said(v)
			if engine == "graphs" && !strings.Contains(got, c.want) || v.Race != nil != c.races || c.races &&
				v.Race.Line != 8 && v.Race.Line != 14 {
				t.Errorf("%s, %s and %s, %s: %s, with %+v", engine, c.read, c.write, c.property, got, v.Race)
			}
		}
	}
}

// A read of a waiting thread may race, or have no value, although the thread keeps waiting.
func TestGraphsSeeWhatIsReadWhileWaiting(t *testing.T) {
	const head = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\natomic_int x, *p;\n"
	for _, c := range []struct {
		name, body string
		property   ir.Property
	}{
		{"a plain write of what is waited for", `void *f(void *q) { *(int *)&x = 1; atomic_store(&x, 2); return 0; }
void *g(void *q) { while (atomic_load(&x) != 2) ; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); }`, ir.DataRace},
		{"the same, where three wait", `void *f(void *q) { *(int *)&x = 1; atomic_store(&x, 2); return 0; }
void *g(void *q) { while (atomic_load(&x) != 2) ; return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, g, 0); f(0); }`, ir.DataRace},
		{
			"memory without a value", `void *f(void *q) { atomic_store(p, 2); return 0; }
void *g(void *q) { while (atomic_load(p) != 2) ; return 0; }
int main(void) { pthread_t t, u; p = malloc(4); pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); }`,
			ir.Memory,
		},
		{
			"the same, where three wait", `void *f(void *q) { atomic_store(p, 2); return 0; }
void *g(void *q) { while (atomic_load(p) != 2) ; return 0; }
int main(void) { pthread_t t; p = malloc(4); for (int i = 0; i < 3; i++) pthread_create(&t, 0, g, 0); f(0); }`,
			ir.Memory,
		},
	} {
		for _, model := range []string{"sc", "rc11", "imm", "mine"} {
			for _, engine := range []string{"graphs", "axiomatic"} {
				task := randomTask(head + c.body)
				if model == "mine" { // threads run ahead, and adding one more event is always possible
					task.ModelText = "\"mine\"\nacyclic po-loc | rf | fr | co as coherence\n"
				}
				task.Model, task.Engine, task.Properties, task.Options.Timeout = model, engine,
					[]ir.Property{c.property}, 0
				v, err := engines.Run(t.Context(), task)
				if err != nil || v.Verdict != solver.Unsafe {
					t.Errorf("%s, under %s by %s: %v, %s", c.name, model, engine, err, said(v))
				}
			}
		}
	}
}

// A data-race flag of a user's model may use dependencies, have two parts, or say what the engine cannot follow.
func TestGraphsLookForRacesOfOwnModels(t *testing.T) {
	const text = `#include <pthread.h>
#include <stdatomic.h>
int x, y;
void *f(void *q) { int r = x; y = r; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; y = 2; }`
	const sc, weak = "acyclic po | rf | fr | co as sc\n", "acyclic po-loc | rf | fr | co as coherence\n"
	for _, c := range []struct{ model, want string }{
		{weak + "flag ~empty data as data-race", "unsafe"},
		{weak + "flag ~empty addr as data-race", "safe"},
		{weak + "flag ~empty addr as data-race\nflag ~empty data as data-race", "unsafe"},
		{sc + "flag ~empty data as data-race", "uses dependencies, which the engine does not track"},
		{sc + "flag empty rf as data-race", "the flag data-race must be raised by a nonempty relation"},
		{sc + "flag ~empty different-values(po) as data-race", "different-values"},
	} {
		for _, engine := range []string{"graphs", "axiomatic"} {
			task := randomTask(text)
			task.Model, task.ModelText, task.Engine, task.Options.Timeout = "mine", "\"mine\"\n"+c.model+"\n", engine, 0
			task.Properties = []ir.Property{ir.DataRace}
			v, err := engines.Run(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			if got := said(v); !strings.Contains(got, " "+c.want+",") &&
				!(engine == "graphs" && strings.Contains(got, c.want)) && (engine == "graphs" || len(c.want) < 10) {
				t.Errorf("%s by %s: %s, want %q", c.model, engine, got, c.want)
			}
		}
	}
}

// An update that has failed, and succeeds with what another thread writes later, has the orders of one that succeeds.
func TestGraphsOrderUpdatesByWhatTheyDo(t *testing.T) {
	const head = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n" +
		"int c; sem_t s; atomic_int flag;\n"
	for name, body := range map[string]string{
		"a semaphore": `void *t(void *p) { c = 1; sem_post(&s); return 0; }
int main(void) { pthread_t p; sem_init(&s, 0, 0); pthread_create(&p, 0, t, 0); sem_wait(&s); assert(c == 1); }`,
		"a " +
			"compare-and-exchange": `void *t(void *p) { c = 1; atomic_store_explicit(&flag, 1, memory_order_release); return 0; }
int main(void) { pthread_t p; int one = 1; pthread_create(&p, 0, t,
	0); if (atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_acquire,
		memory_order_relaxed)) assert(c == 1); }`,
	} {
		task := randomTask(head + body)
		task.Model, task.Engine, task.Options.Timeout = "rc11", "graphs", 0
		v, err := engines.Run(t.Context(), task)
		if err != nil || v.Verdict != solver.Safe || v.Race != nil {
			t.Errorf("%s: %v, %s, race %+v", name, err, said(v), v.Race)
		}
	}
}

// Under models that let threads run ahead of their reads, the engine agrees with the formulas: what fails, and how many
// executions there are.
func TestThreadsRunAhead(t *testing.T) {
	verdicts, late := map[string]int{}, 0
	rapid.Check(t, func(r *rapid.T) {
		text := cprogtest.Draw(r, cprogtest.Shape{Atomics: true, Statements: 3})
		model := rapid.SampledFrom([]string{"imm", "imm", "lkmm", "power"}).Draw(r, "model")
		ask := func(engine string) *solver.Verification {
			task := randomTask(text)
			task.Model, task.Engine, task.Count = model, engine, true
			task.Options.Timeout = 5 * time.Second
			v, err := engines.Run(t.Context(), task)
			if err != nil || v.Status == solver.Failed {
				r.Fatalf("under %s by %s: %v, %s\n%s", model, engine, err, said(v), text)
			}
			return v
		}
		a, g := ask("axiomatic"), ask("graphs")
		if a.Status != solver.OK || g.Status != solver.OK || a.Executions == nil || g.Executions == nil {
			late++
			return
		}
		if a.Verdict != g.Verdict || a.Complete != g.Complete || *a.Executions != *g.Executions {
			r.Fatalf("under %s: axiomatic says %s, %d executions; graphs %s, %d\n%s", model, said(a), *a.Executions,
				said(g), *g.Executions, text)
		}
		verdicts[model+" "+string(a.Verdict)]++
	})
	t.Logf("verdicts: %v; out of time: %d", verdicts, late)
}

// A user's model is admitted if its axioms permit it, and rejected with the axiom that does not.
func TestGraphsAnswerForOwnModels(t *testing.T) {
	const lb = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y; int a, b;
void *f(void *q) { a = x; y = 1; return 0; }
void *g(void *q) { b = y; x = 1; return 0; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t,
	0); pthread_join(u, 0); assert(!(a && b)); }`
	for _, c := range []struct{ axioms, want string }{
		{"acyclic po | rf | fr | co as sc", "safe"},
		{"acyclic po-loc | rf | fr | co as coherence", "unsafe"},
		{"acyclic po-loc | rf | fr | co as coherence\nacyclic co \\ (co ; co) as next", "axiom next subtracts"},
	} {
		task := randomTask(lb)
		task.Model, task.ModelText, task.Engine, task.Options.Timeout = "mine", "\"mine\"\n"+c.axioms+"\n", "graphs", 0
		v, err := engines.Run(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(v.Verdict) + v.Error; !strings.HasPrefix(got, c.want) &&
			!(v.Error != "" && strings.Contains(got, c.want)) {
			t.Errorf("%s: %s, want %q", c.axioms, got, c.want)
		}
	}
}

// The execution that has a program fail has the program's threads, and no more.
func TestGraphsHaveTheThreadsOfTheProgram(t *testing.T) {
	for _, engine := range []string{"graphs", "axiomatic"} {
		task := randomTask("#include <assert.h>\n#include <pthread.h>\nint x;\n" +
			"void *f(void *p) { x = 1; return 0; }\n" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x == 0); }\n")
		task.Model, task.Engine, task.Options.Timeout, task.Options.Witnesses = "sc", engine, 0, true
		v, err := engines.Run(t.Context(), task)
		if err != nil || v.Failure == nil || v.Failure.Graph == nil {
			t.Fatalf("%s: %+v, %v", engine, v, err)
		}
		if n := len(v.Failure.Graph.Threads); n != 2 {
			t.Errorf("%s: %d threads, want main and f", engine, n)
		}
	}
}

// Executions that differ in what was chosen alone are one; by reads, so are those that differ in the order of writes.
func TestExecutionsAreCountedOnce(t *testing.T) {
	const head = "#include <pthread.h>\n#include <stdatomic.h>\n" +
		"extern _Bool __VERIFIER_nondet_bool(void);\natomic_int x, y;\n"
	const alike = "int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, f, 0); return x; }"
	for _, c := range []struct {
		name, text   string
		all, byReads int
	}{
		{
			"a number that is written",
			`void *f(void *q) { x = __VERIFIER_nondet_bool(); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return x; }`, 2, 2,
		},
		{
			"a number that decides what is written",
			`void *f(void *q) { if (__VERIFIER_nondet_bool()) x = 1; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return x; }`, 3, 3,
		},
		{
			"numbers that three threads write", "void *f(void *q) { x = __VERIFIER_nondet_bool(); return 0; }" + alike,
			24,
			4,
		},
		{"what three threads write", "void *f(void *q) { x = 1; return 0; }" + alike, 24, 4},
	} {
		for _, engine := range []string{"axiomatic", "graphs"} {
			for byReads, want := range map[bool]int{false: c.all, true: c.byReads} {
				task := randomTask(head + c.text)
				task.Model, task.Engine, task.Count, task.ByReads, task.Options.Timeout = "sc", engine, true, byReads, 0
				v, err := engines.Run(t.Context(), task)
				if err != nil || v.Executions == nil || *v.Executions != want {
					t.Errorf("%s, by %s, by reads %v: %v, %s, %v executions, want %d", c.name, engine, byReads, err,
						said(v), v.Executions, want)
				}
			}
		}
	}
}

// A thread's first read follows all actions before its spawn, whatever a revisit makes it read later.
func TestGraphsKnowWhatComesBeforeASpawn(t *testing.T) {
	task := randomTask(`#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int d, x;
void *a(void *p) { return 0; }
void *b(void *p) { atomic_load_explicit(&d, memory_order_relaxed); assert(atomic_load_explicit(&x,
	memory_order_relaxed) == 1); return 0; }
void *c(void *p) { atomic_store_explicit(&d, 1, memory_order_relaxed); return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, a, 0);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	pthread_create(&t, 0, b, 0);
	pthread_create(&t, 0, c, 0);
}`)
	task.Model, task.Engine, task.Properties, task.Options.Timeout, task.Count = "rc11", "graphs",
		[]ir.Property{ir.Assertion}, 0, true
	v, err := engines.Run(t.Context(), task)
	if err != nil || v.Verdict != solver.Safe || *v.Executions != 2 {
		t.Errorf("%v, %s", err, said(v))
	}
}
