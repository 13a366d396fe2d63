// Package programs is the page on C programs: what is claimed of one, under which models that holds, and the execution
// by which it fails.
package programs

import (
	"github.com/danielgtaylor/huma/v2"

	"litmuscope/store"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

type room struct{ *bench.Desk }

// Room is the page, with the operations that verify a program and repair it.
func Room(d *bench.Desk) shell.Room {
	s := &room{d}
	return shell.Room{
		Page:  &shell.Page{Title: "Programs", Path: "/programs", Kind: "verify", Script: "verify.js"},
		Mount: s.programPages, Operations: func(api huma.API) { s.restVerify(api); s.restRepair(api) },
		Costs: map[string]shell.Cost{"POST /programs/links": shell.Keeps},
	}
}

// Open is the page with the program of a link.
func Open(l store.Link) bench.Workplace { return viewClaim(claimOf(l)) }
