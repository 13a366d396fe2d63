//go:build !js

package pool

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// childName, in place of its own, makes this program a child of a pool. What follows it is the solver's
// program that the child may start, if any.
const childName = "litmuscope: a worker"

// childOf is a child that may start a solver's program; "": none. It has no environment: it needs none of the secrets
// that this process was started with.
func childOf(exe, program string) *exec.Cmd {
	cmd := exec.Command(exe)
	cmd.Args, cmd.Env = []string{childName}, []string{}
	if program != "" {
		cmd.Args = append(cmd.Args, program)
		cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(program))
	}
	return cmd
}

// becomeChild reports whether a pool started this process. If so, it leaves the process only what computing takes: no
// files, no network, no other processes but the solver's program. It skips what the system has no means for; that it
// has them and refuses them ends the process.
func becomeChild() bool {
	if len(os.Args) == 0 || os.Args[0] != childName {
		return false
	}
	runtime.GOMAXPROCS(2)
	program := ""
	if len(os.Args) > 1 {
		program = os.Args[1]
	}
	for _, c := range confinements {
		if err := c.confine(program); err != nil && c.there() == nil {
			fmt.Fprintf(os.Stderr, "panic: %s: %v\n", c.name, err)
			os.Exit(4)
		}
	}
	return true
}
