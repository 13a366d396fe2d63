package cmd

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/report"
	"litmuscope/web/api/client"
)

// remoteFlags name the server to ask and the token to send.
type remoteFlags struct{ server, token string }

func (f *remoteFlags) add(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.StringVar(&f.server, "server", "",
		"`ADDRESS` of the server (default $LITMUSCOPE_SERVER, otherwise http://localhost:8080)")
	flags.StringVar(&f.token, "token", "", "`TOKEN` to send to the server (default $LITMUSCOPE_TOKEN)")
}

func (f *remoteFlags) client() (*client.Client, error) {
	c, err := client.New(cmp.Or(f.server, os.Getenv("LITMUSCOPE_SERVER"), "http://localhost:8080"),
		cmp.Or(f.token, os.Getenv("LITMUSCOPE_TOKEN")))
	if err != nil {
		return nil, fmt.Errorf("--server: %w", err)
	}
	c.Warn = func(text string) { fmt.Fprintln(os.Stderr, "litmuscope: warning:", text) }
	return c, nil
}

// aboutSuite returns the RunE function of a command that works with one suite of a server until it is interrupted.
func (f *remoteFlags) aboutSuite(
	do func(ctx context.Context, c *client.Client, id string) error,
) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		remote, err := f.client()
		if err != nil {
			return err
		}
		ctx, stop := untilInterrupted(c.Context())
		defer stop()
		return do(ctx, remote, args[0])
	}
}

// oneID checks the arguments of the commands for one suite.
func oneID(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return errors.New("want the ID of one suite, as submit prints it")
	}
	return nil
}

// submitFlags are the flags of the submit command.
type submitFlags struct {
	remoteFlags
	askFlags
	name   string
	labels []string
	wait   bool
}

// submitCommand returns the submit command.
func submitCommand() *cobra.Command {
	var f submitFlags
	c := &cobra.Command{
		Use:   "submit [flags] PATH...",
		Short: "Submit litmus tests to a server",
		Long: `Submit litmus tests to a server, which runs them as a suite.

A PATH is any that litmuscope run accepts. A test that cannot be read becomes a failed
row of the suite. The command also sends the .cat files of --model and the files that
they include. The last line that it prints is the suite's ID, for litmuscope watch,
fetch and cancel.

Exit status: 0 when the server accepted the suite or, with --wait, when every test ran;
1 when some tests could not be run or decided; 2 when the command line is wrong, or the
server refuses the request.`,
		Example: `  litmuscope submit --server http://lab:8080 -m sc -m tso tests/
  litmuscope submit --name nightly --label branch=main --wait @all
  LITMUSCOPE_TOKEN=... litmuscope submit -m my.cat suite.tar.gz`,
		Args: atLeastOne("submit", "a test, a folder, @LIST, an archive or -"),
		RunE: func(c *cobra.Command, args []string) error { return f.submit(c.Context(), args) },
	}
	flags := c.Flags()
	f.remoteFlags.add(flags)
	flags.StringVar(&f.name, "name", "", "`NAME` of the suite")
	flags.StringArrayVar(&f.labels, "label", nil,
		"label the suite with `KEY=VALUE`, to find it later; may be given several times")
	flags.BoolVar(&f.wait, "wait", false, "show progress until the suite is done")
	f.askFlags.add(c, "test", engines.Names())
	optionFlags(flags, &f.options, solver.OptionTable)
	return c
}

// submit runs the submit command. Every error except errNotAll is for the user to fix, or the server's.
func (f *submitFlags) submit(ctx context.Context, paths []string) error {
	s := client.Submission{Name: f.name, Engine: f.engine, Options: client.ChangedOptions(f.options)}
	for _, label := range f.labels {
		k, v, ok := strings.Cut(label, "=")
		if !ok || k == "" {
			return fmt.Errorf("--label: got %q, want KEY=VALUE", label)
		}
		if s.Labels == nil {
			s.Labels = map[string]string{}
		}
		s.Labels[k] = v
	}
	tasks, err := f.tasks()
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if t.Model != "" { // else each test's own
			s.Models = append(s.Models, t.Model)
		}
		if t.ModelText != "" {
			s.Own = append(s.Own, solver.OwnModel{Name: t.Model, Text: t.ModelText, Files: t.ModelFiles})
		}
	}
	c, err := f.client()
	if err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	found, err := c.Submit(ctx, s, suite.Collect(ctx, paths, stdin(ctx, paths)))
	if err != nil {
		return err
	}
	fmt.Println(found.ID)
	if !f.wait {
		return nil
	}
	return watch(ctx, c, found.ID, os.Stderr)
}

func watchCommand() *cobra.Command {
	var f remoteFlags
	c := &cobra.Command{
		Use:   "watch [flags] ID",
		Short: "Show the progress of a suite on a server until it is done",
		Long: `Show the progress of a suite on a server until it is done.

Exit status: 0 when every test ran, 1 when some could not be run or decided, or the
suite was cancelled, 2 when the command line is wrong, or the server refuses the request.`,
		Example: `  litmuscope watch --server http://lab:8080 k3v9x2m5q7ab`,
		Args:    oneID,
		RunE: f.aboutSuite(func(ctx context.Context, remote *client.Client, id string) error {
			return watch(ctx, remote, id, os.Stdout)
		}),
	}
	f.add(c.Flags())
	return c
}

// quiet is the shortest time between two lines of progress where there is no terminal.
const quiet = 5 * time.Second

// watch shows a suite's progress until the suite is done: as a bar if standard error is a terminal, otherwise as lines
// on w. It returns errNotAll if somebody interrupted it or cancelled the suite, or if the suite has rows without an
// answer.
func watch(ctx context.Context, c *client.Client, id string, w io.Writer) error {
	var bar *progressbar.ProgressBar
	if isTerminal(os.Stderr) {
		bar = newBar("results")
	}
	var reported time.Time
	s, err := c.Watch(ctx, id, func(s *client.Suite) {
		switch {
		case bar != nil:
			if s.Rows > 0 {
				bar.ChangeMax(s.Rows)
			}
			_ = bar.Set(s.Done) // the bar is decoration
		case s.State == client.Running && time.Since(reported) > quiet:
			reported = time.Now()
			fmt.Fprintln(w, progressText(s))
		}
	})
	if bar != nil {
		_ = bar.Finish()
	}
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(os.Stderr,
			"litmuscope: interrupted; the suite continues: litmuscope watch %s, or litmuscope cancel %[1]s\n", id)
		return errNotAll
	case err != nil:
		return err
	}
	fmt.Fprintln(w, progressText(s))
	if s.State == client.Cancelled || s.Failed+s.Unknown > 0 {
		return errNotAll
	}
	return nil
}

// progressText describes the progress of a suite in one line.
func progressText(s *client.Suite) string {
	parts := []string{fmt.Sprintf("%s: %d of %d results", s.State, s.Done, s.Rows)}
	if s.Cached > 0 {
		parts = append(parts, fmt.Sprintf("%d from the cache", s.Cached))
	}
	parts = append(parts, solver.Count(s.Failed, "error"), fmt.Sprintf("%d unknown", s.Unknown))
	if s.State == client.Running && s.Rate > 0 {
		parts = append(parts, fmt.Sprintf("%.0f a second", s.Rate))
	}
	if s.State == client.Running && s.Left != nil {
		parts = append(parts, "about "+(time.Duration(*s.Left)*time.Second).String()+" left")
	}
	return strings.Join(parts, ", ")
}

// fetchFlags are the flags of the fetch command.
type fetchFlags struct {
	remoteFlags
	format string
	follow bool
}

// fetchCommand returns the fetch command.
func fetchCommand() *cobra.Command {
	f := fetchFlags{}
	c := &cobra.Command{
		Use:   "fetch [flags] ID",
		Short: "Print the results of a suite on a server",
		Long: `Print the results of a suite on a server, in the order of its tests and, for each test,
of its models.

Without --follow, the command prints the results that exist now. With --follow, it prints
each result when it arrives, and ends when the suite is done. With -f herd, junit or
html, it prints all results together at the end.

Exit status: 0 when the results were printed, whatever they are, 2 when the command
line is wrong, or the server refuses the request.`,
		Example: `  litmuscope fetch --server http://lab:8080 k3v9x2m5q7ab > results.jsonl
  litmuscope fetch --follow -f table k3v9x2m5q7ab`,
		Args: oneID,
		RunE: f.aboutSuite(f.fetch),
	}
	flags := c.Flags()
	f.add(flags)
	flags.StringVarP(&f.format, "format", "f", "jsonl", "output `FORMAT`: "+strings.Join(report.Names(), ", "))
	complete(c, "format", report.Names())
	flags.BoolVar(&f.follow, "follow", false, "print results as they arrive, until the suite is done")
	return c
}

// fetch runs the fetch command. It prints JSON lines as the server sends them, a herd log as the server makes it;
// formatted makes the other formats.
func (f *fetchFlags) fetch(ctx context.Context, c *client.Client, id string) (err error) {
	if err := checkFormat(f.format, report.Names()); err != nil {
		return err
	}
	format, _ := report.Find(f.format)
	w := bufio.NewWriter(os.Stdout)
	switch f.format {
	case "jsonl": // the server's own format
		err = c.Results(ctx, id, f.follow, func(line []byte) error {
			_, err := w.Write(append(line, '\n'))
			if f.follow {
				err = errors.Join(err, w.Flush())
			}
			return err
		})
	case "herd": // the server has facts about states that JSON lines lack
		err = c.Download(ctx, id, f.format, f.follow, w)
	default:
		err = f.formatted(ctx, c, id, format, w)
	}
	return errors.Join(err, w.Flush())
}

// formatted writes results in one of this program's formats. It gets them as JSON lines rather than in the server's
// rendering, so that it can print each when it arrives, and continue after the last one when the connection breaks.
func (f *fetchFlags) formatted(
	ctx context.Context, c *client.Client, id string, format report.Format, w *bufio.Writer,
) error {
	s, err := c.Suite(ctx, id)
	if err != nil {
		return err
	}
	out := format.New(w, report.Options{
		Colour: isTerminal(os.Stdout) && os.Getenv("NO_COLOR") == "",
		Models: len(s.Models) > 1, Title: s.Name,
	})
	err = c.Results(ctx, id, f.follow, func(line []byte) error {
		var r solver.Result
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("cannot read a result that the server sent: %w: %.100s", err, bytes.TrimSpace(line))
		}
		err := out.Result(&r)
		if f.follow {
			err = errors.Join(err, w.Flush())
		}
		return err
	})
	if err != nil {
		return err
	}
	return out.Close()
}

func cancelCommand() *cobra.Command {
	var f remoteFlags
	c := &cobra.Command{
		Use:     "cancel [flags] ID",
		Short:   "Cancel a suite on a server",
		Long:    "Cancel a suite on a server. The server keeps the results that it already has.",
		Example: `  litmuscope cancel --server http://lab:8080 k3v9x2m5q7ab`,
		Args:    oneID,
		RunE: f.aboutSuite(func(ctx context.Context, remote *client.Client, id string) error {
			s, err := remote.Cancel(ctx, id)
			if err == nil {
				fmt.Println(progressText(s))
			}
			return err
		}),
	}
	f.add(c.Flags())
	return c
}
