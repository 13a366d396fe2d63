package solver_test

import (
	"testing"

	"litmuscope/solver"
)

// The instructions and their lines describe what raises a flag; what that does to the condition, too.
func TestFlagSentence(t *testing.T) {
	yes, no := true, false
	store := solver.FlagEvent{Event: 2, Name: "a", Thread: "P0", Text: "*y = 1", Line: 9, Column: 3}
	load := solver.FlagEvent{Event: 4, Name: "c", Thread: "P1", Text: "r0 = *y", Line: 14, Column: 3}
	initial := solver.FlagEvent{Name: "iy", Text: "y=0"}
	racing := []solver.FlagCause{{First: store, Second: &load}}
	for _, c := range []struct {
		flag solver.Flag
		want string
	}{
		{
			solver.Flag{Name: "data-race", Raised: &yes, Undefined: true, Causes: racing},
			"undefined behaviour, data-race: P0's *y = 1 (line 9) and P1's r0 = *y (line 14) race; the condition " +
				"does not hold",
		},
		{
			solver.Flag{
				Name: "Dr", Raised: &yes,
				Causes: append(racing, solver.FlagCause{First: initial, Second: &load}),
			},
			"flag Dr: P0's *y = 1 (line 9) and P1's r0 = *y (line 14) race (and 1 more)",
		},
		{
			solver.Flag{Name: "seen", Raised: &yes, Causes: []solver.FlagCause{{First: initial, Second: &load}}},
			"flag seen: the initial y=0 and P1's r0 = *y (line 14)",
		},
		{
			solver.Flag{Name: "data-race", Raised: &yes, Causes: []solver.FlagCause{{First: store}}},
			"flag data-race: P0's *y = 1 (line 9)",
		},
		{solver.Flag{Name: "none", Raised: &yes}, "flag none"},
		{solver.Flag{Name: "none", Raised: &yes, Undefined: true}, "undefined behaviour: none"},
		{solver.Flag{Name: "none", Raised: &no}, ""},
		{solver.Flag{Name: "open"}, "flag open: unknown"},
	} {
		if got := c.flag.Sentence(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
