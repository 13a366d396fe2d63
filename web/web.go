// Package web is the HTTP face of the program: the explorer's page, and the REST
// interface described by OpenAPI at /api/openapi.json.
//
//	h, err := web.New(web.Config{Config: shell.Config{Log: log}, Runner: pool, Links: store})
//	err = shell.Serve(ctx, shell.Listen{Addr: "127.0.0.1:8080"}, h)
//
// Pages are rendered on the server from plain view models (types named …View) by
// the components in the .templ files; the page's scripts fetch fragments of the
// same components. Without scripts the form still runs a test. No page fetches
// anything from elsewhere, and a strict Content-Security-Policy holds it to that.
package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-chi/chi/v5"

	"litmuscope/solver"
	"litmuscope/solver/pool"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/class"
	"litmuscope/web/lesson"
	"litmuscope/web/shell"
)

// Links keeps permalinks. [store.Store] is one.
type Links interface {
	// SaveLink returns the link's id; store.ErrLinkTooLong among its errors.
	SaveLink(ctx context.Context, l store.Link) (id string, err error)
	// Link returns store.ErrNoLink for an id that no link has.
	Link(ctx context.Context, id string) (store.Link, error)
}

// Config is what the server needs of the rest of the program.
type Config struct {
	shell.Config
	Runner  solver.Runner
	Sandbox pool.Doer // does [Work], or has it done
	Links   Links

	// Suites runs suites, which Store keeps; both nil: there are none.
	Suites *suites.Coordinator
	Store  *store.Store

	// Lessons is a folder of lessons beside the program's own; "": there is none.
	Lessons string
	Rooms   class.Keeper // keeps classes; nil: there are none
}

type server struct {
	*shell.Shell
	Runner  solver.Runner
	Sandbox pool.Doer
	Links   Links
	Suites  *suites.Coordinator
	Store   *store.Store
	Rooms   class.Keeper

	recent  recent
	lessons *lesson.Library
	lived   livedTests

	hall     *class.Hall // nil: there are no classes
	exhibits evidence
	wrong    *shell.Buckets          // codes of classes
	opening  *shell.Buckets          // classes
	joining  map[bool]*shell.Buckets // … by whether their teachers have opened them wide

	families *shell.Turns // to have one made
	making   *shell.Turns // to make the next test of one
	archives *shell.Turns // to read the directory of one

	following *shell.Turns // to follow a suite
	attending *shell.Turns // … or a class
}

// New makes the handler of all pages and of the REST interface.
func New(c Config) (http.Handler, error) {
	s, err := newServer(c)
	if err != nil {
		return nil, err
	}
	return s.Handler(s.mounted()...), nil
}

func newServer(c Config) (*server, error) {
	switch {
	case c.Runner == nil:
		return nil, errors.New("web: no Runner")
	case c.Sandbox == nil:
		return nil, errors.New("web: no Sandbox")
	case c.Links == nil:
		return nil, errors.New("web: no Links")
	}
	sh, err := shell.New(c.Config)
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	s := &server{
		Shell: sh, Runner: c.Runner, Sandbox: c.Sandbox, Links: c.Links, Suites: c.Suites, Store: c.Store, Rooms: c.Rooms,
		families: shell.NewTurns(shell.FamiliesMost, shell.FamiliesEach, shell.FamilyWait, "Other families are being made; try again soon."),
		making:   shell.NewTurns(familyMaking, 0, shell.FamilyWait, "Other families are being made; try again soon."),
		archives: shell.NewTurns(shell.ArchivesMost, 0, shell.ArchiveWait, "Other archives are being read; try again soon."),

		following: shell.NewFollowing(sh.Limits.Connections), attending: shell.NewAttending(sh.Limits.Connections),
	}
	if s.lessons, err = lesson.NewLibrary(c.Lessons, LessonTerms()); err != nil {
		return nil, fmt.Errorf("web: lessons: %w", err)
	}
	return s, nil
}

// mounted are the rooms that the server has.
func (s *server) mounted() []shell.Room {
	rooms := []shell.Room{
		{Page: &shell.Page{Title: "Explorer", Path: "/", Kind: "explorer"}, Mount: func(r chi.Router) {
			s.explorer().mount(r)
			r.Post("/executions", s.postExecutions)
			r.Post("/walk", s.postWalk)
			r.Post("/compile", s.postCompile)
			r.Get("/words", s.getWords)
			r.Get("/models/{name}", s.getModelPage)
			r.Get("/t/{id}", s.openLink)
			r.Get("/embed", s.getEmbed)
			r.Post("/embed", s.postEmbed)
			r.Get("/embed/t/{id}", s.getEmbedLink)
		}},
		{Page: &shell.Page{Title: "Programs", Path: "/verify", Kind: "verify"}, Mount: s.programPages},
		{Page: &shell.Page{Title: "Catalogue", Path: "/catalogue", Kind: "catalogue"}, Mount: func(r chi.Router) {
			r.Get("/catalogue", s.getCatalogue)
			r.Method(http.MethodGet, "/classics", http.RedirectHandler("/catalogue", http.StatusMovedPermanently))
			r.Get("/classics/list", s.getClassicsList)
		}},
		{Page: &shell.Page{Title: "Cycles", Path: "/cycles", Kind: "cycles"}, Mount: s.cyclePages},
		{Page: &shell.Page{Title: "Learn", Path: "/learn", Kind: "learn"}, Mount: func(r chi.Router) {
			r.Get("/learn", s.getLessons)
			r.Get("/learn/{slug}", s.getLesson)
			r.Get("/learn/{slug}/version", s.getLessonVersion)
			r.Get("/learn/*", s.getLessonImage)
			r.Post("/learn/check", s.postLessonCheck)
			r.Post("/learn/run", s.postLessonRun)
		}},
	}
	if s.Rooms != nil {
		s.openHall()
		rooms = append(rooms, shell.Room{Page: &shell.Page{Title: "Class", Path: "/class", Kind: "class"}, Mount: s.classPages})
	}
	if s.Suites != nil {
		rooms = append(rooms, shell.Room{Page: &shell.Page{Title: "Suites", Path: "/suites", Kind: "suite-pages"}, Mount: s.suitePages})
	}
	return append(rooms,
		shell.Room{Page: &shell.Page{Title: "Help", Path: "/glossary", Kind: "help"}, Mount: func(r chi.Router) {
			r.Get("/glossary", s.getGlossary)
			r.Get("/glossary/terms", s.getTerms)
		}},
		shell.Room{Mount: s.rest},
	)
}
