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

// startNice starts a command at a lower priority. The priority is a thread's, and handed
// down: so the command is started by a thread that is not needed any more.
func startNice(cmd *exec.Cmd, nice int) error {
	if nice == 0 {
		return cmd.Start()
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		const self = 0
		was, err := syscall.Getpriority(syscall.PRIO_PROCESS, self)
		if err == nil {
			err = syscall.Setpriority(syscall.PRIO_PROCESS, self, min(20-was+nice, 19)) // was is 20 less the priority
		}
		if err != nil {
			started <- fmt.Errorf("lower its priority: %w", err)
			return
		}
		started <- cmd.Start()
	}()
	return <-started
}
