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

// newRunner returns a runner for workers questions at once. It runs small tests in this process and others in child
// processes. If db is not empty, the runner caches answers in that database file. The caller must call close.
func newRunner(ctx context.Context, workers int, db string) (r solver.Runner, close func(), err error) {
	p, err := pool.New(pool.Options{
		Workers: workers, Part: engines.PartTime, Memory: childMemory(0, childrenOfCommand, nil),
	})
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

// limitProcessors lowers GOMAXPROCS to the number of workers, unless the environment sets it: idle threads on the other
// processors cost a tenth of the time of small tests. Child processes can still use all processors.
func limitProcessors(workers int) {
	if os.Getenv("GOMAXPROCS") == "" && workers < runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(workers)
	}
}

// cached returns a runner that looks for answers in the database first and stores new ones there. It also starts the
// maintenance of the database.
func cached(s *store.Store, r solver.Runner) *batch.Cached {
	fault := func(err error) { fmt.Fprintln(os.Stderr, "litmuscope: warning:", err) }
	s.Maintain(currentVersion, fault)
	return &batch.Cached{Runner: r, Cache: s, Fault: fault}
}

// currentVersion returns the version of an engine's answers. For an engine that no longer exists, it is larger than
// every version, so that the database drops the engine's answers.
func currentVersion(engine string) int {
	e, err := engines.Find(engine)
	if err != nil {
		return 1 << 30
	}
	return e.KeyVersion()
}
