package batch

import (
	"context"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// VerifyCache keeps answers for programs. A store.Store is one.
type VerifyCache interface {
	// Verified gives the answer of a key, with witnesses where they are wanted.
	Verified(ctx context.Context, k solver.Key, witnesses bool) (v *solver.Verification, ok bool, err error)
	PutVerified(ctx context.Context, k solver.Key, witnesses bool, v *solver.Verification) error
}

// CachedVerifier is [Cached] for programs.
type CachedVerifier struct {
	Runner solver.VerifyRunner
	Cache  VerifyCache
	// Fault, unless nil, is told what went wrong with the cache.
	Fault func(error)
}

// Verify implements [solver.VerifyRunner].
func (c *CachedVerifier) Verify(ctx context.Context, t solver.VerifyTask) (*solver.Verification, error) {
	start := time.Now()
	key, err := engines.VerifyKey(t)
	if err != nil {
		return c.Runner.Verify(ctx, t) // which words the complaint
	}
	v, ok, err := c.Cache.Verified(ctx, key, t.Options.Witnesses)
	c.report(err)
	if ok {
		v.Path, v.Name, v.Cached = t.Path, engines.Unverified(t, nil).Name, true
		if t.ModelText != "" {
			v.Model = t.Model
		}
		v.MS = float64(time.Since(start).Microseconds()) / 1000
		return v, nil
	}
	v, err = c.Runner.Verify(ctx, t)
	if err == nil && v.Status == solver.OK {
		c.report(c.Cache.PutVerified(context.WithoutCancel(ctx), key, t.Options.Witnesses, v))
	}
	return v, err
}

func (c *CachedVerifier) report(err error) {
	if err != nil && c.Fault != nil {
		c.Fault(err)
	}
}
