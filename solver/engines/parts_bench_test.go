package engines_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// The speedup of workers that explore in parts, each as if on a processor of its own: what they explore takes no time,
// but they sleep for each execution.
func BenchmarkPartsOfSleepers(b *testing.B) {
	const text = `#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
#define T(n) void *t##n(void *p) { atomic_fetch_add(&x, n); atomic_fetch_add(&y, n); return 0; }
T(1) T(2) T(3) T(4)
int main(void) {
  pthread_t id[4];
  pthread_create(&id[0], 0, t1, 0);
  pthread_create(&id[1], 0, t2, 0);
  pthread_create(&id[2], 0, t3, 0);
  pthread_create(&id[3], 0, t4, 0);
}
`
	task := solver.VerifyTask{
		Path: "adds.c", Files: []solver.SourceFile{{Name: "adds.c", Text: text}}, Model: "rc11", Engine: "graphs",
		Options: solver.DefaultOptions(),
		Verify:  solver.Verify{Properties: []ir.Property{ir.Assertion}, Count: true},
	}
	task.Options.Timeout = 0
	// Parts of a few steps, for there are few executions, so that the processor has little to do.
	for _, workers := range []int{1, 2, 8} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			for b.Loop() {
				var one sync.Mutex
				v, err := engines.SplitUp(b.Context(), task, 1, workers,
					func(ctx context.Context, t solver.VerifyTask) (solver.Answer, error) {
						one.Lock()
						a, err := engines.Local{}.Run(ctx, t)
						one.Unlock()
						if v, ok := a.(*solver.Verification); ok && v.Part != nil {
							time.Sleep(time.Duration(v.Part.Executions) * 60 * time.Millisecond)
						}
						return a, err
					})
				if err != nil || v.Executions == nil || *v.Executions != 24*24 {
					b.Fatalf("%+v, %v", v, err)
				}
			}
		})
	}
}
