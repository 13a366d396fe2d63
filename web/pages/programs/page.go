// Package programs serves the page on C programs: properties of a program, the models under which they hold, the
// execution that violates one, repairs, and the program as compiled to a machine. It adds the operations of the REST
// interface that verify and repair a program. [Open] shows the program of a link.
//
// It imports web/server, web/parts and web/drawing: no other page.
package programs

import (
	"github.com/danielgtaylor/huma/v2"

	"litmuscope/store"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

type page struct {
	server     *server.Server
	questions  *question.Service
	pictures   *picture.Pictures
	permalinks *textpage.Permalinks
}

// New returns the page and its REST operations.
func New(p *picture.Pictures, links *textpage.Permalinks) server.Page {
	s := &page{server: p.Server, questions: p.Questions, pictures: p, permalinks: links}
	return server.Page{
		Nav: &server.NavEntry{
			Group:  server.Ask,
			Title:  "Programs",
			Path:   "/programs",
			Kind:   "verify",
			Script: "verify.js",
		},
		Mount: s.programPages, Operations: func(api huma.API) { s.restVerify(api); s.restRepair(api) },
		Costs: map[string]server.Cost{
			"GET /programs/compiled": server.Asks, "GET /programs/repair": server.Asks,
			"POST /programs/links": server.Keeps,
		},
	}
}

// Open returns the page with the program of a link.
func Open(l store.Link) textpage.View { return viewClaim(claimOf(l)) }
