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
	p, err := pool.New(pool.Options{Workers: workers + 1, MaxAnswer: maxAnswer, Log: log})
	if err != nil {
		return nil, err
	}
	t := fairqueue.New(fairqueue.Config{
		Quick: p, QuickSlots: workers, SlowSlots: 1, PerClient: workers - 1, Patience: 500 * time.Millisecond, MaxWaiting: maxWaiting,
	})
	return &sandbox{t, p}, nil
}

// Inspect implements [web.Sandbox].
func (s *sandbox) Inspect(ctx context.Context, q engines.Question) (in *engines.Inspection, err error) {
	err = s.Do(ctx, func(ctx context.Context) error {
		in, err = reading.Call(ctx, s.pool, q)
		return err
	})
	return in, err
}

// Draw implements [web.Sandbox].
func (s *sandbox) Draw(ctx context.Context, r graph.Request) (p *graph.Picture, err error) {
	err = s.Do(ctx, func(ctx context.Context) error {
		p, err = drawing.Call(ctx, s.pool, r)
		return err
	})
	return p, err
}

// Walk implements [web.Sandbox].
func (s *sandbox) Walk(ctx context.Context, q engines.Stroll) (w *engines.Walk, err error) {
	err = s.Do(ctx, func(ctx context.Context) error {
		w, err = walking.Call(ctx, s.pool, q)
		return err
	})
	return w, err
}

// Relax implements [web.Sandbox].
func (s *sandbox) Relax(ctx context.Context, c engines.Comparison) (r *models.Relaxed, err error) {
	err = s.Do(ctx, func(ctx context.Context) error {
		r, err = relaxing.Call(ctx, s.pool, c)
		return err
	})
	return r, err
}

// Ring implements [web.Sandbox].
func (s *sandbox) Ring(ctx context.Context, q cyclediagram.Request) (r *cyclediagram.Reading, err error) {
	err = s.Do(ctx, func(ctx context.Context) error {
		r, err = ringing.Call(ctx, s.pool, q)
		return err
	})
	return r, err
}

// Compile implements [web.Sandbox].
func (s *sandbox) Compile(ctx context.Context, q compile.Request) (r *compile.Reply, err error) {
	err = s.Do(ctx, func(ctx context.Context) error {
		r, err = compiling.Call(ctx, s.pool, q)
		return err
	})
	return r, err
}

// ReadProgram implements [web.Sandbox].
func (s *sandbox) ReadProgram(ctx context.Context, t solver.VerifyTask) (r *engines.ProgramReading, err error) {
	err = s.Do(ctx, func(ctx context.Context) error {
		r, err = readingPrograms.Call(ctx, s.pool, t)
		return err
	})
	return r, err
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
