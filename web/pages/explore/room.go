// Package explore is the page of litmus tests: one asked about, its outcomes by model, a picture of each, and what it is
// compiled to; and the same for pages elsewhere, to be looked at.
package explore

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"litmuscope/store"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

type room struct {
	*bench.Desk
	openProgram func(store.Link) bench.Workplace
}

// Room is the page, with the operations that compile a test, repair one and draw its executions. openProgram is the page that a link to a program leads to.
func Room(d *bench.Desk, openProgram func(store.Link) bench.Workplace) shell.Room {
	s := &room{d, openProgram}
	return shell.Room{
		Page: &shell.Page{Title: "Explorer", Path: "/", Kind: "explorer", Script: "page.js"},
		Mount: func(r chi.Router) {
			s.explorer().Mount(r)
			r.Post("/executions", s.PostExecutions)
			r.Post("/walk", s.PostWalk)
			r.Post("/compile", s.postCompile)
			r.Post("/repair", s.postRepair)
			r.Get("/words", s.getWords)
			r.Get("/t/{id}", s.openLink)
			r.Get("/embed", s.getEmbed)
			r.Post("/embed", s.postEmbed)
			r.Get("/embed/t/{id}", s.getEmbedLink)
		},
		Operations: func(api huma.API) {
			s.restCompile(api)
			s.restRepair(api)
			s.restDraw(api)
		},
		Costs:  map[string]shell.Cost{"GET /embed": shell.Asks, "GET /embed/*": shell.Asks, "POST /links": shell.Keeps},
		Framed: []string{"/embed", "/embed/*"},
	}
}

// Opener answers with the page that has a suite's test in it.
func Opener(d *bench.Desk) func(http.ResponseWriter, *http.Request, ask.Question, bench.From) {
	s := &room{Desk: d}
	return func(w http.ResponseWriter, r *http.Request, q ask.Question, from bench.From) {
		v := s.viewPage(q)
		v.From = &from
		s.ShowBench(w, r, http.StatusOK, v)
	}
}
