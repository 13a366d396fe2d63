package engines_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// never is a clock on which no time passes, and atOnce one that ends patience at once.
func never(time.Duration) <-chan time.Time { return nil }

func atOnce(time.Duration) <-chan time.Time {
	c := make(chan time.Time, 1)
	c <- time.Time{}
	return c
}

// An engine whose cost depends on the rounds of loops that a program executes runs again with more rounds, once, and
// its answer counts if it decides. Axiomatic has lane 0, and graphs lane 1.
func TestRaceRunsLoopsFurther(t *testing.T) {
	bounded := solver.Verification{
		Status: solver.OK, Verdict: solver.Safe, Short: []string{"unroll"}, Bounds: map[string]int{"unroll": 2},
	}
	byRounds := bounded
	byRounds.Short = []string{"rounds", "unroll"}
	whole := solver.Verification{Status: solver.OK, Verdict: solver.Safe, Complete: true}
	fails := solver.Verification{Status: solver.OK, Verdict: solver.Unsafe, Complete: true}
	stopped := errors.New("stopped")
	for _, c := range []struct {
		name         string
		first, again *solver.Verification // what graphs say; nil: they run until they are stopped
		clock        func(time.Duration) <-chan time.Time
		change       func(t *solver.VerifyTask)
		asked        int // how often graphs are
		by           string
		complete     bool
		cut          bool
	}{
		{"it ends", &bounded, &whole, never, nil, 2, "graphs", true, false},
		{"it fails further on", &bounded, &fails, never, nil, 2, "graphs", true, false},
		{"it goes on", &bounded, &bounded, never, nil, 2, "axiomatic", false, false},
		{"it takes too long", &bounded, nil, nil, nil, 2, "axiomatic", false, false},
		{
			"it is refused", &bounded, &solver.Verification{Status: solver.Failed, Error: "too large"}, never, nil, 2,
			"axiomatic", false, false,
		},
		{"the first answer takes too long", nil, nil, atOnce, nil, 1, "axiomatic", false, true},
		{"another bound is short", &byRounds, nil, never, nil, 1, "axiomatic", false, false},
		{
			"as many rounds are asked for", &bounded, nil, never,
			func(t *solver.VerifyTask) { t.Options.Unroll = 32 }, 1, "axiomatic", false, false,
		},
		{
			"executions are counted", &bounded, nil, never, func(t *solver.VerifyTask) { t.Count = true }, 1,
			"axiomatic", false, false,
		},
	} {
		task := autoTask("sc")
		if c.change != nil {
			c.change(&task)
		}
		var asked, rounds atomic.Int32
		begun, said := make(chan struct{}), make(chan struct{})
		clock, over, timers := c.clock, make(chan time.Time), 0
		if clock == nil { // patience is over once both have answered, and one is at work again
			clock = func(time.Duration) <-chan time.Time {
				if timers++; timers < 2 {
					return nil
				}
				return over
			}
		}
		v, err := engines.RaceByClock(t.Context(), task,
			func(ctx context.Context, lane int, task solver.VerifyTask) (solver.Answer, error) {
				out := &bounded
				if lane == 1 {
					switch asked.Add(1) {
					case 1:
						out = c.first
						close(begun)
						defer close(said)
					case 2:
						out = c.again
						rounds.Store(int32(task.Options.Unroll))
						close(over)
					}
				} else if <-begun; c.first != nil {
					<-said
				}
				if out == nil {
					<-ctx.Done()
					return nil, stopped
				}
				a := *out
				a.Engine = task.Engine
				return &a, nil
			}, clock)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if v.Engine != c.by || v.Complete != c.complete || (v.Cut != "") != c.cut || int(asked.Load()) != c.asked ||
			c.asked == 2 && int(rounds.Load()) <= task.Options.Unroll || len(v.Remarks) > 0 {
			t.Errorf("%s: %s complete %v, cut %q, asked %d times with %d rounds, remarks %v", c.name, v.Engine,
				v.Complete,
				v.Cut, asked.Load(), rounds.Load(), v.Remarks)
		}
	}
}
