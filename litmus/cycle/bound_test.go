package cycle

import (
	"strings"
	"testing"
)

// A * doubles the number of meanings of a word, and a composite multiplies those of its words: the parser bounds both
// before it expands them.
func TestStarsAreBounded(t *testing.T) {
	for _, test := range []struct {
		text string
		rows int // 0: refused
		err  string
	}{
		{"Pod**", 4, ""},
		{"Po***", 0, ""},
		{"[Pod**,Pod**]", 16, ""},
		{"Pod" + strings.Repeat("*", 14), 0, "cycle:1:1: Pod************** has 14 *: want at most 4"},
		{"Fre Pod" + strings.Repeat("*", 100_000), 0, "cycle:1:5: "},
		{"[" + strings.Repeat("Pod**,", 20) + "Fre]", 0, "cycle:1:1: the composite stands for too many sequences of " +
			"edges"},
		{
			"Fre [" + strings.Repeat("Pod**,", 1000) + "Fre]", 0,
			"cycle:1:5: the composite stands for too many sequences of edges",
		},
	} {
		list, err := ParseRelaxations("X86", test.text)
		switch {
		case test.err != "":
			if err == nil || !strings.HasPrefix(err.Error(), test.err) {
				t.Errorf("%.40s: got %v, want %s", test.text, err, test.err)
			}
			if _, err := ParseCycle("X86", test.text); err == nil || !strings.HasPrefix(err.Error(), test.err) {
				t.Errorf("%.40s as a cycle: got %v, want %s", test.text, err, test.err)
			}
		case test.rows > 0 && (err != nil || len(list) != test.rows):
			t.Errorf("%s: %d rows, %v, want %d", test.text, len(list), err, test.rows)
		}
	}
}
