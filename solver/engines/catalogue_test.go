package engines_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
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
	asked, refused := 0, 0
	for i, e := range catalogue.All() {
		two := e.Large || testing.Short() && i%32 != 0
		want := models.For(dialect.Tongue(e.Source))
		p, err := dialect.Parse(e.Name, e.Source)
		if err != nil {
			t.Fatal(err)
		}
		if p.Split || p.System { // of which some models say nothing
			want = slices.DeleteFunc(slices.Clone(want), func(name string) bool {
				m, ok := models.Find(name)
				if !ok {
					t.Fatalf("there is no model %s", name)
				}
				whole := m.Mixed
				if p.System {
					whole = m.System
				}
				_, err := whole()
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
				buffers := engine.Name == "machine" && engine.VerifiesUnder(v.Model)
				promises := v.Model == "aarch64" || v.Model == "riscv"
				propagates := v.Model == "arm" || v.Model == "power"
				ownArch := p.Arch == "AArch64" || p.Arch == "RISCV"
				if engine.Name == "machine" && promises && (writesOf(p) > 4 || !ownArch || two) {
					continue // promising machines take all orders of writes
				}
				if engine.Name == "machine" && v.Model == "arm" && e.ID() == "BPF/3.LB+data+data+fri" {
					continue // see propagation.TestDifferences
				}
				if engine.Name == "machine" && propagates && (writesOf(p) > 4 || loops(p) || two) {
					continue // machines with propagation take all orders in which writes reach threads
				}
				r, err := engines.Run(t.Context(), solver.Task{
					Path: e.Name, Source: e.Source, Model: v.Model, Engine: engine.Name,
					Options: engine.Heeded(options),
				})
				if err != nil {
					t.Fatal(err)
				}
				if p.Scopes != nil && engine.Name != "axiomatic" {
					if !strings.Contains(r.Error, "does not support scopes") {
						t.Errorf("%s under %s by %s: %s (%s), want a refusal", e.ID(), v.Model, engine.Name,
							r.Verdict, r.Error)
					}
					continue
				}
				if p.System && engine.Name != "axiomatic" {
					if !strings.Contains(r.Error, "does not support memory tags, exceptions") {
						t.Errorf("%s under %s by %s: %s (%s), want a refusal", e.ID(), v.Model, engine.Name,
							r.Verdict, r.Error)
					}
					continue
				}
				if p.Split && engine.Name != "axiomatic" && !buffers && engine.Name != "graphs" {
					if !strings.Contains(r.Error, "does not support mixed-size accesses") {
						t.Errorf("%s under %s by %s: %s (%s), want a refusal", e.ID(), v.Model, engine.Name,
							r.Verdict, r.Error)
					}
					continue
				}
				if engine.Name == "machine" && propagates && refuses(r.Error) {
					refused++
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
	t.Logf("%d verdicts of %d tests found anew, %d refused by name", asked, len(catalogue.All()), refused)
}

// loops reports whether a program has jumps backwards.
func loops(p *ir.Program) bool {
	for _, th := range p.Threads {
		for i, step := range th.Code {
			if b, ok := step.Op.(ir.Branch); ok && b.Target <= i {
				return true
			}
		}
	}
	return false
}

// refuses reports whether an error is that of a machine with propagation about what other architectures have.
func refuses(text string) bool {
	return slices.ContainsFunc([]string{
		"atomic instructions other than pairs of a reserving load and a conditional store",
		"accesses that acquire or release", "fences of a location",
		"a fence that orders some accesses but not others in this way",
	}, func(what string) bool {
		return strings.Contains(text, " does not support "+what+": choose another engine")
	})
}

// writesOf counts the writes in a program's text.
func writesOf(p *ir.Program) (n int) {
	for _, th := range p.Threads {
		for _, s := range th.Code {
			switch s.Op.(type) {
			case ir.Store, ir.StoreCond, ir.RMW:
				n++
			}
		}
	}
	return n
}

func modelsOf(e catalogue.Entry) []string {
	var out []string
	for _, v := range e.Verdicts {
		out = append(out, v.Model)
	}
	return out
}
