package sequential_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/machine"
	"litmuscope/solver/sequential"
)

// explore answers for a program, with options changed from their defaults.
func explore(t *testing.T, e solver.Engine, model string, p *litmus.Program, change func(*solver.Options)) *solver.Result {
	t.Helper()
	m, ok := models.Find(model)
	if !ok {
		t.Fatalf("no model %s", model)
	}
	o := solver.DefaultOptions()
	o.Timeout = 0
	if change != nil {
		change(&o)
	}
	r, err := e.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: o})
	if err != nil {
		t.Fatalf("%s: %v", e.Name(), err)
	}
	return r
}

func sameStates(a, b []solver.State) bool {
	return slices.EqualFunc(a, b, func(x, y solver.State) bool { return slices.Equal(x, y) })
}

func TestClassicsAgreeWithTheMachines(t *testing.T) {
	for id, p := range classics(t, "X86") {
		for _, e := range sequential.Engines {
			want := explore(t, machine.Engine{}, e.Models()[0], p, nil)
			began := time.Now()
			got := explore(t, e, e.Models()[0], p, nil)
			t.Logf("%-12s %-20s %8.1f ms  %d vars %d clauses %d solves; solve %.1f check %.1f bounds %v", e.Name(), id, float64(time.Since(began))/1e6, got.Stats.Vars, got.Stats.Clauses, got.Stats.Solves, got.Stats.Solve, got.Stats.Check, got.Bounds)
			if !sameStates(got.States, want.States) {
				t.Errorf("%s on %s: %v, the machine has %v", e.Name(), id, got.States, want.States)
			}
		}
	}
}
