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

// watched tells what has been answered.
type watched = middleware.WrapResponseWriter

func watch(w http.ResponseWriter, r *http.Request) watched {
	return middleware.NewWrapResponseWriter(w, r.ProtoMajor)
}

// packed sends what is asked for as whoever asks wants it: with its body or without, compressed or as it is.
func packed(more []string) []func(http.Handler) http.Handler {
	return []func(http.Handler) http.Handler{middleware.GetHead, middleware.Compress(5, compressed(more)...)}
}

// compressed are the media types of what is sent compressed: pages, data, and all that can be saved, more among it.
func compressed(more []string) []string {
	types := []string{"text/html", "application/json", "application/problem+json", LinesMedia}
	for _, f := range report.Formats {
		media, _, _ := strings.Cut(f.Media, ";")
		types = append(types, media)
	}
	return append(types, more...)
}

// files are what pages fetch beside themselves, here and elsewhere.
func files(r chi.Router, missing http.HandlerFunc) {
	r.Method(http.MethodGet, static.Prefix+"*", static.Handler(missing))
	r.Get("/litmus-test.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write(static.File("litmus-test.js")) // the client may have gone
	})
}
