package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/pool"
	"litmuscope/store"
)

// newRunner is a pool of child processes and, with a database file, the cache in
// front of it. The caller calls close in the end.
func newRunner(ctx context.Context, workers int, db string) (r solver.Runner, close func(), err error) {
	if db == "" {
		p, err := pool.New(pool.Config{Workers: workers})
		if err != nil {
			return nil, nil, err
		}
		return p, func() { p.Close() }, nil
	}
	s, err := store.Open(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	p, err := pool.New(pool.Config{Workers: workers})
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return cached(s, p), func() { p.Close(); s.Close() }, nil
}

// cached puts the cache in front of a runner.
func cached(s *store.Store, r solver.Runner) solver.Runner {
	return &store.Cached{
		Runner: r, Store: s, Version: engineVersion, Model: modelOf,
		Normalise: litmus.Normalise,
		Fault:     func(err error) { fmt.Fprintln(os.Stderr, "litmuscope: warning:", err) },
	}
}

// modelOf finds the model that a task runs under. For the cache's sake its text
// goes on to tell the library that it may include.
func modelOf(t solver.Task) (*models.Model, error) {
	test, err := litmus.Parse(t.Path, t.Source)
	if err != nil {
		return nil, err
	}
	m, err := pool.Model(t, test.Arch)
	if err != nil {
		return nil, err
	}
	whole := *m
	whole.Text += "\x00" + models.Fingerprint()
	return &whole, nil
}

func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// engineVersion changes with the version of any engine, for engines help each
// other out.
func engineVersion(string) int {
	version := 0
	for _, name := range pool.Engines() {
		if e, err := pool.Engine(name); err == nil {
			version += e.Version()
		}
	}
	return version
}
