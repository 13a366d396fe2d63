package suites

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/api/rest"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/server"
)

// suiteInfo is a suite in the REST API.
type suiteInfo = rest.Suite[optionform.Options]

func (s *page) suiteInfo(of *suites.Suite) suiteInfo {
	r := of.Request
	out := suiteInfo{
		ID: of.ID, Name: r.Name, Labels: r.Labels, Owner: of.Owner, State: of.State, Created: of.Created,
		Models: r.ModelNames(), Engine: r.Engine, Options: optionform.Options{Options: r.Options}, Version: of.Version,
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

// postSuite accepts a submission in any of its formats.
func (s *page) postSuite(w http.ResponseWriter, r *http.Request) {
	found, again, err := s.submitted(w, r)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	w.Header().Set("Location", "/api/v1/suites/"+found.ID)
	status := http.StatusAccepted
	if again {
		status = http.StatusOK
	}
	s.server.WriteStatusJSON(w, status, s.suiteInfo(found))
}

// suiteOf returns the suite in the address. If there is none, it answers the request and returns nil.
func (s *page) suiteOf(w http.ResponseWriter, r *http.Request) *suites.Suite {
	found, err := s.Store.Suite(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		s.server.FailOf(w, r, err)
		return nil
	}
	return found
}

func (s *page) getSuite(ctx context.Context, in *suiteInput) (*suiteOutput, error) {
	found, err := s.Store.Suite(ctx, in.ID)
	if err != nil {
		return nil, s.server.Problem(ctx, err)
	}
	return &suiteOutput{"no-store", s.suiteInfo(found)}, nil
}

// deleteSuite cancels a suite or, with purge, deletes it. Only an administrator can do this to other people's suites.
func (s *page) deleteSuite(w http.ResponseWriter, r *http.Request) {
	found := s.suiteOf(w, r)
	if found == nil || !s.mayEnd(w, r, found) {
		return
	}
	if r.URL.Query().Get("purge") == "true" {
		if err := s.Suites.Delete(r.Context(), found.ID); err != nil {
			s.server.FailOf(w, r, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	found, err := s.Suites.Cancel(r.Context(), found.ID)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.WriteJSON(w, s.suiteInfo(found))
}

// mayEnd reports whether the client can cancel a suite; if not, it answers the request.
func (s *page) mayEnd(w http.ResponseWriter, r *http.Request, of *suites.Suite) bool {
	t := server.CallerOf(r.Context()).Token
	return t != nil && t.Name == of.Owner || s.server.Permits(w, r, store.Admin)
}

func (s *page) listSuites(ctx context.Context, in *suitesInput) (*suitesOutput, error) {
	label, value, _ := strings.Cut(in.Label, "=")
	before, err := strconv.ParseInt(cmp.Or(in.Before, "0"), 10, 64)
	if err != nil {
		return nil, s.server.Problem(ctx, server.Refuse("before: want the value of next from a previous list."))
	}
	found, err := s.Store.Suites(ctx, before, label, value, in.Limit)
	if err != nil {
		return nil, s.server.Problem(ctx, err)
	}
	out := &suitesOutput{NotKept: "no-store"}
	out.Body.Suites = []suiteInfo{}
	for _, f := range found {
		out.Body.Suites = append(out.Body.Suites, s.suiteInfo(f))
	}
	if len(found) == in.Limit {
		out.Body.Next = strconv.FormatInt(found[in.Limit-1].Number, 10)
	}
	return out, nil
}
