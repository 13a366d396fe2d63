package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"litmuscope/litmus"
	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/report"
	"litmuscope/solver/synth/fit"
)

// fitFlags are the flags of the fit command.
type fitFlags struct {
	answerFlags
	wanted  []string
	options solver.Options
}

// fitCommand returns the fit command.
func fitCommand() *cobra.Command {
	var f fitFlags
	c := &cobra.Command{
		Use:   "fit [flags] --want LOG MODEL.cat PATH...",
		Short: "Find the models that agree with known results of tests",
		Long: `Find the models that agree with known results of tests.

MODEL.cat is a model with open places. The place ?{po-loc | po | 0} stands for one of three
relations, so a text with three such places stands for 27 models. Put a union within an
alternative in parentheses: ?{(rf | co) | rf}.

A PATH is any that run accepts. The known results come from the logs of --want, which the
command matches with tests by name. For a log of JSON lines (run -f jsonl) or of herd7, the
model must give the same verdicts. For a log of litmus7, the model must allow every outcome
that the machine has shown, and may allow others.

The answer lists all models that agree with all tests. If no model agrees, it lists tests
that conflict: no model agrees with all of them, but without any one of them, some model
does.

Exit status: 0 when some model agrees, 1 when none does or some test could not be
decided, 2 when the command line is wrong.`,
		Example: `  litmuscope fit --want herd.log open.cat tests/
  litmuscope fit --want raspberry.log -f jsonl open.cat tests/`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("fit: want a model and tests (see litmuscope fit --help)")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return f.fit(c.Context(), os.Stdout, os.Stderr, args[0], args[1:])
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.wanted, "want", nil,
		"`LOG` with known results of the tests; may be given several times")
	f.answerFlags.add(c, textOrLines, "questions", "results")
	optionFlags(flags, &f.options, solver.OptionTable)
	return c
}

// verdicts reads the logs of --want and returns the known verdicts by the tests' names. A log of a machine gives a
// verdict only for outcomes that the machine has shown. Two logs that contradict each other are an error.
func (f *fitFlags) verdicts() (map[string]solver.Verdict, error) {
	out := map[string]solver.Verdict{}
	for _, name := range f.wanted {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("--want: %w", err)
		}
		defer file.Close()
		rows := report.NewReader(name, file)
		for {
			row, err := rows.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("--want: %w", err)
			}
			verdict := row.Verdict
			if row.Hardware && (row.Observation == solver.Sometimes || row.Observation == solver.Always) {
				verdict = solver.Allowed
			} else if row.Hardware || verdict != solver.Allowed && verdict != solver.Forbidden {
				continue
			}
			if before, said := out[row.Test]; said && before != verdict {
				return nil, fmt.Errorf("--want: %s: the outcome of %s is %s here, but %s in an earlier log", name,
					row.Test, verdict, before)
			}
			out[row.Test] = verdict
		}
	}
	return out, nil
}

// tests returns the tests of the paths that have a known verdict, and counts the others.
func (f *fitFlags) tests(ctx context.Context, paths []string) (out []fit.Wanted, others int, err error) {
	verdicts, err := f.verdicts()
	if err != nil {
		return nil, 0, err
	}
	for e := range suite.Collect(ctx, paths, stdin(ctx, paths)) {
		if e.Err != nil {
			return nil, 0, e.Err
		}
		test, err := litmus.Parse(e.Path, e.Source)
		if err != nil {
			return nil, 0, err
		}
		if v, known := verdicts[test.Name]; known {
			out = append(out, fit.Wanted{Path: e.Path, Source: e.Source, Verdict: v})
		} else {
			others++
		}
	}
	if len(out) == 0 && ctx.Err() == nil {
		return nil, 0, fmt.Errorf("fit: no known results for %s: no log of --want has a test of the same name",
			solver.Count(others, "test"))
	}
	return out, others, nil
}

// fit runs the fit command. Every error except errNotAll is for the user to fix.
func (f *fitFlags) fit(ctx context.Context, out, failures io.Writer, model string, paths []string) error {
	if err := f.check(textOrLines); err != nil {
		return err
	}
	if len(f.wanted) == 0 {
		return fmt.Errorf("fit: want a log with known results of the tests, as in --want herd.log")
	}
	task := solver.Task{Model: model, Engine: engines.Names()[0], Options: f.options}
	var template *fit.Template
	if err := modelFileAs(&task, func(text string) (_ string, err error) {
		if template, err = fit.Parse(model, text); err != nil {
			return "", err
		}
		return template.Text(template.Pick(0)), nil
	}); err != nil {
		return err
	}
	if template == nil {
		return fmt.Errorf("fit: %s is not a .cat file: want a model with open places, such as ?{po-loc | po | 0}",
			model)
	}
	if o := new(solver.OptionError); errors.As(engines.Admit(task), &o) {
		return fmt.Errorf("--%w", o)
	}
	runner, closeRunner, err := f.runner(ctx)
	if err != nil {
		return err
	}
	defer closeRunner()
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	tests, others, err := f.tests(ctx, paths)
	if err != nil {
		return err
	}
	bar := startProgress(ctx, []string{"-"}, 1)
	r, err := fit.Answer(ctx, runner, f.workers, fit.Question{Template: template, Task: task, Tests: tests},
		func() { bar.Add(1) })
	bar.Finish()
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(failures, "litmuscope: interrupted after %s\n", solver.Count(r.Asked, "question"))
		return errNotAll
	case err != nil:
		return err
	}
	if err := printAnswer(out, f.format, r); err != nil {
		return err
	}
	if others > 0 {
		fmt.Fprintf(failures, "litmuscope: no known results for %s\n", solver.Count(others, "more test"))
	}
	if len(r.Agree) == 0 || len(r.Open) > 0 {
		return errNotAll
	}
	return nil
}
