package server

import (
	"context"
	"io"
	"net/http"
)

type bodyKey struct{}

// limitBody bounds bodies by MaxBody, unless a handler calls AllowBody.
func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(context.WithValue(r.Context(), bodyKey{}, r.Body))
		r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
		next.ServeHTTP(w, r)
	})
}

// AllowBody bounds the body of a request by most instead of MaxBody. A handler must call it before it reads.
func AllowBody(w http.ResponseWriter, r *http.Request, most int64) {
	if body, ok := r.Context().Value(bodyKey{}).(io.ReadCloser); ok {
		r.Body = http.MaxBytesReader(w, body, most)
	}
}
