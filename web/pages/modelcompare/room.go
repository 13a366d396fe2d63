// Package modelcompare is the page that holds a model of the visitor's own against a built-in one: over all classic tests of a
// dialect, the smallest first, it lists those on which the two differ, while they are asked.
package modelcompare

import (
	"github.com/go-chi/chi/v5"

	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

type room struct {
	server    *server.Shell
	questions *question.Asker
	turns *server.Turns // to hold one model against another
}

// Room is the page, to which the editors of models lead.
func Room(a *question.Asker) server.Room {
	s := &room{a.Server, a, server.NewTurns(server.VersusMost, server.VersusEach, server.FamilyWait,
		"Your models are being held against others already, or too many others' are; stop one, or try again soon.")}
	return server.Room{Mount: func(r chi.Router) { r.Post("/versus", s.post) }}
}
