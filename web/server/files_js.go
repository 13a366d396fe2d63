package server

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// watched is a writer that records the status and length of an answer. It replaces chi's, which would link Go's
// profiler into the WebAssembly program.
type watched interface {
	http.ResponseWriter
	Status() int // 0: nothing yet
	BytesWritten() int
}

type watching struct {
	http.ResponseWriter
	status, bytes int
}

func watch(w http.ResponseWriter, _ *http.Request) watched { return &watching{ResponseWriter: w} }

// Status returns the status that was sent; 0 if none was.
func (w *watching) Status() int { return w.status }

// BytesWritten returns the length of the body so far.
func (w *watching) BytesWritten() int { return w.bytes }

// WriteHeader implements [http.ResponseWriter].
func (w *watching) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *watching) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += n
	return n, err
}

// Flush implements [http.Flusher].
func (w *watching) Flush() {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	if f, ok := w.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

// Unwrap is for [http.ResponseController].
func (w *watching) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// compress returns nothing: the worker in a browser does not compress answers.
func compress([]string) []func(http.Handler) http.Handler { return nil }

// mountFiles does nothing: the site's host serves the files.
func mountFiles(chi.Router, http.HandlerFunc) {}
