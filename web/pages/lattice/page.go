// Package lattice serves the pages that compare models: all models of an architecture in order of strength, with the
// smallest tests that distinguish them and the visitor's own models among them, and any two models side by side. It
// adds the operation of the REST interface that distinguishes models.
//
// The built-in orders are stored (solver/synth/distinguish); a test compares them with the engines. Engines answer anew
// whatever visitors ask.
//
// It imports web/server, web/parts and solver/synth/distinguish: no other page.
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
	turns     *server.Turns // limits the searches that run at once
}

// New returns the pages and the REST operation.
func New(a *question.Service) server.Page {
	s := &page{a.Server, a, server.NewTurns(server.VersusMost, server.VersusEach, server.FamilyWait,
		"You are already running a search, or too many others are running. Stop yours or try again soon.")}
	return server.Page{
		Nav: &server.NavEntry{
			Group:  server.Browse,
			Title:  "Models",
			Path:   "/lattice",
			Kind:   "lattice",
			Script: "lattice.js",
		},
		Also:  []server.NavEntry{{Group: server.Browse, Title: "Compare models", Path: "/distinguish"}},
		Costs: map[string]server.Cost{"GET /distinguish": server.Asks, "GET /lattice/own": server.Asks},
		Mount: func(r chi.Router) {
			r.Get("/lattice", s.getLattice)
			r.Post("/lattice", s.postLattice)
			r.Get("/lattice/own", s.server.FromAddress(s.postLattice))
			r.Get("/distinguish", s.getDistinguish)
			r.Post("/distinguish", s.postDistinguish)
		},
		Operations: func(api huma.API) { s.restDistinguish(api) },
	}
}
