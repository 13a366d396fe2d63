package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"litmuscope/litmus"
	"litmuscope/litmus/compile"
	"litmuscope/litmus/suite"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/mappingcheck"
)

// compileFlags are the flags of the compile command.
type compileFlags struct {
	to      []string
	variant string
	out     string
	check   bool
	model   string
	format  string
	options solver.Options
	real    realFlags
}

// compileCommand returns the compile command. Its help lists the architectures and the variants of their mappings.
func compileCommand() *cobra.Command {
	var f compileFlags
	var names []string
	var table strings.Builder
	for _, a := range compile.Architectures() {
		names = append(names, a.Names[0])
		fmt.Fprintf(&table, "    %-8s %s\n", a.Names[0], a.Title)
		for _, v := range a.Variants {
			fmt.Fprintf(&table, "      %-12s %s\n", v.Name, v.Text)
		}
	}
	c := &cobra.Command{
		Use:   "compile [flags] --to ARCH PATH...",
		Short: "Compile C11 tests by the published mappings, or check the mappings or real compilers",
		Long: `Compile C11 tests to an architecture, or OpenCL tests to ptx or vulkan, by the published
mappings of atomic operations, as compilers do, and print the resulting tests.

With --check, the command runs the C test under its own model and the compiled test under
the architecture's model, and compares the outcomes. If the architecture allows an
outcome that the language forbids, the mapping is wrong.

With --cc, a real compiler compiles the test, and the command reads each thread's assembly
back into a test of the architecture and checks that. An outcome that the architecture
allows and the language forbids is a bug of the compiler or of a model: the command then
prints the lines of C beside the instructions that came from them. Without --to, the
compiler's own architecture counts; clang compiles for each. --listing does the same for a
listing of your own, made from the C file that --show c prints.

A PATH is any that run accepts. With several tests or several mappings, --out names a
folder or a .zip file for the compiled tests. The list shows the architectures and the
variants of their mappings. Join variants with +, as in llsc+ctrl. If you name no variant
of a kind, the first one of that kind applies. The word all stands for every variant, and
for every architecture except vulkan, which has no seq_cst operations.

` + table.String() + `
Exit status: 0 when every test was compiled and no mapping is wrong, 1 when some test
could not be compiled or decided or some mapping is wrong, 2 when the command line is
wrong.`,
		Example: `  litmuscope compile --to aarch64 SB.litmus
  litmuscope compile --to ppc --variant trailing MP.litmus | litmuscope run -
  litmuscope compile --check --to all --variant all tests/
  litmuscope compile --check --to riscv -m 'rc11~no-thin-air' LB.litmus
  litmuscope compile --cc 'gcc -O2' SB.litmus
  litmuscope compile --cc 'clang -O2' --to aarch64 --show test SB.litmus`,
		Args: atLeastOne("compile", "a test in C, a folder, @LIST, an archive or -"),
		RunE: func(c *cobra.Command, args []string) error { return f.compile(c.Context(), os.Stdout, os.Stderr, args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&f.to, "to", nil, "compile to this `ARCH`: "+strings.Join(names, ", ")+", or all")
	flags.StringVar(&f.variant, "variant", "",
		"variants of the mapping, joined with +, or all (default the first of each kind)")
	flags.StringVar(&f.out, "out", "", "write the tests to this folder or .zip file (default standard output)")
	flags.BoolVar(&f.check, "check", false, "run both tests, and report whether the mapping is correct")
	flags.StringVarP(&f.model, "model", "m", "",
		"with --check or --cc, `MODEL` of the C test: a name or a .cat file (default the test's own)")
	f.real.add(c)
	formatFlag(c, &f.format, "with --check or --cc, output `FORMAT`", textOrLines)
	optionFlags(flags, &f.options, solver.OptionTable)
	complete(c, "to", append(names, "all"))
	complete(c, "model", models.Names())
	return c
}

// mapping is an architecture and a variant of its mapping of atomic operations.
type mapping struct{ arch, variant string }

// String returns the architecture and the variant, as printChecked prints them.
func (m mapping) String() string { return strings.TrimSuffix(m.arch+" "+m.variant, " ") }

// mappings returns the mappings that the command line asks for. Its error names the flag that is wrong.
func (f *compileFlags) mappings() ([]mapping, error) {
	var out []mapping
	for _, name := range f.to {
		for _, a := range compile.Architectures() {
			if name != "all" {
				found, err := compile.Find(name)
				if err != nil {
					return nil, fmt.Errorf("--to: %w, or all", err)
				}
				if found.Arch != a.Arch {
					continue
				}
			}
			if name == "all" && a.Partial {
				continue
			}
			variants := []string{f.variant}
			if f.variant == "all" {
				variants = a.Choices()
			} else if err := a.Check(f.variant); err != nil {
				return nil, fmt.Errorf("--variant: %w", err)
			}
			for _, v := range variants {
				out = append(out, mapping{a.Names[0], v})
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("compile: want an architecture, as in --to aarch64, or --to all")
	}
	return out, nil
}

// compiledTest is the compile command's answer for one test and one mapping.
type compiledTest struct {
	Path    string `json:"path"`
	To      string `json:"to"`
	Variant string `json:"variant,omitempty"`
	Error   string `json:"error,omitempty"`
	Text    string `json:"text,omitempty"` // the verdict in words
	Hint    string `json:"hint,omitempty"`
	*mappingcheck.Checked

	made *compile.Test
}

// compile runs the compile command. Every error except errNotAll is for the user to fix.
func (f *compileFlags) compile(ctx context.Context, out, failures io.Writer, paths []string) error {
	if f.real.used() {
		return f.compileReal(ctx, out, failures, paths)
	}
	mappings, err := f.mappings()
	if err == nil {
		err = checkFormat(f.format, textOrLines)
	}
	switch {
	case err != nil:
		return err
	case !f.check && (f.model != "" || f.format != "text"):
		return fmt.Errorf("compile: --model and --format need --check")
	case f.check && f.out != "":
		return fmt.Errorf("compile: --out and --check exclude each other")
	}
	task := solver.Task{Model: f.model, Options: f.options}
	if err := modelFile(&task); err != nil {
		return err
	}
	if err := admit(task); err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	var runner solver.Runner
	if f.check {
		var closeRunner func()
		if runner, closeRunner, err = newRunner(ctx, runtime.NumCPU(), ""); err != nil {
			return err
		}
		defer closeRunner()
	}
	put, closeOut, err := f.printer(out, len(mappings) > 1)
	if err != nil {
		return err
	}
	all, n := true, 0
	err = batch.InOrder(ctx, runtime.NumCPU(), suite.Collect(ctx, paths, stdin(ctx, paths)),
		func(ctx context.Context, e suite.Entry) []compiledTest {
			var compiled []compiledTest
			for _, m := range mappings {
				compiled = append(compiled, compileTest(ctx, runner, e, m, task))
			}
			return compiled
		},
		func(compiled []compiledTest) error {
			for _, m := range compiled {
				n++
				all = all && m.Error == "" &&
					(m.Checked == nil || m.Verdict == mappingcheck.Right || m.Verdict == mappingcheck.Undefined)
				if m.Error != "" && f.format == "text" {
					fmt.Fprintln(failures, "litmuscope:", m.Error)
				} else if err := put(m); err != nil {
					return err
				}
			}
			return nil
		})
	if closing := closeOut(err == nil); err == nil {
		err = closing
	}
	return compiledAll(ctx, failures, n, all, err)
}

// compiledAll returns the error of a command that has compiled n tests; all says that none failed.
func compiledAll(ctx context.Context, failures io.Writer, n int, all bool, err error) error {
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(failures, "litmuscope: interrupted")
		return errNotAll
	case err != nil:
		return err
	case n == 0:
		return fmt.Errorf("no tests found in the given paths")
	case !all:
		return errNotAll
	}
	return nil
}

// compileTest compiles a test by a mapping and, if runner is not nil, checks the mapping on the test. Errors are in the
// answer.
func compileTest(
	ctx context.Context, runner solver.Runner, e suite.Entry, w mapping, task solver.Task,
) compiledTest {
	m := compiledTest{Path: e.Path, To: w.arch, Variant: w.variant}
	err := e.Err
	var t *litmus.Test
	if err == nil {
		t, err = litmus.Parse(e.Path, e.Source)
	}
	if err == nil {
		m.made, err = compile.Compile(t, w.arch, w.variant)
	}
	if err == nil && runner != nil {
		task.Path, task.Source = e.Path, e.Source
		m.Checked, err = mappingcheck.Check(ctx, runner, mappingcheck.Question{Source: task, Compiled: m.made})
	}
	if err != nil {
		m.Error = err.Error()
		return m
	}
	if m.Checked != nil {
		m.Text, m.Hint = m.Checked.Text(), m.Checked.Hint(m.made)
	}
	return m
}

// printer returns put, which prints or stores one answer, and closeOut, which the caller calls after the last one.
// several says that there are several mappings, so that the names of files need the mapping. whole is false if the
// command failed; an archive is then removed.
func (f *compileFlags) printer(
	out io.Writer, several bool,
) (put func(compiledTest) error, closeOut func(whole bool) error, err error) {
	done := func(bool) error { return nil }
	switch {
	case f.check && f.format == "jsonl":
		lines := json.NewEncoder(out)
		lines.SetEscapeHTML(false)
		return func(m compiledTest) error { return lines.Encode(m) }, done, nil
	case f.check:
		return func(m compiledTest) error { return printChecked(out, m) }, done, nil
	case f.out == "":
		first := true
		return func(m compiledTest) error {
			if !first {
				fmt.Fprintln(out)
			}
			first = false
			_, err := io.WriteString(out, m.made.Text)
			return err
		}, done, nil
	}
	to, err := (&familyFlags{out: f.out}).open(out)
	if err != nil {
		return nil, nil, err
	}
	taken := map[string]int{}
	return func(m compiledTest) error {
		name := strings.TrimSuffix(filepath.Base(m.Path), ".litmus")
		if several {
			name += "-" + strings.ReplaceAll(mapping{m.To, m.Variant}.String(), " ", "-")
		}
		if taken[name]++; taken[name] > 1 {
			name = fmt.Sprintf("%s-%d", name, taken[name])
		}
		return to.add(name, m.made.Text, nil)
	}, to.close, nil
}

// printChecked prints the two verdicts side by side, what they say about the mapping, and at most ten outcomes that
// only the architecture allows.
func printChecked(out io.Writer, m compiledTest) error {
	side := func(r *solver.Result) string {
		if r.Status == solver.Failed {
			return r.Model + ": error"
		}
		return fmt.Sprintf("%s: %s", r.Model, r.Verdict)
	}
	_, err := fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", m.Path, mapping{m.To, m.Variant}, side(m.Language),
		side(m.Architecture), m.Text)
	for i, s := range m.Unsound {
		var b strings.Builder
		for _, v := range s {
			fmt.Fprintf(&b, " %s=%s;", v.Name, v.Value)
		}
		if fmt.Fprintf(out, "\t%s\n", strings.TrimSpace(b.String())); i == 9 && len(m.Unsound) > 10 {
			fmt.Fprintf(out, "\tand %d more\n", len(m.Unsound)-10)
			break
		}
	}
	if m.Hint != "" {
		fmt.Fprintf(out, "\t%s\n", m.Hint)
	}
	return err
}
