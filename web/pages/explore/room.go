// Package explore is the page of litmus tests: one asked about, its outcomes by model, a picture of each, and what it is
// compiled to; and the same for pages elsewhere, to be looked at.
package explore

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"litmuscope/store"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

type room struct {
	server      *server.Shell
	questions   *question.Asker
	pictures    *picture.Studio
	permalinks  *textpage.Permalinks
	openProgram func(store.Link) textpage.Workplace
}

func newRoom(p *picture.Studio, links *textpage.Permalinks) *room {
	return &room{server: p.Server, questions: p.Questions, pictures: p, permalinks: links}
}

// Room is the page, with the operations that compile a test, repair one and draw its executions. openProgram is the page that a link to a program leads to.
func Room(p *picture.Studio, links *textpage.Permalinks, openProgram func(store.Link) textpage.Workplace) server.Room {
	s := newRoom(p, links)
	s.openProgram = openProgram
	return server.Room{
		Page: &server.Page{Title: "Explorer", Path: "/", Kind: "explorer", Script: "page.js"},
		Mount: func(r chi.Router) {
			s.explorer().Mount(r)
			r.Post("/executions", s.pictures.PostExecutions)
			r.Post("/walk", s.pictures.PostWalk)
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
		Costs:  map[string]server.Cost{"GET /embed": server.Asks, "GET /embed/*": server.Asks, "POST /links": server.Keeps},
		Framed: []string{"/embed", "/embed/*"},
	}
}

// Opener answers with the page that has a suite's test in it.
func Opener(p *picture.Studio, links *textpage.Permalinks) func(http.ResponseWriter, *http.Request, question.Question, textpage.From) {
	s := newRoom(p, links)
	return func(w http.ResponseWriter, r *http.Request, q question.Question, from textpage.From) {
		v := s.viewPage(q)
		v.From = &from
		textpage.Show(s.server, w, r, http.StatusOK, v)
	}
}
