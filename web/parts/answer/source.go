package answer

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/a-h/templ"
)

// SourcePart is a piece of a test's text. Instructions have a key, see CellKey.
type SourcePart struct{ Text, Key string }

// PartSource splits a test's text into instructions and the text between them.
func PartSource(source string, cells []CellView) []SourcePart {
	cells = slices.SortedFunc(slices.Values(cells), func(a, b CellView) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	var out []SourcePart
	n := 0
	for line := range strings.Lines(strings.TrimRight(source, "\n")) {
		n++
		units := utf16.Encode([]rune(line))
		at := 0
		for len(cells) > 0 && cells[0].Line <= n {
			c := cells[0]
			cells = cells[1:]
			if end := c.Col + c.Length; c.Line == n && c.Col >= at && end <= len(units) {
				out = append(out,
					SourcePart{Text: string(utf16.Decode(units[at:c.Col]))},
					SourcePart{string(utf16.Decode(units[c.Col:end])), c.Key})
				at = end
			}
		}
		out = append(out, SourcePart{Text: string(utf16.Decode(units[at:]))})
	}
	return out
}

// SourceHTML returns a test's text as HTML with marked instructions.
func SourceHTML(parts []SourcePart) string {
	var b strings.Builder
	b.WriteString("<pre>")
	for _, p := range parts {
		text := templ.EscapeString(p.Text)
		if p.Key != "" {
			text = `<span data-cell="` + p.Key + `">` + text + "</span>"
		}
		b.WriteString(text)
	}
	b.WriteString("</pre>")
	return b.String()
}
