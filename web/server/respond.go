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

// SendText answers with a text, or why there is none.
func (s *Server) SendText(w http.ResponseWriter, r *http.Request, text string, err error) {
	if err != nil {
		s.FailOf(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(text)) // the client may have gone
}

// IsFragment tells a request of the page's scripts from one of the browser's.
func IsFragment(r *http.Request) bool { return r.Header.Get(NonceHeader) != "" }

// ParseForm reads a request's form; false, and it has answered, where it cannot.
func (s *Server) ParseForm(w http.ResponseWriter, r *http.Request) bool {
	err := r.ParseForm()
	if err != nil {
		s.FailOf(w, r, Unread(err))
	}
	return err == nil
}

// SendImage answers with an image from a lecturer's folder, or why there is none.
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
	// By itself, a drawing is a page: it gets to do nothing.
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

// Fail answers with a problem: a page for a browser, RFC 9457 for everything else.
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

// WantsPage tells a browser's own requests from those of scripts and programs.
func WantsPage(r *http.Request) bool {
	return !IsFragment(r) && !strings.HasPrefix(r.URL.Path, "/api/") &&
		strings.Contains(r.Header.Get("Accept"), "text/html")
}

// A refusal says, for its reader, why a question cannot be asked.
type Refusal struct{ msg string }

func (r Refusal) Error() string { return r.msg }

// Refuse is a Refusal in words.
func Refuse(format string, args ...any) error { return Refusal{fmt.Sprintf(format, args...)} }

// TooMuch refuses what takes a child too much; what is said to do so is "Reading this".
func TooMuch(err error, what string) error {
	if limited := (*solver.Limited)(nil); errors.As(err, &limited) {
		return Refuse("%s was stopped: %s.", what, limited.Reason)
	}
	return err
}

// Unread is the error of a form that cannot be read.
func Unread(err error) error {
	if FaultOf(err).Ours {
		return &brokenBody{err}
	}
	return err
}

// Chosen is what a field of the request names, otherwise another. If there is none, it answers so.
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

// WriteKept answers with JSON that stays the same as long as the program does: browsers keep
// it, and ask whether it is still so.
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

// ETagOf is a weak tag: what is sent may be compressed.
func ETagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `W/"` + hex.EncodeToString(sum[:8]) + `"`
}
