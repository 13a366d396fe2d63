package agreement_test

import (
	"fmt"
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
		{"x86-classes", "tso", []string{"X86", "X86_64"}},
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
		{"aarch64-2026", "aarch64", []string{"AArch64"}},
		{"bpf-2025", "bpf", []string{"BPF"}},
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
					task := solver.Task{
						Path: e.ID(), Source: e.Source, Model: c.model,
						Options: solver.DefaultOptions(),
					}
					want := run(t, task)
					if want.Status != solver.OK || want.SettledBy != "" {
						continue // a loop that needs a larger bound
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

// An atomic instruction's write has an intrinsic data dependency on its read if it writes a function of the value read,
// and an intrinsic control dependency if the value read decides whether it writes. Each engine says so, for AArch64.
func TestIntrinsicDependencies(t *testing.T) {
	for _, c := range []struct {
		arch, instruction string
		data, ctrl        bool
	}{
		{"AArch64", "LDR W2,[X1]", false, false},
		{"AArch64", "SWP W2,W3,[X1]", false, false},
		{"AArch64", "LDADD W2,W3,[X1]", true, false},
		{"AArch64", "STADD W2,[X1]", true, false},
		{"AArch64", "CAS W2,W3,[X1]", false, true},
		{"X86", "XADD [x],EAX", false, false},
		{"RISCV", "amoadd.w x7,x8,(x6)", false, false}, // RISC-V's dependencies do not go through an instruction
	} {
		pointer := map[string]string{"AArch64": "0:X1=x;", "RISCV": "0:x6=x;"}[c.arch]
		source := fmt.Sprintf("%s test\n{ %s x=0; }\n P0 ;\n %s ;\nexists (x=0 \\/ ~x=0)", c.arch, pointer,
			c.instruction)
		for relation, related := range map[string]bool{
			"iico_data": c.data, "iico_ctrl": c.ctrl, "iico_order": false,
			"iico_data \\ rmw": false, "iico_ctrl \\ rmw": false, "[W] ; (iico_data | iico_ctrl)": false,
		} {
			for _, engine := range []string{"axiomatic", "graphs"} {
				task := solver.Task{
					Path: "test.litmus", Source: source, Engine: engine, Model: "m.cat",
					Options: solver.DefaultOptions(),
				}
				task.ModelText = "acyclic po | rf | fr | co\nempty " + relation
				r := run(t, task)
				if r.Status != solver.OK {
					t.Errorf("%s, %s: %s %s", c.instruction, engine, r.Error, r.Reason)
				} else if got := len(r.States) < 1; got != related {
					t.Errorf("%s, %s: %s relates something: %v, want %v", c.instruction, engine, relation, got, related)
				}
			}
		}
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
