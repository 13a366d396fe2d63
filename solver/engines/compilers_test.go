package engines

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog/cprogtest"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/solver"
)

var (
	compiled = flag.Int("compiled", 100, "how many programs of csmith's are held against compilers, of which -short "+
		"takes a tenth; of our own, -rapid.checks says it")
	first = flag.Int("first", 0, "csmith's first seed; of our own programs, -rapid.seed says it")
)

// compilers are those of the host's that are there, each with options of its own, so that what
// no standard defines shows as a difference between them.
func compilers(t *testing.T) [][]string {
	var all [][]string
	for _, c := range [][]string{{"gcc", "-O0"}, {"clang", "-O2"}} {
		if path, err := exec.LookPath(c[0]); err == nil {
			all = append(all, append([]string{path, "-w", "-std=gnu17"}, c[1:]...))
		}
	}
	if len(all) == 0 {
		path, err := exec.LookPath("cc")
		if err != nil {
			t.Skip("no C compiler on the PATH")
		}
		all = append(all, []string{path, "-w"})
	}
	return all
}

// laboratory compiles programs of one thread and verifies them.
type laboratory struct {
	t         *testing.T
	dir       string
	compilers [][]string
	include   map[string]string
	engines   []string // that take turns
	begun     int
	held      int
	refused   map[string]int // by reason
	slow      int            // not decided in time
	cut       int            // safe up to the unrolled rounds
	endless   int            // without an end, and found to be
}

func newLaboratory(t *testing.T) *laboratory {
	l := &laboratory{
		t: t, engines: []string{"axiomatic", "graphs"}, dir: t.TempDir(), compilers: compilers(t),
		include: map[string]string{}, refused: map[string]int{},
	}
	for _, name := range []string{"checksum.h", "csmith.h"} {
		text, err := cprogtest.Headers.ReadFile("include/" + name)
		if err != nil {
			t.Fatal(err)
		}
		l.include["include/"+name] = string(text)
		if err := os.WriteFile(filepath.Join(l.dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		l.report()
		if l.held == 0 {
			t.Error("no program was held against a compiler")
		}
	})
	return l
}

// run compiles a program and gives the checksum that it prints; "" where it comes to no end in
// a second of the processor's. That compilers differ about it is an error.
func (l *laboratory) run(ctx context.Context, text string) (string, error) {
	source := filepath.Join(l.dir, "program.c")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		return "", err
	}
	var sum string
	for i, c := range l.compilers {
		binary := filepath.Join(l.dir, "program")
		if out, err := exec.CommandContext(ctx, c[0],
			append(c[1:], "-I", l.dir, "-o", binary, source)...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", c[0], err, out)
		}
		out, err := exec.CommandContext(ctx, "sh", "-c", `ulimit -c 0 && ulimit -S -t 1 && exec "$0"`, binary).Output()
		switch {
		case err != nil && strings.HasPrefix(err.Error(), "signal: CPU time limit exceeded"):
			return "", nil
		case err != nil:
			return "", fmt.Errorf("compiled by %s: %w", c[0], err)
		}
		if i > 0 && string(out) != sum {
			return "", fmt.Errorf("compiled by %s it prints %s, by %s %s", c[0], out, l.compilers[0][0], sum)
		}
		sum = string(out)
	}
	return strings.TrimSpace(sum), nil
}

// variables are what differs between refusals for one reason.
var variables = regexp.MustCompile(`^\S+:\d+:\d+: |\S+:\d+:\d+|\d+|[gl]_\S+`)

// hold compiles a program and verifies that it comes to the checksum that it prints, and to its end: the answer is to
// be unsafe, by the assertion behind the checksum's. With full checks, a second one without that assertion should be
// safe, for memory and overflows as well: it has no undefined behaviour.
func (l *laboratory) hold(ctx context.Context, text string, all bool) error {
	if l.begun > 0 && l.begun%50 == 0 { // whoever stops it has this
		l.report()
	}
	l.begun++
	sum, err := l.run(ctx, text)
	switch {
	case err != nil:
		return err
	case sum == "":
		return l.holdEndless(ctx, text)
	}
	task := l.task(text, l.engines[l.begun%len(l.engines)])
	for _, question := range []struct {
		end        bool
		properties []ir.Property
	}{
		{end: true, properties: []ir.Property{ir.Assertion}},
		{properties: []ir.Property{ir.Assertion, ir.Memory, ir.Overflow}},
	} {
		if !question.end && !all {
			break
		}
		task.Defines = []string{"CHECKSUM=" + sum}
		if question.end {
			task.Defines = append(task.Defines, "END")
		}
		task.Properties = question.properties
		v, err := Run(ctx, task)
		switch {
		case err != nil:
			return err
		case l.leavesOpen(v):
			return nil
		case question.end && (v.Verdict != solver.Unsafe || !strings.Contains(v.Failure.Text, "the end")):
			return fmt.Errorf("%s, want the checksum %s and the end reached%s", v.Verdict, sum, failureOf(v))
		case !question.end && v.Verdict != solver.Safe:
			return fmt.Errorf("%s, want it safe by %s%s", v.Verdict, v.Property, failureOf(v))
		}
	}
	l.held++
	return nil
}

func (l *laboratory) task(text, engine string) solver.VerifyTask {
	task := solver.VerifyTask{
		Path: "program.c", Files: []solver.SourceFile{{Name: "program.c", Text: text}}, Include: l.include,
		Dirs:  []string{"include"},
		Model: "sc", Engine: engine, Options: solver.DefaultOptions(),
	}
	task.Options.Timeout = time.Minute
	task.Options.Unroll = 8 // more rounds than drawn loops with a jump into the middle have
	return task
}

// leavesOpen tells whether an answer is none, and counts it.
func (l *laboratory) leavesOpen(v *solver.Verification) bool {
	switch {
	case v.Status == solver.Failed:
		l.refused[variables.ReplaceAllString(v.Error, "")]++
	case v.Status == solver.Unknown:
		l.slow++
	case v.Verdict == solver.Safe && !v.Complete:
		l.cut++
	default:
		return false
	}
	return true
}

// holdEndless verifies that what runs for a second, which is longer than anybody follows it here, runs for ever.
func (l *laboratory) holdEndless(ctx context.Context, text string) error {
	task := l.task(text, "graphs")
	task.Properties = []ir.Property{ir.Termination}
	v, err := Run(ctx, task)
	switch {
	case err != nil:
		return err
	case l.leavesOpen(v):
	case v.Verdict != solver.Unsafe:
		return fmt.Errorf("%s, want a loop that goes round for ever: compiled, it comes to no end in a second",
			v.Verdict)
	default:
		l.endless++
	}
	return nil
}

func failureOf(v *solver.Verification) string {
	if v.Failure == nil {
		return ""
	}
	return fmt.Sprintf("; line %d fails: %s", v.Failure.Line, v.Failure.Text)
}

// report prints the results of all programs so far.
func (l *laboratory) report() {
	refused := 0
	for _, n := range l.refused {
		refused += n
	}
	l.t.Logf("of %d programs, %d come to the checksum and the end that compiled code comes to, %d to no end, as "+
		"compiled code; %d have loops that were cut, %d were not decided in time; %d refused",
		l.begun, l.held, l.endless, l.cut, l.slow, refused)
	for _, reason := range slices.Sorted(maps.Keys(l.refused)) {
		l.t.Logf("%d refused: %s", l.refused[reason], reason)
	}
}

// TestVerifyIsWhatCompilersMakeOfCsmith has csmith (Yang, Chen, Eide and Regehr, “Finding and
// Understanding Bugs in C Compilers”, PLDI 2011) write programs.
func TestVerifyIsWhatCompilersMakeOfCsmith(t *testing.T) {
	csmith, err := exec.LookPath("csmith")
	if err != nil {
		t.Skip("no csmith on the PATH")
	}
	l, count := newLaboratory(t), *compiled
	if testing.Short() {
		count /= 30
	}
	for seed := *first; seed < *first+count; seed++ {
		c := exec.Command(csmith, "--seed", fmt.Sprint(seed), "--no-volatiles", "--no-argc", "--concise",
			"--no-hash-value-printf")
		c.Dir = l.dir // it writes a log beside
		text, err := c.Output()
		if err != nil {
			t.Fatalf("csmith --seed %d: %v", seed, err)
		}
		if err := l.hold(t.Context(), string(text), seed%4 == 0); err != nil {
			t.Errorf("csmith --seed %d: %v", seed, err)
		}
	}
}

// TestVerifyIsWhatCompilersMakeOfPrograms draws programs itself: small ones with features that csmith lacks, and with
// values that are unknown in advance.
func TestVerifyIsWhatCompilersMakeOfPrograms(t *testing.T) {
	irtest.AtMost(t, 6)
	l := newLaboratory(t)
	rapid.Check(t, func(r *rapid.T) {
		text := cprogtest.DrawSequential(r)
		if err := l.hold(t.Context(), text, true); err != nil {
			r.Fatalf("%v\n%s", err, text)
		}
	})
}
