package sat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"litmuscope/solver/proof"
)

// program is a solver that reads DIMACS, in a process of its own for each question.
type program struct {
	name string
	// arguments has it solve what is on its standard input, for so many seconds, and
	// write to descriptor 3 whatever result is: its proof (DRAT, binary), or its answer.
	arguments func(seconds int, result string) []string
	answers   bool   // descriptor 3 is for the answer, rather than for a proof
	from      string // where to have it from
}

// The programs. Each gets a time limit, so that it ends by itself if the parent leaves it behind.
var (
	cadical = program{
		name: "cadical", from: "apt-get install cadical, or https://github.com/arminbiere/cadical",
		arguments: func(seconds int, result string) []string {
			return append([]string{"-q", "-t", strconv.Itoa(seconds), "/dev/stdin"}, given(result)...)
		},
	}
	kissat = program{
		name: "kissat", from: "https://github.com/arminbiere/kissat",
		arguments: func(seconds int, result string) []string {
			return append([]string{"-q", "-f", "--time=" + strconv.Itoa(seconds), "/dev/stdin"}, given(result)...)
		},
	}
	minisat = program{
		name: "minisat", answers: true, from: "apt-get install minisat, or http://minisat.se",
		arguments: func(seconds int, result string) []string {
			return []string{"-verb=0", "-cpu-lim=" + strconv.Itoa(seconds), "/dev/stdin", result}
		},
	}
	programs = []program{cadical, kissat, minisat}
)

func given(path string) []string {
	if path == "" {
		return nil
	}
	return []string{path}
}

// ErrMemory is the error for a solver's process that exceeds its memory limit.
var ErrMemory = errors.New("the solver's process exceeded its memory limit")

// dimacs implements Backend by a program.
type dimacs struct {
	program
	path    string
	problem Problem
	model   []bool
	proof   *os.File
}

// find is where the program is.
func (p program) find() (path string, err error) {
	if path, err = exec.LookPath(p.name); err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", fmt.Errorf("the solver %s is not on the PATH: install it (%s), or choose %s", p.name, p.from,
			strings.Join(there(), " or "))
	}
	return path, nil
}

func (p program) open(problem Problem) (Backend, error) {
	path, err := p.find()
	if err != nil {
		return nil, err
	}
	return &dimacs{program: p, path: path, problem: problem}, nil
}

// Find is where the program is that a backend starts; "" for a built-in or unknown backend.
func Find(backend string) (path string, err error) {
	for _, p := range programs {
		if p.name == backend {
			return p.find()
		}
	}
	return "", nil
}

// Outside reports whether a backend is a program, which starts anew with each question.
func Outside(backend string) bool {
	return slices.ContainsFunc(programs, func(p program) bool { return p.name == backend })
}

// the solvers whose program Find finds.
func there() []string {
	out := []string{"auto, which is built in"}
	for _, p := range programs {
		if _, err := exec.LookPath(p.name); err == nil {
			out = append(out, p.name)
		}
	}
	return out
}

// Append implements Backend.
func (d *dimacs) Append(clause []int) { d.problem.Clauses = append(d.problem.Clauses, clause) }

// The exit codes of SAT competitions.
const (
	exitSat   = 10
	exitUnsat = 20
)

// Solve implements Backend. The process ends with the context, and with this one.
func (d *dimacs) Solve(ctx context.Context, assume []int) (status Status, err error) {
	d.model = nil
	d.closeProof()
	var file *os.File // descriptor 3
	result := ""
	if d.answers || d.problem.Options.Certify {
		if file, err = nameless(); err != nil {
			return Unknown, fmt.Errorf("cannot write the solver's input file: %w", err)
		}
		result = "/dev/fd/3"
		defer func() {
			if status == Unsat && !d.answers {
				d.proof = file
			} else {
				_ = file.Close() // the file's content has been read
			}
		}()
	}
	over, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := exec.CommandContext(over, d.path, d.arguments(seconds(ctx), result)...)
	var out, complaint bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(d.cnf(assume)), &out, &complaint
	if file != nil {
		cmd.ExtraFiles = []*os.File{file}
	}
	tie(cmd)
	runtime.LockOSThread() // for tie: the process is this thread's
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return Unknown, fmt.Errorf("start %s: %w", d.name, err)
	}
	if limit := int64(d.problem.Options.Memory) << 20; limit > 0 {
		go watchMemory(over, cmd.Process.Pid, file, limit, func() { cancel(ErrMemory) })
	}
	err = cmd.Wait()
	switch {
	case cmd.ProcessState.ExitCode() == exitUnsat:
		return Unsat, nil
	case cmd.ProcessState.ExitCode() == exitSat:
		answer := io.Reader(&out)
		if d.answers {
			answer = io.NewSectionReader(file, 0, 1<<62)
		}
		if d.model, err = readModel(answer, d.problem.Vars); err != nil {
			return Unknown, fmt.Errorf("BUG: %s: %w", d.name, err)
		}
		return Sat, nil
	case ctx.Err() != nil:
		return Unknown, ctx.Err()
	case over.Err() != nil:
		return Unknown, context.Cause(over)
	}
	said := strings.TrimSpace(complaint.String())
	// The system may refuse it more memory, as it does this process, before anybody looks.
	// Minisat then says no more than that it does not know.
	refused := strings.Contains(said, "bad_alloc") || strings.Contains(said, "memory") ||
		strings.Contains(out.String(), "INDETERMINATE")
	if d.problem.Options.Memory > 0 && refused {
		return Unknown, ErrMemory
	}
	return Unknown, fmt.Errorf("%s gave no answer: %w: %s", d.name, err, said[:min(len(said), 1000)])
}

// seconds is a little more than a context leaves.
func seconds(ctx context.Context) int {
	const most = 1 << 24
	deadline, ok := ctx.Deadline()
	if !ok {
		return most
	}
	return min(most, int(time.Until(deadline)/time.Second)+2)
}

// cnf writes the problem down, with assumptions as clauses.
func (d *dimacs) cnf(assume []int) []byte {
	b := fmt.Appendf(nil, "p cnf %d %d\n", d.problem.Vars, len(d.problem.Clauses)+len(assume))
	for _, c := range d.problem.Clauses {
		for _, l := range c {
			b = append(strconv.AppendInt(b, int64(l), 10), ' ')
		}
		b = append(b, "0\n"...)
	}
	for _, l := range assume {
		b = append(strconv.AppendInt(b, int64(l), 10), " 0\n"...)
	}
	return b
}

// readModel reads the literals that are true: the lines that begin with v, or, as
// minisat writes them, the one after SAT. What is not there is false.
func readModel(r io.Reader, vars int) ([]bool, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	model := make([]bool, vars)
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || slices.Contains([]string{"s", "c", "SAT"}, words[0]) {
			continue
		}
		if words[0] == "v" {
			words = words[1:]
		}
		for _, w := range words {
			n, err := strconv.Atoi(w)
			if err != nil || n > vars || n < -vars {
				return nil, fmt.Errorf("%q is not a literal of the assignment", w)
			}
			if n > 0 {
				model[n-1] = true
			}
		}
	}
	return model, nil
}

// Model implements Backend.
func (d *dimacs) Model() []bool { return d.model }

// Proof implements Backend.
func (d *dimacs) Proof() (proofSteps, int64, error) {
	if d.proof == nil {
		return nil, 0, nil
	}
	size, err := d.proof.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = d.proof.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("the proof by %s: %w", d.name, err)
	}
	return func(yield func(proof.Step, error) bool) {
		defer d.closeProof()
		proof.ReadBinary(d.proof)(yield)
	}, size, nil
}

func (d *dimacs) closeProof() {
	if d.proof != nil {
		_ = d.proof.Close() // the file is only read
		d.proof = nil
	}
}
