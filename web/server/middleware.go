package server

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"litmuscope/static"
)

// recoverPanics turns a panic into a logged 500. If the answer has begun, it aborts the connection.
func (s *Server) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ww := watch(w, r)
		defer func() {
			e := recover()
			if e == nil {
				return
			}
			if e == http.ErrAbortHandler { //nolint:errorlint // recover gives the very value
				panic(e)
			}
			s.Log.ErrorContext(r.Context(), "panic", "path", s.where.logged(r.URL.Path), "panic", e, "stack",
				string(debug.Stack()))
			if ww.Status() != 0 {
				panic(http.ErrAbortHandler)
			}
			s.Fail(ww, r, http.StatusInternalServerError, "The server has a bug and could not answer. Its log "+
				"has the details.")
		}()
		next.ServeHTTP(ww, r)
	})
}

// Guarded calls do and turns a panic into an error. Use it in goroutines of a request, where recoverPanics does not
// help.
func Guarded(do func() error) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("panic: %v\n%s", e, debug.Stack())
		}
	}()
	return do()
}

type nonceKey struct{}

// NonceHeader is the header with which the page's scripts ask for a fragment. Its value is the nonce of their page,
// which the styles in the fragment must carry.
const NonceHeader = "X-Page-Nonce"

// Nonce returns the nonce that permits inline style elements on the page of a request: those of the editor and of
// drawings.
func Nonce(ctx context.Context) string {
	n, _ := ctx.Value(nonceKey{}).(string)
	return n
}

// secure sets headers that isolate pages: browsers load nothing from other sites, run no inline scripts, and let other
// sites frame only Page.Framed. Inline styles need the nonce. Images from data: URLs are marks of the editor; those
// from blob: URLs are drawings that a script converts to PNG.
func (s *Server) secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := rand.Text()
		frames := "'none'"
		if s.where.embeddable(r.URL.Path) {
			frames = "* file:" // lecturers open slides from their disk
		}
		h := w.Header()
		h.Set("Content-Security-Policy", strings.Join([]string{
			"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self' 'nonce-" + n + "'",
			"img-src 'self' data: blob:", "font-src 'self'", "connect-src 'self'", "form-action 'self'",
			"base-uri 'none'", "frame-ancestors " + frames,
		}, "; "))
		h.Set("X-Content-Type-Options", "nosniff")
		if s.Elsewhere && (s.where.embeddable(r.URL.Path) || strings.HasPrefix(r.URL.Path, static.Prefix)) {
			h.Set("Access-Control-Allow-Origin", "*")
		}
		h.Set("Referrer-Policy", "same-origin")
		// Together, the two let scripts share memory between threads, to run tests on the visitor's processor.
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Embedder-Policy", "require-corp")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		if page := r.Header.Get(NonceHeader); IsFragment(r) && len(page) == len(n) {
			n = page
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), nonceKey{}, n)))
	})
}
