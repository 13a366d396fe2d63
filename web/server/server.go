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

// Config configures a Server. Its zero value is usable.
type Config struct {
	Log *slog.Logger // nil: the default logger

	Limits *Limits // nil: DefaultLimits
	// LimitTable lists the limits of the server and of its pages, in the order in which readers see them; nil:
	// [LimitTable].
	LimitTable []Limit

	Colours    string   // CSS declarations for the root of every page: the colours of drawings
	Compressed []string // media types to compress, in addition to those of text

	Hosts   []string // accepted names in the Host header, see the function Hosts; nil: any
	Proxies Proxies  // trusted proxies
	// WithClient, unless nil, adds the client of a request and the client's network ("" for none) to the context of
	// the request's work.
	WithClient func(ctx context.Context, client, network string) context.Context

	Tokens Tokens // nil: there are none
	// Elsewhere allows scripts of other sites to use the pages that those sites may frame.
	Elsewhere bool
	// Origins lists the other sites whose scripts may use the REST interface.
	Origins Origins

	Auth bool // asking over REST, and suites, need a token

	Ready      []Check     // checks of /readyz
	Collectors []Collector // further metrics of /metrics

	// Static is set for a static site: its pages are files, or the browser makes them.
	Static *Static

	Clock func() time.Time // for limits of rates; nil: time.Now
}

// Server implements what all pages share. It is safe for concurrent use once Handler has been called.
type Server struct {
	Config
	where          *addresses // of the pages
	faults         []FaultKind
	counted        requestMetrics
	metricsHandler http.Handler
}

// Page is a part of the site: one or more pages about one subject, and their operations of the REST interface.
type Page struct {
	Nav        *NavEntry  // its entry in the navigation of every page; nil: none
	Also       []NavEntry // entries for single addresses of it, after the entries of all pages in their group
	Mount      func(chi.Router)
	Operations func(huma.API) // of the REST interface; nil: there are none

	Faults []FaultKind // how to answer its own errors
	// Costs has the cost of requests, by route ("GET /compare"), if it differs from the usual one of their method.
	Costs  map[string]Cost
	Framed []string // routes of pages that other sites may frame
	Secret string   // prefix of addresses whose next path element is a secret; "": none
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
	if s.metricsHandler, err = s.metrics(); err != nil {
		return nil, err
	}
	return s, nil
}

// Handler returns the handler of some pages, in the order of the navigation. It must be called once, before requests.
func (s *Server) Handler(pages ...Page) http.Handler {
	s.where = addressesOf(append(pages, Page{Costs: map[string]Cost{"POST /login": Keeps}}))
	var entries, also []NavEntry
	s.faults = nil
	for _, page := range pages {
		s.faults = append(s.faults, page.Faults...)
		if page.Nav != nil {
			entries = append(entries, *page.Nav)
		}
		also = append(also, page.Also...)
	}
	entries = append(entries, also...)
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
	r.Use(s.withSite(entries), setDeadlines, vary, s.share, s.identify, s.observe, s.recoverPanics, s.markStatic,
		s.secure, s.checkHost, s.limitRunning, s.limitRate, limitBody, limitMemory, sameOrigin(origins))
	r.Use(compress(s.Compressed)...)
	r.Get("/healthz", s.healthz)
	r.Get("/readyz", s.readyz)
	r.Method(http.MethodGet, "/metrics", s.metricsHandler)
	if s.Tokens != nil {
		r.Get("/login", s.getLogin)
		r.Post("/login", s.postLogin)
		r.Post("/logout", s.postLogout)
	}
	missing := func(w http.ResponseWriter, r *http.Request) {
		s.Fail(w, r, http.StatusNotFound, "There is no page at this address.")
	}
	mountFiles(r, missing)
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
