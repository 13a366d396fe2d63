package batch

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Job is a question, or why there is none.
type Job[Q any] struct {
	Task Q
	Err  error
}

// Jobs puts each test under each of some tasks that lack a test.
func Jobs(tests iter.Seq[suite.Entry], under []solver.Task) iter.Seq[Job[solver.Task]] {
	return func(yield func(Job[solver.Task]) bool) {
		for e := range tests {
			for _, t := range under {
				t.Path, t.Source = e.Path, e.Source
				if !yield(Job[solver.Task]{t, e.Err}) {
					return
				}
			}
		}
	}
}

// Tally counts answers by what became of them.
type Tally struct{ All, Failed, Unknown int }

func (t *Tally) add(s solver.Status) {
	t.All++
	switch s {
	case solver.Failed:
		t.Failed++
	case solver.Unknown:
		t.Unknown++
	}
}

// Run has questions answered and hands each with its answer to out, in the order of the jobs. A job that cannot run, or
// whose process dies, gets an answer that says so. When the context ends, Run begins no further job, and interrupted
// jobs get no answer; the error is one of out's, or of a runner that gave no answer for another reason.
func Run[Q solver.Asking[A], A solver.Answer](
	ctx context.Context, runner solver.Runner, workers int, jobs iter.Seq[Job[Q]], out func(Q, A) error,
) (Tally, error) {
	type answer struct {
		to   Q
		said A
		err  error
	}
	var tally Tally
	err := InOrder(ctx, workers, jobs, func(ctx context.Context, j Job[Q]) answer {
		if j.Err != nil {
			return answer{j.Task, engines.Unread(j.Task, j.Err), nil}
		}
		a, err := Ask(ctx, runner, j.Task)
		return answer{j.Task, a, err}
	}, func(a answer) error {
		switch {
		case a.err != nil && Interrupted(a.err):
			return nil
		case a.err != nil:
			return a.err
		}
		tally.add(*a.said.Head().Status)
		return out(a.to, a.said)
	})
	return tally, err
}

// Ask has a question answered. Where a process dies of it, the answer says so.
func Ask[A solver.Answer](ctx context.Context, runner solver.Runner, q solver.Asking[A]) (A, error) {
	a, err := solver.Ask(ctx, runner, q)
	if died := new(solver.Died); errors.As(err, &died) {
		a, err = engines.Unread(q, fmt.Errorf("%s: %w", q.Params().Path, died)), nil
	}
	if err == nil && ctx.Err() != nil && *a.Head().Status != solver.OK {
		err = ctx.Err() // the error only says that the context ended
	}
	return a, err
}

// Interrupted tells an error that the end of a context brings about.
func Interrupted(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
