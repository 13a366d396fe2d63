// Package server implements what all pages share: it routes requests, checks origins, tokens and limits before a
// handler runs, renders the frame of every page, and answers errors. It knows no page; a page registers its name,
// scripts, routes, their cost to a client, its errors, and its operations of the REST interface:
//
//	s, err := server.New(server.Config{Log: log})
//	h := s.Handler(server.Page{Mount: mount, …})
//
// [LimitTable] lists the server's own limits; Config.LimitTable adds those of pages. fault.go is one table of what each
// error is answered with, on a page or over REST: its words, its status and when a client may try again. On a static
// site, [Rebase] rewrites addresses.
//
// It imports static, web/api/rest, store and solver: no page and no feature. Only this package and cmd import
// Prometheus.
package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"litmuscope/static"
)

// Config is what the server needs of the rest of the program.
type Config struct {
	Log *slog.Logger // nil: the default logger

	Limits *Limits // nil: DefaultLimits
	// LimitTable lists all that the limits bound, what pages bound, too, in the order in which readers see them;
	// nil: [LimitTable].
	LimitTable []Limit

	Colours    string   // CSS declarations for the root of every page: the colours of drawings
	Compressed []string // media types that pages answer with and that are sent compressed, beside those of texts

	Hosts   []string // names that the server is asked under (see Hosts); nil: any
	Proxies Proxies  // whose word is taken for where a request comes from
	// WithClient, unless nil, hands on for whom a request's work is done, and of which network they are; "" for none.
	WithClient func(ctx context.Context, client, network string) context.Context

	Tokens Tokens // nil: there are none
	// Elsewhere lets scripts of pages elsewhere ask what such pages may frame.
	Elsewhere bool
	// Origins are the sites whose scripts may use the REST interface; none: this one's alone.
	Origins Origins

	Auth bool // the REST interface's work and the suites want a token

	Ready      []Check     // what /readyz asks
	Collectors []Collector // what /metrics tells beside what is counted here

	// Static, unless nil, has the site be files, for which there is no server.
	Static *Static

	Clock func() time.Time // which bounds in time go by; nil: the system's
}

// Server answers for all pages alike.
type Server struct {
	Config
	where   *addresses // of the pages
	faults  []FaultKind
	counted requestMetrics
	told    http.Handler // of /metrics
}

// Page is a part of the site: one or more pages about one subject, and their operations of the REST interface.
type Page struct {
	Nav        *NavEntry // that every page leads to; nil: there is none
	Mount      func(chi.Router)
	Operations func(huma.API) // of the REST interface; nil: there are none

	Faults []FaultKind     // errors of its own
	Costs  map[string]Cost // of requests that cost another thing than others of their method, by routes: "GET /compare"
	Framed []string        // routes of pages that pages elsewhere may frame
	Secret string          // what addresses begin with that have a secret behind it, up to the next slash; "": none
}

// New makes a Server.
func New(c Config) (*Server, error) {
	if c.Auth && c.Tokens == nil {
		return nil, errors.New("server: Config.Auth needs Config.Tokens")
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	c.Log = slog.New(requestLog{c.Log.Handler()})
	if c.Limits == nil {
		c.Limits = DefaultLimits()
	}
	if c.LimitTable != nil {
		c.Limits = c.Limits.withTable(c.LimitTable)
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	s := &Server{Config: c}
	var err error
	if s.told, err = s.metrics(); err != nil {
		return nil, err
	}
	return s, nil
}

// Handler serves some pages. The navigation names them in this order.
func (s *Server) Handler(pages ...Page) http.Handler {
	s.where = addressesOf(append(pages, Page{Costs: map[string]Cost{"POST /login": Keeps}}))
	var entries []NavEntry
	s.faults = nil
	for _, page := range pages {
		s.faults = append(s.faults, page.Faults...)
		if page.Nav != nil {
			entries = append(entries, *page.Nav)
		}
	}
	origins := http.NewCrossOriginProtection()
	origins.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Fail(w, r, http.StatusForbidden, "The server does not accept this request from another site.")
	}))
	if s.Elsewhere {
		for _, page := range pages {
			for _, route := range page.Framed {
				if !strings.HasSuffix(route, "*") {
					origins.AddInsecureBypassPattern(route)
				}
			}
		}
	}
	r := chi.NewRouter()
	r.Use(s.knowing(entries), patient, vary, s.share, s.identify, s.observe, s.recoverPanics, s.markStatic, s.secure,
		s.checkHost, s.limitRunning, s.limitRate, limitBody, hold, sameOrigin(origins))
	r.Use(packed(s.Compressed)...)
	r.Get("/healthz", s.healthz)
	r.Get("/readyz", s.readyz)
	r.Method(http.MethodGet, "/metrics", s.told)
	if s.Tokens != nil {
		r.Get("/login", s.getLogin)
		r.Post("/login", s.postLogin)
		r.Post("/logout", s.postLogout)
	}
	missing := func(w http.ResponseWriter, r *http.Request) {
		s.Fail(w, r, http.StatusNotFound, "There is no page at this address.")
	}
	files(r, missing)
	r.Get("/favicon.ico", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, static.Path("icon.svg"), http.StatusFound)
	})
	for _, page := range pages {
		page.Mount(r)
	}
	r.NotFound(missing)
	r.MethodNotAllowed(s.methodNotAllowed(r))
	return r
}

// LinesMedia is the media type of lines of JSON.
const LinesMedia = "application/x-ndjson"
