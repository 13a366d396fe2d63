package graphs

import (
	"context"
	"errors"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/graphs/consistency"
	"litmuscope/solver/graphs/explore"
	"litmuscope/solver/graphs/graph"
)

var _ solver.Verifier = Engine{}

// If a model allows cycles of program order and reads-from, then a read may need the value of a write that the program
// has not reached. The engine explores lowered programs under such models: the bound cuts loops, addresses and
// dependencies are known, and threads can run ahead with open values. This is slower than running C code, so the engine
// does it only if it makes a difference.

// ErrLater reports that a program cannot run in program order under a model.
var ErrLater = consistency.ErrLater

// Runs reports whether the engine runs C programs as they are under a model: threads need not run ahead of their reads,
// or this may make no difference. If it does make one (ErrLater), the caller must first lower the program to code
// without loops and with known dependencies.
func (Engine) Runs(m *models.Model) bool {
	f, err := consistency.Compile(m, consistency.Anything())
	return err == nil && (!f.Ahead || f.RunInOrder(m.Order()))
}

// Verify implements solver.Verifier for lowered programs. A thread stops where an assertion or an assumption fails,
// where the bound cuts a loop, and where it waits for a thread that has stopped.
func (en Engine) Verify(ctx context.Context, q solver.Query, want solver.Verify) (*solver.Verification, error) {
	ctx, cancel := q.Options.Within(ctx)
	defer cancel()
	v, err := en.newVerification(q, want)
	if err != nil {
		return nil, err
	}
	p, x, err := newExploration(ctx, q.Program, q.Model)
	if err != nil {
		return nil, err
	}
	v.p, v.x, v.lives = p, x, solver.HasLives(q.Program) && solver.OfLives.Property(q.Model, want.Properties) != ""
	if err := v.watch(x.Check.Formula(),
		presentIn(q.Program, func(op ir.Op) bool { return models.BarrierTags(op) == nil })); err != nil {
		return nil, err
	}
	p.track = p.track || x.Check.Formula().Deps
	x.Check, x.Leaf, x.Fails, x.Unset, x.Rounds = consistency.NewChecker(x.Check.Formula()), v.leaf, v.fails, v.unset,
		want.Has(ir.Termination)
	if x.Ahead != nil {
		x.Ahead.Prefixes, x.Fails = true, nil
	}
	v.progress = progress{start: v.start, last: v.start, told: q.Progress, estimate: explore.NewEstimate(x, v.complete)}
	var from explore.Path
	if q.Part != nil {
		if from, err = x.Begin(q.Part); err != nil {
			return nil, err
		}
	}
	if err = x.Resume(from); errors.Is(err, explore.ErrSpawned) {
		err = litmus.Errorf(litmus.Pos{File: q.Program.File}, "%v", err)
	}
	if q.Part != nil && errors.Is(err, errWhole) {
		return v.finishPart(ctx, &solver.PartAnswer{Again: true, Whole: true}, nil)
	}
	if q.Part != nil {
		return v.finishPart(ctx, v.parted(x, err), err)
	}
	return v.finish(ctx, err)
}

// traced implements traced.
func (p *test) traced(g *graph.Graph, _ string) (*models.Execution, error) { return p.execution(g) }

// stop describes the step at which a thread has stopped. It is spurious if a weak compare-exchange of the thread has
// failed for no reason.
func (p *test) stop(g *graph.Graph, t int) stop {
	a := g.Threads[t].Next
	s := stop{kind: a.Kind, at: int(a.At)}
	switch a.Kind {
	case ir.ActFailed:
		op := p.Threads[t].Code[a.At].Op.(ir.Assert)
		s.property, s.text = op.Property, op.Text
	case ir.ActUnwound:
		op := p.Threads[t].Code[a.At].Op.(ir.Unwound)
		s.waits = op.Spin || op.Again
	}
	for _, id := range g.Order[t] {
		e := &g.Events[id]
		if op, ok := p.Threads[t].Code[e.Step].Op.(ir.Choose); ok && op.Weak && e.Value == 0 {
			s.spurious = true
		}
	}
	return s
}

func (p *test) location(loc int32) *ir.Location { return &p.Locs[loc] }

func (p *test) read(g *graph.Graph, id int32) (string, litmus.Pos) {
	e := &g.Events[id]
	th := &p.Threads[e.Thread]
	return p.Locs[e.Loc].Name, th.Source[th.Code[e.Step].Source].Pos
}

// newVerification returns the state of a question, with assertions as the default property.
func (en Engine) newVerification(q solver.Query, want solver.Verify) (*verification, error) {
	if len(want.Properties) == 0 {
		want.Properties = []ir.Property{ir.Assertion}
	}
	return &verification{
		counted: map[[16]byte]bool{}, Query: q, want: want, start: time.Now(),
		out: solver.NewVerification(q, en),
	}, nil
}
