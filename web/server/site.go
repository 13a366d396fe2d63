package server

import (
	"context"
	"net/http"
	"slices"
)

// Page is a page that every page leads to, and how those under it look: Kind is the class of their bodies and names
// their style sheet, if they have one, and Script is what they run, unless it is "".
type NavEntry struct{ Title, Path, Kind, Script string }

type siteKey struct{}

// site is what the frame of every page shows.
type site struct {
	pages   []NavEntry
	colours string // see Config
}

// knowing tells requests the pages that there are, and the colours of drawings.
func (s *Server) knowing(pages []NavEntry) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), siteKey{}, site{pages, s.Colours})))
		})
	}
}

// pages are those that the server of a request has.
func pages(ctx context.Context) []NavEntry {
	s, _ := ctx.Value(siteKey{}).(site)
	return s.pages
}

// colours are those of drawings, as CSS declarations.
func colours(ctx context.Context) string {
	s, _ := ctx.Value(siteKey{}).(site)
	return s.colours
}

// scriptsOf are those of a kind of pages.
func scriptsOf(ctx context.Context, kind string) (out []string) {
	for _, p := range pages(ctx) {
		if p.Kind == kind && p.Script != "" {
			out = append(out, p.Script)
		}
	}
	return out
}

// HasPage tells whether one of them is at a path: whether the server has such a service. On a static site such a page
// leads to a server, and what would ask it for more has nobody to.
func HasPage(ctx context.Context, path string) bool {
	return !IsStatic(ctx) && slices.ContainsFunc(pages(ctx), func(p NavEntry) bool { return p.Path == path })
}
