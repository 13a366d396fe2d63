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
	return "", server.Refuse("Short links need a server. Share has a link that contains the whole question.")
}

// Link implements [textpage.LinkStore].
func (NoLinks) Link(context.Context, string) (store.Link, error) {
	return store.Link{}, store.ErrNoLink
}
