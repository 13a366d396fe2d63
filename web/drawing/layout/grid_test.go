package layout

import (
	"slices"
	"testing"

	"litmuscope/web/drawing/drawingtest"
)

// Where threads do not all fit beside one another, texts go into two lines and threads into two bands, and all of
// them is seen with words that can be read.
func TestWideExecutionsAreSeenWhole(t *testing.T) {
	for i, want := range []struct {
		two    bool // lines, of some texts
		across int
	}{{true, 3}, {false, 3}, {true, 4}} {
		s := drawingtest.Wide[i]
		r := Request{Graph: s.Graph()}
		d := Layout(r)
		if text := textIn(d); text < leastText || d.Fold(r) != nil {
			t.Errorf("%s: words are %.1f pixels high", s.Name, text)
		}
		if two := slices.ContainsFunc(d.Nodes, func(n Node) bool { return len(n.Lines) > 1 }); two != want.two {
			t.Errorf("%s: texts in two lines: %v", s.Name, two)
		}
		if got := across(d); got != want.across {
			t.Errorf("%s: %d threads stand side by side, want %d", s.Name, got, want.across)
		}
		for _, a := range d.Nodes {
			for _, b := range d.Nodes {
				if !a.Init() && a.col < want.across && b.col >= want.across && a.Bottom() >= b.Top() {
					t.Errorf("%s: %s is not above %s", s.Name, a.Title, b.Title)
				}
			}
		}
	}
}

// A text is broken where a reader would: it says the same in two lines, but for the blank between them.
func TestBrokenTexts(t *testing.T) {
	for text, want := range map[string][]string{
		"W[rlx] nodes[1].next=&nodes[0].value": {"W[rlx] nodes[1].next", "=&nodes[0].value"},
		"W nodes[1].value=1":                   {"W nodes[1]", ".value=1"},
		"lock mutex.__private=0":               {"lock mutex", ".__private=0"},
		"R[acquire] x=1":                       {"R[acquire]", "x=1"},
		"synchronize_rcu":                      {"synchronize_", "rcu"},
		"DMB ISHLD":                            {"DMB", "ISHLD"},
		"choice":                               {"choice"},
	} {
		n := Node{Name: "a:", Text: text}
		if got := n.broken(); !slices.Equal(got, want) {
			t.Errorf("%q is broken into %q, want %q", text, got, want)
		}
	}
}
