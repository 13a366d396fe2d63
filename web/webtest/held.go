package webtest

import (
	"context"
	"slices"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Held is a Runner that keeps its answers under some models to itself until it is let go, or nobody waits for them any
// longer; what engines tell on their way to one is told.
type Held struct {
	Models []string
	Go     chan struct{} // one for each answer
	Ended  chan struct{} // one for each that is given up
}

func (h Held) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	a, err := engines.Local{}.Run(ctx, q)
	if err != nil || !slices.Contains(h.Models, q.Terms().Model) {
		return a, err
	}
	select {
	case <-h.Go:
		return a, nil
	case <-ctx.Done():
		h.Ended <- struct{}{}
		return nil, ctx.Err()
	}
}
