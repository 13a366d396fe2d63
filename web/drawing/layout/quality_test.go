package layout

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/web/drawing/drawingtest"
	"litmuscope/web/drawing/geometry"
)

// quality counts what is wrong with drawings, and how long they took. It measures anew, by
// the curves and texts that are written, and asks nothing of the router.
type quality struct {
	drawings int
	labels   int // in the default view
	edges    int // all
	// Of the default view.
	overlaps, onBoxes, onHeaders, struck int
	// Of the default view, and of all that can be switched on.
	through, throughAll int
	overlapsAll         int
	struckAll           int
	// Edges of the default view through the names of threads and sections; and what of it lies outside the drawing.
	titles, cut int
	gap         float64 // the least distance between a label and another, or a box
	crossings   []int   // of each drawing's default view
	// how large its words are in a pane of 640 by 480 that shows all of it, folded where it is not seen whole
	texts  []float64
	folded *quality // of those that are folded
	times  []time.Duration
}

// inside is how far a curve has to come into a word to strike it through: the box of a label is
// higher than its letters.
const inside = -2.

func (q *quality) add(d *Drawing, took time.Duration) {
	if q.drawings == 0 {
		q.gap = math.Inf(1)
	}
	q.drawings++
	q.times = append(q.times, took)
	q.edges += len(d.Edges)
	q.crossings = append(q.crossings, crossings(d))
	q.texts = append(q.texts, textIn(d))
	paper := geometry.Rect{X: d.Width / 2, Y: d.Height / 2, W: d.Width, H: d.Height}
	outside := func(r geometry.Rect) bool {
		return r.Left() < 0 || r.Top() < 0 || r.Right() > d.Width || r.Bottom() > d.Height
	}
	for _, n := range d.Nodes {
		if !n.Hidden() && outside(n.Rect) {
			q.cut++
		}
	}
	for _, h := range d.Headers {
		if outside(h.Rect) {
			q.cut++
		}
	}
	for i, e := range d.Edges {
		if hit := len(boxesHit(d, e)); hit > 0 {
			q.throughAll++
			if seen(d, &e) {
				q.through++
			}
		}
		if seen(d, &e) {
			for _, h := range d.Headers {
				if passes(e, h.Grow(-4)) {
					q.titles++
				}
			}
			for _, s := range d.Sections {
				if passes(e, s.Title.Grow(intoName)) {
					q.titles++
				}
			}
			if slices.ContainsFunc(e.samples, func(s geometry.Sample) bool { return !paper.Has(s.Point) }) {
				q.cut++
			}
		}
		word, named := nameBox(d, e, false)
		all, _ := nameBox(d, e, true)
		if named {
			q.labels++
			if outside(word) {
				q.cut++
			}
			for _, n := range d.Nodes {
				if n.Hidden() {
					continue
				}
				q.gap = min(q.gap, apart(word, n.Rect))
				if n.Overlaps(word) {
					q.onBoxes++
				}
			}
			if slices.ContainsFunc(d.Headers, func(h Header) bool { return h.Overlaps(word) }) {
				q.onHeaders++
			}
		}
		struck, struckAll := false, false
		for k, f := range d.Edges {
			other, has := nameBox(d, f, false)
			otherAll, _ := nameBox(d, f, true)
			if k < i {
				if named && has {
					q.gap = min(q.gap, apart(word, other))
					if word.Overlaps(other) {
						q.overlaps++
					}
				}
				if all.Overlaps(otherAll) {
					q.overlapsAll++
				}
			}
			if k != i {
				struckAll = struckAll || passes(f, all.Grow(inside))
				struck = struck || named && seen(d, &f) && passes(f, word.Grow(inside))
			}
		}
		if struck {
			q.struck++
		}
		if struckAll {
			q.struckAll++
		}
	}
}

// nameBox is where the words of an edge are, those of the default view or all.
func nameBox(d *Drawing, e Edge, all bool) (geometry.Rect, bool) {
	r := e.Label
	if !all {
		r.W = e.core
	}
	return r, all || seen(d, &e)
}

// seen tells whether the default view has anything of an edge.
func seen(d *Drawing, e *Edge) bool { return e.Default() && !d.Beginning(e) }

// leastText is how large texts are at least: a drawing that would need smaller ones is scrolled.
const leastText = 11.

// textIn is how large words are in a pane that shows all of a drawing.
func textIn(d *Drawing) float64 { return LabelSize * min(1, paneWidth/d.Width, paneHeight/d.Height) }

// crossings counts the places where two curves of the default view cross.
func crossings(d *Drawing) int {
	var lines [][]geometry.Point
	for _, e := range d.Edges {
		if !seen(d, &e) {
			continue
		}
		var pts []geometry.Point
		for _, c := range e.Path {
			for i := range 25 {
				pts = append(pts, c.At(float64(i)/24))
			}
		}
		lines = append(lines, append(pts, e.Head[0]))
	}
	n := 0
	for i, a := range lines {
		for _, b := range lines[:i] {
			for k := 1; k < len(a); k++ {
				for l := 1; l < len(b); l++ {
					if cross(a[k-1], a[k], b[l-1], b[l]) {
						n++
					}
				}
			}
		}
	}
	return n
}

// cross tells whether two straight lines do.
func cross(a, b, c, d geometry.Point) bool {
	side := func(p, q, r geometry.Point) float64 { return q.Sub(p).Normal().Dot(r.Sub(p)) }
	return side(a, b, c)*side(a, b, d) < 0 && side(c, d, a)*side(c, d, b) < 0
}

// passes tells whether an edge's curve runs through a box.
func passes(e Edge, r geometry.Rect) bool {
	for _, c := range e.Path {
		if n := c.Steps(3); slices.ContainsFunc(slices.Collect(upTo(n)),
			func(i int) bool { return r.Has(c.At(float64(i) / float64(n))) }) {
			return true
		}
	}
	return false
}

func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n + 1 {
			if !yield(i) {
				return
			}
		}
	}
}

// apart is the distance between two boxes, 0 where they overlap.
func apart(a, b geometry.Rect) float64 {
	return math.Hypot(max(0, math.Abs(a.X-b.X)-(a.W+b.W)/2), max(0, math.Abs(a.Y-b.Y)-(a.H+b.H)/2))
}

func (q *quality) percent(n, of int) float64 { return 100 * float64(n) / max(1, float64(of)) }

func (q *quality) String() string {
	if q.folded != nil {
		alone := *q
		alone.folded = nil
		return fmt.Sprintf("%s\n\tof these folded: %s", &alone, q.folded)
	}
	slices.Sort(q.times)
	slices.Sort(q.crossings)
	slices.Sort(q.texts)
	median, worst := q.times[len(q.times)/2], q.times[len(q.times)-1]
	all, small := 0, q.small()
	for _, n := range q.crossings {
		all += n
	}
	return fmt.Sprintf(
		"%4d drawings, %5d labels, %5d edges | default view: labels on labels %d, on boxes %d, on headers %d, "+
			"struck through %d (%.2f %%), edges through boxes %d, through names of threads and sections %d, cut %d, "+
			"least gap %.1f px, crossings at the median %d, in nine of ten %d at most, on average %.2f | in %g by "+
			"%g: %d need to be scrolled (%.1f %%), text at the median %.1f px, at worst %.1f | all switched on: "+
			"edges through boxes %d, labels on labels %d, struck through %d (%.1f %%) | "+
			"median %s, worst %s",
		q.drawings, q.labels, q.edges, q.overlaps, q.onBoxes, q.onHeaders, q.struck, q.percent(q.struck, q.labels),
		q.through, q.titles, q.cut, q.gap,
		q.crossings[len(q.crossings)/2], q.crossings[len(q.crossings)*9/10], float64(all)/float64(q.drawings),
		paneWidth, paneHeight, small, q.percent(small, q.drawings),
		q.texts[len(q.texts)/2], q.texts[0],
		q.throughAll, q.overlapsAll, q.struckAll, q.percent(q.struckAll, q.edges),
		median.Round(100*time.Microsecond), worst.Round(100*time.Microsecond))
}

// small counts the drawings that do not fit a pane with texts that can be read.
func (q *quality) small() (n int) {
	for _, s := range q.texts {
		if s < leastText {
			n++
		}
	}
	return n
}

func (q *quality) draw(g *models.Graph) *Drawing {
	began := processed()
	d := layout(g)
	q.add(d, processed()-began)
	began = processed()
	if f := d.Fold(Request{Graph: g}); f != nil {
		if q.folded == nil {
			q.folded = &quality{}
		}
		q.folded.add(f, processed()-began)
		q.texts[len(q.texts)-1] = textIn(f)
	}
	return d
}

// processed is the processor's time so far: what else runs on the machine does not count.
func processed() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func found(t *testing.T, name, source, model string, states int) []*models.Graph {
	t.Helper()
	list, err := drawingtest.Found(t.Context(), name, source, model, states)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// synthetic is an execution of so many accesses: threads take turns at random, and a read sees
// the last write, or now and then an older one. A tangled one takes any write that there is, as no
// machine does.
func synthetic(r *rand.Rand, threads, events int, tangled bool) *models.Graph {
	locs := strings.Split("x y z u v w p q", " ")[:min(8, 2+events/15)]
	g := &models.Graph{}
	for i, l := range locs {
		g.Events = append(g.Events,
			models.GraphEvent{ID: i, Name: "i" + l, Thread: -1, Source: -1, Kind: "W", Loc: l, Value: "0"})
	}
	for t := range threads {
		g.Threads = append(g.Threads, models.GraphThread{Name: fmt.Sprintf("P%d", t)})
	}
	turns := make([]int, events)
	for i := range turns {
		turns[i] = i % threads
	}
	near := events
	if !tangled {
		near = 2 * threads
	}
	for i := range turns {
		k := i + r.IntN(min(near, events-i))
		turns[i], turns[k] = turns[k], turns[i]
	}
	at := make([][]models.GraphEvent, threads)
	writes := map[string][]int{} // by the order of co
	var rf, co, fr, po, addr models.GraphEdges
	rf.Name, co.Name, fr.Name, po.Name, addr.Name = "rf", "co", "fr", "po", "addr"
	reads := map[int][2]any{}
	for i, l := range locs {
		writes[l] = []int{i}
	}
	for i, t := range turns {
		e := models.GraphEvent{
			ID: len(locs) + i, Thread: t, Source: len(at[t]), Kind: "R",
			Loc: locs[r.IntN(len(locs))],
		}
		w := writes[e.Loc]
		switch k := r.IntN(20); {
		case k < 8:
			e.Kind, e.Value = "W", fmt.Sprint(len(w))
			writes[e.Loc] = append(w, e.ID)
			co.Edges = append(co.Edges, models.Pair{w[len(w)-1], e.ID})
		case k == 8:
			e.Kind, e.Loc, e.Tags = "F", "", ir.Tags{"MFENCE", ir.TagRR, ir.TagWR}
		default:
			from := len(w) - 1
			if tangled {
				from = r.IntN(len(w))
			} else if r.IntN(8) == 0 {
				from = max(0, from-1)
			}
			e.Value = fmt.Sprint(from)
			rf.Edges = append(rf.Edges, models.Pair{w[from], e.ID})
			reads[e.ID] = [2]any{e.Loc, from}
		}
		if k := len(at[t]); k > 0 {
			po.Edges = append(po.Edges, models.Pair{at[t][k-1].ID, e.ID})
			if at[t][k-1].Kind == "R" && e.Kind != "F" && r.IntN(4) == 0 {
				addr.Edges = append(addr.Edges, models.Pair{at[t][k-1].ID, e.ID})
			}
		}
		at[t] = append(at[t], e)
	}
	for _, list := range at {
		for _, e := range list {
			e.Name = fmt.Sprint("e", e.ID)
			g.Events = append(g.Events, e)
			if s, ok := reads[e.ID]; ok {
				if w := writes[s[0].(string)]; s[1].(int)+1 < len(w) {
					fr.Edges = append(fr.Edges, models.Pair{e.ID, w[s[1].(int)+1]})
				}
			}
		}
	}
	g.Relations = []models.GraphEdges{po, rf, co, fr, addr}
	drawingtest.MarkCycles(g)
	return g
}

var qualities = flag.Bool("quality", false, "measure drawings of all classic tests, of 300 of the corpus, of the "+
	"catalogue's programs, and of ever larger executions")

// hold fails where drawings are not as good as they are to be.
func (q *quality) hold(t *testing.T) {
	t.Helper()
	if q.overlaps+q.onBoxes+q.onHeaders+q.through+q.throughAll+q.cut > 0 || q.percent(q.struck, q.labels) > 1 {
		t.Errorf("words or edges lie on one another: %s", q)
	}
	if q.folded != nil {
		q.folded.hold(t)
	}
}

// whole fails where drawings are not seen whole with words that can be read, or edges run through names that are not
// theirs.
func (q *quality) whole(t *testing.T) {
	t.Helper()
	titles := q.titles
	if q.folded != nil {
		titles = q.folded.titles
	}
	if q.small()+q.cut+titles > 0 {
		t.Errorf("drawings are not seen whole, or not clearly: %s", q)
	}
}

// The execution of each classic test that is drawn first, under the model of its architecture, or why
// there is none; with -short, of one in three.
func TestClassicsAreDrawnWell(t *testing.T) {
	q := &quality{}
	for i, e := range catalogue.All() {
		if e.Large || testing.Short() && i%9 != 0 {
			continue // an engine may take long
		}
		if list := found(t, e.ID(), e.Source, "", 1); len(list) > 0 {
			q.draw(list[len(list)-1])
			if text := q.texts[len(q.texts)-1]; text < leastText {
				t.Errorf("%s is not seen whole: its words would be %.1f pixels high", e.ID(), text)
			}
		}
	}
	q.hold(t)
	q.whole(t)
	t.Log(q)
	if middle := q.crossings[len(q.crossings)/2]; q.struck > 0 || middle > 1 {
		t.Errorf("words are struck through, or edges cross: %s", q)
	}
}

// TestQuality prints what drawings are like, with -quality.
func TestQuality(t *testing.T) {
	if !*qualities {
		t.Skip("-quality measures; task drawings asks for it")
	}
	t.Run("classics", func(t *testing.T) {
		q := &quality{}
		for _, e := range catalogue.Core() {
			if e.Large {
				continue // an engine may take long
			}
			for _, model := range []string{"sc", models.Default(e.Arch)} {
				for _, g := range found(t, e.ID(), e.Source, model, 12) {
					q.draw(g)
				}
			}
		}
		fmt.Println("classics:", q)
		q.hold(t)
		q.whole(t)
	})
	t.Run("corpus", func(t *testing.T) {
		files := drawingtest.Corpus()
		if len(files) == 0 {
			t.Skip("there is no reference corpus: LITMUSCOPE_CORPUS says where it is")
		}
		q, tests := &quality{}, 0
		for _, f := range files {
			if tests == 300 {
				break
			}
			source, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			list := found(t, filepath.Base(f), string(source), "", 2)
			if len(list) > 0 {
				tests++
			}
			for _, g := range list {
				q.draw(g)
			}
		}
		fmt.Printf("corpus (%d tests): %s\n", tests, q)
		q.hold(t)
		q.whole(t)
	})
	t.Run("programs", func(t *testing.T) {
		q := &quality{}
		for _, p := range catalogue.Programs() {
			for _, b := range p.Builds {
				for _, k := range b.Known {
					g, err := drawingtest.Failure(t.Context(), p, b, k)
					if err != nil {
						t.Fatal(err)
					}
					if g != nil {
						q.draw(g)
					}
				}
			}
		}
		fmt.Println("programs:", q)
		q.whole(t)
		if q.overlaps+q.onBoxes+q.onHeaders+q.through > 0 {
			t.Error("words or edges lie on one another")
		}
	})
	for _, tangled := range []bool{false, true} {
		r := rand.New(rand.NewPCG(5, 6))
		for _, events := range []int{10, 20, 40, 60, 80, 100, 120} {
			name := fmt.Sprintf("%d events%s", events, either(tangled, "", ", tangled"))
			t.Run(name, func(t *testing.T) {
				q := &quality{}
				for _, threads := range []int{2, 3, 4, 6, 8, 10} {
					for range 3 {
						q.draw(synthetic(r, threads, events, tangled))
					}
				}
				fmt.Printf("%s: %s\n", name, q)
				if !tangled {
					q.hold(t)
				}
			})
		}
	}
}
