package solver

import "testing"

func TestBoundsText(t *testing.T) {
	one, two := 1, 2
	for _, test := range []struct {
		name     string
		complete bool
		bounds   []Bound
		want     string
	}{
		{"no bounds", true, nil, ""},
		{
			"enough", true,
			[]Bound{{"rounds", 3, 3, nil}, {"timestamps", 1, 1, nil}, {"nodes", 2, 2, nil}},
			"complete: 3 rounds, 1 timestamp, 2 nodes per location",
		},
		{
			"least", true,
			[]Bound{{"rounds", 3, 3, &one}, {"timestamps", 3, 3, &two}, {"nodes", 2, 2, &one}},
			"complete: 3 rounds, 3 timestamps, 2 nodes per location; needs 1 round, 2 timestamps and 1 node per " +
				"location",
		},
		{"one bound", true, []Bound{{"rounds", 3, 3, &two}}, "complete: 3 rounds; needs 2 rounds"},
		{
			"least not found in time", true,
			[]Bound{{"rounds", 3, 3, &two}, {"buffer", 2, 2, nil}},
			"complete: 3 rounds, 2 stores per buffer",
		},
		{
			"a number", true,
			[]Bound{{"k", 1, 1, &one}, {"rounds", 3, 3, &two}},
			"complete: k = 1, 3 rounds; needs k = 1 and 2 rounds",
		},
		{
			"too low", false,
			[]Bound{{"rounds", 1, 3, nil}, {"buffer", 1, 1, nil}},
			"under-approximation (raise rounds to 3): 1 round, 1 store per buffer",
		},
		{
			"two too low", false,
			[]Bound{{"rounds", 1, 3, nil}, {"timestamps", 3, 3, nil}, {"nodes", 1, 2, nil}},
			"under-approximation (raise rounds to 3 and nodes to 2): 1 round, 3 timestamps, 1 node per location",
		},
		{"a loop", false, []Bound{{"rounds", 3, 3, nil}}, "under-approximation (raise unroll): 3 rounds"},
	} {
		r := Result{Bounds: test.bounds, Complete: test.complete}
		if got := r.BoundsText(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
