//go:build !linux

package sat

import (
	"context"
	"os/exec"
)

// tie does nothing where a process cannot be tied to its parent's life: left behind by
// one that was killed, it ends at its own time limit.
func tie(*exec.Cmd) {}

// watchMemory knows no way to see what another process uses.
func watchMemory(context.Context, int, int64, func()) {}
