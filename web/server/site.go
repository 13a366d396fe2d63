package server

import (
	"context"
	"net/http"
	"slices"
)

// NavEntry is an entry of the navigation. Kind is the class of the body of its pages, and the name of their style
// sheet if they have one. Script is the script that they run; "" for none.
type NavEntry struct{ Title, Path, Kind, Script string }

type siteKey struct{}

// site has data for the frame of every page.
type site struct {
	pages   []NavEntry
	colours string // see Config
}

// withSite adds the navigation and the colours of drawings to the contexts of requests.
func (s *Server) withSite(pages []NavEntry) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), siteKey{}, site{pages, s.Colours})))
		})
	}
}

// pages returns the navigation of the server of a request.
func pages(ctx context.Context) []NavEntry {
	s, _ := ctx.Value(siteKey{}).(site)
	return s.pages
}

// colours returns the colours of drawings as CSS declarations.
func colours(ctx context.Context) string {
	s, _ := ctx.Value(siteKey{}).(site)
	return s.colours
}

// scriptsOf lists the scripts of a kind of pages.
func scriptsOf(ctx context.Context, kind string) (out []string) {
	for _, p := range pages(ctx) {
		if p.Kind == kind && p.Script != "" {
			out = append(out, p.Script)
		}
	}
	return out
}

// HasPage reports whether the navigation has a page at a path, that is, whether the server has this service. It is
// false on a static site, where such a page only links to servers.
func HasPage(ctx context.Context, path string) bool {
	return !IsStatic(ctx) && slices.ContainsFunc(pages(ctx), func(p NavEntry) bool { return p.Path == path })
}
