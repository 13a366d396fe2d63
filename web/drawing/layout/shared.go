package layout

import (
	"slices"

	"litmuscope/models"
)

// Two drawings that share a layout. Both are laid out from one graph with the edges of both, so that equal events are
// at equal places and edges have room in both. Then each drops what only the other one shows, and nothing moves.

// Marked is the name of the relation of a shared graph whose edges are the marks of both drawings. Labels have room for
// it, so that it is as long as the longest word of a mark.
const Marked = "only here"

// Shared is what one of two drawings shows of the graph that they share.
type Shared struct {
	Relations []models.GraphEdges `json:"relations"` // by name, without Marked
	Cycle     []models.Pair       `json:"cycle,omitempty"`
	Marks     []Mark              `json:"marks,omitempty"`
}

// Mark is a word at an edge, about what sets it apart from the other drawing.
type Mark struct {
	Pair models.Pair `json:"pair"`
	Word string      `json:"word"`
	Help string      `json:"help"` // of all edges with the word, in a sentence
}

// lifted is s in terms of accesses, where these consist of pieces.
func (s *Shared) lifted(g *models.Graph, w *models.Whole) *Shared {
	if s == nil {
		return nil
	}
	own := &models.Graph{Threads: g.Threads, Events: g.Events, Relations: s.Relations}
	out := &Shared{Relations: s.Relations, Cycle: w.Lift(s.Cycle)}
	if whole := own.Whole(); whole != nil {
		out.Relations = whole.Graph.Relations
	}
	for _, m := range s.Marks {
		if pairs := w.Lift([]models.Pair{m.Pair}); len(pairs) > 0 {
			out.Marks = append(out.Marks, Mark{pairs[0], m.Word, m.Help})
		}
	}
	return out
}

// folded is s in a drawing in which some events stand for several: edges become those that within returns, and a
// pair leads between the events that its ends are in.
func (s *Shared) folded(in map[int]int, within func(string, []models.Pair) []models.Pair) *Shared {
	if s == nil {
		return nil
	}
	out := &Shared{}
	for _, r := range s.Relations {
		r.Edges, r.Cyclic = within(r.Name, r.Edges), within(r.Name, r.Cyclic)
		out.Relations = append(out.Relations, r)
	}
	for _, p := range s.Cycle {
		if q := (models.Pair{in[p[0]], in[p[1]]}); q[0] != q[1] {
			out.Cycle = append(out.Cycle, q)
		}
	}
	for _, m := range s.Marks {
		if m.Pair = (models.Pair{in[m.Pair[0]], in[m.Pair[1]]}); m.Pair[0] != m.Pair[1] {
			out.Marks = append(out.Marks, m)
		}
	}
	return out
}

// drop leaves out of a placed drawing what only the other one shows, and puts the words at marked edges.
func (d *Drawing) drop() {
	s := d.shared
	if s == nil {
		return
	}
	whole := *d
	whole.Relations = slices.Clone(d.Relations)
	d.both = &whole
	d.Cycle = d.storyOf(s.Cycle)
	shows := map[string]map[models.Pair]bool{}
	for _, r := range s.Relations {
		shows[r.Name] = map[models.Pair]bool{}
		for _, p := range slices.Concat(r.Edges, r.Cyclic) {
			shows[r.Name][p] = true
		}
	}
	marked := map[models.Pair]int{} // the relation of each mark's word
	for _, m := range s.Marks {
		marked[m.Pair] = d.relationOf(m)
	}
	for i := range d.Relations {
		r := &d.Relations[i]
		r.Edges, r.Shown, r.Initial, r.On = 0, 0, 0, false
	}
	var edges []Edge
	for _, e := range d.Edges {
		pair := models.Pair{e.From, e.To}
		var parts []Part
		for _, p := range e.Parts {
			switch name := d.Relations[p.Relation].Name; {
			case name == Marked || d.Relations[p.Relation].Mark:
				if r, ok := marked[pair]; ok {
					p.Relation = r
					parts = append(parts, p)
				}
			case shows[name][pair]:
				parts = append(parts, p)
			}
		}
		if e.Parts = parts; len(parts) > 0 {
			edges = append(edges, e)
			d.count(&e)
		}
	}
	d.Edges = edges
}

// relationOf returns the relation of a mark's word. The first word takes the place of Marked.
func (d *Drawing) relationOf(m Mark) int {
	i := slices.IndexFunc(d.Relations, func(r Relation) bool { return r.Mark && r.Name == m.Word })
	if i >= 0 {
		return i
	}
	i = slices.IndexFunc(d.Relations, func(r Relation) bool { return r.Name == Marked && !r.Mark })
	if i < 0 {
		i = len(d.Relations)
		d.Relations = append(
			d.Relations,
			d.Relations[slices.IndexFunc(d.Relations, func(r Relation) bool { return r.Mark })],
		)
	}
	r := &d.Relations[i]
	r.Name, r.Key, r.Help, r.Mark = m.Word, key(m.Word), m.Help, true
	return i
}
