package lessons

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"

	"github.com/a-h/templ"

	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
)

// handoutView is a lesson as one HTML file that readers can keep and lecturers can change.
type handoutView struct {
	*lesson.Entry
	Blocks, Answers []templ.Component
}

// hasHandouts reports whether this site answers tests on other pages, which hand-outs need.
func (s *Lessons) hasHandouts() bool { return s.Server.Elsewhere || s.Server.Static != nil }

// handout sends a lesson as an HTML file. This site answers its tests wherever the file is.
func (s *Lessons) handout(w http.ResponseWriter, r *http.Request, e *lesson.Entry) {
	root := s.Server.Root(r)
	if !s.hasHandouts() || root == "" || len(e.Faults) > 0 {
		s.Server.Fail(w, r, http.StatusNotFound, "This site has no hand-out of the lesson. Hand-outs need a static "+
			"site, or a server that was "+
			"started with --elsewhere.")
		return
	}
	v := handoutView{Entry: e}
	address := question.LessonAddress(e)
	for _, b := range e.Blocks {
		switch b := b.(type) {
		case *lesson.Test:
			live := s.viewLive(r.Context(), r, e, address, b, true)
			v.Blocks = append(v.Blocks, handoutTest(*live))
			if !b.Predict { // otherwise the explanation is already below the test
				told := *b
				told.Why, live.Test = "", &told
			}
			v.Answers = append(v.Answers, liveAnswers(*live)) // in case the site cannot be reached
		case *lesson.Question:
			v.Blocks, v.Answers = append(v.Blocks, questionBlock(b, true)), append(v.Answers, questionAnswers(b))
		case *lesson.Exercise:
			x := exerciseView{
				Exercise: b, Page: address, Slug: e.Slug, Text: exerciseStart(b), Print: true,
				Element: !b.Rules.Model,
			}
			v.Blocks, v.Answers = append(v.Blocks, exerciseBlock(x)), append(v.Answers, exerciseAnswers(b))
		default:
			v.Blocks = append(v.Blocks, s.staticBlock(r.Context(), r, e, address, b))
		}
	}
	var page bytes.Buffer
	if err := handoutPage(v).Render(r.Context(), &page); err != nil {
		s.Server.Fail(w, r, http.StatusInternalServerError, "The server could not write the hand-out.")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", e.Slug+".html"))
	_, _ = w.Write(server.Rebase(page.Bytes(), root)) // the client may have gone
}

// exerciseModels returns the models in an exercise's goals.
func exerciseModels(x *lesson.Exercise) []string {
	var out []string
	for _, g := range x.Goals {
		if !slices.Contains(out, g.Model) {
			out = append(out, g.Model)
		}
	}
	return out
}
