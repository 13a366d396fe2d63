package programs

import (
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/mappingcheck"
)

// A mapping is wrong for a program that is safe in C without bounds and fails when compiled, and right for one that is
// safe in both. There is no verdict if the program fails in C, has no answer there, or is undefined.
func TestMappingOf(t *testing.T) {
	answer := func(v solver.Verdict, complete bool) *solver.Verification {
		return &solver.Verification{Model: "rc11", Verdict: v, Complete: complete}
	}
	race := answer(solver.Safe, true)
	race.Race = &solver.Failure{}
	for _, c := range []struct {
		inC, compiled *solver.Verification
		want          mappingcheck.Verdict
	}{
		{answer(solver.Safe, true), answer(solver.Safe, true), mappingcheck.Right},
		{answer(solver.Safe, false), answer(solver.Safe, true), mappingcheck.Right},
		{answer(solver.Safe, true), answer(solver.Unsafe, true), mappingcheck.Wrong},
		{answer(solver.Safe, false), answer(solver.Unsafe, true), mappingcheck.Unknown},
		{answer(solver.Unsafe, true), answer(solver.Safe, true), mappingcheck.Unknown},
		{answer(solver.Unsafe, true), answer(solver.Unsafe, true), mappingcheck.Unknown},
		{answer(solver.Undecided, false), answer(solver.Unsafe, true), mappingcheck.Unknown},
		{answer(solver.Safe, true), answer(solver.Undecided, false), mappingcheck.Unknown},
		{race, answer(solver.Unsafe, true), mappingcheck.Undefined},
	} {
		if got, words := mappingOf(c.inC, c.compiled); got != c.want || words == "" {
			t.Errorf("%s (complete: %v) in C, %s compiled: got %s, %s; want %s", c.inC.Verdict, c.inC.Complete,
				c.compiled.Verdict, got, words, c.want)
		}
	}
}
