package engines_test

import (
	"fmt"
	"testing"

	"litmuscope/solver/engines"
)

// counted are programs that have many executions.
var counted = []struct{ name, model, text string }{
	{"fetch-adds", "rc11", `#include <stdatomic.h>
#include <pthread.h>
atomic_int x;
void *t(void *p) { atomic_fetch_add(&x, 1); return 0; }
int main(void) { pthread_t id[6]; for (int i = 0; i < 6; i++) pthread_create(&id[i], 0, t, 0); for (int i = 0; i < 6; i++) pthread_join(id[i], 0); }`},
	{"fetch-adds of different numbers", "rc11", `#include <stdatomic.h>
#include <pthread.h>
atomic_int x;
void *t(void *p) { atomic_fetch_add(&x, (int)(long)p); return 0; }
int main(void) { pthread_t id[7]; for (long i = 0; i < 7; i++) pthread_create(&id[i], 0, t, (void *)i); for (int i = 0; i < 7; i++) pthread_join(id[i], 0); }`},
	{"readers", "rc11", `#include <stdatomic.h>
#include <pthread.h>
atomic_int x;
void *w(void *p) { atomic_store(&x, 1); return 0; }
void *r(void *p) { return (void *)(long)atomic_load(&x); }
int main(void) { pthread_t id[9]; pthread_create(&id[8], 0, w, 0); for (int i = 0; i < 8; i++) pthread_create(&id[i], 0, r, 0); for (int i = 0; i < 9; i++) pthread_join(id[i], 0); }`},
	{"one lock", "sc", `#include <pthread.h>
pthread_mutex_t m; int x;
void *t(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t id[5]; for (int i = 0; i < 5; i++) pthread_create(&id[i], 0, t, 0); for (int i = 0; i < 5; i++) pthread_join(id[i], 0); }`},
	{"fibonacci", "sc", `#include <pthread.h>
int i = 1, j = 1;
void *f(void *p) { for (int k = 0; k < 3; k++) i += j; return 0; }
void *g(void *p) { for (int k = 0; k < 3; k++) j += i; return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0); }`},
}

// Executions per second of the engines that count them, and how many times as many the one has as the other. Both have
// the same number.
func BenchmarkCount(b *testing.B) {
	for _, c := range counted {
		numbers, rates := map[int]string{}, map[string]float64{}
		for _, engine := range []string{"graphs", "axiomatic"} {
			b.Run(fmt.Sprintf("%s/%s", c.name, engine), func(b *testing.B) {
				task := randomTask(c.text)
				task.Model, task.Engine, task.Count, task.Options.Timeout, task.Options.Unroll = c.model, engine, true,
					0, 3
				n := 0
				for b.Loop() {
					v, err := engines.Run(b.Context(), task)
					if err != nil || v.Executions == nil {
						b.Fatalf("%v, %s", err, said(v))
					}
					n = *v.Executions
				}
				numbers[n] = engine
				rates[engine] = float64(n) * float64(b.N) / b.Elapsed().Seconds()
				b.ReportMetric(rates[engine], "executions/s")
				b.ReportMetric(float64(n), "executions")
				if by := rates["graphs"]; engine == "axiomatic" && by > 0 {
					b.ReportMetric(by/rates[engine], "graphs/axiomatic")
				}
			})
		}
		if len(numbers) > 1 {
			b.Errorf("%s: %v", c.name, numbers)
		}
	}
}
