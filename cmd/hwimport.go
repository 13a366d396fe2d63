package cmd

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/observations"
	"litmuscope/store"
)

// maxMachineLog bounds a log that is imported, in bytes.
const maxMachineLog = 1 << 30

// hwImportFlags are the flags of the command hw import.
type hwImportFlags struct {
	db      string
	tests   []string
	machine solver.Computer
	forget  bool
}

// hwImportCommand returns the command hw import.
func hwImportCommand() *cobra.Command {
	var f hwImportFlags
	c := &cobra.Command{
		Use:   "import [flags] LOG...",
		Short: "Store what machines have shown in a database",
		Long: `Store the observations of logs in a database, which pages, suites and run --db show
beside the models' answers.

A LOG is a log of litmus7, also of hw -f herd, or JSON lines of hw -f jsonl; - is standard
input. JSON lines contain the machine and the tests. For a log of litmus7, --machine names
the machine and --tests the tests: each test of the log is matched by its name and by the
registers and locations of its outcomes. A test that matches none is stored under its name
only, and no page shows it. To match it later, run the command with --tests and no LOG.

The counts of several logs of a machine add up. To import a log again replaces what it
gave before. --forget removes a machine with all its observations.

Exit status: 0 when every test was matched, 1 when some are stored under their names only
or have no counts, 2 when the command line is wrong or a log cannot be read.`,
		Example: `  litmuscope hw import --db litmus.db this-machine.jsonl
  litmuscope hw import --db litmus.db --machine raspberry --tests tests/ raspberry.log
  litmuscope hw import --db litmus.db --tests more-tests/
  litmuscope hw import --db litmus.db --machine raspberry --forget`,
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args, c.OutOrStdout()) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.db, "db", "", "database `FILE`, such as that of serve --db")
	flags.StringVar(&f.machine.Name, "machine", "", "`NAME` of the machine (default the one in JSON lines)")
	flags.StringArrayVar(&f.tests, "tests", nil, "match the logs' tests with the tests of this `PATH`; may be given "+
		"several times")
	flags.StringVar(&f.machine.Arch, "machine-arch", "", "architecture of the machine, as in the headers of tests")
	flags.StringVar(&f.machine.Processor, "processor", "", "the machine's processor, in words")
	flags.BoolVar(&f.forget, "forget", false, "remove the machine with all its observations")
	return c
}

// run runs the command hw import.
func (f *hwImportFlags) run(ctx context.Context, logs []string, out io.Writer) error {
	switch {
	case f.db == "":
		return errors.New("hw import: want --db FILE")
	case f.forget && (f.machine.Name == "" || len(logs) > 0):
		return errors.New("hw import --forget: want --machine NAME and no logs")
	case !f.forget && len(logs) == 0 && len(f.tests) == 0:
		return errors.New("hw import: want a log, or --tests for observations that are stored under their names only")
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	sources, err := f.sources(ctx)
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, f.db)
	if err != nil {
		return err
	}
	defer s.Close()
	if f.forget {
		n, err := s.ForgetMachine(ctx, f.machine.Name)
		if err == nil && n == 0 {
			err = fmt.Errorf("--machine: %s has no observations in %s", f.machine.Name, f.db)
		}
		if err == nil {
			fmt.Fprintf(out, "removed %s of %s\n", solver.Count(int(n), "observation"), f.machine.Name)
		}
		return err
	}
	open := 0
	for _, log := range logs {
		n, err := f.importLog(ctx, s, log, sources, out)
		if err != nil {
			return err
		}
		open += n
	}
	if len(logs) == 0 {
		if open, err = f.attach(ctx, s, sources, out); err != nil {
			return err
		}
	}
	if open > 0 {
		return errNotAll
	}
	return nil
}

// sources reads the tests of --tests. It warns of those with errors.
func (f *hwImportFlags) sources(ctx context.Context) (out []observations.Source, err error) {
	if len(f.tests) == 0 {
		return nil, nil
	}
	for e := range suite.Collect(ctx, f.tests, nil) {
		err := e.Err
		var s observations.Source
		if err == nil {
			s, err = observations.ReadSource(e.Path, e.Source)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "litmuscope: --tests:", err)
			continue
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return nil, errors.New("--tests: no tests found in the given paths")
	}
	return out, ctx.Err()
}

// importLog stores the observations of a log and prints what became of each. open counts the entries that no test has.
func (f *hwImportFlags) importLog(
	ctx context.Context, s *store.Store, file string, sources []observations.Source, out io.Writer,
) (open int, err error) {
	text, date, err := readMachineLog(ctx, file)
	if err != nil {
		return 0, err
	}
	found, skipped, err := observations.Read(file, bytes.NewReader(text), sources)
	if err != nil {
		return 0, err
	}
	session := fmt.Sprintf("%.100s %.12x", filepath.Base(file), sha256.Sum256(text))
	var list []store.Observation
	for _, o := range found {
		m := o.Machine
		if f.machine.Name != "" {
			if m.Name == "" || m.Name == f.machine.Name {
				m.Name = f.machine.Name
			} else {
				return 0, fmt.Errorf("--machine: %s names the machine %s itself", file, m.Name)
			}
		}
		if m.Name == "" {
			return 0, fmt.Errorf("%s does not name its machine: add --machine NAME", file)
		}
		if f.machine.Arch != "" {
			m.Arch = f.machine.Arch
		}
		if f.machine.Processor != "" {
			m.Processor = f.machine.Processor
		}
		if o.Date.IsZero() {
			o.Date = date
		}
		list = append(list, store.Observation{
			Program: o.Program, Test: o.Test, Machine: m, Session: session, Date: o.Date, Runs: o.Runs,
			Outcomes: o.Outcomes,
		})
	}
	if err := s.PutObservations(ctx, list); err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	matched := 0
	for _, o := range found {
		if o.Program != nil {
			matched++
			fmt.Fprintf(out, "%s: matches %s, %s\n", o.Test, o.Source, countRuns(o.Runs))
		} else {
			fmt.Fprintf(out, "%s: stored under its name only, %s: %s\n", o.Test, countRuns(o.Runs), o.Why)
		}
	}
	for _, why := range skipped {
		fmt.Fprintf(out, "%s: not stored\n", why)
	}
	fmt.Fprintf(out, "%s: %s: %d matched, %d stored under their names only, %d not stored\n", file,
		solver.Count(len(found)+len(skipped), "test"), matched, len(found)-matched, len(skipped))
	return len(found) - matched + len(skipped), nil
}

// readMachineLog reads a log, with the date of its file; standard input has the present.
func readMachineLog(ctx context.Context, file string) (text []byte, date time.Time, err error) {
	var in io.Reader
	date = time.Now()
	if file == "-" {
		in = interruptible(ctx, os.Stdin)
	} else {
		opened, err := os.Open(file)
		if err != nil {
			return nil, date, err
		}
		defer opened.Close()
		if info, err := opened.Stat(); err == nil {
			date = info.ModTime()
		}
		in = opened
	}
	text, err = io.ReadAll(io.LimitReader(in, maxMachineLog+1))
	if err == nil && len(text) > maxMachineLog {
		err = fmt.Errorf("%s: the log is larger than %d MiB, the limit: split it", file, maxMachineLog>>20)
	}
	return text, date, err
}

// attach matches the observations that are stored under their names only with tests.
func (f *hwImportFlags) attach(
	ctx context.Context, s *store.Store, sources []observations.Source, out io.Writer,
) (open int, err error) {
	list, err := s.Unattached(ctx, f.machine.Name)
	if err != nil {
		return 0, err
	}
	for _, o := range list {
		var outcome solver.State
		if len(o.Outcomes) > 0 {
			outcome = o.Outcomes[0].State
		}
		source, why := observations.Match(sources, o.Test, "", outcome)
		if source == nil {
			open++
			fmt.Fprintf(out, "%s on %s: still stored under its name only: %s\n", o.Test, o.Machine.Name, why)
			continue
		}
		if err := s.Attach(ctx, o, source.Program); err != nil {
			return 0, err
		}
		fmt.Fprintf(out, "%s on %s: matches %s, %s\n", o.Test, o.Machine.Name, source.Path, countRuns(o.Runs))
	}
	fmt.Fprintf(out, "%s: %d matched, %d stored under their names only\n", solver.Count(len(list), "observation"),
		len(list)-open, open)
	return open, nil
}

// countRuns is a number of runs in words.
func countRuns(n int64) string {
	if n == 1 {
		return "1 run"
	}
	return fmt.Sprintf("%d runs", n)
}
