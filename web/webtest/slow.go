package webtest

import (
	"context"
	"strings"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
	"litmuscope/web/parts/childwork"
)

// Slow is a Runner that has no answer to tests named slow.
type Slow struct{ Runs }

// Run implements [solver.Runner].
func (s *Slow) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	t := q.(solver.Task)
	if strings.HasPrefix(t.Source, "X86 slow") {
		defer s.begin(ctx)()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return engines.Run(ctx, t)
}

// SlowRepair is a Sandbox that comes to no end where a program is to be repaired, and says how far it is.
type SlowRepair struct {
	InProcess
	Runs
}

// Do implements [pool.Doer].
func (s *SlowRepair) Do(ctx context.Context, w pool.Work, question, into any) error {
	if w.Name() != childwork.RepairingPrograms.Name() {
		return s.InProcess.Do(ctx, w, question, into)
	}
	defer s.begin(ctx)()
	pool.PassPartial(ctx, []byte(`{"asked":7,"repairs":[]}`))
	<-ctx.Done()
	return ctx.Err()
}
