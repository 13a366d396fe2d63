package propagation_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/operational/operationaltest"
	"litmuscope/solver/propagation"
)

// asks compares the answers of the axiomatic engine and the machine about a test under a model. It returns how long the
// machine takes, and an error for a difference.
func asks(ctx context.Context, model, source string) (time.Duration, error) {
	p, err := dialect.Parse("t.litmus", source)
	if err != nil {
		return 0, err
	}
	m, _ := models.Find(model)
	if err := propagation.Takes(m, p); err != nil {
		return 0, err
	}
	q := solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()}
	q.Options.States, q.Options.Executions, q.Options.Timeout = 100_000, 0, 20*time.Second
	start := time.Now()
	machine, err := propagation.Answer(ctx, q, "machine")
	if err != nil {
		return 0, err
	}
	took := time.Since(start)
	if machine.Cut != "" {
		return took, errors.New(machine.Reason)
	}
	axioms, err := axiomatic.Engine{}.Explore(ctx, q)
	if err != nil {
		return 0, err
	}
	a, b := operationaltest.Summary(axioms), operationaltest.Summary(machine)
	if a != b && (axioms.Complete || !machine.Complete ||
		!slices.EqualFunc(axioms.States, machine.States, slices.Equal)) {
		return took, fmt.Errorf("the axioms say %s, the machine says %s", a, b)
	}
	return took, nil
}

// The machines give the axioms' answers about the tests of the catalogue and of the reference corpus.
func TestMachinesAsAxiomsOnKnownTests(t *testing.T) {
	for _, c := range []struct{ model, arch, folder string }{{"power", "PPC", "ppc"}, {"arm", "ARM", "arm"}} {
		t.Run(c.model, func(t *testing.T) {
			var took []time.Duration
			isOf := func(e *catalogue.Entry) bool { return e.Arch == c.arch }
			for name, text := range operationaltest.Known(t, isOf, c.folder) {
				d, err := asks(t.Context(), c.model, text)
				if err != nil {
					t.Errorf("%s (%v): %v", name, d, err)
					continue
				}
				took = append(took, d)
			}
			slices.Sort(took)
			t.Logf("%d tests, median %v, 95%% %v, longest %v", len(took), took[len(took)/2],
				took[len(took)*95/100], took[len(took)-1])
		})
	}
}
