package pool

import (
	"context"
	"errors"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// verifying is another kind of work that every pool knows.
var verifying = Kind[solver.VerifyTask, *solver.Verification]{
	Name: "verify",
	Do: func(t solver.VerifyTask) (*solver.Verification, error) {
		return engines.Verify(context.Background(), t)
	},
}

// Verify implements [solver.VerifyRunner], as Run does solver.Runner.
func (p *Pool) Verify(ctx context.Context, t solver.VerifyTask) (*solver.Verification, error) {
	kind := verifying
	kind.Limits = Limits{Memory: t.Options.Memory}
	if t.Options.Timeout > 0 {
		kind.Limits.Time = t.Options.Timeout + grace
	}
	began := time.Now()
	v, err := kind.Call(ctx, p, t)
	var limited *solver.Limited
	if errors.As(err, &limited) {
		reason := limited.Reason
		if reason == timeReached(kind.Limits.Time) {
			reason = timeReached(t.Options.Timeout)
		}
		v, err = engines.CutShort(t, reason), nil
		v.MS = float64(time.Since(began)) / float64(time.Millisecond)
	}
	return v, err
}
