package server

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"

	"litmuscope/solver"
)

// Large answers are in memory until their readers have them, and readers may be slow. So
// those of at least largeAnswer bytes share maxHeld; where there is no room for one, it is
// let go, and who asked is to come again.
const (
	largeAnswer = 256 << 10
	maxHeld     = 512 << 20
	heldRetry   = 10 * time.Second
)

type holdKey struct{}

// holding keeps room in memory until a request is answered.
type holding struct {
	all  *semaphore.Weighted
	size int64
}

// hold lets the handlers of requests take room in memory, and gives it back in the end.
func hold(next http.Handler) http.Handler {
	all := semaphore.NewWeighted(maxHeld)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := &holding{all: all}
		defer func() { h.all.Release(h.size) }()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), holdKey{}, h)))
	})
}

// TakeRoom takes room in memory for an answer of a size until its request is answered; it is a *solver.Busy where
// there is none. A request's handler is one goroutine.
func TakeRoom(ctx context.Context, size int64) error {
	h, ok := ctx.Value(holdKey{}).(*holding)
	if !ok || size < largeAnswer {
		return nil
	}
	if !h.all.TryAcquire(min(size, maxHeld)) {
		return &solver.Busy{RetryAfter: heldRetry}
	}
	h.size += min(size, maxHeld)
	return nil
}
