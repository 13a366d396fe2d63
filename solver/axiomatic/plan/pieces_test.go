package plan_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/solver/axiomatic/plan"
)

// The expressions of axioms, those of users' models included, decide which axioms order accesses rather than their
// pieces.
func TestOrdersOfAccesses(t *testing.T) {
	orders := func(m *models.Model) string {
		mixed, err := m.Mixed()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, a := range mixed.Axioms {
			if a.Kind == cat.Acyclic && plan.ToAll(a.Expr) {
				out = append(out, a.Name)
			}
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	for name, want := range map[string]string{
		"sc": "consensus", "tso": "consensus", "pso": "consensus",
		"riscv": "model", "aarch64": "",
	} {
		m, _ := models.Find(name)
		if got := orders(m); got != want {
			t.Errorf("%s: %q order accesses, want %q", name, got, want)
		}
	}
	for expr, is := range map[string]bool{
		"po | (rf | fr | co) ; si":             true,
		"po | (rf | fr | co) ; sca-class":      true,
		"po | rf ; sm | fr ; sm | co":          false,
		"po & (R * M) ; [R] | rf ; sm":         true,
		"po ; [range(rf)] | rf ; sm":           false,
		"po ; [range(rf ; sm)] | rf ; sm":      true,
		"(po & loc) | rf ; sm":                 false,
		"po \\ (rf ; sm) | rf ; sm":            true,
		"po \\ rf | rf ; sm":                   false,
		"rf ; sm ; (addr | data)? | (rf ; sm)": true,
		"rf ; sm ; rfi? | fr ; sm":             false,
		"sm ; rf | fr ; sm":                    false,
		"po & (_ * FW) | rf ; sm":              false,
	} {
		m, err := models.Parse("mine", "\"Mine\"\nacyclic "+expr+" as order", dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		if got := orders(m) == "order"; got != is {
			t.Errorf("%s: %v, want %v", expr, got, is)
		}
	}
}
