package graph

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// crowded is a graph of events in threads, with so many edges, half of them program order,
// the others anywhere.
func crowded(threads, events, edges int) *models.Graph {
	rng := rand.New(rand.NewPCG(1, 1))
	g := &models.Graph{Relations: []models.GraphEdges{{Name: "po"}, {Name: "rf"}}}
	for t := range threads {
		g.Threads = append(g.Threads, models.GraphThread{Name: fmt.Sprint("P", t)})
	}
	for i := range events {
		g.Events = append(g.Events, models.GraphEvent{ID: i, Name: fmt.Sprint("e", i), Thread: i % threads, Kind: "W", Loc: "x", Value: "1", Source: -1})
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

// However much there is to draw, and however long its names, the effort is bounded, and
// so is memory.
func TestHostileGraphs(t *testing.T) {
	const long = 400 << 10
	name := strings.Repeat("n", long)
	names := crowded(4, 16, 24)
	for i := range names.Events {
		e := &names.Events[i]
		e.Name, e.Loc, e.Value, e.Tags, e.Source = name, name, name, ir.Tags{ir.Tag(name), ir.Tag(name)}, 0
	}
	for i := range names.Threads {
		names.Threads[i] = models.GraphThread{Name: name, Source: []string{name}}
	}
	names.Relations[1].Name = name
	many := crowded(2, 8, 0)
	for range 1000 { // relations of one name, between two events
		many.Relations = append(many.Relations, models.GraphEdges{Name: name[:100], Edges: []models.Pair{{0, 3}}})
	}
	cyclic := crowded(8, 64, 0)
	for i := range 64 {
		for k := range 64 {
			cyclic.Relations[1].Cyclic = append(cyclic.Relations[1].Cyclic, models.Pair{i, k})
		}
	}
	tests := map[string]*models.Graph{
		"names": names, "relations": many, "every pair": cyclic,
		"threads": crowded(10_000, 20_000, 100), "events": crowded(2, 2000, 160), "edges": crowded(4, 64, 20_000),
		"controls": {
			Threads: []models.GraphThread{{Name: "\x00\xff"}}, Relations: []models.GraphEdges{{Name: "\x1b", Edges: []models.Pair{{0, 0}}}},
			Events: []models.GraphEvent{{Name: "\x01", Kind: "W", Loc: "\x02<", Value: "\xfe"}},
		},
	}
	for _, threads := range []int{1, 2, 4, 8, 16, 32, 64} {
		tests[fmt.Sprint(threads, " threads")] = crowded(threads, 64, 160)
	}
	for name, g := range tests {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d := Layout(g)
			svg := d.SVG(Options{})
			runtime.ReadMemStats(&after)
			if most := int(last) + 8<<20; d.effort > most {
				t.Errorf("the effort is %d, want at most %d", d.effort, most)
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 160 {
				t.Errorf("%d MiB allocated", mb)
			}
			if len(svg) > 64<<20 {
				t.Errorf("the picture has %d bytes", len(svg))
			}
			checkXML(t, name, svg)
			for _, e := range d.Edges {
				if len(e.Path) == 0 || e.Label.W == 0 {
					t.Errorf("no path or no label from %d to %d", e.From, e.To)
				}
			}
		})
	}
}

// A long name is drawn in short, and told in full.
func TestLongNames(t *testing.T) {
	loc := strings.Repeat("a", 30) + strings.Repeat("b", 30)
	g := crowded(1, 2, 1)
	g.Events[1].Loc = loc
	d := Layout(g)
	n := d.Nodes[1]
	if want := "W " + strings.Repeat("a", 26) + "…" + strings.Repeat("b", 13) + "=1"; n.Text != want {
		t.Errorf("got %q, want %q", n.Text, want)
	}
	if !strings.Contains(n.Title, loc+"=1") {
		t.Errorf("the title is %q", n.Title)
	}
}
