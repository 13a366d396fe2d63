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

// recoverPanics turns a bug into a logged 500. An answer already begun is cut.
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
			s.Fail(ww, r, http.StatusInternalServerError, "The server has a bug and could not answer. Its log has the details.")
		}()
		next.ServeHTTP(ww, r)
	})
}

// Guarded does something beside the goroutine of a request, where nothing else takes a panic up: it becomes
// an error, which is answered and logged as a bug of the program.
func Guarded(do func() error) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("panic: %v\n%s", e, debug.Stack())
		}
	}()
	return do()
}

type nonceKey struct{}

// NonceHeader is how the page's scripts say that they want a fragment, and for
// which page: its styles must carry that page's nonce.
const NonceHeader = "X-Page-Nonce"

// Nonce is the permission of the page under way for inline style elements: the
// editor's and the drawings' own.
func Nonce(ctx context.Context) string {
	n, _ := ctx.Value(nonceKey{}).(string)
	return n
}

// secure sets the headers that keep a page to itself: nothing is fetched from
// elsewhere, no inline script runs, nobody frames it, unless it is made to be framed. Styles may be inline where
// they carry the nonce; data: images are the editor's marks,
// blob: images a drawing on its way to a PNG.
func (s *Server) secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := rand.Text()
		frames := "'none'"
		if s.where.embeddable(r.URL.Path) {
			frames = "* file:" // slides on a lecturer's disk are no network's
		}
		h := w.Header()
		h.Set("Content-Security-Policy", strings.Join([]string{
			"default-src 'none'", "script-src 'self'", "style-src 'self' 'nonce-" + n + "'",
			"img-src 'self' data: blob:", "font-src 'self'", "connect-src 'self'", "form-action 'self'",
			"base-uri 'none'", "frame-ancestors " + frames,
		}, "; "))
		h.Set("X-Content-Type-Options", "nosniff")
		if s.Elsewhere && (s.where.embeddable(r.URL.Path) || strings.HasPrefix(r.URL.Path, static.Prefix)) {
			h.Set("Access-Control-Allow-Origin", "*")
		}
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		if page := r.Header.Get(NonceHeader); IsFragment(r) && len(page) == len(n) {
			n = page
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), nonceKey{}, n)))
	})
}
