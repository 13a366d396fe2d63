package axiomatic_test

import (
	"math/rand"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/models/relaxed"
	"litmuscope/solver"
)

// fewest returns a program's failure that is as near to SC as possible, and its relaxations; nil where nothing fails.
func fewest(t *testing.T, p *ir.Program, model string) (*solver.Failure, *relaxed.Relaxed) {
	t.Helper()
	v := verify(t, p, model, solver.Verify{Properties: []ir.Property{ir.Assertion}, Minimise: true})
	if v.Failure == nil {
		return nil, nil
	}
	m, _ := models.Find(model)
	r, err := relaxed.Relax(m, model, v.Failure.Graph)
	if err != nil {
		t.Fatal(err)
	}
	return v.Failure, r
}

// What fails under SC has a witness that is an execution of SC, whatever the model, and nothing else
// has.
func TestFewestIsNearSC(t *testing.T) {
	failed, relaxed := 0, 0
	for seed := range int64(150) {
		text := irtest.Draw(rand.New(rand.NewSource(seed)))
		if strings.Contains(text, "t") && strings.Contains(text, "=t") { // begins with anything, which Run leaves out
			continue
		}
		p := irtest.Parse(text)
		for _, model := range []string{"tso", "pso"} {
			f, r := fewest(t, p, model)
			if f == nil {
				continue
			}
			failed++
			sc := irtest.Run(p, irtest.SC).Fails
			if (len(r.Cycle) == 0) != sc {
				t.Errorf("%s: seed %d: %s\nfails under SC: %v; relaxed: %+v", model, seed, text, sc, r.Cycle)
			}
			if !sc {
				relaxed++
			}
		}
	}
	t.Logf("%d failures, %d of them not under SC", failed, relaxed)
	if failed < 20 || relaxed == 0 {
		t.Errorf("%d failures, %d of them not under SC: draw more", failed, relaxed)
	}
}

// Threads without a part in a failure keep their order.
func TestFewestLeavesOthersAlone(t *testing.T) {
	p := irtest.Parse("spawn 1; spawn 2; spawn 3; x=1; a=y; join 1; if a=1 L; c=w; assert c=1; L:; d=0" +
		" || y=1; b=x; w=b || z=1; a=u || u=1; a=z")
	for _, model := range []string{"tso", "pso", "rmo"} {
		f, r := fewest(t, p, model)
		if f == nil || len(r.Cycle) == 0 {
			t.Fatalf("%s: %+v, %+v", model, f, r)
		}
		stale := 0
		for _, e := range f.Graph.Events {
			if e.Kind == "R" && e.Value == "0" && (e.Loc == "z" || e.Loc == "u") {
				stale++
			}
		}
		if stale == 2 {
			t.Errorf("%s: the loads of z and u are both early, which nothing asks for", model)
		}
	}
}
