package suites

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

// pageSuites is the number of suites on a page of the list.
const pageSuites = 50

// suitePages mounts the pages of suites.
func (s *page) suitePages(r chi.Router) {
	r.Group(func(r chi.Router) {
		r.Use(s.server.Require(store.Read))
		r.Get("/suites", s.getSuites)
		r.Get("/suites/{id}", s.getSuitePage)
		r.Get("/suites/{id}/matrix", s.suiteMatrix)
		r.Get("/suites/{id}/matching", s.suiteMatching)
		r.Get("/suites/{id}/insights", s.suiteInsights)
		r.Get("/suites/{id}/tests/{n}", s.suiteTest)
		r.Get("/compare", s.getCompare)
		r.Post("/compare", s.postComparePage)
	})
	r.Group(func(r chi.Router) {
		r.Use(s.server.Require(store.Submit))
		r.Post("/suites", s.postSuites)
		r.Post("/cycles/suite", s.postFamilySuite)
		r.Post("/suites/{id}/cancel", s.endSuite(func(r *http.Request, id string) (string, error) {
			_, err := s.Suites.Cancel(r.Context(), id)
			return "/suites/" + id, err
		}))
		r.Post("/suites/{id}/delete", s.endSuite(func(r *http.Request, id string) (string, error) {
			return "/suites", s.Suites.Delete(r.Context(), id)
		}))
	})
}

// getSuites lists suites, the newest first. ?label=k=v filters, ?before= continues the list.
func (s *page) getSuites(w http.ResponseWriter, r *http.Request) {
	v := suitesView{Form: newSubmission()}
	if err := s.viewSuites(r, &v); err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.Render(w, r, http.StatusOK, suitesPage(server.Nonce(r.Context()), v))
}

// viewSuites arranges suites for the list.
func (s *page) viewSuites(r *http.Request, v *suitesView) error {
	q := r.URL.Query()
	before := int64(0)
	if text := q.Get("before"); text != "" {
		var err error
		if before, err = strconv.ParseInt(text, 10, 64); err != nil {
			return server.Refuse("before: want a value from a previous page of the list.")
		}
	}
	label := q.Get("label")
	key, value, _ := strings.Cut(label, "=")
	found, err := s.Store.Suites(r.Context(), before, key, value, pageSuites)
	if err != nil {
		return err
	}
	v.Label, v.First = server.Visible(label), before == 0
	for _, f := range found {
		v.Suites = append(v.Suites, s.viewSuite(f))
	}
	if len(found) == pageSuites {
		next := url.Values{"before": {strconv.FormatInt(found[len(found)-1].Number, 10)}}
		if label != "" {
			next.Set("label", label)
		}
		v.Next = "/suites?" + next.Encode()
	}
	return nil
}

// suitePageView is the content of a suite's page.
type suitePageView struct {
	suiteView
	Matrix   matrixView
	Insights insightsView
	Others   []suiteView // the suites to compare with
	MayEnd   bool
}

// getSuitePage shows a suite: its totals, errors, slowest tests and matrix.
func (s *page) getSuitePage(w http.ResponseWriter, r *http.Request) {
	of := s.suiteOf(w, r)
	if of == nil {
		return
	}
	v := suitePageView{suiteView: s.viewSuite(of)}
	f, err := filterOf(r.URL.Query(), len(of.Request.Models))
	if err == nil {
		v.Matrix, err = s.viewMatrix(r, of, f)
	}
	if err == nil {
		v.Insights, err = s.viewInsights(r, of)
	}
	var others []*suites.Suite
	if err == nil {
		others, err = s.Store.Suites(r.Context(), 0, "", "", pageSuites)
	}
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	for _, o := range others {
		if o.ID != of.ID {
			v.Others = append(v.Others, s.viewSuite(o))
		}
	}
	t := server.CallerOf(r.Context()).Token
	status, _, _ := s.server.Missing(r, store.Admin)
	v.MayEnd = status == 0 || t != nil && t.Name == of.Owner
	s.server.Render(w, r, http.StatusOK, suitePage(server.Nonce(r.Context()), v))
}

func (s *page) suiteInsights(w http.ResponseWriter, r *http.Request) {
	of := s.suiteOf(w, r)
	if of == nil {
		return
	}
	v, err := s.viewInsights(r, of)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.Render(w, r, http.StatusOK, insights(v))
}

// viewInsights returns the most frequent causes of errors and the slowest tests.
func (s *page) viewInsights(r *http.Request, of *suites.Suite) (insightsView, error) {
	v := insightsView{Suite: of.ID}
	causes, err := s.Store.Causes(r.Context(), of, shownCauses+1)
	if err != nil {
		return v, err
	}
	if v.More = len(causes) > shownCauses; v.More {
		causes = causes[:shownCauses]
	}
	for _, c := range causes {
		_, word := markOf(byte(c.Code))
		q := url.Values{"cause": {c.Cause}}
		view := causeView{
			Cause: c, Word: word, URL: "/suites/" + of.ID + "?" + q.Encode() + "#matrix",
			Example: testURL(of.ID, c.Test),
		}
		view.Cause.Cause, view.Path = server.Visible(c.Cause), server.Visible(c.Path)
		v.Causes = append(v.Causes, view)
	}
	slow, err := s.Store.Slowest(r.Context(), of, shownSlowest)
	for _, row := range slow {
		model := of.Request.Models[row.Model].Name
		view := slowView{SlowRow: row, Label: suiteModelLabel(model), URL: cellURL(of.ID, row.Test, model)}
		view.Mark, view.Word = markOf(byte(row.Code))
		view.Path = server.Visible(row.Path)
		v.Slowest = append(v.Slowest, view)
	}
	return v, err
}

// endSuite cancels or deletes a suite, if the client is allowed to, and redirects.
func (s *page) endSuite(end func(r *http.Request, id string) (next string, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		of := s.suiteOf(w, r)
		if of == nil || !s.mayEnd(w, r, of) {
			return
		}
		next, err := end(r, of.ID)
		if err != nil {
			s.server.FailOf(w, r, err)
			return
		}
		http.Redirect(w, r, next, http.StatusSeeOther)
	}
}

// suiteTest shows a suite's test in the explorer, with the suite's settings.
func (s *page) suiteTest(w http.ResponseWriter, r *http.Request) {
	of := s.suiteOf(w, r)
	if of == nil {
		return
	}
	n, err := strconv.Atoi(chi.URLParam(r, "n"))
	var t suites.Test
	if err == nil {
		t, err = s.Store.SuiteTest(r.Context(), of, n)
	}
	if err != nil {
		if errors.Is(err, strconv.ErrSyntax) || errors.Is(err, strconv.ErrRange) || errors.Is(err, suites.ErrNoSuite) {
			s.server.Fail(w, r, http.StatusNotFound, "The suite has no such test.")
			return
		}
		s.server.FailOf(w, r, err)
		return
	}
	if t.Err != "" {
		s.server.Fail(w, r, http.StatusUnprocessableEntity,
			"This test of the suite could not be read: "+server.Visible(t.Err))
		return
	}
	about, query := -1, ""
	if q := r.URL.Query(); q.Has("model") {
		about = slices.IndexFunc(of.Request.Models, func(m suites.Model) bool { return m.Name == q.Get("model") })
		query = "?" + url.Values{"model": q["model"]}.Encode()
	}
	q, from := fromSuite(of, t, about)
	from.Suite = cmp.Or(server.Visible(of.Request.Name), of.ID)
	from.URL = "/suites/" + of.ID
	from.Place = fmt.Sprintf("test %s of %s", server.Thousands(n+1), server.Thousands(of.Tests))
	if n > 0 {
		from.Prev = testURL(of.ID, n-1) + query
	}
	if n+1 < of.Tests {
		from.Next = testURL(of.ID, n+1) + query
	}
	s.openTest(w, r, q, from)
}

// fromSuite returns the question that a suite asks about a test, with the submitter's own models. If the suite has more
// of them than a question may, the model with index about comes first. Models whose names a question does not accept
// are called "own", "own2" and so on.
func fromSuite(of *suites.Suite, t suites.Test, about int) (question.Question, textpage.From) {
	q := question.Question{Source: t.Source, Engine: of.Request.Engine, Options: of.Request.Options}
	q.Options.Witnesses = true
	var from textpage.From
	var own []int // indexes of the submitter's models
	for i, m := range of.Request.Models {
		name := m.Name
		switch {
		case name == "":
			name = models.Default(dialect.Tongue(t.Source))
		case !models.IsBuiltIn(name):
			own = append(own, i)
			continue
		}
		if name != "" && !slices.Contains(q.Models, name) {
			q.Models = append(q.Models, name)
		}
		if i == about {
			from.About = name
		}
	}
	few := own
	if len(own) > engines.MaxOwn {
		few = own[:engines.MaxOwn]
		if at := slices.Index(own, about); at >= len(few) {
			few = append([]int{about}, own[:engines.MaxOwn-1]...)
		}
		from.Note = fmt.Sprintf("The suite has %s of its own. This page uses %d of them.",
			solver.Count(len(own), "model"), len(few))
	}
	for _, i := range few {
		m := of.Request.Models[i]
		name := m.Name
		for n := 1; !engines.NamesOwn(name) || hasOwn(q.Own, name); n++ {
			if name = question.OwnModel; n > 1 {
				name += strconv.Itoa(n)
			}
		}
		q.Own = append(q.Own, solver.OwnModel{Name: name, Text: m.Text, Files: m.Files})
		if i == about {
			from.About = name
		}
	}
	return q, from
}

func hasOwn(list []solver.OwnModel, name string) bool {
	return slices.ContainsFunc(list, func(m solver.OwnModel) bool { return m.Name == name })
}
