package pool

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// slack is what the system grants beyond a memory limit, in bytes: a child is to end by
// its own account, with what is known so far, if it has the time.
const slack = 64 << 20

// refuseBeyond has the system refuse this process memory beyond a limit, and the slack; 0
// lifts it. What is there for other than Go's runtime, such as threads' stacks, is granted.
func refuseBeyond(limit int64) {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_DATA, &r) != nil {
		return
	}
	r.Cur = r.Max
	if limit > 0 {
		var all runtime.MemStats
		runtime.ReadMemStats(&all)
		others := max(0, dataSize(os.Getpid())-int64(all.Sys))
		r.Cur = min(r.Max, uint64(limit+others+slack))
	}
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &r) // without it, the child's own account holds
}

// dataSize is the size of a process' private writable memory, as RLIMIT_DATA counts it,
// in bytes; 0 if there is no telling.
func dataSize(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, resident, shared, code, library, data int64
	if _, err := fmt.Fscan(bytes.NewReader(text), &size, &resident, &shared, &code, &library, &data); err != nil {
		return 0
	}
	return data * int64(os.Getpagesize())
}

// peakMemory is the most memory that an ended process has ever had, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}

// startNice starts a command at a lower priority. The priority is a thread's, and handed
// down: so the command is started by a thread that is not needed any more.
func startNice(cmd *exec.Cmd, nice int) error {
	if nice == 0 {
		return cmd.Start()
	}
	var err error
	onSpareThread(func() {
		const self = 0
		var was int
		if was, err = syscall.Getpriority(syscall.PRIO_PROCESS, self); err == nil { // 20 less the priority
			err = syscall.Setpriority(syscall.PRIO_PROCESS, self, min(20-was+nice, 19))
		}
		if err != nil {
			err = fmt.Errorf("lower its priority: %w", err)
			return
		}
		err = cmd.Start()
	})
	return err
}

// onSpareThread calls f on a thread that ends with it.
func onSpareThread(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and not unlocked: the thread ends with the goroutine
		if syscall.Gettid() == os.Getpid() {
			// The main thread never ends. While it is held here, it is none of the others.
			onSpareThread(f)
			runtime.UnlockOSThread()
			return
		}
		f()
	}()
	<-done
}
