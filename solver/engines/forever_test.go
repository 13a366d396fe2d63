package engines_test

import (
	"fmt"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// A thread that loops for ever by itself does so whatever others write meanwhile; and what fails elsewhere fails beside
// it.
func TestRoundsThatOthersDoNotSee(t *testing.T) {
	const head = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int go, x;
static void *user(void *arg)
{
	unsigned short i = 1;
	if (atomic_load(&go) == 0)
		while (i)
			i += 2;
	atomic_store(&x, 1);
	return 0;
}
int main(void)
{
	pthread_t t;
`
	const begin = "pthread_create(&t, 0, user, 0);\n"
	for _, c := range []struct {
		name, main string
		property   ir.Property
		unsafe     bool
	}{
		{"for what is read too early", begin + "atomic_store(&go, 1);", ir.Termination, true},
		{"not for what is read late enough", "atomic_store(&go, 1);\n" + begin, ir.Termination, false},
		{"what fails beside it", begin + "atomic_store(&go, 1); assert(atomic_load(&x) == 0);", ir.Assertion, true},
		{"what cannot fail behind it", begin + "assert(atomic_load(&x) == 0);", ir.Assertion, false},
	} {
		options := solver.DefaultOptions()
		options.Timeout = 0
		for _, model := range []string{"sc", "tso", "rc11"} {
			v, err := engines.Run(t.Context(), solver.VerifyTask{
				Path:  "round.c",
				Files: []solver.SourceFile{{Name: "round.c", Text: head + c.main + "\nreturn 0;\n}\n"}}, Model: model,
				Engine:  "graphs",
				Options: options, Verify: solver.Verify{Properties: []ir.Property{c.property}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if v.Status != solver.OK || (v.Verdict == solver.Unsafe) != c.unsafe || !c.unsafe && !v.Complete {
				t.Errorf("%s, under %s: %s %s %s, want it unsafe: %v", c.name, model, v.Verdict,
					v.Reason, v.Error, c.unsafe)
			}
		}
	}
}

// Threads that wait for ever, in loops that write all the same, as a round takes back what it has done, and in
// functions of a library. All engines that look for them say so, under every model.
func TestWaitingForEver(t *testing.T) {
	const lock = `
static atomic_int lock;
static void take(void)
{
	while (1) {
		if (atomic_fetch_add(&lock, 1) == 0)
			break;
		atomic_fetch_sub(&lock, 1);
	}
}
static void drop(void) { atomic_fetch_sub(&lock, 1); }
static void *user(void *arg) { take(); drop(); return 0; }
`
	const waits = `
static atomic_int go;
static void *waits(void *arg) { while (!atomic_load(&go)) ; return 0; }
`
	const barrier = waits + `
static pthread_barrier_t b;
static void *comes(void *arg) { pthread_barrier_wait(&b); atomic_store(&go, 1); return 0; }
`
	const mutexes = `
#include <stdlib.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void leave(void) { pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); }
static void *both(void *arg) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); leave(); return 0; }
`
	const condition = `
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *waiter(void *arg)
{
	pthread_mutex_lock(&m);
	while (ready < 2) pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return 0;
}
`
	const marked = waits + marks + `
static atomic_int x;
static int helps(void) { spin(atomic_load(&go) == 3); return 0; }
`
	// the first says nothing of bounds
	const safe, within, unsafe = "safe", "safe within bounds", "unsafe"
	// graphs, where threads run ahead
	many := map[string]bool{"a lock that is dropped": true, "a loop that comes to its end": true}
	for _, c := range []struct{ name, text, want string }{
		{"a lock that nobody drops", lock + `int main(void) { take(); run(user); run(user); return 0; }`, unsafe},
		{"a lock that is dropped", lock + `int main(void) { take(); run(user); run(user); drop(); return 0; }`, within},
		{"a lock taken by exchange", `
static atomic_int lock = 1;
static void *user(void *arg) { while (atomic_exchange(&lock, 1)) ; return 0; }
int main(void) { run(user); return 0; }`, unsafe},
		{"a lock taken by exchange and dropped", `
static atomic_int lock = 1;
static void *user(void *arg) { while (atomic_exchange(&lock, 1)) ; return 0; }
int main(void) { run(user); atomic_store(&lock, 0); return 0; }`, safe},
		{"a bid that is taken back", `
static atomic_int want[2];
static void *user(void *arg)
{
	int me = (int)(long)arg;
	atomic_store(&want[me], 1);
	while (atomic_load(&want[!me])) {
		atomic_store(&want[me], 0);
		atomic_store(&want[me], 1);
	}
	return 0;
}
int main(void) { run1(user, 0); run1(user, 1); return 0; }`, unsafe},
		{"what is written goes on and on", `
static atomic_int n, stop;
static void *user(void *arg) { while (!atomic_load(&stop)) atomic_fetch_add(&n, 1); return 0; }
int main(void) { run(user); return 0; }`, within},
		{"what was read before the loop, and is not the last", waits + `
static struct node { int v; } a = {0}, b = {1};
static struct node *_Atomic p = &a;
static void *sets(void *arg) { p = &b; return 0; }
static void *looks(void *arg) { struct node *n = p; while (n->v == 0) ; return 0; }
int main(void) { run(sets); run(looks); return 0; }`, unsafe},
		{"the same, by three threads that are alike", waits + `
static int *_Atomic p;
static void *looks(void *arg) { int *n = p; while (n == 0) ; return 0; }
int main(void) { static int b; run(looks); run(looks); run(looks); p = &b; return 0; }`, unsafe},
		{"a register goes on", `
static atomic_int n, stop;
static void *user(void *arg) {
	for (int i = 1; !atomic_load(&stop); i++) atomic_store(&n, i & 1);
	return 0;
}
int main(void) { run(user); return 0; }`, within},
		{"a waiting thread beside one that takes back", lock + `
static atomic_int go;
static void *waiter(void *arg) { while (!atomic_load(&go)) ; return 0; }
int main(void) { take(); run(user); run(waiter); return 0; }`, unsafe},
		{"one that takes back, for what another does", lock + `
static atomic_int go;
static void *waiter(void *arg) { while (!atomic_load(&go)) ; drop(); return 0; }
int main(void) { take(); run(user); run(waiter); atomic_store(&go, 1); return 0; }`, within},
		{"a queue of two for a lock, where an exchange fails that another waits for", `
static atomic_int tail, next, locked;
static void *second(void *arg)
{
	atomic_store_explicit(&locked, 1, memory_order_relaxed);
	if (atomic_exchange(&tail, 2) == 1) {
		atomic_store_explicit(&next, 2, memory_order_release);
		while (atomic_load_explicit(&locked, memory_order_acquire)) ;
	}
	return 0;
}
static void *first(void *arg)
{
	if (atomic_exchange(&tail, 1) == 0) {
		int e = 1;
		if (!atomic_compare_exchange_strong_explicit(&tail, &e, 0, memory_order_release, memory_order_relaxed)) {
			while (!atomic_load_explicit(&next, memory_order_relaxed)) ;
			atomic_load_explicit(&next, memory_order_acquire);
			atomic_store_explicit(&locked, 0, memory_order_release);
		}
	}
	return 0;
}
int main(void) { run(second); run(first); return 0; }`, safe},
		{"two rounds that are as none", `
static atomic_int n, stop;
static void *user(void *arg) {
	int i = 0;
	while (!atomic_load(&stop)) { i = !i; atomic_store(&n, i); }
	return 0;
}
int main(void) { run(user); return 0; }`, unsafe},
		{"two rounds that are as none, until another thread ends them", `
static atomic_int n, stop;
static void *user(void *arg) {
	int i = 0;
	while (!atomic_load(&stop)) { i = !i; atomic_store(&n, i); }
	return 0;
}
int main(void) { run(user); atomic_store(&stop, 1); return 0; }`, within},
		{"a loop that waits for one at a barrier", barrier + `
int main(void) { pthread_barrier_init(&b, 0, 2); run(comes); run(waits); return 0; }`, unsafe},
		{"a loop that waits for two at a barrier of three", barrier + `
int main(void) { pthread_barrier_init(&b, 0, 3); run(comes); run(comes); run(waits); return 0; }`, unsafe},
		{"a loop that waits for two at a barrier of two", barrier + `
int main(void) { pthread_barrier_init(&b, 0, 2); run(comes); run(comes); run(waits); return 0; }`, safe},
		{"a mutex that is kept", mutexes + `
int main(void) { pthread_mutex_lock(&a); run(both); return 0; }`, unsafe},
		{"two mutexes in two orders", mutexes + `
static void *other(void *arg) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); leave(); return 0; }
int main(void) { run(both); run(other); return 0; }`, unsafe},
		{"two mutexes in one order", mutexes + `
int main(void) { run(both); run(both); return 0; }`, safe},
		{"a mutex that a thread has which ends the program", mutexes + `
static void *ends(void *arg) { pthread_mutex_lock(&a); exit(0); }
int main(void) { run(both); run(ends); return 0; }`, safe},
		{"a semaphore of one for two", `
static sem_t s;
static void *user(void *arg) { sem_wait(&s); return 0; }
int main(void) { sem_init(&s, 0, 1); run(user); run(user); return 0; }`, unsafe},
		{"a semaphore of one that is handed on", `
static sem_t s;
static void *user(void *arg) { sem_wait(&s); sem_post(&s); return 0; }
int main(void) { sem_init(&s, 0, 1); run(user); run(user); return 0; }`, safe},
		{"a barrier of two that one comes to", barrier + `
int main(void) { pthread_barrier_init(&b, 0, 2); run(comes); return 0; }`, unsafe},
		{"a condition that comes to hold", condition + `
int main(void) { run(waiter); pthread_mutex_lock(&m); ready = 2; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; }`, within},
		{"a condition that never holds", condition + `
int main(void) { run(waiter); pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m); return 0; }`, unsafe},
		{"a condition whose mutex is kept", condition + `
int main(void) { run(waiter); pthread_mutex_lock(&m); ready = 2; pthread_cond_signal(&c); return 0; }`, unsafe},
		{"a loop that waits for one that is marked", marked + `
static void *marks(void *arg) { spin(atomic_load(&x) == 1); atomic_store(&go, 1); return 0; }
int main(void) { run(marks); run(waits); return 0; }`, unsafe},
		{"a loop that waits for one that is marked, and ends", marked + `
static void *marks(void *arg) { spin(atomic_load(&x) == 1); atomic_store(&go, 1); return 0; }
int main(void) { run(marks); run(waits); atomic_store(&x, 1); return 0; }`, safe},
		{"a marked loop that tries a weak exchange", marked + `
static void *marks(void *arg) { int e; spin((e = 0, atomic_compare_exchange_weak(&x, &e, 1))); atomic_store(&go, 1); return 0; }
int main(void) { run(marks); run(waits); return 0; }`, safe},
		{"marked loops within one another, of which the outer one reads before", marked + `
static void *marks(void *arg) {
	int y;
	spin((y = atomic_load(&x), atomic_load(&go) != 2 || helps(), y == 1));
	atomic_store(&go, 1);
	return 0;
}
int main(void) { run(marks); run(waits); atomic_store(&x, 1); return 0; }`, safe},
		{"a marked loop that nobody ends", marked + `
int main(void) { spin(atomic_load(&x) == 1); return 0; }`, unsafe},
		{"a marked loop whose rounds tell another", marked + `
static void *marks(void *arg) { spin((atomic_store(&x, 1), atomic_load(&go) == 1)); return 0; }
static void *told(void *arg) { while (!atomic_load(&x)) ; atomic_store(&go, 1); return 0; }
int main(void) { run(marks); run(told); return 0; }`, within},
		{"a marked loop whose rounds store twice", marked + `
static void *marks(void *arg) { spin((atomic_store(&x, 1), atomic_store(&x, 2), atomic_load(&go) == 1)); atomic_store(&go, 1); return 0; }
int main(void) { run(marks); run(waits); return 0; }`, unsafe},
		{"a marked loop that writes what another has written", marked + `
static void *marks(void *arg) { spin((atomic_store(&x, 1), atomic_load(&go) == 1)); return 0; }
static void *writes(void *arg) { atomic_store(&x, 1); return 0; }
int main(void) { run(marks); run(writes); return 0; }`, unsafe},
		{"a marked loop that counts", marked + `
static void *marks(void *arg) { spin((atomic_fetch_add(&x, 1), atomic_load(&go))); return 0; }
int main(void) { run(marks); return 0; }`, within},
		{"a loop around loops that is gone round from within", `
static atomic_int go;
static void *user(void *arg) {
again:
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 2; j++)
			if (i == 1 && !atomic_load(&go)) goto again;
	return 0;
}
int main(void) { run(user); return 0; }`, unsafe},
		{"a loop that comes to its end", `
static atomic_int n;
static void *user(void *arg) {
	for (int i = 0; i < 3; i++) { atomic_fetch_add(&n, 1); atomic_fetch_sub(&n, 1); }
	return 0;
}
int main(void) { run(user); run(user); return 0; }`, safe},
	} {
		text := `#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#define run1(f, x) do { pthread_t t; pthread_create(&t, 0, f, (void *)(long)(x)); } while (0)
#define run(f) run1(f, 0)
` + c.text
		for _, model := range []string{"sc", "tso", "pso", "power", "aarch64", "riscv", "rc11"} {
			for _, engine := range []string{"axiomatic", "machine", "graphs"} {
				e, err := engines.Find(engine)
				if err != nil {
					t.Fatal(err)
				}
				ahead := model == "power" || model == "aarch64" || model == "riscv"
				if !e.VerifiesUnder(model) || engine == "graphs" && ahead && (many[c.name] || model != "riscv") {
					continue
				}
				options := solver.DefaultOptions()
				options.Unroll, options.Timeout = 2, 0 // a machine that is busy with others is slow, not wrong
				v, err := engines.Run(t.Context(), solver.VerifyTask{
					Path: "loop.c", Files: []solver.SourceFile{{Name: "loop.c", Text: text}}, Model: model,
					Engine:  engine,
					Options: e.Heeded(options), Verify: solver.Verify{Properties: []ir.Property{ir.Termination}},
				})
				if err != nil {
					t.Fatalf("%s, under %s by %s: %v", c.name, model, engine, err)
				}
				got := string(v.Verdict)
				if v.Verdict == solver.Safe && !v.Complete && c.want != safe {
					got = within
				}
				if v.Status != solver.OK || got != c.want {
					t.Errorf("%s, under %s by %s: %s, want %s", c.name, model, engine,
						fmt.Sprint(got, v.Reason, v.Error), c.want)
				}
			}
		}
	}
}
