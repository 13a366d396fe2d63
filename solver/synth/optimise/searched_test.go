package optimise_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/synth"
	"litmuscope/solver/synth/optimise"
)

const (
	lockHeader = `#include <stdatomic.h>
static atomic_int held;
static void lock(void) { while (atomic_exchange_explicit(&held, 1, memory_order_relaxed)) ; }
static void unlock(void) { atomic_store_explicit(&held, 0, memory_order_release); }
#ifdef ANOTHER
static int locked(void)
{
	return atomic_load_explicit(&held, memory_order_relaxed);
}
#endif
`
	lockClient = `#include <assert.h>
#include <pthread.h>
#include "lock.h"
static int c;
static void *f(void *arg) { lock(); c++; unlock(); return 0; }
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, f, 0);
	pthread_create(&u, 0, f, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(c == 2);
	return 0;
}
`
	// preprocessed is what a preprocessor makes of macros for a store, a load and a line that it comes from.
	preprocessed = `# 1 "mp.c"
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef enum { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst } memory_order;
extern void atomic_thread_fence(memory_order);
# 10 "/usr/lib/gcc/include/stdatomic.h" 3 4
void __VERIFIER_assert(int);
_Atomic int flag, data;
static void *left(void *arg)
{
	__atomic_store_n(&data, 1, 0);
	__atomic_store_n(&flag, 1, (
# 12 "mp.c" 3 4
		memory_order_relaxed
# 12 "mp.c"
	));
	return 0;
}
static void *right(void *arg)
{
	if (__atomic_load_n(&flag, 0))
		__VERIFIER_assert(__atomic_load_n(&data, 0));
	return 0;
}
int main(void)
{
	pthread_t l, r;
	pthread_create(&l, 0, left, 0);
	pthread_create(&r, 0, right, 0);
	pthread_join(l, 0);
	pthread_join(r, 0);
	return 0;
}
`
)

// A repair searches the files that a program includes by quotes, unless the question names others; the answer names
// skipped files, and then never says impossible. The search changes a preprocessed program directly.
func TestRepairSearches(t *testing.T) {
	bracketed := strings.Replace(lockClient, `"lock.h"`, "<lock.h>", 1)
	for _, c := range []struct {
		name, text string
		only       []string
		want       string
	}{
		{"client.c", lockClient, nil, "lock.h:3 acquire"},
		{"client.c", lockClient, []string{"lock"}, "lock.h:3 acquire"},
		{"client.c", lockClient, []string{"client.c"}, "client.c:4 make c _Atomic"},
		{"client.c", lockClient, []string{"unlock"}, "it fails under RC11 even with 1 change together"},
		{"client.c", bracketed, nil, "client.c:4 make c _Atomic"},
		{"client.c", bracketed, []string{"lock.h"}, "lock.h:3 acquire"},
		{"mp.i", preprocessed, nil, "mp.i:15 release, mp.i:22 acquire"},
	} {
		q := question(map[string]string{c.name: c.text}, "rc11")
		q.Only, q.Each = c.only, true
		q.Pairs[0].Include = map[string]string{"lock.h": lockHeader}
		q.Pairs[0].Dirs = []string{"."}
		r, err := optimise.Repair(context.Background(), q, "")
		if err != nil {
			t.Errorf("%s, only %v: %v", c.name, c.only, err)
			continue
		}
		if got := repaired(r); !strings.Contains(got, c.want) || r.Impossible && strings.Contains(got, "searched") {
			t.Errorf("%s, only %v: got %s, want %s", c.name, c.only, got, c.want)
		}
		for _, a := range r.Repairs {
			if n := strings.Count(a.Diff, "\n-") + strings.Count(a.Diff, "\n+"); n != 2*len(a.Changes)+1 {
				// with the head
				t.Errorf("%s, only %v: %s", c.name, c.only, a.Diff)
			}
		}
	}
}

// repaired is the first answer in a line, or why there is none.
func repaired(r *synth.Reply) string {
	if len(r.Repairs) == 0 {
		return r.Reason
	}
	if r.Status != solver.OK {
		return string(r.Status)
	}
	var out []string
	for _, c := range r.Repairs[0].Changes {
		out = append(out, fmt.Sprintf("%s:%d %s", c.File, c.Line, c.Text))
	}
	return strings.Join(out, ", ")
}
