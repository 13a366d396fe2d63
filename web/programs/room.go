// Package programs is the page on C programs: what is claimed of one, under which models that holds, and the execution
// by which it fails.
package programs

import (
	"litmuscope/store"
	"litmuscope/web/bench"
	"litmuscope/web/shell"
)

type room struct{ *bench.Desk }

// Room is the page, with the operation that verifies a program.
func Room(d *bench.Desk) shell.Room {
	s := &room{d}
	return shell.Room{
		Page:  &shell.Page{Title: "Programs", Path: "/programs", Kind: "verify", Script: "verify.js"},
		Mount: s.programPages, Operations: s.restVerify,
		Costs: map[string]shell.Cost{"POST /programs/links": shell.Keeps},
	}
}

// Open is the page with the program of a link.
func Open(l store.Link) bench.Workplace { return viewClaim(claimOf(l)) }
