package engines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
)

// Local is a solver.Runner in this process. It checks its time limit between solver calls only, its memory limit not at
// all.
type Local struct{}

// Run answers a question in this process.
func Run[A solver.Answer](ctx context.Context, q solver.Asking[A]) (A, error) {
	return solver.Ask(ctx, Local{}, q)
}

// Run implements solver.Runner.
func (Local) Run(ctx context.Context, q solver.Question) (a solver.Answer, err error) {
	start := time.Now()
	switch q := q.(type) {
	case solver.Task:
		a, err = explore(ctx, q, start)
	case solver.VerifyTask:
		if _, races := Races(q); races {
			a, err = Race(ctx, q, func(ctx context.Context, _ int, t solver.VerifyTask) (solver.Answer, error) {
				return Local{}.Run(ctx, t)
			})
			break
		}
		a, err = verify(ctx, q, start)
	}
	if needs := new(solver.NeedsMemory); errors.As(err, &needs) {
		return nil, needs
	}
	if err != nil {
		t := q.Params()
		var placed *litmus.Error
		var list litmus.ErrorList
		switch {
		case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
			a = stopped(q, timeReached(t.Options.Timeout))
		case !errors.As(err, &placed) && !errors.As(err, &list):
			err = fmt.Errorf("%s: %w", t.Path, err)
			fallthrough
		default:
			if t, ok := q.(solver.VerifyTask); ok && ctx.Err() == nil {
				if errs := programErrors(t, err); len(errs) > 0 && errs[0].Pos.Line > 0 {
					err = few(errs)
				}
			}
			a = failed(q, err)
		}
	}
	h := a.Head()
	if ctx.Err() != nil && (*h.Status == solver.Unknown || *h.Cut != "" || errors.Is(err, ctx.Err())) {
		return a, ctx.Err()
	}
	*h.MS = float64(time.Since(start)) / float64(time.Millisecond)
	if limit := q.Params().Options.Timeout; *h.Cut == "" && limit > 0 && time.Since(start) >= limit {
		*h.Cut = timeReached(limit) // whatever was under way then
	}
	return a, nil
}

// Failed is the answer to a question that is wrong. It reads a test, for its name.
func Failed[A solver.Answer](q solver.Asking[A], err error) A { return failed(q, err).(A) }

func failed(q solver.Question, err error) solver.Answer {
	a := UnreadAnswer(q, err)
	if r, ok := a.(*solver.Result); ok {
		t := q.(solver.Task)
		if e, engineErr := Find(t.Engine); engineErr == nil {
			if test, err := litmus.Parse(t.Path, t.Source); err == nil {
				r.Name, r.Arch = test.Name, test.Arch
				r.Model = e.ModelFor(t.Model, tongueOf(q))
			}
		}
	}
	return a
}

// Unread is the answer to a question that went wrong before anyone has read its test, or
// where nobody should.
func Unread[A solver.Answer](q solver.Asking[A], err error) A { return UnreadAnswer(q, err).(A) }

// UnreadAnswer is Unread for a question of any kind.
func UnreadAnswer(q solver.Question, err error) solver.Answer {
	a, t := q.Blank(), q.Params()
	h := a.Head()
	e, unknown := Find(t.Engine)
	if unknown == nil {
		*h.Engine, *h.Version = e.Name, e.Version()
	}
	if err != nil {
		*h.Error = err.Error()
	}
	if v, program := a.(*solver.Verification); program {
		if unknown == nil {
			v.Model = e.ModelFor(t.Model, tongueOf(q))
		}
		for _, e := range few(litmus.Errors(err)) {
			if e.Pos.Line > 0 {
				v.Faults = append(v.Faults,
					solver.Fault{File: e.Pos.File, Line: e.Pos.Line, Column: e.Pos.Col, Message: e.Msg})
			}
		}
	}
	return a
}

func timeReached(limit time.Duration) string { return fmt.Sprintf("time limit of %v reached", limit) }

// Stopped is the answer to a question that a limit ended without any result.
func Stopped[A solver.Answer](q solver.Asking[A], reason string) A { return stopped(q, reason).(A) }

func stopped(q solver.Question, reason string) solver.Answer {
	a := UnreadAnswer(q, nil)
	Stop(a, q, reason)
	return a
}

// Stop turns an answer, perhaps with partial results, into that of a question that a limit ended.
func Stop(a solver.Answer, q solver.Question, reason string) {
	h := a.Head()
	*h.Cut = reason
	if v, program := a.(*solver.Verification); program && v.Open != nil {
		for _, r := range v.Open {
			r.Message += reason
			v.Remarks = append(v.Remarks, r)
		}
		v.Status, v.SoFar, v.Open = solver.OK, "", nil
		return
	}
	*h.Status, *h.Reason = solver.Unknown, reason
	if *h.Verdict == "" {
		*h.Verdict = solver.Undecided
	}
	switch a := a.(type) {
	case *solver.Result:
		a.StatesComplete = new(bool)
	case *solver.Verification:
		if a.SoFar != "" {
			*h.Reason += " (" + a.SoFar + ")"
		}
		a.Bounds, a.SoFar = map[string]int{"unroll": q.Params().Options.Unroll}, ""
	}
}

// tongueOf is the language of a question's text. Its default model applies if the question names none.
func tongueOf(q solver.Question) string {
	if t, program := q.(solver.VerifyTask); program {
		return ProgramTongue(t)
	}
	return dialect.Tongue(q.(solver.Task).Source)
}

// explore answers a task in this process. If the engine leaves the verdict open within its bounds, the engine's Settler
// answers instead. start is when the question arrived; time limits count from it.
func explore(ctx context.Context, t solver.Task, start time.Time) (*solver.Result, error) {
	e, p, m, err := prepare(t)
	if err != nil {
		return nil, err
	}
	parsed := time.Since(start)
	q := solver.Query{Program: p, Model: m, Options: t.Options}
	if told := solver.Follower(ctx); told != nil {
		q.Partial = func(r *solver.Result) { told(r) } // the known facts about every test that parses
		head := solver.NewResult(q, e.Name)
		head.Version = e.Version()
		q.Partial(head)
	}
	r, err := e.engine.Explore(ctx, q)
	if err == nil && !r.Complete && e.Settler != "" && !p.Wide {
		err = decideWith(ctx, e.Settler, q, r, start)
	}
	if err != nil {
		return nil, err
	}
	r.FlagUnsequenced(p)
	if r.Deadlock && r.Status == solver.OK {
		if err := explainNone(ctx, e, q, r, start); err != nil {
			return nil, err
		}
	}
	if t.Options.Progress.Asked() && r.Status != solver.Failed {
		if err := terminates(ctx, e, q, r, start); err != nil {
			return nil, err
		}
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

// terminates adds to a result whether all executions end, in the time that is left.
func terminates(ctx context.Context, e *Engine, q solver.Query, r *solver.Result, start time.Time) error {
	by, ok := e.engine.(solver.Terminator)
	if !ok {
		return &solver.OptionError{Option: "progress", Msg: "not used by the engine " + e.Name}
	}
	q.Partial = nil
	if limit := q.Options.Timeout; limit > 0 {
		q.Options.Timeout = max(limit-time.Since(start), time.Nanosecond)
	}
	var err error
	if r.Termination, err = by.Terminates(ctx, q); err != nil {
		return err
	}
	r.Cut = cmp.Or(r.Cut, r.Termination.Reason)
	return nil
}

// decideWith decides what a bound left open by another engine, where the model has a machine
// and its states are few enough.
func decideWith(ctx context.Context, by string, q solver.Query, r *solver.Result, start time.Time) error {
	settler, err := Find(by)
	if err != nil || !q.Model.HasMachine() {
		return err
	}
	if limit := q.Options.Timeout; limit > 0 {
		q.Options.Timeout = limit - time.Since(start)
		if q.Options.Timeout <= 0 {
			r.Cut = timeReached(limit)
			return nil
		}
	}
	exact, err := settler.engine.Explore(ctx, q)
	var wild *litmus.Error
	if err != nil && !errors.As(err, &wild) {
		return err
	}
	if err != nil || exact.Status != solver.OK || !exact.Complete {
		if err == nil {
			r.Cut = cmp.Or(r.Cut, exact.Cut)
		}
		return nil // the bounded answer stands
	}
	if exact.StatesComplete == nil {
		for _, s := range r.States {
			if !slices.ContainsFunc(exact.States, func(o solver.State) bool { return slices.Equal(o, s) }) {
				return fmt.Errorf("BUG: %s allows %v, which %s cannot reach", r.Model, s, by)
			}
		}
	}
	r.Deadlock = exact.Deadlock
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
