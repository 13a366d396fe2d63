package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/store"
	"litmuscope/web/shell"
)

// pageView is the explorer's page.
type pageView struct {
	benchView
	From *fromView // the suite that the test is from; nil = none
	Arch string    // what the test is written in
	Own  []ownView // the visitor's own models; an empty one if there are none
	Most int       // bytes of a test, and of a model
}

func (v *pageView) part(nonce string) templ.Component { return page(nonce, *v) }

// explorer is the page of tests.
func (s *server) explorer() *bench[question] {
	return &bench[question]{
		server: s, page: "/", asks: "/explore",
		examples: "/classic", field: "test", first: firstTest, none: noClassic,
		find: func(id string) (benchExample[question], bool) {
			e, ok := findClassic(id)
			tongue := dialect.Tongue(e.Source)
			return benchExample[question]{
				question{Source: e.Source, Models: firstModels(tongue), Options: solver.DefaultOptions()},
				struct {
					catalogue.Entry
					Arch   string   `json:"arch"` // the kernel's C by its own name
					Models []string `json:"models"`
				}{e, tongue, firstModels(tongue)},
			}, ok
		},
		read: fromForm, answer: s.answerTest, check: s.checkForm, picture: s.askPicture,
		kept: s.linkable, copied: s.copyable, sharing: testSharing, copies: copies,
	}
}

// optionView is an option's control: a number with a range, a choice, a tick or
// free text.
type optionView struct {
	Field, Name, Help, Value string
	Default                  string // the value that it has unless somebody says otherwise
	Number                   bool
	Min, Max                 int
	Choices                  []string
	Tick                     bool
	Engines                  []string // that heed it; none: every one
}

// firstTest is what a visitor finds in the editor.
const firstTest = "SB"

const noClassic = "There is no classic test named %q."

// chosenClassic is the classic test that ?test=ID asks for, otherwise the one named.
// If there is none, it answers so.
func (s *server) chosenClassic(w http.ResponseWriter, r *http.Request, otherwise string) (catalogue.Entry, bool) {
	return chosen(s, w, r, "test", otherwise, noClassic, findClassic)
}

// findClassic finds a classic test by its name. Names have plus signs, which turn into blanks where one types an
// address.
func findClassic(id string) (catalogue.Entry, bool) {
	return catalogue.Find(strings.ReplaceAll(id, " ", "+"))
}

func (q question) view(s *server) workplace { return s.viewPage(q) }

func (s *server) viewPage(q question) *pageView {
	v := &pageView{
		benchView: viewBench(q.Source, engines.All(), q.Engine, solver.OptionTable, &q.Options),
		Most:      s.Limits.Source, Own: viewOwn(q.Own), Arch: dialect.Tongue(q.Source),
	}
	source := shell.UnixLines(q.Source) // as browsers send line ends
	for _, e := range catalogue.All() {
		if e.Source == source {
			v.Name, v.ID, v.Note = e.Name, e.ID(), e.Note
		}
	}
	v.Models = viewModels(q.Models, v.Arch)
	return v
}

// ownView is a model of the visitor's own, as the form has it.
type ownView struct {
	Name, Text string
	Files      string // what it includes, as JSON; "" = nothing
}

func viewOwn(own []solver.OwnModel) []ownView {
	out := make([]ownView, max(len(own), 1))
	out[0].Name = ownModel
	for i, m := range own {
		out[i] = ownView{Name: m.Name, Text: m.Text}
		if len(m.Files) > 0 {
			out[i].Files = filesJSON(m.Files)
		}
	}
	return out
}

// filesJSON is a model's files as the form keeps them.
func filesJSON(files map[string]string) string {
	b, err := json.Marshal(files)
	if err != nil {
		panic("BUG: texts have no JSON: " + err.Error())
	}
	return string(b)
}

func viewOption(o solver.Option, in *solver.Options) optionView {
	v := optionView{
		Field: optionField(o.Name), Name: o.Name, Help: o.Help, Min: o.Min, Max: o.Max, Choices: o.Choices, Engines: engines.Heeding(o.Name),
	}
	switch o.Field(in).(type) {
	case *int:
		v.Number = true
	case *bool:
		v.Tick = true
	}
	defaults := solver.DefaultOptions()
	v.Value, v.Default = optionText(o, in), optionText(o, &defaults)
	return v
}

// optionText is an option's value as text.
func optionText(o solver.Option, in *solver.Options) string {
	switch f := o.Field(in).(type) {
	case *time.Duration:
		return f.String()
	case *int:
		return strconv.Itoa(*f)
	case *bool:
		return strconv.FormatBool(*f)
	case *string:
		return *f
	}
	panic("BUG: an option of no known type: " + o.Name)
}

// answerTest runs the form's question.
func (s *server) answerTest(ctx context.Context, q question, f url.Values, alone bool) (out benchAnswer, err error) {
	rows := f.Get("rows")
	q.Again = rows != "" || f.Has("cell")
	q.Named = rows == ""
	a, err := s.explore(ctx, q)
	if err != nil {
		return out, err
	}
	v := viewAnswers(a)
	v.Terms, v.Compile = true, compilable(a.test)
	switch {
	case alone && rows != "":
		from, _ := strconv.Atoi(rows) // what is no number is the first
		v.window(from, f.Get("differ") != "")
		return benchAnswer{part: outcomeRows(v)}, nil
	case !alone:
		first := v.First
		if p, ok := pressedCell(f.Get("cell"), a); ok {
			first = p
		}
		v.Pressed = v.cellOf(first, a.columns)
		if first.Column != "" {
			out.picture = s.pictureOfCell(q, first)
		}
	}
	out.part = answer(v)
	return out, nil
}

func (b *badTest) marks() []shell.Mark {
	at, out := shell.Marker(b.source), []shell.Mark{}
	for _, e := range b.errs {
		out = append(out, at(e.Pos.Line, e.Pos.Col, e.Msg))
	}
	return out
}

// isView tells what a link may keep of the view: nothing, or an object of the page's.
func isView(text string) bool {
	var fields map[string]json.RawMessage
	return text == "" || len(text) <= shell.MaxView && json.Unmarshal([]byte(text), &fields) == nil && fields != nil
}

// linkable reads a form's question as a link keeps it.
func (s *server) linkable(f url.Values) (question, error) {
	q, err := fromForm(f)
	if err == nil {
		err = s.fits(q.Source, &q)
	}
	q.Source = shell.UnixLines(q.Source)
	return q, err
}

// postLink keeps the form's question, and what field "view" says was shown of the answer, and leads to it.
func (b *bench[Q]) postLink(w http.ResponseWriter, r *http.Request) {
	if !b.ParseForm(w, r) {
		return
	}
	q, err := b.kept(r.PostForm)
	view := r.PostForm.Get("view")
	if err == nil && !isView(view) {
		err = shell.Refuse("What the link is to show cannot be read.")
	}
	if err != nil {
		b.FailOf(w, r, err)
		return
	}
	l := q.link()
	l.View = json.RawMessage(view)
	b.keepLink(w, r, l)
}

// keepLink keeps a link, and leads to it.
func (s *server) keepLink(w http.ResponseWriter, r *http.Request, l store.Link) {
	id, err := s.Links.SaveLink(r.Context(), l)
	if err != nil {
		s.FailOf(w, r, err)
		return
	}
	if shell.IsFragment(r) {
		s.WriteJSON(w, map[string]string{"url": "/t/" + id})
		return
	}
	http.Redirect(w, r, "/t/"+id, http.StatusSeeOther)
}

func (s *server) openLink(w http.ResponseWriter, r *http.Request) {
	l, ok := s.readLink(w, r, chi.URLParam(r, "id"))
	if !ok {
		return
	}
	asks := asking(fromLink(l))
	if l.Program != nil {
		asks = claimOf(l)
	}
	v := asks.view(s)
	v.common().View = string(l.View)
	s.showBench(w, r, http.StatusOK, v)
}

// readLink is the link with an id. If there is none, it answers so.
func (s *server) readLink(w http.ResponseWriter, r *http.Request, id string) (store.Link, bool) {
	l, err := s.Links.Link(r.Context(), id)
	if err != nil {
		s.FailOf(w, r, err)
	}
	return l, err == nil
}

// testName is the name in a test's header, if it has one.
func testName(source string) string {
	header, _, _ := strings.Cut(source, "\n")
	if words := strings.Fields(header); len(words) >= 2 {
		return words[1]
	}
	return "litmus test"
}
