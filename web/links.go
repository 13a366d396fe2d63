package web

import (
	"context"

	"litmuscope/store"
	"litmuscope/web/server"
)

// NoLinks are the permalinks where nobody keeps any: on a static site, or for those who ask over the REST interface
// alone.
type NoLinks struct{}

// SaveLink implements [textpage.LinkStore].
func (NoLinks) SaveLink(context.Context, store.Link) (string, error) {
	return "", server.Refuse("Without a server nobody keeps short links; a link that holds everything is behind Share.")
}

// Link implements [textpage.LinkStore].
func (NoLinks) Link(context.Context, string) (store.Link, error) {
	return store.Link{}, store.ErrNoLink
}
