package drawing

import (
	"strings"
	"testing"

	"litmuscope/web/drawing/drawingtest"
)

// In a long execution what is beside the point is counted and named, and nothing is missing from what is saved.
func TestLongExecutionsAreFolded(t *testing.T) {
	g := drawingtest.Long(30).Graph()
	p, err := Draw(of(g, ""))
	if err != nil {
		t.Fatal(err)
	}
	checkXML(t, "folded", p.Folded)
	if n := strings.Count(p.Folded, ">30 more</text>"); n != 2 {
		t.Errorf("%d runs of 30 events are folded, want one in each thread", n)
	}
	for _, told := range []string{"W x=1", "R y=0", "W y=1", "R x=0"} {
		if !strings.Contains(p.Folded, "</tspan> "+told+"</text>") {
			t.Errorf("the cycle’s %s is not drawn", told)
		}
	}
	if !strings.Contains(p.Folded, "30 more of P0: b: W a=1, c: W a=2, d: W a=3,") {
		t.Error("what is folded is not named")
	}
	for _, format := range Formats {
		if f := file(t, format.Name, of(g, "")); strings.Contains(f, "30 more") || !strings.Contains(f, "=29") {
			t.Errorf("saved as %s, events are missing", format.Title)
		}
	}
}

// What is seen whole is not folded.
func TestShortExecutionsAreNotFolded(t *testing.T) {
	for _, writes := range []int{0, 3} {
		p, err := Draw(of(drawingtest.Long(writes).Graph(), ""))
		if err != nil {
			t.Fatal(err)
		}
		if p.Folded != "" {
			t.Errorf("with %d writes in between it is folded", writes)
		}
	}
}
