// Package cycles serves the page on cycles of relaxations: a cycle as a ring that can be changed, the test that it
// makes, the models' verdicts, and families of such tests, also as an archive. It adds the operations of the REST
// interface that make tests of cycles and name them. web/drawing/cyclediagram draws the ring and lists the changes.
//
// It imports web/server, web/parts and web/drawing: no other page.
package cycles

import (
	"github.com/danielgtaylor/huma/v2"

	"litmuscope/web/parts/family"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

type page struct {
	server    *server.Server
	questions *question.Service
	families  *family.Maker
}

// New returns the page and its REST operations.
func New(m *family.Maker) server.Page {
	s := &page{m.Server, m.Questions, m}
	return server.Page{
		Nav: &server.NavEntry{
			Group: server.Browse, Title: "Cycle builder", Path: "/cycles", Kind: "cycles", Script: "cycles.js",
		},
		Mount: s.cyclePages,
		Costs: map[string]server.Cost{
			"GET /cycles": server.Asks, "GET /cycles/*": server.Asks,
			"POST /cycles/suite": server.Keeps,
		},
		Operations: func(api huma.API) { s.restCycles(api); s.restName(api) },
	}
}
