// Package toolchain runs compilers that are installed on this machine: a C compiler, a cross compiler, clang++ or
// rustc.
//
//	gcc, err := toolchain.Parse("gcc -O2")
//	job := toolchain.Job{Files: files, Arguments: []string{"-S", "-o", "t.s", "t.c"}, Outputs: []string{"t.s"}}
//	out, err := gcc.Run(ctx, job)
//
// A job runs in an empty temporary folder that has the job's files. The package returns what the job wrote there, or a
// [Failure] with the compiler's messages. It starts the program directly, without a shell.
//
// It imports litmus only.
package toolchain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-shellwords"
)

// MostOutput is the largest file that [Compiler.Run] returns, in bytes.
const MostOutput = 64 << 20

// mostMessage is the longest message of a compiler that a Failure has, in bytes.
const mostMessage = 64 << 10

// Compiler is a program with the arguments that every job begins with.
type Compiler struct {
	Program   string   // its path
	Arguments []string // such as -O2
	text      string   // as the user wrote it
}

// Parse splits a command such as "gcc -O2" into words, as a shell does, and looks the program up on the PATH. Variables
// and commands in it are not expanded.
func Parse(command string) (Compiler, error) {
	words, err := shellwords.Parse(command)
	switch {
	case err != nil:
		return Compiler{}, fmt.Errorf("the compiler's command %q: %w", command, err)
	case len(words) == 0:
		return Compiler{}, errors.New("the compiler's command is empty: give one, as in \"gcc -O2\"")
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return Compiler{}, fmt.Errorf("the compiler %q is not installed, or not on the PATH: %w", words[0], err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return Compiler{}, err
	}
	return Compiler{Program: path, Arguments: words[1:], text: command}, nil
}

// String returns the command as the user wrote it.
func (c Compiler) String() string { return c.text }

// Job is one run of a compiler.
type Job struct {
	Files     map[string][]byte // by name in the job's folder, or in a folder in it
	Arguments []string          // after the compiler's own
	Outputs   []string          // the files that the job must write, or Printed
	// Dir is the working directory; "" is the job's folder. ArgumentsIn, if not nil, returns further arguments, for
	// the job's folder, which has the files and the outputs.
	Dir         string
	ArgumentsIn func(folder string) []string `json:"-"`
}

// Printed names the output that is not a file: what the compiler prints, such as its version.
const Printed = "-"

// Failure is an error of a compiler: it refused its input, or did not write what it should.
type Failure struct {
	Command string // as the user wrote it
	Message string // what the compiler printed, with the paths of the job's folder removed
}

// Error returns the command and the compiler's message.
func (f *Failure) Error() string {
	return fmt.Sprintf("%s failed:\n%s", f.Command, strings.TrimRight(f.Message, "\n"))
}

// Run runs a job and returns its outputs, by name. The error is a [Failure], or the context's.
func (c Compiler) Run(ctx context.Context, job Job) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "litmuscope-compile-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range job.Files {
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("the file %q is not in the job's folder", name)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return nil, err
		}
	}
	arguments := slices.Concat(c.Arguments, job.Arguments)
	if job.ArgumentsIn != nil {
		arguments = append(arguments, job.ArgumentsIn(dir)...)
	}
	command := exec.CommandContext(ctx, c.Program, arguments...)
	if command.Dir = job.Dir; job.Dir == "" {
		command.Dir = dir
	}
	command.WaitDelay = time.Second
	command.Env = append(os.Environ(), "LC_ALL=C", "TMPDIR="+dir)
	message := &limited{left: mostMessage}
	command.Stdout, command.Stderr = message, message
	err = command.Run()
	fail := func(what string) error {
		text := strings.ReplaceAll(message.String()+what, dir+string(filepath.Separator), "")
		return &Failure{Command: c.text, Message: text}
	}
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s: %w", c.text, context.Cause(ctx))
	case err != nil && message.Len() == 0:
		return nil, fail(err.Error())
	case err != nil:
		return nil, fail("")
	}
	out := map[string][]byte{}
	for _, name := range job.Outputs {
		if name == Printed {
			out[name] = message.Bytes()
			continue
		}
		info, err := os.Stat(filepath.Join(dir, name))
		switch {
		case err != nil:
			return nil, fail(fmt.Sprintf("it did not write %s", name))
		case info.Size() > MostOutput:
			return nil, fail(fmt.Sprintf("%s has %d bytes, and the limit is %d", name, info.Size(), MostOutput))
		}
		if out[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Print runs the compiler with arguments that make it print something about itself, such as -dumpmachine, and returns
// what it printed.
func (c Compiler) Print(ctx context.Context, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, c.Program, append(append([]string{}, c.Arguments...), arguments...)...)
	command.WaitDelay = time.Second
	command.Env = append(os.Environ(), "LC_ALL=C")
	out, message := &limited{left: mostMessage}, &limited{left: mostMessage}
	command.Stdout, command.Stderr = out, message
	if err := command.Run(); err != nil {
		if ctx.Err() != nil {
			return "", fmt.Errorf("%s: %w", c.text, context.Cause(ctx))
		}
		return "", &Failure{Command: c.text, Message: message.String() + err.Error()}
	}
	return strings.TrimSpace(out.String()), nil
}

// limited keeps the first bytes that are written to it.
type limited struct {
	bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	keep := p[:min(len(p), l.left)]
	l.left -= len(keep)
	l.Buffer.Write(keep)
	return len(p), nil
}
