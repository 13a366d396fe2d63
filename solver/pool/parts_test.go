package pool

import (
	"testing"
	"time"

	"litmuscope/solver"
)

// All free children explore a program whose executions take long, and its answer is the one that a single child gives.
func TestPartsByChildren(t *testing.T) {
	const text = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y;
#define T(n) void *t##n(void *p) { atomic_fetch_add(&x, n); atomic_fetch_add(&y, n); return 0; }
T(1) T(2) T(3) T(4)
int main(void) {
  pthread_t id[4];
  pthread_create(&id[0], 0, t1, 0);
  pthread_create(&id[1], 0, t2, 0);
  pthread_create(&id[2], 0, t3, 0);
  pthread_create(&id[3], 0, t4, 0);
  for (int i = 0; i < 4; i++) pthread_join(id[i], 0);
  assert(x == 10 && y == 10);
}
`
	p := newPool(t, 2)
	p.Part = 20 * time.Millisecond
	task := solver.VerifyTask{
		Path: "adds.c", Files: []solver.SourceFile{{Name: "adds.c", Text: text}}, Model: "rc11", Engine: "graphs",
		Options: solver.DefaultOptions(),
		Verify:  solver.Verify{Count: true},
	}
	v, err := solver.Ask(t.Context(), p, task)
	// Fetch-adds of four threads come in 4! orders at each location; whatever one is at y, threads are at x before they
	// are at y.
	if err != nil || v.Status != solver.OK || v.Verdict != solver.Safe || !v.Complete || v.Executions == nil ||
		*v.Executions != 24*24 {
		t.Fatalf("%+v, %v", v, err)
	}
}
