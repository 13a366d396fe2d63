package server

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Shares of the connections, so that no client can use all of them, not even through a proxy. A quarter always remains
// for requests that are not streams, such as health checks. class.MaxStreams bounds the streams of one class.
const (
	runningShare = 4 // one client's running requests may use 1/runningShare
	followShare  = 4 // all streams of suites may use 1/followShare
	classShare   = 2 // all streams of classes may use 1/classShare, …
	hallShare    = 3 // … and one client hallShare/4 of that: a lecture hall may have one address
)

// followEach is the number of suites that one client may follow at once.
const followEach = 64

// newRunning bounds the running requests of each client.
func newRunning(connections int) *Turns {
	return NewTurns(connections, max(1, connections/runningShare), 0,
		"Too many of your requests are running. Wait until they end.")
}

// NewFollowing bounds the streams that follow suites.
func NewFollowing(connections int) *Turns {
	most := max(1, connections/followShare)
	return NewTurns(most, min(most, followEach), 0, "Too many clients follow suites, or too many from your "+
		"address. Try again later.")
}

// NewAttending bounds the streams that follow classes.
func NewAttending(connections int) *Turns {
	most := max(1, connections/classShare)
	return NewTurns(most, max(1, most*hallShare/4), 0,
		"Too many pages follow classes, or too many from your address. This page tries again.")
}

type runningKey struct{}

// limitRunning rejects requests of clients that have too many running ones. Health probes are exempt.
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

// Streamed counts a request as a stream until over is called, and no longer as a running request. If there are too many
// streams, it answers with the error and returns false.
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

// Silence is the longest time without a message on a stream. Proxies may close connections that are idle for longer.
const Silence = 15 * time.Second
