// Package api is the REST interface: its document, its page, and the operations that are no room's own.
package api

import (
	"litmuscope/web/ask"
	"litmuscope/web/shell"
)

type room struct {
	*ask.Asker
	others []shell.Room
}

// Room is the interface, with the operations of some rooms.
func Room(a *ask.Asker, others ...shell.Room) shell.Room {
	s := &room{a, others}
	return shell.Room{Mount: s.rest}
}
