//go:build !js

package pool

import (
	"io"
	"os"
	"os/exec"
)

// command is what a child runs as: here, a process of the system's.
type command = exec.Cmd

// pipes are those of a child to its parent.
func pipes() (in io.Reader, out io.Writer) { return os.Stdin, os.Stdout }

func (p *Pool) launch(c *process) (stdout io.Reader, err error) {
	c.cmd = childOf(p.exe, c.program)
	c.cmd.Stderr = &c.stderr
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if stdout, err = c.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return stdout, p.starter.start(c.cmd)
}

func (c *process) pid() int { return c.cmd.Process.Pid }

// end has it end.
func (c *process) end() { _ = c.cmd.Process.Kill() }

// wait waits until it has.
func (c *process) wait() lastWords {
	_ = c.cmd.Wait() // how it ended shows in its state
	return lastWords{status: c.cmd.ProcessState.String(), said: c.stderr.text(), peak: peakMemory(c.cmd.ProcessState)}
}

// thisProgram is what children run.
func thisProgram() (string, error) { return os.Executable() }

// pass has other goroutines run where the system would not interrupt this one.
func pass() {}
