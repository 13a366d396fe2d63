// Package help is the pages on what words mean, and the texts of models.
package help

import (
	"github.com/go-chi/chi/v5"

	"litmuscope/web/server"
)

type room struct{ server *server.Shell }

// Room is those pages.
func Room(sh *server.Shell) server.Room {
	s := &room{sh}
	return server.Room{Page: &server.Page{Title: "Help", Path: "/glossary", Kind: "help"}, Mount: func(r chi.Router) {
		r.Get("/glossary", s.getGlossary)
		r.Get("/glossary/terms", s.getTerms)
		r.Get("/models/{name}", s.getModelPage)
	}}
}
