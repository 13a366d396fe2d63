package engines_test

import (
	"context"
	"slices"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Who follows an answer hears the verdict before all outcomes are listed, and nothing that is not so in the end.
func TestFollowersHearOfOutcomesAsTheyAreFound(t *testing.T) {
	var heard []*solver.Result
	ctx := solver.Following(context.Background(), func(r *solver.Result) { heard = append(heard, r) })
	task := solver.Task{Path: "sb", Source: "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n", Model: "tso", Options: solver.DefaultOptions()}
	r, err := engines.Run(ctx, task)
	if err != nil || len(r.States) != 4 {
		t.Fatal(r, err)
	}
	early := heard[len(heard)-1]
	if early.Verdict != solver.Allowed || len(early.States) == 0 || len(early.States) == 4 {
		t.Errorf("what was heard last before the answer: %s with %d states", early.Verdict, len(early.States))
	}
	for _, h := range heard {
		for _, s := range h.States {
			if !slices.ContainsFunc(r.States, func(o solver.State) bool { return slices.Equal(o, s) }) {
				t.Errorf("%v is no outcome in the end", s)
			}
		}
	}
}
