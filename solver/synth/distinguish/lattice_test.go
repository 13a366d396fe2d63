package distinguish_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/models"
	"litmuscope/models/published"
	"litmuscope/solver"
	"litmuscope/solver/synth/distinguish"
)

// Every dialect's models, built in and published, in their order by strength: the committed lattices are what the
// engine finds, -update writes them. With -short, the test checks the smallest tests alone, whose order the committed
// one must extend.
func TestLattices(t *testing.T) {
	all := map[string]*distinguish.Lattice{}
	for _, arch := range distinguish.Archs() {
		all[arch] = distinguish.LatticeOf(arch)
		t.Run(arch, func(t *testing.T) {
			if *only != "" && !slices.Contains(models.For(arch), *only) {
				t.Skipf("%s is no model of %s", *only, arch)
			}
			sides := sidesOf(arch)
			most := 5
			if testing.Short() && !*update {
				most = 3
			}
			s := survey(t, arch, most, sides...)
			larger := map[string]bool{"": true} // what replaces larger cycles in a short test
			for _, test := range published.Tests(arch) {
				s.Also = append(s.Also, distinguish.Test{Name: test.Name, Source: test.Source})
				larger[test.Name] = true
			}
			if litmus.Scopes(arch) != nil {
				for _, test := range distinguish.LargerTests(arch) {
					s.Also = append(s.Also, test)
					larger[test.Name] = true
				}
			}
			l, err := s.Lattice(t.Context(), func() {})
			if err != nil {
				t.Fatal(err)
			}
			if l.Open > 0 || l.ExhaustedTo != most {
				t.Errorf("%d open, exhausted to %d", l.Open, l.ExhaustedTo)
			}
			all[arch] = l
			if *update {
				return
			}
			want := distinguish.LatticeOf(arch)
			if want == nil || !slices.Equal(l.Models, want.Models) {
				t.Fatalf("there is no lattice of %v", l.Models)
			}
			for i := range l.Models {
				for j := range l.Models {
					got, want := l.Apart[i][j], want.Apart[i][j]
					if got != want && (!testing.Short() || !larger[got.Name]) {
						t.Errorf("%s forbids, %s allows: got %v, want %v", l.Models[i], l.Models[j], got, want)
					}
				}
			}
		})
	}
	if *update {
		var lattices []*distinguish.Lattice
		for _, arch := range distinguish.Archs() {
			if all[arch] != nil {
				lattices = append(lattices, all[arch])
			}
		}
		text, err := json.MarshalIndent(lattices, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("lattices.json", append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func sidesOf(arch string) (sides []solver.Task) {
	for _, name := range models.For(arch) {
		sides = append(sides, builtin(name))
	}
	for _, v := range published.Of(arch) {
		sides = append(sides, solver.Task{Model: v.Name, ModelText: v.Text})
	}
	return sides
}

// Published facts about versions: tests that the one has and another has not, as papers tell.
func TestVersions(t *testing.T) {
	has := func(arch, name string) string {
		if i := slices.IndexFunc(published.Tests(arch),
			func(test published.Test) bool { return test.Name == name }); i >= 0 {
			return published.Tests(arch)[i].Source
		}
		for _, e := range catalogue.All() {
			if e.Arch == arch && e.Name == name {
				return e.Source
			}
		}
		t.Fatalf("there is no test %s in %s", name, arch)
		return ""
	}
	for _, c := range []struct{ arch, test, forbid, allow string }{
		{"ARM", "MP+dmb+fri-rfi-ctrlisb", "power-arm-2014", "arm arm-llh-2014"}, // early commit
		{"ARM", "CoRR", "power-arm-2014 arm", "arm-llh-2014"},                   // load-load hazards
		{"RISCV", "SB+amoswap.rl+lr.aq", "riscv ztso-2019", "rvwmo-draft-2017"}, // RCsc, and RCpc
		{"AArch64", "SB+swpals", "aarch64", "aarch64-2021"},
		{"AArch64", "LB+poap+amo.cas-rfi-addr", "aarch64", "aarch64-2018 aarch64-2021"}, // choices
		{"X86", "SB", "", "tso x86-tso-2009 sparc-pso-1992"},
		{"X86", "MP", "tso x86-tso-2009", "sparc-pso-1992"},
	} {
		for want, names := range map[solver.Verdict]string{solver.Forbidden: c.forbid, solver.Allowed: c.allow} {
			for name := range strings.FieldsSeq(names) {
				v, ok := published.Find(name)
				if !ok || !slices.Contains(v.Archs, c.arch) {
					t.Fatalf("there is no version %s in %s", name, c.arch)
				}
				if got := verdict(t, has(c.arch, c.test), solver.Task{Model: v.Name, ModelText: v.Text}); got != want {
					t.Errorf("%s: %s under %s, want %s", c.test, got, name, want)
				}
			}
		}
	}
}

// Known facts about the classic models' order.
func TestLatticeOfX86(t *testing.T) {
	l := distinguish.LatticeOf("X86")
	at := func(m string) int { return slices.Index(l.Models, m) }
	for _, chain := range []string{"sc tso pso rmo"} {
		names := strings.Fields(chain)
		for i := range names[1:] {
			if !l.Stronger(at(names[i]), at(names[i+1])) {
				t.Errorf("%s is not stronger than %s", names[i], names[i+1])
			}
		}
	}
	if got := l.Apart[at("sc")][at("tso")].Name; got != "SB" {
		t.Errorf("%s tells SC from TSO", got)
	}
	if l.Stronger(at("tso"), at("sc")) || l.Alike(at("sc"), at("tso")) {
		t.Error("TSO is stronger than SC, or alike")
	}
}
