package class

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
	"litmuscope/web/parts/glossary"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
	"litmuscope/web/teaching/lesson"
)

// here runs child work in the test's own process.
type here struct{}

func (here) Do(_ context.Context, w pool.Work, question, into any) error {
	text, err := json.Marshal(question)
	if err != nil {
		return err
	}
	answer, err := w.Do(text, func(any) {})
	if err != nil {
		return err
	}
	if text, err = json.Marshal(answer); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// newTestPage returns a page with the built-in lessons whose engine runs in the test's own process.
func newTestPage(t *testing.T) *page {
	t.Helper()
	sh, err := server.New(server.Config{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	lessons, err := lesson.NewLibrary("", glossary.LessonTerms)
	if err != nil {
		t.Fatal(err)
	}
	questions := question.New(sh, engines.Local{}, here{})
	return &page{
		server: sh, questions: questions, pictures: picture.New(questions), lessons: lessons,
		attempts: newAttempts(),
	}
}

// Every built-in lesson can be taught: each of its items becomes a question, in order, with the answer that the engine
// or the author knows.
func TestEveryLessonCanBeTaught(t *testing.T) {
	s := newTestPage(t)
	kinds := map[class.Kind]int{}
	for _, e := range s.teachable() {
		items, err := s.itemsOfLesson(t.Context(), e.Slug)
		if err != nil {
			t.Errorf("%s: %v", e.File, err)
			continue
		}
		if len(items) != len(e.Items()) {
			t.Errorf("%s: %d questions of %d", e.File, len(items), len(e.Items()))
		}
		for n, i := range items {
			name := e.Items()[n].Name()
			kinds[i.Kind]++
			if !strings.HasSuffix(askOf(&i).Leads, "#"+name) {
				t.Errorf("%s: %s leads to %s", e.File, name, askOf(&i).Leads)
			}
			switch {
			case i.Kind == class.Edits && i.Best == nil:
				t.Errorf("%s: %s: it is not known what does it", e.File, name)
			case i.Kind == class.Verdicts:
				for _, p := range i.Parts {
					if p.Right < 0 {
						t.Errorf("%s: %s: what is right under %s is not known", e.File, name, p.Label)
					}
				}
			}
		}
	}
	if len(kinds) != 3 {
		t.Errorf("the lessons have no question of some kind: %v", kinds)
	}
	if _, err := s.itemsOfLesson(t.Context(), "nothing"); err == nil {
		t.Error("a lesson that there is not can be taught")
	}
}
