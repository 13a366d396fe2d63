package webtest

import (
	"context"
	"slices"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Held is a Runner that keeps its answers under some models to itself until it is let go, or nobody waits for them any
// longer; it passes on partial answers.
type Held struct {
	Runs
	Models []string
	Go     chan struct{} // one for each answer
}

// Run implements [solver.Runner].
func (h *Held) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	held := slices.Contains(h.Models, q.Params().Model)
	if held {
		defer h.begin(ctx)()
	}
	a, err := engines.Local{}.Run(ctx, q)
	if err != nil || !held {
		return a, err
	}
	select {
	case <-h.Go:
		return a, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
