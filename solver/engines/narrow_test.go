package engines_test

import (
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Of a table whose indices are read, the reachable entries count, according to the ranges of counters and arguments.
func TestTablesOfWhichLittleIsUsed(t *testing.T) {
	const table = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define READ(p) atomic_load_explicit(&p, memory_order_relaxed)
#define WRITE(p, v) atomic_store_explicit(&p, v, memory_order_relaxed)
#define COUNT(p) atomic_fetch_add_explicit(&p, 1, memory_order_relaxed)
atomic_uint x, slots[2048];
`
	const counted = table + `
void *worker(void *arg) {
	unsigned mine = COUNT(x);
	COUNT(slots[mine % 2048]);
	return 0;
}
int main(void) {
	pthread_t a, b, c;
	pthread_create(&a, 0, worker, 0);
	pthread_create(&b, 0, worker, 0);
	pthread_create(&c, 0, worker, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	assert(READ(slots[READ(x) - 1]) == WANT);
}
`
	const fed = table + `
void *one(void *arg) {
	WRITE(slots[READ(x) % 2048], 1);
	return 0;
}
void *two(void *arg) {
	unsigned r = READ(slots[7]);
	WRITE(x, 7 * r);
	return 0;
}
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, one, 0);
	pthread_create(&b, 0, two, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(READ(slots[WANT]) == 0);
}
`
	for _, c := range []struct {
		text, want, models string
		verdict            solver.Verdict
	}{
		{counted, "1", "sc tso aarch64 riscv power", solver.Safe},
		{counted, "0", "sc tso aarch64 riscv power", solver.Unsafe},
		{fed, "7", "sc tso aarch64 riscv power rc11", solver.Safe},
		{fed, "0", "sc aarch64 power c11", solver.Unsafe},
	} {
		for model := range strings.FieldsSeq(c.models) {
			task := solver.VerifyTask{
				Path: "table.c", Files: []solver.SourceFile{{Name: "table.c", Text: c.text}},
				Defines: []string{"WANT=" + c.want},
				Model:   model, Engine: "axiomatic", Options: solver.DefaultOptions(),
			}
			task.Options.Memory = 512
			v, err := engines.Run(t.Context(), task)
			if err != nil || v.Verdict != c.verdict {
				t.Errorf("%s is wanted to be %s under %s: %+v, error %v", c.text, c.verdict, model, v, err)
			}
		}
	}
}
