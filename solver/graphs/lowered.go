package graphs

import (
	"context"
	"errors"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
)

var _ solver.Verifier = Engine{}

// Runs tells whether programs in C are run as they are under a model, where threads need not run ahead. Where they do, they are
// those of a program without loops, of which it is known what depends on what.
func (Engine) Runs(m *models.Model) bool {
	f, err := compile(m, func(ir.Tag) bool { return true })
	return err == nil && !f.ahead
}

// Verify implements solver.Verifier, by graphs of a program without loops. A thread has stopped where an assertion or
// an assumption does not hold, where a loop is cut, and where it waits for one that has stopped.
func (en Engine) Verify(ctx context.Context, q solver.Query, want solver.Verify) (*solver.Verification, error) {
	ctx, cancel := q.Options.Within(ctx)
	defer cancel()
	v, err := en.newVerification(q, want)
	if err != nil {
		return nil, err
	}
	if want.Has(ir.Termination) {
		return nil, litmus.Errorf(litmus.Pos{File: q.Program.File}, "engine graphs: it does not tell whether loops end where threads run ahead, as under %s: choose another engine", models.Label(q.Model.Name))
	}
	p, x, err := newExploration(ctx, q.Program, q.Model)
	if err != nil {
		return nil, err
	}
	v.p, v.x = p, x
	v.watch(x.check.f)
	x.check, x.leaf, x.fails = newChecker(x.check.f), v.leaf, v.fails
	if x.ahead != nil {
		x.ahead.prefixes, x.fails = true, nil
	}
	v.progress = progress{start: v.start, last: v.start, told: q.Progress, estimate: newEstimate(x, v.complete)}
	if err = x.run(); errors.Is(err, errSpawned) {
		err = litmus.Errorf(litmus.Pos{File: q.Program.File}, "%v", err)
	}
	return v.finish(ctx, err)
}

// traced implements traced.
func (p *test) traced(g *graph, _ string) (*models.Execution, error) { return p.execution(g) }

func (p *test) stop(g *graph, t int) stop {
	a := &g.threads[t].next
	s := stop{kind: a.kind, at: int(a.at)}
	switch a.kind {
	case ir.ActFailed:
		op := p.Threads[t].Code[a.at].Op.(ir.Assert)
		s.property, s.text = op.Property, op.Text
	case ir.ActUnwound:
		op := p.Threads[t].Code[a.at].Op.(ir.Unwound)
		s.waits = op.Spin || op.Again
	}
	for _, id := range g.order[t] {
		e := &g.events[id]
		if op, ok := p.Threads[t].Code[e.step].Op.(ir.Choose); ok && op.Weak && e.value == 0 {
			s.spurious = true
		}
	}
	return s
}

// newVerification makes ready to hold a program to properties.
func (en Engine) newVerification(q solver.Query, want solver.Verify) (*verification, error) {
	if len(want.Properties) == 0 {
		want.Properties = []ir.Property{ir.Assertion}
	}
	if want.ByReads {
		return nil, litmus.Errorf(litmus.Pos{File: q.Program.File}, "engine graphs: it does not count by reads: choose another engine")
	}
	return &verification{Query: q, want: want, start: time.Now(), out: solver.NewVerification(q, en)}, nil
}
