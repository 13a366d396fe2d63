package engines

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
)

// Local is a solver.Runner in this process. Its time limit is looked at between
// solver calls only, its memory limit not at all.
type Local struct{}

// Run implements solver.Runner.
func (Local) Run(ctx context.Context, t solver.Task) (*solver.Result, error) {
	return Run(ctx, t, nil)
}

// Run answers a task; partial, when set, is told of the verdict as soon as it is
// known.
func Run(ctx context.Context, t solver.Task, partial func(*solver.Result)) (*solver.Result, error) {
	start := time.Now()
	r, err := explore(ctx, t, start, partial)
	if err != nil {
		var placed *litmus.Error
		var list litmus.ErrorList
		if !errors.As(err, &placed) && !errors.As(err, &list) {
			err = fmt.Errorf("%s: %w", t.Path, err)
		}
		r = Failed(t, err)
	}
	if r.Status == solver.Unknown && ctx.Err() != nil {
		return r, ctx.Err()
	}
	r.MS = float64(time.Since(start)) / float64(time.Millisecond)
	return r, nil
}

// Failed is the Result of a task that is wrong. It reads the test, for its name.
func Failed(t solver.Task, err error) *solver.Result {
	r := Unread(t, err)
	if e, engineErr := Find(t.Engine); engineErr == nil {
		if test, err := litmus.Parse(t.Path, t.Source); err == nil {
			r.Name, r.Arch = test.Name, test.Arch
			r.Model = e.ModelFor(t.Model, dialect.Tongue(t.Source))
		}
	}
	return r
}

// Unread is the Result of a task that went wrong before anyone has read its test, or
// where nobody should.
func Unread(t solver.Task, err error) *solver.Result {
	r := &solver.Result{Path: t.Path, Model: t.Model, Engine: t.Engine, Status: solver.Failed, States: []solver.State{}}
	if err != nil {
		r.Error = err.Error()
	}
	if e, err := Find(t.Engine); err == nil {
		r.Engine, r.Version = e.Name, e.Version()
	}
	return r
}

func explore(ctx context.Context, t solver.Task, start time.Time, partial func(*solver.Result)) (*solver.Result, error) {
	p, err := dialect.Parse(t.Path, t.Source)
	if err != nil {
		return nil, err
	}
	e, m, err := admit(t, dialect.Tongue(t.Source))
	if err != nil {
		return nil, err
	}
	parsed := time.Since(start)
	q := solver.Query{Program: p, Model: m, Options: t.Options, Partial: partial}
	if partial != nil { // what is known of every test that can be read
		head := solver.NewResult(q, e.Name)
		head.Version = e.Version()
		partial(head)
	}
	r, err := e.engine.Explore(ctx, q)
	if err == nil && !r.Complete && e.Settler != "" {
		err = settle(ctx, e.Settler, q, r, start)
	}
	if err != nil {
		return nil, err
	}
	r.Version = e.Version()
	if r.Verdict != solver.Forbidden {
		r.Explanation = nil
	}
	if r.Stats != nil {
		r.Stats.Parse = float64(parsed) / float64(time.Millisecond)
	}
	return r, nil
}

// settle decides what a bound left open by another engine, where the model has a machine
// and its states are few enough.
func settle(ctx context.Context, by string, q solver.Query, r *solver.Result, start time.Time) error {
	settler, err := Find(by)
	if err != nil || !q.Model.HasMachine() {
		return err
	}
	if limit := q.Options.Timeout; limit > 0 {
		q.Options.Timeout = limit - time.Since(start)
		if q.Options.Timeout <= 0 {
			return nil
		}
	}
	exact, err := settler.engine.Explore(ctx, q)
	var wild *litmus.Error
	if err != nil && !errors.As(err, &wild) {
		return err
	}
	if err != nil || exact.Status != solver.OK || !exact.Complete {
		return nil // the bounded answer stands
	}
	if exact.StatesComplete == nil {
		for _, s := range r.States {
			if !slices.ContainsFunc(exact.States, func(o solver.State) bool { return slices.Equal(o, s) }) {
				return fmt.Errorf("BUG: %s allows %v, which %s cannot reach", r.Model, s, by)
			}
		}
	}
	r.Verdict, r.Observation, r.ConditionHolds = exact.Verdict, exact.Observation, exact.ConditionHolds
	r.States, r.StatesComplete, r.Outcomes = exact.States, exact.StatesComplete, exact.Outcomes
	r.Status, r.Reason, r.Complete, r.SettledBy = solver.OK, "", true, exact.Engine
	if r.Certified != nil {
		r.Certified, r.Certificate = new(bool), nil
	}
	r.Stats.Explored = exact.Stats.Explored
	r.Stats.Solve += exact.Stats.Solve
	return nil
}
