package modelcompare

import (
	"slices"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/compare"
	"litmuscope/web/parts/classic"
)

// The page says that a model is stronger only if every test agrees.
func TestConclusion(t *testing.T) {
	v := pageView{modelPair: &modelPair{}, MineLabel: "Mine", AgainstLabel: "TSO", Tests: 9}
	for _, tt := range []struct {
		tally tally
		want  string
	}{
		{tally{}, "No difference in 9 tests."},
		{tally{Undecided: 2}, "No difference in 7 tests."},
		{tally{Undecided: 9}, "No test has an answer under both models."},
		{
			tally{Weaker: 1},
			"1 of 9 tests differs. In these tests Mine is weaker: it allows everything that TSO allows, and more.",
		},
		{
			tally{Stronger: 3},
			"3 of 9 tests differ. In these tests Mine is stronger: it allows nothing that TSO forbids.",
		},
		{tally{Stronger: 3, Weaker: 1}, "4 of 9 tests differ. Mine allows more outcomes in 1 of them and fewer in 3."},
		{tally{Stronger: 3, Other: 1}, "4 of 9 tests differ. Mine allows more outcomes in 0 of them and fewer in 3."},
	} {
		if got := v.conclusion(tt.tally); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.tally, got, tt.want)
		}
	}
}

// A model without any outcome differs from one with outcomes, even if the verdicts agree.
func TestNothingAllowed(t *testing.T) {
	for _, tt := range []struct {
		name        string
		mine, other *solver.Result
		want        []compare.Kind
	}{
		{"mine allows nothing", result(), result("0"), []compare.Kind{compare.StatesB}},
		{"the other allows nothing", result("0"), result(), []compare.Kind{compare.StatesA}},
		{"neither allows anything", result(), result(), nil},
		{"the same", result("0"), result("0"), nil},
		{"one more", result("0", "1"), result("0"), []compare.Kind{compare.StatesA}},
	} {
		b := testPair{Sized: classic.Sized{}, results: []*solver.Result{tt.mine, tt.other}}
		b.compare(t.Context())
		var got []compare.Kind
		for _, d := range b.differences {
			got = append(got, d.Kind)
		}
		if b.err != nil || !slices.Equal(got, tt.want) || b.different() != (tt.want != nil) || b.problem() != "" {
			t.Errorf("%s: got %v, %v, %q, want %v", tt.name, got, b.err, b.problem(), tt.want)
		}
	}
	cut := false
	b := testPair{results: []*solver.Result{result("0"), result("0")}}
	b.results[1].StatesComplete = &cut
	if b.compare(t.Context()); b.problem() == "" {
		t.Error("two first parts of lists are taken for the same outcomes")
	}
}

func result(values ...string) *solver.Result {
	r := &solver.Result{Name: "T", Model: "m", Engine: "axiomatic", Status: solver.OK, Verdict: solver.Forbidden}
	for _, v := range values {
		r.States = append(r.States, solver.State{{Name: "x", Value: v}})
	}
	return r
}
