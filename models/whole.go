package models

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Whole is a graph in which each access is one event, represented by its first piece. The initial writes of a location
// that was split are one event too. Readers think of accesses; an edge names its bytes only if it is about some of the
// bytes that both of its accesses have.
type Whole struct {
	*Graph
	of     map[int]int // by event of the graph of pieces: the event that represents it
	pieces map[int][]*GraphEvent
	parts  map[wholeEdge]string
}

// wholeEdge is an edge of a relation, by name.
type wholeEdge struct {
	relation string
	Pair
}

// Whole returns the graph by accesses; nil if g is that already.
func (g *Graph) Whole() *Whole {
	if !slices.ContainsFunc(g.Events, func(e GraphEvent) bool { return e.Access != nil }) {
		return nil
	}
	w := &Whole{
		Graph: &Graph{Threads: g.Threads, Sections: slices.Clone(g.Sections)},
		of:    map[int]int{}, pieces: map[int][]*GraphEvent{}, parts: map[wholeEdge]string{},
	}
	begins := map[string]int{} // by location: its first initial write
	for i := range g.Events {
		e := &g.Events[i]
		first := e.ID
		switch {
		case e.Thread == InitThread && e.Within != "":
			if id, ok := begins[e.Within]; ok {
				first = id
			}
		case e.Thread == InitThread:
			begins[e.Loc] = e.ID
		case e.Piece > 0 && i > 0:
			first = w.of[g.Events[i-1].ID]
		}
		w.of[e.ID] = first
		w.pieces[first] = append(w.pieces[first], e)
		if first != e.ID {
			continue
		}
		whole := *e
		if e.Access != nil {
			whole.Name, whole.Value, whole.Bytes, whole.Access = e.Access.Name, e.Access.Value, e.Access.Bytes, nil
		}
		w.Events = append(w.Events, whole)
	}
	for i := range w.Sections {
		s := &w.Sections[i]
		s.First, s.Last = w.Of(s.First), w.Of(s.Last)
	}
	for _, r := range g.Relations {
		all := g.everywhere(r)
		r.Edges, r.Cyclic = w.Lift(r.Edges), w.Lift(r.Cyclic)
		for _, p := range r.Edges {
			if words := w.about(p, all); words != "" {
				w.parts[wholeEdge{r.Name, p}] = words
			}
		}
		w.Relations = append(w.Relations, r)
	}
	return w
}

// Of returns the event that represents an event of the graph of pieces.
func (w *Whole) Of(event int) int {
	if first, ok := w.of[event]; ok {
		return first
	}
	return event
}

// Pieces returns the events that one represents, by address.
func (w *Whole) Pieces(event int) []int {
	var out []int
	for _, e := range w.pieces[event] {
		out = append(out, e.ID)
	}
	return out
}

// Overlaid returns the graph of pieces, with the whole access in place of each first piece.
func (w *Whole) Overlaid(g *Graph) *Graph {
	out := *g
	out.Events = slices.Clone(g.Events)
	for _, e := range w.Events {
		out.Events[e.ID] = e
	}
	return &out
}

// Part returns which bytes an edge is about, counted from the beginning of their object, as in "[0..1]". It returns ""
// if the edge is about all bytes that both of its accesses have in common, or about no memory.
func (w *Whole) Part(relation string, p Pair) string { return w.parts[wholeEdge{relation, p}] }

// Lift returns the pairs of accesses for pairs of pieces, each once, without those within one access.
func (w *Whole) Lift(pairs []Pair) []Pair {
	var out []Pair
	seen := map[Pair]bool{}
	for _, p := range pairs {
		q := Pair{w.Of(p[0]), w.Of(p[1])}
		if q[0] == q[1] && p[0] != p[1] || seen[q] {
			continue
		}
		seen[q] = true
		out = append(out, q)
	}
	return out
}

// Path returns a path by accesses: without steps between pieces of one access, and with the bytes of each step, as in
// "rf [0..1]".
func (w *Whole) Path(path []BaseEdge) []BaseEdge {
	var out []BaseEdge
	for _, p := range path {
		q := BaseEdge{w.Of(p.From), w.Of(p.To), p.Relation}
		if q.From == q.To && p.From != p.To {
			continue
		}
		name, back := strings.CutSuffix(p.Relation, "^-1")
		at := Pair{q.From, q.To}
		if back {
			at = Pair{q.To, q.From}
		}
		if part := w.Part(name, at); part != "" {
			q.Relation += " " + part
		}
		out = append(out, q)
	}
	return out
}

// everywhere returns the pairs of a relation of pieces. For co and fr it includes pairs that the graph omits because
// they follow from others: in some bytes, other accesses may come between two.
func (g *Graph) everywhere(r GraphEdges) map[Pair]bool {
	all := map[Pair]bool{}
	for _, p := range slices.Concat(r.Edges, r.Cyclic) {
		all[p] = true
	}
	if r.Shown || r.Name != "co" && r.Name != "fr" {
		return all
	}
	next := map[int][]int{}
	for _, p := range g.Pairs("co") {
		next[p[0]] = append(next[p[0]], p[1])
	}
	list := slices.Concat(r.Edges, r.Cyclic)
	for i := 0; i < len(list); i++ {
		for _, on := range next[list[i][1]] {
			if p := (Pair{list[i][0], on}); !all[p] {
				all[p] = true
				list = append(list, p)
			}
		}
	}
	return all
}

// about returns the bytes of the pairs of pieces between two accesses, if these are not all bytes that both have.
func (w *Whole) about(p Pair, all map[Pair]bool) string {
	from, to := w.pieces[p[0]], w.pieces[p[1]]
	if len(from) < 2 && len(to) < 2 {
		return ""
	}
	var spans [][2]int // first byte and the one behind the last
	missed := false
	for _, a := range from {
		for _, b := range to {
			related, same := all[Pair{a.ID, b.ID}], a.Loc == b.Loc && a.Bytes > 0
			switch n := len(spans); {
			case related && !same:
				return ""
			case !related:
				missed = missed || same
			case n > 0 && spans[n-1][1] == a.At:
				spans[n-1][1] += a.Bytes
			default:
				spans = append(spans, [2]int{a.At, a.At + a.Bytes})
			}
		}
	}
	if !missed {
		return ""
	}
	var words []string
	for _, s := range spans {
		if s[1] == s[0]+1 {
			words = append(words, fmt.Sprint(s[0]))
		} else {
			words = append(words, fmt.Sprintf("%d..%d", s[0], s[1]-1))
		}
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// sizes are the letters for the width of an access in the notation of diy and herd.
var sizes = map[int]string{1: "b", 2: "h", 4: "w", 8: "q"}

// Letter returns an access's kind and, if accesses overlap in part, its width: W, W.h.
func (e *GraphEvent) Letter() string {
	if e.Bytes == 0 {
		return e.Kind
	}
	if size := sizes[e.Bytes]; size != "" {
		return e.Kind + "." + size
	}
	return fmt.Sprint(e.Kind, ".", e.Bytes)
}

// Shown returns the text of the value; if accesses overlap in part, with all digits of a number of several bytes.
func (e *GraphEvent) Shown() string {
	n, err := strconv.ParseUint(e.Value, 10, 64)
	if e.Bytes == 0 || err != nil || n <= 0xff {
		return e.Value
	}
	return fmt.Sprintf("0x%0*x", 2*e.Bytes, n)
}
