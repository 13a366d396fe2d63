package server

import (
	"net/http"
	"sync"
)

// Starting is the handler of a server that listens before its pages can answer. Requests wait for the pages, which
// [Starting.Use] supplies. If the server stops before, they get status 503.
type Starting struct {
	once    sync.Once
	ready   chan struct{} // closed by Use
	handler http.Handler
}

// NewStarting returns a handler without pages.
func NewStarting() *Starting { return &Starting{ready: make(chan struct{})} }

// Use lets h answer the waiting requests and all later ones. Only the first call has an effect.
func (s *Starting) Use(h http.Handler) {
	s.once.Do(func() {
		s.handler = h
		close(s.ready)
	})
}

// ServeHTTP implements [http.Handler].
func (s *Starting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-s.ready:
		s.handler.ServeHTTP(w, r)
	case <-r.Context().Done(): // the client has gone
	case <-Ended(r.Context()):
		w.Header().Set("Retry-After", "5")
		http.Error(w, "The server stopped before it could answer. Try again.", http.StatusServiceUnavailable)
	}
}
