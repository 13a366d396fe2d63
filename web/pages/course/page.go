// Package course serves the pages of a lecturer's course: its weeks, and its sheets, whose exercises students hand in.
// [Grades] and [EachTry] list the results for the command line.
//
// A student has a code of the course's roster, and the server stores nothing else about the student. It stores a
// submission with its time before it judges it, so that nothing is lost when the server is busy.
//
// It imports web/server, web/parts, web/teaching and store: no other page. It shows lessons through the interface
// [Reading].
package course

import (
	"context"
	"net/http"
	"sync"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"litmuscope/store"
	"litmuscope/web/parts/judge"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/course"
	"litmuscope/web/teaching/lesson"
)

// Keeper keeps what is handed in. Its methods' errors are those of [store.Store].
type Keeper interface {
	HandIn(ctx context.Context, t *store.Try) error
	JudgeTry(ctx context.Context, number int64, met bool) error
	Tries(ctx context.Context, course, student string) ([]store.Try, error)
	VoterKey(ctx context.Context) ([]byte, error)
}

// Reading shows what is written as lessons are.
type Reading interface {
	// Blocks are a file's, whose exercises are sent to an address by a button. Of each it is said which text is
	// there, "" for the beginning, whether its solution is, and what is below.
	Blocks(r *http.Request, e *lesson.Entry, address, button string,
		exercise func(*lesson.Exercise) (text string, solution bool, below templ.Component)) []templ.Component
	// Verdict is what came of a try, or the problem with it.
	Verdict(x *lesson.Exercise, v *judge.Verdict, problem templ.Component) templ.Component
}

type page struct {
	server    *server.Server
	questions *question.Service
	reading   Reading
	folder    *course.Folder
	keeper    Keeper
	wrong     *server.Buckets // codes

	mu  sync.Mutex
	key []byte // by which cookies are signed; nil: it has not been asked for
}

// New returns the pages of the course in a folder.
func New(a *question.Service, reading Reading, folder *course.Folder, keeper Keeper) server.Page {
	s := &page{
		server: a.Server, questions: a, reading: reading, folder: folder, keeper: keeper,
		wrong: server.NewBuckets(wrongEach, server.WrongMost),
	}
	return server.Page{
		Nav: &server.NavEntry{Title: "Course", Path: "/course", Kind: "course"},
		// a sheet's tests are run for who reads it
		Costs: map[string]server.Cost{"GET /course/{slug:[a-z0-9-]+}": server.Asks},
		Mount: func(r chi.Router) {
			r.Get("/course", s.getCourse)
			r.Post("/course", s.postCode)
			r.Get("/course/{slug}", s.getSheet)
			r.Post("/course/{slug}", s.postTry)
		},
	}
}
