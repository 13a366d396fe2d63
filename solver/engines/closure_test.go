package engines_test

import (
	"fmt"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// publishing is a program in which two threads do many accesses in rounds, publish them at the end of each round, and
// check what the other has published.
const publishing = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x[2][WIDE], y[2];
static void rounds(int me) {
  for (int i = 0; i < ROUNDS; i++) {
    for (int k = 0; k < WIDE; k++) atomic_store_explicit(&x[me][k], i + 1, memory_order_relaxed);
    atomic_store_explicit(&y[me], i + 1, memory_order_release);
    int seen = atomic_load_explicit(&y[1 - me], memory_order_acquire);
    assert(atomic_load_explicit(&x[1 - me][0], memory_order_relaxed) >= seen);
  }
}
void *other(void *a) { rounds(1); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  rounds(0);
  return 0;
}
`

func published(tb testing.TB, model string, rounds, wide int) *solver.Verification {
	options := solver.DefaultOptions()
	options.Unroll = 32
	v, err := engines.Run(tb.Context(), solver.VerifyTask{
		Path: "t.c", Files: []solver.SourceFile{{Name: "t.c", Text: publishing}}, Model: model, Engine: "axiomatic",
		Defines: []string{fmt.Sprint("ROUNDS=", rounds), fmt.Sprint("WIDE=", wide)}, Options: options,
		Verify: solver.Verify{Properties: []ir.Property{ir.Assertion}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	if v.Verdict != solver.Safe {
		tb.Fatalf("%s, %d rounds of %d: %s %s %s", model, rounds, wide, v.Verdict, v.Reason, v.Error)
	}
	return v
}

// Accesses between two synchronisations share what they happen before: with five times as many of them, the formula has
// hardly more gates.
func TestAccessesShareHappensBefore(t *testing.T) {
	few, many := published(t, "rc11", 4, 4), published(t, "rc11", 4, 20)
	if many.Stats.Events < 3*few.Stats.Events || many.Stats.Vars > few.Stats.Vars*5/4 {
		t.Errorf("%d gates of %d events, %d of %d", few.Stats.Vars, few.Stats.Events, many.Stats.Vars,
			many.Stats.Events)
	}
}

// BenchmarkClosures reports the size of formulas about programs that synchronise rarely.
func BenchmarkClosures(b *testing.B) {
	for _, model := range []string{"rc11", "power", "aarch64"} {
		for _, wide := range []int{8, 24} {
			b.Run(fmt.Sprintf("%s/%d", model, wide), func(b *testing.B) {
				for b.Loop() {
					v := published(b, model, 6, wide)
					b.ReportMetric(float64(v.Stats.Events), "events")
					b.ReportMetric(float64(v.Stats.Vars), "gates")
				}
			})
		}
	}
}
