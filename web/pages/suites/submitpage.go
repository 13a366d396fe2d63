package suites

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/web/api/rest"
	"litmuscope/web/parts/family"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

// postFamilySuite submits a family as a suite and redirects to it.
func (s *page) postFamilySuite(w http.ResponseWriter, r *http.Request) {
	if !s.server.ParseForm(w, r) {
		return
	}
	least, most, err := family.Sizes(r.PostForm)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	arch := r.PostForm.Get("arch")
	in := suiteRequest{
		Name: fmt.Sprintf("%s cycles of %s", arch, family.Span(least, most)), Models: r.PostForm["model"],
		Family: &rest.Family{Arch: arch, Relaxations: r.PostForm.Get("relax"), From: least, To: most},
	}
	found, _, err := s.submit(r, in, nil)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	http.Redirect(w, r, "/suites/"+found.ID, http.StatusSeeOther)
}

// newSubmission returns an empty form, with each test under its own model.
func newSubmission() submitView { return viewSubmission(url.Values{"model": {""}}) }

// viewSubmission returns the form with submitted values.
func viewSubmission(f url.Values) submitView {
	v := submitView{
		Name: f.Get("name"), Labels: f.Get("labels"), Catalogue: f.Get("catalogue"), Text: f.Get("text"),
		ModelText: f.Get("model-text"),
	}
	if own, err := question.OwnFromForm(url.Values{
		"own-name": f["own-name"], "own-text": f["own-text"], "own-files": f["own-files"],
	}); err == nil && len(own) > 0 {
		v.Own = formfields.ViewOwn(own)
	}
	v.Models = append([]formfields.ModelView{{
		Label: "default", Title: "runs each test under the model of its architecture",
		Chosen: slices.Contains(f["model"], ""), Front: true,
	}}, formfields.ViewModels(f["model"], "")...)
	o := solver.DefaultOptions()
	_ = optionform.SetAll(&o, f) // invalid values keep their defaults; the problem reports them
	b := textpage.Share("", engines.All(), f.Get("engine"), solver.OptionTable, &o)
	v.Engines, v.Options, v.Changed = b.Engines, b.Options, b.Changed
	return v
}

// postSuites submits the form and redirects to the suite.
func (s *page) postSuites(w http.ResponseWriter, r *http.Request) {
	server.AllowBody(w, r, s.server.Limits.Upload.Bytes())
	form, _, tests, err := formAndFile(r, "tests")
	var in suiteRequest
	var upload *suite.Upload
	if tests != nil {
		upload = s.upload(tests)
	}
	if err == nil {
		in, err = formRequest(form)
	}
	var found *suites.Suite
	if err == nil {
		found, _, err = s.submit(r, in, upload)
	}
	if err == nil {
		http.Redirect(w, r, "/suites/"+found.ID, http.StatusSeeOther)
		return
	}
	// A browser shows the response only after it has sent everything.
	_, _ = io.Copy(io.Discard, r.Body)
	f := s.server.Fault(r.Context(), err)
	f.Hint(w.Header())
	v := suitesView{Form: viewSubmission(form)}
	v.Form.Problem = &f.View
	if err := s.viewSuites(r, &v); err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.Render(w, r, f.Status, suitesPage(server.Nonce(r.Context()), v))
}

// formRequest parses the form.
func formRequest(f url.Values) (suiteRequest, error) {
	in := suiteRequest{
		Name: strings.TrimSpace(f.Get("name")), Models: f["model"], Engine: f.Get("engine"),
		ModelText: f.Get("model-text"),
		Catalogue: strings.Fields(strings.ReplaceAll(f.Get("catalogue"), ",", " ")),
	}
	if strings.TrimSpace(in.ModelText) == "" {
		in.ModelText = ""
	} else {
		in.ModelText = strings.ReplaceAll(in.ModelText, "\r\n", "\n")
		in.Models = append(in.Models, question.OwnModel)
	}
	if f.Has("own-text") { // saved models, which the page's script sends
		var err error
		if in.Own, err = question.OwnFromForm(f); err != nil {
			return in, err
		}
		for _, m := range in.Own {
			in.Models = append(in.Models, m.Name)
		}
	}
	for label := range strings.FieldsFuncSeq(f.Get("labels"),
		func(c rune) bool { return c == ',' || c == '\n' || c == '\r' }) {
		if label = strings.TrimSpace(label); label == "" {
			continue
		}
		k, v, ok := strings.Cut(label, "=")
		if !ok {
			return in, server.Refuse("Label %q: want key=value.", label)
		}
		if in.Labels == nil {
			in.Labels = map[string]string{}
		}
		in.Labels[strings.TrimSpace(k)] = strings.TrimSpace(v)
	}
	in.Options.Options, in.Options.Set = solver.DefaultOptions(), true
	if err := optionform.SetAll(&in.Options.Options, f); err != nil {
		return in, err
	}
	in.Tests = pasted(f.Get("text"))
	return in, nil
}

// pasted splits a text into tests. Each test starts with its header, an architecture and a name.
func pasted(text string) []rest.Test {
	var out []rest.Test
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		words := strings.Fields(line)
		if header := len(words) >= 2 && strings.HasPrefix(line, words[0]) &&
			slices.Contains(dialect.Archs(), words[0]); header || len(out) == 0 && len(words) > 0 {
			out = append(out, rest.Test{Path: fmt.Sprintf("test-%d.litmus", len(out)+1)})
			if header {
				out[len(out)-1].Path = words[1] + ".litmus"
			}
		}
		if len(out) > 0 {
			out[len(out)-1].Source += line
		}
	}
	return out
}
