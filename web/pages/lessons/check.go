package lessons

import (
	"net/http"

	"github.com/a-h/templ"

	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/judge"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
)

// checkView is the result of checking an answer to an exercise.
type checkView struct {
	Problem        templ.Component // why the answer could not be checked
	*judge.Verdict                 // nil if there is a Problem
	Why            string
	Live           *liveView      // the answer as a live test; nil: none
	Address        server.Address // of the answer; none in courses, whose answers the server keeps
}

// postLessonCheck checks the reader's answer to an exercise: form fields lesson, exercise and text. Scripts get the
// result, browsers without scripts the whole page.
func (s *Lessons) postLessonCheck(w http.ResponseWriter, r *http.Request) {
	if !s.Server.ParseForm(w, r) {
		return
	}
	e := s.foundLesson(w, r, r.PostForm.Get("lesson"))
	if e == nil {
		return
	}
	x, ok := e.Find(r.PostForm.Get("exercise")).(*lesson.Exercise)
	if !ok {
		s.Server.Fail(w, r, http.StatusNotFound,
			"The lesson has no such exercise. It may have changed: reload the page.")
		return
	}
	text := server.UnixLines(r.PostForm.Get("text"))
	verdict, err := judge.Judge(r.Context(), s.Questions, x, text)
	status, v := http.StatusOK, viewCheck(x, verdict)
	if err != nil {
		var said templ.Component
		if status, said = s.Server.ErrorPart(w, r, err); said == nil {
			return
		}
		v = &checkView{Problem: said}
	}
	if v != nil {
		v.Address = server.AddressOf("/learn/check", r.PostForm)
		if v.Address.URL != "" {
			v.Address.URL += "#" + x.ID
		}
	}
	if server.IsFragment(r) {
		s.Server.Render(w, r, status, checkResult(v))
		return
	}
	s.showLesson(w, r, e, &tried{x.ID, text, checkResult(v)})
}

// Verdict renders the result of an answer, or the problem with it.
func (s *Lessons) Verdict(x *lesson.Exercise, v *judge.Verdict, problem templ.Component) templ.Component {
	if problem != nil {
		return checkResult(&checkView{Problem: problem})
	}
	return checkResult(viewCheck(x, v))
}

// viewCheck converts a verdict for the page; it returns nil for nil.
func viewCheck(x *lesson.Exercise, v *judge.Verdict) *checkView {
	if v == nil {
		return nil
	}
	out := &checkView{Verdict: v}
	if v.Met {
		out.Why = x.Why
	}
	if t := v.Tried; t != nil {
		says := answer.ViewOf(t.Answers)
		out.Live = &liveView{
			Test: &lesson.Test{ID: x.ID + "-try", Title: says.Name}, Answer: says,
			State: question.LinkStateOf(t.Question, ""),
			Parts: answer.PartSource(t.Question.Source, says.Cells),
		}
	}
	return out
}

// postLessonRun answers the form's question in the layout of live tests.
func (s *Lessons) postLessonRun(w http.ResponseWriter, r *http.Request) {
	if !s.Server.ParseForm(w, r) {
		return
	}
	q, err := question.FromForm(r.PostForm)
	var a *question.Answers
	if err == nil {
		a, err = s.Questions.Explore(r.Context(), q)
	}
	if err != nil {
		if status, said := s.Server.ErrorPart(w, r, err); said != nil {
			s.Server.Render(w, r, status, said)
		}
		return
	}
	s.Server.Render(w, r, http.StatusOK, lessonAnswer(answer.ViewOf(a), answer.VerdictsOf(a)))
}
