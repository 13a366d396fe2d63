package models

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// Graph is an execution made ready to be shown: plain data, with names instead
// of indices and only the edges worth drawing.
type Graph struct {
	Threads   []GraphThread `json:"threads"`
	Events    []GraphEvent  `json:"events"`
	Relations []GraphEdges  `json:"relations"`
	// Sections are the critical sections of a C test.
	Sections []GraphSection `json:"sections,omitempty"`
}

// GraphThread is one column of the drawing.
type GraphThread struct {
	Name   string   `json:"name"`   // "P0", or as the program calls it
	Source []string `json:"source"` // its instructions as written
	// Places are where these stand, of a program whose threads have names: it may have several files.
	Places []GraphPlace `json:"places,omitempty"`
}

// GraphPlace is a place in a source file, as a [litmus.Pos] is.
type GraphPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// GraphEvent is one node.
type GraphEvent struct {
	ID     int     `json:"id"`     // its index into Events
	Name   string  `json:"name"`   // "a", "b" …; "ix" for the initial write of x
	Thread int     `json:"thread"` // index into Threads; -1 for an initial write
	Source int     `json:"source"` // index into the thread's Source; -1 for an initial write
	Kind   string  `json:"kind"`   // R, W or F
	Loc    string  `json:"loc,omitempty"`
	Value  string  `json:"value,omitempty"`
	Tags   ir.Tags `json:"tags,omitempty"`
	// Of an event of a C test: the order that the source gives it, as in R[acq] x=1; or, of a part
	// of a lock or of RCU, what it does.
	Order string `json:"order,omitempty"`
	Does  string `json:"does,omitempty"`
	// Piece is the event's place among those of its access, where that goes over several locations: they come one
	// after the other.
	Piece int `json:"piece,omitempty"`
	// Half is 1 for the second half of an access each of whose halves is single-copy atomic by itself.
	Half int `json:"half,omitempty"`
	// Of a test whose accesses overlap in part: how many bytes the event is to, and where they begin, counted from the
	// first of their object. Within is the location of which an initial write's is a part, unless it is the first.
	Bytes  int    `json:"bytes,omitempty"`
	At     int    `json:"at,omitempty"`
	Within string `json:"within,omitempty"`
	// Access is what the pieces make up together, which the first of several has; see [Graph.Whole].
	Access *GraphAccess `json:"access,omitempty"`
}

// GraphAccess is an access of several pieces as a whole.
type GraphAccess struct {
	Name  string `json:"name"` // "a", of pieces a1 and a2
	Value string `json:"value"`
	Bytes int    `json:"bytes"`
}

// GraphEdges are the edges of one relation. Base relations come first: po
// (between neighbours), spawn, join, rf, co (between neighbours), fr, then rmw, addr, data,
// ctrl, fence relations and whatever the model shows.
type GraphEdges struct {
	Name  string `json:"name"`
	Edges []Pair `json:"edges"`
	// Cyclic edges are drawn by default even where the default view would leave
	// the relation's other edges out: they take part in a cycle of po, rf, co, fr.
	Cyclic []Pair `json:"cyclic,omitempty"`
	// Shown: the model shows it, under whatever name. Help is then its comment.
	Shown bool   `json:"shown,omitempty"`
	Help  string `json:"help,omitempty"`
	// Flag: the relation is the cause of the flag of that name, drawn without arrow heads.
	Flag bool `json:"flag,omitempty"`
}

// GraphSection is a critical section: what a thread does from one of its events to another, both
// of them included. Sections of a thread may lie within one another, and may overlap.
type GraphSection struct {
	Kind   string `json:"kind"`          // SectionRCU, SectionSRCU, SectionLock or SectionAtomic
	Loc    string `json:"loc,omitempty"` // of its lock, or of its srcu_struct
	Thread int    `json:"thread"`        // index into Threads
	First  int    `json:"first"`         // events, by ID
	Last   int    `json:"last"`
}

// The kinds of critical sections.
const (
	SectionRCU  = "RCU"
	SectionSRCU = "SRCU"
	SectionLock = "lock"
	// SectionAtomic is one that nobody sees the middle of; where its thread stops in it, it ends with
	// the thread's last event.
	SectionAtomic = "atomic"
)

// BaseEdge is a pair of a relation that the execution itself gives: po, rf, co, addr,
// data, ctrl or rmw; fr, which is rf backwards and then co; or a fence's name in lower
// case, when the fence stands between the two in program order. A name that ends in
// ^-1 is a relation followed backwards. Where all that is known of a pair is what kind
// of events it joins, the name is loc, int or ext, or an expression over sets.
type BaseEdge struct {
	From     int    `json:"from"`
	To       int    `json:"to"`
	Relation string `json:"relation"`
}

// Mixed tells whether an access consists of pieces, so that program order is not that of the events.
func (g *Graph) Mixed() bool {
	return slices.ContainsFunc(g.Events, func(e GraphEvent) bool { return e.Piece > 0 })
}

// Flag adds what raises a flag as edges of their own, which the default view shows. Where the model
// shows just these under another name, they are that relation's.
func (g *Graph) Flag(name string, causes []Pair) {
	r := GraphEdges{Name: name, Help: "what raises the flag " + name}
	for _, p := range causes {
		if p[0] != p[1] {
			r.Edges = append(r.Edges, p)
		}
	}
	if len(r.Edges) == 0 {
		return
	}
	if i := slices.IndexFunc(g.Relations,
		func(s GraphEdges) bool { return s.Shown && sameUndirected(s.Edges, r.Edges) }); i >= 0 {
		r.Name, r.Help, r.Shown = g.Relations[i].Name, g.Relations[i].Help, true
		g.Relations = slices.Delete(g.Relations, i, i+1)
	}
	r.Flag, r.Cyclic = true, r.Edges
	g.Relations = append(g.Relations, r)
}

// sameUndirected tells whether relations are the same but for directions.
func sameUndirected(a, b []Pair) bool {
	within := func(a, b []Pair) bool {
		return !slices.ContainsFunc(a,
			func(p Pair) bool { return !slices.Contains(b, p) && !slices.Contains(b, Pair{p[1], p[0]}) })
	}
	return within(a, b) && within(b, a)
}

// Mark makes sure that edges are in the graph, and that the default view shows them.
func (g *Graph) Mark(path []BaseEdge) {
	for _, e := range path {
		name, back := strings.CutSuffix(e.Relation, "^-1")
		p := Pair{e.From, e.To}
		if back {
			p = Pair{e.To, e.From}
		}
		i := slices.IndexFunc(g.Relations, func(r GraphEdges) bool { return r.Name == name })
		if i < 0 {
			i = len(g.Relations)
			g.Relations = append(g.Relations, GraphEdges{Name: name})
		}
		r := &g.Relations[i]
		if !slices.Contains(r.Edges, p) {
			r.Edges = append(r.Edges, p)
		}
		if !slices.Contains(r.Cyclic, p) {
			r.Cyclic = append(r.Cyclic, p)
		}
	}
}
