package pool

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"text/tabwriter"
	"time"

	"litmuscope/litmus/family"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// BenchmarkFibonacci decides the Fibonacci tests by every engine, and reports the time as a multiple of etso's as well.
// An engine that has reached the time limit does not run on larger sizes. Below the measurements, a table has all of
// them.
func BenchmarkFibonacci(b *testing.B) {
	const limit, sizes = 20 * time.Second, 5
	p, err := New(Options{Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	options := solver.DefaultOptions()
	options.States, options.Timeout = 0, limit
	names := slices.DeleteFunc(engines.Names(), func(e string) bool { return e == "etso" })
	names = append([]string{"etso"}, names...)
	for _, name := range []string{"fib", "fib-never"} {
		f, ok := family.Find(name)
		if !ok {
			b.Fatalf("no family %s", name)
		}
		times := map[string][]float64{} // in ms, by engine and size; 0 where not known
		over := map[string]int{}        // the size at which an engine reached the limit
		for _, e := range names {
			times[e] = make([]float64, sizes+1)
		}
		for n := 1; n <= sizes; n++ {
			for _, e := range names {
				if over[e] > 0 {
					continue
				}
				b.Run(fmt.Sprintf("%s/%d/%s", name, n, e), func(b *testing.B) {
					task := solver.Task{Path: name, Source: f.Test(n), Engine: e, Options: options}
					sum := 0.0
					for b.Loop() {
						r, err := solver.Ask(context.Background(), p, task)
						switch {
						case err != nil:
							b.Fatal(err)
						case r.Status == solver.Unknown:
							over[e] = n
							b.Skip(r.Reason)
						case r.Status != solver.OK || f.Allowed != (r.Verdict == solver.Allowed):
							b.Fatalf("%s %s %s: want allowed %v", r.Status, r.Error, r.Verdict, f.Allowed)
						}
						sum += r.MS
					}
					ms := sum / float64(b.N)
					times[e][n] = ms
					b.ReportMetric(ms, "ms")
					if etso := times["etso"][n]; etso > 0 {
						b.ReportMetric(ms/etso, "etso×")
					}
				})
			}
		}
		printTimes(name, names, times, over, limit)
	}
}

// printTimes prints a row for each engine: ms, and the multiple of etso's.
func printTimes(name string, names []string, times map[string][]float64, over map[string]int, limit time.Duration) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\n%s\t", name)
	for n := 1; n < len(times["etso"]); n++ {
		fmt.Fprintf(w, "N=%d, ms\tetso×\t", n)
	}
	fmt.Fprintln(w)
	for _, e := range names {
		fmt.Fprintf(w, "%s\t", e)
		for n := 1; n < len(times[e]); n++ {
			ms, etso := times[e][n], times["etso"][n]
			switch {
			case over[e] == n:
				fmt.Fprintf(w, "> %.0f\t\t", limit.Seconds()*1000)
			case ms == 0:
				fmt.Fprint(w, "\t\t")
			case etso == 0:
				fmt.Fprintf(w, "%.1f\t\t", ms)
			default:
				fmt.Fprintf(w, "%.1f\t%.2g\t", ms, ms/etso)
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	_ = w.Flush()
}
