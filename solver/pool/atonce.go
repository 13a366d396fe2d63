package pool

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/sat"
)

// AtOnce answers the first small tests in this process, which takes less than to start another. What takes longer than a moment,
// or goes wrong, is the other runner's to answer, and so is all that comes after.
type AtOnce struct {
	solver.Runner
	Tests  int           // so many at most
	Moment time.Duration // for each

	here sync.Mutex // for one test at a time
}

// NewAtOnce puts it in front of a runner.
func NewAtOnce(other solver.Runner) *AtOnce {
	return &AtOnce{Runner: other, Tests: 16, Moment: 50 * time.Millisecond}
}

// What a small test is: its text, in bytes, and the memory that it may take, in MiB, which nothing takes in a moment.
const (
	smallSource = 4 << 10
	leastMemory = 512
)

func small(t solver.Task) bool {
	o := t.Options
	return len(t.Source) <= smallSource && (o.Memory == 0 || o.Memory >= leastMemory) && !sat.Outside(o.Solver)
}

// Run implements [solver.Runner].
func (r *AtOnce) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	if t, is := q.(solver.Task); is && small(t) {
		if a := r.run(ctx, t); a != nil {
			return a, nil
		}
	}
	return r.Runner.Run(ctx, q)
}

// run gives nothing where it takes too long.
func (r *AtOnce) run(ctx context.Context, t solver.Task) solver.Answer {
	r.here.Lock()
	defer r.here.Unlock()
	if r.Tests == 0 {
		return nil
	}
	r.Tests--
	within, cancel := context.WithTimeout(ctx, r.Moment)
	defer cancel()
	t.Options.Timeout = 0
	answer := make(chan solver.Answer, 1)
	go func() {
		defer close(answer)
		defer func() {
			if p := recover(); p != nil {
				slog.Error("a test is asked again, in a process of its own", "test", t.Path, "panic", fmt.Sprint(p))
			}
		}()
		if a, err := (engines.Local{}).Run(within, t); err == nil && a.Head().Status != nil && *a.Head().Status != solver.Unknown {
			answer <- a
		}
	}()
	select {
	case a, ok := <-answer:
		if ok && within.Err() == nil {
			return a
		}
	case <-within.Done():
	}
	r.Tests = 0
	return nil
}
