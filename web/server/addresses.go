package server

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
)

// Cost is a kind of requests. A client has a budget for each kind.
type Cost int

const (
	Reads Cost = iota // cheap to answer
	Asks              // needs a solver or a drawing
	Keeps             // stores something
	Votes             // a vote: a whole class may share one address
	costs
)

// addresses has the costs, framed routes and secrets of all pages.
type addresses struct {
	priced  *chi.Mux
	prices  map[string]Cost // by route
	framed  *chi.Mux
	secrets []string
}

func addressesOf(pages []Page) *addresses {
	a := &addresses{priced: chi.NewMux(), prices: map[string]Cost{}, framed: chi.NewMux()}
	nothing := http.NotFoundHandler()
	for _, page := range pages {
		for route, cost := range page.Costs {
			method, pattern, _ := strings.Cut(route, " ")
			a.priced.Method(method, pattern, nothing)
			a.prices[route] = cost
		}
		for _, pattern := range page.Framed {
			a.framed.Handle(pattern, nothing)
		}
		if page.Secret != "" {
			a.secrets = append(a.secrets, page.Secret)
		}
	}
	return a
}

// cost returns the cost of a request: that of its page, else Reads for GET, Asks for POST, and Keeps for other methods.
func (a *addresses) cost(r *http.Request) Cost {
	method, usual := r.Method, Keeps
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		method, usual = http.MethodGet, Reads
	case http.MethodPost:
		usual = Asks
	}
	if cost, ok := a.prices[method+" "+a.priced.Find(chi.NewRouteContext(), method, r.URL.Path)]; ok {
		return cost
	}
	return usual
}

// embeddable reports whether other sites may frame a page.
func (a *addresses) embeddable(path string) bool {
	return a.framed.Match(chi.NewRouteContext(), http.MethodGet, path)
}

// logged returns a request's path without secrets, for logs.
func (a *addresses) logged(path string) string {
	for _, before := range a.secrets {
		if rest, ok := strings.CutPrefix(path, before); ok {
			_, rest, _ = strings.Cut(rest, "/")
			return before + "…/" + rest
		}
	}
	return path
}
