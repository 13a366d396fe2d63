package graphs

import (
	"context"
	"math"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/ir"
	"litmuscope/solver/graphs/explore"
	"litmuscope/solver/graphs/graph"
)

// Random walks come to as many executions as there are, on average.
func TestEstimate(t *testing.T) {
	tried := 0
	withEach(t, func(e catalogue.Entry, model string) {
		if tried > 30 {
			return
		}
		var first *explore.Exploration
		all, count := 0, func(g *graph.Graph) bool {
			for i := range g.Threads {
				if g.Threads[i].Next.Kind != ir.ActEnd {
					return false
				}
			}
			return true
		}
		explored(t, e, model, func(x *explore.Exploration, _ *test, g *graph.Graph) {
			if first = x; count(g) {
				all++
			}
		})
		if all < 6 {
			return
		}
		tried++
		first.Context = context.Background()
		walks := explore.NewEstimate(first, count)
		for range 2000 {
			if err := walks.Walk(); err != nil {
				t.Fatal(err)
			}
		}
		if got := walks.Executions(0); math.Abs(got-float64(all)) > 0.2*float64(all)+0.5 {
			t.Errorf("%s under %s: %d executions, and walks say %.1f", e.ID(), model, all, got)
		}
		if n := walks.Unused(); n > 100 {
			t.Errorf("%s under %s: 2000 walks leave %d graphs", e.ID(), model, n)
		}
	})
	if tried < 20 {
		t.Errorf("%d tests", tried)
	}
}

// How far an exploration is, in words.
func TestProgressInWords(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0", 7: "7", 99.6: "100", 120: "120", 1234: "1,200", 98765: "99,000",
		5e6: "5,000,000", 3.2e12: "3·10^12", 4e108: "4·10^108",
	} {
		if got := rounded(n); got != want {
			t.Errorf("%v is %q, want %q", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		0: "1 s", 90 * time.Second: "90 s", 10 * time.Minute: "10 min", 5 * time.Hour: "5 h", 100 * time.Hour: "4 days",
		math.MinInt64: "years",
	} {
		if got := span(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
	p := progress{estimate: &explore.Estimate{Walks: 2, Sum: 4_000_000}}
	if got, want := p.words(1_000_000, 10*time.Second),
		"1,000,000 of about 2,000,000 executions, 100,000 a second, about 10 s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := p.limited("time limit reached", 1_000_000, 10*time.Second),
		"time limit reached after 1,000,000 of about 2,000,000 executions: about 10 s more are needed (raise "+
			"--timeout)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
