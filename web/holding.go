package web

import (
	"context"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/semaphore"

	"litmuscope/models"
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

// room takes room for answers; it is a *solver.Busy where there is none. A request's
// handler is one goroutine.
func room[A solver.Answer](ctx context.Context, answers []A) error {
	size := int64(0)
	for _, a := range answers {
		size += weight(a)
	}
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

// weight is about what an answer takes in memory, with the text that is made of it, in bytes.
func weight(a solver.Answer) int64 {
	n := int64(0)
	if v, program := a.(*solver.Verification); program {
		if f := v.Failure; f != nil {
			n = evidenceWeight(f.Graph, f.Trace)
		}
		return n
	}
	r := a.(*solver.Result)
	state := func(s solver.State) { n += int64(len(s)) * bindingWeight }
	for _, s := range r.States {
		state(s)
	}
	for _, o := range slices.Concat(r.Outcomes, r.Executions) {
		state(o.State)
		n += evidenceWeight(o.Graph, o.Trace)
	}
	return n
}

// About what parts of an answer take, in bytes.
const bindingWeight, eventWeight, pairWeight, stepWeight = 100, 400, 60, 300

// evidenceWeight is that of an execution and a trace.
func evidenceWeight(g *models.Graph, trace []solver.TraceStep) int64 {
	n := int64(len(trace)) * stepWeight
	for _, t := range trace {
		n += int64(len(t.Memory)) * bindingWeight
	}
	if g == nil {
		return n
	}
	n += int64(len(g.Events)) * eventWeight
	for _, e := range g.Relations {
		n += int64(len(e.Edges)+len(e.Cyclic)) * pairWeight
	}
	return n
}
