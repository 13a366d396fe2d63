package play

import (
	"testing"

	"litmuscope/models"
)

// Everything before a thread's start has happened, and is visible to all, before anything of the thread, and all of the
// thread before the wait for its end is over, even without a communication between them.
func TestStartsAndEnds(t *testing.T) {
	g := &models.Graph{
		Threads: []models.GraphThread{{Name: "main"}, {Name: "child"}},
		Events: []models.GraphEvent{
			{ID: 0, Name: "ix", Thread: -1, Source: -1, Kind: "W", Loc: "x", Value: "0"},
			{ID: 1, Name: "iy", Thread: -1, Source: -1, Kind: "W", Loc: "y", Value: "0"},
			{ID: 2, Name: "a", Kind: "W", Loc: "x", Value: "1"},
			{ID: 3, Name: "b", Kind: "F", Does: "start child"},
			{ID: 4, Name: "c", Kind: "R", Loc: "x", Value: "1"},
			{ID: 5, Name: "d", Kind: "F", Does: "join child"},
			{ID: 6, Name: "e", Kind: "R", Loc: "x", Value: "1"},
			{ID: 7, Name: "f", Thread: 1, Kind: "W", Loc: "y", Value: "1"},
		},
		Relations: []models.GraphEdges{
			{Name: "po", Edges: []models.Pair{{2, 3}, {3, 4}, {4, 5}, {5, 6}}},
			{Name: "spawn", Edges: []models.Pair{{3, 7}}},
			{Name: "join", Edges: []models.Pair{{7, 5}}},
			{Name: "rf", Edges: []models.Pair{{2, 4}, {2, 6}}},
			{Name: "co", Edges: []models.Pair{{0, 2}, {1, 7}}},
		},
	}
	frames, err := Play(g)
	if err != nil {
		t.Fatal(err)
	}
	at := map[int]int{}
	for i, f := range frames {
		for _, id := range f.Events {
			at[id] = i
		}
	}
	for _, pair := range []models.Pair{{2, 3}, {3, 7}, {7, 5}, {5, 6}, {3, 4}} {
		if at[pair[0]] == 0 || at[pair[0]] >= at[pair[1]] {
			t.Errorf("event %d comes in step %d, event %d in step %d", pair[0], at[pair[0]], pair[1], at[pair[1]])
		}
	}
}
