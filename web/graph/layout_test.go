package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"litmuscope/models"
)

func sketches() []sketch { return slices.Concat(classics, big, kernel) }

// drawings are the sketches' layouts, made once.
var drawings = sync.OnceValue(func() map[string]*Drawing {
	m := map[string]*Drawing{}
	for _, s := range sketches() {
		m[s.name] = Layout(s.graph())
	}
	return m
})

func TestNodesKeepApart(t *testing.T) {
	for _, s := range sketches() {
		checkNodes(t, s.name, drawings()[s.name])
	}
}

func checkNodes(t *testing.T, name string, d *Drawing) {
	t.Helper()
	for i, a := range d.Nodes {
		if a.hidden() {
			continue
		}
		if a.Left() < 0 || a.Top() < 0 || a.Right() > d.Width || a.Bottom() > d.Height {
			t.Errorf("%s: %s lies outside the drawing", name, a.Title)
		}
		for _, b := range d.Nodes[:i] {
			if a.Grow(4).Overlaps(b.Rect) {
				t.Errorf("%s: %s and %s touch", name, a.Title, b.Title)
			}
		}
		for _, h := range d.Headers {
			if h.Overlaps(a.Rect) {
				t.Errorf("%s: the header %s lies on %s", name, h.Name, a.Title)
			}
		}
		if room := a.W - 8; mono(a.Name+" "+a.Text, eventSize) > room || sans(a.Tags, tagSize) > room {
			t.Errorf("%s: %s is wider than its box", name, a.Title)
		}
	}
}

func TestColumnsAndRows(t *testing.T) {
	for _, s := range sketches() {
		d := drawings()[s.name]
		for _, a := range d.Nodes {
			for _, b := range d.Nodes {
				switch {
				case a.Init() && !b.Init() && a.Bottom() >= b.Top():
					t.Errorf("%s: %s is not above %s", s.name, a.Title, b.Title)
				case a.Init() || b.Init():
				case a.col == b.col && (a.X != b.X || a.row < b.row && a.Bottom() >= b.Top()):
					t.Errorf("%s: %s and %s are not one below the other", s.name, a.Title, b.Title)
				case a.col < b.col && a.Right() >= b.Left():
					t.Errorf("%s: %s is not to the left of %s", s.name, a.Title, b.Title)
				case a.row == b.row && a.Y != b.Y:
					t.Errorf("%s: %s and %s are not level", s.name, a.Title, b.Title)
				}
			}
		}
	}
}

// boxesHit are the boxes that an edge runs through, its own ends apart.
func boxesHit(d *Drawing, e Edge) []string {
	var hit []string
	for k, n := range d.Nodes {
		box := n.Grow(1)
		if k == e.from || k == e.to {
			box = n.Grow(-2)
		}
		for _, c := range e.Path {
			for i := range 201 {
				if box.Has(c.At(float64(i) / 200)) {
					hit = append(hit, n.Title)
					break
				}
			}
		}
	}
	return hit
}

func TestEdgesAvoidBoxes(t *testing.T) {
	for _, s := range sketches() {
		d := drawings()[s.name]
		for _, e := range d.Edges {
			if hit := boxesHit(d, e); len(hit) > 0 {
				t.Errorf("%s: the edge from %d to %d (%s) runs through %q", s.name, e.From, e.To, d.words(e), hit)
			}
		}
	}
}

func (d *Drawing) words(e Edge) (names []string) {
	for _, p := range e.Parts {
		names = append(names, d.Relations[p.Relation].Name)
	}
	return names
}

func TestLabelsKeepApart(t *testing.T) {
	for _, s := range sketches() {
		d := drawings()[s.name]
		for i, e := range d.Edges {
			if !e.Default() {
				continue
			}
			for _, n := range d.Nodes {
				if n.Overlaps(e.Label) {
					t.Errorf("%s: the label %v from %d to %d lies on %s", s.name, d.words(e), e.From, e.To, n.Title)
				}
			}
			for _, h := range d.Headers {
				if h.Overlaps(e.Label) {
					t.Errorf("%s: the label %v from %d to %d lies on the header %s", s.name, d.words(e), e.From, e.To, h.Name)
				}
			}
			for _, f := range d.Edges[:i] {
				if f.Default() && f.Label.Overlaps(e.Label) {
					t.Errorf("%s: the labels %v (%d, %d) and %v (%d, %d) overlap", s.name,
						d.words(e), e.From, e.To, d.words(f), f.From, f.To)
				}
			}
		}
	}
}

// A label belongs to the curve that it lies on or right beside.
func TestLabelsAreAtTheirCurves(t *testing.T) {
	for _, s := range sketches() {
		d := drawings()[s.name]
		for _, e := range d.Edges {
			near := math.Inf(1)
			for _, p := range e.samples {
				dx := max(0, math.Abs(p.X-e.Label.X)-e.Label.W/2)
				dy := max(0, math.Abs(p.Y-e.Label.Y)-e.Label.H/2)
				near = min(near, math.Hypot(dx, dy))
			}
			if near > 6 {
				t.Errorf("%s: the label %v (%d, %d) is %.0f pixels off", s.name, d.words(e), e.From, e.To, near)
			}
		}
	}
}

func TestProgramOrderIsStraight(t *testing.T) {
	for _, s := range sketches() {
		d := drawings()[s.name]
		for _, e := range d.Edges {
			if d.words(e)[0] != "po" {
				continue
			}
			for _, p := range e.samples {
				if math.Abs(p.X-d.Nodes[e.from].X) > .01 {
					t.Errorf("%s: po from %d to %d bends", s.name, e.From, e.To)
					break
				}
			}
		}
	}
}

func TestLayoutIsDeterministic(t *testing.T) {
	for _, s := range sketches() {
		if a, b := drawings()[s.name], Layout(s.graph()); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: two drawings of one graph differ", s.name)
		}
	}
}

// Another execution of the same test has other values and other rf, co and fr;
// its events stay where they are.
func TestPlacesDependOnEventsOnly(t *testing.T) {
	for _, s := range sketches() {
		g := s.graph()
		a := drawings()[s.name]
		g.Relations = slices.DeleteFunc(g.Relations, func(r models.GraphEdges) bool {
			return r.Name == "rf" || r.Name == "co" || r.Name == "fr"
		})
		b := Layout(g)
		by := b.Nodes[0].Centre().Sub(a.Nodes[0].Centre()) // lanes outside may widen the frame
		for i := range a.Nodes {
			if d := b.Nodes[i].Centre().Sub(a.Nodes[i].Centre()).Sub(by); d.Length() > 1e-6 {
				t.Errorf("%s: %s moves by %v", s.name, a.Nodes[i].Title, d)
			}
		}
	}
}

func TestParallelEdgesMerge(t *testing.T) {
	d := Layout(sketch{"", []string{"R x 0; R y 0"}, []string{"addr a b", "ctrl a b"}}.graph())
	i := slices.IndexFunc(d.Edges, func(e Edge) bool { return len(e.Parts) > 1 })
	if i < 0 {
		t.Fatal("no edge has several parts")
	}
	e := d.Edges[i]
	if got := fmt.Sprint(d.words(e)); got != "[po addr ctrl]" {
		t.Errorf("got %s, want [po addr ctrl]", got)
	}
	if !e.Parts[0].Default || e.Parts[1].Default || e.Parts[2].Default {
		t.Errorf("the default view shows po alone of %v", e.Parts)
	}
}

func TestDefaultView(t *testing.T) {
	g := sketch{"", []string{"R x 0; W x 1", "R x 1"}, []string{"addr a b"}}.graph()
	for i := range g.Relations {
		g.Relations[i].Cyclic = nil
	}
	shown := func() map[string]string {
		m := map[string]string{}
		for _, r := range Layout(g).Relations {
			m[r.Name] = fmt.Sprintf("%d/%d", r.Shown, r.Edges)
		}
		return m
	}
	// Two of the reads are of initial values, and one of the writes comes after an initial one.
	want := map[string]string{"po": "1/1", "rf": "1/2", "co": "0/1", "fr": "0/1", "addr": "0/1"}
	if got := shown(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for i := range g.Relations { // on a cycle all of it is shown
		g.Relations[i].Cyclic = g.Relations[i].Edges
	}
	want["fr"], want["addr"] = "1/1", "1/1"
	if got := shown(); !reflect.DeepEqual(got, want) {
		t.Errorf("on a cycle: got %v, want %v", got, want)
	}
}

func TestOddGraphs(t *testing.T) {
	event := models.GraphEvent{ID: 7, Name: "a", Kind: "W", Loc: "x", Value: "1"}
	thread := models.GraphThread{Name: "P0"}
	for name, g := range map[string]*models.Graph{
		"empty":      {},
		"no events":  {Threads: []models.GraphThread{thread, thread}},
		"loop":       {Threads: []models.GraphThread{thread}, Events: []models.GraphEvent{event}, Relations: []models.GraphEdges{{Name: "hb", Edges: []models.Pair{{7, 7}}, Cyclic: []models.Pair{{7, 7}}}}},
		"no threads": {Events: []models.GraphEvent{event}},
		"no such event": {
			Threads: []models.GraphThread{thread}, Events: []models.GraphEvent{event},
			Relations: []models.GraphEdges{{Name: "po", Edges: []models.Pair{{7, 8}, {-1, 7}}}},
		},
	} {
		d := Layout(g)
		checkNodes(t, name, d)
		checkXML(t, name, d.SVG(Options{}))
		if want := map[string]int{"loop": 1}[name]; len(d.Edges) != want {
			t.Errorf("%s: got %d edges, want %d", name, len(d.Edges), want)
		}
	}
}

// randomSketch is a program of up to five threads with up to six accesses each
// and an execution of it, consistent or not.
func randomSketch(r *rand.Rand) sketch {
	var s sketch
	locs := []string{"x", "y", "z"}[:1+r.IntN(3)]
	next := map[string]int{}
	total := 0
	for range 1 + r.IntN(5) {
		text := ""
		for k := range 1 + r.IntN(6) {
			l := locs[r.IntN(len(locs))]
			if k > 0 {
				text += "; "
			}
			if r.IntN(2) == 0 {
				next[l]++
				text += fmt.Sprintf("W %s %d", l, next[l])
			} else {
				text += fmt.Sprintf("R %s %d", l, r.IntN(next[l]+1))
			}
			total++
		}
		s.threads = append(s.threads, text)
	}
	for range r.IntN(6) {
		s.more = append(s.more, fmt.Sprintf("%s %c %c", []string{"hb", "ppo", "addr"}[r.IntN(3)], 'a'+r.IntN(total), 'a'+r.IntN(total)))
	}
	return s
}

// No curve runs through a box, whatever the graph: there is always a way around
// along the channels.
func TestRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		s := randomSketch(r)
		d := Layout(s.graph())
		checkNodes(t, fmt.Sprint(i), d)
		for _, e := range d.Edges {
			if hit := boxesHit(d, e); len(hit) > 0 {
				t.Errorf("%d: %q %q: the edge from %d to %d (%v) runs through %q", i, s.threads, s.more, e.From, e.To, d.words(e), hit)
			}
		}
	}
}

// transitive is a graph whose model shows a relation of several hundred edges.
func transitive() *models.Graph {
	g := big[2].graph()
	hb := models.GraphEdges{Name: "hb"}
	for i := range g.Events {
		for k := range i {
			hb.Edges = append(hb.Edges, models.Pair{k, i})
		}
	}
	g.Relations = append(g.Relations, hb)
	return g
}

func BenchmarkLayout(b *testing.B) {
	run := func(name string, g *models.Graph) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Layout(g)
			}
		})
	}
	for _, s := range []sketch{classics[0], classics[3], big[2], big[3]} {
		run(s.name, s.graph())
	}
	run("transitive", transitive())
}
