package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/pool"
	"litmuscope/solver/synth"
	"litmuscope/web/parts/childwork"
)

// repairFlags are the flags of the commands repair and weaken.
type repairFlags struct {
	programFlags
	weaken   bool
	together bool
	costs    string
	only     []string
	format   string
	workers  int
}

func repairCommand() *cobra.Command {
	return (&repairFlags{}).command(&cobra.Command{
		Use:   "repair [flags] PATH...",
		Short: "Find the cheapest changes that forbid a test's outcome",
		Long: `Find the cheapest sets of changes that forbid what a litmus test asks about: barriers
between accesses, acquires, releases and stronger orders of accesses, dependencies. All
that cost least are given, each as a diff with the cycle that each of its changes breaks.
Each has been asked of the engine as it is printed, and nothing cheaper is enough.

Of an exists or ~exists it is the condition that is to be forbidden, of a forall whatever
contradicts it. Where behaviour is undefined, as it is where data races, anything can
happen, so that a repair leaves none of that either.

A C program (.c), as verify takes it, is repaired by stronger orders of its atomic accesses and by
fences between statements of functions that have some, until all that --property names holds. Each
change has what fails without it. The files on the command line are searched, with --link all of them,
and the headers that they include by quotes; --only searches some files or functions instead.
A preprocessed program (.i) is repaired as it stands.

What changes cost is in a table (--show-costs prints it); --cost FILE goes on from that.
A PATH is one that run takes, or a C program. With several models a test is repaired for each by
itself; with --together, for all of them at once.

Exit status: 0 when each test has been repaired or needs no repair, 1 when some cannot be
repaired, run or decided, 2 when the command line is wrong.`,
		Example: `  litmuscope repair SB.litmus
  litmuscope repair -m tso -m power --together -f diff IRIW.litmus
  litmuscope repair -f table tests/
  litmuscope repair --cost mine.txt --certify MP.litmus
  litmuscope repair -m rc11 -m power --together -D N=2 lock.c
  litmuscope repair -m rc11 --only lock.h client.c`,
	})
}

func weakenCommand() *cobra.Command {
	return (&repairFlags{weaken: true}).command(&cobra.Command{
		Use:   "weaken [flags] PATH...",
		Short: "Find what of a forbidden test's barriers and orders can go",
		Long: `Find which barriers and orders of a test, whose outcome they forbid, can go or be
cheaper ones. All remainders are given that still forbid it and of which nothing more can
go, cheapest first, each as a diff.

Costs, models and paths are as with repair.

Exit status: 0 when each test's outcome was forbidden or allowed, 1 when some could not be
run or decided, 2 when the command line is wrong.`,
		Example: `  litmuscope weaken IRIW+syncs.litmus
  litmuscope weaken -m rc11 -f diff seqlock.litmus`,
	})
}

func (f *repairFlags) command(c *cobra.Command) *cobra.Command {
	show := false
	c.Args = func(c *cobra.Command, args []string) error {
		if show {
			return cobra.NoArgs(c, args)
		}
		return some(c.Name(), "a test, a folder, @LIST, an archive or -")(c, args)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if show {
			_, err := io.WriteString(c.OutOrStdout(), synth.Published())
			return err
		}
		return f.run(c.Context(), c.OutOrStdout(), os.Stderr, args)
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.addModels(c, "test")
	if !f.weaken {
		f.addProgram(c)
		flags.StringArrayVar(&f.only, "only", nil, "change a file or a function of a C program; may be given "+
			"several times (default its own files, and what they include by quotes)")
	}
	flags.BoolVar(&f.together, "together", false, "under all models at once")
	flags.StringVar(&f.costs, "cost", "", "a file with other costs than the usual ones")
	flags.BoolVar(&show, "show-costs", false, "print what changes cost, and end")
	formatFlag(c, &f.format, "output format", synth.Formats)
	jobsFlag(flags, &f.workers, "tests")
	optionFlags(flags, &f.options, repairOptions())
	return c
}

// repairOptions are those of an exploration that the search heeds.
func repairOptions() []solver.Option {
	return slices.DeleteFunc(slices.Clone(solver.OptionTable), func(o solver.Option) bool {
		return !slices.Contains(
			[]string{"timeout", "unroll", "memory", "certify", "acyclicity", "solver", "lse2", "rcpc"}, o.Name)
	})
}

// run is the command. Every error but errNotAll is the user's.
func (f *repairFlags) run(ctx context.Context, out, failures io.Writer, paths []string) error {
	if err := checkFormat(f.format, synth.Formats); err != nil {
		return err
	}
	if err := checkJobs(f.workers); err != nil {
		return err
	}
	costs, err := f.readCosts()
	if err != nil {
		return err
	}
	programs, err := f.programs(paths)
	switch {
	case err != nil:
		return err
	case programs:
		return f.repairPrograms(ctx, out, failures, paths, costs)
	}
	under, err := f.under()
	if err != nil {
		return err
	}
	return f.repairTests(ctx, out, failures, paths, under, costs)
}

// readCosts is the text of the file of costs, which can be read; "" for the usual costs.
func (f *repairFlags) readCosts() (string, error) {
	if f.costs == "" {
		return "", nil
	}
	text, err := os.ReadFile(f.costs)
	if err != nil {
		return "", fmt.Errorf("--cost: %w", err)
	}
	if _, err := synth.ReadCosts(f.costs, string(text)); err != nil {
		return "", fmt.Errorf("--cost: %w", err)
	}
	return string(text), nil
}

// programs reports whether the paths are C programs, and not litmus tests.
func (f *repairFlags) programs(paths []string) (bool, error) {
	programs := 0
	for _, p := range paths {
		if ext := filepath.Ext(p); ext == ".c" || ext == ".i" {
			programs++
		}
	}
	switch {
	case programs > 0 && f.weaken:
		return false, errors.New("weaken: of C programs it is optimise that finds which orders and fences can go")
	case programs > 0 && programs < len(paths):
		return false, errors.New("repair: want litmus tests or C programs (.c, .i), not both at once")
	case programs == 0 && len(f.only) > 0:
		return false, errors.New("--only: it names files or functions of C programs (.c, .i)")
	}
	return programs > 0, nil
}

// under are the groups of tasks that each test is repaired under: one for each model, or one for all.
func (f *repairFlags) under() ([][]solver.Task, error) {
	tasks, err := f.askFlags.tasks()
	if err != nil {
		return nil, err
	}
	for _, t := range tasks {
		if err := admit(t); err != nil {
			return nil, err
		}
	}
	if f.together {
		return [][]solver.Task{tasks}, nil
	}
	return slices.Collect(slices.Chunk(tasks, 1)), nil
}

// repairTests repairs litmus tests in child processes, and prints replies in the order of the paths.
func (f *repairFlags) repairTests(
	ctx context.Context, out, failures io.Writer, paths []string, under [][]solver.Task, costs string,
) error {
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	children, err := pool.New(pool.Options{Workers: f.workers})
	if err != nil {
		return err
	}
	defer children.Close()
	work := childwork.Repairing
	work.Limits = pool.Limits{Memory: f.options.Memory}
	if f.options.Timeout > 0 { // what heeds no time is killed for it
		work.Limits.Time = f.options.Timeout + time.Second
	}
	print := synth.NewPrinter(f.format, out, f.weaken)
	tally := repairTally{weaken: f.weaken}
	err = batch.InOrder(ctx, f.workers, suite.Collect(ctx, paths, stdin(ctx, paths)),
		func(ctx context.Context, e suite.Entry) (replies []*synth.Reply) {
			for _, u := range under {
				replies = append(replies, f.answer(ctx, children, work, e, u, costs))
			}
			return replies
		},
		func(replies []*synth.Reply) error {
			for _, r := range replies {
				if r == nil { // interrupted
					continue
				}
				tally.add(r)
				if err := print.Reply(r); err != nil {
					return err
				}
			}
			return nil
		})
	if err == nil {
		err = print.Close()
	}
	return tally.complain(ctx, err, failures, "tests")
}

// repairTally counts replies for the exit status.
type repairTally struct {
	batch.Tally
	weaken     bool
	impossible int
}

func (t *repairTally) add(r *synth.Reply) {
	t.All++
	switch {
	case r.Status == solver.Failed:
		t.Failed++
	case r.Status == solver.Unknown:
		t.Unknown++
	case r.Impossible && !t.weaken:
		t.impossible++
	}
}

// complain is [complain], which replies that cannot be repaired are a reason for, too.
func (t *repairTally) complain(ctx context.Context, err error, w io.Writer, of string) error {
	if err := complain(ctx, t.Tally, err, w, of); err != nil || t.impossible == 0 {
		return err
	}
	fmt.Fprintf(w, "litmuscope: %d of %s cannot be repaired\n", t.impossible, solver.Count(t.All, "result"))
	return errNotAll
}

// answer has a child answer for a test; nil where the context has ended.
func (f *repairFlags) answer(
	ctx context.Context, by pool.Doer, work pool.Kind[synth.Question, *synth.Reply], e suite.Entry, under []solver.Task,
	costs string,
) *synth.Reply {
	q := synth.Question{
		Path: e.Path, Source: e.Source, Under: under, Weaken: f.weaken, Costs: costs,
		Options: f.options,
	}
	if e.Err != nil {
		return synth.Failed(q, e.Err)
	}
	r, err := work.Call(ctx, by, q)
	var limited *solver.Limited
	switch {
	case err == nil:
		return r
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &limited):
		r := synth.Failed(q, nil)
		r.Status, r.Reason = solver.Unknown, strings.TrimSpace(limited.Error())
		return r
	}
	return synth.Failed(q, err)
}
