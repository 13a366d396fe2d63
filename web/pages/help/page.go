// Package help serves the glossary and the texts of models, with links between a model's definitions. The glossary is
// in web/parts/glossary, the text of models in web/parts/modeltext.
//
// It imports web/server and web/parts: no other page.
package help

import (
	"github.com/go-chi/chi/v5"

	"litmuscope/web/server"
)

type page struct{ server *server.Server }

// New returns the pages.
func New(sh *server.Server) server.Page {
	s := &page{sh}
	return server.Page{
		Nav: &server.NavEntry{Group: server.Help, Title: "Help", Path: "/glossary", Kind: "help"},
		Mount: func(r chi.Router) {
			r.Get("/glossary", s.getGlossary)
			r.Get("/glossary/terms", s.getTerms)
			r.Get("/models/{name}", s.getModelPage)
		},
	}
}
