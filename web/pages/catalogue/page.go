// Package catalogue serves the catalogue: the classic tests, arranged by shape, with the verdict of each model, and a
// search over them. It also serves the list of classic tests that other pages offer. It asks no engine: the verdicts
// are those of litmus/catalogue.
//
// It imports web/server, web/parts and litmus/catalogue: no other page.
package catalogue

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"litmuscope/web/server"
)

type page struct{ server *server.Server }

// New returns the page.
func New(sh *server.Server) server.Page {
	s := &page{sh}
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
