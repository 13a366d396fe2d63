package layout

import (
	"fmt"
	"testing"

	"litmuscope/models"
	"litmuscope/web/drawing/drawingtest"
)

// What a picture makes out can be followed in it: a way back over an initial write is fr, an initial write
// that is needed is drawn, and without a request it is a cycle that SC forbids.
func TestStory(t *testing.T) {
	mp := drawingtest.Classics[1] // ix 0, iy 1; a 2, b 3; c 4, d 5, which reads 0
	for _, c := range []struct {
		what   string
		r      Request
		want   string
		hidden int // initial writes that are not drawn
	}{
		{"found", Request{}, "[[2 3] [3 4] [4 5] [5 2]]", 2},
		{
			"over an initial write",
			Request{Cycle: []models.Pair{{2, 3}, {3, 4}, {4, 5}, {0, 5}, {0, 2}}},
			"[[2 3] [3 4] [4 5] [5 2]]", 2,
		},
		{"of an initial write", Request{Cycle: []models.Pair{{0, 2}}}, "[[0 2]]", 1},
	} {
		c.r.Graph = mp.Graph()
		d := Layout(c.r)
		hidden := 0
		for _, n := range d.Nodes {
			if n.Hidden() {
				hidden++
			}
		}
		if got := fmt.Sprint(d.Cycle); got != c.want || hidden != c.hidden {
			t.Errorf("%s: %s with %d initial writes hidden, want %s with %d", c.what, got, hidden, c.want, c.hidden)
		}
		for _, p := range d.Cycle {
			drawn := false
			d.Visible(View{}, func(e *Edge, _ []Part) { drawn = drawn || e.From == p[0] && e.To == p[1] })
			if !drawn {
				t.Errorf("%s: %v is not drawn", c.what, p)
			}
		}
	}
}
