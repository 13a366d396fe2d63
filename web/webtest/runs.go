package webtest

import (
	"context"
	"sync/atomic"
)

// Runs counts what a Runner that keeps its answers back has to do: how many it runs now, and how many ended because
// nobody waited for them any longer.
type Runs struct{ running, givenUp atomic.Int64 }

// Running tells whether there is anything that could be given up.
func (r *Runs) Running() bool { return r.running.Load() > 0 }

// GivenUp returns the number of runs whose context ended.
func (r *Runs) GivenUp() int64 { return r.givenUp.Load() }

// begin counts a run until what it returns is called.
func (r *Runs) begin(ctx context.Context) func() {
	r.running.Add(1)
	return func() {
		r.running.Add(-1)
		if ctx.Err() != nil {
			r.givenUp.Add(1)
		}
	}
}
