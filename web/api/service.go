package api

import (
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

type service struct {
	server    *server.Server
	questions *question.Service
	others    []server.Page
}

// New returns the interface, with the operations of some pages.
func New(a *question.Service, others ...server.Page) server.Page {
	s := &service{a.Server, a, others}
	return server.Page{Mount: s.mount}
}

// mount has the interface there with the server, but on a static site, where hardly anybody asks for it, with the first
// request.
func (s *service) mount(r chi.Router) {
	if s.server.Static == nil {
		s.rest(r)
		return
	}
	made := sync.OnceValue(func() http.Handler {
		inner := chi.NewRouter()
		if outer, ok := r.(*chi.Mux); ok {
			inner.NotFound(outer.NotFoundHandler())
			inner.MethodNotAllowed(outer.MethodNotAllowedHandler())
		}
		s.rest(inner)
		return inner
	})
	r.HandleFunc("/api/*", func(w http.ResponseWriter, r *http.Request) { made().ServeHTTP(w, r) })
}
