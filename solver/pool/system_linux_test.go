package pool

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"litmuscope/solver"
)

// children are the processes that this one has started.
func children(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // the thread has ended
		}
		all = append(all, strings.Fields(string(text))...)
	}
	return all
}

func kill(t *testing.T, pid string) {
	t.Helper()
	var n int
	if _, err := fmt.Sscan(pid, &n); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(n, syscall.SIGKILL); err != nil {
		t.Log(err)
	}
}

// stat is /proc/…/stat from the process' state on.
func stat(path string) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}

// cpuTicks is what a process has used, in hundredths of a second.
func cpuTicks(pid string) int {
	fields := stat("/proc/" + pid + "/stat")
	var user, system int
	if len(fields) > 12 {
		_, _ = fmt.Sscan(fields[11], &user)
		_, _ = fmt.Sscan(fields[12], &system)
	}
	return user + system
}

// However fast a child fills memory, and in pieces of whatever size, it stops near its limit.
func TestMemoryLimitHolds(t *testing.T) {
	const limit = 100 // MiB, as hog's
	// A child with an earlier, larger limit may have outgrown the limit of hog, so that another replaces it.
	ready := echo
	ready.Limits.Memory = limit
	for _, size := range []int{64, 4 << 10, 1 << 20, 48 << 20, 4 << 30} {
		ended := children(t) // of pools before, which may be there for a while
		p := newPool(t, 1)
		if _, err := ready.Call(t.Context(), p, "ready"); err != nil {
			t.Fatal(err)
		}
		pids := slices.DeleteFunc(children(t), func(pid string) bool { return slices.Contains(ended, pid) })
		if len(pids) != 1 {
			t.Fatalf("children %q, want one", pids)
		}
		pid := pids[0]
		peak := make(chan int)
		done := make(chan struct{})
		go func() {
			most := 0
			for {
				text, _ := os.ReadFile("/proc/" + pid + "/status")
				if _, after, ok := strings.Cut(string(text), "VmHWM:"); ok {
					var kib int
					_, _ = fmt.Sscan(after, &kib)
					most = max(most, kib>>10)
				}
				select {
				case <-done:
					peak <- most
					return
				default:
				}
			}
		}()
		start := time.Now()
		_, err := hog.Call(t.Context(), p, size)
		close(done)
		most := <-peak
		var limited *solver.Limited
		if !errors.As(err, &limited) || limited.Reason != "memory limit of 100 MiB reached" {
			t.Errorf("pieces of %d bytes: %v", size, err)
		}
		t.Logf("pieces of %d bytes: at most %d MiB, stopped after %v", size, most,
			time.Since(start).Round(time.Millisecond))
		if most > overhead*limit*3 || most == 0 { // a busy machine looks late
			t.Errorf("pieces of %d bytes: %d MiB resident under a limit of %d", size, most, limit)
		}
		if _, err := echo.Call(t.Context(), p, "still there"); err != nil {
			t.Error(err)
		}
		p.Close()
	}
}

// A piece of work does not get the memory that an earlier one was allowed and kept.
func TestSmallerLimitAfterALargerOne(t *testing.T) {
	p := newPool(t, 1)
	large := hog
	large.Limits = Limits{Memory: 600}
	tall := Kind[int, int]{Title: "hog", Limits: Limits{Memory: 600, Time: 150 * time.Millisecond}}
	_, _ = tall.Call(t.Context(), p, 1<<20)
	for range 3 {
		if _, err := echo.Call(t.Context(), p, "so"); err != nil {
			t.Error(err)
		}
	}
	if _, err := large.Call(t.Context(), p, 1<<20); err == nil || err.Error() != "memory limit of 600 MiB reached" {
		t.Error(err)
	}
}

// All threads of a child have its priority.
func TestNice(t *testing.T) {
	p, err := New(Options{Workers: 1, Nice: 7})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	run1(t, p, familyTask("ring", 4))
	pids := children(t)
	if len(pids) != 1 {
		t.Fatal(pids)
	}
	threads, err := filepath.Glob("/proc/" + pids[0] + "/task/*/stat")
	if err != nil || len(threads) < 2 {
		t.Fatal(threads, err)
	}
	// A thread of our own that has started a child keeps its priority, and runs no more.
	was := 20
	own, err := filepath.Glob("/proc/self/task/*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, th := range own {
		var is int
		if _, err := fmt.Sscan(stat(th)[16], &is); err != nil {
			t.Fatal(err)
		}
		was = min(was, is)
	}
	for _, th := range threads {
		var is int
		if _, err := fmt.Sscan(stat(th)[16], &is); err != nil || is != was+7 {
			t.Errorf("%s: nice %d, %v, want %d", th, is, err, was+7)
		}
	}
}

// A child that dies idle goes unnoticed; another child replaces one that is killed at work; if that one is killed too,
// the question gets an error, and the pool serves the next.
func TestPoolSurvivesKills(t *testing.T) {
	p := newPool(t, 1)
	run1(t, p, familyTask("ring", 2))
	c := <-p.idle
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-c.ended
	p.idle <- c
	if r := run1(t, p, familyTask("ring", 3)); r.Status != solver.OK {
		t.Errorf("killed while idle: %+v", r)
	}

	// It kills each child under way, the given number of times.
	killing := func(times int, task solver.Task) (*solver.Result, error) {
		done := make(chan struct{})
		defer close(done)
		go func() {
			var last string
			for n := 0; n < times; {
				select {
				case <-done:
					return
				case <-time.After(20 * time.Millisecond):
				}
				for _, pid := range children(t) {
					if pid != last && cpuTicks(pid) > 5 { // it is at work
						last = pid
						n++
						kill(t, pid)
					}
				}
			}
		}()
		return solver.Ask(t.Context(), p, task)
	}
	task := familyTask("fib-never", 200)
	task.Options.Timeout = 3 * time.Second
	r, err := killing(1, task)
	if err != nil || r.Status != solver.Unknown || !strings.Contains(r.Reason, "time limit") {
		t.Errorf("killed once: %+v, %v", r, err)
	}
	task.Options.Timeout = 0
	_, err = killing(2, task)
	var died *solver.Died
	if !errors.As(err, &died) || died.Crashed || died.How != "signal: killed" || !died.Temporary() {
		t.Errorf("killed twice: %v", err)
	}
	if r := run1(t, p, familyTask("ring", 2)); r.Status != solver.OK {
		t.Errorf("afterwards: %+v", r)
	}
	if s := p.Stats(); s.Busy != 0 || s.Workers != 1 || s.Died != 3 {
		t.Errorf("%+v", s)
	}
}
