package sat

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tie makes the system kill a process when the thread that started it ends, as it does when this process dies; it also
// moves the process to another group, so that Ctrl-C does not reach it.
func tie(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// nameless is a file in memory, which vanishes with its last descriptor: it takes no folder that this process might
// write to.
func nameless() (*os.File, error) {
	fd, err := unix.MemfdCreate("solver", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "solver"), nil
}

// watchMemory calls full once a process, with a nameless file if it has one, uses more than limit bytes of memory.
func watchMemory(ctx context.Context, pid int, file *os.File, limit int64, full func()) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var used int64
		if file != nil {
			if written, err := file.Stat(); err == nil { // else the caller closes it: the process has ended
				used = written.Size()
			}
		}
		// Where this process may not look, the system holds the other to the same limit as this one.
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid)); err == nil {
			var size, resident int64
			_, _ = fmt.Sscan(string(text), &size, &resident)
			used += resident * int64(os.Getpagesize())
		}
		if used > limit {
			full()
			return
		}
	}
}
