package cmd

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth"
	"litmuscope/solver/synth/optimise"
)

// repairPrograms repairs C programs, each under each model and property separately or, with --together, under all at
// once. Every error except errNotAll is for the user to fix.
func (f *repairFlags) repairPrograms(ctx context.Context, out, failures io.Writer, paths []string, costs string) error {
	f.engine = engines.VerifierNames()[0]
	f.task.Options = f.options
	tasks, err := f.programFlags.tasks()
	if err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	var questions []*optimise.Question
	of := map[string]*optimise.Question{}
	for job := range f.jobs(ctx, paths, tasks) {
		if job.Err != nil {
			return job.Err
		}
		t := job.Task
		key := t.Path
		if !f.together {
			key = fmt.Sprint(t.Path, "\n", t.Model, t.Properties)
		}
		q := of[key]
		if q == nil {
			q = &optimise.Question{Workers: f.workers}
			q.Each, q.Only = true, f.only
			of[key] = q
			questions = append(questions, q)
		}
		q.Pairs = append(q.Pairs, t)
	}
	runner, closeRunner, err := newRunner(ctx, f.workers, "")
	if err != nil {
		return err
	}
	defer closeRunner()
	print, tally, line := synth.NewPrinter(f.format, out, false), repairTally{}, newStatusLine()
	for _, q := range questions {
		q.Runner = runner
		q.Asked = func(n int) { line.Say(fmt.Sprintf("repair: %s asked", solver.Count(n, "question"))) }
		rebuild, err := f.rebuild(q.Pairs[0])
		if err != nil {
			return err
		}
		r, err := optimise.Repair(ctx, *q, costs)
		if err == nil {
			err = optimise.ConfirmRepairs(ctx, *q, r, rebuild)
		}
		line.Clear()
		if err != nil && ctx.Err() == nil {
			return err
		}
		if err != nil {
			break
		}
		tally.add(r)
		if err := print.Reply(r); err != nil {
			return err
		}
	}
	return tally.reportFailures(ctx, cmp.Or(ctx.Err(), print.Close()), failures, "programs")
}
