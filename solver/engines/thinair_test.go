package engines_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// If excluded values out of thin air could decide the answer about a program, it says so as for a test (see
// TestThinAirRemark of solver/axiomatic).
func TestThinAirOfPrograms(t *testing.T) {
	const program = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
TYPE x, y;
int r0, r1;
void *first(void *a) {
	r0 = READ(x);
	WRITE(y, r0);
	return 0;
}
void *second(void *a) {
	r1 = READ(y);
	WRITE(x, %s);
	return 0;
}
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(r0 != 42);
}
`
	relaxed := []string{
		"TYPE=atomic_int", "READ(p)=atomic_load_explicit(&p, memory_order_relaxed)",
		"WRITE(p, v)=atomic_store_explicit(&p, v, memory_order_relaxed)",
	}
	plain := []string{"TYPE=int", "READ(p)=p", "WRITE(p, v)=p = v"}
	for _, c := range []struct {
		name, stored, models string
		defines              []string
		want                 bool
	}{
		{"plain copies", "r1", "lkmm", plain, true},
		{"plain copies, which the model forbids", "r1", "sc tso power aarch64", plain, false},
		{"relaxed copies", "r1", "c11 c11-psc", relaxed, true},
		{"relaxed copies, which the model forbids", "r1", "rc11 imm power aarch64", relaxed, false},
		{"no ring", "1", "c11 lkmm", relaxed, false},
	} {
		text := fmt.Sprintf(program, c.stored)
		for model := range strings.FieldsSeq(c.models) {
			task := solver.VerifyTask{
				Path: "copies.c", Files: []solver.SourceFile{{Name: "copies.c", Text: text}},
				Model: model, Options: solver.DefaultOptions(),
			}
			task.Defines, task.Properties = c.defines, []ir.Property{ir.Assertion} // the plain copies race
			v, err := engines.Run(t.Context(), task)
			if err != nil || v.Verdict != solver.Safe {
				t.Fatalf("%s under %s: %v, %v", c.name, model, v, err)
			}
			got := strings.Contains(fmt.Sprint(v.Remarks), "7:2: values out of thin air are excluded")
			if got != c.want {
				t.Errorf("%s under %s: got remarks %v, want one: %v", c.name, model, v.Remarks, c.want)
			}
		}
	}
}
