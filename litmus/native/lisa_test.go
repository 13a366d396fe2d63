package native_test

import (
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/native"
)

// LISA is no processor's language.
func TestLISAIsRefused(t *testing.T) {
	test, err := litmus.Parse("t", "LISA T\n{ }\nP0;\nw[once] x 1;\nexists (x=1)\n")
	if err != nil {
		t.Fatal(err)
	}
	_, err = native.Assemble(test, native.Target{})
	if err == nil || !strings.Contains(err.Error(), "no tests in LISA") {
		t.Errorf("got %v", err)
	}
}
