package engines

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
)

// Without one of its axioms, a model allows all that it allows with it: on the classic
// tests, every built-in model, every axiom.
func TestVariantsAllowMore(t *testing.T) {
	run := func(c catalogue.Entry, model string) *solver.Result {
		task := solver.Task{Path: c.ID(), Source: c.Source, Model: model, Options: solver.DefaultOptions()}
		r, err := Run(t.Context(), task)
		if err != nil || r.Status == solver.Failed || r.Model != model {
			t.Fatalf("%s under %s: %+v, %v", c.ID(), model, r, err)
		}
		return r
	}
	larger := map[string]int{}
	for _, c := range catalogue.Core() {
		if c.Large || c.Arch != "X86" && c.Arch != "PPC" && c.Arch != "AArch64" {
			continue
		}
		for _, name := range models.For(dialect.Tongue(c.Source)) {
			m, _ := models.Find(name)
			with := run(c, name)
			listed := map[string]bool{}
			for _, s := range with.States {
				listed[fmt.Sprint(s)] = true
			}
			for _, axiom := range m.Parts() {
				variant := name + "~" + axiom
				without := run(c, variant)
				for _, s := range without.States {
					delete(listed, fmt.Sprint(s))
				}
				if len(listed) > 0 && without.StatesComplete == nil {
					t.Errorf("%s: %s forbids %v, which %s allows", c.ID(), variant, listed, name)
				}
				if len(without.States) > len(with.States) {
					larger[variant]++
				}
				for _, s := range with.States {
					listed[fmt.Sprint(s)] = true
				}
				if with.Positive != nil && without.Positive != nil &&
					(*without.Positive < *with.Positive || *without.Negative < *with.Negative) {
					t.Errorf("%s: %s has fewer executions than %s", c.ID(), variant, name)
				}
			}
		}
	}
	// What a classic test shows about each.
	for _, variant := range []string{
		"sc~consensus", "tso~uniproc", "tso~atomicity", "tso~consensus",
		"power~observation", "power~propagation", "aarch64~internal", "aarch64~external",
	} {
		if larger[variant] == 0 {
			t.Errorf("no classic test tells %s from its model", variant)
		}
	}
}

// A variant is not the model of whose name it has a part: no machine answers for it, or
// settles what a bound has left open.
func TestVariantsHaveNoMachine(t *testing.T) {
	for _, e := range All()[1:] {
		if _, byAxioms := e.engine.(taker); byAxioms {
			continue
		}
		for _, model := range e.Models {
			m, err := models.Named(model)
			if err != nil {
				t.Fatal(err)
			}
			variant := model + "~" + m.Axioms[len(m.Axioms)-1].Name
			err = Admit(solver.Task{Model: variant, Engine: e.Name, Options: solver.DefaultOptions()})
			if err == nil || !strings.Contains(err.Error(), "not "+variant) {
				t.Errorf("%s: %v", e.Name, err)
			}
		}
	}
	loop := "X86 loop\n{}\n P0 | P1 ;\n MOV [x],$1 | L: ;\n MOV EAX,[y] | INC [y] ;\n | MOV EAX,[x] ;\n" +
		" | CMP EAX,$1 ;\n | JNE L ;\nexists (0:EAX=7)\n"
	settledBy := func(model string) *solver.Result {
		r, err := Run(t.Context(), solver.Task{Source: loop, Model: model, Options: solver.DefaultOptions()})
		if err != nil || r.Status == solver.Failed {
			t.Fatalf("%s: %+v, %v", model, r, err)
		}
		return r
	}
	if r := settledBy("tso~consensus"); r.Complete || r.SettledBy != "" {
		t.Errorf("tso~consensus: complete %v, settled by %q", r.Complete, r.SettledBy)
	}
}

// The same name, of a model with its own text.
func TestVariantsOfOwnModels(t *testing.T) {
	const text = "acyclic po-loc | rf | fr | co as coherence\nacyclic po | rf | fr | co as order\n" +
		"flag ~empty fre as fresh\n"
	run := func(model string) *solver.Result {
		r, err := Run(t.Context(),
			solver.Task{Path: "SB", Source: sb, Model: model, ModelText: text, Options: solver.DefaultOptions()})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for model, want := range map[string]string{
		"own":           "forbidden fresh",
		"own~order":     "allowed fresh",
		"dir/my.cat":    "forbidden fresh",
		"my.cat~ORDER":  "allowed fresh",
		"own~coherence": "forbidden fresh",
		"own~fresh":     "forbidden",
	} {
		r := run(model)
		if got := strings.Join(append([]string{string(r.Verdict)}, r.RaisedFlags()...), " "); got != want ||
			r.Model != model {
			t.Errorf("%s: %s (%s), want %s", model, got, r.Error, want)
		}
	}
	if r := run(
		"own~atomicity"); r.Error != `SB: there is no axiom "atomicity" in own: want one of coherence, order, fresh` {
		t.Error(r.Error)
	}
	key := func(model string) solver.Key {
		k, err := Key(solver.Task{Source: sb, Model: model, ModelText: text})
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	// A name is in remarks, and chooses files: two names have two answers.
	if key("own") == key("mine") || key("own") == key("own~order") || key("own~order") == key("mine~order") {
		t.Error("keys do not say what the variants are, and what they are called")
	}
}
