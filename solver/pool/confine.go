package pool

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// childName, in place of its own, makes this program a child of a pool. What follows it is the solver's
// program that the child may start, if any.
const childName = "litmuscope: a worker"

// childOf is a child that may start a solver's program; "": none. It has no environment: whatever
// secrets this process was started with are none of its business.
func childOf(exe, program string) *exec.Cmd {
	cmd := exec.Command(exe)
	cmd.Args, cmd.Env = []string{childName}, []string{}
	if program != "" {
		cmd.Args = append(cmd.Args, program)
		cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(program))
	}
	return cmd
}

// becomeChild tells whether a pool started this process, and if so leaves it no more than what it
// takes to compute: no files, no network, no other processes but the solver's program. What the system has
// no means for is left out; that it has them and refuses them ends the process.
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

// confinement is something by which the system keeps a process to computing.
type confinement struct {
	name string
	// there is an error where the system has no such thing.
	there   func() error
	confine func(program string) error
}

// Unconfined are the means of keeping children to computing that this system does not have.
func Unconfined() (missing []string) {
	for _, c := range confinements {
		if err := c.there(); err != nil {
			missing = append(missing, c.name)
		}
	}
	if len(confinements) == 0 {
		missing = []string{"any means of " + runtime.GOOS}
	}
	return missing
}

var warnOnce sync.Once

// WarnUnconfined says once in the log which of them are missing.
func WarnUnconfined(log *slog.Logger) {
	warnOnce.Do(func() {
		if missing := Unconfined(); missing != nil {
			log.Warn("children that read tests are not confined by "+strings.Join(missing, ", ")+", which this system does not have",
				"goos", runtime.GOOS)
		}
	})
}
