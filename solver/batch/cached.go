package batch

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Cache keeps answers. A store.Store is one.
type Cache interface {
	// Answer reads the answer of a key into into, with its witnesses if witnesses is true.
	Answer(ctx context.Context, k solver.Key, witnesses bool, into solver.Answer) (ok bool, err error)
	PutAnswer(ctx context.Context, k solver.Key, witnesses bool, a solver.Answer) error
}

// Cached is a Runner that answers from a cache if the cache has the answer. A fault of the cache never costs an answer:
// the task then runs as without it.
type Cached struct {
	Runner solver.Runner
	Cache  Cache
	// Fault, unless nil, receives the errors of the cache.
	Fault func(error)

	// Hits and Misses count answers found in the cache, and not found.
	Hits, Misses atomic.Int64

	keeping sync.WaitGroup
	behind  atomic.Int64 // answers that goroutines are writing to the cache
}

// Close waits until the cache has every answer.
func (c *Cached) Close() { c.keeping.Wait() }

// Run implements [solver.Runner].
func (c *Cached) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	start := time.Now()
	key, err := engines.Key(q)
	if err != nil {
		return c.Runner.Run(ctx, q) // which words the complaint
	}
	options := q.Params().Options
	a := q.Blank()
	ok, err := c.lookUp(ctx, key, options.Witnesses, a)
	c.report(err)
	if ok {
		c.Hits.Add(1)
		engines.Readdress(a, q)
		*a.Head().MS = float64(time.Since(start).Microseconds()) / 1000
		return a, nil
	}
	c.Misses.Add(1)
	a, err = c.Runner.Run(ctx, q)
	if err == nil && a.Keepable(options) {
		c.keep(ctx, key, options.Witnesses, a)
	}
	return a, err
}

// maxBehind is how many answers may wait for the cache after their callers have them.
const maxBehind = 32

// keep puts an answer into the cache, which whoever asked need not wait for.
func (c *Cached) keep(ctx context.Context, k solver.Key, witnesses bool, a solver.Answer) {
	kept := a.Copy() // the caller may change it
	put := func() { c.report(c.Cache.PutAnswer(context.WithoutCancel(ctx), k, witnesses, kept)) }
	if c.behind.Add(1) > maxBehind {
		defer c.behind.Add(-1)
		put()
		return
	}
	c.keeping.Go(func() {
		defer c.behind.Add(-1)
		put()
	})
}

// unpacking bounds how many answers are unpacked at once: each takes some times its size.
var unpacking = make(chan struct{}, max(4, runtime.NumCPU()))

func (c *Cached) lookUp(ctx context.Context, k solver.Key, witnesses bool, into solver.Answer) (bool, error) {
	select {
	case unpacking <- struct{}{}:
	case <-ctx.Done():
		return false, nil
	}
	defer func() { <-unpacking }()
	return c.Cache.Answer(ctx, k, witnesses, into)
}

func (c *Cached) report(err error) {
	if err != nil && !Interrupted(err) && c.Fault != nil {
		c.Fault(err)
	}
}
