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

func fitCommand() *cobra.Command {
	var f fitFlags
	c := &cobra.Command{
		Use:   "fit [flags] --want LOG MODEL.cat PATH...",
		Short: "Find the models that agree with what is known of tests",
		Long: `Find out which models agree with what is known of tests. MODEL.cat leaves places open:
?{po-loc | po | 0} stands for one of three relations, and a text with three such places
for 27 models. A union in an alternative stands in brackets: ?{(rf | co) | rf}.

A PATH is what run takes. What is known is read from logs, --want: JSON lines (run -f jsonl) or a log of herd7,
whose verdicts the model has to give; or a log of litmus7, by which a model has to allow what
a machine has been seen to do, and may allow what it has not. A test is known by its name.

The answer is all models that agree with all tests; or, where none does, tests that clash: no model agrees
with all of them, and without any one of them some does.

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
	flags.StringArrayVar(&f.wanted, "want", nil, "log with what is known of the tests; may be given several times")
	f.answerFlags.add(c, textOrLines, "questions", "results")
	optionFlags(flags, &f.options, solver.OptionTable)
	return c
}

// verdicts are what is known of tests, by name.
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
				return nil, fmt.Errorf("--want: %s: %s is %s here, and %s before", name, row.Test, verdict, before)
			}
			out[row.Test] = verdict
		}
	}
	return out, nil
}

// tests are those of which something is known; nothing is of the others.
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
		return nil, 0, fmt.Errorf("fit: nothing is known of any of %s: no log that --want names has its name",
			solver.Count(others, "test"))
	}
	return out, others, nil
}

// fit is the fit command. Every error but errNotAll is the user's.
func (f *fitFlags) fit(ctx context.Context, out, failures io.Writer, model string, paths []string) error {
	if err := f.check(textOrLines); err != nil {
		return err
	}
	if len(f.wanted) == 0 {
		return fmt.Errorf("fit: --want: no log says what is known of the tests")
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
		return fmt.Errorf("fit: %s is no .cat file with open places, such as ?{po-loc | po | 0}", model)
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
		fmt.Fprintf(failures, "litmuscope: of %s nothing is known\n", solver.Count(others, "more test"))
	}
	if len(r.Agree) == 0 || len(r.Open) > 0 {
		return errNotAll
	}
	return nil
}
