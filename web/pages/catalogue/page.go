// Package catalogue is the page of the classic tests by their shapes, with what models say of each.
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
	return server.Page{Nav: &server.NavEntry{Title: "Catalogue", Path: "/catalogue", Kind: "catalogue", Script: "catalogue.js"}, Mount: func(r chi.Router) {
		r.Get("/catalogue", s.getCatalogue)
		r.Method(http.MethodGet, "/classics", http.RedirectHandler("/catalogue", http.StatusMovedPermanently))
		r.Get("/classics/list", s.getClassicsList)
	}}
}
