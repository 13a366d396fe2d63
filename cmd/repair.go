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

	"litmuscope/litmus/c/llvm/frontend"
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

// repairCommand returns the repair command.
func repairCommand() *cobra.Command {
	return (&repairFlags{}).command(&cobra.Command{
		Use:   "repair [flags] PATH...",
		Short: "Find the cheapest changes that forbid a test's outcome",
		Long: `Find the cheapest sets of changes that forbid a litmus test's outcome. A change adds a
barrier between accesses, makes an access an acquire or a release, strengthens its order,
or adds a dependency. The command prints all cheapest sets, each as a diff, with the cycle
that each change breaks. The engine has checked each repaired test as printed, and no
cheaper set is enough.

For exists and ~exists, a repair forbids the condition; for forall, it forbids every
outcome that contradicts the condition. Undefined behaviour, for example after a data
race, allows every outcome, so a repair also removes it.

The command repairs a C program (.c) that verify accepts by stronger orders of its atomic
accesses and by fences between statements of functions with atomic accesses, until all
properties of --property hold. It also declares plain objects in data races _Atomic; their
accesses are then sequentially consistent. For each change, it prints what fails without
it. It changes the files on the command line (with --link, all of them) and the headers that they
include with quotes; --only selects other files or functions. It repairs a preprocessed
program (.i) as it is.

In a program in C++ (.cpp) or Rust (.rs), it changes the orders that calls of atomic
operations state, and inserts fences before statements that have them. An order that is not
written at the call, for example one in a header of the library, stays; so do plain objects.
The compiler compiles each repaired program again, and the command checks it again. As with
verify, flags behind -- go to the compiler.

A table gives the cost of each change; --show-costs prints it, and --cost FILE overrides
entries. A PATH is any that run accepts, or a C program. With several models, the command
repairs a test for each model separately; with --together, for all models at once.

Exit status: 0 when each test has been repaired or needs no repair, 1 when some cannot be
repaired, run or decided, 2 when the command line is wrong.`,
		Example: `  litmuscope repair SB.litmus
  litmuscope repair -m tso -m power --together -f diff IRIW.litmus
  litmuscope repair -f table tests/
  litmuscope repair --cost mine.txt --certify MP.litmus
  litmuscope repair -m rc11 -m power --together -D N=2 lock.c
  litmuscope repair -m rc11 --only lock.h client.c
  litmuscope repair -m rc11 seqlock.cpp -- -std=c++17`,
	})
}

func weakenCommand() *cobra.Command {
	return (&repairFlags{weaken: true}).command(&cobra.Command{
		Use:   "weaken [flags] PATH...",
		Short: "Find barriers and orders that a test does not need",
		Long: `Find barriers and orders that a test does not need to forbid its outcome: those that can
be removed or replaced with cheaper ones. The command prints, cheapest first and each as a
diff, all weaker tests that still forbid the outcome and cannot be weakened further.

Costs, models and paths are as for repair.

Exit status: 0 when each test's outcome was forbidden or allowed, 1 when some could not be
run or decided, 2 when the command line is wrong.`,
		Example: `  litmuscope weaken IRIW+syncs.litmus
  litmuscope weaken -m rc11 -f diff seqlock.litmus`,
	})
}

// command completes c, the repair or the weaken command, with arguments and flags.
func (f *repairFlags) command(c *cobra.Command) *cobra.Command {
	show := false
	c.Args = func(c *cobra.Command, args []string) error {
		if show {
			return cobra.NoArgs(c, args)
		}
		return atLeastOne(c.Name(), "a test, a folder, @LIST, an archive or -")(c, args)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if show {
			_, err := io.WriteString(c.OutOrStdout(), synth.Published())
			return err
		}
		if dash := c.ArgsLenAtDash(); dash >= 0 {
			args, f.compiler = args[:dash], args[dash:]
		}
		return f.run(c.Context(), c.OutOrStdout(), os.Stderr, args)
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.addModels(c, "test")
	if !f.weaken {
		f.addProgram(c)
		flags.StringArrayVar(&f.only, "only", nil, "change only this `FILE or FUNCTION` of a C program; may be "+
			"given several times (default the program's files and the headers that they include with quotes)")
	}
	flags.BoolVar(&f.together, "together", false, "find changes that work under all models at once")
	flags.StringVar(&f.costs, "cost", "", "read costs that differ from the defaults from this `FILE`")
	flags.BoolVar(&show, "show-costs", false, "print the default costs of changes, and exit")
	formatFlag(c, &f.format, "output `FORMAT`", synth.Formats)
	jobsFlag(flags, &f.workers, "tests")
	optionFlags(flags, &f.options, repairOptions())
	return c
}

// repairOptions returns the options that the search for repairs uses.
func repairOptions() []solver.Option {
	return slices.DeleteFunc(slices.Clone(solver.OptionTable), func(o solver.Option) bool {
		return !slices.Contains(
			[]string{"timeout", "unroll", "memory", "certify", "acyclicity", "solver", "lse2", "rcpc"}, o.Name)
	})
}

// run runs the repair or the weaken command. Every error except errNotAll is for the user to fix.
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
	under, err := f.modelGroups()
	if err != nil {
		return err
	}
	return f.repairTests(ctx, out, failures, paths, under, costs)
}

// readCosts returns the text of the file of --cost after checking it, or "" without --cost.
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

// programs reports whether the paths are programs rather than litmus tests. A mixture is an error.
func (f *repairFlags) programs(paths []string) (bool, error) {
	programs := 0
	for _, p := range paths {
		if ext := filepath.Ext(p); ext == ".c" || ext == ".i" || frontend.LanguageOf(p) != "" {
			programs++
		}
	}
	switch {
	case programs > 0 && f.weaken:
		return false, errors.New("weaken: want litmus tests; for programs use litmuscope optimise")
	case programs > 0 && programs < len(paths):
		return false, errors.New("repair: want either litmus tests or programs (.c, .i, .cpp, .rs), not both")
	case programs == 0 && len(f.only) > 0:
		return false, errors.New("--only: names files or functions of programs (.c, .i, .cpp, .rs), not of tests")
	}
	return programs > 0, nil
}

// modelGroups returns groups of tasks, without a test. A repair of a test has to work for all tasks of a group. There
// is a group for each model or, with --together, one group with all models.
func (f *repairFlags) modelGroups() ([][]solver.Task, error) {
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

// repairTests repairs litmus tests in child processes, for each group of under, and prints replies in the order of the
// paths.
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
	if f.options.Timeout > 0 { // kills a child that ignores its own time limit
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
	return tally.reportFailures(ctx, err, failures, "tests")
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

// reportFailures is like [reportFailures], but also reports tests without a repair.
func (t *repairTally) reportFailures(ctx context.Context, err error, w io.Writer, of string) error {
	if err := reportFailures(ctx, t.Tally, err, w, of); err != nil || t.impossible == 0 {
		return err
	}
	fmt.Fprintf(w, "litmuscope: no repair for %d of %s\n", t.impossible, solver.Count(t.All, "result"))
	return errNotAll
}

// answer repairs one test in a child process. It returns nil if the context has ended; other errors are in the reply.
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
