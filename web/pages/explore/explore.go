package explore

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/classic"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

// pageView is the content of the explorer's page.
type pageView struct {
	textpage.Shared
	From *textpage.From       // the suite of the test; nil: none
	Arch string               // the dialect of the test
	Own  []formfields.OwnView // the visitor's models; an empty one if there are none
	Most int                  // maximum size of a test and of a model, in bytes
}

// Part implements [textpage.View].
func (v *pageView) Part(nonce string) templ.Component { return fullPage(nonce, *v) }

// explorer returns the page of litmus tests.
func (s *page) explorer() *textpage.Page[question.Question] {
	return &textpage.Page[question.Question]{
		Server: s.server, Pictures: s.pictures, Permalinks: s.permalinks, Page: "/", Asks: "/explore",
		Examples: "/classic", Field: "test", First: classic.First, None: classic.Missing,
		Find: func(id string) (textpage.Example[question.Question], bool) {
			e, ok := classic.Find(id)
			return textpage.Example[question.Question]{
				Asks: question.Question{
					Source: e.Source, Models: question.FirstModelsOf(e),
					Options: solver.DefaultOptions(),
				},
				Script: testExample{e, dialect.Tongue(e.Source), question.FirstModelsOf(e)},
			}, ok
		},
		View: func(q question.Question) textpage.View { return s.viewPage(q) }, Link: question.Question.Link,
		Read: question.FromForm, Answer: s.answerTest, Check: s.checkForm, Picture: s.pictureOf,
		Kept: s.linkable, Copied: s.copyable, Sharing: textpage.Sharing(true, testSource, s.copies(), testLinks...),
		Copies: s.copies(),
	}
}

func (s *page) viewPage(q question.Question) *pageView {
	v := &pageView{
		Shared: textpage.Share(q.Source, engines.All(), q.Engine, solver.OptionTable, &q.Options),
		Most:   s.server.Limits.Source, Own: formfields.ViewOwn(q.Own), Arch: dialect.Tongue(q.Source),
	}
	source := server.UnixLines(q.Source) // browsers send CRLF line ends
	for _, e := range catalogue.All() {
		if e.Source == source {
			v.Name, v.ID, v.Note = e.Name, e.ID(), e.Note
		}
	}
	v.Models = formfields.ViewModels(q.Models, v.Arch)
	return v
}

// answerTest answers the form's question.
func (s *page) answerTest(
	ctx context.Context, q question.Question, f url.Values, asked textpage.Asked,
) (out textpage.Answer, err error) {
	rows := f.Get("rows")
	q.Again = rows != "" || f.Has("cell")
	q.Named, q.Machines, q.Without = rows == "", true, f["without"]
	view := func(a *question.Answers) *answer.View {
		v := answer.ViewOf(a)
		v.Terms, v.Compile = true, answer.Compilable(a.Test)
		if s.native.Offers(a.Test.Arch) {
			v.Native = server.Visible(s.native.Runner.Machine().Name)
		}
		v.Compilers = s.compilers()
		return v
	}
	a, err := s.questions.Follow(ctx, q, func(a *question.Answers) {
		if rows == "" && a.Any() {
			asked.Partial(func() templ.Component { return answer.Part(view(a)) })
		}
	})
	if err != nil {
		return out, err
	}
	v := view(a)
	switch {
	case asked.Alone && rows != "":
		from, _ := strconv.Atoi(rows) // an invalid number means 0, the first row
		v.Window(from, f.Get("differ") != "")
		return textpage.Answer{Part: answer.OutcomeRows(v)}, nil
	case !asked.Alone:
		first := v.First
		if p, ok := answer.PressedCell(f.Get("cell"), a); ok {
			first = p
		}
		v.Pressed = v.CellOf(first, a.Columns)
		if first.Column != "" {
			ask := s.pictures.PictureOfCell(q, first)
			out.Picture = func(ctx context.Context) (picture.Shown, error) {
				shown, err := ask(ctx)
				if err != nil {
					return nil, err
				}
				return offered(shown, first.State), nil
			}
		}
	}
	out.Part = answer.Part(v)
	return out, nil
}

// linkable reads the form's question in the form that a link stores.
func (s *page) linkable(f url.Values) (question.Question, error) {
	q, err := question.FromForm(f)
	if err == nil {
		err = s.questions.Fits(q.Source, &q)
	}
	q.Source = server.UnixLines(q.Source)
	return q, err
}

func (s *page) openLink(w http.ResponseWriter, r *http.Request) {
	l, ok := s.permalinks.Read(w, r, chi.URLParam(r, "id"))
	if !ok {
		return
	}
	var v textpage.View
	if l.Program != nil {
		v = s.openProgram(l)
	} else {
		v = s.viewPage(question.FromLink(l))
	}
	v.Common().View = string(l.View)
	textpage.Show(s.server, w, r, http.StatusOK, v)
}

// testExample is a classic test in the data for the page's script.
type testExample struct {
	catalogue.Entry
	Arch   string   `json:"arch"`   // LKMM for the Linux kernel's C
	Models []string `json:"models"` // the models to tick
}

// testName returns the name in a test's header, or a default.
func testName(source string) string {
	header, _, _ := strings.Cut(source, "\n")
	if words := strings.Fields(header); len(words) >= 2 {
		return words[1]
	}
	return "litmus test"
}
