package shell

import (
	"context"
	"slices"
)

// Page is a page that every page leads to. Kind is that of the pages under it, see frame.
type Page struct{ Title, Path, Kind string }

type siteKey struct{}

// pages are those that the server of a request has.
func pages(ctx context.Context) []Page {
	pages, _ := ctx.Value(siteKey{}).([]Page)
	return pages
}

// HasPage tells whether one of them is at a path: whether the server has such a service.
func HasPage(ctx context.Context, path string) bool {
	return slices.ContainsFunc(pages(ctx), func(p Page) bool { return p.Path == path })
}
