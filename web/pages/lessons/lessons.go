package lessons

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"litmuscope/litmus"
	"litmuscope/models/library"
	"litmuscope/solver"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/judge"
	"litmuscope/web/parts/modeltext"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
)

// lessonView is the content of a lesson's page.
type lessonView struct {
	*lesson.Entry
	Before, Behind *lesson.Entry
	Needs          []*lesson.Entry
	Blocks         []templ.Component
	Appendix       []templ.Component // the answers, for printing
	Faults, Broken []excerpt
	Print, Answers bool
	Handout        bool // a hand-out is available
}

// itemNames returns the names of the lesson's items, under which the browser stores the reader's progress.
func itemNames(l *lesson.Lesson) string {
	var out []string
	for _, i := range l.Items() {
		out = append(out, i.Name())
	}
	return strings.Join(out, " ")
}

// excerpt is an error in a lesson, with the lines around it.
type excerpt struct {
	*litmus.Error
	From  int // number of the first line
	Lines []string
}

// excerpts returns the errors of a lesson, each with the two lines before and after it.
func excerpts(l *lesson.Lesson, errs litmus.ErrorList) []excerpt {
	const around = 2
	lines := strings.Split(l.Text, "\n")
	var out []excerpt
	for _, e := range errs {
		x := excerpt{Error: e}
		if l.Text != "" && e.Pos.Line >= 1 && e.Pos.Line <= len(lines) {
			from := max(e.Pos.Line-1-around, 0)
			x.From, x.Lines = from+1, lines[from:min(e.Pos.Line+around, len(lines))]
		}
		out = append(out, x)
	}
	return out
}

// liveView is a test that runs on the page.
type liveView struct {
	*lesson.Test
	Page     string // address of the lesson
	Parts    []answer.SourcePart
	Answer   *answer.View        // nil: no answer yet
	Problem  *server.ProblemView // why there is no answer
	Picture  templ.Component
	State    question.LinkState
	Verdicts []answer.ColumnVerdict
	Wrong    []string // failed expectations
	Print    bool
}

// foldedRows is the number of visible rows of a table before the reader unfolds it. The style sheet has the same
// number.
const foldedRows = 8

// exerciseView is an exercise, with the result of the last answer.
type exerciseView struct {
	*lesson.Exercise
	Page   string
	Slug   string // slug of the lesson
	Action string // address that checks the text
	Button string
	Text   string
	Result templ.Component // nil: no answer yet
	Wrong  []string        // goals that the solution of a lecturer's lesson misses
	Print  bool
	// Element shows the text as a custom element, for hand-outs.
	Element bool
	Secret  bool // the solution is not on the page
}

// exerciseStart returns the text that the reader starts with.
func exerciseStart(e *lesson.Exercise) string {
	if e.Rules.Model {
		return e.Model
	}
	return e.Test
}

func (s *Lessons) getLessons(w http.ResponseWriter, r *http.Request) {
	builtIn, own := s.lessons.All()
	s.Server.Render(w, r, http.StatusOK, lessonsPage(server.Nonce(r.Context()), builtIn, own, s.titleOf))
}

// titleOf returns the title of the lesson with a slug, or the slug if there is none.
func (s *Lessons) titleOf(slug string) string {
	if e, _, _ := s.lessons.Find(slug); e != nil {
		return e.Title
	}
	return slug
}

// foundLesson returns the lesson in the address. If there is none, it answers the request and returns nil.
func (s *Lessons) foundLesson(w http.ResponseWriter, r *http.Request, slug string) *lesson.Entry {
	e, _, _ := s.lessons.Find(slug)
	if e == nil {
		s.Server.Fail(w, r, http.StatusNotFound, "No lesson has this address.")
	}
	return e
}

// getLesson shows a lesson. ?block=test-1&cell=… adds the picture of a cell, for browsers without scripts; ?print is
// the page for printing, ?handout a file, ?wait waits for all answers.
func (s *Lessons) getLesson(w http.ResponseWriter, r *http.Request) {
	slug := chi.URLParam(r, "slug")
	if lesson.IsImage(slug) {
		s.lessonImage(w, r, slug)
		return
	}
	e := s.foundLesson(w, r, slug)
	if e == nil {
		return
	}
	if r.URL.Query().Has("handout") {
		s.handout(w, r, e)
		return
	}
	s.showLesson(w, r, e, nil)
}

// lessonPatience is the time that a page waits for the answers of its tests. Most are in the cache; scripts fetch the
// others later.
const lessonPatience = 2 * time.Second

// answerContext returns the request's context with the time limit lessonPatience, or without a limit for ?wait and for
// printing.
func answerContext(r *http.Request, paper bool) (context.Context, context.CancelFunc) {
	if r.URL.Query().Has("wait") || paper {
		return r.Context(), func() {}
	}
	return context.WithTimeout(r.Context(), lessonPatience)
}

// tried is the result of checking an exercise without scripts.
type tried struct {
	exercise, text string
	result         templ.Component
}

// showLesson answers with the page of a lesson.
func (s *Lessons) showLesson(w http.ResponseWriter, r *http.Request, e *lesson.Entry, try *tried) {
	q := r.URL.Query()
	v := lessonView{Entry: e, Print: q.Has("print"), Answers: q.Get("answers") != "no", Handout: s.hasHandouts() &&
		len(e.Faults) == 0}
	_, v.Before, v.Behind = s.lessons.Find(e.Slug)
	for _, need := range e.Needs {
		if n, _, _ := s.lessons.Find(need); n != nil {
			v.Needs = append(v.Needs, n)
		}
	}
	v.Faults, v.Broken = excerpts(e.Lesson, e.Faults), excerpts(e.Lesson, e.Broken)
	if len(v.Faults) > 0 {
		s.Server.Render(w, r, http.StatusUnprocessableEntity, lessonPage(server.Nonce(r.Context()), v))
		return
	}
	ctx, cancel := answerContext(r, v.Print)
	defer cancel()
	for _, b := range e.Blocks {
		switch b := b.(type) {
		case *lesson.Test:
			live := s.viewLive(ctx, r, e, question.LessonAddress(e), b, v.Print)
			v.Blocks = append(v.Blocks, liveTest(*live))
			if v.Print && b.Predict {
				v.Appendix = append(v.Appendix, liveAnswers(*live))
			}
		case *lesson.Question:
			v.Blocks = append(v.Blocks, questionBlock(b, v.Print))
			if v.Print {
				v.Appendix = append(v.Appendix, questionAnswers(b))
			}
		case *lesson.Exercise:
			x := exerciseView{
				Exercise: b, Page: question.LessonAddress(e), Slug: e.Slug, Action: "/learn/check", Button: "Check",
				Text: exerciseStart(b), Print: v.Print,
			}
			if try != nil && try.exercise == b.ID {
				x.Text, x.Result = try.text, try.result
			}
			if e.Own {
				x.Wrong = s.missedGoals(ctx, b)
			}
			v.Blocks = append(v.Blocks, exerciseBlock(x))
			if v.Print {
				v.Appendix = append(v.Appendix, exerciseAnswers(b))
			}
		default:
			v.Blocks = append(v.Blocks, s.staticBlock(ctx, r, e, question.LessonAddress(e), b))
		}
	}
	s.Server.Render(w, r, http.StatusOK, lessonPage(server.Nonce(r.Context()), v))
}

// staticBlock renders a block that is the same on every page.
func (s *Lessons) staticBlock(
	ctx context.Context, r *http.Request, e *lesson.Entry, address string, b lesson.Block,
) templ.Component {
	switch b := b.(type) {
	case lesson.Prose:
		return templ.Raw(b.HTML)
	case lesson.Slide:
		return templ.Raw(`<template class="slide">` + b.HTML + "</template>")
	case *lesson.Tour:
		return s.tour(r, b)
	case *lesson.Mappings:
		return s.mappings(ctx, e, address, b)
	case *lesson.Log:
		return s.log(ctx, address, b)
	case *lesson.Model:
		return modelBlock(b)
	}
	panic(fmt.Sprintf("BUG: a block %T", b))
}

// Blocks renders a file in the format of lessons for a page at another address. Its exercises send answers to address,
// with a button that has the text button. exercise returns, for each exercise, the text in its editor ("" for the start
// text), whether to show its solution, and a component below it.
func (s *Lessons) Blocks(
	r *http.Request, e *lesson.Entry, address, button string,
	exercise func(*lesson.Exercise) (text string, solution bool, below templ.Component),
) (out []templ.Component) {
	ctx, cancel := answerContext(r, false)
	defer cancel()
	for _, b := range e.Blocks {
		switch b := b.(type) {
		case *lesson.Test:
			out = append(out, liveTest(*s.viewLive(ctx, r, e, address, b, false)))
		case *lesson.Exercise:
			x := exerciseView{Exercise: b, Page: address, Slug: e.Slug, Action: address, Button: button}
			text, solution, below := exercise(b)
			x.Text, x.Secret, x.Result = cmp.Or(text, exerciseStart(b)), !solution, below
			out = append(out, exerciseBlock(x))
		default:
			out = append(out, s.staticBlock(ctx, r, e, address, b))
		}
	}
	return out
}

// missedGoals returns the goals that an exercise's solution does not meet. It ignores errors of the judge.
func (s *Lessons) missedGoals(ctx context.Context, x *lesson.Exercise) (out []string) {
	v, err := judge.Judge(ctx, s.Questions, x, x.Solution)
	if err != nil {
		return nil // the tests on the page show the same error
	}
	for _, g := range v.Goals {
		if !g.Met {
			out = append(out, x.Pos.String()+": the solution misses a goal: "+g.Text+": "+g.Got+".")
		}
	}
	return out
}

// tour renders an exploration. The graphs that the reader chooses come from the page of package exploration.
func (s *Lessons) tour(r *http.Request, t *lesson.Tour) templ.Component {
	f := url.Values{"model": {t.Model}, "source": {t.Source}}
	if t.Classic != "" {
		f = url.Values{"model": {t.Model}, "test": {t.Classic}}
	}
	v, err := s.Pictures.ViewTour(r.Context(), t.Asks(picture.MostStops),
		func(at int) string { return picture.TourAddress(f, at) })
	if err != nil {
		return server.ProblemPart(s.Server.Fault(r.Context(), err).View)
	}
	v.ID = t.ID
	return tourBlock(*v, question.Label(t.Model))
}

// viewLive answers a live test. It draws the picture that the lesson shows first, or the cell that the reader chose
// without scripts.
func (s *Lessons) viewLive(
	ctx context.Context, r *http.Request, e *lesson.Entry, address string, t *lesson.Test, paper bool,
) *liveView {
	q := question.Question{Source: t.Source, Models: slices.Clone(t.Models), Options: t.Bounds.Options(), Again: true}
	q.Options.Witnesses = true
	v := &liveView{Test: t, Page: address, State: question.LinkStateOf(q, ""), Print: paper}
	v.Parts = []answer.SourcePart{{Text: t.Source}}
	key := livedKey{address, e.Version, t.ID}
	lived, ok := s.lived.get(key)
	if !ok {
		a, err := s.Questions.Explore(ctx, q)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return v
		case err != nil:
			f := s.Server.Fault(ctx, err)
			v.Problem = &f.View
			return v
		}
		lived = livedTest{answer: answer.ViewOf(a), verdicts: answer.VerdictsOf(a)}
		if !slices.ContainsFunc(a.Results, func(r *solver.Result) bool { return r.Status != solver.OK }) {
			s.lived.put(key, lived)
		}
	}
	shown := *lived.answer
	v.Answer, v.Verdicts = &shown, lived.verdicts
	v.Parts = answer.PartSource(server.UnixLines(t.Source), shown.Cells)
	for _, c := range t.Expect {
		for _, got := range v.Verdicts {
			if got.Column == c.Model && got.Verdict != c.Verdict {
				v.Wrong = append(v.Wrong,
					c.Pos.String()+": the lesson expects “"+c.String()+"”, but it is "+string(got.Verdict)+".")
			}
		}
	}
	p, draw := answer.Pick{}, t.Picture != nil
	if draw {
		p = answer.Pick{Column: t.Picture.Model, State: t.Picture.State}
	}
	query := r.URL.Query()
	if query.Get("block") == t.ID {
		if pressed, ok := pressedIn(query.Get("cell"), &shown); ok {
			p, draw = pressed, true
		}
	}
	if paper && !draw && !t.Predict && shown.First.Column != "" {
		p, draw = shown.First, true
	}
	if draw {
		v.Picture = s.Pictures.PictureOrWhy(r.Context(), s.Pictures.PictureOfCell(q, p))
		shown.Pressed = shown.NameOf(p)
	}
	return v
}

// pressedIn returns the cell that the reader chose without scripts.
func pressedIn(text string, v *answer.View) (answer.Pick, bool) {
	for row := range v.Every {
		for col := range v.Columns {
			if answer.CellName(row, col) == text {
				return answer.Pick{Column: v.Columns[col].Column, State: v.Every[row].State}, true
			}
		}
	}
	return answer.Pick{}, false
}

// livedTests caches the answers to the tests of lessons, which all readers need. It is safe for concurrent use.
type livedTests struct {
	mu   sync.Mutex
	kept map[livedKey]livedTest
}

type livedKey struct{ address, version, id string }

type livedTest struct {
	answer   *answer.View
	verdicts []answer.ColumnVerdict
}

// Limits of the cache: the number of tests, and of table rows per test.
const (
	maxLived     = 4096
	maxLivedRows = 256
)

func (l *livedTests) get(k livedKey) (livedTest, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, ok := l.kept[k]
	return t, ok
}

func (l *livedTests) put(k livedKey, t livedTest) {
	if len(t.answer.Every) > maxLivedRows {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept == nil || len(l.kept) >= maxLived {
		l.kept = map[livedKey]livedTest{}
	}
	l.kept[k] = t
}

// getLessonVersion sends the lesson's version, so that an open page notices changes.
func (s *Lessons) getLessonVersion(w http.ResponseWriter, r *http.Request) {
	e := s.foundLesson(w, r, chi.URLParam(r, "slug"))
	if e == nil {
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(e.Version)) // the client may have gone
}

func (s *Lessons) getLessonImage(w http.ResponseWriter, r *http.Request) {
	s.lessonImage(w, r, chi.URLParam(r, "*"))
}

// lessonImage sends an image from the folder of the lessons.
func (s *Lessons) lessonImage(w http.ResponseWriter, r *http.Request, name string) {
	body, kind, err := s.lessons.Image(name)
	s.Server.SendImage(w, r, body, kind, err)
}

// excerptHTML renders the lines around an error and highlights the line with the error.
func excerptHTML(x excerpt) string {
	var b strings.Builder
	b.WriteString("<pre>")
	for i, line := range x.Lines {
		class := ""
		if x.From+i == x.Pos.Line {
			class = ` class="here"`
		}
		fmt.Fprintf(&b, "<span%s>%4d  %s</span>\n", class, x.From+i, templ.EscapeString(line))
	}
	b.WriteString("</pre>")
	return b.String()
}

// docString matches the documentation string of a test, which may be a long line.
var docString = litmus.Pattern(`(?m)^&#34;.*&#34;$`)

// listingHTML renders a test as lessons show it.
func listingHTML(parts []answer.SourcePart) string {
	return docString().ReplaceAllString(answer.SourceHTML(parts), `<span class="doc">$0</span>`)
}

// catHTML renders a model's text with highlighted keywords.
func catHTML(text string) string {
	var b strings.Builder
	b.WriteString("<pre><code>")
	for _, l := range modeltext.ViewLines(nil, library.File{Text: text}, "") {
		for _, p := range l.Parts {
			if p.Class != "" {
				b.WriteString(`<span class="` + p.Class + `">` + templ.EscapeString(p.Text) + "</span>")
			} else {
				b.WriteString(templ.EscapeString(p.Text))
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("</code></pre>")
	return b.String()
}
