package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"litmuscope/solver"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/rest"
)

// maxListed bounds a submission in JSON: its tests are in memory at once.
const maxListed = 32 << 20

// suiteInfo is a suite as the REST interface tells of it.
type suiteInfo = rest.Suite[options]

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
		out[opt.Name] = opt.Plain(&o.Options)
	}
	return json.Marshal(out)
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
		list   *badRelaxations
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
	case errors.As(err, &list):
		return newProblem(http.StatusUnprocessableEntity, fmt.Sprintf("the relaxations cannot be read: %v", list.errs[0])).at("body.family.relaxations", list.errs)
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

func (s *server) getSuite(ctx context.Context, in *suiteInput) (*suiteOutput, error) {
	found, err := s.Store.Suite(ctx, in.ID)
	if err != nil {
		return nil, s.suiteProblem(ctx, err).of(ctx)
	}
	return &suiteOutput{"no-store", s.suiteInfo(found)}, nil
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

func (s *server) listSuites(ctx context.Context, in *suitesInput) (*suitesOutput, error) {
	label, value, _ := strings.Cut(in.Label, "=")
	found, err := s.Store.Suites(ctx, in.Before, label, value, in.Limit)
	if err != nil {
		return nil, s.suiteProblem(ctx, err).of(ctx)
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
