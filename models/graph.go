package models

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// Graph is an execution prepared for display: plain data, with names instead of indices and only the edges worth
// drawing.
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
	// Places are the places of the instructions in the source, for programs with named threads, which may have several
	// files.
	Places []GraphPlace `json:"places,omitempty"`
	// Scopes are the scopes that it is in, of a test for GPUs, the innermost first: "cta 0", "gpu 0".
	Scopes []string `json:"scopes,omitempty"`
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
	// For an event of a C test: the order that the source gives it, as in R[acq] x=1, or the operation on a lock or RCU
	// that it is part of.
	Order string `json:"order,omitempty"`
	Does  string `json:"does,omitempty"`
	// Piece is the event's index among the pieces of its access, if that covers several locations. Pieces follow one
	// another.
	Piece int `json:"piece,omitempty"`
	// Half is 1 for the second half of an access each of whose halves is single-copy atomic by itself.
	Half int `json:"half,omitempty"`
	// For tests whose accesses overlap in part: how many bytes the event accesses, and the offset of the first from the
	// beginning of its object. Within is the location of which an initial write's is a part, unless it is the first
	// part.
	Bytes  int    `json:"bytes,omitempty"`
	At     int    `json:"at,omitempty"`
	Within string `json:"within,omitempty"`
	// Access is the whole that the pieces make up. Only the first piece has it; see [Graph.Whole].
	Access *GraphAccess `json:"access,omitempty"`
}

// Implicit reports whether no instruction names the access; see [ir.TagImplicit].
func (e *GraphEvent) Implicit() bool { return e.Tags.Has(ir.TagImplicit) }

// GraphAccess is an access of several pieces as a whole.
type GraphAccess struct {
	Name  string `json:"name"` // "a", of pieces a1 and a2
	Value string `json:"value"`
	Bytes int    `json:"bytes"`
}

// GraphEdges are the edges of one relation. Base relations come first: po (between neighbours), spawn, join, rf, co
// (between neighbours), fr, then rmw, addr, data, ctrl, fence relations and the relations that the model shows.
type GraphEdges struct {
	Name  string `json:"name"`
	Edges []Pair `json:"edges"`
	// Cyclic edges take part in a cycle of po, rf, co, fr. The default view draws them even if it omits the relation's
	// other edges.
	Cyclic []Pair `json:"cyclic,omitempty"`
	// Shown: the model shows the relation. Help is then the model's comment.
	Shown bool   `json:"shown,omitempty"`
	Help  string `json:"help,omitempty"`
	// Flag: the edges cause the flag of that name. The picture draws them without arrow heads.
	Flag bool `json:"flag,omitempty"`
}

// GraphSection is a critical section: the events of a thread from First to Last, both included. Sections of a thread
// may nest and may overlap.
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
	// SectionAtomic is a section whose middle no other thread sees. If its thread stops in it, it ends with the
	// thread's last event.
	SectionAtomic = "atomic"
)

// BaseEdge is a pair of a relation that the execution itself gives: po, rf, co, addr, data, ctrl or rmw; fr, which is
// rf backwards and then co; or a fence's name in lower case, if the fence is between the two in program order. A name
// that ends in ^-1 is a relation followed backwards. If only the kinds of the events relate a pair, the name is loc,
// int or ext, or an expression over sets.
type BaseEdge struct {
	From     int    `json:"from"`
	To       int    `json:"to"`
	Relation string `json:"relation"`
}

// Mixed reports whether some access consists of pieces, so that program order is not the order of events.
func (g *Graph) Mixed() bool {
	return slices.ContainsFunc(g.Events, func(e GraphEvent) bool { return e.Piece > 0 })
}

// Flag adds the causes of a flag as edges, which the default view shows. If the model shows exactly these pairs under
// another name, that relation becomes the flag's.
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

// sameUndirected reports whether two relations are equal up to direction.
func sameUndirected(a, b []Pair) bool {
	within := func(a, b []Pair) bool {
		return !slices.ContainsFunc(a,
			func(p Pair) bool { return !slices.Contains(b, p) && !slices.Contains(b, Pair{p[1], p[0]}) })
	}
	return within(a, b) && within(b, a)
}

// Mark adds edges to the graph where they are missing, and makes the default view show them.
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
