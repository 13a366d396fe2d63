package layout

import (
	"testing"

	"litmuscope/models"
	"litmuscope/web/drawing/drawingtest"
)

// A long execution is folded to what its cycle leads through, which fits into a page with words that can be
// read.
func TestFoldedFits(t *testing.T) {
	r := Request{Graph: drawingtest.Long(30).Graph()}
	d := Layout(r)
	if f := d.Fold(r); textIn(f) < leastText || textIn(d) > leastText {
		t.Errorf("words are %.1f pixels high folded, %.1f not", textIn(f), textIn(d))
	}
}

// Whatever is folded, each event is drawn or among those of one run, each run is between its neighbours, and every
// edge of the story between what is drawn is there.
func TestFoldingLosesNothing(t *testing.T) {
	sources := map[string]*models.Graph{}
	for _, s := range append(drawingtest.All(), drawingtest.Long(30)) {
		sources[s.Name] = s.Graph()
	}
	for name, g := range sources {
		d := layout(g)
		for _, kept := range []map[int]bool{{}, d.corners(Request{}), {d.Nodes[len(d.Nodes)-1].Event.ID: true}} {
			f := d.folded(kept)
			f.placeAll(Request{})
			found, at := map[int]int{}, map[int]float64{}
			for _, n := range f.Nodes {
				if n.Run == nil {
					found[n.Event.ID]++
				}
				for _, m := range n.Run {
					found[m.Event.ID]++
					if kept[m.Event.ID] || m.col != n.col {
						t.Errorf("%s: %s is folded into %s", name, m.Name, n.Title)
					}
				}
				if !n.Init() {
					if y, ok := at[n.col]; ok && n.Top() < y {
						t.Errorf("%s: %s lies on what is before it", name, n.Title)
					}
					at[n.col] = n.Bottom()
				}
			}
			for _, e := range g.Events {
				if found[e.ID] != 1 {
					t.Errorf("%s: %s is drawn %d times", name, e.Name, found[e.ID])
				}
			}
			for _, p := range d.Cycle {
				if kept[p[0]] && kept[p[1]] && !f.Lit(&Edge{From: p[0], To: p[1]}) {
					t.Errorf("%s: the story’s %v is not made out", name, p)
				}
			}
		}
	}
}
