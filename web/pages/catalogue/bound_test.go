package catalogue

import (
	"net/url"
	"strings"
	"testing"
)

// A search longer than maxQuery is refused and not run.
func TestSearchIsBounded(t *testing.T) {
	for _, test := range []struct {
		text    string
		refused bool
	}{
		{"SB", false},
		{strings.Repeat("a ", maxQuery/2), false}, // trimmed
		{strings.Repeat("a", maxQuery), false},
		{strings.Repeat("a", maxQuery+1), true},
		{strings.Repeat("a ", 28_000), true},
		{strings.Repeat("é", maxQuery), true}, // bytes, as the message says
	} {
		v := viewCatalogue(url.Values{"q": {test.text}})
		if refused := strings.Contains(v.Problem, "bytes. The limit is 500"); refused != test.refused {
			t.Errorf("%.20q of %d bytes: %q", test.text, len(test.text), v.Problem)
		}
		if test.refused && v.Query != "" {
			t.Errorf("a page repeats %d bytes", len(v.Query))
		}
	}
}
