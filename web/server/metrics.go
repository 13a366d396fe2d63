package server

import (
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"litmuscope/static"
)

// quiet reports whether requests to a path are neither logged nor limited.
func quiet(path string) bool {
	return probe(path) || path == "/metrics" || strings.HasPrefix(path, static.Prefix)
}

// observe counts each request, and logs it.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ww := watch(w, r)
		start := time.Now()
		s.counted.begin()
		defer func() {
			took := time.Since(start)
			status := ww.Status()
			if status == 0 {
				status = http.StatusOK // what net/http sends if a handler sets none
			}
			route := chi.RouteContext(r.Context()).RoutePattern()
			if route == "" || status == http.StatusNotFound && strings.HasSuffix(route, "*") {
				route = "none"
			}
			s.counted.end(knownMethod(r.Method), route, strconv.Itoa(status/100)+"xx", took)
			level := slog.LevelInfo
			if quiet(r.URL.Path) {
				level = slog.LevelDebug
			}
			s.Log.LogAttrs(r.Context(), level, "request",
				slog.String("method", r.Method), slog.String("path", s.where.logged(r.URL.Path)),
				slog.Int("status", status), slog.Int("bytes", ww.BytesWritten()),
				slog.Duration("took", took), slog.String("client", Client(r.Context())))
		}()
		next.ServeHTTP(ww, r)
	})
}

// knownMethod maps unknown methods to "other", so that clients cannot add labels to metrics.
func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return m
	}
	return "other"
}
