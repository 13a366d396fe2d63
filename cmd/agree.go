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

// agreeCommand returns the agree command.
func agreeCommand() *cobra.Command {
	var f agreeFlags
	c := &cobra.Command{
		Use:   "agree [flags] FOLDER...",
		Short: "Compare answers with reference answers, or engines with each other",
		Long: `Compare an engine's answers with independent answers, and count where they agree.

By default, each FOLDER contains a reference.jsonl with one line for each test and
model. A line has path (relative to the folder), observation, condition_holds and
states, and may have positive, negative and flags; the names are those of run -f jsonl.
With --as tso=my.cat, the command compares the reference's answers for tso with the
answers under the model in my.cat. This shows whether two models agree on many tests.

Three flags replace the reference; each FOLDER is then any PATH that run accepts.
--against compares with another engine. --expect reads a file of expected observations:
each line has a pattern of test names, a model, and Always, Sometimes or Never.
--within checks that another, weaker model allows everything that a model allows.
With --certify, an answer without a certificate counts as unknown.

For C programs, a line of reference.jsonl has path, defines, model, property and verdict
(safe, unsafe, or unknown: no failure within unroll), and may have executions; the names
are those of verify -f jsonl. A FOLDER may contain several such folders. If a line has no
loop bound, the command raises the bound until the answer is final or time is up.

Exit status: 0 when nothing disagreed, 1 otherwise, 2 when the command line or a
reference is wrong.`,
		Example: `  litmuscope agree corpus/x86
  litmuscope agree -m tso --as tso=x86tso.cat corpus/x86
  litmuscope agree -m pso --against machine tests/
  litmuscope agree -m sc --within tso tests/
  litmuscope agree --expect scaling.txt scaling/
  litmuscope agree --timeout 30s programs/`,
		Args: atLeastOne("agree", "a folder with a reference.jsonl"),
		RunE: func(c *cobra.Command, args []string) error { return f.agree(c.Context(), args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&f.models, "model", "m", nil,
		"compare only this `MODEL`; may be given several times (default all models of the reference; with "+
			"--against, the test's own)")
	flags.StringArrayVar(&f.as, "as", nil,
		"`NAME=FILE.cat`: where the reference names this model, run the model in the file instead")
	f.addEngine(c, engines.Names())
	flags.StringVar(&f.Against, "against", "", "compare with the answers of this `ENGINE` instead of a reference")
	flags.StringVar(&f.Expect, "expect", "", "compare with the observations listed in this `FILE`")
	flags.StringVar(&f.Within, "within", "", "check that this `MODEL` allows everything that the models of -m allow")
	flags.StringVar(&f.Skip, "skip", "",
		"skip the programs that this `FILE` lists; each line has a path, a model and a reason")
	flags.IntVar(&f.Sample, "sample", 1,
		"make one pseudo-random comparison out of every `N`; the choice is the same in every run")
	flags.BoolVar(&f.all, "all", false, "exit with status 1 also when a test is unsupported or unknown")
	jobsFlag(flags, &f.workers, "tests")
	optionFlags(flags, &f.options, solver.OptionTable)
	return c
}

// agree runs the agree command. Every error except errNotAll is for the user to fix.
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

// check copies the flags into the request and reads the models of --as. Its error names the flag that is wrong.
func (f *agreeFlags) check() error {
	f.Models, f.Engine, f.Options = f.models, f.engine, f.options
	f.Instead = map[string]solver.Task{}
	for _, as := range f.as {
		name, file, ok := strings.Cut(as, "=")
		if !ok || !strings.HasSuffix(file, ".cat") {
			return fmt.Errorf("--as: got %q, want NAME=FILE.cat", as)
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
		return fmt.Errorf("--against, --expect and --within: want only one of them")
	case f.Against == f.engine:
		return fmt.Errorf("--against: %s is the same engine as --engine; want another one", f.engine)
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
