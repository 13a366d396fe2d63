package builtins

import "testing"

// The vocabulary has the functions that programs call, with parameters and header.
func TestWords(t *testing.T) {
	known := map[string]Word{}
	for _, w := range Words() {
		known[w.Name] = w
	}
	for _, want := range []Word{
		{
			"pthread_join", "(thread, &result)", "pthread.h",
			"waits until a thread ends, and writes its result to *result", false,
		},
		{"atomic_load_explicit", "(p, memory_order_relaxed)", "stdatomic.h", "reads *p", false},
		{"try_cmpxchg_relaxed", "(p, &old, v)", "lkmm.h", known["try_cmpxchg_relaxed"].Help, false},
		{"__CPROVER_assume", "(condition)", "", "ignores executions in which the condition is false", true},
		{"BUG_ON", "(c)", "lkmm.h", "", false},
		{"assert", "(condition)", "assert.h", "asserts a condition: the program is unsafe if it is false", true},
	} {
		if got := known[want.Name]; got != want {
			t.Errorf("%s is %+v, want %+v", want.Name, got, want)
		}
	}
	for _, refused := range []string{"getenv", "pthread_cancel", "fopen"} {
		if w, offered := known[refused]; offered {
			t.Errorf("%+v is offered, and refused where it is called", w)
		}
	}
	for name := range known {
		if ownWord(name) {
			t.Errorf("%s is none for programs", name)
		}
	}
}
