package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/store"
)

// claimPage is the page on which a program is held to what is claimed of it.
type claimPage struct {
	Name       string // of the example; "" for the visitor's own
	ID, Note   string // … of the example
	Examples   []exampleFamily
	Source     string
	Models     []modelView
	Properties []propertyView
	Defines    string
	Entry      string
	Engines    []engineGroup
	Unroll     optionView
	Options    []optionView // the others
	Changed    bool         // something behind "more" is not as usual
	View       string       // as a pageView has it
	Result     templ.Component
	Picture    templ.Component
}

// programPages mounts the pages on C programs.
func (s *server) programPages(r chi.Router) {
	r.Get("/verify", s.getVerify)
	r.Post("/verify", s.postVerify)
	r.Get("/verify/program", s.getExample)
	r.Post("/verify/check", s.postCheckProgram)
	r.Post("/verify/picture", postPicture(s, s.askFailing))
	r.Post("/verify/export", postExport(s, s.askFailing))
	r.Post("/verify/links", postLink(s, checkedClaim))
	r.Get("/verify/copy", s.getSharing(claimSharing))
	r.Post("/verify/copy", postCopy(s, claimCopies, func(f url.Values) (claim, error) {
		c, err := checkedClaim(f)
		s.ceil(&c.Options)
		return c, err
	}))
}

// getVerify shows the page with an example in it: ?program=ID, or the first.
func (s *server) getVerify(w http.ResponseWriter, r *http.Request) {
	e, ok := s.chosenExample(w, r, firstExample)
	if !ok {
		return
	}
	c := newClaim(e.Source)
	c.Defines = e.Defines
	if e.Unroll > 0 {
		c.Options.Unroll = e.Unroll
	}
	s.render(w, r, http.StatusOK, verifyPage(nonce(r.Context()), s.viewClaimPage(&c)))
}

// chosenExample is the example that ?program=ID asks for, otherwise the one named. If there is none, it
// answers so.
func (s *server) chosenExample(w http.ResponseWriter, r *http.Request, otherwise string) (exampleProgram, bool) {
	id := cmp.Or(r.URL.Query().Get("program"), otherwise)
	e, ok := findExample(id)
	if !ok {
		s.fail(w, r, http.StatusNotFound, fmt.Sprintf("There is no program named %q.", id))
	}
	return e, ok
}

func (s *server) viewClaimPage(c *claim) claimPage {
	v := claimPage{
		Examples: exampleFamilies(), Source: c.Source, Properties: viewProperties(c.Properties),
		Defines: strings.Join(c.Defines, " "), Entry: c.Entry, Engines: viewEngines(engines.Verifiers(), c.Engine),
	}
	if e, ok := exampleOf(c); ok {
		v.Name, v.ID, v.Note = e.Title, e.ID, e.Note
	}
	front := firstProgramModels(c.Source)
	known, _ := engines.VerifyModels(c.VerifyTask)
	for _, m := range viewModels(c.Models, "") {
		if m.Front = m.Chosen || slices.Contains(front, m.Name); m.Front || slices.Contains(known, m.Name) {
			v.Models = append(v.Models, m)
		}
	}
	v.Changed = len(c.Defines) > 0 || c.Entry != "" || c.Engine != "" && c.Engine != engines.Verifiers()[0].Name
	defaults := solver.DefaultOptions()
	for _, o := range engines.VerifyOptions {
		if !onPage(o) {
			continue
		}
		control := viewOption(o, &c.Options)
		control.Default = viewOption(o, &defaults).Value
		if o.Name == "unroll" {
			v.Unroll = control
			continue
		}
		v.Changed = v.Changed || control.Value != control.Default
		v.Options = append(v.Options, control)
	}
	return v
}

// postVerify answers the form's claims. Scripts get the answer alone, a browser without them the
// whole page; with field "open" it has the program, and no answer yet.
func (s *server) postVerify(w http.ResponseWriter, r *http.Request) {
	if !s.parseForm(w, r) {
		return
	}
	f := r.PostForm
	if f.Has("open") {
		c := newClaim(unixLines(f.Get("source")))
		s.render(w, r, http.StatusOK, verifyPage(nonce(r.Context()), s.viewClaimPage(&c)))
		return
	}
	c, err := readClaim(f)
	var results []*solver.Verification
	if err == nil {
		c.Again = f.Has("show")
		results, err = s.verify(r.Context(), c.verifyQuestion)
	}
	status, result, shown := http.StatusOK, templ.Component(nil), ""
	if err == nil {
		v := s.viewClaims(&c, results)
		if show := f.Get("show"); slices.ContainsFunc(v.Rows, func(r claimRow) bool { return r.Model == show && r.Drawn }) {
			v.Shown = show
		}
		result, shown = claimsAnswer(*v), v.Shown
	} else if status, result = s.told(w, r, err); result == nil {
		return
	}
	if isFragment(r) {
		s.render(w, r, status, result)
		return
	}
	v := s.viewClaimPage(&c)
	v.Result = result
	if shown != "" {
		v.Picture = s.failingWithoutScripts(r, &c, shown)
	}
	s.render(w, r, status, verifyPage(nonce(r.Context()), v))
}

// failingWithoutScripts is the execution for a browser's own request, or why there is none.
func (s *server) failingWithoutScripts(r *http.Request, c *claim, model string) templ.Component {
	v, err := s.viewFailing(r.Context(), c, model)
	if err != nil {
		return problem(s.fault(r.Context(), err).view)
	}
	return failingPicture(*v)
}

// askFailing shows the execution by which the form's program fails under the model in field "column".
func (s *server) askFailing(ctx context.Context, f url.Values) (*failureShown, error) {
	c, err := readClaim(f)
	if err != nil {
		return nil, err
	}
	return s.viewFailing(ctx, &c, f.Get("column"))
}

// getExample gives one example as JSON, with the models to tick for it.
func (s *server) getExample(w http.ResponseWriter, r *http.Request) {
	e, ok := s.chosenExample(w, r, "")
	if !ok {
		return
	}
	s.writeJSON(w, struct {
		exampleProgram
		Models []string `json:"models"`
	}{e, firstProgramModels(e.Source)})
}

// postCheckProgram answers with what is wrong with a program while it is typed.
func (s *server) postCheckProgram(w http.ResponseWriter, r *http.Request) {
	if !s.parseForm(w, r) {
		return
	}
	c, err := readClaim(r.PostForm)
	out := checked{Errors: []mark{}, Remarks: []mark{}}
	if err == nil {
		out.Errors, err = s.readProgram(r.Context(), c)
	}
	var no refusal
	switch {
	case errors.As(err, &no):
		out.Errors = []mark{{Line: 1, Col: 1, Message: err.Error()}}
	case err != nil:
		s.failOf(w, r, err)
		return
	}
	s.writeJSON(w, out)
}

// openClaims shows a link's claims.
func (s *server) openClaims(w http.ResponseWriter, r *http.Request, l store.Link) {
	c := claimOf(l)
	v := s.viewClaimPage(&c)
	v.View = string(l.View)
	s.render(w, r, http.StatusOK, verifyPage(nonce(r.Context()), v))
}
