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

// Keeper stores submissions. Its methods return the errors of [store.Store].
type Keeper interface {
	HandIn(ctx context.Context, t *store.Try) error
	JudgeTry(ctx context.Context, number int64, met bool) error
	Tries(ctx context.Context, course, student string) ([]store.Try, error)
	VoterKey(ctx context.Context) ([]byte, error)
}

// Reading renders files in the format of lessons.
type Reading interface {
	// Blocks renders a file. Its exercises send answers to address, with a button that has the text button. exercise
	// returns, for each exercise, the text in its editor ("" for the start text), whether to show its solution, and a
	// component below it.
	Blocks(r *http.Request, e *lesson.Entry, address, button string,
		exercise func(*lesson.Exercise) (text string, solution bool, below templ.Component)) []templ.Component
	// Verdict renders the result of an answer, or the problem with it.
	Verdict(x *lesson.Exercise, v *judge.Verdict, problem templ.Component) templ.Component
}

type page struct {
	server    *server.Server
	questions *question.Service
	reading   Reading
	folder    *course.Folder
	keeper    Keeper
	wrong     *server.Buckets // wrong codes, by client

	mu  sync.Mutex
	key []byte // signs cookies; nil: not read from the store yet
}

// New returns the pages of the course in a folder.
func New(a *question.Service, reading Reading, folder *course.Folder, keeper Keeper) server.Page {
	s := &page{
		server: a.Server, questions: a, reading: reading, folder: folder, keeper: keeper,
		wrong: server.NewBuckets(wrongEach, server.WrongMost),
	}
	return server.Page{
		Nav: &server.NavEntry{Group: server.Teach, Title: "Course", Path: "/course", Kind: "course"},
		// reading a sheet runs its tests
		Costs: map[string]server.Cost{"GET /course/{slug:[a-z0-9-]+}": server.Asks},
		Mount: func(r chi.Router) {
			r.Get("/course", s.getCourse)
			r.Post("/course", s.postCode)
			r.Get("/course/{slug}", s.getSheet)
			r.Post("/course/{slug}", s.postTry)
		},
	}
}
