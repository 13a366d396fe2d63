package server

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
)

// Kept lets clients cache the answers to GET at some addresses, which change only with the program. Each answer gets an
// ETag; a client that has it already gets 304. A path that ends in * stands for all paths with that prefix.
func Kept(paths ...string) func(http.Handler) http.Handler {
	named := func(path string) bool {
		return slices.ContainsFunc(paths, func(p string) bool {
			before, open := strings.CutSuffix(p, "*")
			return path == p || open && strings.HasPrefix(path, before)
		})
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet && r.Method != http.MethodHead || !named(r.URL.Path) {
				next.ServeHTTP(w, r)
				return
			}
			k := &keptAnswer{ResponseWriter: w}
			next.ServeHTTP(k, r)
			k.send(r)
		})
	}
}

// keptAnswer buffers an answer until it is complete.
type keptAnswer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements [http.ResponseWriter].
func (k *keptAnswer) WriteHeader(status int) {
	if k.status == 0 {
		k.status = status
	}
}

// Write implements [http.ResponseWriter].
func (k *keptAnswer) Write(p []byte) (int, error) {
	k.WriteHeader(http.StatusOK)
	return k.body.Write(p)
}

func (k *keptAnswer) send(r *http.Request) {
	h := k.Header()
	if k.status == http.StatusOK {
		etag := ETagOf(k.body.Bytes())
		h.Set("Cache-Control", "no-cache") // clients cache it and revalidate
		h.Set("ETag", etag)
		if slices.Contains(strings.Split(r.Header.Get("If-None-Match"), ", "), etag) {
			k.status = http.StatusNotModified
			k.body.Reset()
			h.Del("Content-Type")
			h.Del("Content-Length")
		}
	}
	k.ResponseWriter.WriteHeader(max(k.status, http.StatusOK))
	_, _ = k.ResponseWriter.Write(k.body.Bytes()) // the client may have gone
}
