package fairqueue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"litmuscope/solver"
)

// Config sets the sizes of the lanes and their limits.
type Config struct {
	Quick, Slow solver.Runner // Slow nil: Quick does for both
	// QuickSlots and SlowSlots are how much runs at once in each lane; at least 1.
	QuickSlots, SlowSlots int
	// Patience is how long work may take in the quick lane; 0 = 1 s.
	Patience time.Duration
	// PerClient bounds what runs at once for one client in each lane; 0 = all its slots.
	PerClient int
	// MaxWaiting bounds what waits in each lane, of all clients together; 0 = 256.
	MaxWaiting int
}

// Queue is a solver.Runner that lets clients take turns. It starts no goroutines.
type Queue struct {
	runners     [2]solver.Runner // of the quick lane and the slow one
	quick, slow *lane
	patience    time.Duration
	moved       atomic.Uint64
}

// New makes the lanes.
func New(c Config) *Queue {
	if c.Slow == nil {
		c.Slow = c.Quick
	}
	if c.Patience <= 0 {
		c.Patience = time.Second
	}
	if c.MaxWaiting <= 0 {
		c.MaxWaiting = 256
	}
	had := new(spent)
	return &Queue{
		runners:  [2]solver.Runner{c.Quick, c.Slow},
		quick:    newLane(c.QuickSlots, c.PerClient, c.MaxWaiting, had),
		slow:     newLane(c.SlowSlots, c.PerClient, c.MaxWaiting, had),
		patience: c.Patience,
	}
}

// Busy says that too much is waiting already, of this client or of all.
type Busy = solver.Busy

type (
	clientKey  struct{}
	networkKey struct{}
	slowKey    struct{}
)

// WithClient says whose work the context is for, and of which network that is, "" for none. All work without that is
// one client's.
func WithClient(ctx context.Context, id, network string) context.Context {
	if network != "" {
		ctx = context.WithValue(ctx, networkKey{}, network)
	}
	return context.WithValue(ctx, clientKey{}, id)
}

var errPatience = fmt.Errorf("the work took too long for the quick lane: %w", context.DeadlineExceeded)

// Run implements [solver.Runner]. A question's time limit is for each of the two runs that it
// may take, and its waiting does not count.
func (t *Queue) Run(ctx context.Context, q solver.Question) (a solver.Answer, err error) {
	patience := t.patience
	if limit := q.Params().Options.Timeout; limit > 0 && limit <= patience {
		patience = 0 // its own limit comes first
	}
	err = t.do(ctx, patience, func(ctx context.Context) (err error) {
		runner := t.runners[0]
		if slow, _ := ctx.Value(slowKey{}).(bool); slow {
			runner = t.runners[1]
		}
		a, err = runner.Run(ctx, q)
		// The lane's patience may have cut the answer, which another run would give in full.
		if err == nil && (*a.Head().Status == solver.Unknown || *a.Head().Cut != "") {
			err = ctx.Err()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// Do runs work of any kind when its turn comes: once, and a second time if the quick lane cancelled it. The work is to
// return soon after its context has ended. The error is the work's own, a *Busy, or that of ctx while the work was
// waiting.
func (t *Queue) Do(ctx context.Context, work func(context.Context) error) error {
	return t.do(ctx, t.patience, work)
}

// do is Do with a patience of its own; 0 = none that ends.
func (t *Queue) do(ctx context.Context, patience time.Duration, work func(context.Context) error) error {
	cut := false
	err := t.quick.serve(ctx, func(c *client) error {
		quick, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer t.watch(c, patience, cancel)()
		err := work(quick)
		cut = err != nil && errors.Is(context.Cause(quick), errPatience)
		return err
	})
	if !cut {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t.moved.Add(1)
	return t.slow.serve(ctx, func(*client) error { return work(context.WithValue(ctx, slowKey{}, true)) })
}

// Work that has run in the quick lane for leastQuick gives up its slot if a waiting client has had much less work; the
// lane looks for such a client every lookEvery.
const (
	leastQuick = 100 * time.Millisecond
	lookEvery  = 50 * time.Millisecond
)

// watch cuts a client's work in the quick lane: when patience, unless 0, is over, or when it is to make room. The
// caller ends it.
func (t *Queue) watch(c *client, patience time.Duration, cut context.CancelCauseFunc) (end func()) {
	began := time.Now()
	var mu sync.Mutex
	var timer *time.Timer
	ended := false
	var look func()
	again := func() {
		wait := leastQuick
		if time.Since(began) >= leastQuick {
			wait = lookEvery
		}
		if patience > 0 {
			wait = min(wait, patience-time.Since(began))
		}
		timer = time.AfterFunc(wait, look)
	}
	look = func() {
		mu.Lock()
		defer mu.Unlock()
		ran := time.Since(began)
		switch {
		case ended:
		case patience > 0 && ran >= patience, ran >= leastQuick && t.quick.outdone(c, ran):
			cut(errPatience)
		default:
			again()
		}
	}
	mu.Lock()
	defer mu.Unlock()
	again()
	return func() {
		mu.Lock()
		defer mu.Unlock()
		ended = true
		timer.Stop()
	}
}

// Stats describes the lanes at one moment. All but Waiting and Running only grow.
type Stats struct {
	Quick, Slow LaneStats
	Moved       uint64 // from the quick lane to the slow one
}

// LaneStats describes one lane at one moment.
type LaneStats struct {
	Waiting, Running int
	Refused          uint64        // with a Busy
	GaveUp           uint64        // gave up while waiting
	Done             uint64        // ran, to whatever end
	Waited, Ran      time.Duration // sums over all finished work
}

// Stats tells how things stand.
func (t *Queue) Stats() Stats {
	return Stats{Quick: t.quick.now(), Slow: t.slow.now(), Moved: t.moved.Load()}
}
