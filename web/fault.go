package web

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
	"litmuscope/web/class"
	"litmuscope/web/rest"
)

// fault is what an error comes to for who asked, on a page or over REST.
type fault struct {
	*Problem
	view problemView   // the same as a part of a page
	wait time.Duration // after which it is worth trying again; 0: it never is
	ours bool          // it is the server's, and nothing that a visitor can mend
}

// said is what there is to say of an error.
type said struct {
	text    string
	view    problemView          // where a page has more than the text
	details []rest.ProblemDetail // where REST has
	wait    time.Duration
}

// faultKind is a kind of error, and the status that it is answered with.
type faultKind struct {
	status int
	tell   func(error) (said, bool) // false: the error is of another kind
}

// faultTable has the kinds of errors that are not the program's own. The first that an error is of counts.
var faultTable = []faultKind{
	of(http.StatusBadRequest, func(e *brokenBody) said { return say("The request cannot be read: %v.", e.err) }),
	of(http.StatusRequestEntityTooLarge, func(e *http.MaxBytesError) said {
		return say("The request is longer than %d MiB.", e.Limit>>20)
	}),
	is(http.StatusRequestTimeout, "The request came too slowly.", os.ErrDeadlineExceeded),
	is(http.StatusUnsupportedMediaType, "", errMedia),

	of(http.StatusServiceUnavailable, func(b *busy) said { return said{text: b.text, wait: turnAgain} }),

	of(http.StatusUnprocessableEntity, (*badProgram).say),
	of(http.StatusUnprocessableEntity, (*badTest).say),
	of(http.StatusUnprocessableEntity, (*badModel).say),
	of(http.StatusUnprocessableEntity, func(e *badRelaxations) said {
		out := say("the relaxations cannot be read: %v", e.errs[0])
		out.view.Text, out.details = e.errs[0].Msg, detailsOf("body.family.relaxations", e.errs)
		return out
	}),
	of(http.StatusUnprocessableEntity, func(e *badCycle) said {
		out := say("the cycle cannot be read: %v", e.errs[0])
		out.details = detailsOf("body.cycle", e.errs)
		return out
	}),
	of(http.StatusUnprocessableEntity, func(e refusal) said { return said{text: e.msg} }),
	of(http.StatusUnprocessableEntity, func(e badSide) said { return said{text: sentence(e)} }),

	is(http.StatusNotFound, "There is no suite with this id, or not any more.", suites.ErrNoSuite),
	is(http.StatusUnprocessableEntity, "", suites.ErrKeyReused),
	when(http.StatusRequestEntityTooLarge, func(e *suites.Refusal) bool { return e.TooLarge }, func(e *suites.Refusal) said { return said{text: sentence(e)} }),
	of(http.StatusUnprocessableEntity, func(e *suites.Refusal) said { return said{text: sentence(e)} }),
	of(http.StatusServiceUnavailable, func(e *suites.Full) said { return said{text: sentence(e), wait: 30 * time.Second} }),
	of(http.StatusUnprocessableEntity, func(e *suites.Inadmissible) said { return inadmissible(e.Err) }),
	of(http.StatusUnprocessableEntity, func(e *brokenUpload) said { return said{text: sentence(e)} }),

	is(http.StatusNotFound, "There is no permalink with this id.", store.ErrNoLink),
	is(http.StatusRequestEntityTooLarge, "", store.ErrLinkTooLong),

	{http.StatusServiceUnavailable, func(err error) (said, bool) {
		return said{text: "The server's disk is full: nothing can be kept at the moment.", wait: 30 * time.Second}, errors.Is(err, store.ErrFull)
	}},

	is(http.StatusGone, "This class has ended.", store.ErrNoRoom),
	is(http.StatusServiceUnavailable, "There are too many classes on this server at the moment.", store.ErrRoomsFull),
	is(http.StatusConflict, "", class.ErrNotNow, class.ErrClosed),
	is(http.StatusUnprocessableEntity, "", class.ErrBallot, class.ErrMany),
	is(http.StatusForbidden, "", class.ErrFull),

	of(http.StatusServiceUnavailable, func(e *solver.Busy) said {
		return said{text: "Too many questions are waiting; try again soon.", wait: e.RetryAfter}
	}),
	when(http.StatusServiceUnavailable, (*solver.Died).Temporary, func(*solver.Died) said {
		return said{text: "The worker on this question was stopped from outside; try again.", wait: time.Second}
	}),
	is(http.StatusServiceUnavailable, "The request was cancelled.", context.Canceled, context.DeadlineExceeded),
}

// of is the kind of errors that are an E.
func of[E error](status int, tell func(E) said) faultKind {
	return when(status, func(E) bool { return true }, tell)
}

// when is the kind of some errors that are an E.
func when[E error](status int, which func(E) bool, tell func(E) said) faultKind {
	return faultKind{status, func(err error) (said, bool) {
		var e E
		if !errors.As(err, &e) || !which(e) {
			return said{}, false
		}
		return tell(e), true
	}}
}

// is is the kind of errors that are one of some, in words of its own or, with "", in theirs.
func is(status int, text string, some ...error) faultKind {
	return faultKind{status, func(err error) (said, bool) {
		if !slices.ContainsFunc(some, func(e error) bool { return errors.Is(err, e) }) {
			return said{}, false
		}
		if text == "" {
			return said{text: sentence(err)}, true
		}
		return said{text: text}, true
	}}
}

func say(format string, args ...any) said { return said{text: fmt.Sprintf(format, args...)} }

// sentence is an error's text as one.
func sentence(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// faultOf looks an error up in the table.
func faultOf(err error) fault {
	for _, k := range faultTable {
		if s, ok := k.tell(err); ok {
			f := fault{Problem: newProblem(k.status, s.text), view: s.view, wait: s.wait}
			f.Errors = s.details
			if f.view.Text == "" {
				f.view.Text = s.text
			}
			return f
		}
	}
	const text = "This could not be done; the server's log says why."
	return fault{Problem: newProblem(http.StatusInternalServerError, text), view: problemView{Text: text}, ours: true}
}

// fault is faultOf for a request, whose log has what is the server's.
func (s *server) fault(ctx context.Context, err error) fault {
	f := faultOf(err)
	if f.ours {
		s.Log.ErrorContext(ctx, "request", "error", err)
	}
	f.Problem = f.of(ctx)
	return f
}

// failOf answers with an error.
func (s *server) failOf(w http.ResponseWriter, r *http.Request, err error) {
	f := s.fault(r.Context(), err)
	f.hint(w.Header())
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		f.Detail, f.Errors = f.view.String(), nil
	}
	s.failWith(w, r, f.Problem)
}

// told is an error as a part of a page, but that the server's own is answered with a page at once: it is
// then nil, and nothing is left to say.
func (s *server) told(w http.ResponseWriter, r *http.Request, err error) (status int, part templ.Component) {
	f := s.fault(r.Context(), err)
	if f.ours {
		s.failWith(w, r, f.Problem)
		return f.Status, nil
	}
	f.hint(w.Header())
	return f.Status, problem(f.view)
}

// hint says when to try again, where that helps.
func (f fault) hint(h http.Header) {
	if f.wait > 0 {
		retryAfter(h, f.wait)
	}
}

// problem is an error of an operation of the REST interface.
func (s *server) problem(ctx context.Context, err error) error {
	f, h := s.fault(ctx, err), http.Header{}
	f.hint(h)
	return huma.ErrorWithHeaders(f.Problem, h)
}

// say names the places in the program, and in models of the visitor's own.
func (b *badProgram) say() said {
	first, _, _ := strings.Cut(b.detail, "\n")
	out := say("the program cannot be verified: %s", first)
	out.view = problemView{Text: "The program cannot be read:", Marks: faultMarks(b.source, b.faults)}
	for _, f := range b.faults {
		where := "body.files"
		if b.own[f.File] {
			where = "body.own_models"
		}
		out.details = append(out.details, rest.ProblemDetail{Message: f.Message, Location: where, File: f.File, Line: f.Line, Column: f.Column})
	}
	return out
}

func (b *badTest) say() said {
	out := say("the test cannot be read: %v", b.errs[0])
	out.view = problemView{Text: "The test cannot be read:", Marks: b.marks()}
	if isProgram(b.source) {
		out.view = problemView{Text: "This is a C program, and no litmus test.", Program: true}
	}
	out.details = detailsOf("body.source", b.errs)
	return out
}

func (b *badModel) say() said {
	out := say("the model cannot be read: %v", b.errs[0])
	out.view = problemView{Text: "The model cannot be read:", Notes: modelNotes(ownModel, b.errs)}
	where := "body.model_text"
	if b.own {
		where = "body.own_models"
	}
	out.details = detailsOf(where, b.errs)
	return out
}

// inadmissible words what engines.Admit says of a suite.
func inadmissible(err error) said {
	refused := refusalOf(err)
	if model := (*badModel)(nil); errors.As(refused, &model) {
		return model.say()
	}
	return said{text: refused.Error()}
}

// detailsOf are the errors of a text in the request.
func detailsOf(location string, errs litmus.ErrorList) []rest.ProblemDetail {
	out := make([]rest.ProblemDetail, len(errs))
	for i, e := range errs {
		out[i] = rest.ProblemDetail{Message: e.Msg, Location: location, File: e.Pos.File, Line: e.Pos.Line, Column: e.Pos.Col}
	}
	return out
}
