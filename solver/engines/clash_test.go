package engines_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// orders makes programs short.
const orders = threads + `#include <stdlib.h>
#undef both
#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define AR memory_order_acq_rel
#define SC memory_order_seq_cst
#define store atomic_store_explicit
#define load atomic_load_explicit
#define cas atomic_compare_exchange_strong_explicit
#define fence atomic_thread_fence
#define both(f, g) pthread_t t_, u_; pthread_create(&t_, 0, f, 0); pthread_create(&u_, 0, g, 0); pthread_join(t_, 0); pthread_join(u_, 0)
`

// clash is a program that is right, or wrong under all models but some.
type clash struct {
	name, text string
	right      bool
	but        string // models under which it is right all the same
}

// holdClashes asks about programs, and wants wrong ones to fail the property at two places.
func holdClashes(t *testing.T, p ir.Property, by [][2]string, all []clash) {
	t.Helper()
	for n, c := range all {
		for i, e := range by {
			if testing.Short() && (n+i)%2 != 0 && len(by) > 4 {
				continue // task proofs asks all
			}
			want := "unsafe"
			if c.right || slices.Contains(strings.Fields(c.but), e[0]) {
				want = "safe"
			}
			v := held(t, orders+c.text, e[0], e[1], p, nil)
			switch f := v.Failure; {
			case answer(v) != want && !(want == "safe" && e[0] == "c11" && v.Verdict == solver.Safe):
				// c11 does not cut loops that wait
				t.Errorf("%s, for %s under %s by %s: %s %s, want %s", c.name, p, e[0], e[1], answer(v), v.Reason, want)
			case f != nil && f.Property != p:
				t.Errorf("%s, under %s by %s: %s fails, want %s", c.name, e[0], e[1], f.Property, p)
			case f != nil && len(f.Others) == 0 && !strings.Contains(f.Text, "freed already"):
				t.Errorf("%s, under %s by %s: %s: the other place is not named", c.name, e[0], e[1], f.Text)
			}
		}
	}
}

// everywhere are all models but the kernel's, by the formula, and those that run programs as they are, by graphs.
var everywhere = [][2]string{
	{"sc", "axiomatic"},
	{"tso", "axiomatic"},
	{"alpha", "axiomatic"},
	{"mips", "axiomatic"},
	{"bpf", "axiomatic"},
	{"arm", "axiomatic"},
	{"aarch64", "axiomatic"},
	{"riscv", "axiomatic"},
	{"power", "axiomatic"},
	{"imm", "axiomatic"},
	{"rc11", "axiomatic"},
	{"c11", "axiomatic"},
	{"sc", "graphs"},
	{"pso", "graphs"},
	{"rc11", "graphs"},
}

// A data race is what C's happens-before leaves open, whatever a processor keeps in order.
func TestDataRacesUnderEveryModel(t *testing.T) {
	passing := func(before, st, ld, behind string) string {
		return "static int x; static atomic_int y;\nstatic void *f(void *a) { x = 1; " + before + " store(&y, 1, " +
			st + "); return 0; }\n" +
			"static void *g(void *a) { if (load(&y, " + ld + ")) { " + behind +
			" x = 2; } return 0; }\nint main(void) { both(f, g); return 0; }"
	}
	update := func(old, success, failure, does string) string {
		return "static int x; static atomic_int y;\nstatic void *f(void *a) { x = 1; store(&y, 1, REL); return 0; }\n" +
			"static void *g(void *a) { int e = " + old + "; if (" + does + "cas(&y, &e, 2, " + success + ", " +
			failure + ")) x = 2; return 0; }\nint main(void) { both(f, g); return 0; }"
	}
	holdClashes(t, ir.DataRace, everywhere, []clash{
		{
			name: "increments",
			text: "static int x; static void *f(void *a) { x++; return 0; }\nint main(void) { both(f, f); return 0; }",
		},
		{name: "increments under a mutex", text: "static int x; static pthread_mutex_t m = " +
			"PTHREAD_MUTEX_INITIALIZER;\n" +
			"static void *f(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }\n" +
			"int main(void) { both(f, f); return 0; }", right: true},
		{
			name: "before a begin and behind a join",
			text: "static int x; static void *f(void *a) { x = 1; return 0; " +
				"}\nint main(void) { pthread_t t; x = 2; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return x; }",
			right: true,
		},
		{name: "beside a thread", text: "static int x; static void *f(void *a) { x = 1; return 0; }\n" +
			"int main(void) { pthread_t t; x = 2; pthread_create(&t, 0, f, 0); return x; }"},
		{name: "release and acquire", text: passing("", "REL", "ACQ", ""), right: true},
		{name: "in one order", text: passing("", "SC", "SC", ""), right: true},
		{name: "relaxed", text: passing("", "RLX", "RLX", "")},
		{name: "release alone", text: passing("", "REL", "RLX", "")},
		{name: "acquire alone", text: passing("", "RLX", "ACQ", "")},
		{name: "fences", text: passing("fence(REL);", "RLX", "RLX", "fence(ACQ);"), right: true},
		{name: "one fence", text: passing("fence(REL);", "RLX", "RLX", "")},
		{name: "an update that acquires where it succeeds", text: update("1", "ACQ", "RLX", ""), right: true},
		{name: "an update that acquires where it succeeds, and fails", text: update("0", "ACQ", "RLX", "!")},
		{name: "an update that acquires where it fails", text: update("0", "ACQ", "ACQ", "!"), right: true},
		{name: "a relaxed update", text: update("1", "RLX", "RLX", "")},
	})
}

// The end of a life is an access that races with the others.
func TestEndsOfLives(t *testing.T) {
	count := func(order, behind string) string {
		return "struct o { atomic_int n, d; }; static struct o *o;\n" +
			"static void *f(void *a) { store(&o->d, 1, RLX); if (atomic_fetch_sub_explicit(&o->n, 1, " + order +
			") == 1) { " + behind + " free(o); } return 0; }\n" +
			"int main(void) { o = malloc(sizeof *o); atomic_init(&o->d, 0); atomic_init(&o->n, 2); both(f, f); " +
			"return 0; }"
	}
	flag := func(st, ld string) string {
		return "static atomic_int *p, d;\nstatic void *f(void *a) { store(p, 1, RLX); store(&d, 1, " + st +
			"); return 0; }\nstatic void *g(void *a) { if (load(&d, " + ld + ")) free(p); return 0; }\n" +
			"int main(void) { p = malloc(4); atomic_init(p, 0); both(f, g); return 0; }"
	}
	// shown is a variable that another thread writes to, and says so with an order.
	shown := func(global, local, st, ld string) string {
		return "static _Atomic(atomic_int *) q; static atomic_int d; " + global + "\nstatic void *f(void *a) { " +
			local + " store(&q, &x, REL); while (!load(&d, " + ld + ")) ; return 0; }\n" +
			"static void *g(void *a) { atomic_int *p = load(&q, ACQ); if (p) store(p, 1, RLX); store(&d, 1, " + st +
			"); return 0; }\nint main(void) { both(f, g); return 0; }"
	}
	const own, local = "static _Thread_local atomic_int x;", "atomic_int x; atomic_init(&x, 0);"
	// A call ends the lives of what it has on its stack, whoever made it.
	const array, alloca = "int n = 1; atomic_int x[n]; atomic_init(x, 0);",
		"atomic_int *x = __builtin_alloca(4); atomic_init(x, 0);"
	stacked := func(local, st, ld string) string { return strings.ReplaceAll(shown("", local, st, ld), "&x", "x") }
	block := func(st, ld string) string {
		return "static _Atomic(atomic_int *) q; static atomic_int d, e;\nstatic void *f(void *a) { { " + array +
			" store(&q, x, REL); while (!load(&d, " + ld + ")) ; } while (!load(&e, ACQ)) ; return 0; }\n" +
			"static void *g(void *a) { atomic_int *p = load(&q, ACQ); if (p) store(p, 1, RLX); store(&d, 1, " + st +
			"); store(&e, 1, REL); return 0; }\nint main(void) { both(f, g); return 0; }"
	}
	mapped := func(st, ld string) string {
		return "#include <sys/mman.h>\n" +
			strings.Replace(strings.Replace(flag(st, ld), "free(p)", "munmap(p, 4)", 1), "p = malloc(4);",
				"p = mmap(0, 4, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); if (p == MAP_FAILED) return 0;", 1)
	}
	hazard := func(order string) string {
		return strings.ReplaceAll(`static _Atomic(atomic_int *) p, hp;
static void *f(void *a) { atomic_int *q = load(&p, O); store(&hp, q, O); if (load(&p, O) == q && q) load(q, RLX); store(&hp, (atomic_int *)0, REL); return 0; }
static void *g(void *a) { atomic_int *q = atomic_exchange_explicit(&p, (atomic_int *)0, O); while (load(&hp, P) == q) ; free(q); return 0; }
int main(void) { atomic_int *x = malloc(4); atomic_init(x, 0); atomic_init(&p, x); both(f, g); return 0; }`, "O)",
			order+")")
	}
	const guarded = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int *p, n = 2;\n" +
		"static void *f(void *a) { pthread_mutex_lock(&m); *p = 1; if (--n == 0) free(p); pthread_mutex_unlock(&m); " +
		"return 0; }\nint main(void) { p = malloc(4); both(f, f); return 0; }"
	holdClashes(t, ir.Memory, everywhere, []clash{
		{name: "a relaxed count", text: count("RLX", ""), but: "sc tso"},
		{name: "a count that releases", text: count("REL", ""), but: "sc tso"},
		{name: "a count that acquires", text: count("ACQ", ""), but: "sc tso"},
		{name: "a relaxed count and a fence", text: count("RLX", "fence(ACQ);"), but: "sc tso"},
		{name: "a count that releases, and a fence", text: count("REL", "fence(ACQ);"), right: true},
		{name: "a count that does both", text: count("AR", ""), right: true},
		{name: "a relaxed flag", text: flag("RLX", "RLX"), but: "sc tso"},
		{name: "a flag that is released", text: flag("REL", "RLX"), but: "sc tso"},
		{name: "a flag that is acquired, too", text: flag("REL", "ACQ"), right: true},
		{name: "a mutex", text: guarded, right: true},
		{name: "a join", text: "static atomic_int *p;\nstatic void *f(void *a) { store(p, 1, RLX); return 0; }\n" +
			"int main(void) { p = malloc(4); { both(f, f); } free(p); return 0; }", right: true},
		{name: "two frees", text: "static _Atomic(int *) p;\n" +
			"static void *f(void *a) { free(atomic_load(&p)); return 0; }\n" +
			"int main(void) { p = malloc(4); both(f, f); return 0; }"},
		{name: "two frees of which one has nothing", text: "static _Atomic(int *) p;\n" +
			"static void *f(void *a) { free(atomic_exchange(&p, (int *)0)); return 0; }\n" +
			"int main(void) { p = malloc(4); both(f, f); return 0; }", right: true},
		{name: "a local", text: shown("", local, "RLX", "RLX"), but: "sc tso"},
		{name: "a local whose thread acquires", text: shown("", local, "REL", "ACQ"), right: true},
		{name: "an array of variable length", text: stacked(array, "RLX", "RLX"), but: "sc tso"},
		{name: "an array of variable length whose thread acquires", text: stacked(array, "REL", "ACQ"), right: true},
		{name: "alloca", text: stacked(alloca, "RLX", "RLX"), but: "sc tso"},
		{name: "alloca in a thread that acquires", text: stacked(alloca, "REL", "ACQ"), right: true},
		{name: "an array of a block", text: block("RLX", "RLX"), but: "sc tso"},
		{name: "an array of a block that acquires", text: block("REL", "ACQ"), right: true},
		{
			name: "an array of each round", text: "static void *f(void *a) { *(int *)a = 2; return 0; }\n" +
				"static void h(int n) { for (int i = 0; i < 2; i++) { int x[n]; x[0] = 1; pthread_t t; " +
				"pthread_create(&t, 0, f, x); pthread_join(t, 0); } }\n" + "int main(void) { h(2); h(1); return 0; }",
			right: true,
		},
		{name: "memory of mmap", text: mapped("RLX", "RLX"), but: "sc tso"},
		{name: "memory of mmap that is acquired", text: mapped("REL", "ACQ"), right: true},
		{name: "a variable of a thread", text: shown(own, "", "RLX", "RLX"), but: "sc tso"},
		{name: "a variable of a thread that acquires", text: shown(own, "", "REL", "ACQ"), right: true},
		{name: "a hazard pointer", text: strings.ReplaceAll(hazard("SC"), "P)", "SC)"), right: true},
		{name: "memory that is freed by one and used by the other", text: "static int *p;\nstatic void *f(void *a) " +
			"{ free(p); return 0; }\nstatic void *g(void *a) { *p = 1; return 0; }\n" +
			"int main(void) { p = malloc(4); both(f, g); return 0; }"},
		{name: "a relaxed hazard pointer", text: strings.ReplaceAll(hazard("RLX"), "P)", "ACQ)"), but: "sc"},
	})
	// Without a question about it, there is no answer, except that sc and tso separate the two; a data race is one.
	for _, by := range everywhere {
		want := "unknown"
		if by[0] == "sc" || by[0] == "tso" {
			want = "safe"
		}
		if v := held(t, orders+count("RLX", ""), by[0], by[1], ir.Assertion, nil); answer(v) != want ||
			v.Undefined != nil != (want == "unknown") {
			t.Errorf("an assertion under %s by %s: %s, want %s", by[0], by[1], answer(v), want)
		}
		if v := held(t, orders+count("RLX", ""), by[0], by[1], ir.DataRace, nil); answer(v) != "unsafe" {
			t.Errorf("a data race under %s by %s: %s %s, want unsafe", by[0], by[1], answer(v), v.Reason)
		}
		if v := held(t, orders+count("AR", ""), by[0], by[1], ir.Assertion, nil); answer(v) != "safe" {
			t.Errorf("an assertion of what is right, under %s by %s: %s %s", by[0], by[1], answer(v), v.Reason)
		}
	}
	// Engines that follow runs in one order decide where the model keeps accesses before the ends of lives, and say so
	// where it does not.
	for by, want := range map[[2]string]string{
		{"sc", "machine"}: "safe", {"tso", "machine"}: "safe",
		{"sc", "lazy-cseq"}: "safe", {"pso", "machine"}: "unknown",
	} {
		if v := held(t, orders+count("RLX", ""), by[0], by[1], ir.Memory, nil); answer(v) != want {
			t.Errorf("a relaxed count under %s by %s: %s %s, want %s", by[0], by[1], answer(v), v.Reason, want)
		}
	}
	if v := held(t, orders+guarded, "sc", "machine", ir.Memory, nil); answer(v) != "safe" {
		t.Errorf("a mutex, by machine: %s %s", answer(v), v.Reason)
	}
	if v := held(t, orders+strings.Replace(guarded, "if (--n == 0)", "if (n-- == 2)", 1), "sc", "machine", ir.Memory,
		nil); answer(v) != "unsafe" {
		t.Errorf("freed too early, by machine: %s %s", answer(v), v.Reason)
	}
}

// Grace periods of RCU come before the end of what sections of readers access, also where a section ends behind what
// fails in it.
func TestEndsOfLivesBehindGracePeriods(t *testing.T) {
	reader := func(does string) string {
		return "#include <lkmm.h>\nstatic int *p;\n" +
			"static void *f(void *a) { rcu_read_lock(); int *q = rcu_dereference(p); if (q) { int r = " + does +
			"; assert(r == 7); } rcu_read_unlock(); return 0; }\n"
	}
	const writer = "static void *g(void *a) { int *q = p; rcu_assign_pointer(p, (int *)0); synchronize_rcu(); %s " +
		"free(q); return 0; }\nint main(void) { p = malloc(4); *p = 7; both(f, g); return 0; }"
	for _, engine := range []string{"axiomatic", "graphs"} {
		for _, does := range []string{"*q", "READ_ONCE(*q)"} {
			right := orders + reader(does) + strings.Replace(writer, "%s", "", 1)
			if v := held(t, right, "lkmm", engine, ir.Memory, nil); answer(v) != "safe" {
				t.Errorf("%s in a section, by %s: %s, %+v", does, engine, answer(v), v.Failure)
			}
			if v := held(t, orders+reader(does)+strings.Replace(writer, "%s", "WRITE_ONCE(*q, 3);", 1), "lkmm", engine,
				ir.Assertion, nil); answer(v) != "safe" {
				t.Errorf("%s in a section that is not overwritten, by %s: %s %s, %+v", does, engine, answer(v),
					v.Reason, v.Failure)
			}
			if v := held(t, strings.Replace(right, "synchronize_rcu();", "", 1), "lkmm", engine, ir.Memory,
				nil); answer(v) != "unsafe" {
				t.Errorf("%s without a grace period, by %s: %s", does, engine, answer(v))
			}
		}
	}
}

// Nobody waits for ever whom a signal wakes, and a thread that no signal wakes does, though it may wake by itself.
func TestLostWakeUps(t *testing.T) {
	const head = "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = " +
		"PTHREAD_COND_INITIALIZER; static _Atomic int r;\n"
	const looks = "static void *f(void *a) { pthread_mutex_lock(&m); while (!r) pthread_cond_wait(&c, &m); " +
		"pthread_mutex_unlock(&m); return 0; }\n"
	const blind = "static void *f(void *a) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); " +
		"pthread_mutex_unlock(&m); return 0; }\n"
	const timed = "#include <time.h>\nstatic void *f(void *a) { struct timespec s = {0}; pthread_mutex_lock(&m); if " +
		"(!r) pthread_cond_timedwait(&c, &m, &s); pthread_mutex_unlock(&m); return 0; }\n"
	one := func(does string) string { return "int main(void) { start(f); " + does + " return 0; }" }
	two := func(does string) string { return "int main(void) { start(f); start(f); " + does + " return 0; }" }
	set := func(does string) string {
		return "pthread_mutex_lock(&m); r = 1; " + does + "pthread_mutex_unlock(&m);"
	}
	const signal, broadcast = "pthread_cond_signal(&c); ", "pthread_cond_broadcast(&c); "
	for _, c := range []struct {
		name, text string
		ends       bool
	}{
		{"one thread and a signal", looks + one(set(signal)), true},
		{"a signal when the mutex is left", looks + one(set("")+signal), true},
		{"no signal", looks + one(set("")), false},
		{"two threads and a signal", looks + two(set(signal)), false},
		{"two threads and two signals", looks + two(set(signal+signal)), true},
		{"two threads and a broadcast", looks + two(set(broadcast)), true},
		{"a flag without the mutex", looks + one("r = 1; "+signal), false},
		{
			"a signal that may come before the wait",
			blind + one("pthread_mutex_lock(&m); "+signal+"pthread_mutex_unlock(&m);"), false,
		},
		{"a mutex that is not left", looks + one("pthread_mutex_lock(&m); r = 1; "+signal), false},
		{"a wait with a time", timed + one(set("")), true},
		{
			"a wait with a time that takes the signal",
			looks + strings.ReplaceAll(timed, "*f(", "*g(") + "int main(void) { start(f); start(g); " + set(signal) +
				" return 0; }", false,
		},
	} {
		for _, by := range [][2]string{
			{"sc", "axiomatic"},
			{"rc11", "axiomatic"},
			{"aarch64", "axiomatic"},
			{"sc", "machine"},
			{"sc", "graphs"},
			{"rc11", "graphs"},
		} {
			v := held(t, orders+head+c.text, by[0], by[1], ir.Termination, nil)
			want := "unsafe"
			if c.ends {
				want = "safe"
			}
			if string(v.Verdict) != want {
				t.Errorf("%s, under %s by %s: %s %s, want %s", c.name, by[0], by[1], answer(v), v.Reason, want)
			}
		}
	}
	const semaphore = "#include <semaphore.h>\nstatic sem_t s; static int k; static void *f(void *a) { " +
		"sem_wait(&s); return 0; } static void *g(void *a) { if (k) sem_post(&s); return 0; }\n" +
		"int main(void) { sem_init(&s, 0, 0); "
	for _, by := range [][2]string{{"sc", "axiomatic"}, {"rc11", "axiomatic"}, {"sc", "machine"}, {"rc11", "graphs"}} {
		for does, want := range map[string]solver.Verdict{
			"start(f); sem_post(&s);":   solver.Safe,
			"both(f, f); sem_post(&s);": solver.Unsafe, "start(f); start(f); sem_post(&s);": solver.Unsafe,
			"both(f, g);": solver.Unsafe,
		} {
			if v := held(t, orders+semaphore+does+" return 0; }", by[0], by[1], ir.Termination,
				nil); v.Verdict != want {
				t.Errorf("a semaphore with %s, under %s by %s: %s %s, want %s", does, by[0], by[1],
					answer(v), v.Reason, want)
			}
		}
	}
	// What may go wrong because a wait ends without a signal does.
	if v := held(t, orders+head+strings.Replace(blind, "wait(&c, &m);", "wait(&c, &m); assert(r);", 1)+one(set(signal)),
		"rc11", "axiomatic", ir.Assertion, nil); answer(v) != "unsafe" {
		t.Errorf("a wait ends with a signal alone: %s %s", answer(v), v.Reason)
	}
}
