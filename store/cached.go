package store

import (
	"context"
	"strings"
	"sync"
	"time"

	"litmuscope/models"
	"litmuscope/solver"
)

// Cached is a Runner that answers from the store what was answered before. A
// fault of the store never costs an answer: the task then runs as without it.
type Cached struct {
	Runner solver.Runner
	Store  *Store

	// Version is the current version of an engine; "" is the default engine.
	Version func(engine string) int
	// Model finds the model that a task runs under. Its text must be all that
	// decides what the model says, included files too. On an error the task goes
	// to Runner, which words the complaint.
	Model func(t solver.Task) (*models.Model, error)
	// Normalise gives tests that differ in layout alone the same text, and fails
	// on what is no test. Nil leaves all but line ends and trailing blanks alone.
	Normalise func(source string) (string, error)
	// Fault, unless nil, is told what went wrong with the store.
	Fault func(error)

	stale sync.Once
}

// Run implements [solver.Runner].
func (c *Cached) Run(ctx context.Context, t solver.Task) (*solver.Result, error) {
	c.stale.Do(func() { c.report(c.Store.DropStale(ctx, c.Version)) })
	start := time.Now()
	m, err := c.Model(t)
	if err != nil {
		return c.Runner.Run(ctx, t)
	}
	source, err := c.normalise(t.Source)
	if err != nil {
		return c.Runner.Run(ctx, t)
	}
	q := Question{Source: source, Model: m.Text, Engine: t.Engine, Version: c.Version(t.Engine), Options: t.Options}
	r, ok, err := c.Store.Answer(ctx, q)
	c.report(err)
	if ok {
		// The name of the test is part of its text, the path and the model's name are not.
		r.Path, r.Model, r.Cached = t.Path, m.Name, true
		r.MS = float64(time.Since(start).Microseconds()) / 1000
		return r, nil
	}
	r, err = c.Runner.Run(ctx, t)
	if err == nil {
		c.report(c.Store.PutAnswer(ctx, q, r))
	}
	return r, err
}

func (c *Cached) report(err error) {
	if err != nil && c.Fault != nil {
		c.Fault(err)
	}
}

func (c *Cached) normalise(source string) (string, error) {
	if c.Normalise != nil {
		return c.Normalise(source)
	}
	lines := strings.Split(source, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t\r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n"), nil
}
