package suites

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"litmuscope/litmus/catalogue"
	scaling "litmuscope/litmus/family"
	"litmuscope/litmus/suite"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/suites"
	"litmuscope/web/api/rest"
	"litmuscope/web/parts/family"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// suiteRequest is a submission in JSON, or the settings that come with an upload.
type suiteRequest = rest.Submission[optionform.Options]

// requestOf returns the settings of the suite.
func requestOf(in *suiteRequest) suites.Request {
	r := suites.Request{
		Name: in.Name, Labels: in.Labels, Engine: in.Engine, Options: in.Options.OrUsual(),
		Program: in.Program.Task(),
	}
	names := in.Models
	switch {
	case len(names) == 0 && len(in.Own) > 0:
		for _, m := range in.Own {
			names = append(names, m.Name)
		}
	case len(names) == 0 && in.ModelText != "":
		names = []string{question.OwnModel}
	case len(names) == 0:
		names = []string{""}
	}
	for _, name := range names {
		m := suites.Model{Name: name, Text: in.ModelText, Files: in.ModelFiles}
		if i := slices.IndexFunc(in.Own, func(o suites.Model) bool { return o.Name == name }); i >= 0 {
			m = in.Own[i]
		}
		if models.IsBuiltIn(name) || name == "" {
			m.Text, m.Files = "", nil
		}
		r.Models = append(r.Models, m)
	}
	return r
}

// testsOf returns the tests in the request itself.
func testsOf(in *suiteRequest) (iter.Seq[suite.Entry], error) {
	classics, err := classicsOf(in.Catalogue)
	if err != nil {
		return nil, err
	}
	var grow scaling.Family
	if f := in.Family; f != nil && f.Relaxations == "" {
		var ok bool
		if grow, ok = scaling.Find(f.Name); !ok {
			return nil, server.Refuse("There is no family %q.", f.Name)
		}
		if f.From < grow.Min || f.To > grow.Max || f.From > f.To {
			return nil, server.Refuse("Family %s: want sizes from %d to %d.", f.Name, grow.Min, grow.Max)
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
		if in.Family == nil || in.Family.Relaxations != "" {
			return
		}
		for n := in.Family.From; n <= in.Family.To; n++ {
			if !yield(suite.Entry{Path: fmt.Sprintf("%s-%d.litmus", grow.Name, n), Source: grow.Test(n)}) {
				return
			}
		}
	}, nil
}

// classicsOf returns the classic tests that match the patterns, each once, in the order of the patterns.
func classicsOf(patterns []string) (out []catalogue.Entry, err error) {
	all := catalogue.All()
	taken := make([]bool, len(all))
	for i, pattern := range patterns {
		if slices.Contains(patterns[:i], pattern) {
			continue
		}
		if len(pattern) > suites.MaxPath {
			return nil, server.Refuse("catalogue: the pattern %q is longer than %v.", server.Shortened(pattern),
				server.Bytes(suites.MaxPath))
		}
		found := false
		for n, e := range all {
			// IDs of the first architecture omit it, but a pattern can contain it.
			full := e.Arch + "/" + e.Name
			ok, err := path.Match(pattern, full)
			if err != nil {
				return nil, server.Refuse("catalogue: %q is not a valid pattern.", pattern)
			}
			if short, _ := path.Match(pattern, e.ID()); ok || short || pattern == full || pattern == e.ID() {
				if found = true; !taken[n] {
					taken[n], out = true, append(out, e)
				}
			}
		}
		if !found {
			return nil, server.Refuse("catalogue: no classic test matches %q.", pattern)
		}
	}
	return out, nil
}

const errMedia = server.UnknownMedia("want a suite as application/json, application/zip, application/gzip (a " +
	"tar.gz), " +
	"application/x-ndjson or multipart/form-data with the parts suite and tests")

// submitted parses a submission and submits it.
func (s *page) submitted(w http.ResponseWriter, r *http.Request) (_ *suites.Suite, again bool, err error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return nil, false, errMedia
	}
	var in suiteRequest
	var upload *suite.Upload
	switch kind {
	case "application/json":
		server.AllowBody(w, r, server.MaxListed)
		err = server.ReadJSON(r.Body, &in)
	case "application/zip", "application/x-zip-compressed", "application/gzip", "application/x-gzip",
		"application/x-ndjson", "application/octet-stream":
		server.AllowBody(w, r, s.server.Limits.Upload.Bytes())
		upload = s.upload(r.Body)
		upload.Kind = uploadKinds[kind]
		in, err = queryRequest(r.URL.Query())
	case "multipart/form-data":
		server.AllowBody(w, r, s.server.Limits.Upload.Bytes())
		var tests io.Reader
		if in, tests, err = multipartRequest(r); tests != nil {
			upload = s.upload(tests)
		}
	default:
		err = errMedia
	}
	if err != nil {
		return nil, false, err
	}
	return s.submit(r, in, upload)
}

// uploadKinds maps media types of uploads to kinds.
var uploadKinds = map[string]string{
	"application/zip": "zip", "application/x-zip-compressed": "zip", "application/gzip": "gzip",
	"application/x-gzip":   "gzip",
	"application/x-ndjson": "lines",
}

// upload reads the tests in r, within the server's limits.
func (s *page) upload(r io.Reader) *suite.Upload {
	return suite.NewUpload(r,
		suite.UploadLimits{
			Bytes: s.server.Limits.Unpacked.Bytes(), Entries: 4 * s.server.Limits.Tests,
			Test: suites.MaxTest, Turn: s.archives.Take,
		})
}

// submit submits a suite; upload can be nil.
func (s *page) submit(r *http.Request, in suiteRequest, upload *suite.Upload) (_ *suites.Suite, again bool, err error) {
	if err := s.server.Limits.Within(&in); err != nil {
		return nil, false, err
	}
	sub := suites.Submission{Request: requestOf(&in), Key: r.Header.Get("Idempotency-Key")}
	if t := server.CallerOf(r.Context()).Token; t != nil {
		sub.Owner = t.Name
	}
	s.questions.Ceil(&sub.Options)
	named, err := testsOf(&in)
	if err != nil {
		return nil, false, err
	}
	var cycles *family.Family
	if f := in.Family; f != nil && f.Relaxations != "" {
		if f.Name != "" {
			return nil, false, server.Refuse("Give a family by name or by relaxations, not both.")
		}
		if cycles, err = s.families.Read(r.Context(), f.Arch, f.Relaxations, f.From, f.To); err != nil {
			return nil, false, err
		}
	}
	sub.Tests = func(yield func(suite.Entry) bool) {
		for e := range named {
			if !yield(e) {
				return
			}
		}
		if cycles != nil && !s.yieldFamily(cycles, yield) {
			return
		}
		if upload != nil {
			upload.Tests(r.Context())(yield)
		}
	}
	sub.Broken = func() error {
		if cycles != nil && cycles.Err != nil {
			return cycles.Problem()
		}
		if upload == nil || upload.Err() == nil {
			return nil
		}
		return &brokenUpload{upload.Err()}
	}
	found, again, err := s.Suites.Submit(r.Context(), sub)
	if no := (*suites.Inadmissible)(nil); errors.As(err, &no) {
		err = question.RefusalOf(no.Err)
	}
	return found, again, err
}

// yieldFamily yields the tests of a family when it gets its turn, and reports whether the caller wants more. It gives
// the turn back before an upload that follows, since that can be slow.
func (s *page) yieldFamily(f *family.Family, yield func(suite.Entry) bool) bool {
	var over func()
	if over, f.Err = s.families.Families.Take(f.Ctx); f.Err != nil {
		return true
	}
	defer over()
	for e := range f.Entries {
		if !yield(e) {
			return false
		}
	}
	return true
}

// brokenUpload is the error of an upload that is invalid or incomplete.
type brokenUpload struct{ Err error }

// Error implements [error].
func (b *brokenUpload) Error() string { return b.Err.Error() }

// Unwrap returns the error of the upload.
func (b *brokenUpload) Unwrap() error { return b.Err }

// Say returns the error as a sentence for the visitor.
func (b *brokenUpload) Say() server.Said { return server.Said{Text: server.Sentence(b)} }

// queryRequest parses the settings of an upload from the query.
func queryRequest(q url.Values) (suiteRequest, error) {
	in := suiteRequest{Name: q.Get("name"), Models: q["model"], Engine: q.Get("engine")}
	in.Options.Options, in.Options.Set = solver.DefaultOptions(), true
	for _, label := range q["label"] {
		k, v, ok := strings.Cut(label, "=")
		if !ok {
			return in, server.Refuse("Label %q: want key=value.", label)
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
			if err := optionform.Set(&in.Options.Options, solver.OptionTable[i], q.Get(name)); err != nil {
				return in, err
			}
		case !slices.Contains([]string{"name", "model", "engine", "label"}, name):
			return in, server.Refuse("Unknown parameter %q.", name)
		}
	}
	return in, nil
}

// multipartRequest parses the part suite and returns a reader of the part tests.
func multipartRequest(r *http.Request) (in suiteRequest, tests io.Reader, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return in, nil, server.Unread(err)
	}
	p, err := parts.NextPart()
	if err == nil && p.FormName() == "suite" {
		if err := server.ReadJSON(io.LimitReader(p, server.MaxListed), &in); err != nil {
			return in, nil, err
		}
		p, err = parts.NextPart()
	}
	switch {
	case err == io.EOF: //nolint:errorlint // NextPart returns io.EOF unwrapped
		return in, nil, nil
	case err != nil:
		return in, nil, server.Unread(err)
	case p.FormName() != "tests":
		return in, nil, server.Refuse("The form has a part %q. Want the part tests here.", p.FormName())
	}
	return in, p, nil
}
