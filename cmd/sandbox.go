package cmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/fairqueue"
	"litmuscope/solver/pool"
	"litmuscope/solver/suites"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/server"
)

// sandbox does [childwork.Work] in children of its own, so that who types a test does not wait
// for those who have theirs run. Clients take turns there too, and what takes long goes
// behind: two children are left for that, so that one that repairs a program does not keep the rest.
type sandbox struct {
	*fairqueue.Queue
	pool *pool.Pool
}

// slowSandbox is how much that takes long is done at once.
const slowSandbox = 2

func newSandbox(workers int, log *slog.Logger) (*sandbox, error) {
	workers = max(workers, 2)
	p, err := pool.New(pool.Options{Workers: workers + slowSandbox, MaxAnswer: server.MaxAnswer, Log: log})
	if err != nil {
		return nil, err
	}
	t := fairqueue.New(fairqueue.Config{
		Quick: p, QuickSlots: workers, SlowSlots: slowSandbox, PerClient: workers - 1, Patience: 500 * time.Millisecond,
		MaxWaiting: server.MaxWaiting,
	})
	return &sandbox{t, p}, nil
}

// Do implements [pool.Doer]: a child does the work when its turn has come.
func (s *sandbox) Do(ctx context.Context, w pool.Work, question, answer any) error {
	return s.Queue.Do(ctx, func(ctx context.Context) error { return s.pool.Do(ctx, w, question, answer) })
}

// Admit is a suites.Config's: engines.Admit in a child.
func (s *sandbox) Admit(ctx context.Context, t solver.Task) error {
	in, err := childwork.Inspecting.Call(ctx, s, engines.Question{
		Models: []string{t.Model}, ModelText: t.ModelText, ModelFiles: t.ModelFiles, Engine: t.Engine,
		Options: t.Options,
	})
	var limited *solver.Limited
	switch {
	case errors.As(err, &limited):
		return &suites.Inadmissible{Err: fmt.Errorf("reading the model takes too much: %w", err)}
	case err != nil:
		return err
	case in.Admission() != nil:
		return &suites.Inadmissible{Err: in.Admission()}
	}
	return nil
}
