// Package compilers offers compilers that are installed on the server's machine to visitors.
//
//	offered, err := compilers.Offer(ctx, []string{"gcc -O2"}, compilers.Options{AtOnce: 2, Log: log})
//	config.Compilers = offered
//
// [Offer] asks each compiler for its version and target. clang++ and rustc turn programs into LLVM IR for
// litmus/c/llvm; the others compile litmus tests, and Offer refuses those whose listings litmus/readback does not read.
// Each job runs in litmus/toolchain/sandbox.
//
// [Limits] are the sandbox's, for the manual. The package imports litmus/c/llvm/frontend, litmus/readback,
// litmus/toolchain and its sandbox, web/server and web/parts/question.
package compilers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/litmus/readback"
	"litmuscope/litmus/toolchain"
	"litmuscope/litmus/toolchain/sandbox"
	"litmuscope/web/parts/question"
)

// Offered are the compilers of a server, each job of which runs confined. It implements [question.Compilers].
type Offered struct {
	box  *sandbox.Sandbox
	list []question.Compiler
	by   map[string]toolchain.Compiler // by name

	fronts  *sandbox.Sandbox // for programs, whose headers and libraries need more
	front   []question.FrontEnd
	modules modules
}

// unconfined lists the means of confining compilers that the system lacks. Tests replace it.
var unconfined = sandbox.Unconfined

// Options say how compilers run.
type Options struct {
	AtOnce     int            // how many jobs run at once
	Unconfined bool           // also on systems that lack means to confine compilers
	Limits     sandbox.Limits // of tests; zero: sandbox.DefaultLimits
	Programs   sandbox.Limits // zero: ProgramLimits
	Log        *slog.Logger
}

// Offer asks compilers, by their commands, for their versions and targets. Its errors are a system that cannot confine
// compilers, a compiler that does not run, and one for an architecture whose listings cannot be read.
func Offer(ctx context.Context, commands []string, o Options) (*Offered, error) {
	if missing := unconfined(); missing != nil {
		lacks := strings.Join(missing, " and ")
		if !o.Unconfined {
			return nil, fmt.Errorf(
				"this system cannot confine compilers, because it lacks %s: visitors' tests would reach "+
					"them unprotected. Add --unconfined-compilers to accept that",
				lacks,
			)
		}
		o.Log.Warn("compilers run without the protection of "+lacks+", which this system does not provide",
			"compilers", commands)
	}
	box, err := sandbox.New(sandbox.Options{AtOnce: o.AtOnce, Limits: o.Limits, Unconfined: o.Unconfined})
	if err != nil {
		return nil, err
	}
	if o.Programs == (sandbox.Limits{}) {
		o.Programs = ProgramLimits
	}
	fronts, err := sandbox.New(sandbox.Options{AtOnce: o.AtOnce, Limits: o.Programs, Unconfined: o.Unconfined})
	if err != nil {
		return nil, err
	}
	out := &Offered{box: box, fronts: fronts, by: map[string]toolchain.Compiler{}}
	for _, command := range commands {
		if _, again := out.by[command]; again {
			return nil, fmt.Errorf("%q is given twice", command)
		}
		c, err := toolchain.Parse(command)
		if err == nil {
			if language := frontend.CompilerFor(c.Program); language != "" {
				err = out.offerFrontEnd(ctx, command, c, language, o.Log)
			} else {
				err = out.offer(ctx, command, o.Log)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", command, err)
		}
	}
	return out, nil
}

// offer adds a compiler, with the options that its listings need in front of the user's.
func (o *Offered) offer(ctx context.Context, command string, log *slog.Logger) error {
	c, err := o.box.Offer(ctx, command)
	if err != nil {
		return err
	}
	var names []string
	for _, m := range readback.Machines() {
		if m.Makes(c.Machine) {
			c.Arguments = append(slices.Clone(m.Options()), c.Arguments...)
			o.by[command] = c.Compiler
			o.list = append(o.list, question.Compiler{
				Name: command, Version: c.Version, To: m.Names[0], Title: m.Title,
			})
			log.Info("offering a compiler", "compiler", command, "version", c.Version, "to", m.Names[0])
			return nil
		}
		names = append(names, m.Names[0])
	}
	return fmt.Errorf("it compiles for %q, whose listings litmuscope does not read: want a compiler for %s", c.Machine,
		strings.Join(names, ", "))
}

// List implements [question.Compilers].
func (o *Offered) List() []question.Compiler { return o.list }

// Run implements [question.Compilers].
func (o *Offered) Run(ctx context.Context, name string, job toolchain.Job) (map[string][]byte, error) {
	out, err := o.box.Run(ctx, o.by[name], job)
	var limited *sandbox.Limited
	if errors.As(err, &limited) {
		return nil, &question.Cut{Err: limited}
	}
	return out, err
}
