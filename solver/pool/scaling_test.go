package pool

import (
	"context"
	"flag"
	"testing"
	"time"

	"litmuscope/litmus/family"
	"litmuscope/solver"
)

// scaling makes TestFamilies continue to larger sizes for as long as each test takes less than the limit, and print
// what it measured: go test -scaling 20s -v -run TestFamilies ./solver/pool.
var scaling = flag.Duration("scaling", 0, "time limit for one test of TestFamilies' table")

// Every family's verdict is right at small sizes, under all of its models.
func TestFamilies(t *testing.T) {
	p, err := New(Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	options := solver.DefaultOptions()
	options.States, options.Timeout = 0, *scaling
	for _, f := range family.All {
		for n := f.Min; n < f.Min+3 || *scaling > 0 && n <= f.Max; {
			r, err := solver.Ask(context.Background(), p,
				solver.Task{Path: f.Name, Source: f.Test(n), Model: "tso", Options: options})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status == solver.Unknown && *scaling > 0 {
				t.Logf("%-14s n=%-4d %s", f.Name, n, r.Reason)
				break
			}
			allowed, always := r.Verdict == solver.Allowed, r.Observation == solver.Always
			if r.Status != solver.OK || allowed != f.Allowed || always != f.Always {
				t.Errorf("%s %d: %s %s %s %s: want allowed %v, always %v", f.Name, n, r.Status, r.Error, r.Verdict,
					r.Observation, f.Allowed, f.Always)
				break
			}
			if *scaling > 0 {
				t.Logf("%-14s n=%-4d %-9s %9.1f ms  %7d variables %8d clauses", f.Name, n, r.Verdict, r.MS,
					r.Stats.Vars, r.Stats.Clauses)
			}
			n = next(n, r.MS)
		}
	}
}

// next goes up faster while tests are quick.
func next(n int, ms float64) int {
	if ms < float64(200*time.Millisecond/time.Millisecond) && n >= 8 {
		return n * 2
	}
	return n + 1 + n/4
}
