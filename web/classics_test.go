package web

import (
	"os"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// expectation is what a model says of a classic test.
type expectation struct{ model, verdict string }

// expectations reads classics.txt, by the IDs of the tests.
func expectations(t *testing.T) map[string][]expectation {
	t.Helper()
	text, err := os.ReadFile("testdata/classics.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]expectation{}
	var arch string
	var models []string
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] == "#":
		case slices.Contains(dialect.Archs(), f[0]):
			arch, models = f[0], f[1:]
		case len(f) != len(models)+1:
			t.Fatalf("%q has not a verdict for each of %q", line, models)
		default:
			id := catalogue.Entry{Arch: arch, Name: f[0]}.ID()
			if out[id] != nil {
				t.Errorf("%s is there twice", id)
			}
			for i, m := range models {
				out[id] = append(out[id], expectation{m, f[i+1]})
			}
		}
	}
	return out
}

// What the notes of the classic tests promise, the engines must find. Those that the
// tests of other packages hold against these two are not asked.
func TestClassics(t *testing.T) {
	want := expectations(t)
	options := solver.DefaultOptions()
	options.States = 0
	for _, e := range catalogue.All() {
		if want[e.ID()] == nil {
			t.Errorf("%s has no line in classics.txt", e.ID())
		}
		for _, x := range want[e.ID()] {
			for _, engine := range []string{"axiomatic", "machine"} {
				if engine == "machine" && !slices.Contains([]string{"sc", "tso", "pso"}, x.model) {
					continue
				}
				r, err := engines.Local{}.Run(t.Context(), solver.Task{
					Path: e.Name, Source: e.Source, Model: x.model, Engine: engine, Options: options,
				})
				if err != nil {
					t.Fatal(err)
				}
				if string(r.Verdict) != x.verdict || !r.Complete || r.SettledBy != "" {
					t.Errorf("%s under %s by %s: %s (%s%s), complete %v, settled by %q, want %s",
						e.ID(), x.model, engine, r.Verdict, r.Reason, r.Error, r.Complete, r.SettledBy, x.verdict)
				}
			}
		}
		delete(want, e.ID())
	}
	for id := range want {
		t.Errorf("classics.txt has %s, which is no classic test", id)
	}
}

// The note of a whole program says under which models it may fail.
func TestNotesOfWholePrograms(t *testing.T) {
	want := expectations(t)
	for _, e := range catalogue.All() {
		if !e.Large {
			continue
		}
		verdicts := [3]string{}
		for i, x := range want[e.ID()] {
			verdicts[i] = x.model + " " + x.verdict
		}
		says := map[[3]string]string{
			{"sc allowed", "tso allowed", "pso allowed"}:       "Allowed under sc, tso and pso.",
			{"sc forbidden", "tso allowed", "pso allowed"}:     "Forbidden under sc, allowed under tso and pso.",
			{"sc forbidden", "tso forbidden", "pso forbidden"}: "Forbidden under sc, tso and pso.",
		}[verdicts]
		if says == "" || !strings.HasSuffix(e.Note, " "+says) {
			t.Errorf("%s: %q, want it to end with %q", e.ID(), e.Note, says)
		}
	}
}
