// Package explore serves the explorer: a litmus test, its outcomes by model, a picture of each, repairs, and the
// compiled test; and the same as an embedded frame for pages elsewhere. It adds the operations of the REST interface
// that compile, repair and draw a test. [Opener] shows a test of a suite in the explorer.
//
// It imports web/server, web/parts and web/drawing: no other page. web.New gives it the function that opens a program's
// link.
package explore

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/store"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

type page struct {
	server      *server.Server
	questions   *question.Service
	pictures    *picture.Pictures
	permalinks  *textpage.Permalinks
	openProgram func(store.Link) textpage.View
	native      *Native // nil: the server runs no tests itself
}

func newPage(p *picture.Pictures, links *textpage.Permalinks) *page {
	return &page{server: p.Server, questions: p.Questions, pictures: p, permalinks: links}
}

// New returns the page and the REST operations that compile, repair and draw. openProgram returns the page for a link
// to a program. native runs tests on the server's machine; nil: nothing does.
func New(
	p *picture.Pictures, links *textpage.Permalinks, openProgram func(store.Link) textpage.View, native *Native,
) server.Page {
	s := newPage(p, links)
	s.openProgram, s.native = openProgram, native
	return server.Page{
		Nav: &server.NavEntry{Group: server.Ask, Title: "Tests", Path: "/", Kind: "explorer", Script: "page.js"},
		Mount: func(r chi.Router) {
			b := s.explorer()
			b.Mount(r)
			r.Post("/explore", func(w http.ResponseWriter, r *http.Request) {
				if !s.server.ParseForm(w, r) {
					return
				}
				if r.PostForm.Has("open") { // the programs page sends a text
					textpage.Show(s.server, w, r, http.StatusOK, s.viewPage(opened(r.PostForm.Get("source"))))
					return
				}
				b.Post(w, r)
			})
			r.Post("/executions", s.pictures.PostExecutions)
			r.Post("/walk", s.pictures.PostWalk)
			r.Post("/compile", s.postCompile)
			r.Get("/compile", s.server.FromAddress(s.postCompile))
			r.Post("/device", s.postDevice)
			r.Post("/native", s.postNative)
			r.Post("/repair", s.postRepair)
			r.Get("/repair", s.server.FromAddress(s.postRepair))
			r.Get("/words", s.getWords)
			r.Get("/t/{id}", s.openLink)
			r.Get("/embed", s.getEmbed)
			r.Post("/embed", s.postEmbed)
			r.Get("/embed/t/{id}", s.getEmbedLink)
		},
		Operations: func(api huma.API) {
			s.restCompile(api)
			s.restCompilers(api)
			s.restRepair(api)
			s.restDraw(api)
		},
		Costs: map[string]server.Cost{
			"GET /embed": server.Asks, "GET /embed/*": server.Asks,
			"GET /compile": server.Asks, "GET /repair": server.Asks,
			"POST /links": server.Keeps, "POST /native": server.Keeps,
		},
		Framed: []string{"/embed", "/embed/*"},
	}
}

// opened is the question about a text from another page.
func opened(source string) question.Question {
	return question.Question{
		Source: server.UnixLines(source), Models: question.FirstModels(dialect.Tongue(source)),
		Options: solver.DefaultOptions(),
	}
}

// Opener returns the function that shows a test of a suite in the explorer.
func Opener(
	p *picture.Pictures, links *textpage.Permalinks,
) func(http.ResponseWriter, *http.Request, question.Question, textpage.From) {
	s := newPage(p, links)
	return func(w http.ResponseWriter, r *http.Request, q question.Question, from textpage.From) {
		v := s.viewPage(q)
		v.From = &from
		textpage.Show(s.server, w, r, http.StatusOK, v)
	}
}
