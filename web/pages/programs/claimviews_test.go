package programs

import (
	"slices"
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
		want     string
	}{
		{true, map[string]int{"unroll": 2}, "loops unrolled 2 times, which suffices"},
		{false, map[string]int{"unroll": 2}, "loops unrolled 2 times"},
		{true, nil, "all loops end or only wait"},
	} {
		if got := claimFacts(
			&solver.Verification{Verdict: solver.Safe, Complete: c.complete, Bounds: c.bounds}); !slices.Contains(got,
			c.want) {
			t.Errorf("%v, complete %v: %q, want %q", c.bounds, c.complete, got, c.want)
		}
	}
}
