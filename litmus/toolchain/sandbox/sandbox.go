// Package sandbox runs installed compilers on texts from strangers. Each job of a compiler is a child process: this
// program started again, which confines itself and then starts the compiler.
//
//	sandbox.MaybeChild() // first in main; never returns in a child
//	s, err := sandbox.New(sandbox.Options{AtOnce: 2})
//	gcc, err := s.Offer(ctx, "gcc -O2")   // with the version that it prints
//	out, err := s.Run(ctx, gcc, toolchain.Job{Files: files, Arguments: arguments, Outputs: []string{"t.s"}})
//
// The compiler and what it starts can read the system's compilers and headers, and write to a temporary folder of the
// job; they can open no other file, no socket, and send no signal. They have no environment of the server's. [Limits]
// bounds their time, memory, number and files; what exceeds a limit ends with all its processes, and the error is a
// [Limited] with the limit's name. Linux enforces this by Landlock and seccomp; [Unconfined] lists what a system lacks.
//
// It imports litmus/toolchain, and the modules that confine processes.
package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"litmuscope/litmus/toolchain"
)

// Limits bounds a job.
type Limits struct {
	Time      time.Duration // from when the compiler starts
	Memory    int           // MiB, of all processes of the job together
	Processes int           // at once
	File      int64         // bytes of a file that it writes
	Folder    int64         // bytes of all files that it writes
}

// DefaultLimits is enough for a test, or a program of some thousand lines.
var DefaultLimits = Limits{Time: 10 * time.Second, Memory: 1024, Processes: 32, File: 8 << 20, Folder: 64 << 20}

// Options shape a sandbox.
type Options struct {
	AtOnce int    // the number of jobs that run at once; others wait
	Limits Limits // zero: DefaultLimits
	// Unconfined permits jobs on systems that lack some of the means of confinement. What there is takes effect.
	Unconfined bool
}

// Sandbox runs jobs.
type Sandbox struct {
	limits Limits
	exe    string
	turns  chan struct{}
}

// New returns a sandbox. It fails where the system lacks means of confinement, unless the options permit that.
func New(o Options) (*Sandbox, error) {
	if missing := Unconfined(); missing != nil && !o.Unconfined {
		return nil, fmt.Errorf("this system cannot confine compilers: it lacks %s", strings.Join(missing, " and "))
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find this program's file to start compilers: %w", err)
	}
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits
	}
	return &Sandbox{limits: o.Limits, exe: exe, turns: make(chan struct{}, max(o.AtOnce, 1))}, nil
}

// Limited is the error of a job that reached a limit.
type Limited struct {
	Compiler string // as the user wrote it
	Reason   string // such as "time limit of 10s reached"
}

func (l *Limited) Error() string { return l.Compiler + ": " + l.Reason }

// Offered is a compiler that answered when it was asked for its version.
type Offered struct {
	toolchain.Compiler
	Version string // the first line that it prints, such as "gcc (Debian 12.2.0-14) 12.2.0"
	Machine string // what it compiles to, such as "x86_64-linux-gnu"; "" if it does not say
}

// Offer looks a compiler up and asks it, in the sandbox, for its version and its target.
func (s *Sandbox) Offer(ctx context.Context, command string) (Offered, error) {
	c, err := toolchain.Parse(command)
	if err != nil {
		return Offered{}, err
	}
	o := Offered{Compiler: c}
	said, err := s.Run(ctx, c, toolchain.Job{Arguments: []string{"--version"}, Outputs: []string{toolchain.Printed}})
	if err != nil {
		return o, fmt.Errorf("the compiler does not print its version: %w", err)
	}
	if o.Version = firstLine(said[toolchain.Printed]); o.Version == "" {
		return o, fmt.Errorf("the compiler %q prints no version", command)
	}
	said, err = s.Run(ctx, c, toolchain.Job{Arguments: []string{"-dumpmachine"}, Outputs: []string{toolchain.Printed}})
	var failure *toolchain.Failure
	if err != nil && !errors.As(err, &failure) { // rustc, for example, has no such flag
		return o, err
	}
	o.Machine = firstLine(said[toolchain.Printed])
	return o, nil
}

func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return string(bytes.TrimSpace(line))
}

// request is what a child reads, and reply what it answers.
type (
	request struct {
		Program   string
		Arguments []string
		Job       toolchain.Job
		Folder    string // the only one that it may write to
		Limits    Limits
	}
	reply struct {
		Outputs map[string][]byte
		Failure *toolchain.Failure
		Error   string // of the child itself
	}
)

// Run runs a job and returns its outputs, by name. The error is a [*toolchain.Failure], a [*Limited], the context's, or
// says why the child could not run.
func (s *Sandbox) Run(ctx context.Context, c toolchain.Compiler, job toolchain.Job) (map[string][]byte, error) {
	select {
	case s.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-s.turns }()
	folder, err := os.MkdirTemp("", "litmuscope-job-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return nil, err
	}
	question, err := json.Marshal(request{
		Program: c.Program, Arguments: c.Arguments, Job: job, Folder: folder, Limits: s.limits,
	})
	if err != nil {
		return nil, err
	}
	answer, err := s.ask(ctx, c, folder, question)
	switch {
	case err != nil:
		return nil, err
	case answer.Failure != nil:
		answer.Failure.Command = c.String()
		return nil, answer.Failure
	case answer.Error != "":
		return nil, fmt.Errorf("%s: %s", c, answer.Error)
	}
	return answer.Outputs, nil
}

// ask starts a child, sends it a request and waits for its reply. It ends all processes of the job at a limit, when the
// context ends, and after the reply.
func (s *Sandbox) ask(ctx context.Context, c toolchain.Compiler, folder string, question []byte) (*reply, error) {
	cmd := childOf(s.exe, folder)
	cmd.Stdin = bytes.NewReader(question)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	said := &bytes.Buffer{}
	cmd.Stderr = said
	cmd.WaitDelay = time.Second
	job, err := start(cmd)
	if err != nil {
		return nil, fmt.Errorf("cannot start a process for the compiler: %w", err)
	}
	limited, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		if err := s.watch(limited, job, folder); err != nil {
			cancel(&Limited{c.String(), err.Error()})
		}
		job.kill()
	}()
	var answer reply
	// Base64 takes four bytes for three.
	decoded := json.NewDecoder(io.LimitReader(stdout, s.limits.Folder*3/2+1<<20)).Decode(&answer)
	// The cause is that of a limit or of the client, unless the child has answered first.
	why := context.Cause(limited)
	cancel(nil)
	<-watched
	ended := job.wait()
	switch {
	case why != nil:
		return nil, why
	case decoded != nil && said.Len() > 0:
		return nil, fmt.Errorf("the process for the compiler ended: %s", firstLine(said.Bytes()))
	case decoded != nil:
		return nil, fmt.Errorf("the process for the compiler ended: %w", errors.Join(ended, decoded))
	}
	return &answer, nil
}

// interval is how often a job's processes and files are counted.
const interval = 20 * time.Millisecond

// watch returns an error when the job reaches a limit, and nil when the context ends.
func (s *Sandbox) watch(ctx context.Context, job *process, folder string) error {
	over := time.NewTimer(s.limits.Time)
	defer over.Stop()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case <-over.C:
			return fmt.Errorf("time limit of %v reached", s.limits.Time)
		case <-tick.C:
		}
		switch processes, memory := job.size(); {
		case processes > s.limits.Processes+1: // the child itself is one
			return fmt.Errorf("limit of %d processes reached", s.limits.Processes)
		case memory > int64(s.limits.Memory)<<20:
			return fmt.Errorf("memory limit of %d MiB reached", s.limits.Memory)
		case n%5 == 0 && folderSize(folder) > s.limits.Folder:
			return fmt.Errorf("limit of %d MiB of files reached", s.limits.Folder>>20)
		}
	}
}

// folderSize returns the size of the files in a folder. Files that disappear meanwhile do not count.
func folderSize(folder string) (size int64) {
	_ = filepath.WalkDir(folder, func(_ string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}
