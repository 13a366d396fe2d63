package web

import (
	"os"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/pool"
)

// What the notes of the classic tests promise, every engine must find.
func TestClassics(t *testing.T) {
	text, err := os.ReadFile("testdata/classics.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 4 {
			want[f[0]] = f[1:]
		}
	}
	for _, e := range catalogue.All() {
		verdicts, ok := want[e.Name]
		if !ok {
			t.Errorf("%s has no line in classics.txt", e.Name)
			continue
		}
		for i, model := range []string{"sc", "tso", "pso"} {
			for _, engine := range pool.Engines() {
				r, err := pool.Local{}.Run(t.Context(), solver.Task{
					Path: e.Name, Source: e.Source, Model: model, Engine: engine, Options: solver.DefaultOptions(),
				})
				if err != nil {
					t.Fatal(err)
				}
				if string(r.Verdict) != verdicts[i] {
					t.Errorf("%s under %s by %s: %s (%s%s), want %s", e.Name, model, engine, r.Verdict, r.Reason, r.Error, verdicts[i])
				}
			}
		}
	}
}
