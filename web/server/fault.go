package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/danielgtaylor/huma/v2"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/api/rest"
)

// fault is the answer to an error, for a page and for REST.
type fault struct {
	*Problem
	View ProblemView   // the same as a part of a page
	wait time.Duration // after which to try again; 0: trying again does not help
	Ours bool          // the server is at fault, and a visitor cannot do anything about it
}

// Said is the text of an error.
type Said struct {
	Text    string
	View    ProblemView          // for pages; zero: the text alone
	Details []rest.ProblemDetail // for REST
	wait    time.Duration
}

// UnknownMedia is the error for a body with an unsupported media type. Its text lists the supported ones.
type UnknownMedia string

func (m UnknownMedia) Error() string { return string(m) }

// Mendable is an error in a client's input that describes itself.
type Mendable interface {
	error
	Say() Said
}

// FaultKind is a kind of errors with the HTTP status of their answers.
type FaultKind struct {
	status int
	say    func(error) (Said, bool) // false: the error is of another kind
}

// faultTable lists the kinds of errors that are neither bugs nor specific to a page. The first kind that matches an
// error counts. The kinds that pages register (Page.Faults) come before these.
var faultTable = []FaultKind{
	of(http.StatusBadRequest, func(e *brokenBody) Said { return Say("The request cannot be read: %v.", e.err) }),
	of(http.StatusRequestEntityTooLarge, func(e *http.MaxBytesError) Said {
		return Say("The request is longer than %d MiB.", e.Limit>>20)
	}),
	AnswerTo(http.StatusRequestTimeout, "The request arrived too slowly.", os.ErrDeadlineExceeded),
	of(http.StatusUnsupportedMediaType, func(e UnknownMedia) Said { return Said{Text: Sentence(e)} }),

	of(http.StatusServiceUnavailable, func(b *busy) Said { return Said{Text: b.text, wait: turnAgain} }),

	of(http.StatusUnprocessableEntity, func(e Refusal) Said { return Said{Text: e.msg} }),

	AnswerTo(http.StatusNotFound, "There is no suite with this id. It may have been deleted.", suites.ErrNoSuite),
	AnswerTo(http.StatusUnprocessableEntity, "", suites.ErrKeyReused),
	when(http.StatusRequestEntityTooLarge, func(e *suites.Refusal) bool { return e.TooLarge },
		func(e *suites.Refusal) Said { return Said{Text: Sentence(e)} }),
	of(http.StatusUnprocessableEntity, func(e *suites.Refusal) Said { return Said{Text: Sentence(e)} }),
	of(http.StatusServiceUnavailable,
		func(e *suites.Full) Said { return Said{Text: Sentence(e), wait: 30 * time.Second} }),
	of(http.StatusUnprocessableEntity, Mendable.Say),

	AnswerTo(http.StatusNotFound, "There is no permalink with this id.", store.ErrNoLink),
	AnswerTo(http.StatusRequestEntityTooLarge, "", store.ErrLinkTooLong),

	{http.StatusServiceUnavailable, func(err error) (Said, bool) {
		return Said{Text: "The server's disk is full, so it cannot store anything at the " +
				"moment.", wait: 30 * time.Second},
			errors.Is(err, store.ErrFull)
	}},

	AnswerTo(http.StatusGone, "This class has ended.", store.ErrNoRoom),
	AnswerTo(http.StatusServiceUnavailable, "This server has too many classes at the moment.",
		store.ErrRoomsFull),
	AnswerTo(http.StatusUnprocessableEntity, "", store.ErrManyTries, store.ErrLongTry),

	of(http.StatusServiceUnavailable, func(e *solver.Busy) Said {
		return Said{Text: "Too many questions are waiting. Try again soon.", wait: e.RetryAfter}
	}),
	when(http.StatusServiceUnavailable, (*solver.Died).Temporary, func(*solver.Died) Said {
		return Said{Text: "Something outside litmuscope stopped the worker of this question. Try " +
			"again.", wait: time.Second}
	}),
	AnswerTo(http.StatusServiceUnavailable, "The request was cancelled.", context.Canceled, context.DeadlineExceeded),
}

// of returns the kind of all errors of type E.
func of[E error](status int, say func(E) Said) FaultKind {
	return when(status, func(E) bool { return true }, say)
}

// when returns the kind of the errors of type E for which a condition holds.
func when[E error](status int, which func(E) bool, say func(E) Said) FaultKind {
	return FaultKind{status, func(err error) (Said, bool) {
		var e E
		if !errors.As(err, &e) || !which(e) {
			return Said{}, false
		}
		return say(e), true
	}}
}

// AnswerTo returns the kind of the errors in some. Its text is text or, with "", the text of the error.
func AnswerTo(status int, text string, some ...error) FaultKind {
	return FaultKind{status, func(err error) (Said, bool) {
		if !slices.ContainsFunc(some, func(e error) bool { return errors.Is(err, e) }) {
			return Said{}, false
		}
		if text == "" {
			return Said{Text: Sentence(err)}, true
		}
		return Said{Text: text}, true
	}}
}

// Say returns a Said with formatted text.
func Say(format string, args ...any) Said { return Said{Text: fmt.Sprintf(format, args...)} }

// Sentence returns an error's text as a sentence, with a capital letter and a full stop.
func Sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// FaultOf returns the answer to an error without the kinds that pages register.
func FaultOf(err error) fault { return faultIn(faultTable, err) }

// faultIn looks an error up in a table. An error that the table lacks is the server's fault.
func faultIn(table []FaultKind, err error) fault {
	for _, k := range table {
		if s, ok := k.say(err); ok {
			f := fault{Problem: newProblem(k.status, s.Text), View: s.View, wait: s.wait}
			f.Errors = s.Details
			if f.View.Text == "" {
				f.View.Text = s.Text
			}
			return f
		}
	}
	const text = "The server failed to do this. Its log says why."
	return fault{Problem: newProblem(http.StatusInternalServerError, text), View: ProblemView{Text: text}, Ours: true}
}

// faultOf looks an error up in the kinds of the pages and in faultTable.
func (s *Server) faultOf(err error) fault { return faultIn(slices.Concat(s.faults, faultTable), err) }

// Ours reports whether the server is at fault.
func (s *Server) Ours(err error) bool { return s.faultOf(err).Ours }

// Fault returns the answer to the error of a request. It logs errors that are the server's fault.
func (s *Server) Fault(ctx context.Context, err error) fault {
	f := s.faultOf(err)
	if f.Ours {
		s.Log.ErrorContext(ctx, "request", "error", err)
	}
	f.Problem = f.of(ctx)
	return f
}

// FailOf answers a request with an error.
func (s *Server) FailOf(w http.ResponseWriter, r *http.Request, err error) {
	f := s.Fault(r.Context(), err)
	f.Hint(w.Header())
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		f.Detail, f.Errors = f.View.String(), nil
	}
	s.failWith(w, r, f.Problem)
}

// ErrorPart returns an error as a part of a page. If the server is at fault, it answers with an error page instead,
// and part is nil: the caller must not write anything.
func (s *Server) ErrorPart(w http.ResponseWriter, r *http.Request, err error) (status int, part templ.Component) {
	f := s.Fault(r.Context(), err)
	if f.Ours {
		s.failWith(w, r, f.Problem)
		return f.Status, nil
	}
	f.Hint(w.Header())
	return f.Status, ProblemPart(f.View)
}

// Hint sets Retry-After if trying again may help.
func (f fault) Hint(h http.Header) {
	if f.wait > 0 {
		RetryAfter(h, f.wait)
	}
}

// Problem returns the error of an operation of the REST interface, for huma.
func (s *Server) Problem(ctx context.Context, err error) error {
	f, h := s.Fault(ctx, err), http.Header{}
	f.Hint(h)
	return huma.ErrorWithHeaders(f.Problem, h)
}

// DetailsOf returns the errors of a text at a location in the request.
func DetailsOf(location string, errs litmus.ErrorList) []rest.ProblemDetail {
	out := make([]rest.ProblemDetail, len(errs))
	for i, e := range errs {
		out[i] = rest.ProblemDetail{
			Message: e.Msg, Location: location, File: e.Pos.File, Line: e.Pos.Line,
			Column: e.Pos.Col,
		}
	}
	return out
}
