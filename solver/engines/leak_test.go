package engines_test

import (
	"testing"

	"litmuscope/litmus/ir"
)

// When main returns, all allocations that it may see have been freed.
func TestLeaks(t *testing.T) {
	const begin = "#include <stdlib.h>\n#include <pthread.h>\n#include <stdatomic.h>\n" +
		"static int *_Atomic p;\nstatic atomic_int done;\nstatic pthread_t t, u;\n"
	const exchange = begin + "static void *f(void *a) { int *q = malloc(4); *q = 1; FREED(atomic_exchange(&p, q)); " +
		"return 0; }\nint main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_join(t, " +
		"0); pthread_join(u, 0); "
	const hidden = begin + "static void *f(void *a) { int *q = malloc(4); free(q); atomic_store(&done, 1); return " +
		"0; }\nint main(void) { pthread_create(&t, 0, f, 0); "
	for _, c := range []struct{ name, text, want string }{
		{"nothing is allocated", begin + "int main(void) { return 0; }", "safe"},
		{"what is allocated is freed", begin + "int main(void) { free(malloc(4)); return 0; }", "safe"},
		{"what is allocated is not", begin + "int main(void) { int *a = calloc(2, 4); return a[1]; }", "unsafe"},
		{"one way frees it", begin + "extern _Bool __VERIFIER_nondet_bool(void);\n" +
			"int main(void) { int *a = malloc(4); if (__VERIFIER_nondet_bool()) free(a); return 0; }", "unsafe"},
		{
			"one of three rounds frees nothing",
			begin + "int main(void) { for (int i = 0; i < 3; i++) { int *a = malloc(4); if (i != 1) free(a); } " +
				"return 0; }", "unsafe",
		},
		{
			"three rounds free it",
			begin + "int main(void) { for (int i = 0; i < 3; i++) { int *a = malloc(4); free(a); } return 0; }",
			"safe",
		},
		{
			"an array of variable length is none",
			begin + "int main(void) { int n = 2; int v[n]; v[1] = 1; return 0; }",
			"safe",
		},
		{
			"memory of alloca is none",
			begin + "#include <alloca.h>\nint main(void) { int *v = alloca(4); *v = 1; return 0; }", "safe",
		},
		{"each frees what it takes", "#define FREED free\n" + exchange + "free(p); return 0; }", "safe"},
		{"each frees what it takes, and none the last", "#define FREED free\n" + exchange + "return 0; }", "unsafe"},
		{"each takes what it does not free", "#define FREED(x) x\n" + exchange + "free(p); return 0; }", "unsafe"},
		{"a thread that is waited for has freed it", hidden + "pthread_join(t, 0); return 0; }", "safe"},
		{"a thread that is seen to be done has", hidden + "while (!atomic_load(&done)) ; return 0; }", "safe"},
		{"a thread that is not waited for may have to", hidden + "return 0; }", "unsafe"},
	} {
		for _, by := range [][2]string{
			{"rc11", "axiomatic"},
			{"sc", "axiomatic"},
			{"rc11", "graphs"},
			{"tso", "graphs"},
			{"pso", "machine"},
			{"sc", "lazy-cseq"},
		} {
			if v := held(t, c.text, by[0], by[1], ir.Leak, nil); answer(v) != c.want {
				t.Errorf("%s, under %s by %s: %s %s, want %s", c.name, by[0], by[1], answer(v), v.Reason, c.want)
			}
		}
	}
}
