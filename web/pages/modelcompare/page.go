// Package modelcompare serves the page that compares a visitor's model with a built-in one over all classic tests of a
// dialect, smallest first. It lists the tests on which the two differ as the engines answer, and says which model is
// stronger only if every test agrees.
//
// It imports web/server, web/parts and solver: no other page.
package modelcompare

import (
	"github.com/go-chi/chi/v5"

	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

type page struct {
	server    *server.Server
	questions *question.Service
	turns     *server.Turns // limits the comparisons that run at once
}

// New returns the page. The editors of models link to it.
func New(a *question.Service) server.Page {
	s := &page{a.Server, a, server.NewTurns(server.VersusMost, server.VersusEach, server.FamilyWait,
		"You are already running a comparison, or too many others are running. Stop yours or try again soon.")}
	return server.Page{
		Costs: map[string]server.Cost{"GET /versus": server.Asks},
		Mount: func(r chi.Router) {
			r.Post("/versus", s.post)
			r.Get("/versus", s.server.FromAddress(s.post))
		},
	}
}
