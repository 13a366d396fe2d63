// Package web is the HTTP face of the program: the explorer's page, and the REST
// interface described by OpenAPI at /api/openapi.json.
//
//	h, err := web.New(web.Config{Runner: pool, Links: store, Log: log})
//	err = web.Serve(ctx, web.Listen{Addr: "127.0.0.1:8080"}, h)
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
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"

	"litmuscope/solver"
	"litmuscope/solver/pool"
	"litmuscope/solver/report"
	"litmuscope/solver/suites"
	"litmuscope/static"
	"litmuscope/store"
	"litmuscope/web/class"
	"litmuscope/web/graph"
	"litmuscope/web/lesson"
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
	Runner  solver.Runner
	Sandbox pool.Doer // does [Work], or has it done
	Links   Links
	Log     *slog.Logger // nil: the default logger

	Limits *Limits // nil: DefaultLimits

	Hosts   []string // names that the server is asked under (see Hosts); nil: any
	Proxies Proxies  // whose word is taken for where a request comes from
	// WithClient, unless nil, hands on for whom a request's work is done.
	WithClient func(ctx context.Context, client string) context.Context

	Tokens Tokens // nil: there are none
	Auth   bool   // the REST interface's work and the suites want a token

	// Suites runs suites, which Store keeps; both nil: there are none.
	Suites *suites.Coordinator
	Store  *store.Store

	// Lessons is a folder of lessons beside the program's own; "": there is none.
	Lessons string
	Rooms   class.Keeper // keeps classes; nil: there are none

	Ready      []Check                // what /readyz asks
	Collectors []prometheus.Collector // what /metrics tells beside what web counts itself

	clock func() time.Time // which bounds in time go by; nil: the system's
}

type server struct {
	Config
	recent  recent
	counted requestMetrics
	lessons *lesson.Library
	lived   livedTests

	hall     *class.Hall // nil: there are no classes
	exhibits evidence
	wrong    *buckets          // codes of classes
	opening  *buckets          // classes
	joining  map[bool]*buckets // … by whether their teachers have opened them wide

	families *turns // to have one made
	making   *turns // to make the next test of one
	archives *turns // to read the directory of one

	following *turns // to follow a suite
	attending *turns // … or a class
}

// maxBody bounds a request's body, in bytes.
const maxBody = 2 << 20

// New makes the handler of all pages and of the REST interface.
func New(c Config) (http.Handler, error) {
	switch {
	case c.Runner == nil:
		return nil, errors.New("web: no Runner")
	case c.Sandbox == nil:
		return nil, errors.New("web: no Sandbox")
	case c.Links == nil:
		return nil, errors.New("web: no Links")
	case c.Auth && c.Tokens == nil:
		return nil, errors.New("web: Auth without Tokens")
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	c.Log = slog.New(requestLog{c.Log.Handler()})
	if c.Limits == nil {
		c.Limits = DefaultLimits()
	}
	if c.clock == nil {
		c.clock = time.Now
	}
	s := &server{
		Config:   c,
		families: newTurns(familiesMost, familiesEach, familyWait, "Other families are being made; try again soon."),
		making:   newTurns(familyMaking, 0, familyWait, "Other families are being made; try again soon."),
		archives: newTurns(archivesMost, 0, archiveWait, "Other archives are being read; try again soon."),

		following: newFollowing(c.Limits.Connections), attending: newAttending(c.Limits.Connections),
	}
	metrics, err := s.metrics()
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	if s.lessons, err = lesson.NewLibrary(c.Lessons, LessonTerms()); err != nil {
		return nil, fmt.Errorf("web: lessons: %w", err)
	}
	origins := http.NewCrossOriginProtection()
	origins.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, http.StatusForbidden, "Another site may not have this done.")
	}))

	r := chi.NewRouter()
	r.Use(middleware.WithValue(serviceKey{}, services{suites: s.Suites != nil, classes: s.Rooms != nil}))
	r.Use(patient, s.identify, s.observe, s.recoverPanics, secure, s.checkHost, s.limitRunning, s.limitRate, limitBody, hold, origins.Handler, middleware.GetHead,
		middleware.Compress(5, compressed()...))
	s.explorer().mount(r)
	r.Post("/executions", s.postExecutions)
	r.Post("/walk", s.postWalk)
	r.Post("/compile", s.postCompile)
	r.Get("/words", s.getWords)
	r.Get("/models/{name}", s.getModelPage)
	r.Get("/catalogue", s.getCatalogue)
	r.Method(http.MethodGet, "/classics", http.RedirectHandler("/catalogue", http.StatusMovedPermanently))
	r.Get("/classics/list", s.getClassicsList)
	r.Get("/learn", s.getLessons)
	r.Get("/learn/{slug}", s.getLesson)
	r.Get("/learn/{slug}/version", s.getLessonVersion)
	r.Get("/learn/*", s.getLessonImage)
	r.Post("/learn/check", s.postLessonCheck)
	r.Post("/learn/run", s.postLessonRun)
	s.programPages(r)
	s.cyclePages(r)
	r.Get("/glossary", s.getGlossary)
	r.Get("/glossary/terms", s.getTerms)
	r.Get("/t/{id}", s.openLink)
	r.Get("/embed", s.getEmbed)
	r.Post("/embed", s.postEmbed)
	r.Get("/embed/t/{id}", s.getEmbedLink)
	r.Get("/healthz", s.healthz)
	r.Get("/readyz", s.readyz)
	r.Method(http.MethodGet, "/metrics", metrics)
	if s.Tokens != nil {
		r.Get("/login", s.getLogin)
		r.Post("/login", s.postLogin)
		r.Post("/logout", s.postLogout)
	}
	missing := func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, http.StatusNotFound, "There is no page at this address.")
	}
	r.Method(http.MethodGet, static.Prefix+"*", static.Handler(missing))
	r.Get("/favicon.ico", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, static.Path("icon.svg"), http.StatusFound)
	})
	s.rest(r)
	if s.Suites != nil {
		s.suitePages(r)
	}
	if s.Rooms != nil {
		s.openHall()
		s.classPages(r)
	}
	r.NotFound(missing)
	r.MethodNotAllowed(s.methodNotAllowed(r))
	return r, nil
}

// compressed are the media types of what is sent compressed: pages, data, and all that can be saved.
func compressed() []string {
	types := []string{"text/html", "application/json", "application/problem+json"}
	for _, f := range report.Formats {
		media, _, _ := strings.Cut(f.Media, ";")
		types = append(types, media)
	}
	for _, f := range graph.Formats {
		types = append(types, f.Media)
	}
	return types
}

type bodyKey struct{}

// limitBody bounds bodies by maxBody, unless allowBody says otherwise.
func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(context.WithValue(r.Context(), bodyKey{}, r.Body))
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

// allowBody lets the body of a request be longer than others, for a handler to call
// before it reads. It takes its time by its length.
func allowBody(w http.ResponseWriter, r *http.Request, most int64) {
	if body, ok := r.Context().Value(bodyKey{}).(io.ReadCloser); ok {
		r.Body = http.MaxBytesReader(w, body, most)
	}
}
