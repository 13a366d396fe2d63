package batch

import (
	"context"
	"runtime"
	"sync"
	"time"

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
	key, err := engines.Key(t)
	if err != nil {
		return c.Runner.Run(ctx, t) // which words the complaint
	}
	r, ok, err := c.lookUp(ctx, key, t.Options.Witnesses)
	c.report(err)
	if ok {
		// What the key does not know of is the test's path, and what the model is called.
		r.Path, r.Cached = t.Path, true
		if model := engines.ModelName(t); model != "" {
			r.Model = model
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

// unpacking bounds the answers being unpacked at once: each takes some times its size.
var unpacking = make(chan struct{}, max(4, runtime.NumCPU()))

func (c *Cached) lookUp(ctx context.Context, k solver.Key, witnesses bool) (*solver.Result, bool, error) {
	select {
	case unpacking <- struct{}{}:
	case <-ctx.Done():
		return nil, false, nil
	}
	defer func() { <-unpacking }()
	return c.Cache.Answer(ctx, k, witnesses)
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
