package engines_test

import (
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// What nobody may write, threads read without events; a write to it is undefined behaviour, and an atomic read of it
// orders as any other.
func TestConstants(t *testing.T) {
	const program = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static const int table[4] = {3, 1, 2, 0};
static const int *const pointers[2] = {&table[1], &table[2]};
static atomic_int x, y;
static const _Atomic int five = 5;
static void *a(void *u) {
  int r = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, table[r] + five - 7, memory_order_relaxed);
  return 0;
}
static void *b(void *u) {
  int r = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, *pointers[r & 1], memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  assert(x == 1 || x == 2);
  assert(y != -2);
  CHECK
}
`
	for check, want := range map[string]solver.Verdict{
		"": solver.Safe, "assert(x != 2);": solver.Unsafe, "*(int *)&table[x] = 1;": solver.Undecided,
	} {
		for _, model := range []string{"sc", "tso", "rc11", "imm", "aarch64", "power"} {
			for _, e := range verifiers(model) {
				task := randomTask(strings.Replace(program, "CHECK", check, 1))
				task.Model, task.Engine, task.Options = model, e.Name, e.Heeded(task.Options)
				task.Options.Timeout, task.Options.Witnesses = 0, true
				v, err := engines.Run(t.Context(), task)
				if err != nil {
					t.Fatal(err)
				}
				if v.Verdict != want || want == solver.Undecided && v.Undefined == nil {
					t.Errorf("%q under %s by %s: %s", check, model, e.Name, said(v))
				}
				if v.Failure == nil || v.Failure.Graph == nil {
					continue
				}
				for _, ev := range v.Failure.Graph.Events {
					if strings.Contains(ev.Loc, "table") || strings.Contains(ev.Loc, "pointers") {
						t.Errorf("%q under %s by %s: a picture shows %s", check, model, e.Name, ev.Loc)
					}
				}
			}
		}
	}
}
