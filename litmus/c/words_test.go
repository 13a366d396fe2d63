package c_test

import (
	"testing"

	"litmuscope/litmus/c"
	"litmuscope/litmus/dialect/dialecttest"
)

// Whatever is offered to those who write a test can be read, and begins with the vocabulary
// that was asked for.
func TestWords(t *testing.T) {
	dialecttest.Words(t, c.Dialect{})
	for tongue, want := range map[string]string{"C": "atomic_load_explicit", "LKMM": "READ_ONCE"} {
		if forms := (c.Dialect{}).Words(tongue).Forms; forms[0].Mnemonic != want {
			t.Errorf("%s: %s comes first, want %s", tongue, forms[0].Mnemonic, want)
		}
	}
}
