package layout

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"litmuscope/models"
	"litmuscope/web/drawing/drawingtest"
)

func layout(g *models.Graph) *Drawing { return Layout(Request{Graph: g}) }

// drawings are the sketches' layouts, made once.
var drawings = sync.OnceValue(func() map[string]*Drawing {
	m := map[string]*Drawing{}
	for _, s := range drawingtest.All() {
		m[s.Name] = layout(s.Graph())
	}
	return m
})

func TestNodesKeepApart(t *testing.T) {
	for _, s := range drawingtest.All() {
		checkNodes(t, s.Name, drawings()[s.Name])
	}
}

func checkNodes(t *testing.T, name string, d *Drawing) {
	t.Helper()
	for i, a := range d.Nodes {
		if a.Hidden() {
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
		if a.width(a.Lines...)-2*boxPad > a.W-8 {
			t.Errorf("%s: %s is wider than its box", name, a.Title)
		}
	}
}

// across is how many threads stand side by side.
func across(d *Drawing) int {
	for i := 1; i < len(d.Headers); i++ {
		if d.Headers[i].X < d.Headers[i-1].X {
			return i
		}
	}
	return len(d.Headers)
}

func TestColumnsAndRows(t *testing.T) {
	for _, s := range drawingtest.All() {
		d := drawings()[s.Name]
		for _, a := range d.Nodes {
			for _, b := range d.Nodes {
				switch {
				case a.Init() && !b.Init() && a.Bottom() >= b.Top():
					t.Errorf("%s: %s is not above %s", s.Name, a.Title, b.Title)
				case a.Init() || b.Init() || a.col/across(d) != b.col/across(d):
				case a.col == b.col && (a.X != b.X || a.row < b.row && a.Bottom() >= b.Top()):
					t.Errorf("%s: %s and %s are not one below the other", s.Name, a.Title, b.Title)
				case a.col < b.col && a.Right() >= b.Left():
					t.Errorf("%s: %s is not to the left of %s", s.Name, a.Title, b.Title)
				case a.row == b.row && a.Y != b.Y:
					t.Errorf("%s: %s and %s are not level", s.Name, a.Title, b.Title)
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
	for _, s := range drawingtest.All() {
		d := drawings()[s.Name]
		for _, e := range d.Edges {
			if hit := boxesHit(d, e); len(hit) > 0 {
				t.Errorf("%s: the edge from %d to %d (%s) runs through %q", s.Name, e.From, e.To, d.words(e), hit)
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
	for _, s := range drawingtest.All() {
		d := drawings()[s.Name]
		for i, e := range d.Edges {
			if !e.Default() {
				continue
			}
			for _, n := range d.Nodes {
				if n.Overlaps(e.Label) {
					t.Errorf("%s: the label %v from %d to %d lies on %s", s.Name, d.words(e), e.From, e.To, n.Title)
				}
			}
			for _, h := range d.Headers {
				if h.Overlaps(e.Label) {
					t.Errorf("%s: the label %v from %d to %d lies on the header %s", s.Name, d.words(e),
						e.From, e.To, h.Name)
				}
			}
			for _, f := range d.Edges[:i] {
				if f.Default() && f.Label.Overlaps(e.Label) {
					t.Errorf("%s: the labels %v (%d, %d) and %v (%d, %d) overlap", s.Name,
						d.words(e), e.From, e.To, d.words(f), f.From, f.To)
				}
			}
		}
	}
}

// A label belongs to the curve that it lies on or right beside.
func TestLabelsAreAtTheirCurves(t *testing.T) {
	for _, s := range drawingtest.All() {
		d := drawings()[s.Name]
		for _, e := range d.Edges {
			near := math.Inf(1)
			for _, p := range e.samples {
				dx := max(0, math.Abs(p.X-e.Label.X)-e.Label.W/2)
				dy := max(0, math.Abs(p.Y-e.Label.Y)-e.Label.H/2)
				near = min(near, math.Hypot(dx, dy))
			}
			if near > 6 {
				t.Errorf("%s: the label %v (%d, %d) is %.0f pixels off", s.Name, d.words(e), e.From, e.To, near)
			}
		}
	}
}

func TestProgramOrderIsStraight(t *testing.T) {
	for _, s := range drawingtest.All() {
		d := drawings()[s.Name]
		for _, e := range d.Edges {
			if d.words(e)[0] != "po" {
				continue
			}
			for _, p := range e.samples {
				if math.Abs(p.X-d.Nodes[e.from].X) > .01 {
					t.Errorf("%s: po from %d to %d bends", s.Name, e.From, e.To)
					break
				}
			}
		}
	}
}

func TestLayoutIsDeterministic(t *testing.T) {
	for _, s := range drawingtest.All() {
		if a, b := drawings()[s.Name], layout(s.Graph()); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: two drawings of one graph differ", s.Name)
		}
	}
}

// Another execution of the same test has other values and other rf, co and fr;
// its events stay where they are, unless its edges would not all be seen.
func TestPlacesDependOnEventsOnly(t *testing.T) {
	for _, s := range drawingtest.All() {
		g := s.Graph()
		a := drawings()[s.Name]
		g.Relations = slices.DeleteFunc(g.Relations, func(r models.GraphEdges) bool {
			return r.Name == "rf" || r.Name == "co" || r.Name == "fr"
		})
		b := layout(g)
		if s.Name == "six" && a.spare > detours && b.spare == detours {
			continue
		}
		by := b.Nodes[0].Centre().Sub(a.Nodes[0].Centre()) // lanes outside may widen the frame
		for i := range a.Nodes {
			if d := b.Nodes[i].Centre().Sub(a.Nodes[i].Centre()).Sub(by); d.Length() > 1e-6 {
				t.Errorf("%s: %s moves by %v", s.Name, a.Nodes[i].Title, d)
			}
		}
	}
}

func TestParallelEdgesMerge(t *testing.T) {
	d := layout(drawingtest.Sketch{Threads: []string{"R x 0; R y 0"}, More: []string{"addr a b", "ctrl a b"}}.Graph())
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
	g := drawingtest.Sketch{Threads: []string{"R x 0; W x 1", "R x 1"}, More: []string{"addr a b"}}.Graph()
	for i := range g.Relations {
		g.Relations[i].Cyclic = nil
	}
	shown := func() map[string]string {
		m := map[string]string{}
		for _, r := range layout(g).Relations {
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

// Where there is too much to be read, fr between threads gives way; a cycle that is asked for stays.
func TestThinnedView(t *testing.T) {
	g := drawingtest.Crowded(8, 96, 0)
	for i := range 96 - 8 {
		g.Relations[0].Edges = append(g.Relations[0].Edges, models.Pair{i, i + 8})
		if i < 8*10 {
			g.Relations[0].Edges = append(g.Relations[0].Edges, models.Pair{i, i + 16})
		}
	}
	fr, ppo := models.GraphEdges{Name: "fr"}, models.GraphEdges{Name: "ppo"}
	for i := range 80 {
		fr.Edges = append(fr.Edges, models.Pair{i, i + 9})
		ppo.Edges = append(ppo.Edges, models.Pair{i, i + 8})
	}
	fr.Cyclic, ppo.Cyclic = fr.Edges, ppo.Edges
	g.Relations = append(g.Relations, fr, ppo)
	d := Layout(Request{Graph: g, Cycle: []models.Pair{{3, 12}}})
	shown := map[string]int{}
	for _, r := range d.Relations {
		shown[r.Name] = r.Shown
	}
	if !d.Thinned || shown["po"] != 88 || shown["fr"] != 1 || shown["ppo"] != 0 {
		t.Errorf("thinned %v, shown %v; want 88 of po, 1 of fr and none of ppo", d.Thinned, shown)
	}
}

func TestOddGraphs(t *testing.T) {
	for name, g := range drawingtest.Odd() {
		d := layout(g)
		checkNodes(t, name, d)
		if want := map[string]int{"loop": 1}[name]; len(d.Edges) != want {
			t.Errorf("%s: got %d edges, want %d", name, len(d.Edges), want)
		}
	}
}

// randomSketch is a program of up to five threads with up to six accesses each
// and an execution of it, consistent or not.
func randomSketch(r *rand.Rand) drawingtest.Sketch {
	var s drawingtest.Sketch
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
		s.Threads = append(s.Threads, text)
	}
	for range r.IntN(6) {
		s.More = append(s.More,
			fmt.Sprintf("%s %c %c", []string{"hb", "ppo", "addr"}[r.IntN(3)], 'a'+r.IntN(total), 'a'+r.IntN(total)))
	}
	return s
}

// No curve runs through a box, whatever the graph: there is always a way around
// along the channels.
func TestRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	count := 40
	if testing.Short() {
		count = 10
	}
	for i := range count {
		s := randomSketch(r)
		d := layout(s.Graph())
		checkNodes(t, fmt.Sprint(i), d)
		for _, e := range d.Edges {
			if hit := boxesHit(d, e); len(hit) > 0 {
				t.Errorf("%d: %q %q: the edge from %d to %d (%v) runs through %q", i, s.Threads, s.More, e.From, e.To,
					d.words(e), hit)
			}
		}
	}
}

// transitive is a graph whose model shows a relation of several hundred edges.
func transitive() *models.Graph {
	g := drawingtest.Big[2].Graph()
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
				layout(g)
			}
		})
	}
	for _, s := range []drawingtest.Sketch{
		drawingtest.Classics[0], drawingtest.Classics[3], drawingtest.Big[2],
		drawingtest.Big[3],
	} {
		run(s.Name, s.Graph())
	}
	run("transitive", transitive())
}
