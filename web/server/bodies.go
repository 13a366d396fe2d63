package server

import (
	"context"
	"io"
	"net/http"
)

type bodyKey struct{}

// limitBody bounds bodies by maxBody, unless allowBody says otherwise.
func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(context.WithValue(r.Context(), bodyKey{}, r.Body))
		r.Body = http.MaxBytesReader(w, r.Body, MaxBody)
		next.ServeHTTP(w, r)
	})
}

// AllowBody lets the body of a request be longer than others, for a handler to call
// before it reads. It takes its time by its length.
func AllowBody(w http.ResponseWriter, r *http.Request, most int64) {
	if body, ok := r.Context().Value(bodyKey{}).(io.ReadCloser); ok {
		r.Body = http.MaxBytesReader(w, body, most)
	}
}
