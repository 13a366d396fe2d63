// Package catalogue serves the catalogue: the classic tests, arranged by shape, with the verdict of each model, and a
// search over them. It also serves the list of classic tests that other pages offer. It asks no engine: the verdicts
// are those of litmus/catalogue.
//
// It imports web/server, web/parts and litmus/catalogue: no other page.
package catalogue

import (
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
)

type page struct {
	server *server.Server
	kinds  func() []kind // what a search finds besides tests
}

// New returns the page. Its searches find lessons of the library, too.
func New(sh *server.Server, library *lesson.Library) server.Page {
	s := &page{sh, sync.OnceValue(func() []kind { return kindsOf(library) })}
	return server.Page{
		Nav: &server.NavEntry{
			Group: server.Browse, Title: "Catalogue", Path: "/catalogue", Kind: "catalogue", Script: "catalogue.js",
		},
		Mount: func(r chi.Router) {
			r.Get("/catalogue", s.getCatalogue)
			r.Method(http.MethodGet, "/classics", http.RedirectHandler("/catalogue", http.StatusMovedPermanently))
			r.Get("/classics/list", s.getClassicsList)
		},
	}
}
