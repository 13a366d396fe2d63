package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/family"
	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/suites"
	"litmuscope/store"
)

// SuiteLimits bound what one submission may be; 0 stands for the default.
type SuiteLimits struct {
	Tests  int   // default 100,000
	Upload int64 // bytes of the request; default 256 MiB
	Bytes  int64 // … of what it unpacks to; default 1 GiB
}

func (l *SuiteLimits) fill() {
	if l.Tests == 0 {
		l.Tests = 100_000
	}
	if l.Upload == 0 {
		l.Upload = 256 << 20
	}
	if l.Bytes == 0 {
		l.Bytes = 1 << 30
	}
}

// maxListed bounds a submission in JSON: its tests are in memory at once.
const maxListed = 32 << 20

// suiteInfo is a suite as the REST interface tells of it.
type suiteInfo struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Labels   map[string]string `json:"labels"`
	Owner    string            `json:"owner,omitempty"`
	State    suites.State      `json:"state" enum:"running,done,cancelled"`
	Created  time.Time         `json:"created"`
	Finished *time.Time        `json:"finished,omitempty"`
	Models   []string          `json:"models" doc:"names; an empty one stands for the model of each test's architecture"`
	Engine   string            `json:"engine"`
	Options  options           `json:"options"`
	Version  string            `json:"version" doc:"of the engines and the built-in models: answers of one version are comparable"`

	Tests    int                  `json:"tests"`
	Rows     int                  `json:"rows" doc:"one for each test and model, in the end"`
	Done     int                  `json:"done" doc:"rows that there are"`
	Unknown  int                  `json:"unknown"`
	Failed   int                  `json:"failed"`
	Cached   int                  `json:"cached"`
	SetAside int                  `json:"set_aside" doc:"tests given up because workers died of them"`
	Totals   []suites.ModelTotals `json:"totals" doc:"by model"`

	Rate float64  `json:"rate,omitempty" doc:"rows a second, lately"`
	Left *float64 `json:"left_seconds,omitempty" doc:"estimated"`
	Seq  int64    `json:"seq" doc:"of the row that was recorded last"`
}

func (s *server) suiteInfo(of *suites.Suite) suiteInfo {
	r := of.Request
	out := suiteInfo{
		ID: of.ID, Name: r.Name, Labels: r.Labels, Owner: of.Owner, State: of.State, Created: of.Created,
		Models: r.ModelNames(), Engine: r.Engine, Options: options{Options: r.Options}, Version: of.Version,
		Tests: of.Tests, Rows: of.Rows(), Done: of.Done, Unknown: of.Unknown, Failed: of.Failed, Cached: of.Cached,
		SetAside: of.SetAside, Totals: of.Totals, Seq: of.Seq,
	}
	if out.Labels == nil {
		out.Labels = map[string]string{}
	}
	if !of.Finished.IsZero() {
		out.Finished = &of.Finished
	}
	if of.State == suites.Running {
		if out.Rate = s.Suites.Rate(of.Number); out.Rate > 0 {
			left := float64(out.Rows-out.Done) / out.Rate
			out.Left = &left
		}
	}
	return out
}

// MarshalJSON writes durations as they are read.
func (o options) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	for _, opt := range solver.OptionTable {
		switch f := opt.Field(&o.Options).(type) {
		case *time.Duration:
			out[opt.Name] = f.String()
		case *int:
			out[opt.Name] = *f
		case *string:
			out[opt.Name] = *f
		case *bool:
			out[opt.Name] = *f
		}
	}
	return json.Marshal(out)
}

// suiteRequest is a submission in JSON, or the part of one that goes with an upload.
type suiteRequest struct {
	Name       string            `json:"name,omitempty"`
	Labels     map[string]string `json:"labels,omitempty"`
	Models     []string          `json:"models,omitempty" doc:"names of built-in models, or of model_text; when absent, model_text, or else each test's own"`
	ModelText  string            `json:"model_text,omitempty" doc:"a model in the cat language, for the name in models that is not built in"`
	ModelFiles map[string]string `json:"model_files,omitempty" doc:"what model_text includes, by name"`
	// Own are several models of one's own, each with a name of its own.
	Own       []suites.Model `json:"own_models,omitempty" doc:"more models in the cat language, by the names that models has them under"`
	Engine    string         `json:"engine,omitempty"`
	Options   options        `json:"options,omitempty"`
	Tests     []listedTest   `json:"tests,omitempty"`
	Catalogue []string       `json:"catalogue,omitempty" doc:"classic tests by their ids, which may have * and ?: X86/SB, X86/*" example:"[\"X86/SB\"]"`
	Family    *familyRequest `json:"family,omitempty"`
}

type listedTest struct {
	Path   string `json:"path"`
	Source string `json:"source"`
	Error  string `json:"error,omitempty" doc:"why there is no source: the test is a failed row"`
}

type familyRequest struct {
	Name string `json:"name" doc:"a family of tests that grow: ring, fib …"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// request is how the suite is to be run.
func (in *suiteRequest) request() suites.Request {
	r := suites.Request{Name: in.Name, Labels: in.Labels, Engine: in.Engine, Options: in.Options.Options}
	if !in.Options.set {
		r.Options = solver.DefaultOptions()
	}
	names := in.Models
	switch {
	case len(names) == 0 && len(in.Own) > 0:
		for _, m := range in.Own {
			names = append(names, m.Name)
		}
	case len(names) == 0 && in.ModelText != "":
		names = []string{ownModel}
	case len(names) == 0:
		names = []string{""}
	}
	for _, name := range names {
		m := suites.Model{Name: name, Text: in.ModelText, Files: in.ModelFiles}
		if i := slices.IndexFunc(in.Own, func(o suites.Model) bool { return o.Name == name }); i >= 0 {
			m = in.Own[i]
		}
		if isBuiltIn(name) || name == "" {
			m.Text, m.Files = "", nil
		}
		r.Models = append(r.Models, m)
	}
	return r
}

// tests are those that the request itself names.
func (in *suiteRequest) tests() (iter.Seq[suite.Entry], error) {
	var classics []catalogue.Entry
	for _, pattern := range in.Catalogue {
		n := len(classics)
		for _, e := range catalogue.All() {
			// Ids leave the first architecture out; whoever asks need not.
			full := e.Arch + "/" + e.Name
			ok, err := path.Match(pattern, full)
			if err != nil {
				return nil, refuse("Catalogue: %q is no pattern.", pattern)
			}
			if short, _ := path.Match(pattern, e.ID()); ok || short || pattern == full || pattern == e.ID() {
				classics = append(classics, e)
			}
		}
		if len(classics) == n {
			return nil, refuse("Catalogue: there is no classic test %q.", pattern)
		}
	}
	var grow family.Family
	if f := in.Family; f != nil {
		var ok bool
		if grow, ok = family.Find(f.Name); !ok {
			return nil, refuse("There is no family %q.", f.Name)
		}
		if f.From < grow.Min || f.To > grow.Max || f.From > f.To {
			return nil, refuse("Family %s: sizes are %d to %d.", f.Name, grow.Min, grow.Max)
		}
	}
	return func(yield func(suite.Entry) bool) {
		for _, t := range in.Tests {
			e := suite.Entry{Path: t.Path, Source: t.Source}
			if t.Error != "" {
				e.Err = errors.New(t.Error)
			}
			if !yield(e) {
				return
			}
		}
		for _, c := range classics {
			if !yield(suite.Entry{Path: c.ID() + ".litmus", Source: c.Source}) {
				return
			}
		}
		if in.Family == nil {
			return
		}
		for n := in.Family.From; n <= in.Family.To; n++ {
			if !yield(suite.Entry{Path: fmt.Sprintf("%s-%d.litmus", grow.Name, n), Source: grow.Test(n)}) {
				return
			}
		}
	}, nil
}

// restSuites mounts the operations on suites.
func (s *server) restSuites(r chi.Router, api huma.API) {
	s.describeSuites(api)
	r.Group(func(r chi.Router) {
		r.Use(s.require(store.Submit))
		r.Post("/api/v1/suites", s.postSuite)
		r.Delete("/api/v1/suites/{id}", s.deleteSuite)
	})
	r.Group(func(r chi.Router) {
		r.Use(s.require(store.Read))
		r.Get("/api/v1/suites", s.listSuites)
		r.Get("/api/v1/suites/{id}", s.getSuite)
		r.Get("/api/v1/suites/{id}/results", s.suiteResults)
		r.Get("/api/v1/suites/{id}/events", s.suiteEvents)
		r.Get("/api/v1/suites/{id}/badge.svg", s.suiteBadge)
		r.Get("/api/v1/suites/{id}/report.html", s.suiteReport)
		r.Post("/api/v1/compare", s.postCompare)
	})
}

// postSuite takes a submission in, in any of its forms.
func (s *server) postSuite(w http.ResponseWriter, r *http.Request) {
	found, again, err := s.submitted(w, r)
	if err != nil {
		s.refuseSuite(w, r, err)
		return
	}
	w.Header().Set("Location", "/api/v1/suites/"+found.ID)
	status := http.StatusAccepted
	if again {
		status = http.StatusOK
	}
	s.writeStatusJSON(w, status, s.suiteInfo(found))
}

// errMedia is a body of a kind that is not read.
var errMedia = errors.New("a suite is application/json, application/zip, application/gzip (a tar.gz), application/x-ndjson or multipart/form-data with the parts suite and tests")

// submitted reads a submission and hands it in.
func (s *server) submitted(w http.ResponseWriter, r *http.Request) (_ *suites.Suite, again bool, err error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return nil, false, errMedia
	}
	var in suiteRequest
	var upload io.Reader
	switch kind {
	case "application/json":
		allowBody(w, r, maxListed)
		err = readJSON(r.Body, &in)
	case "application/zip", "application/x-zip-compressed", "application/gzip", "application/x-gzip", "application/x-ndjson", "application/octet-stream":
		allowBody(w, r, s.SuiteLimits.Upload)
		upload = r.Body
		in, err = queryRequest(r.URL.Query())
	case "multipart/form-data":
		allowBody(w, r, s.SuiteLimits.Upload)
		in, upload, err = multipartRequest(r)
	default:
		err = errMedia
	}
	if err != nil {
		return nil, false, err
	}
	return s.submit(r, in, upload)
}

// submit hands a submission in; upload may be nil.
func (s *server) submit(r *http.Request, in suiteRequest, upload io.Reader) (_ *suites.Suite, again bool, err error) {
	sub := suites.Submission{Request: in.request(), Key: r.Header.Get("Idempotency-Key")}
	if t := callerOf(r.Context()).token; t != nil {
		sub.Owner = t.Name
	}
	s.ceil(&sub.Options)
	named, err := in.tests()
	if err != nil {
		return nil, false, err
	}
	var uploaded *suite.Upload
	if upload != nil {
		uploaded = suite.NewUpload(upload, suite.UploadLimits{Bytes: s.SuiteLimits.Bytes, Entries: 4 * s.SuiteLimits.Tests, Test: suites.MaxTest})
	}
	sub.Tests = func(yield func(suite.Entry) bool) {
		for e := range named {
			if !yield(e) {
				return
			}
		}
		if uploaded != nil {
			uploaded.Tests(r.Context())(yield)
		}
	}
	sub.Broken = func() error {
		if uploaded == nil || uploaded.Err() == nil {
			return nil
		}
		return &brokenUpload{uploaded.Err()}
	}
	return s.Suites.Submit(r.Context(), sub)
}

// brokenUpload is an upload that is not what it should be, or breaks off.
type brokenUpload struct{ err error }

func (b *brokenUpload) Error() string { return b.err.Error() }
func (b *brokenUpload) Unwrap() error { return b.err }

// readJSON reads one value and nothing behind it.
func readJSON(r io.Reader, v any) error {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, more := d.Token(); more != io.EOF { //nolint:errorlint // Token gives the very value
			err = errors.New("there is something behind the JSON value")
		}
	}
	var no refusal
	if long := (*http.MaxBytesError)(nil); err == nil || errors.As(err, &long) || errors.As(err, &no) {
		return err
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return refuse("The request is not the JSON it should be: %s cannot be a JSON %s.", cmp.Or(wrong.Field, "it"), wrong.Value)
	}
	return refuse("The request is not the JSON it should be: %s.", strings.TrimPrefix(err.Error(), "json: "))
}

// queryRequest reads what goes with an upload from the query.
func queryRequest(q url.Values) (suiteRequest, error) {
	in := suiteRequest{Name: q.Get("name"), Models: q["model"], Engine: q.Get("engine")}
	in.Options.Options, in.Options.set = solver.DefaultOptions(), true
	for _, label := range q["label"] {
		k, v, ok := strings.Cut(label, "=")
		if !ok {
			return in, refuse("Label %q: want key=value.", label)
		}
		if in.Labels == nil {
			in.Labels = map[string]string{}
		}
		in.Labels[k] = v
	}
	for name := range q {
		i := slices.IndexFunc(solver.OptionTable, func(o solver.Option) bool { return o.Name == name })
		switch {
		case i >= 0:
			if err := setOption(&in.Options.Options, solver.OptionTable[i], q.Get(name)); err != nil {
				return in, err
			}
		case !slices.Contains([]string{"name", "model", "engine", "label"}, name):
			return in, refuse("There is no parameter %q.", name)
		}
	}
	return in, nil
}

// multipartRequest reads the part suite; what is returned reads the part tests.
func multipartRequest(r *http.Request) (in suiteRequest, tests io.Reader, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return in, nil, refuse("The form cannot be read: %v.", err)
	}
	p, err := parts.NextPart()
	if err == nil && p.FormName() == "suite" {
		if err := readJSON(io.LimitReader(p, maxListed), &in); err != nil {
			return in, nil, err
		}
		p, err = parts.NextPart()
	}
	switch {
	case err == io.EOF: //nolint:errorlint // NextPart gives the very value
		return in, nil, nil
	case err != nil:
		return in, nil, refuse("The form cannot be read: %v.", err)
	case p.FormName() != "tests":
		return in, nil, refuse("The form has a part %q where tests should be.", p.FormName())
	}
	return in, p, nil
}

// refuseSuite says why a submission, or an operation on a suite, cannot be.
func (s *server) refuseSuite(w http.ResponseWriter, r *http.Request, err error) {
	p := s.suiteProblem(r.Context(), err)
	var full *suites.Full
	if errors.As(err, &full) {
		w.Header().Set("Retry-After", "30")
	} else if wait, _ := busy(err); wait > 0 {
		retryAfter(w.Header(), wait)
	}
	s.failWith(w, r, p)
}

// suiteProblem words an error.
func (s *server) suiteProblem(ctx context.Context, err error) *Problem {
	var (
		no     refusal
		limit  *suites.Refusal
		full   *suites.Full
		long   *http.MaxBytesError
		broken *brokenUpload
		bad    badSide
		model  *badModel
	)
	switch {
	case errors.Is(err, errMedia):
		return newProblem(http.StatusUnsupportedMediaType, err.Error())
	case errors.As(err, &long):
		return newProblem(http.StatusRequestEntityTooLarge, fmt.Sprintf("The request is longer than %d MiB.", long.Limit>>20))
	case errors.As(err, &limit) && limit.TooLarge:
		return newProblem(http.StatusRequestEntityTooLarge, sentenceOf(limit.Msg))
	case errors.As(err, &limit):
		return newProblem(http.StatusUnprocessableEntity, sentenceOf(limit.Msg))
	case errors.As(err, &no):
		return newProblem(http.StatusUnprocessableEntity, no.msg)
	case errors.As(err, &full):
		return newProblem(http.StatusServiceUnavailable, sentenceOf(full.Error()))
	case errors.Is(err, os.ErrDeadlineExceeded):
		return newProblem(http.StatusRequestTimeout, "The request came too slowly.")
	case errors.As(err, &bad):
		return newProblem(http.StatusUnprocessableEntity, sentenceOf(bad.Error()))
	case errors.As(err, &broken):
		return newProblem(http.StatusUnprocessableEntity, sentenceOf(broken.Error()))
	case errors.Is(err, suites.ErrNoSuite):
		return newProblem(http.StatusNotFound, "There is no suite with this id, or not any more.")
	case errors.Is(err, suites.ErrKeyReused):
		return newProblem(http.StatusUnprocessableEntity, sentenceOf(err.Error()))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return newProblem(http.StatusServiceUnavailable, "The request was cancelled.")
	}
	if refused := refusalOf(err); errors.As(refused, &model) {
		return newProblem(http.StatusUnprocessableEntity, fmt.Sprintf("the model cannot be read: %v", model.errs[0])).at("model_text", model.errs)
	}
	var admission *suites.Inadmissible
	if errors.As(err, &admission) {
		errors.As(refusalOf(admission.Err), &no)
		return newProblem(http.StatusUnprocessableEntity, no.msg)
	}
	if wait, text := busy(err); wait > 0 {
		return newProblem(http.StatusServiceUnavailable, text)
	}
	s.Log.ErrorContext(ctx, "suites", "error", err)
	return newProblem(http.StatusInternalServerError, "This could not be done; the server's log says why.")
}

func sentenceOf(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

// suiteOf is the suite that the address names; nil, and answered, where there is none.
func (s *server) suiteOf(w http.ResponseWriter, r *http.Request) *suites.Suite {
	found, err := s.Store.Suite(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		s.refuseSuite(w, r, err)
		return nil
	}
	return found
}

func (s *server) getSuite(w http.ResponseWriter, r *http.Request) {
	if found := s.suiteOf(w, r); found != nil {
		s.writeJSON(w, s.suiteInfo(found))
	}
}

// deleteSuite cancels a suite, or with purge removes it. What others have submitted is an
// administrator's.
func (s *server) deleteSuite(w http.ResponseWriter, r *http.Request) {
	found := s.suiteOf(w, r)
	if found == nil || !s.mayEnd(w, r, found) {
		return
	}
	if r.URL.Query().Get("purge") == "true" {
		if err := s.Suites.Delete(r.Context(), found.ID); err != nil {
			s.refuseSuite(w, r, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	found, err := s.Suites.Cancel(r.Context(), found.ID)
	if err != nil {
		s.refuseSuite(w, r, err)
		return
	}
	s.writeJSON(w, s.suiteInfo(found))
}

// mayEnd tells whether the caller may cancel a suite; if not, that is answered.
func (s *server) mayEnd(w http.ResponseWriter, r *http.Request, of *suites.Suite) bool {
	t := callerOf(r.Context()).token
	return t != nil && t.Name == of.Owner || s.permits(w, r, store.Admin)
}

// Pages of the list of suites.
const (
	pageSuites = 50
	maxSuites  = 500
)

func (s *server) listSuites(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	limit, before := pageSuites, int64(0)
	var err error
	if v := q.Get("limit"); v != "" {
		if limit, err = strconv.Atoi(v); err != nil || limit < 1 || limit > maxSuites {
			s.fail(w, r, http.StatusUnprocessableEntity, fmt.Sprintf("limit: want 1 to %d.", maxSuites))
			return
		}
	}
	if v := q.Get("before"); v != "" {
		if before, err = strconv.ParseInt(v, 10, 64); err != nil {
			s.fail(w, r, http.StatusUnprocessableEntity, "before: want what an earlier list gave as next.")
			return
		}
	}
	label, value, _ := strings.Cut(q.Get("label"), "=")
	found, err := s.Store.Suites(r.Context(), before, label, value, limit)
	if err != nil {
		s.refuseSuite(w, r, err)
		return
	}
	out := struct {
		Suites []suiteInfo `json:"suites"`
		Next   string      `json:"next,omitempty"`
	}{Suites: []suiteInfo{}}
	for _, f := range found {
		out.Suites = append(out.Suites, s.suiteInfo(f))
	}
	if len(found) == limit {
		out.Next = strconv.FormatInt(found[limit-1].Number, 10)
	}
	s.writeJSON(w, out)
}
