package cmd

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
	"litmuscope/store"
)

// newRunner is a pool of child processes, without which a few small tests do, and, with a database file, the cache in
// front of it. The caller calls close in the end.
func newRunner(ctx context.Context, workers int, db string) (r solver.Runner, close func(), err error) {
	p, err := pool.New(pool.Options{Workers: workers, Part: engines.PartTime})
	if err != nil {
		return nil, nil, err
	}
	first := pool.NewAtOnce(p)
	if db == "" {
		return first, p.Close, nil
	}
	s, err := store.Open(ctx, db)
	if err != nil {
		p.Close()
		return nil, nil, err
	}
	c := cached(s, first)
	return c, func() { p.Close(); c.Close(); s.Close() }, nil
}

// spare leaves alone the processors that so few workers have no use for: threads that wait there for something to do
// cost the others a tenth of small tests' time. Children have them all. GOMAXPROCS in the environment has it otherwise.
func spare(workers int) {
	if os.Getenv("GOMAXPROCS") == "" && workers < runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(workers)
	}
}

// cached puts the cache in front of a runner, and has the database kept in order.
func cached(s *store.Store, r solver.Runner) *batch.Cached {
	fault := func(err error) { fmt.Fprintln(os.Stderr, "litmuscope: warning:", err) }
	s.Maintain(currentVersion, fault)
	return &batch.Cached{Runner: r, Cache: s, Fault: fault}
}

// currentVersion is that of an engine of a name; one that is gone has outlived its answers.
func currentVersion(engine string) int {
	e, err := engines.Find(engine)
	if err != nil {
		return 1 << 30
	}
	return e.KeyVersion()
}
