package engines_test

import (
	"testing"

	"litmuscope/litmus/ir"
)

// A path through an event that cannot execute together with the next is no path (an alternative that separates two
// blocks of memory).
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
