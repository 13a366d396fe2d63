package sat

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// tie has a process killed when the thread that starts it ends, as it does when this
// process is killed; and out of this one's group, so that Ctrl-C is not for it.
func tie(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// watchMemory calls full once a process uses more than limit bytes of memory.
func watchMemory(ctx context.Context, pid int, limit int64, full func()) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		if err != nil {
			return // it has ended
		}
		var size, resident int64
		if _, err := fmt.Fscan(strings.NewReader(string(text)), &size, &resident); err == nil && resident*int64(os.Getpagesize()) > limit {
			full()
			return
		}
	}
}
