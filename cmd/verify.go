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
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
	"litmuscope/solver/graphs"
	"litmuscope/solver/report"
	"litmuscope/solver/synth/optimise"
	"litmuscope/solver/witness"
	"litmuscope/web/api/client"
)

// programFlags hold the question to ask of C programs: models, properties, and how to read a program.
type programFlags struct {
	askFlags
	properties []string
	dirs       []string
	link       bool
	task       solver.VerifyTask // the parts that all tasks share
	compiler   []string          // flags of clang++ or rustc, behind --
	commands   string            // a compilation database, or ""
}

// verifyFlags are the flags of the verify command.
type verifyFlags struct {
	programFlags
	answerFlags
	remoteFlags
	witness string
	// showMacros: print the predefined macros, and verify nothing.
	showMacros bool
}

// verifyCommand returns the verify command.
func verifyCommand() *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify [flags] FILE... [-- COMPILER FLAGS]",
		Short: "Verify C, C++ and Rust programs under memory models, within bounds",
		Long: `Verify C programs with threads: check whether an assertion can fail under a memory model,
and show an execution in which it fails, line by line.

Each FILE is a program; with --link, all files together are one program. In a folder, the
command uses all .c files. It reads programs with its own preprocessor and headers
(pthread.h, stdatomic.h, assert.h, threads.h and others), without a compiler. It finds
other included files like a compiler: relative to the including file, in a folder of -I,
or by an absolute path.

clang++ compiles a FILE in C++ (.cpp, .cc, .cxx) to LLVM IR, with -std=c++20 -O1 and the flags
behind --. With --compile-commands compile_commands.json, the flags that this file has for FILE
come before them. rustc compiles a FILE.rs in Rust, with what it needs of std; -D NAME is
--cfg NAME. A folder with a Cargo.toml is a program in Rust that cargo compiles, offline, with
the crates that it depends on; the flags behind -- are cargo's. A FILE.ll has LLVM IR in text form, as clang -S -emit-llvm -g writes it. Answers
show the lines of the source. A function that no file defines is refused by name when a run
calls it.

A program is read as GCC reads it on the machine of the model. It sees that machine's
predefined macros (--show-macros lists them). Plain char is unsigned under aarch64, arm,
power and riscv. long and pointers have 32 bits under arm and mips.

Without --model, the model is the one that the engine supports, if there is only one.
Otherwise it is lkmm if the program includes lkmm.h, linux/ or asm/, and rc11 if not. Under
the model of an architecture, C's atomics are compiled by the published mappings that
litmuscope compile uses. If another mapping is also common, the answer says which one was
used; select one with --target, for example --target arm:dmb+leading. The ordering that the
kernel's primitives and barriers in inline assembly guarantee is the same under every
model. A weak compare-and-exchange may fail spuriously, except where it is a single
instruction (aarch64, --target x86).

Without --engine, the engines axiomatic and graphs run at the same time if both support
the question. The first answer with a verdict counts, and it names its engine. graphs gets
one eighth of the memory that --memory allows.

With --server, the workers of that server explore the program with the engine graphs, and
each explores a part of the executions. A part is identified by the path to its first
graph, and recorded once. If a worker is killed, the answer and the number of executions
are still those of the whole program.

A run that reaches abort() or __builtin_trap() fails. In a program for SV-COMP, which
reports failures by reach_error() or by verifier functions, abort() ends the run instead.
exit(1) ends a run, and the answer has a remark about it.

An answer is one of these: unsafe, with a place; safe; safe within bounds, if a loop was
cut that could continue; unknown, for example if undefined behaviour happens before
anything fails. The properties are

    assertion    no assertion fails
    data-race    C's happens-before orders all conflicting plain accesses, also under models
                 of machines
    memory       no access to memory that is freed, not allocated or not initialised, or to a
                 local variable of a call or block that has ended; happens-before must order
                 every access before that end
    termination  no thread waits or loops forever; a wait on a condition needs a signal
    overflow     no signed integer overflows (without this property, it wraps around)
    leak         when main returns, all memory whose allocation main may see has been freed

Properties joined with + are one question. Several --property flags are several questions.
Without --property, the command checks assertion and, under models that define data races,
data-race.

Exit status: 0 when every program was answered, 1 when some could not be read or decided,
2 when the command line is wrong.`,
		Example: `  litmuscope verify -m tso dekker.c
  litmuscope verify -m sc -m tso -m aarch64 --unroll 3 locks/
  litmuscope verify --property data-race+assertion -D N=3 -I include queue.c
  litmuscope verify -m rc11 queue.cpp -- -std=c++17 -Iinclude
  litmuscope verify -m rc11 -D relaxed lock.rs -- -C opt-level=2
  litmuscope verify -e lazy-cseq --rounds 3 --witness stack.graphml stack.c`,
		Args: func(c *cobra.Command, args []string) error {
			if f.showMacros {
				return nil
			}
			if dash := c.ArgsLenAtDash(); dash >= 0 {
				args = args[:dash]
			}
			return atLeastOne("verify", "a C or C++ file, or a folder of C files")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if dash := c.ArgsLenAtDash(); dash >= 0 {
				args, f.compiler = args[:dash], args[dash:]
			}
			return f.verify(c.Context(), os.Stdout, os.Stderr, args)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.programFlags.add(c)
	flags.BoolVar(&f.task.Count, "count", false,
		"also count complete executions, without those in which a weak compare-and-exchange fails spuriously")
	flags.BoolVar(&f.task.Minimise, "minimise", false,
		"find an execution with the fewest context switches or reorderings")
	flags.StringVar(&f.witness, "witness", "", "write the answer's SV-COMP witness to this `FILE`: .graphml or .yml")
	f.answerFlags.add(c, report.VerificationFormats, "programs", "answers")
	flags.Lookup("stats").Usage = "print the peak memory of each answer; with -f jsonl, all its costs"
	optionFlags(flags, &f.task.Options, engines.VerifyOptions)
	flags.BoolVar(&f.showMacros, "show-macros", false,
		"print the predefined macros under the model, and exit")
	flags.StringVar(&f.server, "server", "",
		"share the exploration among the workers of the server at this `ADDRESS` (the engine graphs)")
	flags.StringVar(&f.token, "token", "", "`TOKEN` to send to the server (default $LITMUSCOPE_TOKEN)")
	return c
}

// add adds all flags of a question about C programs.
func (f *programFlags) add(c *cobra.Command) {
	f.askFlags.add(c, "program", engines.VerifierNames())
	f.addProgram(c)
}

// addProgram adds the flags for the properties to check and for reading a program.
func (f *programFlags) addProgram(c *cobra.Command) {
	properties := make([]string, len(ir.Properties))
	for i, p := range ir.Properties {
		properties[i] = string(p)
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.properties, "property", nil,
		"check this `PROPERTY`: "+strings.Join(properties, ", ")+
			", or several joined with +; may be given several times (default assertion, and data-race under models "+
			"that define data races)")
	flags.VarP(&macroFlag{into: &f.task.Defines}, "define", "D",
		"define the macro `NAME[=VALUE]`; may be given several times")
	flags.VarP(&macroFlag{into: &f.task.Defines, before: engines.Undefine}, "undefine", "U",
		"undefine the macro `NAME`, which is predefined or defined by an earlier -D; may be given several times")
	flags.StringArrayVarP(&f.dirs, "include", "I", nil,
		"search this `FOLDER` for included files; may be given several times")
	flags.StringVar(&f.task.Entry, "entry", "main", "start the program in this `FUNCTION`")
	flags.StringVar(&f.task.DataModel, "data-model", "", "width of long and of pointers: lp64 (64 bits) or ilp32 "+
		"(32 bits) (default ilp32 under arm and mips, otherwise lp64)")
	flags.Var(&charFlag{&f.task.Char, "signed"}, "fsigned-char",
		"make plain char signed (default under all models except aarch64, arm, power and riscv)")
	flags.Var(&charFlag{&f.task.Char, "unsigned"}, "funsigned-char",
		"make plain char unsigned (default under aarch64, arm, power and riscv)")
	for _, name := range []string{"fsigned-char", "funsigned-char"} {
		flags.Lookup(name).NoOptDefVal = "true"
	}
	flags.StringVar(&f.task.Volatile, "volatile", "plain",
		"how accesses of volatile objects count: plain, or relaxed (as relaxed atomics, for code from before C11)")
	flags.StringVar(&f.task.Plain, "plain", "",
		"relaxed:NAME,NAME...: plain accesses of these variables and fields count as relaxed atomics")
	flags.StringVar(&f.task.Target, "target", "",
		"compile atomics to this `TARGET`: "+strings.Join(engines.Targets, ", ")+
			"; the last five accept variants, as in arm:dmb (default the model's target)")
	flags.BoolVar(&f.link, "link", false, "treat all files as one program")
	flags.StringVar(&f.commands, "compile-commands", "",
		"compile C++ files with the flags that `FILE`, a compile_commands.json, has for them")
	complete(c, "property", properties)
	complete(c, "data-model", engines.DataModels())
	complete(c, "volatile", []string{solver.CountPlain, solver.CountRelaxed})
	complete(c, "target", slices.Concat(engines.Targets, engines.TargetVariants()))
}

// tasks returns a task without a program for each model and each --property flag.
func (f *programFlags) tasks() ([]solver.VerifyTask, error) {
	properties := f.properties
	if len(properties) == 0 {
		properties = []string{""} // the default properties of each model
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

// jobs returns the tasks for each program in the paths, with the files that it may include. A program that does not
// parse has an error in its jobs.
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
			name := files[0].Name
			switch {
			case err != nil:
			case isModule(name) || frontend.IsSource(name):
				files, include, err = f.module(ctx, files)
			default:
				include, err = suite.Includes(texts, f.dirs, f.task.Defines)
			}
			for _, t := range tasks {
				t.Path, t.Files, t.Include, t.Dirs = name, files, include, f.dirs
				if !yield(batch.Job[solver.VerifyTask]{Task: t, Err: err}) {
					return false
				}
			}
			return true
		}
		var all []solver.SourceFile
		var bad error
		for e := range suite.Programs(ctx, packages(paths), stdin(ctx, paths)) {
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

// packages replaces each folder that has the manifest of a package of Rust by the manifest.
func packages(paths []string) []string {
	out := slices.Clone(paths)
	for i, name := range out {
		manifest := filepath.Join(name, frontend.Manifest)
		if info, err := os.Stat(manifest); err == nil && info.Mode().IsRegular() {
			out[i] = manifest
		}
	}
	return out
}

// isModule reports whether a file has LLVM IR.
func isModule(name string) bool { return strings.HasSuffix(name, ".ll") }

// module returns the LLVM IR of a program in C++, or of files that have it, and the sources that its debug information
// names. Several files are linked. Flags of macros and folders also go to the compiler.
func (f *programFlags) module(
	ctx context.Context, files []solver.SourceFile,
) ([]solver.SourceFile, map[string]string, error) {
	var texts []string
	for _, file := range files {
		switch {
		case isModule(file.Name):
			texts = append(texts, file.Text)
		case frontend.IsSource(file.Name):
			text, err := f.compile(ctx, file.Name)
			if err != nil {
				return files, nil, err
			}
			texts = append(texts, text)
		default:
			return files, nil, fmt.Errorf("%s: a program of C files together with C++ files or modules is not "+
				"supported: compile the C files to LLVM IR with clang -g -S -emit-llvm", file.Name)
		}
	}
	name, text := files[0].Name, texts[0]
	if len(texts) > 1 {
		var err error
		if text, err = frontend.Link(ctx, texts); err != nil {
			return files, nil, err
		}
	}
	if !isModule(name) {
		name += ".ll"
	}
	m, err := assembly.Parse(name, text)
	if err != nil {
		return files, nil, err
	}
	return []solver.SourceFile{{Name: name, Text: text}}, frontend.Sources(m), nil
}

// rebuild returns how to compile the program of a task again after its sources have changed. The error says that a
// program cannot be: a module whose compiler is unknown, or several files.
func (f *programFlags) rebuild(t solver.VerifyTask) (optimise.Rebuild, error) {
	name, isCompiled := strings.CutSuffix(t.Path, ".ll")
	switch {
	case len(t.Files) != 1 || !isModule(t.Files[0].Name):
		return nil, nil //nolint:nilnil // a program in C is not compiled
	case f.link && isCompiled, f.link && t.Path != t.Files[0].Name+".ll" && t.Files[0].Name != t.Path+".ll":
		return nil, fmt.Errorf("%s: with --link, changes to C++ and Rust programs are not supported: put the program "+
			"into one file", t.Path)
	case !frontend.IsSource(t.Path) && !frontend.IsSource(name):
		return nil, fmt.Errorf("%s: changes to a module are not supported, because the changed program must be "+
			"compiled again: ask about its C++ or Rust file", t.Path)
	}
	if frontend.IsSource(t.Path) {
		name = t.Path
	}
	return func(ctx context.Context, sources map[string]string) (string, error) {
		return f.compileChanged(ctx, name, sources)
	}, nil
}

// compile returns the LLVM IR of a file in C++ or Rust. The flags of compile_commands.json come first.
func (f *programFlags) compile(ctx context.Context, name string) (string, error) {
	return f.compileChanged(ctx, name, nil)
}

// compileChanged is compile with other texts of the program's files, unless changed is nil.
func (f *programFlags) compileChanged(ctx context.Context, name string, changed map[string]string) (string, error) {
	var flags []string
	if frontend.IsRust(name) {
		cfg, err := f.rustFlags(name)
		if err != nil {
			return "", err
		}
		return frontend.CompileRust(ctx, filepath.FromSlash(name), f.compiler, cfg, changed)
	}
	if f.commands != "" {
		var err error
		if flags, err = frontend.Recorded(f.commands, filepath.FromSlash(name)); err != nil {
			return "", err
		}
	}
	flags = append(flags, f.compiler...)
	for _, dir := range f.dirs {
		flags = append(flags, "-I"+dir)
	}
	for _, d := range f.task.Defines {
		if undefined, ok := strings.CutPrefix(d, engines.Undefine); ok {
			flags = append(flags, "-U"+undefined)
		} else {
			flags = append(flags, "-D"+d)
		}
	}
	return frontend.CompileChanged(ctx, filepath.FromSlash(name), flags, changed)
}

// rustFlags are the options of rustc that -D stands for: --cfg NAME, or --cfg NAME="VALUE". -U and -I have none.
func (f *programFlags) rustFlags(name string) ([]string, error) {
	if len(f.dirs) > 0 {
		return nil, fmt.Errorf("%s: -I is for C and C++: pass rustc's -L or --extern behind --", name)
	}
	var flags []string
	for _, d := range f.task.Defines {
		if undefined, ok := strings.CutPrefix(d, engines.Undefine); ok {
			return nil, fmt.Errorf("%s: -U %s is for C and C++: Rust has no macros to undefine", name, undefined)
		}
		if key, value, ok := strings.Cut(d, "="); ok {
			d = key + "=" + strconv.Quote(value)
		}
		flags = append(flags, "--cfg", d)
	}
	return flags, nil
}

// macroFlag is the value of -D and -U. Both append to one list, which keeps their order.
type macroFlag struct {
	into   *[]string
	before string
}

// Set appends a definition, after the text that marks it as one of -D or of -U.
func (m *macroFlag) Set(s string) error { *m.into = append(*m.into, m.before+s); return nil }

// Type is part of pflag.Value.
func (*macroFlag) Type() string { return "macro" }

// String returns "", so that help shows no default.
func (*macroFlag) String() string { return "" }

// charFlag is the value of -fsigned-char and -funsigned-char. As with GCC, the last flag wins.
type charFlag struct {
	into *string
	kind string
}

// Set selects the flag's kind of char. It accepts only "true", which pflag passes if the flag has no value.
func (c *charFlag) Set(s string) error {
	if s != "true" {
		return fmt.Errorf("the flag takes no value")
	}
	*c.into = c.kind
	return nil
}

// Type is part of pflag.Value.
func (*charFlag) Type() string { return "bool" }

// String returns "", so that help shows no default.
func (*charFlag) String() string { return "" }

// verify runs the verify command. Every error except errNotAll is for the user to fix.
func (f *verifyFlags) verify(ctx context.Context, out, failures io.Writer, paths []string) error {
	if err := f.check(report.VerificationFormats); err != nil {
		return err
	}
	switch {
	case f.witness != "" && witness.FormatOf(f.witness) == "":
		return fmt.Errorf("--witness: %s: want a name that ends in %s", f.witness,
			strings.Join(witness.Formats, " or "))
	case f.witness != "" && max(len(f.models), len(f.properties)) > 1:
		return fmt.Errorf("--witness: want only one model and one property")
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

	// Text always shows the execution. In JSON it is long, so it needs --witnesses.
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
				return fmt.Errorf("--witness: want only one program")
			}
			if err := write(v); err != nil || f.witness == "" || v.Status != solver.OK {
				return err
			}
			return f.writeWitness(t.Files, v)
		})
	line.Clear()
	return reportFailures(ctx, tally, err, failures, "programs")
}

// printMacros prints the predefined macros under the model of --model, which must be one.
func (f *verifyFlags) printMacros(out io.Writer, tasks []solver.VerifyTask) error {
	if len(f.models) > 1 {
		return fmt.Errorf("--show-macros: want only one model: macros differ between models")
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

// writeWitness writes the SV-COMP witness of an answer to the file of --witness.
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
