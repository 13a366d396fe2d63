package web

import (
	"context"

	"litmuscope/store"
	"litmuscope/web/shell"
)

// noLinks are the permalinks of a static site, where nobody keeps any.
type noLinks struct{}

// SaveLink implements [bench.Links].
func (noLinks) SaveLink(context.Context, store.Link) (string, error) {
	return "", shell.Refuse("Without a server nobody keeps short links; a link that holds everything is behind Share.")
}

// Link implements [bench.Links].
func (noLinks) Link(context.Context, string) (store.Link, error) {
	return store.Link{}, store.ErrNoLink
}
