package display

import (
	"cmp"
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/evaluation"
	"litmuscope/models/relation"
)

// Graph prepares x for display, with the relations that m shows. Edges of po, rf, co and fr that follow from others are
// left out.
//
// The relations po, co and fr are transitive, or closed under co, so that a drawing with all their pairs could not be
// read. Only the pairs between neighbours remain. For rf and the dependencies all pairs remain. A fence makes a
// relation of its own, named for its kind, with the nearest accesses on both sides.
//
// Edges on a cycle of po, rf, co and fr are marked as cyclic (models.GraphEdges), because readers look for such a cycle
// first: under SC it would forbid the execution.
func Graph(x *models.Execution, m *models.Model) *models.Graph {
	g := &models.Graph{}
	for i, t := range x.Program.Threads {
		th := models.GraphThread{Name: fmt.Sprintf("P%d", t.ID), Source: []string{}}
		for _, s := range x.Program.Scopes {
			th.Scopes = append(th.Scopes, fmt.Sprintf("%s %d", s.Name, s.Number[i]))
		}
		for _, c := range t.Source {
			th.Source = append(th.Source, c.Text)
			if t.Name != "" {
				th.Places = append(th.Places, models.GraphPlace{File: c.Pos.File, Line: c.Pos.Line, Column: c.Pos.Col})
			}
		}
		th.Name = cmp.Or(t.Name, th.Name)
		g.Threads = append(g.Threads, th)
	}
	g.Events = Events(x)
	ev := evaluation.NewEvaluator(x)
	base := func(name string) relation.Relation { return ev.Eval(cat.Base{Name: name, Kind: cat.Relation}) }
	po, rf, co := base("po"), base("rf"), base("co")
	fr := rf.Inverse().Then(co).Minus(base("id"))
	rings := cycles(ev)
	add := func(name string, r relation.Relation) {
		if edges := edgesOf(name, r, rings); len(edges.Edges) > 0 {
			g.Relations = append(g.Relations, edges)
		}
	}
	within := po.Inter(base("int"))
	add("po", within.Minus(within.Then(within)))
	add("spawn", ev.Listed(x.Spawns))
	add("join", ev.Listed(x.Joins))
	add("rf", rf)
	add("co", co.Minus(co.Then(co)))
	add("fr", fr.Minus(fr.Then(co)))
	for _, name := range []string{"rmw", "addr", "data", "ctrl"} {
		add(name, base(name))
	}
	memory := ev.Eval(
		cat.Binary{Op: cat.Cartesian, X: cat.Base{Name: "M", Kind: cat.Set}, Y: cat.Base{Name: "M", Kind: cat.Set}})
	for _, kind := range fenceKinds(x) {
		fence := ev.Eval(cat.Unary{Op: cat.Identity, X: cat.Base{Name: string(kind.tag), Kind: cat.Set}})
		around := po.Then(fence).Then(po).Inter(memory)
		near := around.Minus(po.Inter(memory).Then(around)).Minus(around.Then(po.Inter(memory)))
		add(kind.name, near)
	}
	g.Sections = sections(x)
	g.Relations = append(g.Relations, shown(ev, m, rings)...)
	return g
}

// cycles is the closure of po, rf, co and fr, and of the relation between the pieces of an access.
func cycles(ev *evaluation.Evaluator) relation.Relation {
	base := func(name string) relation.Relation { return ev.Eval(cat.Base{Name: name, Kind: cat.Relation}) }
	rf, co := base("rf"), base("co")
	fr := rf.Inverse().Then(co).Minus(base("id"))
	return base("po").Union(rf).Union(co).Union(fr).Union(base("sm").Minus(base("id"))).Closure()
}

// edgesOf lists a relation for display. rings says which edges lie on a cycle.
func edgesOf(name string, r, rings relation.Relation) models.GraphEdges {
	edges := models.GraphEdges{Name: name, Edges: r.List()}
	for _, p := range edges.Edges {
		if rings.Has(p[1], p[0]) {
			edges.Cyclic = append(edges.Cyclic, p)
		}
	}
	return edges
}

// Shown returns the relations that m shows on the execution that ev evaluates, as in the execution's graph.
func Shown(ev *evaluation.Evaluator, m *models.Model) []models.GraphEdges {
	return shown(ev, m, cycles(ev))
}

func shown(ev *evaluation.Evaluator, m *models.Model, rings relation.Relation) (out []models.GraphEdges) {
	for _, s := range m.Shows {
		edges := edgesOf(s.Name, ev.Eval(s.Expr), rings)
		if len(edges.Edges) > 0 {
			edges.Shown, edges.Help = true, comment(m, s.Name)
			out = append(out, edges)
		}
	}
	return out
}

// Events are the events of x's graph, in the order of x's.
func Events(x *models.Execution) []models.GraphEvent {
	var out []models.GraphEvent
	letter := 0
	for _, e := range x.Events {
		out = append(out, graphEvent(x, e, &letter))
	}
	if x.Program.Split {
		addSizes(x, out)
	}
	return out
}

// graphEvent converts one event. letter counts the names given so far; the pieces of an access share one letter.
func graphEvent(x *models.Execution, e models.Event, letter *int) models.GraphEvent {
	g := models.GraphEvent{
		ID: e.ID, Thread: e.Thread, Source: -1, Kind: e.Kind.String(), Tags: e.Tags, Piece: e.Piece,
		Half: e.Half,
	}
	if e.Loc >= 0 {
		l := x.Program.Locs[e.Loc]
		g.Loc = l.Name
		if e.Kind != models.Fence {
			g.Value = x.Program.FormatAt(e.Loc, e.Value)
		}
	}
	if e.Thread == models.InitThread {
		g.Name = "i" + g.Loc
		return g
	}
	g.Source = x.Program.Threads[e.Thread].Code[e.Step].Source
	if e.Piece > 0 { // has the letter of the first
		*letter--
	}
	g.Name = letters(*letter)
	*letter++
	annotate(x, &g)
	if does := does(x, e); does != "" {
		g.Does, g.Order = does, ""
	}
	return g
}

// does returns the words for an event that acts as a fence although the program has none there: starts, joins and ends
// of atomic sections.
func does(x *models.Execution, e models.Event) string {
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
