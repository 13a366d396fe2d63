package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"litmuscope/store"
)

// Check tests something that the server depends on.
type Check struct {
	Name string
	Ask  func(context.Context) error // returns nil if it works
}

// checkTimeout bounds all checks of one request together.
const checkTimeout = 3 * time.Second

// healthz reports that the process is up.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) { plain(w, "ok\n") }

// readyz reports whether the server accepts new requests: all checks pass, and the server is not stopping.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	if stopping(r.Context()) {
		s.TurnAway(w, r, http.StatusServiceUnavailable, time.Minute, "The server is stopping.")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), checkTimeout)
	defer cancel()
	var well, ill []string
	for _, c := range s.Ready {
		if err := c.Ask(ctx); err != nil {
			s.Log.WarnContext(r.Context(), "not ready", "check", c.Name, "error", err)
			ill = append(ill, c.Name+illness(err))
			continue
		}
		well = append(well, c.Name+" ok\n")
	}
	if len(ill) > 0 {
		s.TurnAway(w, r, http.StatusServiceUnavailable, 5*time.Second,
			fmt.Sprintf("Not ready: %s. The server's log says why.", strings.Join(ill, ", ")))
		return
	}
	plain(w, strings.Join(well, "")+"ready\n")
}

// illness returns the part of an error that clients may see, in parentheses.
func illness(err error) string {
	for _, known := range []error{store.ErrFull, store.ErrDamaged} {
		if errors.Is(err, known) {
			return " (" + known.Error() + ")"
		}
	}
	return ""
}

func plain(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(text)) // the client may have gone
}
