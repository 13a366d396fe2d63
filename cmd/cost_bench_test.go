package cmd

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkCost measures the processor time of the command line in milliseconds, including child processes. It measures
// a start, the answer for one test, and the cost per test of folders of the corpus and of a family, with all outcomes
// and with the verdict alone. It reports the minimum of all runs, because a busy machine makes some slower, and
// subtracts the start, because some folders have few tests. If LITMUSCOPE_BESIDE names another build, the two builds
// run in turns.
//
//	LITMUSCOPE_BESIDE=/tmp/older ./task bench -- -bench Cost .
func BenchmarkCost(b *testing.B) {
	made := b.TempDir()
	program := filepath.Join(made, "litmuscope")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	one := filepath.Join(made, "LB.litmus")
	if err := os.WriteFile(one, []byte("X86 LB\n{ }\n P0          | P1          ;\n MOV EAX,[x] | MOV EAX,[y] ;\n"+
		" MOV [y],$1  | MOV [x],$1  ;\nexists (0:EAX=1 /\\ 1:EAX=1)\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	var start time.Duration
	b.Run("start", func(b *testing.B) { start = cost(b, program, 0, 1, "name", "--help") })
	b.Run("one", func(b *testing.B) { cost(b, program, 0, 1, "run", "-m", "sc", one) })

	corpus := corpusFolder(b)
	folders := map[string]string{}
	for _, arch := range []string{"X86", "X86_64", "ARM"} {
		name := strings.ToLower(arch) + "diy"
		folders[name] = filepath.Join(made, name)
		gen := exec.CommandContext(b.Context(), program, "gen", "--arch", arch, "--family", "standard", "--size",
			"4..5", "--out", folders[name])
		if out, err := gen.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	for _, name := range []string{
		"x86", "x86diy", "x86_64diy", "ppc", "arm", "armdiy", "mips", "riscv", "aarch64",
		"c11", "lkmm",
	} {
		folder, ok := folders[name]
		if !ok {
			folder = filepath.Join(corpus, name)
		}
		tests := testsIn(b, folder)
		b.Run(name+"/full",
			func(b *testing.B) { cost(b, program, start, tests, "run", "-j", "1", "-f", "jsonl", folder) })
		b.Run(name+"/verdict", func(b *testing.B) {
			cost(b, program, start, tests, "run", "-j", "1", "-f", "jsonl", "--states", "0", folder)
		})
	}
}

// cost runs the program, and the other build if the flag names one, and returns the program's cost.
func cost(b *testing.B, program string, start time.Duration, tests int, args ...string) (took time.Duration) {
	beside := os.Getenv("LITMUSCOPE_BESIDE")
	took = time.Hour
	other := time.Hour
	for b.Loop() {
		took = min(took, processorTime(b, program, args))
		if beside != "" {
			other = min(other, processorTime(b, beside, args))
		}
	}
	each := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) / float64(tests) }
	b.ReportMetric(0, "ns/op") // wall time, of both
	b.ReportMetric(each(took), "cpu-ms/test")
	if start > 0 {
		b.ReportMetric(each(took-start), "less-start-cpu-ms/test")
	}
	if beside != "" {
		b.ReportMetric(each(other), "beside-cpu-ms/test")
		b.ReportMetric(float64(took)/float64(other), "of-beside")
	}
	return took
}

func processorTime(b *testing.B, program string, args []string) time.Duration {
	c := exec.CommandContext(b.Context(), program, args...)
	err := c.Run()
	if c.ProcessState == nil || c.ProcessState.ExitCode() > 1 { // 1: some tests are out of scope
		b.Fatalf("%v: %v", c, err)
	}
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}

// testsIn counts the tests in a folder.
func testsIn(b *testing.B, folder string) (n int) {
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		if filepath.Ext(name) == ".litmus" {
			n++
		}
		return err
	})
	if err != nil || n == 0 {
		b.Fatalf("there are %d tests in %s: %v", n, folder, err)
	}
	return n
}

// BenchmarkRealCode measures the processor time of programs as people write them: a counter behind a mutex, with some
// rounds in each of two threads, that is asked for data races.
func BenchmarkRealCode(b *testing.B) {
	made := b.TempDir()
	program := filepath.Join(made, "litmuscope")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	counter := filepath.Join(made, "counter.c")
	if err := os.WriteFile(counter, []byte(lockedCounter), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, rounds := range []string{"10", "30", "1000"} {
		b.Run("counter/"+rounds, func(b *testing.B) {
			cost(b, program, 0, 1, "verify", "--property", "data-race", "--timeout", "60s", "-D", "ROUNDS="+rounds,
				counter)
		})
	}
}

const lockedCounter = `#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *worker(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&m);
		counter++;
		pthread_mutex_unlock(&m);
	}
	return 0;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, worker, 0);
	pthread_create(&b, 0, worker, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return counter;
}
`
