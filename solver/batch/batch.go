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

// Job is a task, or why there is none.
type Job struct {
	Task solver.Task
	Err  error
}

// Jobs puts each test under each of some tasks that lack a test.
func Jobs(tests iter.Seq[suite.Entry], under []solver.Task) iter.Seq[Job] {
	return func(yield func(Job) bool) {
		for e := range tests {
			for _, t := range under {
				t.Path, t.Source = e.Path, e.Source
				if !yield(Job{t, e.Err}) {
					return
				}
			}
		}
	}
}

// Tally counts results by what became of them.
type Tally struct{ All, Failed, Unknown int }

func (t *Tally) add(r *solver.Result) {
	t.All++
	switch r.Status {
	case solver.Failed:
		t.Failed++
	case solver.Unknown:
		t.Unknown++
	}
}

// Run has the tasks run and hands each result to out, in the order of the jobs. What
// cannot be run, or has its process die, is a result that says so. When the context ends no further task is
// begun, and what was interrupted by that has no result; the error is one of out's, or
// of a runner that gave no result for another reason.
func Run(ctx context.Context, runner solver.Runner, workers int, jobs iter.Seq[Job], out func(*solver.Result) error) (Tally, error) {
	type answer struct {
		result *solver.Result
		err    error
	}
	var tally Tally
	err := InOrder(ctx, workers, jobs, func(ctx context.Context, j Job) answer {
		if j.Err != nil {
			return answer{engines.Unread(j.Task, j.Err), nil}
		}
		r, err := runner.Run(ctx, j.Task)
		if died := new(solver.Died); errors.As(err, &died) {
			r, err = engines.Unread(j.Task, fmt.Errorf("%s: %w", j.Task.Path, died)), nil
		}
		if err == nil && ctx.Err() != nil && r.Status != solver.OK {
			err = ctx.Err() // it says no more than that the run was interrupted
		}
		return answer{r, err}
	}, func(a answer) error {
		switch {
		case a.err != nil && Interrupted(a.err):
			return nil
		case a.err != nil:
			return a.err
		}
		tally.add(a.result)
		return out(a.result)
	})
	return tally, err
}

// Interrupted tells an error that the end of a context brings about.
func Interrupted(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
