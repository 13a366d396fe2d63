package cmd

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/agreement"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
)

// agreeFlags are the flags of the agree command.
type agreeFlags struct {
	askFlags
	as      []string
	against string
	expect  string
	within  string
	skip    string
	all     bool
	sample  int
	workers int

	instead map[string]solver.Task // by model, what as says to run, once it has been read
	runner  solver.Runner
	known   []agreement.Difference
}

func agreeCommand() *cobra.Command {
	var f agreeFlags
	c := &cobra.Command{
		Use:   "agree [flags] FOLDER...",
		Short: "Hold answers against reference answers, or engines against each other",
		Long: `Hold answers against others that were had independently, and count where they agree.

Without more, each FOLDER has a reference.jsonl: a line for each test and model
with observation, condition_holds, states, if counted positive and negative, and, if
there are, flags, named as in the output of run -f jsonl; path is relative to the folder.
With --as tso=my.cat, the reference's answers for tso are held against those for the
model in my.cat: so one learns whether two models say the same of many tests.
With --against, another engine's answers are the reference, and with --expect a
file that says what is observed of tests by their name (lines of a name pattern, a
model, and Always, Sometimes or Never). With --within, all that a model allows must
be allowed by another, weaker one. A FOLDER is then any PATH that run takes.
With --certify, an answer that is not certified counts as unknown.

Of C programs, a line of reference.jsonl has path, defines, model, property, verdict (safe,
unsafe, or unknown: no failure within unroll) and, if counted, executions, as verify -f jsonl
names them; a FOLDER may hold several such folders. Where a line has no bound on loops, the
bound is raised until nothing is left open, or time is up.

Exit status: 0 when nothing disagreed, 1 otherwise, 2 when the command line or a
reference is wrong.`,
		Example: `  litmuscope agree corpus/x86
  litmuscope agree -m tso --as tso=x86tso.cat corpus/x86
  litmuscope agree -m pso --against machine tests/
  litmuscope agree -m sc --within tso tests/
  litmuscope agree --expect scaling.txt scaling/
  litmuscope agree --timeout 30s programs/`,
		Args: some("agree", "a folder with a reference.jsonl"),
		RunE: func(c *cobra.Command, args []string) error { return f.agree(c.Context(), args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&f.models, "model", "m", nil,
		"only this model; may be given several times (default all of the reference; with --against, the test's own)")
	flags.StringArrayVar(&f.as, "as", nil, "NAME=FILE.cat: where the reference names this model, run the one in the file")
	f.addEngine(c, engines.Names())
	flags.StringVar(&f.against, "against", "", "hold the engine against this one, not against a reference")
	flags.StringVar(&f.expect, "expect", "", "hold the engine against the observations that this file expects")
	flags.StringVar(&f.within, "within", "", "see whether what -m allows is within what this model allows")
	flags.StringVar(&f.skip, "skip", "", "of programs, leave out those that this file lists: lines of path, model and reason")
	flags.IntVar(&f.sample, "sample", 1, "make one of each `N` comparisons, drawn, and the same every time")
	flags.BoolVar(&f.all, "all", false, "exit with 1 also when a test is unsupported or unknown")
	jobsFlag(flags, &f.workers, "tests")
	optionFlags(flags, &f.options, solver.OptionTable)
	return c
}

// agree is the agree command. Every error but errNotAll is the user's.
func (f *agreeFlags) agree(ctx context.Context, paths []string) error {
	if err := f.check(); err != nil {
		return err
	}
	known, err := agreement.KnownDifferences()
	if err != nil {
		return err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()

	runner, closeRunner, err := newRunner(ctx, f.workers, "")
	if err != nil {
		return err
	}
	defer closeRunner()
	f.runner, f.known = runner, known
	tally := agreement.NewTally(known)
	comparisons, err := f.programs(paths, tally)
	if err == nil && comparisons == nil {
		comparisons, err = f.comparisons(ctx, paths)
	}
	if err != nil {
		return err
	}
	if len(comparisons) == 0 {
		return fmt.Errorf("there is nothing to compare in the given paths")
	}
	if f.sample > 1 {
		draw, drawn := rand.New(rand.NewPCG(1, 1)), comparisons[:0]
		for some := range slices.Chunk(comparisons, f.sample) {
			drawn = append(drawn, some[draw.IntN(len(some))])
		}
		comparisons = drawn
	}
	type answer struct {
		agreement.Finding
		err error
	}
	err = batch.InOrder(ctx, f.workers, slices.Values(comparisons),
		func(ctx context.Context, compare comparison) answer {
			finding, err := compare(ctx)
			return answer{finding, err}
		},
		func(a answer) error {
			switch {
			case a.err == nil:
				tally.Add(a.Finding)
			case !batch.Interrupted(a.err):
				return a.err
			}
			return nil
		})
	if err == nil {
		err = tally.Print(os.Stdout)
	}
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "litmuscope:", err)
		return errNotAll
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "litmuscope: interrupted")
		return errNotAll
	case tally.Differing() > 0, f.all && tally.Count(agreement.Unsupported)+tally.Count(agreement.Undecided) > 0:
		return errNotAll
	}
	return nil
}

func (f *agreeFlags) check() error {
	f.instead = map[string]solver.Task{}
	for _, as := range f.as {
		name, file, ok := strings.Cut(as, "=")
		if !ok || !strings.HasSuffix(file, ".cat") {
			return fmt.Errorf("--as: got %q, want a model's name, \"=\" and a .cat file", as)
		}
		t := solver.Task{Model: file, Options: solver.DefaultOptions()}
		if err := modelFile(&t); err != nil {
			return err
		}
		if err := admit(t); err != nil {
			return err
		}
		f.instead[name] = t
	}
	chosen := 0
	for _, reference := range []string{f.against, f.expect, f.within} {
		if reference != "" {
			chosen++
		}
	}
	switch {
	case chosen > 1:
		return fmt.Errorf("--against, --expect and --within exclude one another")
	case f.against == f.engine:
		return fmt.Errorf("--against: %s is the engine itself", f.engine)
	case f.sample < 1:
		return fmt.Errorf("--sample: got %d, want 1 or more", f.sample)
	}
	if err := checkJobs(f.workers); err != nil {
		return err
	}
	for _, name := range append(slices.Clone(f.models), "", f.within) {
		for _, engine := range []string{f.engine, f.against} {
			t := f.task("", name, engine)
			var q solver.Question = t
			if engine == engines.Auto { // which is for programs alone
				q = solver.VerifyTask{Model: name, Engine: engine, Options: t.Options}
			}
			if err := admit(q); err != nil {
				return err
			}
		}
	}
	return nil
}

// comparison has something answered, once or by two engines, and says what to make of it.
type comparison func(context.Context) (agreement.Finding, error)

// compare is a comparison of the answers to some tasks, of one test.
func (f *agreeFlags) compare(judge func([]*solver.Result) (agreement.Verdict, string), tasks ...solver.Task) comparison {
	return func(ctx context.Context) (finding agreement.Finding, err error) {
		var results []*solver.Result
		for _, t := range tasks {
			r, err := batch.Ask(ctx, f.runner, t)
			if err != nil {
				return finding, err
			}
			results = append(results, r)
		}
		first := results[0]
		finding = agreement.Finding{Path: first.Path, Group: first.Arch, Model: first.Model, SettledBy: first.SettledBy}
		if finding.Group == "" {
			finding.Group = firstWord(tasks[0].Source)
		}
		finding.Verdict, finding.Detail = judge(results)
		for _, r := range results {
			if finding.Verdict == agreement.Agreed && r.Certified != nil && !*r.Certified {
				finding.Verdict, finding.Detail = agreement.Undecided, r.CertificateText()
			}
		}
		return finding, nil
	}
}

// firstWord is the architecture of a test that could not be read.
func firstWord(source string) string {
	if words := strings.Fields(source); len(words) > 0 {
		return words[0]
	}
	return "?"
}

// task is a test under a model by an engine, without its text.
func (f *agreeFlags) task(path, model, engine string) solver.Task {
	t := f.instead[model]
	if t.Model == "" {
		t.Model = model
	}
	t.Path, t.Engine, t.Options = path, engine, f.options
	if e, err := engines.Find(engine); err == nil && engine != f.engine {
		t.Options = e.Heeded(t.Options) // the other engine has bounds of its own
	}
	return t
}

// comparisons lists what is to be compared.
func (f *agreeFlags) comparisons(ctx context.Context, paths []string) ([]comparison, error) {
	if f.against == "" && f.expect == "" && f.within == "" {
		return f.withReferences(paths)
	}
	var expectations []agreement.Expectation
	if f.expect != "" {
		text, err := os.ReadFile(f.expect)
		if err != nil {
			return nil, fmt.Errorf("--expect: %w", err)
		}
		if expectations, err = agreement.ParseExpectations(f.expect, string(text)); err != nil {
			return nil, err
		}
	}
	var out []comparison
	for e := range suite.Collect(ctx, paths, os.Stdin) {
		if e.Err != nil {
			return nil, e.Err
		}
		if f.against != "" || f.within != "" {
			out = append(out, f.withAnother(e)...)
			continue
		}
		wanted := agreement.Expected(expectations, strings.TrimSuffix(filepath.Base(e.Path), ".litmus"))
		if len(wanted) == 0 {
			return nil, fmt.Errorf("%s: %s expects nothing of this test", e.Path, f.expect)
		}
		out = append(out, f.withExpectations(e, wanted)...)
	}
	return out, nil
}

func (f *agreeFlags) wants(model string) bool {
	return len(f.models) == 0 || slices.Contains(f.models, model)
}

func (f *agreeFlags) withReferences(folders []string) ([]comparison, error) {
	var out []comparison
	for _, folder := range folders {
		refs, err := agreement.Load(folder)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			if !f.wants(ref.Model) {
				continue
			}
			text, err := os.ReadFile(ref.File())
			if err != nil {
				return nil, fmt.Errorf("%s names a test that cannot be read: %w", filepath.Join(folder, "reference.jsonl"), err)
			}
			t := f.task(ref.File(), ref.Model, f.engine)
			t.Source = string(text)
			judge := func(r []*solver.Result) (agreement.Verdict, string) { return agreement.Compare(ref, r[0]) }
			out = append(out, f.explained(f.compare(judge, t), judge, t))
		}
	}
	return out, nil
}

// explained is a comparison that asks again with the option that the list of known differences has for one, where there is one.
func (f *agreeFlags) explained(compare comparison, judge func([]*solver.Result) (agreement.Verdict, string), t solver.Task) comparison {
	d, _ := agreement.Find(f.known, t.Path, t.Model)
	if d.With == "" {
		return compare
	}
	return func(ctx context.Context) (agreement.Finding, error) {
		finding, err := compare(ctx)
		if err != nil || finding.Verdict != agreement.Disagreed {
			return finding, err
		}
		with := t
		solver.OptionTable[slices.IndexFunc(solver.OptionTable, func(o solver.Option) bool { return o.Name == d.With })].Turn(&with.Options)
		again, err := f.compare(judge, with)(ctx)
		if again.Verdict == agreement.Agreed {
			finding.Explained = d.With
		}
		return finding, err
	}
}

// withAnother compares a test's answers with those of another engine, or model.
func (f *agreeFlags) withAnother(e suite.Entry) []comparison {
	names := f.models
	if len(names) == 0 {
		names = []string{""} // the test's own
	}
	var out []comparison
	for _, name := range names {
		a, b, compare := f.task(e.Path, name, f.engine), f.task(e.Path, name, f.against), agreement.CompareEngines
		if f.within != "" {
			b, compare = f.task(e.Path, f.within, f.engine), agreement.CompareModels
		}
		a.Source, b.Source = e.Source, e.Source
		out = append(out, f.compare(func(r []*solver.Result) (agreement.Verdict, string) { return compare(r[0], r[1]) }, a, b))
	}
	return out
}

func (f *agreeFlags) withExpectations(e suite.Entry, wanted []agreement.Expectation) []comparison {
	var out []comparison
	for _, want := range wanted {
		if !f.wants(want.Model) {
			continue
		}
		t := f.task(e.Path, want.Model, f.engine)
		t.Source = e.Source
		out = append(out, f.compare(func(r []*solver.Result) (agreement.Verdict, string) { return want.Compare(r[0]) }, t))
	}
	return out
}
