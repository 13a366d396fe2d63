package web_test

import (
	"net/http"
	"slices"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/webtest"
)

func TestHomeOpensATestOfAnotherArchitecture(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, target := range []string{"/?test=PPC/MP%2Blwsync%2Baddr", "/?test=PPC/MP+lwsync+addr"} {
		w := get(h, target)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body,
			in("textarea#source", hasText(`^PPC MP\+lwsync\+addr`)),
			in("#pick-name", hasText(`^MP\+lwsync\+addr$`)),
			in("a#pick[href=/catalogue]", hasAttr("data-test", `^PPC/MP\+lwsync\+addr$`)),
			in(".models input[value=sc][checked]"),
			in(".models input[value=tso][checked]"),
			in(".models input[value=power][checked]"),
			notIn(".models details input[value=aarch64]"),
			in(".models details input[value=alpha]"),
			notIn(".models details input[checked]"),
		)
	}
}

// Every model is there to be ticked, once, whatever is in sight.
func TestModelsInSight(t *testing.T) {
	for _, arch := range append(dialect.Tongues(), "", "VAX") {
		all := formfields.ViewModels([]string{"aarch64"}, arch)
		want := len(models.Names())
		for _, name := range models.ScopedNames() { // which are for the tests of GPUs alone
			if slices.Contains(models.FactsOf(name).Languages, arch) {
				want++
			}
		}
		if len(all) != want {
			t.Errorf("%s: %d models, want %d", arch, len(all), want)
		}
		if dialect.HasScopes(arch) {
			for _, m := range all {
				own := slices.Contains(models.FactsOf(m.Name).Languages, arch)
				if m.Front != (own || m.Name == "aarch64") {
					t.Errorf("%s: %s in sight: %v", arch, m.Name, m.Front)
				}
			}
			continue
		}
		front := map[string]bool{}
		theory := 0
		for i, m := range all {
			front[m.Name] = m.Front
			if models.FactsOf(m.Name).IsTheory() {
				theory++
				if m.Front != (m.Name == "sc") {
					t.Errorf("%s: %s in sight: %v", arch, m.Name, m.Front)
				}
			} else if theory > 0 {
				t.Errorf("%s: %s stands behind a model of theory", arch, m.Name)
			}
			if own := models.Default(arch); own != "" && (m.Name == own) != (i == 0) {
				t.Errorf("%s: %s is number %d", arch, m.Name, i)
			}
		}
		for _, name := range []string{"sc", "tso", "aarch64", models.Default(arch)} {
			if name != "" && !front[name] {
				t.Errorf("%s: %s is not in sight", arch, name)
			}
		}
		if inC := arch == "C" || arch == dialect.Kernel || arch == "LISA"; front["riscv"] == inC {
			t.Errorf("%s: riscv in sight: %v", arch, front["riscv"])
		}
		if front["mips"] != (arch == "MIPS") {
			t.Errorf("%s: mips in sight: %v", arch, front["mips"])
		}
	}
}
