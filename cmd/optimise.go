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

// strongestFrom is the value of --from that starts the search with the strongest orders.
const strongestFrom = "seq_cst"

// optimiseCommand returns the optimise command.
func optimiseCommand() *cobra.Command {
	var f optimiseFlags
	c := &cobra.Command{
		Use:   "optimise [flags] CLIENT.c... [-- COMPILER FLAGS]",
		Short: "Relax the memory orders of C programs while all clients stay correct",
		Long: `Relax the memory orders in C programs as far as all clients stay correct under all models,
properties and bounds. The steps go from seq_cst to acq_rel, to acquire or release, and to
relaxed; the last step of a fence removes it. In the result, no single order can be a step
weaker: for each order that remains, the command shows a client that fails with the weaker
order, and the execution.

Each CLIENT is a program that verify accepts. By default the command relaxes the atomic
accesses and fences in the clients; --only names other files, such as headers of a library
that clients include, or functions. A call of a C11 function or a GCC __atomic builtin
states its order or implies it (atomic_load(&x), __sync_synchronize()). The end of a
function's name may also give the order (vatomic32_read_acq: _acq, _rel, _rlx or none), if
the program has other functions with the same stem.

One place in the text is one choice, for all clients and calls that reach it. With
--each-use, each use of a macro that is one call is a separate place. The command does not
change a place that no client reaches, and reports it. It does not change operators on
_Atomic objects (x = 1, x++), which are sequentially consistent, or the kernel's
primitives; it lists them.

A CLIENT may be one program in C++ (.cpp) or Rust (.rs). Its orders are those that calls of
atomic operations state or imply. The compiler compiles the program with the new orders
again, and the command checks it again. Flags behind -- go to the compiler.

A client that reaches the time limit or has no verdict never counts as correct: the
stronger order remains, and the answer says why. A client with undefined behaviour, for
example a data race, counts as failing. With --db, the command stores answers, so that an
interrupted search can continue.

Exit status: 0 when everything is decided, 1 when a client fails as written or something
could not be decided, 2 when the command line is wrong.`,
		Example: `  litmuscope optimise -m rc11 spinlock.c
  litmuscope optimise -m rc11 -m aarch64 --only include/lock.h -I include -f patch client1.c client2.c
  litmuscope optimise -m tso -D FENCES --each-use dekker.c
  litmuscope optimise --from seq_cst --only ticketlock_acquire --only ticketlock_release -I include ticketlock.c`,
		Args: atLeastOne("optimise", "a C file, or a folder of them"),
		RunE: func(c *cobra.Command, args []string) error {
			if dash := c.ArgsLenAtDash(); dash >= 0 {
				args, f.compiler = args[:dash], args[dash:]
			}
			return f.optimise(c.Context(), os.Stdout, os.Stderr, args)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.programFlags.add(c)
	flags.StringArrayVar(&f.only, "only", nil,
		"relax only the orders in this `FILE or FUNCTION`; may be given several times (default the clients' files)")
	flags.BoolVar(&f.each, "each-use", false,
		"choose an order for each use of a macro that is one atomic access or fence")
	flags.StringVar(&f.from, "from", "written",
		"start with the orders as written or with the strongest ones: written, "+strongestFrom)
	formatFlag(c, &f.format, "output `FORMAT`", optimise.Formats)
	jobsFlag(flags, &f.workers, "questions")
	flags.StringVar(&f.db, "db", "", "cache answers in this database `FILE` (default no cache)")
	optionFlags(flags, &f.task.Options,
		slices.DeleteFunc(slices.Clone(engines.VerifyOptions),
			func(o solver.Option) bool { return o.Name == "witnesses" }))
	complete(c, "from", []string{"written", strongestFrom})
	return c
}

// optimise runs the optimise command. Every error except errNotAll is for the user to fix.
func (f *optimiseFlags) optimise(ctx context.Context, out, failures io.Writer, paths []string) error {
	if err := checkFormat(f.format, optimise.Formats); err != nil {
		return err
	}
	if err := checkJobs(f.workers); err != nil {
		return err
	}
	if f.from != "written" && f.from != strongestFrom {
		return fmt.Errorf("--from: got %q, want written or %s", f.from, strongestFrom)
	}
	f.task.Options.Witnesses = true // the answer shows an execution for each order that remains
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
		return errors.New("no programs found in the given paths")
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
	rebuild, err := f.rebuild(q.Pairs[0])
	if err != nil {
		return err
	}
	a, err := optimise.Find(ctx, q)
	if err == nil {
		err = optimise.ConfirmAnswer(ctx, q, a, rebuild)
	}
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
