package judge_test

import (
	"log/slog"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web/parts/glossary"
	"litmuscope/web/parts/judge"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
	"litmuscope/web/webtest"
)

// newAsker asks in the test's own process.
func newAsker(t *testing.T) *question.Service {
	t.Helper()
	sh, err := server.New(server.Config{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return question.New(sh, engines.Local{}, webtest.InProcess{})
}

// exercises has something done with each exercise of the program's lessons.
func exercises(t *testing.T, do func(t *testing.T, x *lesson.Exercise)) {
	t.Helper()
	library, err := lesson.NewLibrary("", glossary.LessonTerms)
	if err != nil {
		t.Fatal(err)
	}
	lessons, _ := library.All()
	for _, l := range lessons {
		for _, i := range l.Items() {
			if x, ok := i.(*lesson.Exercise); ok {
				t.Run(l.Slug+"/"+x.ID, func(t *testing.T) { do(t, x) })
			}
		}
	}
}

// The solution of each exercise does it; what it begins with does not, and a sentence says why.
func TestJudgeOfEveryExercise(t *testing.T) {
	asker := newAsker(t)
	exercises(t, func(t *testing.T, x *lesson.Exercise) {
		v, err := judge.Judge(t.Context(), asker, x, x.Solution)
		if err != nil || !v.Met || v.Hint != "" {
			t.Errorf("the solution: %+v, %v", v, err)
		}
		start := x.Test
		if x.Rules.Model {
			start = x.Model
		}
		v, err = judge.Judge(t.Context(), asker, x, start)
		if err != nil {
			t.Fatal(err)
		}
		if v.Met || !strings.HasSuffix(v.Hint, ".") || strings.Contains(v.Hint, ". ") {
			t.Errorf("the beginning: %+v", v)
		}
	})
}
