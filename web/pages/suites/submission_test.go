package suites

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/web/server"
)

// An unknown option is refused by name, also in a body without a schema.
func TestSuiteRefusesUnknownOption(t *testing.T) {
	var in suiteRequest
	err := server.ReadJSON(strings.NewReader(`{"models":["sc"],"options":{"unroll":3,"speed":1},"catalogue":["SB"]}`),
		&in)
	if err == nil || err.Error() != `There is no option "speed".` {
		t.Errorf("an unknown option: %v", err)
	}
}

func TestPastedTests(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \r\n\n", ""},
		{"X86 SB\nbody\n", "SB.litmus 12"},
		{"X86 SB\r\nX86\n\nX86 MP\n  C x\nPPC lib/y\n", "SB.litmus 12|MP.litmus 13|lib/y.litmus 10"},
		{"no header\nX86 SB\n", "test-1.litmus 10|SB.litmus 7"},
	} {
		var got []string
		for _, e := range pasted(c.text) {
			got = append(got, fmt.Sprintf("%s %d", e.Path, len(e.Source)))
		}
		if all := strings.Join(got, "|"); all != c.want {
			t.Errorf("%q: %s, want %s", c.text, cmp.Or(all, "nothing"), c.want)
		}
	}
}

// Each classic test is taken once, even if several patterns match it.
func TestClassicsOfPatterns(t *testing.T) {
	ids := func(patterns ...string) (out []string) {
		found, err := classicsOf(patterns)
		if err != nil {
			t.Errorf("%q: %v", patterns, err)
		}
		for _, e := range found {
			out = append(out, e.ID())
		}
		return out
	}
	if got := ids("MP", "X86/SB", "SB", "X86/MP", "[MS][PB]"); !slices.Equal(got, []string{"MP", "SB"}) {
		t.Errorf("taken: %v", got)
	}
	if got := ids(slices.Repeat([]string{"*/*", "X86/*"}, 500)...); len(got) != len(catalogue.All()) {
		t.Errorf("%d of %d tests are taken", len(got), len(catalogue.All()))
	}
}

// The error of a broken upload says why it broke.
func TestBrokenUploads(t *testing.T) {
	for err, want := range map[error]int{
		server.Unread(io.ErrUnexpectedEOF): http.StatusBadRequest,
		errors.New("no zip"):               http.StatusUnprocessableEntity,
	} {
		if f := server.FaultOf(&brokenUpload{err}); f.Status != want || f.Detail == "" {
			t.Errorf("%v: %d, %s", err, f.Status, f.Detail)
		}
	}
}
