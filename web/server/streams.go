package server

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Shares of the connections, so that nobody takes them all, through a proxy neither: a quarter is left over to those
// who follow nothing, health checks among them. A class's own bound is class.MaxStreams.
const (
	runningShare = 4 // a client's requests under way are at most one of so many connections
	followShare  = 4 // … and all streams of suites together
	classShare   = 2 // … and those of classes, …
	hallShare    = 3 // … of which a client has all but one of four: it may be a lecture hall's address
)

// followEach is how many streams of suites one client may follow.
const followEach = 64

// newRunning, newFollowing and newAttending bound requests under way, streams of suites, and streams of classes.
func newRunning(connections int) *Turns {
	return NewTurns(connections, max(1, connections/runningShare), 0,
		"Too many of your requests are running. Wait until they end.")
}

// NewFollowing bounds the streams that follow suites.
func NewFollowing(connections int) *Turns {
	most := max(1, connections/followShare)
	return NewTurns(most, min(most, followEach), 0, "Too many clients follow suites, or too many from your address. Try again later.")
}

// NewAttending bounds the streams that follow classes.
func NewAttending(connections int) *Turns {
	most := max(1, connections/classShare)
	return NewTurns(most, max(1, most*hallShare/4), 0,
		"Too many pages follow classes, or too many from your address. This page tries again.")
}

type runningKey struct{}

// limitRunning turns clients away that have too many requests under way. Probes of the server's health it lets pass.
func (s *Server) limitRunning(next http.Handler) http.Handler {
	running := newRunning(s.Limits.Connections)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if probe(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		over, err := running.Take(r.Context())
		if err != nil {
			s.FailOf(w, r, err)
			return
		}
		over = sync.OnceFunc(over)
		defer over()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), runningKey{}, over)))
	})
}

// Streamed counts a request that goes on for as long as somebody follows it among such streams, until over is called,
// and no more among those under way; false, and it has answered, if there are too many.
func (s *Server) Streamed(w http.ResponseWriter, r *http.Request, among *Turns) (over func(), ok bool) {
	over, err := among.Take(r.Context())
	if err != nil {
		s.FailOf(w, r, err)
		return nil, false
	}
	if running, ok := r.Context().Value(runningKey{}).(func()); ok {
		running()
	}
	return over, true
}

// Silence is how often those who follow something hear of it at least, lest a proxy think that the connection is dead.
const Silence = 15 * time.Second
