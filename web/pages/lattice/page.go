// Package lattice is the pages on how models compare: the order of all models of an architecture by strength, with the smallest tests that tell
// them apart and a visitor's own models among them, and any two models told apart, which REST has, too. The built-in orders are kept, and
// held to the engines by a test; what a visitor asks is asked anew.
package lattice

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

type page struct {
	server    *server.Server
	questions *question.Service
	turns     *server.Turns // to ask about all tests
}

// New returns those pages.
func New(a *question.Service) server.Page {
	s := &page{a.Server, a, server.NewTurns(server.VersusMost, server.VersusEach, server.FamilyWait,
		"You are having models told apart already, or too many others are; stop one, or try again soon.")}
	return server.Page{
		Nav:   &server.NavEntry{Title: "Models", Path: "/lattice", Kind: "lattice"},
		Costs: map[string]server.Cost{"GET /distinguish": server.Asks},
		Mount: func(r chi.Router) {
			r.Get("/lattice", s.getLattice)
			r.Post("/lattice", s.postLattice)
			r.Get("/distinguish", s.getDistinguish)
			r.Post("/distinguish", s.postDistinguish)
		},
		Operations: func(api huma.API) { s.restDistinguish(api) },
	}
}
