package agreement_test

import (
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/agreement"
)

// A reference of a test for GPUs has one property: the condition, or that there is no data race.
func TestPropertiesOfGPUs(t *testing.T) {
	yes, no := true, false
	result := func(holds bool, race *bool) *solver.Result {
		return &solver.Result{
			Status: solver.OK, ConditionHolds: &holds, Flags: []solver.Flag{{Name: "data-race", Raised: race}},
		}
	}
	for _, c := range []struct {
		property string
		holds    bool
		result   *solver.Result
		want     agreement.Verdict
	}{
		{"condition", true, result(true, &yes), agreement.Agreed},
		{"condition", false, result(true, &yes), agreement.Disagreed},
		{"data-race", true, result(true, &no), agreement.Agreed},
		{"data-race", true, result(true, &yes), agreement.Disagreed},
		{"data-race", false, result(true, &yes), agreement.Agreed},
		{"data-race", true, result(true, nil), agreement.Undecided},
		{"data-race", true, &solver.Result{Status: solver.OK, ConditionHolds: &yes}, agreement.Unsupported},
	} {
		got, detail := agreement.Compare(agreement.Reference{Property: c.property, Holds: c.holds}, c.result)
		if got != c.want {
			t.Errorf("%s, %v: %s (%s), want %s", c.property, c.holds, got, detail, c.want)
		}
	}
}
