package hardware

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/native"
	"litmuscope/litmus/suite"
	"litmuscope/litmus/toolchain"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/report"
)

var all = flag.Bool("hardware", false, "run the whole catalogue and the corpus, on this processor and on emulated ones")

const catalogue = "../../litmus/catalogue/tests/"

// target probes a compiler, or skips the test where it is not installed.
func target(t *testing.T, command string) Target {
	t.Helper()
	with, err := toolchain.Parse(command)
	if err != nil {
		t.Skip(err)
	}
	on, err := Probe(t.Context(), with)
	if err != nil {
		t.Fatal(err)
	}
	return on
}

// here is target for this machine, which must be x86-64.
func here(t *testing.T) Target {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skip("the tests of this processor are for x86-64")
	}
	return target(t, "cc")
}

// collect admits the tests of some paths. refused receives those that cannot run.
func collect(t *testing.T, on Target, refused func(error), paths ...string) (jobs []Job) {
	t.Helper()
	for e := range suite.Collect(t.Context(), paths, nil) {
		if e.Err != nil {
			t.Fatal(e.Err)
		}
		j, err := Admit(e.Path, e.Source, on)
		if err != nil {
			refused(err)
			continue
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// judged asks the test's own model.
func judged(t *testing.T, o Answer) Verdict {
	t.Helper()
	task := solver.Task{Path: o.Job.Path, Source: o.Job.Source, Options: solver.DefaultOptions()}
	r, err := solver.Ask(t.Context(), engines.Local{}, task)
	if err != nil {
		t.Fatal(err)
	}
	return Judge(o.Observation, r)
}

func (o Observation) count(state string) (n int64) {
	for _, c := range o.Counts {
		if text, _ := c.State.MarshalJSON(); string(text) == state {
			n += c.N
		}
	}
	return n
}

// This processor shows SB's weak outcome, and neither MP's nor SB's with fences.
func TestStoreBuffering(t *testing.T) {
	on := here(t)
	jobs := collect(t, on, func(err error) { t.Fatal(err) }, catalogue+"X86/SB.litmus", catalogue+"X86/MP.litmus",
		catalogue+"X86/SB+mfences.litmus", catalogue+"X86_64/SB.litmus")
	weak := map[string]int64{}
	for range 20 { // a busy machine may run the threads one after another
		options := Options{Target: on, Runs: 4, Size: 2000, Limit: time.Minute}
		err := Run(t.Context(), jobs, options, func(o Answer) error {
			if o.Err != nil {
				return o.Err
			}
			if o.Observation.Runs != 8000 {
				t.Errorf("%s: %d runs, want 8000", o.Job.Path, o.Observation.Runs)
			}
			if v := judged(t, o); len(v.SeenForbidden) > 0 || v.Undecided || v.Status != solver.OK {
				t.Errorf("%s: %+v", o.Job.Path, v)
			}
			path := strings.TrimPrefix(o.Job.Path, catalogue)
			weak[path] += o.Observation.count(map[string]string{
				"X86/SB.litmus": `{"0:EAX":"0","1:EAX":"0"}`, "X86/MP.litmus": `{"1:EAX":"1","1:EBX":"0"}`,
				"X86/SB+mfences.litmus": `{"0:EAX":"0","1:EAX":"0"}`, "X86_64/SB.litmus": `{"0:rax":"0","1:rax":"0"}`,
			}[path])
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if weak["X86/SB.litmus"] > 0 && weak["X86_64/SB.litmus"] > 0 {
			break
		}
	}
	if weak["X86/SB.litmus"] == 0 || weak["X86_64/SB.litmus"] == 0 || weak["X86/MP.litmus"] > 0 ||
		weak["X86/SB+mfences.litmus"] > 0 {
		t.Errorf("weak outcomes: %v", weak)
	}
}

// A fence that is missing from the program is caught: the processor shows what the test's model forbids.
func TestMissingFence(t *testing.T) {
	on := here(t)
	jobs := collect(t, on, func(err error) { t.Fatal(err) }, catalogue+"X86/SB+mfences.litmus")
	source := native.File([]*native.Test{jobs[0].Native})
	planted := bytes.Replace(source, []byte("\"mfence\\n"), []byte("\"nop\\n"), 1)
	if bytes.Equal(source, planted) {
		t.Fatal("the program has no mfence")
	}
	out, err := on.with.Run(t.Context(), toolchain.Job{
		Files: map[string][]byte{"t.c": planted}, Outputs: []string{"t"},
		Arguments: []string{"-O2", "-pthread", "-o", "t", "t.c"},
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "t")
	if err := os.WriteFile(file, out["t"], 0o700); err != nil {
		t.Fatal(err)
	}
	for range 40 {
		seen := 0
		p := program{jobs: jobs, file: file}
		err := p.run(t.Context(), Options{Target: on, Runs: 4, Size: 5000, Limit: time.Minute}, func(o Answer) error {
			if o.Err != nil {
				return o.Err
			}
			seen = len(judged(t, o).SeenForbidden)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if seen == 1 {
			return
		}
	}
	t.Error("the weak outcome did not show in 800000 runs without one of the fences")
}

// What report reads from a log is what the program counted, and the model's names and values are the log's.
func TestLogs(t *testing.T) {
	on := target(t, "cc")
	if !on.Here() {
		t.Skip("cc builds for another machine")
	}
	dir := t.TempDir()
	write := func(name, source string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	paths := []string{
		write("addresses.litmus", "C addresses\n\"Test X Allowed\"\n{ long a[2] = {1,2}; int *p = x; }\n"+
			"P0(long *a, int **p, int *x, int *y) { int *r0 = *p; a[1] = 7; *p = y; int r1 = 0 - 1; }\n"+
			"locations [a; p; 0:r1;]\n(* a comment *)\nexists (0:r0=x)\n"),
		write("forall.litmus", "C forall\n{}\nP0(atomic_int *x) { *x = 1; }\nP1(atomic_int *x) { int r = *x; }\n"+
			"forall (1:r=0 \\/ 1:r=1)\n"),
		write("never.litmus", "C never\n{}\nP0(atomic_int *x) { *x = 1; }\n~exists (x=0)\n"),
	}
	var log strings.Builder
	var rows []Answer
	err := Run(t.Context(), collect(t, on, func(err error) { t.Fatal(err) }, paths...),
		Options{Target: on, Runs: 2, Size: 100, Limit: time.Minute}, func(o Answer) error {
			log.WriteString(o.Log)
			rows = append(rows, o)
			return o.Err
		})
	if err != nil {
		t.Fatal(err)
	}
	reader := report.NewReader("log", strings.NewReader(log.String()))
	for _, o := range rows {
		row, err := reader.Next()
		if err != nil {
			t.Fatal(err)
		}
		v := judged(t, o)
		switch {
		case row.Test != o.Job.Native.Name || row.Arch != "C" || row.Path != o.Job.Path || !row.Hardware ||
			row.ConditionHolds == nil || !*row.ConditionHolds || row.Runs() != 200 || row.Model != "":
			t.Errorf("%s: row %+v", o.Job.Path, row)
		case len(v.SeenForbidden) > 0 || v.Undecided || v.Status != solver.OK:
			t.Errorf("%s: %+v\n%s", o.Job.Path, v, o.Log)
		}
	}
	if len(rows) != len(paths) {
		t.Errorf("%d outcomes, want %d", len(rows), len(paths))
	}
}

// A test that stops its program costs only itself.
func TestFailures(t *testing.T) {
	on := here(t)
	entry := func(name, body string) Job {
		source := fmt.Sprintf("X86_64 %s\n{}\nP0 | P1 ;\n%s\nexists (x=1)", name, body)
		j, err := Admit(name, source, on)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	jobs := []Job{
		entry("first", "movl $1,(x) | movl $1,(y) ;"),
		entry("endless", "movl $1,(x) | L0: movl (y),%eax ;\n | cmpl $0,%eax ;\n | je L0 ;"),
		entry("second", "movl $1,(x) | movl $1,(y) ;"),
	}
	var got []string
	err := Run(t.Context(), jobs, Options{Target: on, Runs: 1, Size: 10, Limit: time.Second}, func(o Answer) error {
		got = append(got, fmt.Sprintf("%s: %v", o.Job.Path, o.Err))
		return nil
	})
	want := []string{"first: <nil>", "endless: endless: endless: a thread does not end within 1 s", "second: <nil>"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}

	stop := errors.New("stop")
	err = Run(t.Context(), jobs[:1], Options{Target: on, Runs: 1, Size: 10, Limit: time.Second},
		func(Answer) error { return stop })
	if !errors.Is(err, stop) {
		t.Errorf("got error %v, want that of the function", err)
	}
}

// A test that the compiler rejects costs only itself, and the error is at its instruction.
func TestRejected(t *testing.T) {
	on := target(t, "aarch64-linux-gnu-gcc")
	var jobs []Job
	for _, in := range []string{"STRB W0,[X1,X2,SXTX]", "STRB W0,[X1,X2, UXTW]", "STRB W0,[X1]"} {
		source := "AArch64 t\n{ 0:X1=x; }\nP0 ;\n" + in + " ;\nexists (x=1)"
		j, err := Admit("t", source, on)
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
	file := filepath.Join(t.TempDir(), "t")
	rejected, err := Build(t.Context(), on, jobs, file)
	if err != nil || len(rejected) != 1 ||
		!strings.HasPrefix(rejected[0].Err.Error(), "t:4:1: aarch64-linux-gnu-gcc failed:") {
		t.Errorf("rejected: %v, %v", rejected, err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

// An interrupted run ends early and gives what it has.
func TestInterrupt(t *testing.T) {
	on := here(t)
	jobs := collect(t, on, func(err error) { t.Fatal(err) }, catalogue+"X86/SB.litmus", catalogue+"X86/MP.litmus")
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	outcomes := 0
	err := Run(ctx, jobs, Options{Target: on, Runs: 1 << 30, Size: 100, Limit: time.Hour}, func(o Answer) error {
		outcomes++
		if o.Err != nil || !o.Interrupted || o.Observation.Runs == 0 || o.Observation.Runs%100 != 0 {
			t.Errorf("got %+v", o)
		}
		return nil
	})
	if err != nil || outcomes > 1 {
		t.Errorf("%d outcomes, %v", outcomes, err)
	}
}

// Nothing that this processor shows is forbidden: some tests of the catalogue, or with -hardware all of them and the
// corpus.
func TestCatalogue(t *testing.T) {
	on := here(t)
	paths := []string{catalogue + "X86", catalogue + "X86_64"}
	options := Options{Target: on, Runs: 2, Size: 500, Limit: 5 * time.Second}
	if *all {
		options.Runs, options.Size = 4, 2500
		for _, folder := range []string{"x86", "x86_64", "x86_64mixed"} {
			if _, err := os.Stat("../../../shared/corpus/" + folder); err == nil {
				paths = append(paths, "../../../shared/corpus/"+folder)
			}
		}
	}
	jobs := collect(t, on, func(err error) { t.Error(err) }, paths...)
	if !*all {
		var some []Job
		for i, j := range jobs {
			if i%5 == 0 && j.Native.Threads == 2 {
				some = append(some, j)
			}
		}
		jobs = some
	}
	check(t, jobs, options, 0, nil)
}

// check runs jobs and fails if one shows what its model forbids. lacks is the largest number of tests that may lack an
// instruction on an emulated processor. weak, unless nil, says of which tests that processor is known to show too much.
func check(t *testing.T, jobs []Job, options Options, lacks int, weak func(source string) bool) {
	t.Helper()
	ran, lacked := 0, 0
	err := Run(t.Context(), jobs, options, func(o Answer) error {
		switch {
		case o.Err != nil && strings.Contains(o.Err.Error(), "lacks an instruction"):
			lacked++
			return nil
		case o.Err != nil && strings.Contains(o.Err.Error(), "does not end"):
			t.Log(o.Err) // a test may wait for ever, in some of its executions
			return nil
		case o.Err != nil:
			t.Error(o.Err)
			return nil
		}
		ran++
		switch v := judged(t, o); {
		case len(v.SeenForbidden) > 0 && weak != nil && weak(o.Job.Source):
			t.Logf("a fault of the emulator: %s: %+v", o.Job.Path, v)
		case len(v.SeenForbidden) > 0 || v.Status != solver.OK:
			t.Errorf("%s: %+v", o.Job.Path, v)
		}
		return nil
	})
	t.Logf("%d tests ran, %d lacked an instruction", ran, lacked)
	if err != nil || lacked > lacks || ran == 0 {
		t.Errorf("%d tests ran, %d lacked an instruction, at most %d may: %v", ran, lacked, lacks, err)
	}
}

// Every test of the catalogue is built for its processor, and an emulator of that processor shows nothing that the
// model forbids. Without -hardware, this holds for a few tests of each architecture.
func TestOtherProcessors(t *testing.T) {
	if testing.Short() && !*all {
		t.Skip("builds with five compilers")
	}
	for _, on := range []struct {
		arch, compiler, packages string
		emulator                 []string
		lacks                    int // tests with instructions that emulators lack: Zalasr and Zacas on RISC-V
		weak                     func(source string) bool
	}{
		// On x86-64, QEMU 7.2 puts no fence between the store of an STLR and the load of a later LDAR, and so shows
		// outcomes such as that of R+popl+pola, which Arm forbids.
		{
			"AArch64", "aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu",
			[]string{"qemu-aarch64", "-cpu", "max"},
			0,
			func(source string) bool { return strings.Contains(source, "STLR") && strings.Contains(source, "LDAR") },
		},
		{"ARM", "arm-linux-gnueabihf-gcc", "gcc-arm-linux-gnueabihf", []string{"qemu-arm", "-cpu", "max"}, 0, nil},
		{"PPC", "powerpc64le-linux-gnu-gcc", "gcc-powerpc64le-linux-gnu", []string{"qemu-ppc64le"}, 0, nil},
		{"RISCV", "riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu", []string{"qemu-riscv64"}, 20, nil},
		{
			"MIPS", "mips64el-linux-gnuabi64-gcc", "gcc-mips64el-linux-gnuabi64",
			[]string{"qemu-mips64el", "-cpu", "MIPS64R2-generic"},
			0, nil,
		},
	} {
		t.Run(on.arch, func(t *testing.T) {
			for _, tool := range []string{on.compiler, on.emulator[0]} {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("%v (Debian: apt-get install %s qemu-user, and its libc6-dev-…-cross)", err, on.packages)
				}
			}
			to := target(t, on.compiler+" -static")
			if to.Arch != on.arch || to.Here() {
				t.Fatalf("%s builds for %+v", on.compiler, to)
			}
			jobs := collect(t, to, func(err error) { t.Error(err) }, catalogue+on.arch)
			options := Options{Target: to, Runs: 1, Size: 20, Limit: 20 * time.Second, emulator: on.emulator}
			if !*all {
				some := slices.DeleteFunc(slices.Clone(jobs), func(j Job) bool {
					return !slices.Contains([]string{"SB", "MP", "LB", "IRIW", "2+2W", "spinlock"}, j.Native.Name)
				})
				if len(some) < 4 {
					t.Fatalf("%d tests", len(some))
				}
				jobs = some
			}
			check(t, jobs, options, on.lacks, on.weak)
		})
	}
}

// Observations of one test add up state by state.
func TestAdd(t *testing.T) {
	state := func(v string) solver.State { return solver.State{{Name: "x", Value: v}} }
	a := Observation{Runs: 3, Seconds: 1, Counts: []Count{{state("2"), 1}, {state("10"), 2}}}
	b := Observation{Runs: 4, Seconds: 2, Compiler: "cc", Counts: []Count{{state("2"), 1}, {state("1"), 3}}}
	sum := Add(a, b)
	want := []Count{{state("1"), 3}, {state("2"), 2}, {state("10"), 2}}
	if sum.Runs != 7 || sum.Seconds != 3 || sum.Compiler != "cc" || fmt.Sprint(sum.Counts) != fmt.Sprint(want) {
		t.Errorf("got %+v", sum)
	}
	if len(a.Counts) != 2 || len(b.Counts) != 2 {
		t.Error("the sum changed what was added")
	}
}

// A state counts as forbidden only where the model's list of states is complete.
func TestJudge(t *testing.T) {
	state := func(v string) solver.State { return solver.State{{Name: "x", Value: v}} }
	cut, raised := false, true
	o := Observation{Runs: 2, Counts: []Count{{state("1"), 1}, {state("2"), 1}}}
	for _, test := range []struct {
		result    solver.Result
		forbidden int
		undecided bool
	}{
		{solver.Result{Status: solver.OK, Complete: true}, 1, false},
		{solver.Result{Status: solver.OK}, 0, true},
		{solver.Result{Status: solver.OK, Complete: true, StatesComplete: &cut}, 0, true},
		{solver.Result{Status: solver.OK, Complete: true, Cut: "time limit"}, 0, true},
		{solver.Result{Status: solver.Unknown, Reason: "time"}, 0, false},
		{solver.Result{Status: solver.OK, Complete: true, Flags: []solver.Flag{
			{Name: "data-race", Raised: &raised, Undefined: true},
		}}, 0, false},
	} {
		test.result.States = []solver.State{state("1"), state("3")}
		v := Judge(o, &test.result)
		if len(v.SeenForbidden) != test.forbidden || v.Undecided != test.undecided {
			t.Errorf("%+v: got %+v", test.result, v)
		}
		if test.result.Status == solver.OK && (len(v.NeverSeen) != 1 || v.NeverSeen[0][0].Value != "3") {
			t.Errorf("never seen: %+v", v)
		}
	}
}
