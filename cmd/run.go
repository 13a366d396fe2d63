package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"litmuscope/litmus"
	"litmuscope/litmus/suite"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
	"litmuscope/solver/report"
	"litmuscope/store"
)

// runFlags are the flags of the run command.
type runFlags struct {
	askFlags
	answerFlags
}

// runCommand returns the run command.
func runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [flags] PATH...",
		Short: "Run litmus tests under memory models",
		Long: `Run litmus tests under memory models and print what the models allow.

A PATH is a .litmus file, a folder (searched for .litmus files), @LIST (a file with one
path per line), an archive (.zip, .tar.gz, .tgz), or - for standard input.

Without --model, each test runs under the model of its architecture. If the engine
supports only one model, each test runs under that one. A .cat file can include files from
its own folder and from the library. MODEL~AXIOM is a model without one of its axioms, for
example tso~consensus or my.cat~order. Results are in the order of the tests and, for each
test, of the models.

Exit status: 0 when every test ran, 1 when some could not be run or decided, 2 when the
command line is wrong.`,
		Example: `  litmuscope run SB.litmus
  litmuscope run -m sc -m tso -f table tests/
  litmuscope run -m my.cat --timeout 1m @all
  litmuscope run -m tso -m tso~consensus -f table SB.litmus
  litmuscope run -e etso --least -f table SB.litmus
  litmuscope run -f jsonl --db cache.db suite.tar.gz > results.jsonl
  curl -s https://example.org/MP.litmus | litmuscope run -`,
		Args: atLeastOne("run", "a test, a folder, @LIST, an archive or -"),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args) },
	}
	c.Flags().SortFlags = false
	f.askFlags.add(c, "test", engines.Names())
	f.answerFlags.add(c, report.Names(), "tests", "results")
	optionFlags(c.Flags(), &f.options, solver.OptionTable)
	return c
}

// run runs the run command. Every error except errNotAll is for the user to fix.
func (f *runFlags) run(ctx context.Context, paths []string) error {
	if err := f.check(report.Names()); err != nil {
		return err
	}
	tasks, err := f.tasks()
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if err := admit(t); err != nil {
			return err
		}
	}
	runner, closeRunner, err := f.runner(ctx)
	if err != nil {
		return err
	}
	defer closeRunner()

	ctx, stop := untilInterrupted(ctx)
	defer stop()

	format, _ := report.Find(f.format)
	out := format.New(os.Stdout, report.Options{
		Colour: isTerminal(os.Stdout) && os.Getenv("NO_COLOR") == "",
		Models: len(tasks) > 1, Witnesses: f.options.Witnesses, Stats: f.stats,
	})
	bar := startProgress(ctx, paths, len(tasks))
	tally, err := batch.Run(ctx, runner, f.workers, batch.Jobs(suite.Collect(ctx, paths, stdin(ctx, paths)), tasks),
		func(t solver.Task, r *solver.Result) error {
			bar.Add(1)
			if err := addMachines(ctx, runner, t.Source, r); err != nil {
				return err
			}
			return out.Result(r)
		})
	if err == nil {
		err = out.Close()
	}
	bar.Finish()
	return reportFailures(ctx, tally, err, os.Stderr, "tests")
}

// addMachines adds what machines have shown of a test to a result, if the runner has a database.
func addMachines(ctx context.Context, runner solver.Runner, source string, r *solver.Result) error {
	cached, ok := runner.(*batch.Cached)
	if !ok || r.Status == solver.Failed {
		return nil
	}
	s, ok := cached.Cache.(*store.Store)
	if !ok {
		return nil
	}
	t, err := litmus.Parse("", source)
	if err != nil {
		return nil // the result says what is wrong
	}
	hash := litmus.ProgramHash(t)
	seen, err := s.Observed(ctx, hash[:])
	r.Machines = solver.Against(seen, []*solver.Result{r}, []string{r.Model})
	return err
}

// modelFile reads the model of a task if that is a .cat file, and the files that it includes from the same folder.
func modelFile(t *solver.Task) error {
	return modelFileAs(t, func(text string) (string, error) { return text, nil })
}

// modelFileAs is like modelFile, but calls read to turn the file's text into the text of a model. Behind a symbolic
// link, it also looks for included files in the folder of the link's target. It ignores syntax errors: the task's
// reader reports them with their places.
func modelFileAs(t *solver.Task, read func(text string) (string, error)) error {
	file, _ := models.Split(t.Model)
	if !strings.HasSuffix(file, ".cat") {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("model: %w", err)
	}
	if t.ModelText, err = read(string(text)); err != nil {
		return err
	}
	folders := []string{filepath.Dir(file)}
	if real, err := filepath.EvalSymlinks(file); err == nil && filepath.Dir(real) != folders[0] {
		folders = append(folders, filepath.Dir(real))
	}
	t.ModelFiles, err = models.Includes(file, t.ModelText, func(name string) (string, error) {
		if ext := filepath.Ext(name); ext != ".cat" && ext != ".bell" {
			return "", fs.ErrNotExist // an error in another kind of file would print lines of it
		}
		if !filepath.IsLocal(name) {
			return "", fs.ErrNotExist
		}
		var text []byte
		var err error
		for _, folder := range folders {
			if text, err = os.ReadFile(filepath.Join(folder, name)); !errors.Is(err, fs.ErrNotExist) {
				break
			}
		}
		return string(text), err
	})
	if broken := litmus.ErrorList(nil); errors.As(err, &broken) {
		return nil
	}
	return err
}

// admit is engines.Admit with errors that name flags instead of options.
func admit(q solver.Question) error {
	err := engines.Admit(q)
	var option *solver.OptionError
	if errors.As(err, &option) {
		return fmt.Errorf("--%w", err)
	}
	return err
}

// untilInterrupted returns a context that the first interrupt cancels, so that the command can end in order. A second
// interrupt kills the program.
func untilInterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// stdin returns standard input if one of the paths is -, otherwise nil.
func stdin(ctx context.Context, paths []string) io.Reader {
	if !slices.Contains(paths, "-") {
		return nil
	}
	return interruptible(ctx, os.Stdin)
}

// interruptible returns a reader of r whose reads fail when the context ends, even while r waits for somebody to type.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	return out
}

// reportFailures prints on w what went wrong, because it is easy to miss in long output or in a file. Its error is
// errNotAll, or says that the paths contain nothing. of is a plural noun for what the paths contain, such as "tests".
func reportFailures(ctx context.Context, t batch.Tally, err error, w io.Writer, of string) error {
	switch {
	case err != nil:
		fmt.Fprintln(w, "litmuscope:", err)
	case ctx.Err() != nil:
		fmt.Fprintf(w, "litmuscope: interrupted after %d results\n", t.All)
	case t.All == 0:
		return fmt.Errorf("no %s found in the given paths", of)
	case t.Failed+t.Unknown > 0:
		fmt.Fprintf(w, "litmuscope: %s: %s, %d unknown\n", solver.Count(t.All, "result"),
			solver.Count(t.Failed, "error"), t.Unknown)
	default:
		return nil
	}
	return errNotAll
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// progress is the bar on a terminal, or nothing.
type progress struct{ bar *progressbar.ProgressBar }

// newBar returns a progress bar on standard error. what names the things that it counts.
func newBar(what string) *progressbar.ProgressBar {
	return progressbar.NewOptions(-1, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100*time.Millisecond))
}

// startProgress shows a bar on standard error if that is a terminal and standard output is not; otherwise the results
// themselves show the progress. It counts the tests in the background, unless they come from standard input.
func startProgress(ctx context.Context, paths []string, models int) progress {
	if !isTerminal(os.Stderr) || isTerminal(os.Stdout) {
		return progress{}
	}
	bar := newBar("tests")
	if !slices.Contains(paths, "-") {
		go func() {
			if n := suite.Count(ctx, paths); n > 0 && ctx.Err() == nil {
				bar.ChangeMax(n * models)
			}
		}()
	}
	return progress{bar}
}

// Add counts n more results. It ignores the bar's errors, as Finish does: the bar is decoration.
func (p progress) Add(n int) {
	if p.bar != nil {
		_ = p.bar.Add(n)
	}
}

// Finish removes the bar.
func (p progress) Finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
