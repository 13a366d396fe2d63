package suites

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"litmuscope/solver"
)

// Config is what a coordinator needs of the rest of the program.
type Config struct {
	Ledger  Ledger
	Queue   Queue
	Server  string // names this coordinator in the queue
	Version string // engines.Fingerprint
	Log     *slog.Logger
	// Admit says what Inadmissible there is to say of a task without a test, whose model
	// may be anything; nil: engines.Admit does, in this process.
	Admit func(context.Context, solver.Task) error

	// MaxTests and MaxBytes bound one suite, MaxRunning the suites that run at once;
	// 0 = no bound.
	MaxTests   int
	MaxBytes   int64
	MaxRunning int
	// Keep is how long the coordinator retains a finished suite; 0 = for good.
	Keep time.Duration
}

// Coordinator takes suites in, has them run, and knows how far they are. Many goroutines may call its methods.
type Coordinator struct {
	Config

	mu      sync.Mutex
	active  map[int64]*active    // running suites, by number
	jobs    map[string]*sent     // jobs in the queue or with a worker, by id
	workers map[string]*presence // by name
	watch   map[string]chan struct{}
	wake    chan struct{} // there may be something to dispatch
	resumed chan struct{} // closed once resume has finished
	heard   time.Time     // when the last report came
	stats   Stats
}

// Stats are a coordinator's counts since it started.
type Stats struct {
	Jobs     int64 // put into the queue
	Rows     int64 // recorded
	Cached   int64 // … of which from the cache
	SetAside int64
	Dropped  int64 // rows that no job had asked for
	Lost     int64 // jobs that the queue lost
}

// active is a running suite.
type active struct {
	*Suite
	next    int           // the first test that is in no job yet
	share   float64       // the workers' time that it has had, in milliseconds
	cost    float64       // of a test, in milliseconds, all its models together; 0 = not known
	out     int           // jobs of it that are not over
	end     chan struct{} // closed when it no longer runs
	history []sample
}

// sent is a job that is not over.
type sent struct {
	*Job
	at time.Time
}

type presence struct {
	Beat
	at time.Time
}

// Timings of a coordinator.
const (
	beatEvery  = 2 * time.Second
	silence    = 4 * beatEvery // after which a worker counts as gone
	auditEvery = 5 * time.Second
	// lostAfter is how long nothing is heard, while the queue has no jobs, before those
	// that are not over count as lost.
	lostAfter   = 10 * time.Second
	expireEvery = 10 * time.Minute
)

// NewCoordinator makes a coordinator; Run sets it to work.
func NewCoordinator(c Config) *Coordinator {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	return &Coordinator{
		Config: c, active: map[int64]*active{}, jobs: map[string]*sent{}, workers: map[string]*presence{},
		watch: map[string]chan struct{}{}, wake: make(chan struct{}, 1), resumed: make(chan struct{}),
	}
}

// Run dispatches and records until the context ends. It resumes all suites that were running before.
func (c *Coordinator) Run(ctx context.Context) error {
	if err := c.resume(ctx); ctx.Err() != nil {
		return nil
	} else if err != nil {
		return fmt.Errorf("suites: %w", err)
	}
	close(c.resumed)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	loop := func(name string, f func(context.Context) error) {
		group.Go(func() {
			if err := f(ctx); err != nil && ctx.Err() == nil {
				cancel(fmt.Errorf("suites: %s: %w", name, err))
			}
		})
	}
	loop("dispatch", c.dispatch)
	loop("reports", func(ctx context.Context) error { return c.Queue.Reports(ctx, c.take) })
	loop("beats", func(ctx context.Context) error { return c.Queue.Beats(ctx, c.beat) })
	loop("audit", c.audit)
	group.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// resume takes up what the ledger says is running. Reports that are still in the queue are welcome; it makes new jobs.
func (c *Coordinator) resume(ctx context.Context) error {
	if err := c.Ledger.DropUnsealed(ctx); err != nil {
		return err
	}
	if err := c.Queue.Forget(ctx); err != nil {
		return err
	}
	running, err := c.Ledger.RunningSuites(ctx)
	if err != nil {
		return err
	}
	for _, s := range running {
		if s.Version != c.Version {
			c.Log.Warn("the engines have changed since a suite started: it starts again", "suite",
				s.ID, "rows", s.Done)
			if err := c.Ledger.RestartSuite(ctx, s.Number, c.Version); err != nil {
				return err
			}
			s.Version = c.Version
		}
		c.add(s)
	}
	return nil
}

// add takes a suite up. It gets no more for having come late than the others get now.
func (c *Coordinator) add(s *Suite) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &active{Suite: s, end: make(chan struct{})}
	first := true
	for _, other := range c.active {
		if first || other.share < a.share {
			a.share, first = other.share, false
		}
	}
	c.active[s.Number] = a
	c.nudge()
}

// nudge has the dispatcher look.
func (c *Coordinator) nudge() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// take records a batch of reports.
func (c *Coordinator) take(ctx context.Context, reports []*Report) error {
	var rows []Row
	for _, r := range reports {
		r.Rows = c.vet(r)
		rows = append(rows, r.Rows...)
		if r.LostWorkers > 0 {
			given, err := c.giveUp(r)
			if err != nil {
				return err
			}
			rows = append(rows, given...)
		}
	}
	if err := c.record(ctx, rows); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = time.Now()
	for _, r := range reports {
		if a := c.active[r.Number]; a != nil {
			a.learn(r.Rows)
		}
		if r.Finished {
			c.over(r.Job)
		}
	}
	c.nudge()
	return nil
}

// over closes a job; the caller holds c.mu. Another pass over the suite's tests finds its missing rows.
func (c *Coordinator) over(job string) {
	j := c.jobs[job]
	if j == nil {
		return
	}
	delete(c.jobs, job)
	if a := c.active[j.Number]; a != nil {
		a.out--
	}
}

// record writes rows down and tells those who watch.
func (c *Coordinator) record(ctx context.Context, rows []Row) error {
	if len(rows) == 0 {
		return nil
	}
	done, err := c.Ledger.Record(ctx, rows)
	if err != nil {
		return err
	}
	if err := c.grown(ctx, rows); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Rows += int64(len(rows))
	touched := map[int64]int{}
	for i := range rows {
		touched[rows[i].Suite]++
		if rows[i].Cached {
			c.stats.Cached++
		}
		if rows[i].SetAside {
			c.stats.SetAside++
		}
	}
	now := time.Now()
	for number, n := range touched {
		if a := c.active[number]; a != nil {
			a.progress(now, n)
			c.changed(a.ID)
		}
	}
	for _, number := range done {
		if a := c.active[number]; a != nil {
			c.forget(number)
			c.Log.Info("suite done", "suite", a.ID, "name", a.Request.Name, "rows", a.Rows(), "took",
				now.Sub(a.Created).Round(time.Millisecond))
		}
	}
	return nil
}

// grown looks again how many tests suites have whose parts have left some.
func (c *Coordinator) grown(ctx context.Context, rows []Row) error {
	seen := map[int64]bool{}
	for i := range rows {
		number := rows[i].Suite
		if len(rows[i].RestPaths) == 0 || seen[number] {
			continue
		}
		seen[number] = true
		c.mu.Lock()
		a := c.active[number]
		c.mu.Unlock()
		if a == nil {
			continue
		}
		s, err := c.Ledger.Suite(ctx, a.ID)
		if err != nil {
			return err
		}
		c.mu.Lock()
		a.Tests = s.Tests
		c.mu.Unlock()
	}
	return nil
}

// forget lets go of a suite that no longer runs; the caller holds c.mu.
func (c *Coordinator) forget(number int64) {
	if a := c.active[number]; a != nil {
		delete(c.active, number)
		close(a.end)
		c.changed(a.ID)
	}
}

// Cancel ends a suite, with the rows that it has. A finished suite stays as it is.
func (c *Coordinator) Cancel(ctx context.Context, id string) (*Suite, error) {
	s, err := c.Ledger.Suite(ctx, id)
	if err != nil || s.State != Running {
		return s, err
	}
	if err := c.Ledger.CancelSuite(ctx, s.Number); err != nil {
		return nil, err
	}
	c.drop(ctx, s)
	return c.Ledger.Suite(ctx, id)
}

// Delete removes a suite and all its rows.
func (c *Coordinator) Delete(ctx context.Context, id string) error {
	s, err := c.Ledger.Suite(ctx, id)
	if err != nil {
		return err
	}
	c.drop(ctx, s)
	return c.Ledger.DropSuite(ctx, s.Number)
}

// drop forgets a suite and tells the workers; that they hear of it only saves work.
func (c *Coordinator) drop(ctx context.Context, s *Suite) {
	c.mu.Lock()
	c.forget(s.Number)
	for id, j := range c.jobs {
		if j.Number == s.Number {
			delete(c.jobs, id)
		}
	}
	c.nudge()
	c.mu.Unlock()
	if err := c.Queue.Cancel(ctx, s.ID); err != nil {
		c.Log.Warn("cannot notify the workers that a suite was cancelled", "suite", s.ID, "error", err)
	}
}

// Stats are the counts since the start, and how many jobs are not over.
func (c *Coordinator) Stats() (s Stats, out, running int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats, len(c.jobs), len(c.active)
}
