package layout

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"litmuscope/models"
	"litmuscope/web/drawing/drawingtest"
)

// A box is around the events of its section and no other, whatever the drawing; no word lies on its
// name, and no edge runs through that but program order.
func TestSections(t *testing.T) {
	for _, s := range drawingtest.Kernel {
		d := drawings()[s.Name]
		for i, x := range d.Sections {
			var inside []string
			for _, n := range d.Nodes {
				within := n.col == x.Section.Thread &&
					x.first <= slices.IndexFunc(d.Nodes, func(o Node) bool { return o.Event.ID == n.Event.ID }) &&
					n.row <= d.Nodes[x.last].row
				if within &&
					(n.Left() < x.Left()+6 || n.Right() > x.Right()-6 || n.Top() < x.Top()+6 ||
						n.Bottom() > x.Bottom()-6) || !within && n.Overlaps(x.Rect) {
					t.Errorf("%s: the box %s and %s", s.Name, x.Words, n.Title)
				}
				if n.Overlaps(x.Title) {
					t.Errorf("%s: the name of %s lies on %s", s.Name, x.Words, n.Title)
				}
				if within {
					inside = append(inside, n.Name)
				}
			}
			if len(inside) == 0 || x.Left() < 0 || x.Right() > d.Width || x.Title.Top() < 0 {
				t.Errorf("%s: %s holds %v", s.Name, x.Words, inside)
			}
			for _, y := range d.Sections[:i] {
				nested := y.Section.Thread == x.Section.Thread
				if !nested && x.Overlaps(y.Rect) || nested && x.Left() == y.Left() && x.Overlaps(y.Rect) ||
					x.Title.Overlaps(y.Title) {
					t.Errorf("%s: %s and %s", s.Name, x.Words, y.Words)
				}
			}
			for _, e := range d.Edges {
				word, shown := nameBox(d, e, false)
				if shown && word.Overlaps(x.Title) || shown && passes(e, x.Title.Grow(intoName)) {
					t.Errorf("%s: the edge %v (%d, %d) meets the name of %s", s.Name, d.words(e), e.From, e.To, x.Words)
				}
			}
			for _, h := range d.Headers {
				if h.Overlaps(x.Rect) || h.Overlaps(x.Title) {
					t.Errorf("%s: the header %s lies on %s", s.Name, h.Name, x.Words)
				}
			}
		}
	}
}

// intoName is how far an edge has to come into a name to strike it through.
const intoName = -2.

// Sections of other columns, backwards or of events that are not there are left out; long names are
// cut, and boxes that go many deep stay near.
func TestOddSections(t *testing.T) {
	g := drawingtest.Sketch{Threads: []string{"W x 1; W x 2; W x 3", "R x 3"}}.Graph()
	s := func(a, b int) models.GraphSection {
		return models.GraphSection{Kind: "lock", Loc: strings.Repeat("long", 1000), First: a, Last: b}
	}
	g.Sections = []models.GraphSection{s(1, 3), s(3, 1), s(1, 4), s(0, 1), s(1, 99)}
	d := layout(g)
	checkNodes(t, "odd", d)
	if len(d.Sections) != 1 || len(d.Sections[0].Name) > 12 {
		t.Errorf("sections: %+v", d.Sections)
	}
	deep := models.Graph{Threads: []models.GraphThread{{Name: "P0"}}}
	for i := range 60 {
		deep.Events = append(deep.Events,
			models.GraphEvent{ID: i, Name: fmt.Sprint("e", i), Kind: "F", Does: "rcu_read_lock", Source: -1})
		if i < 30 {
			deep.Sections = append(deep.Sections, models.GraphSection{Kind: models.SectionRCU, First: i, Last: 59 - i})
		}
	}
	if d := layout(&deep); d.Width > 400 || len(d.Sections) != 30 {
		t.Errorf("%d sections in a drawing of %v", len(d.Sections), d.Width)
	}
}
