package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"litmuscope/litmus/compile"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/fairqueue"
	"litmuscope/solver/pool"
	"litmuscope/solver/suites"
	"litmuscope/web"
	"litmuscope/web/cyclediagram"
	"litmuscope/web/graph"
)

// What children do beside running tasks.
var (
	reading = pool.Kind[engines.Question, *engines.Inspection]{
		Name: "inspect", Do: engines.Inspect, Limits: pool.Limits{Time: 5 * time.Second, Memory: 512},
	}
	drawing = pool.Kind[graph.Request, *graph.Picture]{
		Name: "draw", Do: graph.Draw, Limits: pool.Limits{Time: 5 * time.Second, Memory: 512},
	}
	walking = pool.Kind[engines.Stroll, *engines.Walk]{
		Name: "walk", Do: engines.Take, Limits: pool.Limits{Time: 5 * time.Second, Memory: 512},
	}
	relaxing = pool.Kind[engines.Comparison, *models.Relaxed]{
		Name: "relax", Do: engines.Relax, Limits: pool.Limits{Time: 5 * time.Second, Memory: 512},
	}
	ringing = pool.Kind[cyclediagram.Request, *cyclediagram.Reading]{
		Name: "ring", Do: cyclediagram.Read, Limits: pool.Limits{Time: 5 * time.Second, Memory: 512},
	}
	compiling = pool.Kind[compile.Request, *compile.Reply]{
		Name: "compile", Do: compile.Answer, Limits: pool.Limits{Time: 5 * time.Second, Memory: 512},
	}
	readingPrograms = pool.Kind[solver.VerifyTask, *engines.ProgramReading]{
		Name: "read program", Do: engines.ReadProgram, Limits: pool.Limits{Time: 5 * time.Second, Memory: 512},
	}
	childrensWork = []pool.Work{reading, drawing, walking, relaxing, ringing, compiling, readingPrograms}
)

// sandbox is a web.Sandbox of children of its own, so that who types a test does not wait
// for those who have theirs run. Clients take turns there too, and what takes long goes
// behind: one child is left for that.
type sandbox struct {
	*fairqueue.Queue
	pool *pool.Pool
}

func newSandbox(workers int, log *slog.Logger) (*sandbox, error) {
	workers = max(workers, 2)
	p, err := pool.New(pool.Options{Workers: workers + 1, MaxAnswer: web.MaxAnswer, Log: log})
	if err != nil {
		return nil, err
	}
	t := fairqueue.New(fairqueue.Config{
		Quick: p, QuickSlots: workers, SlowSlots: 1, PerClient: workers - 1, Patience: 500 * time.Millisecond, MaxWaiting: web.MaxWaiting,
	})
	return &sandbox{t, p}, nil
}

// done is work that a child does when its turn has come.
func done[Q, A any](ctx context.Context, s *sandbox, kind pool.Kind[Q, A], q Q) (a A, err error) {
	err = s.Do(ctx, func(ctx context.Context) error {
		a, err = kind.Call(ctx, s.pool, q)
		return err
	})
	return a, err
}

// Inspect implements [web.Sandbox].
func (s *sandbox) Inspect(ctx context.Context, q engines.Question) (*engines.Inspection, error) {
	return done(ctx, s, reading, q)
}

// Draw implements [web.Sandbox].
func (s *sandbox) Draw(ctx context.Context, r graph.Request) (*graph.Picture, error) {
	return done(ctx, s, drawing, r)
}

// Walk implements [web.Sandbox].
func (s *sandbox) Walk(ctx context.Context, q engines.Stroll) (*engines.Walk, error) {
	return done(ctx, s, walking, q)
}

// Relax implements [web.Sandbox].
func (s *sandbox) Relax(ctx context.Context, c engines.Comparison) (*models.Relaxed, error) {
	return done(ctx, s, relaxing, c)
}

// Ring implements [web.Sandbox].
func (s *sandbox) Ring(ctx context.Context, q cyclediagram.Request) (*cyclediagram.Reading, error) {
	return done(ctx, s, ringing, q)
}

// Compile implements [web.Sandbox].
func (s *sandbox) Compile(ctx context.Context, q compile.Request) (*compile.Reply, error) {
	return done(ctx, s, compiling, q)
}

// ReadProgram implements [web.Sandbox].
func (s *sandbox) ReadProgram(ctx context.Context, t solver.VerifyTask) (*engines.ProgramReading, error) {
	return done(ctx, s, readingPrograms, t)
}

// Admit is a suites.Config's: engines.Admit in a child.
func (s *sandbox) Admit(ctx context.Context, t solver.Task) error {
	in, err := s.Inspect(ctx, engines.Question{
		Models: []string{t.Model}, ModelText: t.ModelText, ModelFiles: t.ModelFiles, Engine: t.Engine, Options: t.Options,
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
