package layout

import (
	"runtime"
	"strings"
	"testing"

	"litmuscope/web/drawing/drawingtest"
)

// However much there is to draw, and however long its names, the effort is bounded, and
// so is memory.
func TestHostileGraphs(t *testing.T) {
	for name, g := range drawingtest.Hostile() {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d := layout(g)
			runtime.ReadMemStats(&after)
			if most := int(last) + 8<<20; d.effort > most {
				t.Errorf("the effort is %d, want at most %d", d.effort, most)
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 160 {
				t.Errorf("%d MiB allocated", mb)
			}
			for _, e := range d.Edges {
				if len(e.Path) == 0 || e.Label.W == 0 {
					t.Errorf("no path or no label from %d to %d", e.From, e.To)
				}
			}
		})
	}
}

// A long name is drawn in short, and told in full.
func TestLongNames(t *testing.T) {
	loc := strings.Repeat("a", 30) + strings.Repeat("b", 30)
	g := drawingtest.Crowded(1, 2, 1)
	g.Events[1].Loc = loc
	d := layout(g)
	n := d.Nodes[1]
	if want := "W " + strings.Repeat("a", 26) + "…" + strings.Repeat("b", 13) + "=1"; n.Text != want {
		t.Errorf("got %q, want %q", n.Text, want)
	}
	if !strings.Contains(n.Title, loc+"=1") {
		t.Errorf("the title is %q", n.Title)
	}
}
