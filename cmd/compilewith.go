package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"litmuscope/litmus/readback"
	"litmuscope/litmus/suite"
	"litmuscope/litmus/toolchain"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/compilercheck"
	"litmuscope/solver/mappingcheck"
)

// realFlags are the flags of the compile command for real compilers.
type realFlags struct {
	compilers []string
	listing   string
	functions []string
	show      string
}

// shown are the values of --show.
var shown = []string{"c", "listing", "test"}

func (f *realFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVar(&f.compilers, "cc", nil,
		"check what this compiler makes of the tests, as in `'gcc -O2'`; repeat it for several compilers")
	flags.StringVar(&f.listing, "listing", "",
		"check the listing in `FILE`, which a compiler has made of the test's C file; needs one --to")
	flags.StringSliceVar(&f.functions, "functions", nil,
		"with --listing, the `NAMES` of the functions that are the threads, in order (default P0,P1,…)")
	flags.StringVar(&f.show, "show", "",
		"with --cc or --listing, print this instead of a check: "+strings.Join(shown, ", ")+
			" (c alone needs neither)")
	complete(c, "show", shown)
}

// used says whether the command line asks for a real compiler.
func (f *realFlags) used() bool {
	return len(f.compilers) > 0 || f.listing != "" || f.show != "" || f.functions != nil
}

// realTest is the compile command's answer for one test and one compiler.
type realTest struct {
	Path     string `json:"path"`
	To       string `json:"to"`
	Compiler string `json:"cc,omitempty"`
	Error    string `json:"error,omitempty"`
	Text     string `json:"text,omitempty"` // the verdict in words
	ThinAir  bool   `json:"thin_air,omitempty"`
	*mappingcheck.Checked
	*compilercheck.Built

	source  string
	checked *compilercheck.Checked
}

// targets returns the compilers that the command line asks for, each for every architecture.
func (f *compileFlags) targets(ctx context.Context) ([]compilercheck.Target, error) {
	to := f.to
	if len(to) == 0 {
		to = []string{""}
	}
	if len(to) == 1 && to[0] == "all" {
		to = nil
		for _, m := range readback.Machines() {
			to = append(to, m.Names[0])
		}
	}
	switch {
	case f.real.show == "c":
		return []compilercheck.Target{{}}, nil
	case f.real.listing == "" && len(f.real.compilers) == 0:
		return nil, errors.New("compile: --show needs --cc or --listing")
	case f.real.listing == "" && f.real.functions != nil:
		return nil, errors.New("compile: --functions needs --listing")
	case f.real.listing != "" && (len(f.real.compilers) > 0 || len(to) != 1 || to[0] == ""):
		return nil, errors.New("compile: --listing needs one --to, and excludes --cc")
	case f.real.listing != "":
		m, err := readback.Find(to[0])
		if err != nil {
			return nil, fmt.Errorf("--to: %w", err)
		}
		return []compilercheck.Target{{Machine: m}}, nil
	}
	var out []compilercheck.Target
	for _, command := range f.real.compilers {
		c, err := toolchain.Parse(command)
		if err != nil {
			return nil, fmt.Errorf("--cc: %w", err)
		}
		for _, name := range to {
			t, err := compilercheck.TargetOf(ctx, c, name)
			if err != nil {
				return nil, fmt.Errorf("--cc: %w", err)
			}
			out = append(out, t)
		}
	}
	return out, nil
}

// compileReal runs the compile command with real compilers. Every error except errNotAll is for the user to fix.
func (f *compileFlags) compileReal(ctx context.Context, out, failures io.Writer, paths []string) error {
	switch {
	case f.variant != "":
		return errors.New(
			"compile: --variant is about the published mappings, and excludes --cc, --listing and --show",
		)
	case f.real.show != "" && checkFormat(f.real.show, shown) != nil:
		return fmt.Errorf("--show: got %q, want %s", f.real.show, strings.Join(shown, ", "))
	case f.real.show != "" && (f.check || f.format != "text" || f.model != "" || f.out != ""):
		return errors.New("compile: --show excludes --check, --format, --model and --out")
	}
	if err := checkFormat(f.format, textOrLines); err != nil {
		return err
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
	targets, err := f.targets(ctx)
	if err != nil {
		return err
	}
	listing := ""
	if f.real.listing != "" {
		text, err := os.ReadFile(f.real.listing)
		if err != nil {
			return err
		}
		listing = string(text)
	}
	var runner solver.Runner
	if f.real.show == "" && f.out == "" {
		var closeRunner func()
		if runner, closeRunner, err = newRunner(ctx, runtime.NumCPU(), ""); err != nil {
			return err
		}
		defer closeRunner()
	}
	put, closeOut, err := f.realPrinter(out, len(targets) > 1)
	if err != nil {
		return err
	}
	all, n := true, 0
	err = batch.InOrder(ctx, runtime.NumCPU(), suite.Collect(ctx, paths, stdin(ctx, paths)),
		func(ctx context.Context, e suite.Entry) []realTest {
			var tests []realTest
			for _, t := range targets {
				q := compilercheck.Question{
					Source: task, Target: t, Listing: listing, File: f.real.listing, Functions: f.real.functions,
				}
				tests = append(tests, realCompile(ctx, runner, e, q, f.real.show == "c"))
			}
			return tests
		},
		func(tests []realTest) error {
			for _, m := range tests {
				n++
				all = all && m.Error == "" &&
					(m.checked == nil || !m.checked.Bug() && m.Verdict != mappingcheck.Unknown)
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

// realCompile compiles a test with a real compiler and, if runner is not nil, checks the result. With onlyC, it writes
// the C file only. Errors are in the answer.
func realCompile(
	ctx context.Context, runner solver.Runner, e suite.Entry, q compilercheck.Question, onlyC bool,
) realTest {
	m := realTest{Path: e.Path, source: e.Source, Compiler: q.Target.Compiler.String()}
	if q.Target.Machine != nil {
		m.To = q.Target.Machine.Names[0]
	}
	q.Source.Path, q.Source.Source = e.Path, e.Source
	err := e.Err
	switch {
	case err != nil:
	case onlyC:
		m.Built, err = compilercheck.Program(q)
	case runner == nil:
		m.Built, err = compilercheck.Build(ctx, q)
	default:
		m.checked, err = compilercheck.Check(ctx, runner, q)
		m.Built, m.Checked = m.checked.Built, m.checked.Checked
	}
	var failure *toolchain.Failure
	switch {
	case errors.As(err, &failure):
		m.Error = e.Path + ": " + err.Error()
	case err != nil:
		m.Error = cmp.Or(err.Error(), "unknown error")
	case m.Checked != nil:
		m.Text, m.ThinAir = m.checked.Text(), m.checked.ThinAir
	}
	return m
}

// realPrinter is like printer, for answers about real compilers.
func (f *compileFlags) realPrinter(
	out io.Writer, several bool,
) (put func(realTest) error, closeOut func(whole bool) error, err error) {
	done := func(bool) error { return nil }
	first := true
	switch {
	case f.real.show != "":
		return func(m realTest) error {
			if !first {
				fmt.Fprintln(out)
			}
			first = false
			text := map[string]string{"c": m.Program, "listing": m.Listing}[f.real.show]
			if f.real.show == "test" {
				text = m.Compiled.Text
			}
			_, err := io.WriteString(out, text)
			return err
		}, done, nil
	case f.out != "":
		to, err := (&familyFlags{out: f.out}).open(out)
		if err != nil {
			return nil, nil, err
		}
		taken := map[string]int{}
		return func(m realTest) error {
			name := strings.TrimSuffix(filepath.Base(m.Path), ".litmus")
			if several {
				name += "-" + strings.Map(func(r rune) rune {
					if strings.ContainsRune(" /=", r) {
						return '-'
					}
					return r
				}, m.To+" "+m.Compiler)
			}
			if taken[name]++; taken[name] > 1 {
				name = fmt.Sprintf("%s-%d", name, taken[name])
			}
			return to.add(name, m.Compiled.Text, nil)
		}, to.close, nil
	case f.format == "jsonl":
		lines := json.NewEncoder(out)
		lines.SetEscapeHTML(false)
		return func(m realTest) error { return lines.Encode(m) }, done, nil
	}
	return func(m realTest) error { return printReal(out, m) }, done, nil
}

// printReal prints the verdicts side by side and, for a bug, the states that only the architecture allows and both
// sources line by line.
func printReal(out io.Writer, m realTest) error {
	err := printChecked(out, compiledTest{
		Path: m.Path, To: m.To, Variant: m.Compiler, Text: m.Text, Checked: m.Checked,
	})
	if !m.checked.Bug() || err != nil {
		return err
	}
	for _, th := range m.Compiled.Threads {
		rows := compilercheck.SideBySide(m.source, th)
		widest := 0
		for _, r := range rows {
			widest = max(widest, len(r.Source))
		}
		fmt.Fprintf(out, "\n\tP%d, where %s\n", th.ID, cmp.Or(m.Initial(th.ID), "no register has an initial value"))
		for _, r := range rows {
			number := ""
			if r.Source != "" {
				number = fmt.Sprint(r.Line)
			}
			if _, err = fmt.Fprintf(out, "\t%4s  %-*s  | %s\n", number, widest, r.Source, r.Compiled); err != nil {
				return err
			}
		}
	}
	_, err = fmt.Fprintln(out)
	return err
}
