package server

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
)

// Cost is what kind of request one is. A client has a budget for each.
type Cost int

const (
	Reads Cost = iota // what is cheap to answer
	Asks              // what takes a solver, or a drawing
	Keeps             // what is kept
	Votes             // a vote: a whole class may have one address
	costs
)

// addresses are what pages say of theirs.
type addresses struct {
	priced  *chi.Mux
	prices  map[string]Cost // by what was priced
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

// cost is what a request costs: who gets what there is reads, who posts asks, and all else keeps something, unless a
// page says otherwise.
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

// embeddable tells the addresses that pages elsewhere may frame.
func (a *addresses) embeddable(path string) bool {
	return a.framed.Match(chi.NewRouteContext(), http.MethodGet, path)
}

// logged is a request's path without what is a secret in it.
func (a *addresses) logged(path string) string {
	for _, before := range a.secrets {
		if rest, ok := strings.CutPrefix(path, before); ok {
			_, rest, _ = strings.Cut(rest, "/")
			return before + "…/" + rest
		}
	}
	return path
}
