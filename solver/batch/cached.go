package batch

import (
	"context"
	"sync"
	"time"

	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Cache keeps answers. A store.Store is one.
type Cache interface {
	// Answer gives the answer of a key, with witnesses where they are wanted.
	Answer(ctx context.Context, k solver.Key, witnesses bool) (r *solver.Result, ok bool, err error)
	PutAnswer(ctx context.Context, k solver.Key, witnesses bool, r *solver.Result) error
	// DropStale forgets the answers of engines older than their current versions.
	DropStale(ctx context.Context, current func(engine string) int) error
}

// Cached is a Runner that answers from a cache what was answered before. A fault of
// the cache never costs an answer: the task then runs as without it.
type Cached struct {
	Runner solver.Runner
	Cache  Cache
	// Fault, unless nil, is told what went wrong with the cache.
	Fault func(error)

	stale sync.Once
}

// Run implements [solver.Runner].
func (c *Cached) Run(ctx context.Context, t solver.Task) (*solver.Result, error) {
	c.stale.Do(func() { c.report(c.Cache.DropStale(ctx, currentVersion)) })
	start := time.Now()
	key, model, err := engines.Key(t)
	if err != nil {
		return c.Runner.Run(ctx, t) // which words the complaint
	}
	r, ok, err := c.Cache.Answer(ctx, key, t.Options.Witnesses)
	c.report(err)
	if ok {
		// The name of the test is part of what the key knows; its path, the model's name,
		// and what its layout is remarked on, and where, are not.
		r.Path, r.Model, r.Cached = t.Path, model.Name, true
		if p, err := dialect.Parse(t.Path, t.Source); err == nil {
			r.SetRemarks(p, model)
		}
		r.MS = float64(time.Since(start).Microseconds()) / 1000
		return r, nil
	}
	r, err = c.Runner.Run(ctx, t)
	if err == nil {
		c.report(c.Cache.PutAnswer(ctx, key, t.Options.Witnesses, r))
	}
	return r, err
}

// currentVersion is that of an engine of a name; one that is gone has outlived its answers.
func currentVersion(engine string) int {
	e, err := engines.Find(engine)
	if err != nil {
		return 1 << 30
	}
	return e.Version()
}

func (c *Cached) report(err error) {
	if err != nil && c.Fault != nil {
		c.Fault(err)
	}
}
