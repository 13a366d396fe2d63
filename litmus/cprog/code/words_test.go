package code

import "testing"

// What programs call is known by name, with its parameters and the header that has it.
func TestWords(t *testing.T) {
	known := map[string]Word{}
	for _, w := range Words() {
		known[w.Name] = w
	}
	for _, want := range []Word{
		{"pthread_join", "(pthread_t, void **)", "pthread.h", ""},
		{"atomic_load_explicit", "(p, o)", "stdatomic.h", "reads *p"},
		{"try_cmpxchg_relaxed", "(p, &old, v)", "lkmm.h", known["try_cmpxchg_relaxed"].Help},
		{"malloc", "(size_t)", "stdlib.h", ""},
		{"assert", "(e)", "assert.h", ""},
	} {
		if got := known[want.Name]; got != want {
			t.Errorf("%s is %+v, want %+v", want.Name, got, want)
		}
	}
	for name := range known {
		if ownWord(name) {
			t.Errorf("%s is none for programs", name)
		}
	}
}
