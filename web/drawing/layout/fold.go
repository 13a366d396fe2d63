package layout

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"litmuscope/models"
)

// Folding. An execution of dozens of events is more than fits into a page with words that can be read, and most of it
// is beside the point. Folded, runs of events stand for themselves in a word: "5 more". Events of the story stay, and
// of what threads read of one another as much as there is room for, the latest first, for that is where a run comes to
// its end.

// Sizes in pixels. Runs stand between two rows, so that they take no height there.
const (
	RunHeight = 20.
	runGap    = 14. // between a run and the events around it
)

// Fold is the drawing with less of its events; nil where all of them fit, or all belong to the story, or there is room
// for none.
func (d *Drawing) Fold(r Request) *Drawing {
	if d.fits() {
		return nil
	}
	if d.both != nil {
		d = d.both
	}
	told := d.corners(r)
	context := d.context(told)
	var f *Drawing
	var ways *router
	var kept map[int]bool
	// Edges run around the events, nobody knows how far before they are routed.
	w, h := detours, detours
	for range 5 {
		kept = told
		for _, group := range context {
			if with := union(kept, group); len(with) > len(kept) && d.folded(with).small(w, h) {
				kept = with
			}
		}
		f = d.folded(kept)
		f.spare = w
		ways = f.try()
		if f.fits() || len(kept) == len(told) {
			break
		}
		w, h = w+max(0, f.Width-seenWidth), h+max(0, f.Height-seenHeight)
	}
	if over := f.Height - seenHeight; over > 0 { // with no more than what cannot be left out
		tight := d.folded(kept)
		tight.spare, tight.over = w, over
		if way := tight.try(); tight.fits() {
			f, ways = tight, way
		}
	}
	runs, events := false, false
	for _, n := range f.Nodes {
		runs, events = runs || n.Run != nil, events || n.Run == nil && !n.Init()
	}
	if !runs || !events {
		return nil
	}
	ways.rest()
	f.frame(r.View)
	f.drop()
	return f
}

// detours is what edges take on a side of the events, as far as can be said before they are routed.
const detours = 16.

// fits tells whether a drawing is seen whole with words that can be read.
func (d *Drawing) fits() bool {
	return d.Width <= seenWidth && d.Height <= seenHeight
}

// small tells whether the events of a drawing that is not settled will leave so much room for edges, on either side and
// below.
func (d *Drawing) small(beside, below float64) bool {
	d.spare = beside
	d.measureLabels()
	g := d.arrange(len(d.graph.Threads))
	return g.fits(d) && g.height(d)+below <= roomDown
}

func union(set map[int]bool, list []int) map[int]bool {
	out := maps.Clone(set)
	for _, id := range list {
		out[id] = true
	}
	return out
}

// corners are the events that cannot be left out: where the story goes from one thread to another or
// turns, and what raises a flag.
func (d *Drawing) corners(r Request) map[int]bool {
	out := map[int]bool{}
	for _, e := range d.Edges {
		po := d.Relations[e.Parts[0].Relation].Name == "po" && (len(r.Cycle) == 0 || len(e.Parts) == 1)
		flag := slices.ContainsFunc(e.Parts, func(p Part) bool { return d.Relations[p.Relation].Flag })
		if d.Lit(&e) && !po || flag {
			out[e.From], out[e.To] = true, true
		}
	}
	return out
}

// context are events that say more of the story, or of the execution where there is none: those that go
// together, the most telling first.
func (d *Drawing) context(kept map[int]bool) [][]int {
	var out [][]int
	for _, n := range d.Nodes {
		if n.Event.Kind == "F" && d.Lights(n.Event.ID) {
			out = append(out, []int{n.Event.ID})
		}
	}
	late := d.depths()
	var reads []models.Pair
	for _, p := range d.pairs("rf") {
		if a, b := d.node(p[0]), d.node(p[1]); !a.Init() && a.col != b.col {
			reads = append(reads, p)
		}
	}
	slices.SortStableFunc(reads, func(p, q models.Pair) int {
		near := func(p models.Pair) int { return either(kept[p[1]], either(kept[p[0]], 2, 1), 0) }
		return cmp.Or(cmp.Compare(near(p), near(q)), cmp.Compare(late[q[1]], late[p[1]]))
	})
	for _, p := range reads {
		out = append(out, p[:])
	}
	if len(kept) > 0 {
		return out
	}
	var rest []int
	for _, n := range d.Nodes {
		if !n.Init() {
			rest = append(rest, n.Event.ID)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(late[b], late[a]) })
	for _, id := range rest {
		out = append(out, []int{id})
	}
	return out
}

func (d *Drawing) node(id int) *Node {
	i := slices.IndexFunc(d.Nodes, func(n Node) bool { return n.Event.ID == id })
	return &d.Nodes[i]
}

// depths say how late each event is: how many come before it, at least, by program order and what is read.
// On a cycle nothing is before anything.
func (d *Drawing) depths() map[int]int {
	next := d.leads([]string{"po", "spawn", "join", "rf"})
	out := map[int]int{}
	for range d.Nodes {
		changed := false
		for _, n := range d.Nodes {
			for _, b := range next[n.Event.ID] {
				if to := out[n.Event.ID] + 1; out[b] < to && to <= len(d.Nodes) {
					out[b], changed = to, true
				}
			}
		}
		if !changed {
			break
		}
	}
	return out
}

// folded is the drawing with runs in the place of what is not kept, not settled yet.
func (d *Drawing) folded(kept map[int]bool) *Drawing {
	g := &models.Graph{Threads: d.graph.Threads}
	runs := map[int][]*Node{}
	in := map[int]int{} // the event that each is in
	last := map[int]int{}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		id := n.Event.ID
		in[id] = id
		if before, ok := last[n.col]; ok && !n.Init() && !kept[id] && runs[before] != nil {
			in[id] = before
			runs[before] = append(runs[before], n)
			continue
		}
		if !n.Init() {
			last[n.col] = id
			if !kept[id] {
				runs[id] = []*Node{n}
			}
		}
		g.Events = append(g.Events, d.graph.Events[i])
	}
	for _, rel := range d.graph.Relations {
		of := rel
		of.Edges, of.Cyclic = d.within(rel.Name, rel.Edges, in, runs), d.within(rel.Name, rel.Cyclic, in, runs)
		g.Relations = append(g.Relations, of)
	}
	for _, s := range d.graph.Sections {
		if a, b := in[s.First], in[s.Last]; a != b {
			s.First, s.Last = a, b
			g.Sections = append(g.Sections, s)
		}
	}
	f := begin(g, runs, d.whole)
	f.graph = g
	f.shared = d.shared.folded(in, func(name string, edges []models.Pair) []models.Pair {
		return d.within(name, edges, in, runs)
	})
	var story []models.Pair
	for _, p := range d.Cycle {
		if q := (models.Pair{in[p[0]], in[p[1]]}); q[0] != q[1] && !slices.Contains(story, q) {
			story = append(story, q)
		}
	}
	f.makeOut(story)
	f.defaults(f.Cycle)
	return f
}

// within are the edges of a relation that a folded drawing has: those between events, program order, and
// where a value comes from that an event reads.
func (d *Drawing) within(name string, edges []models.Pair, in map[int]int, runs map[int][]*Node) []models.Pair {
	var out []models.Pair
	for _, p := range edges {
		q := models.Pair{in[p[0]], in[p[1]]}
		between := runs[q[0]] == nil && runs[q[1]] == nil
		if q[0] != q[1] && (between || name == "po" || name == "rf" && runs[q[1]] == nil) && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}

// writeRun puts a run into words.
func (n *Node) writeRun(g *models.Graph) {
	n.Text = fmt.Sprintf("%d more", len(n.Run))
	n.H, n.W = RunHeight, sans(n.Text, TagSize)+16
	var all []string
	for _, m := range n.Run {
		all = append(all, m.Name+" "+m.Text)
	}
	n.Title = full(fmt.Sprintf("%d more of %s: %s", len(n.Run), g.Threads[n.col].Name, strings.Join(all, ", ")))
}

// placeRun is the height of a run: above its thread's first event, between two, or below the last.
func (d *Drawing) placeRun(n *Node, top float64, middle, tall []float64) float64 {
	switch k := n.line; {
	case len(middle) == 0:
		return top + RunHeight/2
	case !d.alsoEvents(n.col):
		return middle[0]
	case k == 0:
		return middle[0] - tall[0]/2 - runGap - RunHeight/2
	case k < len(middle):
		return (middle[k-1] + tall[k-1]/2 + middle[k] - tall[k]/2) / 2
	default:
		return middle[k-1] + tall[k-1]/2 + runGap + RunHeight/2
	}
}

// alsoEvents tells whether a thread has events that stand for themselves.
func (d *Drawing) alsoEvents(thread int) bool {
	return slices.ContainsFunc(d.Nodes, func(m Node) bool { return m.col == thread && m.Run == nil })
}

// stub tells whether an edge leads to or from a run beside it: there is no room for words.
func (d *Drawing) Stub(e *Edge) bool {
	a, b := &d.Nodes[e.from], &d.Nodes[e.to]
	return (a.Run != nil || b.Run != nil) && a.col == b.col
}
