package programs

import (
	"testing"

	"litmuscope/solver"
)

func TestSummary(t *testing.T) {
	rows := []claimRow{
		{Label: "SC", Says: "Safe"},
		{Label: "TSO", Says: "Unsafe"},
		{Label: "PSO", Says: "Unsafe"},
		{Label: "RC11", Says: "Safe within bounds"},
	}
	if got, want := summarise(rows),
		"Unsafe under TSO and PSO; safe under SC; safe within bounds under RC11."; got != want {
		t.Errorf("%s", got)
	}
}

// The answer gives the bound on loops if one was used.
func TestBoundsInAnswers(t *testing.T) {
	for _, c := range []struct {
		complete bool
		bounds   map[string]int
		loops    bool
		want     string
	}{
		{true, map[string]int{"unroll": 2}, true, "loops unrolled 2 times, which suffices"},
		{false, map[string]int{"unroll": 2}, true, "loops unrolled 2 times"},
		{true, nil, true, "all loops end or only wait"},
		{true, nil, false, "graphs, 0.0 ms"},
	} {
		got := claimFacts(&solver.Verification{
			Verdict: solver.Safe, Complete: c.complete, Bounds: c.bounds, Loops: c.loops, Engine: "graphs",
		})
		if got[0] != c.want {
			t.Errorf("%v, complete %v, loops %v: %q, want %q", c.bounds, c.complete, c.loops, got, c.want)
		}
	}
}
