// Package cycles is the page on cycles of relaxations: one as a ring that can be changed, the test that it is, what
// models say of it, and families of such tests.
package cycles

import (
	"github.com/danielgtaylor/huma/v2"

	"litmuscope/web/parts/family"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

type room struct {
	server    *server.Shell
	questions *question.Asker
	families  *family.Maker
}

// Room is the page, with the operations that make tests of cycles and name them.
func Room(m *family.Maker) server.Room {
	s := &room{m.Server, m.Questions, m}
	return server.Room{
		Page:       &server.Page{Title: "Cycles", Path: "/cycles", Kind: "cycles", Script: "cycles.js"},
		Mount:      s.cyclePages,
		Costs:      map[string]server.Cost{"GET /cycles": server.Asks, "GET /cycles/*": server.Asks, "POST /cycles/suite": server.Keeps},
		Operations: func(api huma.API) { s.restCycles(api); s.restName(api) },
	}
}
