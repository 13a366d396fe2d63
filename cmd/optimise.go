package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/optimise"
)

// optimiseFlags are the flags of the optimise command.
type optimiseFlags struct {
	programFlags
	format  string
	workers int
	db      string
	only    []string
	each    bool
	from    string
}

// strongestFrom begins a search with the strongest orders.
const strongestFrom = "seq_cst"

func optimiseCommand() *cobra.Command {
	var f optimiseFlags
	c := &cobra.Command{
		Use:   "optimise [flags] CLIENT.c...",
		Short: "Relax memory orders of C programs as far as all clients hold",
		Long: `Relax the memory orders that C programs write, as far as all clients go on to hold under all
models, properties and bounds: seq_cst, acq_rel, acquire and release, relaxed, and fences
not at all. What is found is such that no order can be a step weaker by itself: each that
stays has a client that fails with the weaker one, and the execution.

Each CLIENT is a program as verify takes it. Its atomic accesses and fences are relaxed; with
--only, those of files that clients include, such as headers of a library, or of functions. An
order is what a call of C11's or of GCC's __atomic builtins says, or implies (atomic_load(&x),
__sync_synchronize()); or what its name ends in (vatomic32_read_acq: _acq, _rel, _rlx, or
nothing), where the program has others of its stem. One place in the text is one
choice, however many clients and calls come to it; with --each-use, each use of a macro that is
one call is a place of its own. What no client comes to stays as it is, and the answer says so.
Operators on _Atomic objects (x = 1, x++) stay as they are, sequentially consistent, as do the
kernel's primitives; the answer lists them.

A client that takes too long, or that cannot be decided, never counts as one that holds: the
order stays then, and the answer says why. Where nothing is defined because of a data race, or
because of what an execution does, it counts as failing. With --db, what was answered is
kept, so that a search that was interrupted goes on.

Exit status: 0 when all is decided, 1 when a client fails as it is or something could not be
decided, 2 when the command line is wrong.`,
		Example: `  litmuscope optimise -m rc11 spinlock.c
  litmuscope optimise -m rc11 -m aarch64 --only include/lock.h -I include -f patch client1.c client2.c
  litmuscope optimise -m tso -D FENCES --each-use dekker.c
  litmuscope optimise --from seq_cst --only ticketlock_acquire --only ticketlock_release -I include ticketlock.c`,
		Args: some("optimise", "a C file, or a folder of them"),
		RunE: func(c *cobra.Command, args []string) error {
			return f.optimise(c.Context(), os.Stdout, os.Stderr, args)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.programFlags.add(c)
	flags.StringArrayVar(&f.only, "only", nil,
		"relax the orders of a file or of a function; may be given several times (default the files of the clients)")
	flags.BoolVar(&f.each, "each-use", false,
		"take each use of a macro that is one atomic access or fence for a place of its own")
	flags.StringVar(&f.from, "from", "written",
		"begin with the orders as they are written, or with the strongest ones: written, "+strongestFrom)
	formatFlag(c, &f.format, "output format", optimise.Formats)
	jobsFlag(flags, &f.workers, "questions")
	flags.StringVar(&f.db, "db", "", "keep answers in this database file, and look them up there")
	optionFlags(flags, &f.task.Options,
		slices.DeleteFunc(slices.Clone(engines.VerifyOptions),
			func(o solver.Option) bool { return o.Name == "witnesses" }))
	complete(c, "from", []string{"written", strongestFrom})
	return c
}

// optimise is the optimise command. Every error but errNotAll is the user's.
func (f *optimiseFlags) optimise(ctx context.Context, out, failures io.Writer, paths []string) error {
	if err := checkFormat(f.format, optimise.Formats); err != nil {
		return err
	}
	if err := checkJobs(f.workers); err != nil {
		return err
	}
	if f.from != "written" && f.from != strongestFrom {
		return fmt.Errorf("--from: unknown %q: want written or %s", f.from, strongestFrom)
	}
	f.task.Options.Witnesses = true // each order that stays has its execution
	tasks, err := f.tasks()
	if err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	q := optimise.Question{Strongest: f.from == strongestFrom, Workers: f.workers}
	q.Only, q.Each = f.only, f.each
	for job := range f.jobs(ctx, paths, tasks) {
		if job.Err != nil {
			return job.Err
		}
		q.Pairs = append(q.Pairs, job.Task)
	}
	if len(q.Pairs) == 0 {
		return errors.New("there are no programs in the given paths")
	}
	if len(f.only) == 0 {
		for _, t := range q.Pairs {
			for _, file := range t.Files {
				q.Only = append(q.Only, filepath.ToSlash(filepath.Clean(file.Name)))
			}
		}
		slices.Sort(q.Only)
		q.Only = slices.Compact(q.Only)
	}
	runner, closeRunner, err := newRunner(ctx, f.workers, f.db)
	if err != nil {
		return err
	}
	defer closeRunner()
	q.Runner = runner
	line := newStatusLine()
	asked := 0
	q.Asked = func(n int) {
		asked = n
		line.Say(fmt.Sprintf("optimise: %s asked", solver.Count(n, "question")))
	}
	a, err := optimise.Find(ctx, q)
	line.Clear()
	switch {
	case err != nil && batch.Interrupted(err):
		fmt.Fprintf(failures, "litmuscope: interrupted after %s", solver.Count(asked, "question"))
		if f.db != "" {
			fmt.Fprintf(failures, "; their answers are in %s", f.db)
		}
		fmt.Fprintln(failures)
		return errNotAll
	case err != nil:
		return err
	}
	if err := a.Write(out, f.format); err != nil {
		return err
	}
	if a.Unsafe != nil || a.Status != solver.OK || a.Open() {
		return errNotAll
	}
	return nil
}
