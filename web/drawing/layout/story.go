package layout

import (
	"slices"

	"litmuscope/models"
)

// The story of a picture is a cycle: the one that a model forbids, or the one that SC forbids and the
// model allows. It is told by edges that are drawn, so that each can be followed; what else there is
// stands back.

// conflicts are the relations in whose cycles SC finds fault.
var conflicts = []string{"po", "spawn", "join", "rf", "co", "fr"}

// highlight chooses the edges to highlight: those of the requested cycle, or else of a shortest one that SC
// forbids. It also finds the initial writes on them, which are always drawn.
func (d *Drawing) highlight(r Request) {
	steps := slices.Concat(r.Cycle, r.Story)
	if len(steps) == 0 {
		steps = d.shortest()
	}
	d.makeOut(d.storyOf(steps))
}

// storyOf returns the drawn edges of the steps of a cycle.
func (d *Drawing) storyOf(steps []models.Pair) []models.Pair {
	index := map[models.Pair]int{}
	for i, e := range d.Edges {
		index[models.Pair{e.From, e.To}] = i
	}
	var story []models.Pair
	for _, p := range d.shortened(steps) {
		for _, q := range d.drawnAs(p, index) {
			if !slices.Contains(story, q) {
				story = append(story, q)
			}
		}
	}
	return story
}

// makeOut has edges be the story.
func (d *Drawing) makeOut(story []models.Pair) {
	d.Cycle = story
	for _, e := range d.Edges {
		if d.Lit(&e) {
			d.Nodes[e.from].told, d.Nodes[e.to].told = true, true
		}
	}
	for _, e := range d.Edges {
		if d.Nodes[e.from].Init() && d.Nodes[e.from].told {
			d.Nodes[e.to].Start = false // its rf is drawn
		}
	}
}

// shortened has fr where a cycle goes back to the initial write that a read reads, and on to a
// write that comes after it.
func (d *Drawing) shortened(steps []models.Pair) []models.Pair {
	initial := map[int]bool{}
	for _, n := range d.Nodes {
		initial[n.Event.ID] = n.Init()
	}
	fr := d.pairs("fr")
	out := slices.Clone(steps)
	for _, back := range steps { // an edge of rf, which is gone against its direction
		for _, on := range steps {
			if p := (models.Pair{back[1], on[1]}); back != on && back[0] == on[0] && initial[on[0]] &&
				slices.Contains(fr, p) {
				out = slices.DeleteFunc(out, func(q models.Pair) bool { return q == back || q == on })
				out = append(out, p)
			}
		}
	}
	return out
}

// drawnAs are the edges that a step of a cycle is drawn as: one, or one that is gone against its
// direction, or several from event to event of a thread or from write to write.
func (d *Drawing) drawnAs(p models.Pair, index map[models.Pair]int) []models.Pair {
	if i, ok := index[p]; ok {
		if path := d.path(p[0], p[1], []string{"po"}); d.long(&d.Edges[i]) && path != nil {
			return path
		}
		return []models.Pair{p}
	}
	for _, names := range [][]string{{"po"}, {"fr", "co"}, conflicts} {
		if path := d.path(p[0], p[1], names); path != nil {
			return path
		}
	}
	if back := (models.Pair{p[1], p[0]}); slices.Contains(d.pairs("rmw"), back) {
		return []models.Pair{back}
	}
	return nil
}

// pairs are the edges of a relation.
func (d *Drawing) pairs(name string) []models.Pair {
	var out []models.Pair
	for _, e := range d.Edges {
		if name == "po" && d.long(&e) {
			continue
		}
		if slices.ContainsFunc(e.Parts, func(p Part) bool { return d.Relations[p.Relation].Name == name }) {
			out = append(out, models.Pair{e.From, e.To})
		}
	}
	return out
}

// long tells whether an edge is program order between events that are no neighbours: an explanation may
// have it, and neighbours lead from the one to the other.
func (d *Drawing) long(e *Edge) bool {
	a, b := d.Nodes[e.from], d.Nodes[e.to]
	return !a.Init() && a.col == b.col && a.row+1 < b.row && d.Relations[e.Parts[0].Relation].Name == "po"
}

// path is a shortest way along edges of relations; nil where there is none. A cycle is a path from an
// event to itself.
func (d *Drawing) path(from, to int, names []string) []models.Pair {
	return walkTo(d.leads(names), from, to)
}

func (d *Drawing) leads(names []string) map[int][]int {
	next := map[int][]int{}
	for _, name := range names {
		for _, p := range d.pairs(name) {
			next[p[0]] = append(next[p[0]], p[1])
		}
	}
	return next
}

func walkTo(next map[int][]int, from, to int) []models.Pair {
	came, at := map[int]models.Pair{}, []int{from}
	for len(at) > 0 {
		var on []int
		for _, a := range at {
			for _, b := range next[a] {
				if _, seen := came[b]; seen {
					continue
				}
				came[b] = models.Pair{a, b}
				if b == to {
					path := []models.Pair{came[b]}
					for path[0][0] != from {
						path = slices.Insert(path, 0, came[path[0][0]])
					}
					return path
				}
				on = append(on, b)
			}
		}
		at = on
	}
	return nil
}

// shortest is a shortest cycle that SC forbids; nil where there is none.
func (d *Drawing) shortest() (best []models.Pair) {
	next := d.leads(conflicts)
	for _, n := range d.Nodes {
		if c := walkTo(next, n.Event.ID, n.Event.ID); c != nil && (best == nil || len(c) < len(best)) {
			best = c
		}
	}
	return best
}
