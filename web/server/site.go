package server

import (
	"context"
	"net/http"
	"slices"
)

// NavEntry is an entry of the navigation. Kind is the class of the body of its pages, and the name of their style
// sheet if they have one; "" if the entry stands for its address only. Script is the script that they run; "" for none.
type NavEntry struct{ Group, Title, Path, Kind, Script string }

// The groups of the navigation.
const (
	Ask    = "Ask"
	Browse = "Browse"
	Teach  = "Teach"
	Suites = "Suites"
	Help   = "Help"
)

// navGroups has the groups of the navigation in order.
var navGroups = []string{Ask, Browse, Teach, Suites, Help}

// navGroup is a group of the navigation as a page shows it.
type navGroup struct {
	Title   string
	Entries []NavEntry
}

type siteKey struct{}

// site has data for the frame of every page.
type site struct {
	pages   []NavEntry
	path    string // of the request
	colours string // see Config
}

// withSite adds the navigation and the colours of drawings to the contexts of requests.
func (s *Server) withSite(pages []NavEntry) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			of := site{pages, r.URL.Path, s.Colours}
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), siteKey{}, of)))
		})
	}
}

// pages returns the navigation of the server of a request.
func pages(ctx context.Context) []NavEntry {
	s, _ := ctx.Value(siteKey{}).(site)
	return s.pages
}

// navigation returns the groups of the navigation that have entries.
func navigation(ctx context.Context) (out []navGroup) {
	for _, title := range navGroups {
		g := navGroup{Title: title}
		for _, p := range pages(ctx) {
			if p.Group == title {
				g.Entries = append(g.Entries, p)
			}
		}
		if len(g.Entries) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// isHere reports whether an entry of the navigation leads to the page of a request, or, for a page of this kind
// without an entry of its own, to the page that the kind is named for.
func isHere(ctx context.Context, e NavEntry, kind string) bool {
	s, _ := ctx.Value(siteKey{}).(site)
	if slices.ContainsFunc(s.pages, func(p NavEntry) bool { return p.Path == s.path }) {
		return e.Path == s.path
	}
	return e.Kind != "" && e.Kind == kind
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
