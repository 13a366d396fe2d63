package c_test

import (
	"testing"

	"litmuscope/litmus/c"
	"litmuscope/litmus/dialect/dialecttest"
)

// Every completion can be parsed, and those of the requested vocabulary come first.
func TestWords(t *testing.T) {
	dialecttest.Words(t, c.Dialect{})
	for tongue, want := range map[string]string{"C": "atomic_load_explicit", "LKMM": "READ_ONCE"} {
		if forms := (c.Dialect{}).Words(tongue).Forms(); forms[0].Mnemonic != want {
			t.Errorf("%s: %s comes first, want %s", tongue, forms[0].Mnemonic, want)
		}
	}
}
