package cmd

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"litmuscope/litmus/native"
	"litmuscope/litmus/suite"
	"litmuscope/litmus/toolchain"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/hardware"
)

// hwFlags are the flags of the hw command.
type hwFlags struct {
	askFlags
	cc      string
	runs    int
	size    int
	limit   time.Duration
	format  string
	out     string
	resume  string
	machine string
	db      string
}

// noModel is the value of --model that asks no model.
const noModel = "none"

// hwFormats are the formats of the hw command.
var hwFormats = []string{"herd", "jsonl", "c"}

// hwCommand returns the hw command.
func hwCommand() *cobra.Command {
	var f hwFlags
	c := &cobra.Command{
		Use:   "hw [flags] PATH...",
		Short: "Run tests on this machine's processor",
		Long: `Run litmus tests on this machine's processor, count the outcomes, and compare them with a
model.

Each test becomes a C program with the test's own instructions, or with C11 atomics for
tests in C. The compiler builds the programs, some hundred tests in each, and the command
runs them. -f herd prints litmus7's logs, which compare reads. -f jsonl prints one
observation per line, with the models' verdicts. -f c prints the C programs and runs
nothing.

The model is the one of the test's architecture. If the processor shows an outcome that
the model forbids, the command says so on standard error and exits with status 1. An
outcome that never shows up can still be allowed.

With --out and no -f c, the command builds the program and does not run it. Use this with
--cc and a compiler for another processor: copy the program to that machine, run it there,
and give its log to compare.

Exit status: 0 when every test ran and showed only what the model allows, 1 when some test
could not run or showed more, 2 when the command line is wrong.`,
		Example: `  litmuscope hw SB.litmus
  litmuscope hw -r 100 -s 10000 -f jsonl tests > this-machine.jsonl
  litmuscope hw -f jsonl --resume this-machine.jsonl tests >> this-machine.jsonl
  litmuscope hw -f c MP.litmus > MP.c
  litmuscope hw --cc aarch64-linux-gnu-gcc --out mp-arm MP.litmus`,
		Args: atLeastOne("hw", "a test, a folder, @LIST, an archive or -"),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.cc, "cc", "cc", "build with this C `COMPILER`, a command with its flags")
	flags.IntVarP(&f.runs, "runs", "r", 10, "number of runs of each test")
	flags.IntVarP(&f.size, "size", "s", 10000, "number of cells in a run: copies of the test's variables")
	flags.DurationVar(&f.limit, "limit", 20*time.Second, "time limit for one test")
	formatFlag(c, &f.format, "output `FORMAT`", hwFormats)
	flags.StringVar(&f.out, "out", "", "write the program to this `FILE`; with -f c and several tests, to this folder")
	flags.StringVar(&f.resume, "resume", "", "skip the tests that this `FILE` of -f jsonl contains")
	flags.StringVar(&f.machine, "machine", "", "`NAME` of this machine in results (default the host's name)")
	f.addModels(c, "test")
	flags.Lookup("model").Usage += "; none asks no model"
	flags.StringVar(&f.db, "db", "", "cache the models' answers in this database `FILE` (default no cache)")
	optionFlags(flags, &f.options, nil)
	c.AddCommand(hwImportCommand())
	return c
}

// check returns an error that names the flag with a wrong value.
func (f *hwFlags) check() error {
	const most = 100_000_000
	switch {
	case f.runs < 1 || f.runs > most:
		return fmt.Errorf("--runs: got %d, want 1 to %d", f.runs, most)
	case f.size < 1 || f.size > most:
		return fmt.Errorf("--size: got %d, want 1 to %d", f.size, most)
	case f.limit < time.Second:
		return fmt.Errorf("--limit: got %v, want 1s or more", f.limit)
	case f.resume != "" && f.format != "jsonl":
		return errors.New("--resume: want -f jsonl, whose results it reads")
	}
	return checkFormat(f.format, hwFormats)
}

// run runs the hw command. Every error except errNotAll is for the user to fix.
func (f *hwFlags) run(ctx context.Context, paths []string) error {
	if err := f.check(); err != nil {
		return err
	}
	with, err := toolchain.Parse(f.cc)
	if err != nil {
		return fmt.Errorf("--cc: %w", err)
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	target, err := hardware.Probe(ctx, with)
	if err != nil {
		return fmt.Errorf("--cc: %w", err)
	}
	if !target.Here() && f.format != "c" && f.out == "" {
		return fmt.Errorf("%s builds for %s on %s, which is not this machine: add --out FILE to build the program "+
			"only", f.cc, target.Arch, target.System)
	}
	h := &hwRun{hwFlags: f, target: target, encoder: json.NewEncoder(os.Stdout)}
	h.encoder.SetEscapeHTML(false)
	jobs, err := h.admit(ctx, paths)
	switch {
	case err != nil:
		return err
	case f.format == "c":
		err = h.writeC(jobs)
	case f.out != "":
		err = h.build(ctx, jobs)
	default:
		err = h.runTests(ctx, paths, jobs)
	}
	if err != nil {
		return err
	}
	return h.end(ctx)
}

// hwRun is one run of the hw command.
type hwRun struct {
	*hwFlags
	target  hardware.Target
	encoder *json.Encoder
	runner  solver.Runner
	tasks   []solver.Task

	tests, ran, failed, forbidden int
}

// hwLine is a line of -f jsonl: an observation with the models' verdicts, or an error.
type hwLine struct {
	hardware.Observation
	Status string `json:"status"`
	Error  string `json:"error,omitempty"`
	// Interrupted: some of the runs may be missing. --resume runs the test again.
	Interrupted bool               `json:"interrupted,omitempty"`
	Models      []hardware.Verdict `json:"models,omitempty"`
}

// admit reads the tests and reports those that cannot run.
func (h *hwRun) admit(ctx context.Context, paths []string) (jobs []hardware.Job, err error) {
	done := map[string]bool{}
	if h.resume != "" {
		if done, err = finished(h.resume); err != nil {
			return nil, fmt.Errorf("--resume: %w", err)
		}
	}
	for e := range suite.Collect(ctx, paths, stdin(ctx, paths)) {
		h.tests++
		if e.Err == nil && done[e.Source] {
			continue
		}
		var j hardware.Job
		if err = e.Err; err == nil {
			j, err = hardware.Admit(e.Path, e.Source, h.target)
		}
		if err == nil {
			jobs = append(jobs, j)
		} else if err := h.fail(e.Path, e.Source, err); err != nil {
			return nil, err
		}
	}
	if h.tests == 0 && ctx.Err() == nil {
		return nil, errors.New("no tests found in the given paths")
	}
	return jobs, nil
}

// finished returns the texts of the tests that a file of results contains, without those that failed or were
// interrupted.
func finished(file string) (map[string]bool, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	done := map[string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		var l hwLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		if l.Status == string(solver.OK) && !l.Interrupted {
			done[l.Source] = true
		}
	}
	return done, lines.Err()
}

// fail reports a test that does not run.
func (h *hwRun) fail(path, source string, err error) error {
	h.failed++
	if h.format == "jsonl" {
		l := hwLine{Status: string(solver.Failed), Error: err.Error()}
		l.Path, l.Source = path, source
		return h.encoder.Encode(l)
	}
	fmt.Fprintln(os.Stderr, "litmuscope:", err)
	return nil
}

// writeC writes the C files.
func (h *hwRun) writeC(jobs []hardware.Job) error {
	if h.out == "" {
		if len(jobs) > 1 {
			return fmt.Errorf("-f c: %d tests make as many files: add --out FOLDER", len(jobs))
		}
		for _, j := range jobs {
			if _, err := os.Stdout.Write(native.File([]*native.Test{j.Native})); err != nil {
				return err
			}
			h.ran++
		}
		return nil
	}
	file := func(hardware.Job) string { return h.out }
	if h.tests > 1 || !strings.HasSuffix(h.out, ".c") {
		if err := os.MkdirAll(h.out, 0o755); err != nil {
			return err
		}
		taken := map[string]int{}
		file = func(j hardware.Job) string {
			name := strings.TrimSuffix(filepath.Base(j.Path), ".litmus")
			if taken[name]++; taken[name] > 1 {
				name = fmt.Sprintf("%s-%d", name, taken[name])
			}
			return filepath.Join(h.out, name+".c")
		}
	}
	for _, j := range jobs {
		if err := os.WriteFile(file(j), native.File([]*native.Test{j.Native}), 0o644); err != nil {
			return err
		}
		h.ran++
	}
	return nil
}

// build builds one program of all tests and says how to use it.
func (h *hwRun) build(ctx context.Context, jobs []hardware.Job) error {
	if len(jobs) == 0 {
		return nil
	}
	rejected, err := hardware.Build(ctx, h.target, jobs, h.out)
	if err != nil {
		return err
	}
	for _, r := range rejected {
		if err := h.fail(r.Job.Path, r.Job.Source, r.Err); err != nil {
			return err
		}
	}
	if h.ran = len(jobs) - len(rejected); h.ran == 0 {
		return nil
	}
	name := filepath.Base(h.out)
	fmt.Fprintf(os.Stderr, "litmuscope: %s is a program for %s on %s with %s. Copy it to such a machine, and run\n"+
		"  ./%s -r %d -s %d > %s.log\n"+
		"Then compare the log with a model's: litmuscope run -f jsonl %s | litmuscope compare %s.log -\n",
		h.out, h.target.Arch, h.target.System, solver.Count(h.ran, "test"), name, h.runs, h.size, name,
		"PATH...", name)
	return nil
}

// runTests runs the tests here.
func (h *hwRun) runTests(ctx context.Context, paths []string, jobs []hardware.Job) error {
	if len(h.models) != 1 || h.models[0] != noModel {
		tasks, err := h.askFlags.tasks()
		if err != nil {
			return err
		}
		for _, t := range tasks {
			if err := admit(t); err != nil {
				return err
			}
		}
		runner, closeRunner, err := newRunner(context.WithoutCancel(ctx), 1, h.db)
		if err != nil {
			return err
		}
		defer closeRunner()
		h.runner, h.tasks = runner, tasks
	}
	bar := startProgress(ctx, paths, 1)
	defer bar.Finish()
	bar.Add(h.tests - len(jobs))
	return hardware.Run(ctx, jobs, hardware.Options{
		Target: h.target, Machine: hardware.ThisMachine(h.target, h.machine), Runs: h.runs, Size: h.size,
		Limit: h.limit,
	}, func(o hardware.Answer) error {
		bar.Add(1)
		return h.answer(context.WithoutCancel(ctx), o)
	})
}

// answer prints what became of one test, and asks the models about it.
func (h *hwRun) answer(ctx context.Context, o hardware.Answer) error {
	if o.Err != nil && o.Log == "" {
		return h.fail(o.Job.Path, o.Job.Source, o.Err)
	}
	h.ran++
	l := hwLine{Observation: o.Observation, Status: string(solver.OK), Interrupted: o.Interrupted}
	if o.Err != nil {
		h.failed++
		l.Error = o.Err.Error()
	}
	forbidden := false
	for _, t := range h.tasks {
		t.Path, t.Source = o.Job.Path, o.Job.Source
		r, err := batch.Ask(ctx, h.runner, t)
		if err != nil {
			return err
		}
		v := hardware.Judge(o.Observation, r)
		for _, c := range v.SeenForbidden {
			forbidden = true
			fmt.Fprintf(os.Stderr, "litmuscope: SEEN BUT FORBIDDEN: %s: %s forbids %s, seen in %d of %d runs\n",
				o.Job.Path, v.Model, stateLine(c.State), c.N, o.Observation.Runs)
		}
		l.Models = append(l.Models, v)
	}
	if forbidden {
		h.forbidden++
	}
	if h.format == "jsonl" {
		return h.encoder.Encode(l)
	}
	if l.Error != "" {
		fmt.Fprintln(os.Stderr, "litmuscope:", l.Error)
	}
	_, err := io.WriteString(os.Stdout, o.Log)
	return err
}

// stateLine is a state on one line.
func stateLine(s solver.State) string {
	parts := make([]string, len(s))
	for i, b := range s {
		parts[i] = b.Name + "=" + b.Value + ";"
	}
	return strings.Join(parts, " ")
}

// end prints what did not go well. Its error is errNotAll in that case.
func (h *hwRun) end(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(os.Stderr, "litmuscope: interrupted after %s\n", solver.Count(h.ran, "result"))
	case h.failed+h.forbidden > 0:
		fmt.Fprintf(os.Stderr, "litmuscope: %s: %d ran or were built, %d could not run or did not end, %d showed "+
			"an outcome that the model forbids\n", solver.Count(h.tests, "test"), h.ran, h.failed, h.forbidden)
	default:
		return nil
	}
	return errNotAll
}
