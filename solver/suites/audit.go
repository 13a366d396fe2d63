package suites

import (
	"context"
	"log/slog"
	"time"
)

// Workers are those that are alive, of any version.
func (c *Coordinator) Workers() []Beat {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := []Beat{}
	for _, w := range c.workers {
		out = append(out, w.Beat)
	}
	return out
}

// beat takes a worker's sign of life.
func (c *Coordinator) beat(b Beat) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b.Leaving {
		delete(c.workers, b.Worker)
		return
	}
	if c.workers[b.Worker] == nil {
		level := slog.LevelInfo
		if b.Version != c.Version {
			level = slog.LevelWarn
		}
		c.Log.Log(context.Background(), level, "worker", "name", b.Worker, "slots", b.Slots, "version", b.Version,
			"ours", b.Version == c.Version)
		c.nudge()
	}
	c.workers[b.Worker] = &presence{b, time.Now()}
}

// slots is how many tests the workers of this version run at once; the caller holds c.mu.
func (c *Coordinator) slots() int {
	n := 0
	for _, w := range c.workers {
		if w.Version == c.Version {
			n += w.Slots
		}
	}
	return n
}

// audit looks after what nobody else does: workers that vanished, jobs that the queue lost, suites past their
// retention.
func (c *Coordinator) audit(ctx context.Context) error {
	tick := time.NewTicker(auditEvery)
	defer tick.Stop()
	var expired time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		c.mu.Lock()
		for name, w := range c.workers {
			if time.Since(w.at) > silence {
				c.Log.Warn("a worker stopped sending heartbeats", "name", name)
				delete(c.workers, name)
			}
		}
		quiet := len(c.jobs) > 0 && time.Since(c.heard) > lostAfter
		c.mu.Unlock()
		if quiet {
			c.findLost(ctx)
		}
		if c.Keep > 0 && time.Since(expired) > expireEvery {
			expired = time.Now()
			n, err := c.Ledger.ExpireSuites(ctx, expired.Add(-c.Keep))
			if err != nil && ctx.Err() == nil {
				c.Log.Error("cannot remove old suites", "error", err)
			} else if n > 0 {
				c.Log.Info("old suites removed", "suites", n)
			}
		}
		c.nudge()
	}
}

// findLost closes old jobs that the queue does not have: the queue has lost them, perhaps with its disk, and another
// pass finds their missing rows.
func (c *Coordinator) findLost(ctx context.Context) {
	n, err := c.Queue.Backlog(ctx)
	if err != nil {
		if ctx.Err() == nil {
			c.Log.Warn("the queue does not respond", "error", err)
		}
		return
	}
	if n > 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, j := range c.jobs {
		if time.Since(j.at) > lostAfter {
			c.over(id)
			c.stats.Lost++
		}
	}
}
