//go:build !js

package server

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"litmuscope/solver/report"
	"litmuscope/static"
	"litmuscope/web/drawing"
)

// watched tells what has been answered.
type watched = middleware.WrapResponseWriter

func watch(w http.ResponseWriter, r *http.Request) watched {
	return middleware.NewWrapResponseWriter(w, r.ProtoMajor)
}

// packed sends what is asked for as whoever asks wants it: with its body or without, compressed or as it is.
func packed() []func(http.Handler) http.Handler {
	return []func(http.Handler) http.Handler{middleware.GetHead, middleware.Compress(5, compressed()...)}
}

// compressed are the media types of what is sent compressed: pages, data, and all that can be saved.
func compressed() []string {
	types := []string{"text/html", "application/json", "application/problem+json", LinesMedia}
	for _, f := range report.Formats {
		media, _, _ := strings.Cut(f.Media, ";")
		types = append(types, media)
	}
	for _, f := range drawing.Formats {
		types = append(types, f.Media)
	}
	return types
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
