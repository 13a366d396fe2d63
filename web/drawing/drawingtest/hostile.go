package drawingtest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// Crowded is a graph of events in threads, with so many edges, half of them program order,
// the others anywhere.
func Crowded(threads, events, edges int) *models.Graph {
	rng := rand.New(rand.NewPCG(1, 1))
	g := &models.Graph{Relations: []models.GraphEdges{{Name: "po"}, {Name: "rf"}}}
	for t := range threads {
		g.Threads = append(g.Threads, models.GraphThread{Name: fmt.Sprint("P", t)})
	}
	for i := range events {
		g.Events = append(g.Events,
			models.GraphEvent{
				ID: i, Name: fmt.Sprint("e", i), Thread: i % threads, Kind: "W", Loc: "x",
				Value: "1", Source: -1,
			})
	}
	for i := range edges {
		p := models.Pair{rng.IntN(events), rng.IntN(events)}
		r := &g.Relations[1]
		if i < edges/2 && i+threads < events {
			p, r = models.Pair{i, i + threads}, &g.Relations[0]
		}
		r.Edges = append(r.Edges, p)
	}
	return g
}

// Hostile are graphs of which there is much, and graphs with long and unprintable names.
func Hostile() map[string]*models.Graph {
	const long = 400 << 10
	name := strings.Repeat("n", long)
	names := Crowded(4, 16, 24)
	for i := range names.Events {
		e := &names.Events[i]
		e.Name, e.Loc, e.Value, e.Tags, e.Source = name, name, name, ir.Tags{ir.Tag(name), ir.Tag(name)}, 0
	}
	for i := range names.Threads {
		names.Threads[i] = models.GraphThread{Name: name, Source: []string{name}}
	}
	names.Relations[1].Name = name
	many := Crowded(2, 8, 0)
	for range 1000 { // relations of one name, between two events
		many.Relations = append(many.Relations, models.GraphEdges{Name: name[:100], Edges: []models.Pair{{0, 3}}})
	}
	cyclic := Crowded(8, 64, 0)
	for i := range 64 {
		for k := range 64 {
			cyclic.Relations[1].Cyclic = append(cyclic.Relations[1].Cyclic, models.Pair{i, k})
		}
	}
	out := map[string]*models.Graph{
		"names": names, "relations": many, "every pair": cyclic,
		"threads": Crowded(10_000, 20_000, 100), "events": Crowded(2, 2000, 160), "edges": Crowded(4, 64, 20_000),
		"controls": {
			Threads:   []models.GraphThread{{Name: "\x00\xff"}},
			Relations: []models.GraphEdges{{Name: "\x1b", Edges: []models.Pair{{0, 0}}}},
			Events:    []models.GraphEvent{{Name: "\x01", Kind: "W", Loc: "\x02<", Value: "\xfe"}},
		},
	}
	for _, threads := range []int{1, 2, 4, 8, 16, 32, 64} {
		out[fmt.Sprint(threads, " threads")] = Crowded(threads, 64, 160)
	}
	return out
}

// Odd are graphs that no engine gives.
func Odd() map[string]*models.Graph {
	event := models.GraphEvent{ID: 7, Name: "a", Kind: "W", Loc: "x", Value: "1"}
	thread := models.GraphThread{Name: "P0"}
	return map[string]*models.Graph{
		"empty":     {},
		"no events": {Threads: []models.GraphThread{thread, thread}},
		"loop": {
			Threads: []models.GraphThread{thread}, Events: []models.GraphEvent{event},
			Relations: []models.GraphEdges{{Name: "hb", Edges: []models.Pair{{7, 7}}, Cyclic: []models.Pair{{7, 7}}}},
		},
		"no threads": {Events: []models.GraphEvent{event}},
		"no such event": {
			Threads: []models.GraphThread{thread}, Events: []models.GraphEvent{event},
			Relations: []models.GraphEdges{{Name: "po", Edges: []models.Pair{{7, 8}, {-1, 7}}}},
		},
	}
}
