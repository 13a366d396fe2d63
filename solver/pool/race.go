package pool

import (
	"context"
	"sync"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// race asks several engines a question at once: the first in a child that waits for its turn, and the others, from when
// that has begun, in children beside it, so that all have the same time.
func (p *Pool) race(ctx context.Context, t solver.VerifyTask) (solver.Answer, error) {
	begun := make(chan struct{})
	begins := sync.OnceFunc(func() { close(begun) })
	v, err := engines.Race(ctx, t, func(ctx context.Context, lane int, t solver.VerifyTask) (solver.Answer, error) {
		if lane == 0 {
			defer begins()
			return p.ask(ctx, t, p.idle, begins)
		}
		select {
		case <-begun:
			return p.ask(ctx, t, p.beside, func() {})
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}
