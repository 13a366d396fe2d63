package sequential_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/machine"
	"litmuscope/solver/sequential"
)

// engine finds a sequential engine.
func engine(name string) sequential.Engine {
	for _, e := range sequential.Engines {
		if e.Name() == name {
			return e
		}
	}
	panic("no engine " + name)
}

// explore has an engine answer under a model, with options changed from their defaults.
func explore(e solver.Engine, model string, p *ir.Program, change func(*solver.Options)) (*solver.Result, error) {
	m, ok := models.Find(model)
	if !ok {
		return nil, fmt.Errorf("no model %s", model)
	}
	o := solver.DefaultOptions()
	o.Timeout = 0
	if change != nil {
		change(&o)
	}
	r, err := e.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: o})
	if err == nil && r.Status == solver.Failed {
		err = errors.New(r.Error)
	}
	return r, err
}

func sameStates(a, b []solver.State) bool {
	return slices.EqualFunc(a, b, func(x, y solver.State) bool { return slices.Equal(x, y) })
}

// The outcomes of every engine are those of the machine and of the axiomatic engine; the engine has already replayed
// each witness.
func agree(t *testing.T, name string, p *ir.Program) {
	t.Helper()
	others, known := []solver.Engine{machine.Engine{}, axiomatic.Engine{}}, map[string][]*solver.Result{}
	for _, e := range sequential.Engines {
		model := e.Models()[0]
		got, err := explore(e, model, p, nil)
		if err != nil {
			t.Fatalf("%s: %s: %v", name, e.Name(), err)
		}
		for len(known[model]) < len(others) {
			other := others[len(known[model])]
			want, err := explore(other, model, p, func(o *solver.Options) { o.Executions = 0 })
			if err != nil {
				t.Fatalf("%s: %s: %v", name, other.Name(), err)
			}
			known[model] = append(known[model], want)
		}
		for i, other := range others {
			want := known[model][i]
			if !got.Complete || !want.Complete || !sameStates(got.States, want.States) || got.Verdict != want.Verdict {
				t.Errorf("%s: %s has %v (%s, complete %v), %s has %v (%s)",
					name, e.Name(), got.States, got.Verdict, got.Complete, other.Name(), want.States, want.Verdict)
			}
		}
	}
}

func TestClassicsAgree(t *testing.T) {
	for id, p := range classics(t, dialect.Archs()...) {
		t.Run(id, func(t *testing.T) { agree(t, id, p) })
	}
}

// Most programs are short, for outcomes soon become hundreds.
func TestRandomProgramsAgree(t *testing.T) {
	small, large := 1000, 10
	if testing.Short() {
		small, large = 200, 2
	}
	r := rand.New(rand.NewSource(3))
	for short, long := 0, 0; short < small || long < large; {
		p := randomThreads(r)
		steps := 0
		for _, th := range p.Threads {
			steps += len(th.Code)
		}
		switch {
		case !supported(p):
			continue
		case steps <= 5 && short < small:
			short++
		case steps > 5 && long < large:
			long++
		default:
			continue
		}
		agree(t, describe(p), p)
	}
}

// supported tells whether the engines answer for a random program at all.
func supported(p *ir.Program) bool {
	_, err := explore(engine("lazy-cseq"), "sc", p, func(o *solver.Options) { o.States = 0 })
	return err == nil
}

// With a lower k, k-round is TSO where threads have k+1 rounds, and k-store-age TSO where
// stores reach an age of k.
func TestRestrictedRoundsAndAges(t *testing.T) {
	check := func(name string, p *ir.Program) {
		for k := range 3 {
			for e, want := range map[string]map[string]ir.State{
				"k-round":     restricted(unrolled(p), k+1, -1),
				"k-store-age": restricted(unrolled(p), 0, k),
			} {
				r, err := explore(engine(e), "tso", p, func(o *solver.Options) { o.K = k })
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if got := fmt.Sprint(r.States); got != printed(p, want) {
					t.Errorf("%s: %s with k=%d has %s, the oracle %s", name, e, k, got, printed(p, want))
				}
			}
		}
	}
	for name, p := range classics(t, "X86") {
		check(name, p)
	}
	for _, source := range bounded {
		p, err := dialect.Parse("bounded", source)
		if err != nil {
			t.Fatal(err)
		}
		check(p.Name, p)
	}
	r := rand.New(rand.NewSource(4))
	for range 40 {
		if p := randomThreads(r); supported(p) {
			check(describe(p), p)
		}
	}
}
