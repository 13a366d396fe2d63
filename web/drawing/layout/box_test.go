package layout

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"litmuscope/models"
)

// scoped is an execution of threads in scopes, each with two events.
func scoped(scopes ...string) *models.Graph {
	g := &models.Graph{Events: []models.GraphEvent{{ID: 0, Name: "ix", Thread: -1, Source: -1, Kind: "W", Loc: "x"}}}
	var po []models.Pair
	for t, s := range scopes {
		g.Threads = append(g.Threads, models.GraphThread{Name: fmt.Sprint("P", t), Scopes: strings.Split(s, ",")})
		for range 2 {
			id := len(g.Events)
			g.Events = append(g.Events, models.GraphEvent{
				ID: id, Name: string(rune('a' + id - 1)), Thread: t, Source: -1, Kind: "R", Loc: "x", Value: "0",
			})
		}
		po = append(po, models.Pair{2*t + 1, 2*t + 2})
	}
	g.Relations = []models.GraphEdges{{Name: "po", Edges: po}}
	return g
}

func TestBoxes(t *testing.T) {
	for _, c := range []struct {
		scopes []string
		want   []string // in words, the outer ones first
	}{
		{
			[]string{"cta 0,gpu 0", "cta 0,gpu 0", "cta 1,gpu 0"},
			[]string{"gpu 0: P0, P1, P2", "cta 0: P0, P1", "cta 1: P2"},
		},
		{ // CTA 0 of one GPU is not CTA 0 of another
			[]string{"cta 0,gpu 0", "cta 0,gpu 1"},
			[]string{"gpu 0: P0", "gpu 1: P1", "cta 0: P0", "cta 0: P1"},
		},
		{ // threads that do not stand next to each other
			[]string{"wg 0", "wg 1", "wg 0"},
			[]string{"wg 0: P0", "wg 1: P1", "wg 0: P2"},
		},
		{
			[]string{
				"cta 0,gpu 0", "cta 0,gpu 0", "cta 1,gpu 0", "cta 1,gpu 0", "cta 0,gpu 1", "cta 0,gpu 1", "cta 1,gpu 1",
			},
			nil,
		},
	} {
		d := Layout(Request{Graph: scoped(c.scopes...)})
		var got []string
		for _, b := range d.Boxes {
			got = append(got, b.Words)
		}
		if c.want != nil && !slices.Equal(got, c.want) {
			t.Errorf("%v: boxes %q, want %q", c.scopes, got, c.want)
		}
		checkBoxes(t, d)
	}
}

// checkBoxes holds that each box has its threads and their names in it, and no other ones, that boxes nest, and that
// the drawing has room for them.
func checkBoxes(t *testing.T, d *Drawing) {
	t.Helper()
	for i, b := range d.Boxes {
		if b.Left() < 0 || b.Top() < 0 || b.Right() > d.Width || b.Bottom() > d.Height {
			t.Errorf("%s: %v sticks out of %vx%v", b.Words, b.Rect, d.Width, d.Height)
		}
		for _, n := range d.Nodes {
			inside := n.Left() >= b.Left() && n.Right() <= b.Right() && n.Top() >= b.Top() && n.Bottom() <= b.Bottom()
			apart := n.Right() < b.Left() || n.Left() > b.Right() || n.Bottom() < b.Top() || n.Top() > b.Bottom()
			if belongs := n.col >= b.First && n.col <= b.Last; belongs != inside || !belongs && !apart {
				t.Errorf("%s: event %s of thread %d", b.Words, n.Name, n.col)
			}
		}
		for k, h := range d.Headers {
			if belongs := k >= b.First && k <= b.Last; belongs != (h.Left() >= b.Left() && h.Right() <= b.Right() &&
				h.Top() >= b.Title.Bottom() && h.Bottom() <= b.Bottom()) {
				t.Errorf("%s: header %s", b.Words, h.Name)
			}
		}
		for _, o := range d.Boxes[i+1:] {
			within := o.Left() > b.Left() && o.Right() < b.Right() && o.Top() > b.Top() && o.Bottom() < b.Bottom()
			apart := o.Right() < b.Left() || o.Left() > b.Right() || o.Bottom() < b.Top() || o.Top() > b.Bottom()
			if belongs := o.First >= b.First && o.Last <= b.Last; belongs != within || !belongs && !apart {
				t.Errorf("%s and %s cross", b.Words, o.Words)
			}
		}
	}
}
