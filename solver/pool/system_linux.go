package pool

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// slack is what the system grants beyond a memory limit, in bytes: a child should end by its own check, with a partial
// result, if it has the time.
const slack = 64 << 20

// ownSize tells how much memory a child has. The file stays open because a confined child can open no other.
var ownSize *os.File

// refuseBeyond has the system refuse this process memory beyond a limit, and the slack; 0 lifts it. The system grants
// memory outside Go's runtime, such as threads' stacks.
func refuseBeyond(limit int64) {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_DATA, &r) != nil {
		return
	}
	r.Cur = r.Max
	if limit > 0 {
		var all runtime.MemStats
		runtime.ReadMemStats(&all)
		text := make([]byte, 256)
		n, _ := ownSize.ReadAt(text, 0) // to its end
		others := max(0, dataOf(text[:n])-int64(all.Sys))
		r.Cur = min(r.Max, uint64(overhead*(limit+slack)+others))
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
	return dataOf(text)
}

// dataOf parses that figure from the system's text about a process.
func dataOf(text []byte) int64 {
	var size, resident, shared, code, library, data int64
	if _, err := fmt.Fscan(bytes.NewReader(text), &size, &resident, &shared, &code, &library, &data); err != nil {
		return 0
	}
	return data * int64(os.Getpagesize())
}

// peakMemory is the peak memory of an ended process, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}

// starter starts children: by a thread of its own, at a pool's priority, which is a thread's and handed down. The
// system kills a child when that thread ends, as it does with this process.
type starter struct {
	todo chan startOrder
	err  error // why the priority did not change
}

type startOrder struct {
	cmd  *exec.Cmd
	done chan error
}

func newStarter(nice int) *starter {
	s := &starter{todo: make(chan startOrder)}
	go s.run(nice)
	return s
}

// run starts children from one thread, which it never returns to the scheduler: the system kills a child when the
// thread that started it ends (PDEATHSIG), and priorities belong to threads. With nice, the thread lowers its priority
// first, and its children inherit that.
func (s *starter) run(nice int) {
	runtime.LockOSThread() // and not unlocked: the thread ends with the goroutine
	if nice != 0 && syscall.Gettid() == os.Getpid() {
		// This is the main thread, which stays, and has a priority that others look at. While this goroutine locks it,
		// the goroutine below gets another thread.
		done := make(chan struct{})
		go func() { defer close(done); s.run(nice) }()
		<-done
		runtime.UnlockOSThread()
		return
	}
	if nice != 0 {
		const self = 0
		was, err := syscall.Getpriority(syscall.PRIO_PROCESS, self) // 20 less the priority
		if err == nil {
			err = syscall.Setpriority(syscall.PRIO_PROCESS, self, min(20-was+nice, 19))
		}
		if err != nil {
			s.err = fmt.Errorf("cannot lower a worker's priority: %w", err)
		}
	}
	for order := range s.todo {
		if s.err != nil {
			order.done <- s.err
			continue
		}
		order.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		order.done <- order.cmd.Start()
	}
}

// start starts a command, until close.
func (s *starter) start(cmd *exec.Cmd) error {
	order := startOrder{cmd, make(chan error)}
	s.todo <- order
	return <-order.done
}

func (s *starter) close() { close(s.todo) }
