package engines_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// What the catalogue says that a model says of a test, every engine that answers for the model must find. For whole
// programs, which may take the sequential engines minutes, this test asks the axiomatic engine and the machine, and
// task agreement asks the others. With -short, the others get one test in eight.
func TestCatalogueVerdicts(t *testing.T) {
	options := solver.DefaultOptions()
	options.States, options.Executions, options.Timeout = 0, 1, 0
	asked := 0
	for i, e := range catalogue.All() {
		two := e.Large || testing.Short() && i%8 != 0
		want := models.For(dialect.Tongue(e.Source))
		p, err := dialect.Parse(e.Name, e.Source)
		if err != nil {
			t.Fatal(err)
		}
		if p.Split { // of which some models say nothing
			want = slices.DeleteFunc(slices.Clone(want), func(name string) bool {
				m, ok := models.Find(name)
				if !ok {
					t.Fatalf("there is no model %s", name)
				}
				_, err := m.Mixed()
				return err != nil
			})
		}
		if got := modelsOf(e); !slices.Equal(got, want) {
			t.Fatalf("%s has verdicts for %q, want %q", e.ID(), got, want)
		}
		for _, v := range e.Verdicts {
			for _, engine := range engines.All() {
				if !engine.AnswersFor(v.Model) || two && engine.Name != "axiomatic" && engine.Name != "machine" {
					continue
				}
				r, err := engines.Run(t.Context(), solver.Task{
					Path: e.Name, Source: e.Source, Model: v.Model, Engine: engine.Name,
					Options: engine.Heeded(options),
				})
				if err != nil {
					t.Fatal(err)
				}
				if p.Split && engine.Name != "axiomatic" && engine.Name != "machine" && engine.Name != "graphs" {
					if !strings.Contains(r.Error, "does not support mixed-size accesses") {
						t.Errorf("%s under %s by %s: %s (%s), want a refusal", e.ID(), v.Model, engine.Name,
							r.Verdict, r.Error)
					}
					continue
				}
				asked++
				// A found outcome is allowed, whatever a bound hides besides.
				if string(r.Verdict) != v.Verdict || r.SettledBy != "" || !r.Complete && !v.Allowed() {
					t.Errorf("%s under %s by %s: %s (%s%s), complete %v, settled by %q; the catalogue says %s",
						e.ID(), v.Model, engine.Name, r.Verdict, r.Reason, r.Error, r.Complete, r.SettledBy, v.Verdict)
				}
			}
		}
	}
	t.Logf("%d verdicts of %d tests found anew", asked, len(catalogue.All()))
}

func modelsOf(e catalogue.Entry) []string {
	var out []string
	for _, v := range e.Verdicts {
		out = append(out, v.Model)
	}
	return out
}
