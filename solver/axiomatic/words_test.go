package axiomatic_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/relaxed"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

var update = flag.Bool("update", false, "write the golden files anew; then read the difference")

// asked are the models to check, by the classics' architecture.
var asked = map[string][]string{
	"X86": {"sc", "tso", "pso"}, "PPC": {"rmo", "alpha", "power", "power-cav10"},
	"ARM": {"arm"}, "AArch64": {"aarch64"}, "RISCV": {"riscv"}, "MIPS": {"mips"},
}

// The words about each classic test: why not, where the model forbids it; why yet, where SC would.
func TestWordsOfClassics(t *testing.T) {
	var b strings.Builder
	for _, e := range catalogue.Core() {
		if e.Large {
			continue
		}
		for _, name := range asked[e.Arch] {
			r, x := answer(t, e.Source, name)
			fmt.Fprintf(&b, "%s under %s: %s\n", e.ID(), name, r.Verdict)
			switch {
			case r.Explanation != nil && r.Explanation.Axiom == "":
				fmt.Fprintf(&b, "  %s\n", r.Explanation.Reason)
			case r.Explanation != nil:
				fmt.Fprintf(&b, "  %s\n  %s\n", r.Explanation.Sentence, labels(r.Explanation))
			case x != nil:
				fmt.Fprintf(&b, "  %s\n", x.Sentence)
				for _, s := range x.Cycle {
					if s.Words != "" {
						fmt.Fprintf(&b, "  - %s\n", s.Words)
					}
				}
				if x.Remedy != "" {
					fmt.Fprintf(&b, "  %s\n", x.Remedy)
				}
			}
		}
	}
	const file = "testdata/words.txt"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, old := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(got), len(old)) {
		if got[i] != old[i] {
			t.Fatalf("%s:%d: got\n%s\nwant\n%s", file, i+1, got[i], old[i])
		}
	}
	if len(got) != len(old) {
		t.Errorf("%s has %d lines, want %d", file, len(old), len(got))
	}
}

// answer asks for a test's verdict, and compares what it allows with SC.
func answer(t *testing.T, source, model string) (*solver.Result, *relaxed.Relaxed) {
	t.Helper()
	p, err := dialect.Parse("test.litmus", source)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := models.Find(model)
	o := solver.DefaultOptions()
	o.Explain, o.Witnesses = true, true
	r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: o})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	for _, out := range r.Outcomes {
		if !out.Satisfies {
			continue
		}
		x, err := relaxed.Relax(m, strings.ToUpper(model), out.Graph)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		return r, x
	}
	return r, nil
}

// labels are the cycle of an explanation in the model's words, with what each rests on.
func labels(e *solver.Explanation) string {
	var out []string
	for _, c := range e.Cycle {
		text := c.Relation
		var uses []string
		for _, u := range c.Uses {
			d := e.Definitions[u]
			uses = append(uses, fmt.Sprintf("%s %s:%d", d.Name, d.File, d.From))
		}
		if len(uses) > 0 {
			text += " [" + strings.Join(uses, ", ") + "]"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ; ")
}
