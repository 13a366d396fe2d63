package graph

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"litmuscope/models"
)

// A box is around the events of its section and no other, whatever the drawing; no word lies on its
// name, and no edge runs through that but program order.
func TestSections(t *testing.T) {
	for _, s := range kernel {
		d := drawings()[s.name]
		for i, x := range d.Sections {
			var inside []string
			for _, n := range d.Nodes {
				within := n.col == x.Section.Thread && x.first <= slices.IndexFunc(d.Nodes, func(o Node) bool { return o.Event.ID == n.Event.ID }) &&
					n.row <= d.Nodes[x.last].row
				if within && (n.Left() < x.Left()+6 || n.Right() > x.Right()-6 || n.Top() < x.Top()+6 || n.Bottom() > x.Bottom()-6) || !within && n.Overlaps(x.Rect) {
					t.Errorf("%s: the box %s and %s", s.name, x.Words, n.Title)
				}
				if n.Overlaps(x.Title) {
					t.Errorf("%s: the name of %s lies on %s", s.name, x.Words, n.Title)
				}
				if within {
					inside = append(inside, n.Name)
				}
			}
			if len(inside) == 0 || x.Left() < 0 || x.Right() > d.Width || x.Title.Top() < 0 {
				t.Errorf("%s: %s holds %v", s.name, x.Words, inside)
			}
			for _, y := range d.Sections[:i] {
				nested := y.Section.Thread == x.Section.Thread
				if !nested && x.Overlaps(y.Rect) || nested && x.Left() == y.Left() && x.Overlaps(y.Rect) || x.Title.Overlaps(y.Title) {
					t.Errorf("%s: %s and %s", s.name, x.Words, y.Words)
				}
			}
			for _, e := range d.Edges {
				word, shown := nameBox(d, e, false)
				if shown && word.Overlaps(x.Title) || shown && passes(e, x.Title.Grow(intoName)) {
					t.Errorf("%s: the edge %v (%d, %d) meets the name of %s", s.name, d.words(e), e.From, e.To, x.Words)
				}
			}
			for _, h := range d.Headers {
				if h.Overlaps(x.Rect) || h.Overlaps(x.Title) {
					t.Errorf("%s: the header %s lies on %s", s.name, h.Name, x.Words)
				}
			}
		}
	}
}

// intoName is how far an edge has to come into a name to strike it through.
const intoName = -2.

// Sections are told in every format, and what they are in words.
func TestSectionsInFiles(t *testing.T) {
	g := kernel[3].graph()
	r := Request{Graph: g, Cycle: g.Relations[len(g.Relations)-1].Edges}
	svg := file(t, "svg", r)
	seen := checkXML(t, "locks", svg)
	if seen["around"] != 4 || seen["title"] != 4 || seen["section"] != 3*4 {
		t.Errorf("boxes %d, names %d", seen["around"], seen["title"])
	}
	for _, want := range []string{
		`aria-label="critical section under lock s, P0: from a to d"`, `R[plain] y=1`, `lock s=0`, `unlock s=2`, `aria-label="a: lock: read s=0, P0: R s 0, the initial value"`,
		`aria-label="l: write y=1 (plain), P1: W y 1"`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("there is no %s", want)
		}
	}
	dot, tikz := file(t, "dot", r), file(t, "tikz", r)
	for text, want := range map[string]int{`"section `: 4, `label="lock s"`: 2, "dir=none": 1, "penwidth=3": 1, "penwidth=2": 2} {
		if got := strings.Count(dot, text); got != want {
			t.Errorf("DOT has %d of %s, want %d", got, text, want)
		}
	}
	for text, want := range map[string]int{"fill opacity": 4, `\bfseries lock s`: 2, "card,lit": 2} {
		if got := strings.Count(tikz, text); got != want {
			t.Errorf("TikZ has %d of %s, want %d", got, text, want)
		}
	}
	var got JSON
	if err := json.Unmarshal([]byte(file(t, "json", r)), &got); err != nil {
		t.Fatal(err)
	}
	lit := 0
	for _, e := range got.Drawing.Events {
		if e.Lit {
			lit++
		}
	}
	if len(got.Sections) != 4 || len(got.Drawing.Sections) != 4 || got.Drawing.Sections[0].Text != "lock s" || lit != 2 {
		t.Errorf("JSON: %+v, %d lit", got.Drawing.Sections, lit)
	}
}

// Sections of other columns, backwards or of events that are not there are left out; long names are
// cut, and boxes that go many deep stay near.
func TestOddSections(t *testing.T) {
	g := sketch{"", []string{"W x 1; W x 2; W x 3", "R x 3"}, nil}.graph()
	s := func(a, b int) models.GraphSection {
		return models.GraphSection{Kind: "lock", Loc: strings.Repeat("long", 1000), First: a, Last: b}
	}
	g.Sections = []models.GraphSection{s(1, 3), s(3, 1), s(1, 4), s(0, 1), s(1, 99)}
	d := Layout(g)
	checkNodes(t, "odd", d)
	if len(d.Sections) != 1 || len(d.Sections[0].Name) > 12 {
		t.Errorf("sections: %+v", d.Sections)
	}
	deep := models.Graph{Threads: []models.GraphThread{{Name: "P0"}}}
	for i := range 60 {
		deep.Events = append(deep.Events, models.GraphEvent{ID: i, Name: fmt.Sprint("e", i), Kind: "F", Does: "rcu_read_lock", Source: -1})
		if i < 30 {
			deep.Sections = append(deep.Sections, models.GraphSection{Kind: models.SectionRCU, First: i, Last: 59 - i})
		}
	}
	if d := Layout(&deep); d.Width > 400 || len(d.Sections) != 30 {
		t.Errorf("%d sections in a drawing of %v", len(d.Sections), d.Width)
	}
}
