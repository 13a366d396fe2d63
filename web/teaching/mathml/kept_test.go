package mathml

import (
	"strings"
	"testing"
)

// What is kept of formulas is bounded in bytes, however large each is.
func TestKeptIsBounded(t *testing.T) {
	for n := range 100 {
		store(formula{strings.Repeat("x", n), false}, strings.Repeat("y", mostKnown/10))
		if rendered.bytes > mostKnown {
			t.Fatalf("%d bytes are kept, want at most %d", rendered.bytes, mostKnown)
		}
	}
	store(formula{"z", false}, strings.Repeat("y", 2*mostKnown))
	if _, ok := cached(formula{"z", false}); ok {
		t.Error("a formula is kept that is larger than all may be")
	}
}
