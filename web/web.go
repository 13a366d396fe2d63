// Package web is the HTTP face of the program: the explorer's page, and the REST
// interface described by OpenAPI at /api/openapi.json.
//
//	h, err := web.New(web.Config{Runner: pool, Links: store, Log: log})
//	err = web.Serve(ctx, web.Listen{Addr: ":8080"}, h)
//
// Pages are rendered on the server from plain view models (types named …View) by
// the components in the .templ files; the page's scripts fetch fragments of the
// same components. Without scripts the form still runs a test. No page fetches
// anything from elsewhere, and a strict Content-Security-Policy holds it to that.
package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"litmuscope/solver"
	"litmuscope/static"
	"litmuscope/store"
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
	Runner solver.Runner
	Links  Links
	Log    *slog.Logger // nil: the default logger

	// MaxTimeout and MaxMemory (MiB) bound what a visitor may ask for one test
	// under one model; 0 means 60 s and 2048 MiB.
	MaxTimeout time.Duration
	MaxMemory  int
}

type server struct {
	Config
}

// maxBody bounds a request's body, in bytes.
const maxBody = 2 << 20

// New makes the handler of all pages and of the REST interface.
func New(c Config) (http.Handler, error) {
	switch {
	case c.Runner == nil:
		return nil, errors.New("web: no Runner")
	case c.Links == nil:
		return nil, errors.New("web: no Links")
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.MaxTimeout == 0 {
		c.MaxTimeout = time.Minute
	}
	if c.MaxMemory == 0 {
		c.MaxMemory = 2048
	}
	s := &server{c}

	r := chi.NewRouter()
	r.Use(s.logRequests, s.recoverPanics, secure, limitBody,
		http.NewCrossOriginProtection().Handler,
		middleware.Compress(5, "text/html", "application/json", "application/problem+json", "text/vnd.graphviz"))
	r.Get("/", s.home)
	r.Post("/explore", s.postExplore)
	r.Post("/check", s.postCheck)
	r.Post("/draw", s.postDraw)
	r.Post("/explain", s.postExplain)
	r.Post("/step", s.postStep)
	r.Get("/classic", s.classic)
	r.Post("/links", s.postLink)
	r.Get("/t/{id}", s.openLink)
	r.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("ok\n"))
	})
	r.Handle(static.Prefix+"*", static.Handler())
	r.Get("/favicon.ico", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, static.Path("icon.svg"), http.StatusFound)
	})
	s.rest(r)
	r.NotFound(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, http.StatusNotFound, "There is no page at this address.")
	})
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, http.StatusMethodNotAllowed, "This address does not take "+r.Method+".")
	})
	return r, nil
}

func limitBody(next http.Handler) http.Handler { return http.MaxBytesHandler(next, maxBody) }
