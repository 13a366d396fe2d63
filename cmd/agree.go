package cmd

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"litmuscope/solver"
	"litmuscope/solver/agreement"
	"litmuscope/solver/engines"
)

// agreeFlags are the flags of the agree command.
type agreeFlags struct {
	askFlags
	agreement.Request
	as      []string
	all     bool
	workers int
}

func agreeCommand() *cobra.Command {
	var f agreeFlags
	c := &cobra.Command{
		Use:   "agree [flags] FOLDER...",
		Short: "Compare answers with reference answers, or engines with each other",
		Long: `Compare answers with independent answers, and count where they agree.

Without more, each FOLDER has a reference.jsonl: a line for each test and model
with observation, condition_holds, states, if counted positive and negative, and, if
there are, flags, named as in the output of run -f jsonl; path is relative to the folder.
With --as tso=my.cat, the reference's answers for tso are compared with those for the
model in my.cat, which shows whether two models agree on many tests.
With --against, another engine's answers are the reference, and with --expect a
file that says what is observed of tests by their name (lines of a name pattern, a
model, and Always, Sometimes or Never). With --within, all that a model allows must
be allowed by another, weaker one. A FOLDER is then any PATH that run takes.
With --certify, an answer that is not certified counts as unknown.

Of C programs, a line of reference.jsonl has path, defines, model, property, verdict (safe,
unsafe, or unknown: no failure within unroll) and, if counted, executions, as verify -f jsonl
names them; a FOLDER may hold several such folders. Where a line has no bound on loops, the
bound is raised until nothing is left open, or time is up.

Exit status: 0 when nothing disagreed, 1 otherwise, 2 when the command line or a
reference is wrong.`,
		Example: `  litmuscope agree corpus/x86
  litmuscope agree -m tso --as tso=x86tso.cat corpus/x86
  litmuscope agree -m pso --against machine tests/
  litmuscope agree -m sc --within tso tests/
  litmuscope agree --expect scaling.txt scaling/
  litmuscope agree --timeout 30s programs/`,
		Args: some("agree", "a folder with a reference.jsonl"),
		RunE: func(c *cobra.Command, args []string) error { return f.agree(c.Context(), args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&f.models, "model", "m", nil,
		"only this model; may be given several times (default all of the reference; with --against, the test's own)")
	flags.StringArrayVar(&f.as, "as", nil,
		"NAME=FILE.cat: where the reference names this model, run the one in the file")
	f.addEngine(c, engines.Names())
	flags.StringVar(&f.Against, "against", "", "hold the engine against this one, not against a reference")
	flags.StringVar(&f.Expect, "expect", "", "hold the engine against the observations that this file expects")
	flags.StringVar(&f.Within, "within", "", "see whether what -m allows is within what this model allows")
	flags.StringVar(&f.Skip, "skip", "",
		"of programs, leave out those that this file lists: lines of path, model and reason")
	flags.IntVar(&f.Sample, "sample", 1, "make one of each `N` comparisons, drawn, and the same every time")
	flags.BoolVar(&f.all, "all", false, "exit with 1 also when a test is unsupported or unknown")
	jobsFlag(flags, &f.workers, "tests")
	optionFlags(flags, &f.options, solver.OptionTable)
	return c
}

// agree is the agree command. Every error but errNotAll is the user's.
func (f *agreeFlags) agree(ctx context.Context, paths []string) error {
	if err := f.check(); err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	plan, err := f.Plan(ctx, paths, os.Stdin)
	if err != nil {
		return err
	}
	runner, closeRunner, err := newRunner(ctx, f.workers, "")
	if err != nil {
		return err
	}
	defer closeRunner()
	tally, err := plan.Run(ctx, runner, f.workers)
	if err == nil {
		err = tally.Print(os.Stdout)
	}
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "litmuscope:", err)
		return errNotAll
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "litmuscope: interrupted")
		return errNotAll
	case tally.Differing() > 0, f.all && tally.Count(agreement.Unsupported)+tally.Count(agreement.Undecided) > 0:
		return errNotAll
	}
	return nil
}

// check completes the request, and says which flag is wrong.
func (f *agreeFlags) check() error {
	f.Models, f.Engine, f.Options = f.models, f.engine, f.options
	f.Instead = map[string]solver.Task{}
	for _, as := range f.as {
		name, file, ok := strings.Cut(as, "=")
		if !ok || !strings.HasSuffix(file, ".cat") {
			return fmt.Errorf("--as: got %q, want a model's name, \"=\" and a .cat file", as)
		}
		t := solver.Task{Model: file, Options: solver.DefaultOptions()}
		if err := modelFile(&t); err != nil {
			return err
		}
		if err := admit(t); err != nil {
			return err
		}
		f.Instead[name] = t
	}
	chosen := 0
	for _, reference := range []string{f.Against, f.Expect, f.Within} {
		if reference != "" {
			chosen++
		}
	}
	switch {
	case chosen > 1:
		return fmt.Errorf("--against, --expect and --within exclude one another")
	case f.Against == f.engine:
		return fmt.Errorf("--against: %s is the engine itself", f.engine)
	case f.Sample < 1:
		return fmt.Errorf("--sample: got %d, want 1 or more", f.Sample)
	}
	if err := checkJobs(f.workers); err != nil {
		return err
	}
	for _, q := range f.Questions() {
		if err := admit(q); err != nil {
			return err
		}
	}
	return nil
}
