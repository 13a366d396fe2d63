package models

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
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
	// Flag: the relation is what raises the flag of that name, drawn without arrow heads.
	Flag bool `json:"flag,omitempty"`
}

// Graph makes x ready to be shown, with the relations that m shows.
func (x *Execution) Graph(m *Model) *Graph {
	g := &Graph{}
	for _, t := range x.Program.Threads {
		th := GraphThread{Name: fmt.Sprintf("P%d", t.ID), Source: []string{}}
		for _, c := range t.Source {
			th.Source = append(th.Source, c.Text)
			if t.Name != "" {
				th.Places = append(th.Places, GraphPlace{c.Pos.File, c.Pos.Line, c.Pos.Col})
			}
		}
		th.Name = cmp.Or(t.Name, th.Name)
		g.Threads = append(g.Threads, th)
	}
	g.Events = x.GraphEvents()
	ev := newEvaluator(x)
	base := func(name string) relation { return ev.eval(cat.Base{Name: name, Kind: cat.Relation}) }
	po, rf, co := base("po"), base("rf"), base("co")
	fr := rf.inverse().then(co).minus(base("id"))
	rings := po.union(rf).union(co).union(fr)
	if x.Program.Split {
		rings = rings.union(base("sm").minus(base("id")))
	}
	rings = rings.closure()
	add := func(name string, r relation) {
		edges := GraphEdges{Name: name, Edges: r.list()}
		for _, p := range edges.Edges {
			if rings.has(p[1], p[0]) {
				edges.Cyclic = append(edges.Cyclic, p)
			}
		}
		if len(edges.Edges) > 0 {
			g.Relations = append(g.Relations, edges)
		}
	}
	own := po.inter(base("int"))
	add("po", own.minus(own.then(own)))
	add("spawn", ev.listed(x.Spawns))
	add("join", ev.listed(x.Joins))
	add("rf", rf)
	add("co", co.minus(co.then(co)))
	add("fr", fr.minus(fr.then(co)))
	for _, name := range []string{"rmw", "addr", "data", "ctrl"} {
		add(name, base(name))
	}
	memory := ev.eval(cat.Binary{Op: cat.Cartesian, X: cat.Base{Name: "M", Kind: cat.Set}, Y: cat.Base{Name: "M", Kind: cat.Set}})
	for _, kind := range x.fenceKinds() {
		fence := ev.eval(cat.Unary{Op: cat.Identity, X: cat.Base{Name: string(kind.tag), Kind: cat.Set}})
		around := po.then(fence).then(po).inter(memory)
		near := around.minus(po.inter(memory).then(around)).minus(around.then(po.inter(memory)))
		add(kind.name, near)
	}
	g.Sections = x.sections()
	given := len(g.Relations)
	for _, s := range m.Shows {
		add(s.Name, ev.eval(s.Expr))
	}
	for i := given; i < len(g.Relations); i++ {
		g.Relations[i].Shown, g.Relations[i].Help = true, m.comment(g.Relations[i].Name)
	}
	return g
}

// Mixed tells whether an access consists of pieces, so that program order is not that of the events.
func (g *Graph) Mixed() bool {
	return slices.ContainsFunc(g.Events, func(e GraphEvent) bool { return e.Piece > 0 })
}

// GraphEvents are the events of x's graph, in the order of x's.
func (x *Execution) GraphEvents() []GraphEvent {
	var out []GraphEvent
	letter := 0
	for _, e := range x.Events {
		out = append(out, x.graphEvent(e, &letter))
	}
	if x.Program.Split {
		x.sizes(out)
	}
	return out
}

func (x *Execution) graphEvent(e Event, letter *int) GraphEvent {
	g := GraphEvent{ID: e.ID, Thread: e.Thread, Source: -1, Kind: e.Kind.String(), Tags: e.Tags, Piece: e.Piece, Half: e.Half}
	if e.Loc >= 0 {
		l := x.Program.Locs[e.Loc]
		g.Loc = l.Name
		if e.Kind != Fence {
			g.Value = x.Program.FormatAt(e.Loc, e.Value)
		}
	}
	if e.Thread == InitThread {
		g.Name = "i" + g.Loc
		return g
	}
	g.Source = x.Program.Threads[e.Thread].Code[e.Step].Source
	if e.Piece > 0 { // has the letter of the first
		*letter--
	}
	g.Name = letters(*letter)
	*letter++
	x.annotate(&g)
	if does := x.does(e); does != "" {
		g.Does, g.Order = does, ""
	}
	return g
}

// does says what an event does of which a program makes no fence, though it is as good as one.
func (x *Execution) does(e Event) string {
	name := func(thread int) string {
		return cmp.Or(x.Program.Threads[thread].Name, fmt.Sprintf("P%d", x.Program.Threads[thread].ID))
	}
	switch op := x.Program.Threads[e.Thread].Code[e.Step].Op.(type) {
	case ir.Spawn:
		return "start " + name(op.Thread)
	case ir.Join:
		return "join " + name(op.Thread)
	case ir.Atomic:
		if op.End {
			return "atomic end"
		}
		return "atomic begin"
	}
	return ""
}

// letters counts a, b … z, aa, ab ….
func letters(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return letters(i/26-1) + letters(i%26)
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
	if i := slices.IndexFunc(g.Relations, func(s GraphEdges) bool { return s.Shown && sameUndirected(s.Edges, r.Edges) }); i >= 0 {
		r.Name, r.Help, r.Shown = g.Relations[i].Name, g.Relations[i].Help, true
		g.Relations = slices.Delete(g.Relations, i, i+1)
	}
	r.Flag, r.Cyclic = true, r.Edges
	g.Relations = append(g.Relations, r)
}

// sameUndirected tells whether relations are the same but for directions.
func sameUndirected(a, b []Pair) bool {
	within := func(a, b []Pair) bool {
		return !slices.ContainsFunc(a, func(p Pair) bool { return !slices.Contains(b, p) && !slices.Contains(b, Pair{p[1], p[0]}) })
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
