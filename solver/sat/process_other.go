//go:build !linux

package sat

import (
	"context"
	"os"
	"os/exec"
)

// tie does nothing on systems that cannot bind a process to its parent's life: if its parent dies, it ends at its own
// time limit.
func tie(*exec.Cmd) {}

// nameless is an open file that vanishes with its last descriptor.
func nameless() (*os.File, error) {
	f, err := os.CreateTemp("", "litmuscope-")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// watchMemory knows no way to see what another process uses.
func watchMemory(context.Context, int, *os.File, int64, func()) {}
