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

// sandbox does [childwork.Work] in its own child processes, so that a visitor who types a test does not wait for tests
// that run. Clients take turns. Long work, such as repairing a program, moves to a slow lane with children of its own,
// so that it does not delay short work.
type sandbox struct {
	*fairqueue.Queue
	pool *pool.Pool
}

// slowSandbox is the number of long pieces of work that a sandbox does at once.
const slowSandbox = 2

func newSandbox(workers int, memory *pool.Memory, log *slog.Logger) (*sandbox, error) {
	workers = max(workers, 2)
	p, err := pool.New(
		pool.Options{Workers: workers + slowSandbox, MaxAnswer: server.MaxAnswer, Memory: memory, Log: log})
	if err != nil {
		return nil, err
	}
	t := fairqueue.New(fairqueue.Config{
		Quick: p, QuickSlots: workers, SlowSlots: slowSandbox, PerClient: workers - 1, Patience: 500 * time.Millisecond,
		MaxWaiting: server.MaxWaiting,
	})
	return &sandbox{t, p}, nil
}

// Do implements [pool.Doer]: a child process does the work when the client's turn comes.
func (s *sandbox) Do(ctx context.Context, w pool.Work, question, answer any) error {
	return s.Queue.Do(ctx, func(ctx context.Context) error { return s.pool.Do(ctx, w, question, answer) })
}

// Admit implements the field Admit of suites.Config: it runs engines.Admit in a child process.
func (s *sandbox) Admit(ctx context.Context, t solver.Task) error {
	in, err := childwork.Inspecting.Call(ctx, s, engines.Question{
		Models: []string{t.Model}, ModelText: t.ModelText, ModelFiles: t.ModelFiles, Engine: t.Engine,
		Options: t.Options,
	})
	var limited *solver.Limited
	switch {
	case errors.As(err, &limited):
		return &suites.Inadmissible{Err: fmt.Errorf("reading the model reached a limit: %w", err)}
	case err != nil:
		return err
	case in.Admission() != nil:
		return &suites.Inadmissible{Err: in.Admission()}
	}
	return nil
}
