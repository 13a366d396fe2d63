// Package help is the pages on what words mean, and the texts of models.
package help

import (
	"github.com/go-chi/chi/v5"

	"litmuscope/web/server"
)

type room struct{ *shell.Shell }

// Room is those pages.
func Room(sh *shell.Shell) shell.Room {
	s := &room{sh}
	return shell.Room{Page: &shell.Page{Title: "Help", Path: "/glossary", Kind: "help"}, Mount: func(r chi.Router) {
		r.Get("/glossary", s.getGlossary)
		r.Get("/glossary/terms", s.getTerms)
		r.Get("/models/{name}", s.getModelPage)
	}}
}
