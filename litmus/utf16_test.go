package litmus_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"litmuscope/litmus"
)

func TestUTF16(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(
			rapid.SampledFrom([]string{"a", "é", "→", "𝔸", "\x80", "\xf0\x9f", "\n", strings.Repeat("x→", 200)}), 0,
			20).Draw(t, "text")
		text := strings.Join(parts, "")
		lines := strings.Split(text, "\n")
		u := litmus.NewUTF16(text)
		for range 5 {
			line := rapid.IntRange(0, len(lines)+1).Draw(t, "line")
			col := rapid.IntRange(0, 1200).Draw(t, "col")
			got, ok := u.Column(litmus.Pos{Line: line, Col: col})
			if ok != (line >= 1 && line <= len(lines)) {
				t.Fatalf("line %d of %d: %v", line, len(lines), ok)
			}
			if !ok {
				continue
			}
			before := lines[line-1]
			before = before[:max(0, min(col-1, len(before)))]
			if want := len(utf16.Encode([]rune(before))); got != want {
				t.Fatalf("%d:%d of %q: column %d, want %d", line, col, text, got, want)
			}
		}
	})
}

// Many places of one long line do not take time by their product, which would be hours.
func TestUTF16IsLinear(t *testing.T) {
	const n = 1 << 20
	u := litmus.NewUTF16(strings.Repeat("→", n))
	for col := 1; col < 3*n; col += 3 {
		if got, _ := u.Column(litmus.Pos{Line: 1, Col: col}); got != col/3 {
			t.Fatalf("byte %d: column %d", col, got)
		}
	}
}
