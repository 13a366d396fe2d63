package cycle_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// TestGeneratedTestsAskForTheirCycles makes tests of random cycles. Each parses. SC forbids its outcome, because SC
// preserves every edge of the cycle; a model that preserves nothing allows it, so the accesses are possible.
func TestGeneratedTestsAskForTheirCycles(t *testing.T) {
	options := solver.DefaultOptions()
	options.States, options.Executions = 0, 0
	verdict := func(t *rapid.T, source, model, text string) solver.Verdict {
		r, err := engines.Run(t.Context(),
			solver.Task{Path: "made", Source: source, Model: model, ModelText: text, Options: options})
		if err != nil || r.Status != solver.OK {
			t.Fatalf("%s: %v %s %s\n%s", model, err, r.Error, r.Reason, source)
		}
		return r.Verdict
	}
	if _, ok := models.Find("sc"); !ok {
		t.Fatal("there is no model sc")
	}
	for _, arch := range cycle.Archs() {
		t.Run(arch, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := cycle.RandomCycle(t, arch)
				again, err := cycle.ParseCycle(arch, c.String())
				if err != nil || again.String() != c.String() {
					t.Fatalf("%s is read as %s: %v", c, again, err)
				}
				source, err := cycle.Generate(arch, c, "")
				if err != nil {
					if strings.Contains(err.Error(), "registers") {
						t.Skip("the thread needs more registers than there are") // rapid fails if few remain
					}
					t.Fatal(err)
				}
				if _, err := dialect.Parse("made", source); err != nil {
					t.Fatalf("%v\n%s", err, source)
				}
				if cycle.ContradictsSC(c) && verdict(t, source, "sc", "") != solver.Forbidden {
					t.Fatalf("SC allows\n%s", source)
				}
				if verdict(t, source, "free", "\"Nothing is in order\"\nempty 0\n") != solver.Allowed {
					t.Fatalf("a model without axioms forbids\n%s", source)
				}
			})
		})
	}
}

// randomParts gives each access of a cycle a part of its location.
func randomParts(t *rapid.T, c cycle.Cycle) cycle.Cycle {
	out := slices.Clone(c)
	for i := range out {
		part := rapid.SampledFrom(cycle.Parts()).Draw(t, "part")
		// Often the same bytes as what it communicates with.
		if before := out[(i+len(out)-1)%len(out)]; i > 0 && before.Same &&
			(before.Kind == cycle.Rmw || rapid.Bool().Draw(t, "same")) {
			part = before.From.Part
		}
		out[i].From.Part, out[(i+len(out)-1)%len(out)].To.Part = part, part
	}
	return out
}

// TestCyclesWithSizes makes tests of random cycles whose accesses are to parts of locations: the possible ones parse,
// and SC forbids their outcomes.
func TestCyclesWithSizes(t *testing.T) {
	options := solver.DefaultOptions()
	options.States, options.Executions = 0, 0
	for _, arch := range []string{"AArch64", "X86_64", "RISCV", "PPC"} {
		made, found := 0, 0
		t.Run(arch, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := randomParts(t, cycle.RandomCycle(t, arch))
				for try := 0; !cycle.Fits(arch, c); try++ {
					if try == 50 {
						return // as good as no parts of it fit
					}
					if c = randomParts(t, c.Whole()); try%10 == 9 {
						c = randomParts(t, cycle.RandomCycle(t, arch))
					}
				}
				again, err := cycle.ParseCycle(arch, c.String())
				if err != nil || again.String() != c.String() {
					t.Fatalf("%s is read as %s: %v", c, again, err)
				}
				source, err := cycle.Generate(arch, c, "")
				if err != nil {
					if strings.Contains(err.Error(), "registers") {
						return
					}
					t.Fatal(err)
				}
				made++
				verdict := func(model, text string) solver.Verdict {
					r, err := engines.Run(t.Context(),
						solver.Task{Path: "made", Source: source, Model: model, ModelText: text, Options: options})
					if err != nil || r.Status != solver.OK {
						t.Fatalf("%s: %v %s %s\n%s", model, err, r.Error, r.Reason, source)
					}
					return r.Verdict
				}
				if cycle.ContradictsSC(c) && verdict("sc", "") != solver.Forbidden {
					t.Fatalf("SC allows\n%s", source)
				}
				test, err := litmus.Parse("made", source)
				if err != nil {
					t.Fatal(err)
				}
				if c.IsOf(test) {
					found++
				}
			})
		})
		t.Logf("%s: %d tests made, of %d of which it is known that they are of their cycles", arch, made, found)
		if made < 10 || found < made/2 {
			t.Errorf("%s: %d tests made, %d known", arch, made, found)
		}
	}
}

// TestMachinesOnRandomCycles compares the outcomes that the promising machines and the view machine reach with those
// that the axioms allow.
func TestMachinesOnRandomCycles(t *testing.T) {
	options := solver.DefaultOptions()
	options.States, options.Timeout = 100_000, 0
	for arch, model := range map[string]string{"AArch64": "aarch64", "RISCV": "riscv", "C": "rc11"} {
		t.Run(model, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				source, err := cycle.Generate(arch, cycle.RandomCycle(t, arch), "")
				if err != nil {
					return // the thread needs more registers than there are
				}
				if p, err := dialect.Parse("made", source); err != nil || len(p.Threads) > 4 {
					return // it takes too long to list all states of many threads
				}
				ask := func(engine string) *solver.Result {
					r, err := engines.Run(t.Context(), solver.Task{
						Path: "made", Source: source, Model: model, Engine: engine, Options: options,
					})
					if err != nil || r.Status != solver.OK {
						t.Fatalf("%s: %v %s %s\n%s", engine, err, r.Error, r.Reason, source)
					}
					return r
				}
				axioms, machine := ask("axiomatic"), ask("machine")
				if !slices.EqualFunc(axioms.States, machine.States, slices.Equal) || axioms.Verdict != machine.Verdict {
					t.Fatalf("the axioms allow %d states, and the machine reaches %d: %s, %s\n%s", len(axioms.States),
						len(machine.States), axioms.Verdict, machine.Verdict, source)
				}
			})
		})
	}
}
