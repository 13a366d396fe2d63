package engines_test

import (
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver/engines"
)

// What the engine of graphs does not follow it says, and never takes for harmless.
func TestGraphsSayWhatTheyDoNotFollow(t *testing.T) {
	const head = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nextern void __VERIFIER_assume(int);\nextern int __VERIFIER_nondet_int(void);\n"
	for _, c := range []struct {
		name, body string
		property   ir.Property
		want       string
	}{
		{"a number that is assumed about", `int main(int argc, char **argv) { __VERIFIER_assume(argc == 5); assert(0); }`, ir.Assertion, "this may be any number of 32 bits"},
		{"arguments that nobody looks at", `int main(int argc, char **argv) { assert(1); }`, ir.Assertion, "safe"},
		{"memory that is freed", `void *f(void *q) { int *p = malloc(4); *p = 1; free(p); *p = 2; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }`, ir.Assertion, "undefined behaviour at line 6"},
		{"memory that is freed, where that is asked", `void *f(void *q) { int *p = malloc(4); *p = 1; free(p); *p = 2; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }`, ir.Memory, "unsafe"},
		{"a local of a call that has ended", `int *g(void) { int x = 1; int *p = &x; return p; } int main(void) { assert(*g() == 1); }`, ir.Assertion, "undefined behaviour at line 6"},
		{"memory without a value", `int *p; void *f(void *q) { return 0 * *p + (char *)0; } int main(void) { pthread_t t; p = malloc(4); pthread_create(&t, 0, f, 0); pthread_join(t, 0); int k = *p; }`, ir.Assertion, "may be anything: that is not supported by this engine"},
		{"the same, where that is asked", `int *p; void *f(void *q) { return *p + (char *)0; } int main(void) { pthread_t t; p = malloc(4); pthread_create(&t, 0, f, 0); pthread_join(t, 0); int k = *p; }`, ir.Memory, "unsafe"},
	} {
		task := randomTask(head + c.body)
		task.Model, task.Engine, task.Properties, task.Options.Timeout = "sc", "graphs", []ir.Property{c.property}, 0
		v, err := engines.Run(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		if got := said(v); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %q", c.name, got, c.want)
		}
	}
}
