package agreement_test

import (
	"os"
	"path/filepath"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/agreement"
	"litmuscope/solver/engines"
)

// Models in the manner of published ones, by the names that the library has for these,
// say of the classic tests what the built-in models say.
func TestPublishedModels(t *testing.T) {
	for _, c := range []struct {
		file, model string
		archs       []string
	}{
		{"x86-filters", "tso", []string{"X86", "X86_64"}},
		{"x86-sets", "tso", []string{"X86", "X86_64"}},
		{"x86-lower", "tso", []string{"X86", "X86_64"}},
		{"sc-fences", "sc", []string{"X86", "PPC", "MIPS"}},
		{"ppc-includes", "power", []string{"PPC"}},
		{"ppc-recursive", "power", []string{"PPC"}},
		{"ppc-lower", "power", []string{"PPC"}},
		{"ppc-tuples", "power", []string{"PPC"}},
		{"arm", "arm", []string{"ARM"}},
		{"mips", "mips", []string{"MIPS"}},
		{"mips-tso", "tso", []string{"MIPS"}},
		{"riscv", "riscv", []string{"RISCV"}},
		{"riscv-fences", "riscv", []string{"RISCV"}},
		{"aarch64", "aarch64", []string{"AArch64"}},
		{"aarch64-fences", "aarch64", []string{"AArch64"}},
		{"aarch64-enumerated", "aarch64", []string{"AArch64"}},
		{"c11-orders", "c11", []string{"C"}},
		{"kernel", "lkmm", []string{"LKMM"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", "published", c.file+".cat"))
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{} // such as stand beside it
			if bell, err := os.ReadFile(filepath.Join("testdata", "published", c.file+".bell")); err == nil {
				files[c.file+".bell"] = string(bell)
			}
			for _, arch := range c.archs {
				agreed := 0
				for _, e := range catalogue.Core() {
					if dialect.Tongue(e.Source) != arch || e.Large {
						continue
					}
					task := solver.Task{Path: e.ID(), Source: e.Source, Model: c.model, Options: solver.DefaultOptions()}
					want := run(t, task)
					if want.Status != solver.OK || want.SettledBy != "" {
						continue // a loop, for which the bound is too small
					}
					task.Model, task.ModelText, task.ModelFiles = c.file+".cat", string(text), files
					got := run(t, task)
					if got.Status == solver.Unknown {
						continue // the same, of a loop that the built-in model sees through
					}
					if v, detail := agreement.CompareEngines(got, want); v != agreement.Agreed {
						t.Errorf("%s under %s and %s: %v: %s", e.ID(), task.Model, c.model, v, detail)
					} else {
						agreed++
					}
				}
				if agreed == 0 {
					t.Errorf("no test of %s", arch)
				}
			}
		})
	}
}

func run(t *testing.T, task solver.Task) *solver.Result {
	t.Helper()
	r, err := engines.Run(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
