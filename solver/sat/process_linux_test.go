package sat

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const orphanVariable = "LITMUSCOPE_TEST_ORPHAN"

func TestMain(m *testing.M) {
	if backend := os.Getenv(orphanVariable); backend != "" {
		_, err := pigeons(14).Solver(Options{Backend: backend}).Solve(context.Background())
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// children are the processes that a process has started.
func children(pid int) (out []string) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, l := range lists {
		text, _ := os.ReadFile(l) // the thread may have ended
		out = append(out, strings.Fields(string(text))...)
	}
	return out
}

// eventually waits for something to become true.
func eventually(what func() bool) bool {
	for range 500 {
		if what() {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// A program ends when its worker is killed.
func TestProgramsEndWithTheirWorker(t *testing.T) {
	for _, p := range []program{cadical, kissat, minisat} {
		if _, err := exec.LookPath(p.name); err != nil {
			t.Logf("%s is not on the PATH: it is not tested", p.name)
			continue
		}
		worker := exec.Command(os.Args[0])
		worker.Env = append(os.Environ(), orphanVariable+"="+p.name)
		if err := worker.Start(); err != nil {
			t.Fatal(err)
		}
		var started []string
		runs := func() bool {
			for _, pid := range started {
				name, err := os.ReadFile("/proc/" + pid + "/comm")
				if err == nil && strings.TrimSpace(string(name)) == p.name {
					return true
				}
			}
			return false
		}
		if !eventually(func() bool { started = children(worker.Process.Pid); return runs() }) {
			t.Errorf("%s was not started", p.name)
		}
		_ = worker.Process.Kill()
		_ = worker.Wait()
		if !eventually(func() bool { return !runs() }) {
			t.Errorf("%s goes on though its worker was killed", p.name)
		}
	}
}

func TestProgramsHeedTheMemoryLimit(t *testing.T) {
	for _, o := range ways(t) {
		if !Outside(o.Backend) {
			continue
		}
		o.Memory = 1
		status, err := pigeons(14).Solver(o).Solve(t.Context())
		if status != Unknown || !errors.Is(err, ErrMemory) {
			t.Errorf("%+v: %v, %v", o, status, err)
		}
	}
}

// A program that the system refuses memory has reached the limit too, whatever it says of
// that.
func TestProgramsRefusedMemory(t *testing.T) {
	for _, o := range ways(t) {
		if !Outside(o.Backend) {
			continue
		}
		// A wrapper of the program's name lowers the limit: this process needs more itself.
		path, err := exec.LookPath(o.Backend)
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		script := "#!/bin/sh\nulimit -d 6000\nexec " + path + " \"$@\"\n"
		if err := os.WriteFile(filepath.Join(folder, o.Backend), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
		o.Memory = 1 << 10
		status, err := pigeons(60).Solver(o).Solve(t.Context())
		if status != Unknown || !errors.Is(err, ErrMemory) {
			t.Errorf("%+v: %v, %v", o, status, err)
		}
	}
}
