package pool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/machine"
	"litmuscope/solver/sequential"
)

// engines is every engine, the default first.
var engines = func() []solver.Engine {
	out := []solver.Engine{axiomatic.Engine{}, machine.Engine{}}
	for _, e := range sequential.Engines {
		out = append(out, e)
	}
	return out
}()

// Engines lists the engines' names, the default first.
func Engines() []string {
	out := make([]string, len(engines))
	for i, e := range engines {
		out[i] = e.Name()
	}
	return out
}

// Engine finds an engine by name; "" is the default.
func Engine(name string) (solver.Engine, error) {
	for _, e := range engines {
		if name == "" || e.Name() == name {
			return e, nil
		}
	}
	return nil, fmt.Errorf("unknown engine %q: want one of %s", name, strings.Join(Engines(), ", "))
}

// Model finds the model that a task asks for: its own text, a built-in one, the only
// one that its engine answers for, or the one that is usual for the test's
// architecture.
func Model(t solver.Task, arch string) (*models.Model, error) {
	if t.ModelText != "" {
		return models.ParseWith(t.Model, t.ModelText, t.ModelFiles)
	}
	name := cmp.Or(t.Model, only(t.Engine), dialect.DefaultModel(arch))
	if m, ok := models.Find(name); ok {
		return m, nil
	}
	return nil, fmt.Errorf("unknown model %q: want one of %s, or a .cat file", name, strings.Join(models.Names(), ", "))
}

// only is the one model that an engine answers for, or "".
func only(engine string) string {
	if e, err := Engine(engine); err == nil && len(e.Models()) == 1 {
		return e.Models()[0]
	}
	return ""
}

// Local is a solver.Runner in this process. Its time limit is looked at between
// solver calls only, its memory limit not at all.
type Local struct{}

// Run implements solver.Runner.
func (Local) Run(ctx context.Context, t solver.Task) (*solver.Result, error) {
	return run(ctx, t, nil)
}

// run answers a task; partial, when set, is told of the verdict as soon as it is
// known.
func run(ctx context.Context, t solver.Task, partial func(*solver.Result)) (*solver.Result, error) {
	start := time.Now()
	r, err := explore(ctx, t, start, partial)
	if err != nil {
		var placed *litmus.Error
		var list litmus.ErrorList
		if !errors.As(err, &placed) && !errors.As(err, &list) {
			err = fmt.Errorf("%s: %w", t.Path, err)
		}
		r = failed(t, err)
	}
	if r.Status == solver.Unknown && ctx.Err() != nil {
		return r, ctx.Err()
	}
	r.MS = float64(time.Since(start)) / float64(time.Millisecond)
	return r, nil
}

// failed is the Result of a task that is wrong.
func failed(t solver.Task, err error) *solver.Result {
	r := &solver.Result{
		Path: t.Path, Model: t.Model, Engine: t.Engine, Status: solver.Failed, Error: err.Error(), States: []solver.State{},
	}
	if r.Engine == "" {
		r.Engine = engines[0].Name()
	}
	if test, err := litmus.Parse(t.Path, t.Source); err == nil {
		r.Name, r.Arch = test.Name, test.Arch
		r.Model = cmp.Or(r.Model, only(r.Engine), dialect.DefaultModel(test.Arch))
	}
	return r
}

func explore(ctx context.Context, t solver.Task, start time.Time, partial func(*solver.Result)) (*solver.Result, error) {
	if err := t.Options.Validate(); err != nil {
		return nil, err
	}
	engine, err := Engine(t.Engine)
	if err != nil {
		return nil, err
	}
	p, err := dialect.Parse(t.Path, t.Source)
	if err != nil {
		return nil, err
	}
	m, err := Model(t, p.Arch)
	if err != nil {
		return nil, err
	}
	parsed := time.Since(start)
	q := solver.Query{Program: p, Model: m, Options: t.Options, Partial: partial}
	r, err := engine.Explore(ctx, q)
	if err == nil && !r.Complete {
		err = settle(ctx, q, r, start)
	}
	if err != nil {
		return nil, err
	}
	if r.Verdict != solver.Forbidden {
		r.Explanation = nil
	}
	if r.Stats != nil {
		r.Stats.Parse = float64(parsed) / float64(time.Millisecond)
	}
	return r, nil
}

// settle decides what the axiomatic engine's unwinding bound left open, by exploring the machine's
// states, where the model has a machine and the states are few enough.
func settle(ctx context.Context, q solver.Query, r *solver.Result, start time.Time) error {
	if !q.Model.BuffersStores() || r.Engine != (axiomatic.Engine{}).Name() {
		return nil
	}
	if limit := q.Options.Timeout; limit > 0 {
		q.Options.Timeout = limit - time.Since(start)
		if q.Options.Timeout <= 0 {
			return nil
		}
	}
	exact, err := machine.Engine{}.Explore(ctx, q)
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
				return fmt.Errorf("BUG: %s allows %v, which its machine cannot reach", r.Model, s)
			}
		}
	}
	r.Verdict, r.Observation, r.ConditionHolds = exact.Verdict, exact.Observation, exact.ConditionHolds
	r.States, r.StatesComplete, r.Outcomes = exact.States, exact.StatesComplete, exact.Outcomes
	r.Status, r.Reason, r.Complete, r.SettledBy = solver.OK, "", true, exact.Engine
	r.Stats.Explored = exact.Stats.Explored
	r.Stats.Solve += exact.Stats.Solve
	return nil
}
