package pool

import (
	"context"
	"flag"
	"runtime"
	"slices"
	"testing"
	"time"

	"litmuscope/litmus/cycle"
	"litmuscope/solver"
	"litmuscope/solver/agreement"
	"litmuscope/solver/batch"
)

// wholeFamily makes TestCycleFamily take every test: go test -family -v -timeout 0
// -run TestCycleFamily ./solver/pool.
var wholeFamily = flag.Bool("family", false, "take all tests of TestCycleFamily, not a sample")

// relaxations make the family: program order, fences, exchanges, and what a thread sees
// of its own writes before and after either, in twos and threes.
const relaxations = `Rfe Fre Wse Pod** MFenced** Pos** Rmw Rfi Fri Wsi
	[Rfi,Pod**] [Rfi,MFenced**] [Rfi,Pod**,Rfi] [Pod**,Rfi] [MFenced**,Rfi] [Pod**,Fri] [Pod**,Wsi] [Fri,Pod**] [Fri,MFenced**]
	[Pod**,Pod**] [Pod**,MFenced**] [MFenced**,Pod**] [PosRR,Pod**] [Pod**,PosRR]`

// Of the tests of all cycles of four to six accesses on x86, every engine for TSO has the
// same outcomes, and SC forbids what each asks for.
func TestCycleFamily(t *testing.T) {
	list, err := cycle.ParseRelaxations("X86", relaxations)
	if err != nil {
		t.Fatal(err)
	}
	options := solver.DefaultOptions()
	options.Timeout = 0 // the machine may be busy
	var tests []solver.Task
	names := make(cycle.Names)
	err = cycle.Family(t.Context(), list, 4, 6, func(c cycle.Cycle) error {
		name := names.Of(c)
		source, err := cycle.Generate("X86", c, name)
		tests = append(tests, solver.Task{Path: name, Source: source, Options: options})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(tests) < 2000 {
		t.Fatalf("the family has %d tests", len(tests))
	}
	t.Logf("%d tests", len(tests))
	if !*wholeFamily {
		some := tests[:0]
		for i := 0; i < len(tests); i += 40 {
			some = append(some, tests[i])
		}
		tests = some
	}

	p, err := New(Options{Workers: runtime.NumCPU()})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	run := func(engine, model string) (results []*solver.Result) {
		began, spent := time.Now(), 0.0
		err := batch.InOrder(t.Context(), runtime.NumCPU(), slices.Values(tests),
			func(ctx context.Context, task solver.Task) *solver.Result {
				task.Engine, task.Model = engine, model
				r, err := solver.Ask(ctx, p, task)
				if err != nil {
					r = &solver.Result{Status: solver.Failed, Error: err.Error()}
				}
				return r
			},
			func(r *solver.Result) error {
				results = append(results, r)
				spent += r.MS / 1000
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		allowed := 0
		for _, r := range results {
			if r.Verdict == solver.Allowed {
				allowed++
			}
		}
		t.Logf("%-12s %-4s %d of %d allowed, %.1f s (%.1f s of all workers)", engine, model, allowed, len(results),
			time.Since(began).Seconds(), spent)
		return results
	}
	for _, r := range run("axiomatic", "sc") {
		if r.Verdict != solver.Forbidden {
			t.Errorf("%s: SC has it %s %s", r.Name, r.Verdict, r.Error)
		}
	}
	reference := run("axiomatic", "tso")
	for _, engine := range []string{"machine", "etso", "k-store-age"} {
		different := 0
		for i, r := range run(engine, "tso") {
			if v, detail := agreement.CompareEngines(reference[i], r); v != agreement.Agreed {
				t.Errorf("%s: %s: %s", tests[i].Path, v, detail)
				different++
			}
		}
		t.Logf("%-12s differs from axiomatic in %d of %d", engine, different, len(tests))
	}
}
