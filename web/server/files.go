//go:build !js

package server

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"litmuscope/solver/report"
	"litmuscope/static"
)

// watched is a writer that records the status and length of an answer.
type watched = middleware.WrapResponseWriter

func watch(w http.ResponseWriter, r *http.Request) watched {
	return middleware.NewWrapResponseWriter(w, r.ProtoMajor)
}

// compress returns middleware that answers HEAD like GET, and compresses answers.
func compress(more []string) []func(http.Handler) http.Handler {
	return []func(http.Handler) http.Handler{middleware.GetHead, middleware.Compress(5, compressed(more)...)}
}

// compressed lists the media types to compress: pages, data, formats to save, and those in more.
func compressed(more []string) []string {
	types := []string{"text/html", "application/json", "application/problem+json", LinesMedia}
	for _, f := range report.Formats {
		media, _, _ := strings.Cut(f.Media, ";")
		types = append(types, media)
	}
	return append(types, more...)
}

// mountFiles mounts the static files, and the script that other sites load.
func mountFiles(r chi.Router, missing http.HandlerFunc) {
	r.Method(http.MethodGet, static.Prefix+"*", static.Handler(missing))
	r.Get("/litmus-test.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write(static.File("litmus-test.js")) // the client may have gone
	})
}
