package engines_test

import (
	"testing"

	"litmuscope/litmus/ir"
)

// A path by way of an event that cannot be executed with the next is none (an alternative that takes two blocks of
// memory apart).
func TestPathsBetweenAlternatives(t *testing.T) {
	const text = `#include <pthread.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *_Atomic p;
static void *f(void *arg) { struct node *n = p; if (n) return (void *)(long)n->v; return 0; }
static void *g(void *arg) { { int a[2] = {1, 2}; p = (struct node *)a; } return 0; }
int main(void) { pthread_t t, u; p = calloc(1, sizeof *p); pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); free(p); return 0; }
`
	for _, model := range []string{"rc11", "c11", "imm"} {
		if v := held(t, text, model, "axiomatic", ir.Memory, nil); answer(v) != "unsafe" {
			t.Errorf("%s: %s %s", model, answer(v), v.Reason)
		}
	}
}
