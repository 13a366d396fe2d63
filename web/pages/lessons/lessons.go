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

// lessonView is a lesson's page.
type lessonView struct {
	*lesson.Entry
	Before, Behind *lesson.Entry
	Needs          []*lesson.Entry
	Blocks         []templ.Component
	Appendix       []templ.Component // on paper
	Faults, Broken []excerpt
	Print, Answers bool
	Handout        bool // it can be had as a file
}

// Names are those of what the reader has to do, for the browser to remember.
func itemNames(l *lesson.Lesson) string {
	var out []string
	for _, i := range l.Items() {
		out = append(out, i.Name())
	}
	return strings.Join(out, " ")
}

// excerpt is a mistake in a lesson, with the lines around it.
type excerpt struct {
	*litmus.Error
	From  int // the first line's number
	Lines []string
}

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

// liveView is a live test.
type liveView struct {
	*lesson.Test
	Page     string // the lesson's address
	Parts    []answer.SourcePart
	Answer   *answer.View        // nil where it has not come yet
	Problem  *server.ProblemView // why there is none
	Picture  templ.Component
	State    question.LinkState
	Verdicts []answer.ColumnVerdict
	Wrong    []string // expectations that are not so
	Print    bool
}

// foldedRows is how many rows of a table are in sight until all are asked for; the style sheet
// has it, too.
const foldedRows = 8

// exerciseView is an exercise, with what came of the last try.
type exerciseView struct {
	*lesson.Exercise
	Page   string
	Slug   string // the lesson's
	Action string // where the text is sent, by a button
	Button string
	Text   string
	Result templ.Component // nil before one
	Wrong  []string        // goals that the solution misses, of a lecturer's own lesson
	Print  bool
	// Element has the text tried out where it stands, by the element that is answered anywhere.
	Element bool
	Secret  bool // the solution is not on the page
}

// Start is the text that the reader begins with.
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

// titleOf is the title of the lesson with a slug.
func (s *Lessons) titleOf(slug string) string {
	if e, _, _ := s.lessons.Find(slug); e != nil {
		return e.Title
	}
	return slug
}

// foundLesson is the lesson of the address. If there is none, it answers so.
func (s *Lessons) foundLesson(w http.ResponseWriter, r *http.Request, slug string) *lesson.Entry {
	e, _, _ := s.lessons.Find(slug)
	if e == nil {
		s.Server.Fail(w, r, http.StatusNotFound, "No lesson has this address.")
	}
	return e
}

// getLesson shows a lesson: with ?block=test-1&cell=… the picture of a cell, which scripts
// would have fetched; with ?print for paper, with ?handout as a file, with ?wait however long its tests take.
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

// lessonPatience is how long a page waits for the answers of its tests, of which most are
// known; those that take longer come by themselves.
const lessonPatience = 2 * time.Second

// patient is the time that a page has, which is all that it takes for who says so, and on paper.
func patient(r *http.Request, paper bool) (context.Context, context.CancelFunc) {
	if r.URL.Query().Has("wait") || paper {
		return r.Context(), func() {}
	}
	return context.WithTimeout(r.Context(), lessonPatience)
}

// tried is what came of checking an exercise without scripts.
type tried struct {
	exercise, text string
	result         templ.Component
}

// showLesson answers with a lesson's page.
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
	ctx, cancel := patient(r, v.Print)
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
				x.Wrong = s.missed(ctx, b)
			}
			v.Blocks = append(v.Blocks, exerciseBlock(x))
			if v.Print {
				v.Appendix = append(v.Appendix, exerciseAnswers(b))
			}
		default:
			v.Blocks = append(v.Blocks, s.still(ctx, r, e, question.LessonAddress(e), b))
		}
	}
	s.Server.Render(w, r, http.StatusOK, lessonPage(server.Nonce(r.Context()), v))
}

// still is a block that is the same on every page.
func (s *Lessons) still(
	ctx context.Context, r *http.Request, e *lesson.Entry, address string, b lesson.Block,
) templ.Component {
	switch b := b.(type) {
	case lesson.Prose:
		return templ.Raw(b.HTML)
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

// Blocks shows a file that is written as lessons are, at an address of another page. There its exercises are sent, by a
// button; that page says of each which text is there, whether its solution is, and what is below.
func (s *Lessons) Blocks(
	r *http.Request, e *lesson.Entry, address, button string,
	exercise func(*lesson.Exercise) (text string, solution bool, below templ.Component),
) (out []templ.Component) {
	ctx, cancel := patient(r, false)
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
			out = append(out, s.still(ctx, r, e, address, b))
		}
	}
	return out
}

// missed are the goals that an exercise's solution does not meet, as far as that is known soon.
func (s *Lessons) missed(ctx context.Context, x *lesson.Exercise) (out []string) {
	v, err := judge.Judge(ctx, s.Questions, x, x.Solution)
	if err != nil {
		return nil // tests on the page say what is the matter with the server
	}
	for _, g := range v.Goals {
		if !g.Met {
			out = append(out, x.Pos.String()+": the solution misses a goal: "+g.Text+": "+g.Got+".")
		}
	}
	return out
}

// tour shows how a test is explored; the graphs that readers choose are the exploration's page's.
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

// viewLive asks a live test, and draws what it is to show from the start, or the cell that was
// pressed without scripts.
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

// pressedIn is the cell of a table whose button was pressed without scripts.
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

// livedTests keeps what was answered to the tests of lessons, which everybody asks. It may be
// used from many goroutines.
type livedTests struct {
	mu   sync.Mutex
	kept map[livedKey]livedTest
}

type livedKey struct{ address, version, id string }

type livedTest struct {
	answer   *answer.View
	verdicts []answer.ColumnVerdict
}

// Bounds on what is kept: tests, and the rows of each.
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

// getLessonVersion tells an open page whether the lesson is still what it shows.
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

// lessonImage answers with an image from beside the lessons.
func (s *Lessons) lessonImage(w http.ResponseWriter, r *http.Request, name string) {
	body, kind, err := s.lessons.Image(name)
	s.Server.SendImage(w, r, body, kind, err)
}

// excerptHTML is lines of a lesson, that of the mistake made out.
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

// docString is a test's, which may be a long line.
var docString = litmus.Pattern(`(?m)^&#34;.*&#34;$`)

// listingHTML is a test as lessons show it.
func listingHTML(parts []answer.SourcePart) string {
	return docString().ReplaceAllString(answer.SourceHTML(parts), `<span class="doc">$0</span>`)
}

// catHTML is a model's text with its words made out.
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
