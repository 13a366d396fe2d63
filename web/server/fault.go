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

// fault is what an error comes to for who asked, on a page or over REST.
type fault struct {
	*Problem
	View ProblemView   // the same as a part of a page
	wait time.Duration // after which it is worth trying again; 0: it never is
	Ours bool          // it is the server's, and nothing that a visitor can mend
}

// Said is what there is to say of an error.
type Said struct {
	Text    string
	View    ProblemView          // where a page has more than the text
	Details []rest.ProblemDetail // where REST has
	wait    time.Duration
}

// UnknownMedia is the error of a body of a kind that is not read; it says which are.
type UnknownMedia string

func (m UnknownMedia) Error() string { return string(m) }

// Mendable is an error of what somebody has sent, which says itself what is wrong with it.
type Mendable interface {
	error
	Say() Said
}

// FaultKind is a kind of errors, and the status that they are answered with.
type FaultKind struct {
	status int
	tell   func(error) (Said, bool) // false: the error is of another kind
}

// faultTable has the kinds of errors that are not the program's own and of no page. The first that an error is of
// counts. A page registers the kinds of its own errors (Page.Faults), which count before these.
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
		return Said{Text: "The server's disk is full, so it cannot store anything at the moment.", wait: 30 * time.Second},
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
		return Said{Text: "Something outside litmuscope stopped the worker of this question. Try again.", wait: time.Second}
	}),
	AnswerTo(http.StatusServiceUnavailable, "The request was cancelled.", context.Canceled, context.DeadlineExceeded),
}

// of is the kind of errors that are an E.
func of[E error](status int, tell func(E) Said) FaultKind {
	return when(status, func(E) bool { return true }, tell)
}

// when is the kind of some errors that are an E.
func when[E error](status int, which func(E) bool, tell func(E) Said) FaultKind {
	return FaultKind{status, func(err error) (Said, bool) {
		var e E
		if !errors.As(err, &e) || !which(e) {
			return Said{}, false
		}
		return tell(e), true
	}}
}

// AnswerTo is the kind of errors that are one of some, in words of its own or, with "", in theirs.
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

// Sentence is an error's text as one.
func Sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// FaultOf looks an error up in the table, without what pages register.
func FaultOf(err error) fault { return faultIn(faultTable, err) }

// faultIn looks an error up in a table. What is not in it is the server's own fault.
func faultIn(table []FaultKind, err error) fault {
	for _, k := range table {
		if s, ok := k.tell(err); ok {
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

// faultOf looks an error up in what the pages have registered, and in the table.
func (s *Server) faultOf(err error) fault { return faultIn(slices.Concat(s.faults, faultTable), err) }

// Ours reports whether an error is the server's, and nothing that a visitor can mend.
func (s *Server) Ours(err error) bool { return s.faultOf(err).Ours }

// Fault is faultOf for a request, whose log has what is the server's.
func (s *Server) Fault(ctx context.Context, err error) fault {
	f := s.faultOf(err)
	if f.Ours {
		s.Log.ErrorContext(ctx, "request", "error", err)
	}
	f.Problem = f.of(ctx)
	return f
}

// FailOf answers with an error.
func (s *Server) FailOf(w http.ResponseWriter, r *http.Request, err error) {
	f := s.Fault(r.Context(), err)
	f.Hint(w.Header())
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		f.Detail, f.Errors = f.View.String(), nil
	}
	s.failWith(w, r, f.Problem)
}

// Told is an error as a part of a page, but that the server's own is answered with a page at once: it is
// then nil, and nothing is left to say.
func (s *Server) Told(w http.ResponseWriter, r *http.Request, err error) (status int, part templ.Component) {
	f := s.Fault(r.Context(), err)
	if f.Ours {
		s.failWith(w, r, f.Problem)
		return f.Status, nil
	}
	f.Hint(w.Header())
	return f.Status, ProblemPart(f.View)
}

// Hint says when to try again, where that helps.
func (f fault) Hint(h http.Header) {
	if f.wait > 0 {
		RetryAfter(h, f.wait)
	}
}

// Problem is an error of an operation of the REST interface.
func (s *Server) Problem(ctx context.Context, err error) error {
	f, h := s.Fault(ctx, err), http.Header{}
	f.Hint(h)
	return huma.ErrorWithHeaders(f.Problem, h)
}

// DetailsOf are the errors of a text in the request.
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
