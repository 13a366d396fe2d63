package server

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"

	"litmuscope/solver"
)

// Answers stay in memory until clients have read them, and clients may be slow. Answers of at least largeAnswer bytes
// therefore share maxHeld bytes. If the rest is too small for an answer, the server drops the answer and asks the
// client to try again after heldRetry.
const (
	largeAnswer = 256 << 10
	maxHeld     = 512 << 20
	heldRetry   = 10 * time.Second
)

type holdKey struct{}

// reservation is the memory that a request has reserved.
type reservation struct {
	all  *semaphore.Weighted
	size int64
}

// limitMemory lets handlers reserve memory by TakeRoom, and releases it when they return.
func limitMemory(next http.Handler) http.Handler {
	all := semaphore.NewWeighted(maxHeld)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := &reservation{all: all}
		defer func() { h.all.Release(h.size) }()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), holdKey{}, h)))
	})
}

// TakeRoom reserves memory for an answer of size bytes until its request is answered. It returns a *solver.Busy if
// there is not enough. Only the request's handler may call it, not its other goroutines.
func TakeRoom(ctx context.Context, size int64) error {
	h, ok := ctx.Value(holdKey{}).(*reservation)
	if !ok || size < largeAnswer {
		return nil
	}
	if !h.all.TryAcquire(min(size, maxHeld)) {
		return &solver.Busy{RetryAfter: heldRetry}
	}
	h.size += min(size, maxHeld)
	return nil
}
