package server

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"litmuscope/solver"
)

// SendText answers with a text, or with err.
func (s *Server) SendText(w http.ResponseWriter, r *http.Request, text string, err error) {
	if err != nil {
		s.FailOf(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(text)) // the client may have gone
}

// IsFragment reports whether a request is from the page's scripts, which want a part of a page.
func IsFragment(r *http.Request) bool { return r.Header.Get(NonceHeader) != "" }

// ParseForm parses a request's form. If it fails, it answers with the error and returns false.
func (s *Server) ParseForm(w http.ResponseWriter, r *http.Request) bool {
	err := r.ParseForm()
	if err != nil {
		s.FailOf(w, r, Unread(err))
	}
	return err == nil
}

// SendImage answers with an image from a lecturer's folder, or with err.
func (s *Server) SendImage(w http.ResponseWriter, r *http.Request, body []byte, kind string, err error) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.Fail(w, r, http.StatusNotFound, "There is no page at this address.")
		return
	case err != nil:
		s.Fail(w, r, http.StatusUnprocessableEntity, "The image cannot be shown: "+err.Error()+".")
		return
	}
	h := w.Header()
	etag := ETagOf(body)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", etag)
	// A browser can show an SVG as a page: forbid it to run or load anything.
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	if r.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", kind)
	_, _ = w.Write(body) // the client may have gone
}

// Render answers with a page or a part of one.
func (s *Server) Render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := s.WriteTo(r.Context(), w, c); err != nil {
		s.Log.DebugContext(r.Context(), "render", "error", err) // the client has gone
	}
}

// WriteJSON answers with a value as JSON and the status 200.
func (s *Server) WriteJSON(w http.ResponseWriter, v any) { s.WriteStatusJSON(w, http.StatusOK, v) }

// WriteStatusJSON answers with a value as JSON.
func (s *Server) WriteStatusJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		s.Log.Debug("write", "error", err)
	}
}

// Fail answers with a problem: a page for browsers, an RFC 9457 document for all others.
func (s *Server) Fail(w http.ResponseWriter, r *http.Request, status int, detail string) {
	s.failWith(w, r, newProblem(status, detail))
}

func (s *Server) failWith(w http.ResponseWriter, r *http.Request, p *Problem) {
	p, status := p.of(r.Context()), p.Status
	w.Header().Set("Cache-Control", "no-store")
	if WantsPage(r) {
		s.Render(w, r, status, failure(Nonce(r.Context()), p.Title, p.Detail, p.Request))
		return
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(p) // the client may have gone
}

// WantsPage reports whether a request is a browser's own, not one of a script or program.
func WantsPage(r *http.Request) bool {
	return !IsFragment(r) && !strings.HasPrefix(r.URL.Path, "/api/") &&
		strings.Contains(r.Header.Get("Accept"), "text/html")
}

// Refusal is an error with a sentence for the visitor that says why the server rejects a request.
type Refusal struct{ msg string }

func (r Refusal) Error() string { return r.msg }

// Refuse returns a Refusal with formatted text.
func Refuse(format string, args ...any) error { return Refusal{fmt.Sprintf(format, args...)} }

// TooMuch turns the error of child work that reached a limit into a Refusal. what names the work: "Reading this". Other
// errors stay as they are.
func TooMuch(err error, what string) error {
	if limited := (*solver.Limited)(nil); errors.As(err, &limited) {
		return Refuse("%s was stopped: %s.", what, limited.Reason)
	}
	return err
}

// Unread returns the error for a form that cannot be parsed.
func Unread(err error) error {
	if FaultOf(err).Ours {
		return &brokenBody{err}
	}
	return err
}

// Chosen returns what the query's field names, or by default what otherwise names. If find does not know the name, it
// answers 404 with the format none, and returns false.
func Chosen[E any](
	s *Server, w http.ResponseWriter, r *http.Request, field, otherwise, none string, find func(id string) (E, bool),
) (E, bool) {
	id := cmp.Or(r.URL.Query().Get(field), otherwise)
	e, ok := find(id)
	if !ok {
		s.Fail(w, r, http.StatusNotFound, fmt.Sprintf(none, id))
	}
	return e, ok
}

// WriteKept answers with JSON that changes only with the program. Browsers cache it and revalidate.
func (s *Server) WriteKept(w http.ResponseWriter, r *http.Request, body []byte, etag string) {
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", etag)
	if slices.Contains(strings.Split(r.Header.Get("If-None-Match"), ", "), etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "application/json")
	_, _ = w.Write(body) // the client may have gone
}

// ETagOf returns a weak ETag of a body. It is weak because the answer may be compressed.
func ETagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `W/"` + hex.EncodeToString(sum[:8]) + `"`
}
