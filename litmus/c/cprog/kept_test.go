package cprog_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"litmuscope/litmus/c/cprog"
	"litmuscope/litmus/ir"
)

// Questions about one program share its code, at the same time and one after another, and get what each would alone.
func TestQuestionsShareCode(t *testing.T) {
	const text = `
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
struct { struct { int a, b : 3; } in[2]; atomic_int x; } s;
static void *add(void *arg)
{
	int e = atomic_load(&s.x);
	while (!atomic_compare_exchange_weak(&s.x, &e, e + 1)) ;
	s.in[e].a = e;
	return 0;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, add, 0);
	pthread_create(&u, 0, add, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(s.in[1].a == 1);
	return 0;
}
`
	ask := func(name string, properties ...ir.Property) *ir.Program {
		o := cprog.Options{Unroll: 2, Properties: properties}
		p, err := cprog.Lower(t.Context(), cprog.Source{Files: []cprog.File{{Name: name, Text: text}}}, o)
		if err != nil {
			t.Error(err)
		}
		return p
	}
	questions := [][]ir.Property{{ir.Assertion}, {ir.Assertion, ir.Overflow}, {ir.Termination}, {ir.Memory}}
	var wait sync.WaitGroup
	for i, properties := range questions {
		alone := ask(fmt.Sprintf("alone%d.c", i), properties...) // another name is another program
		for range 3 {
			wait.Go(func() {
				got := ask("shared.c", properties...)
				same := len(got.Locs) == len(alone.Locs) && len(got.Threads) == len(alone.Threads) &&
					reflect.DeepEqual(got.Loops, alone.Loops) && len(got.Remarks) == len(alone.Remarks)
				for th := range got.Threads {
					same = same && len(got.Threads[th].Code) == len(alone.Threads[th].Code)
				}
				if !same {
					t.Errorf("%v: with others %+v, alone %+v", properties, got, alone)
				}
			})
		}
	}
	wait.Wait()
}
