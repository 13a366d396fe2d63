package hardware

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/report"
)

// Options say how [Run] runs tests.
type Options struct {
	Target  Target
	Machine Machine
	Runs    int
	Size    int // cells in each run
	// Limit is the longest time for one test.
	Limit time.Duration
	// Together is the number of tests in one program; 0 means DefaultTogether.
	Together int

	// emulator is a command that runs programs for another processor, in tests.
	emulator []string
}

// DefaultTogether is the number of tests in one program. A compiler takes about 7 ms for each test and 0.1 s for the
// program around them, so larger programs save nothing, and smaller ones show the first results sooner.
const DefaultTogether = 200

// Answer is what became of one job: an observation with its log, or an error. Both are there if a run of the test did
// not end but earlier ones did.
type Answer struct {
	Job         Job
	Observation Observation
	Log         string // in litmus7's format; "" without an observation
	Err         error
	Interrupted bool // the context ended during this test, so some of its runs may be missing
}

// Run runs jobs in order and calls each for every answer, as soon as it is there. When the context ends, the current
// test ends early, and Run returns nil after its answer. The error is one of each's, or says that no program can be
// built or started.
func Run(ctx context.Context, jobs []Job, o Options, each func(Answer) error) error {
	dir, err := os.MkdirTemp("", "litmuscope-hw-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	together := o.Together
	if together == 0 {
		together = DefaultTogether
	}
	number := 0
	for len(jobs) > 0 && ctx.Err() == nil {
		n := min(together, len(jobs))
		programs, err := build(ctx, o.Target, jobs[:n], dir, &number)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		for _, p := range programs {
			if p.err != nil {
				err = each(Answer{Job: p.jobs[0], Err: p.err})
			} else {
				err = p.run(ctx, o, each)
			}
			if err != nil {
				return err
			}
			if p.file != "" {
				os.Remove(p.file)
			}
		}
		jobs = jobs[n:]
	}
	return nil
}

// run runs the tests of a program. It starts the program again after a test that stops it.
func (p program) run(ctx context.Context, o Options, each func(Answer) error) error {
	for from := 0; from < len(p.jobs) && ctx.Err() == nil; {
		done, why, err := p.start(ctx, o, from, each)
		if err != nil {
			return err
		}
		if from += done; from < len(p.jobs) && ctx.Err() == nil {
			err := each(Answer{Job: p.jobs[from], Err: fmt.Errorf("%s: %s", p.jobs[from].Path, why)})
			if err != nil {
				return err
			}
			from++
		}
	}
	return nil
}

// exitPartly is the program's exit status after a test of which only some runs ended. Its log is printed.
const exitPartly = 3

// start runs the tests from one on, until the program ends. done is the number of tests with a log, and why is the
// program's last message if there are more.
func (p program) start(ctx context.Context, o Options, from int, each func(Answer) error) (done int, why string,
	err error,
) {
	command := append(slices.Clone(o.emulator), p.file, "-r", strconv.Itoa(o.Runs), "-s", strconv.Itoa(o.Size), "-t",
		strconv.Itoa(max(1, int(o.Limit/time.Second))), "-from", strconv.Itoa(from))
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // it then prints what it has
	c.WaitDelay = 10 * time.Second
	var messages bytes.Buffer
	c.Stderr = &messages
	out, err := c.StdoutPipe()
	if err != nil {
		return 0, "", err
	}
	if err := c.Start(); err != nil {
		return 0, "", fmt.Errorf("the program does not start: %w", err)
	}
	var last *Answer
	flush := func() error {
		if last == nil {
			return nil
		}
		o := *last
		last = nil
		return each(o)
	}
	logs := bufio.NewReader(out)
	for from+done < len(p.jobs) {
		text, err := readLog(logs)
		if err != nil {
			break
		}
		if err := flush(); err != nil {
			_ = c.Process.Kill()
			_ = c.Wait()
			return done, "", err
		}
		last = o.observe(p.jobs[from+done], text)
		done++
	}
	_, _ = io.Copy(io.Discard, logs)
	failed := c.Wait()
	why = strings.TrimSpace(messages.String())
	if i := strings.LastIndexByte(why, '\n'); i >= 0 {
		why = why[i+1:]
	}
	if exit := (*exec.ExitError)(nil); last != nil && errors.As(failed, &exit) && exit.ExitCode() == exitPartly {
		last.Err = fmt.Errorf("%s: %s", last.Job.Path, why)
	}
	if last != nil {
		last.Interrupted = ctx.Err() != nil
	}
	if why == "" && failed != nil {
		why = "the program ended: " + failed.Error()
	} else if why == "" {
		why = "the program printed no log"
	}
	return done, why, flush()
}

// readLog reads the log of one test: up to its last line, "Time NAME SECONDS", and the empty line after it.
func readLog(r *bufio.Reader) (string, error) {
	var b strings.Builder
	seen := false // the line that ends the histogram's test; the text of a test may have lines such as Time
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", err
		}
		b.WriteString(line)
		seen = seen || strings.HasPrefix(line, "Observation ")
		if seen && strings.HasPrefix(line, "Time ") {
			_, err = r.ReadString('\n')
			b.WriteByte('\n')
			return b.String(), err
		}
	}
}

// observe makes an answer of the log of a job.
func (o Options) observe(j Job, log string) *Answer {
	out := &Answer{Job: j, Log: log}
	row, err := report.NewReader(j.Path, strings.NewReader(log)).Next()
	if err != nil {
		out.Err = fmt.Errorf("the log of %s: %w", j.Path, err)
		return out
	}
	obs := &out.Observation
	*obs = Observation{
		Path: j.Path, Test: j.Native.Name, Arch: j.Native.Arch, Source: j.Source, Machine: o.Machine,
		Runs: int64(row.Runs()), Compiler: o.Target.Compiler, Date: time.Now().UTC().Truncate(time.Second),
	}
	for _, s := range row.States {
		if s.Count == nil {
			out.Err = fmt.Errorf("the log of %s has a state without a count", j.Path)
			return out
		}
		obs.Counts = append(obs.Counts, Count{State: s.State, N: int64(*s.Count)})
	}
	Sort(obs.Counts)
	for line := range strings.Lines(log) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "Time" {
			obs.Seconds, _ = strconv.ParseFloat(f[2], 64)
		}
		if name, ok := strings.CutPrefix(line, "GPU="); ok && j.Native.Arch == "PTX" {
			obs.Machine.Arch, obs.Machine.Processor = "PTX", strings.TrimSpace(name)
		}
	}
	return out
}

// Verdict is a model's answer beside what a machine has shown.
type Verdict struct {
	Model   string         `json:"model"`
	Status  solver.Status  `json:"status"`
	Verdict solver.Verdict `json:"verdict,omitempty"`
	Error   string         `json:"error,omitempty"` // why the model has no answer
	// SeenForbidden are the states that the machine has shown and the model forbids.
	SeenForbidden []Count `json:"seen_forbidden"`
	// NeverSeen are the states that the model allows and the machine has not shown.
	NeverSeen []solver.State `json:"never_seen"`
	// Undecided: the machine has shown states that the model's list lacks, but the list is not complete.
	Undecided bool `json:"undecided,omitempty"`
	// Undefined: the model says that the behaviour of the test is undefined, or may be, as with a data race in C. It
	// then forbids no state.
	Undefined bool `json:"undefined,omitempty"`
}

// Judge compares an observation with a model's answer for the same test. A state counts as forbidden only if the
// model's list of states is complete, no bound may have hidden one, and the behaviour of the test is defined.
func Judge(o Observation, r *solver.Result) Verdict {
	row := report.RowOf(r)
	v := Verdict{
		Model: r.Model, Status: r.Status, Verdict: r.Verdict, SeenForbidden: []Count{}, NeverSeen: []solver.State{},
	}
	if r.Status != solver.OK {
		v.Error = r.Error + r.Reason
		return v
	}
	v.Undefined = r.Undefined() != solver.No
	key := func(s solver.State) string {
		text, _ := s.MarshalJSON()
		return string(text)
	}
	allowed, seen := map[string]bool{}, map[string]bool{}
	for _, s := range row.States {
		allowed[key(s.State)] = true
	}
	listed := r.Complete && (r.StatesComplete == nil || *r.StatesComplete) && r.Cut == ""
	for _, c := range o.Counts {
		k := key(c.State)
		seen[k] = true
		switch {
		case allowed[k], v.Undefined:
		case listed:
			v.SeenForbidden = append(v.SeenForbidden, c)
		default:
			v.Undecided = true
		}
	}
	for _, s := range row.States {
		if !seen[key(s.State)] {
			v.NeverSeen = append(v.NeverSeen, s.State)
		}
	}
	return v
}
