package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"litmuscope/litmus/toolchain"
)

// childName, in place of its own, makes this program the child of a sandbox.
const childName = "litmuscope: a compiler's process"

// path is where compilers look for assemblers and linkers.
const path = "/usr/local/bin:/usr/bin:/bin"

// childOf returns the command of a child. Its environment has nothing of this process's.
func childOf(exe, folder string) *exec.Cmd {
	cmd := exec.Command(exe)
	cmd.Args = []string{childName}
	cmd.Env = []string{"PATH=" + path, "TMPDIR=" + folder, "HOME=" + folder}
	cmd.Dir = folder
	return cmd
}

// MaybeChild runs a job of a compiler, and never returns, if a [Sandbox] started this process. Call it first in main,
// and in TestMain of tests that use a Sandbox.
func MaybeChild() {
	if len(os.Args) == 0 || os.Args[0] != childName {
		return
	}
	var q request
	answer := reply{}
	if err := json.NewDecoder(os.Stdin).Decode(&q); err != nil {
		answer.Error = err.Error()
	} else {
		answer = do(q)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// do confines this process and runs the job.
func do(q request) (out reply) {
	if err := confine(q); err != nil {
		return reply{Error: "cannot confine the compiler: " + err.Error()}
	}
	outputs, err := toolchain.Compiler{Program: q.Program, Arguments: q.Arguments}.Run(context.Background(), q.Job)
	var failure *toolchain.Failure
	switch {
	case errors.As(err, &failure):
		return reply{Failure: failure}
	case err != nil:
		return reply{Error: err.Error()}
	}
	return reply{Outputs: outputs}
}
