package cmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
	"litmuscope/solver/graphs"
	"litmuscope/solver/report"
	"litmuscope/solver/witness"
	"litmuscope/web/api/client"
)

// programFlags say what is asked of which programs.
type programFlags struct {
	askFlags
	properties []string
	dirs       []string
	link       bool
	task       solver.VerifyTask // what all have in common
}

// verifyFlags are the flags of the verify command.
type verifyFlags struct {
	programFlags
	answerFlags
	remoteFlags
	witness string
	// showMacros: print what is predefined, and verify nothing.
	showMacros bool
}

func verifyCommand() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify [flags] FILE.c...",
		Short: "Verify C programs under memory models, within bounds",
		Long: `Say of C programs with threads whether an assertion can fail under a memory model,
and show the execution that has it fail, line by line.

Each FILE is a program, or with --link all together are one; a folder is searched for .c
files. Programs are read by a preprocessor and headers of litmuscope's own (pthread.h,
stdatomic.h, assert.h, threads.h and the like), and by no compiler. Other files are included as a
compiler does: relative to the including file, in a folder that -I names, or by an absolute path.

A program is read as GCC reads it on the machine of the model: it sees that machine's predefined
macros (--show-macros lists them), plain char is unsigned under aarch64, arm, power and riscv, and
long and pointers have 32 bits under arm and mips.

With no model, a program runs under the one that the engine answers for, if there is but
one; else under lkmm where it includes lkmm.h, linux/ or asm/, and under rc11 if not. Under
the model of an architecture, C's atomics are compiled to it by the same published mappings as
litmuscope compile has; where another is as usual, the answer says which was taken, and --target
arm:dmb+leading takes it. What the kernel's primitives and barriers in inline assembly keep in
order is the same under every model. A weak compare-and-exchange may fail for no reason, but
where it is one instruction (aarch64, --target x86).

Unless an engine is named, two are asked at once where both can answer, axiomatic and graphs: the first answer
that decides is given, and says whose it is. Of the memory that --memory allows, graphs has an eighth.

With --server, graphs alone explores a program, and the workers of that server do it, a part of its executions each. A
part is named by the way to its first graph, and recorded once: whoever is killed meanwhile, the answer and the number of
executions are those of the whole.

A run that reaches abort() or __builtin_trap() fails. In a program for SV-COMP, which reports failures by reach_error()
or by verifier functions, abort() ends the run instead. exit(1) ends a run, and gets a remark.

An answer is unsafe, with a place; safe; safe within bounds, where a loop was cut that could
go on; or unknown, as where undefined behaviour happens before anything fails. Properties: assertion
(the default), data-race (C's happens-before orders plain accesses, under models of machines, too), memory (nothing freed,
not allocated or not initialised is used, no local of a call or block that has ended, and happens-before puts every
access before that), termination (no thread waits or loops for ever; a wait on a condition needs a signal), overflow (of signed integers, which else
wrap around), leak (where main returns, all that it may see to have been allocated has been freed). Those with + between them are one question; a flag each, several.

Exit status: 0 when every program was answered, 1 when some could not be read or decided,
2 when the command line is wrong.`,
		Example: `  litmuscope verify -m tso dekker.c
  litmuscope verify -m sc -m tso -m aarch64 --unroll 3 locks/
  litmuscope verify --property data-race+assertion -D N=3 -I include queue.c
  litmuscope verify -e lazy-cseq --rounds 3 --witness stack.graphml stack.c`,
		Args: func(c *cobra.Command, args []string) error {
			if f.showMacros {
				return nil
			}
			return some("verify", "a C file, or a folder of them")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error { return f.verify(c.Context(), os.Stdout, os.Stderr, args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.programFlags.add(c)
	flags.BoolVar(&f.task.Count, "count", false,
		"count complete executions as well, but none in which a weak compare-and-exchange fails for no reason")
	flags.BoolVar(&f.task.Minimise, "minimise", false,
		"look for an execution of as few context switches or reorderings as can be")
	flags.StringVar(&f.witness, "witness", "", "write SV-COMP's witness of the answer to a file: .graphml, or .yml")
	f.answerFlags.add(c, report.VerificationFormats, "programs", "answers")
	optionFlags(flags, &f.task.Options, engines.VerifyOptions)
	flags.BoolVar(&f.showMacros, "show-macros", false,
		"print the macros that are defined before a program is read, under the model, and stop")
	flags.StringVar(&f.server, "server", "",
		"have the workers of a server explore the executions, a part each (the engine graphs)")
	flags.StringVar(&f.token, "token", "", "the token to show to the server (default $LITMUSCOPE_TOKEN)")
	return c
}

// add makes the flags.
func (f *programFlags) add(c *cobra.Command) {
	f.askFlags.add(c, "program", engines.VerifierNames())
	f.addProgram(c)
}

// addProgram makes those that say what a program is, and what it is held to.
func (f *programFlags) addProgram(c *cobra.Command) {
	properties := make([]string, len(ir.Properties))
	for i, p := range ir.Properties {
		properties[i] = string(p)
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.properties, "property", nil,
		"what to hold the program to: "+strings.Join(properties, ", ")+
			", or some of them joined by +; may be given several times (default assertion)")
	flags.VarP(&macroFlag{into: &f.task.Defines}, "define", "D",
		"define a macro, NAME or NAME=VALUE; may be given several times")
	flags.VarP(&macroFlag{into: &f.task.Defines, before: engines.Undefine}, "undefine", "U",
		"undefine a macro that is predefined or that an earlier -D defines; may be given several times")
	flags.StringArrayVarP(&f.dirs, "include", "I", nil,
		"search a folder for what is included; may be given several times")
	flags.StringVar(&f.task.Entry, "entry", "main", "the function to begin with")
	flags.StringVar(&f.task.DataModel, "data-model", "", "width of long and of pointers: lp64 (64 bits) or ilp32 "+
		"(32 bits) (default ilp32 under arm and mips, else lp64)")
	flags.Var(&charFlag{&f.task.Char, "signed"}, "fsigned-char",
		"plain char is signed (default under all models but aarch64, arm, power and riscv)")
	flags.Var(&charFlag{&f.task.Char, "unsigned"}, "funsigned-char",
		"plain char is unsigned (default under aarch64, arm, power and riscv)")
	for _, name := range []string{"fsigned-char", "funsigned-char"} {
		flags.Lookup(name).NoOptDefVal = "true"
	}
	flags.StringVar(&f.task.Target, "target", "",
		"what atomics are compiled to: "+strings.Join(engines.Targets, ", ")+
			", the last five with variants perhaps, as in arm:dmb (default as the model wants it)")
	flags.BoolVar(&f.link, "link", false, "take all files for one program's")
	complete(c, "property", properties)
	complete(c, "data-model", engines.DataModels())
	complete(c, "target", slices.Concat(engines.Targets, engines.TargetVariants()))
}

// tasks are what is asked of each program, as tasks without one.
func (f *programFlags) tasks() ([]solver.VerifyTask, error) {
	properties := f.properties
	if len(properties) == 0 {
		properties = []string{""} // as usual under each model
	}
	under, err := f.askFlags.tasks()
	if err != nil {
		return nil, err
	}
	var tasks []solver.VerifyTask
	for _, m := range under {
		for _, property := range properties {
			t := f.task
			t.Model, t.ModelText, t.ModelFiles, t.Engine = m.Model, m.ModelText, m.ModelFiles, f.engine
			t.Properties = nil
			for p := range strings.SplitSeq(property, "+") {
				if property == "" {
					break
				}
				t.Properties = append(t.Properties, ir.Property(strings.TrimSpace(p)))
			}
			if err := admit(t); err != nil {
				return nil, err
			}
			tasks = append(tasks, t)
		}
	}
	return tasks, nil
}

// jobs are the tasks for each program that the paths name, with all that it may include.
func (f *programFlags) jobs(
	ctx context.Context, paths []string, tasks []solver.VerifyTask,
) iter.Seq[batch.Job[solver.VerifyTask]] {
	return func(yield func(batch.Job[solver.VerifyTask]) bool) {
		ask := func(files []solver.SourceFile, err error) bool {
			texts := map[string]string{}
			for _, file := range files {
				texts[file.Name] = file.Text
			}
			var include map[string]string
			if err == nil {
				include, err = suite.Includes(texts, f.dirs, f.task.Defines)
			}
			for _, t := range tasks {
				t.Path, t.Files, t.Include, t.Dirs = files[0].Name, files, include, f.dirs
				if !yield(batch.Job[solver.VerifyTask]{Task: t, Err: err}) {
					return false
				}
			}
			return true
		}
		var all []solver.SourceFile
		var bad error
		for e := range suite.Programs(ctx, paths, stdin(ctx, paths)) {
			file := solver.SourceFile{Name: filepath.ToSlash(e.Path), Text: e.Source}
			if f.link {
				all, bad = append(all, file), cmp.Or(bad, e.Err)
			} else if !ask([]solver.SourceFile{file}, e.Err) {
				return
			}
		}
		if len(all) > 0 {
			ask(all, bad)
		}
	}
}

// macroFlag adds what is given to a list of definitions, which keeps the order of -D and -U.
type macroFlag struct {
	into   *[]string
	before string
}

func (m *macroFlag) Set(s string) error { *m.into = append(*m.into, m.before+s); return nil }
func (*macroFlag) Type() string         { return "macro" }
func (*macroFlag) String() string       { return "" }

// charFlag sets the kind of plain char, as GCC's flags do: the last one given holds.
type charFlag struct {
	into *string
	kind string
}

func (c *charFlag) Set(s string) error {
	if s != "true" {
		return fmt.Errorf("want no value")
	}
	*c.into = c.kind
	return nil
}
func (*charFlag) Type() string   { return "bool" }
func (*charFlag) String() string { return "" }

// verify is the verify command. Every error but errNotAll is the user's.
func (f *verifyFlags) verify(ctx context.Context, out, failures io.Writer, paths []string) error {
	if err := f.check(report.VerificationFormats); err != nil {
		return err
	}
	switch {
	case f.witness != "" && witness.FormatOf(f.witness) == "":
		return fmt.Errorf("--witness: %s ends in none of %s", f.witness, strings.Join(witness.Formats, ", "))
	case f.witness != "" && max(len(f.models), len(f.properties)) > 1:
		return fmt.Errorf("--witness is for one program under one model")
	}
	if f.server != "" && f.engine == engines.Auto {
		f.engine = graphs.Engine{}.Name()
	}
	tasks, err := f.tasks()
	if err != nil {
		return err
	}
	if f.showMacros {
		return f.printMacros(out, tasks)
	}
	runner, closeRunner, err := f.runner(ctx)
	if err != nil {
		return err
	}
	defer closeRunner()
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	line := newStatusLine()
	if f.server != "" {
		c, err := f.client()
		if err != nil {
			return err
		}
		runner = &client.Parts{Runner: runner, Client: c, Each: engines.PartTime, Said: line.Say}
	}

	// In text the execution is always of use; in JSON it is long.
	shown := f.task.Options.Witnesses || f.format == "text"
	for i := range tasks {
		tasks[i].Options.Witnesses = shown || f.witness != ""
	}
	write := report.Verifications(f.format, out, report.Options{Witnesses: shown, Stats: f.stats})
	all := 0
	following := solver.Following(ctx,
		func(v *solver.Verification) { line.Say(v.Path + " under " + v.Model + ": " + v.SoFar) })
	tally, err := batch.Run(following, runner, f.workers, f.jobs(ctx, paths, tasks),
		func(t solver.VerifyTask, v *solver.Verification) error {
			line.Clear()
			if all++; f.witness != "" && all > 1 {
				return fmt.Errorf("--witness is for one program, and there are more")
			}
			if err := write(v); err != nil || f.witness == "" || v.Status != solver.OK {
				return err
			}
			return f.writeWitness(t.Files, v)
		})
	line.Clear()
	return complain(ctx, tally, err, failures, "program")
}

// printMacros lists what is predefined under the one model that is asked for.
func (f *verifyFlags) printMacros(out io.Writer, tasks []solver.VerifyTask) error {
	if len(f.models) > 1 {
		return fmt.Errorf("--show-macros is for one model: macros differ between models")
	}
	lines, err := engines.Macros(tasks[0])
	if err != nil {
		return err
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

// writeWitness writes the witness of an answer to its file.
func (f *verifyFlags) writeWitness(files []solver.SourceFile, v *solver.Verification) error {
	var text strings.Builder
	err := witness.Write(&text, witness.FormatOf(f.witness), witness.Task{
		Files: files, Entry: f.task.Entry, ILP32: v.DataModel == "ilp32", Created: time.Now(),
	}, v)
	if err == nil {
		err = os.WriteFile(f.witness, []byte(text.String()), 0o644)
	}
	if err != nil {
		return fmt.Errorf("--witness: %w", err)
	}
	return nil
}
