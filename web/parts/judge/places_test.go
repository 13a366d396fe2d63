package judge_test

import (
	"slices"
	"testing"

	"litmuscope/litmus/change"
	"litmuscope/solver"
	"litmuscope/web/parts/judge"
	"litmuscope/web/parts/question"
	"litmuscope/web/teaching/lesson"
	"litmuscope/web/webtest"
)

// unlisted are the tests of exercises whose solution is on no list: what waits for readers is no fence that stands
// between two accesses alone.
var unlisted = []string{"Readers"}

// Each exercise that lets one choose from a list can be done so, by what the judge says of it, and each change of the
// cheapest way has the cycle that it breaks. Without any one change the judge does not take it.
func TestJudgeOfChoices(t *testing.T) {
	asker := newAsker(t)
	how := question.Question{Options: solver.DefaultOptions()}
	exercises(t, func(t *testing.T, x *lesson.Exercise) {
		if len(judge.Kinds(&x.Rules)) == 0 {
			t.Skip("it takes writing")
		}
		o, err := judge.Offer(t.Context(), asker, x)
		if err != nil {
			t.Fatal(err)
		}
		best, said, err := judge.Cheapest(t.Context(), asker, how, x, o)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(unlisted, x.Title) != (best == nil) {
			t.Fatalf("found %+v, repairs %+v", best, said)
		}
		if best == nil {
			return
		}
		for i := range best.Changes {
			if cycle, _ := judge.Words(&best.Changes[i]); cycle == "" {
				t.Errorf("nobody knows why there is %s", best.Changes[i].Words())
			}
		}
		made := judge.Makes(o.Places, best.Choice)
		for skip := -1; skip < len(made); skip++ {
			some := slices.Clone(made)
			if skip >= 0 {
				some = slices.Delete(some, skip, skip+1)
			}
			text, err := judge.Edited(t.Context(), asker, x, some)
			if err != nil {
				t.Fatal(err)
			}
			v, err := judge.Judge(t.Context(), asker, x, text)
			if err != nil || v.Met != (skip < 0) {
				t.Errorf("with %+v: %+v, %v", some, v, err)
			}
		}
	})
}

// What is not on offer is not made.
func TestJudgeOffersNoMore(t *testing.T) {
	asker := newAsker(t)
	x := webtest.ExerciseOf(t, "fences", "exercise-2")
	for _, m := range []change.Made{
		{Kind: change.Fence, Thread: 2, Cell: 1, Text: "MFENCE"},
		{Kind: change.Fence, Thread: 0, Cell: 0, Text: "MFENCE"},
		{Kind: change.Fence, Thread: 0, Cell: 1, Text: "NOP"},
		{Kind: change.Fence, Thread: -1, Cell: -1, Text: "MFENCE"},
		{Kind: change.Order, Thread: 0, Cell: 1, Text: "XCHG [y],EAX"},
		{Kind: change.Value, Cell: 7, Text: "1"},
		{Kind: change.Value, Cell: 0, Text: "x"},
		{Kind: "other", Cell: 0, Text: "1"},
	} {
		if text, err := judge.Edited(t.Context(), asker, x, []change.Made{m}); err == nil {
			t.Errorf("%+v is made:\n%s", m, text)
		}
	}
}
