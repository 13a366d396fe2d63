package display_test

import (
	"slices"
	"testing"

	"litmuscope/models"
	"litmuscope/models/display"
)

// passing is an execution in which thread 0 writes x and then flag, and thread 1 updates flag, in an atomic section
// perhaps, and then reads x.
func passing(stale bool) *models.Graph {
	g := &models.Graph{
		Threads: []models.GraphThread{{Name: "main"}, {Name: "t"}},
		Events: []models.GraphEvent{
			{ID: 0, Thread: -1, Kind: "W", Loc: "x"},
			{ID: 1, Thread: -1, Kind: "W", Loc: "flag"},
			{ID: 2, Thread: 0, Kind: "F"},
			{ID: 3, Thread: 0, Kind: "W", Loc: "x"},
			{ID: 4, Thread: 0, Kind: "W", Loc: "flag"},
			{ID: 5, Thread: 1, Kind: "R", Loc: "flag"},
			{ID: 6, Thread: 1, Kind: "W", Loc: "flag"},
			{ID: 7, Thread: 1, Kind: "R", Loc: "x"},
		},
		Relations: []models.GraphEdges{
			{Name: "po", Edges: []models.Pair{{2, 3}, {3, 4}, {5, 6}, {6, 7}}},
			{Name: "spawn", Edges: []models.Pair{{2, 5}}},
			{Name: "rf", Edges: []models.Pair{{1, 5}, {3, 7}}},
			{Name: "co", Edges: []models.Pair{{0, 3}, {1, 6}, {6, 4}}},
			{Name: "fr", Edges: []models.Pair{{5, 6}}},
			{Name: "rmw", Edges: []models.Pair{{5, 6}}},
		},
	}
	if stale { // it reads flag from main, and the old x
		g.Relations[2].Edges, g.Relations[3].Edges = []models.Pair{{4, 5}, {0, 7}},
			[]models.Pair{{0, 3}, {1, 4}, {4, 6}}
		g.Relations[4].Edges = []models.Pair{{7, 3}}
	}
	return g
}

func TestInterleaving(t *testing.T) {
	g := passing(false)
	order, ok := display.Interleaving(g)
	if want := []int{2, 3, 5, 6, 7, 4}; !ok || !slices.Equal(order, want) {
		t.Errorf("%v, %v, want %v", order, ok, want)
	}
	// Nobody comes between what an atomic section holds together.
	g.Sections = []models.GraphSection{{Kind: models.SectionAtomic, Thread: 1, First: 5, Last: 7}}
	if order, ok = display.Interleaving(g); !ok || !slices.Equal(order, []int{2, 3, 5, 6, 7, 4}) {
		t.Errorf("with a section %v, %v", order, ok)
	}
	g.Sections = append(g.Sections, models.GraphSection{Kind: models.SectionAtomic, Thread: 0, First: 3, Last: 4})
	if order, ok = display.Interleaving(g); ok {
		t.Errorf("%v tears a section", order)
	}
	if order, ok = display.Interleaving(passing(true)); ok {
		t.Errorf("%v is none of SC", order)
	}
}
