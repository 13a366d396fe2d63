package agreement

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/suite"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
)

// Request says which answers to compare. Set at most one of Against, Expect and Within; without them, the paths are
// folders with references.
type Request struct {
	Models  []string // only these; none: all of the references or, with Against, each test's own
	Engine  string
	Options solver.Options
	Instead map[string]solver.Task // the task that runs where a reference names a model, by that name

	Against string // an engine whose answers are the reference
	Expect  string // a file of expected observations (see [ParseExpectations])
	Within  string // a weaker model, which has to allow all that Models allow

	Skip   string // a file of programs to leave out (see [ParseDifferences])
	Sample int    // make one of each Sample comparisons, the same every time
}

// Questions lists the questions of the request, without a test, so that its caller can check them before it reads any
// test.
func (r *Request) Questions() (out []solver.Question) {
	for _, name := range append(slices.Clone(r.Models), "", r.Within) {
		for _, engine := range []string{r.Engine, r.Against} {
			t := r.task("", name, engine)
			if engine == engines.Auto { // which is for programs alone
				out = append(out, solver.VerifyTask{Model: name, Engine: engine, Options: t.Options})
			} else {
				out = append(out, t)
			}
		}
	}
	return out
}

// Plan is the comparisons that a request comes to, before any of them runs.
type Plan struct {
	comparisons []comparison
	tally       *Tally
}

// comparison asks one engine or two about a test or a program, and compares the answers.
type comparison func(context.Context, solver.Runner) (Finding, error)

// Plan reads the references, tests and programs that the paths name; stdin is for the path "-". An error says which
// file is wrong.
func (r *Request) Plan(ctx context.Context, paths []string, stdin io.Reader) (*Plan, error) {
	known, err := KnownDifferences()
	if err != nil {
		return nil, err
	}
	p := &Plan{tally: NewTally(known)}
	p.comparisons, err = r.programs(paths, p.tally)
	if err == nil && p.comparisons == nil {
		p.comparisons, err = r.tests(ctx, paths, stdin, known)
	}
	switch {
	case err != nil:
		return nil, err
	case len(p.comparisons) == 0:
		return nil, errors.New("the given paths contain nothing to compare: want tests, programs or a folder with " +
			"a reference.jsonl")
	}
	if r.Sample > 1 {
		draw, drawn := rand.New(rand.NewPCG(1, 1)), p.comparisons[:0]
		for some := range slices.Chunk(p.comparisons, r.Sample) {
			drawn = append(drawn, some[draw.IntN(len(some))])
		}
		p.comparisons = drawn
	}
	return p, nil
}

// Run makes the comparisons, so many at once, and counts what they find. If the context ends, the tally has the
// comparisons so far.
func (p *Plan) Run(ctx context.Context, runner solver.Runner, workers int) (*Tally, error) {
	type answer struct {
		Finding
		err error
	}
	err := batch.InOrder(ctx, workers, slices.Values(p.comparisons),
		func(ctx context.Context, compare comparison) answer {
			finding, err := compare(ctx, runner)
			return answer{finding, err}
		},
		func(a answer) error {
			switch {
			case a.err == nil:
				p.tally.Add(a.Finding)
			case !batch.Interrupted(a.err):
				return a.err
			}
			return nil
		})
	return p.tally, err
}

// judge compares the answers to the tasks of one comparison.
type judge func([]*solver.Result) (Verdict, string)

// compare makes a comparison of the answers to some tasks, all of one test. It is undecided if it would agree but an
// answer has no certificate.
func compare(judge judge, tasks ...solver.Task) comparison {
	return func(ctx context.Context, runner solver.Runner) (finding Finding, err error) {
		var results []*solver.Result
		for _, t := range tasks {
			r, err := batch.Ask(ctx, runner, t)
			if err != nil {
				return finding, err
			}
			results = append(results, r)
		}
		first := results[0]
		finding = Finding{Path: first.Path, Group: first.Arch, Model: first.Model, SettledBy: first.SettledBy}
		if finding.Group == "" {
			finding.Group = firstWord(tasks[0].Source)
		}
		finding.Verdict, finding.Detail = judge(results)
		for _, r := range results {
			if finding.Verdict == Agreed && r.Certified != nil && !*r.Certified {
				finding.Verdict, finding.Detail = Undecided, r.CertificateText()
			}
		}
		return finding, nil
	}
}

// firstWord returns the first word of a source, which names the architecture of a test that does not parse.
func firstWord(source string) string {
	if words := strings.Fields(source); len(words) > 0 {
		return words[0]
	}
	return "?"
}

// task makes the task of a test under a model by an engine, without its text.
func (r *Request) task(path, model, engine string) solver.Task {
	t := r.Instead[model]
	if t.Model == "" {
		t.Model = model
	}
	t.Path, t.Engine, t.Options = path, engine, r.Options
	if e, err := engines.Find(engine); err == nil && engine != r.Engine {
		t.Options = e.Heeded(t.Options) // the other engine has bounds of its own
	}
	return t
}

// tests lists the comparisons of tests. Tests without an expectation are an error.
func (r *Request) tests(
	ctx context.Context, paths []string, stdin io.Reader, known []Difference,
) ([]comparison, error) {
	if r.Against == "" && r.Expect == "" && r.Within == "" {
		return r.withReferences(paths, known)
	}
	var expectations []Expectation
	if r.Expect != "" {
		text, err := os.ReadFile(r.Expect)
		if err != nil {
			return nil, fmt.Errorf("--expect: %w", err)
		}
		if expectations, err = ParseExpectations(r.Expect, string(text)); err != nil {
			return nil, err
		}
	}
	var out []comparison
	for e := range suite.Collect(ctx, paths, stdin) {
		if e.Err != nil {
			return nil, e.Err
		}
		if r.Against != "" || r.Within != "" {
			out = append(out, r.withAnother(e)...)
			continue
		}
		wanted := Expected(expectations, strings.TrimSuffix(filepath.Base(e.Path), ".litmus"))
		if len(wanted) == 0 {
			return nil, fmt.Errorf("%s: no line of %s matches this test's name", e.Path, r.Expect)
		}
		out = append(out, r.withExpectations(e, wanted)...)
	}
	return out, nil
}

// wants reports whether the request includes a model.
func (r *Request) wants(model string) bool {
	return len(r.Models) == 0 || slices.Contains(r.Models, model)
}

// withReferences compares answers with the references of folders.
func (r *Request) withReferences(folders []string, known []Difference) ([]comparison, error) {
	var out []comparison
	for _, folder := range folders {
		refs, err := Load(folder)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			if !r.wants(ref.Model) {
				continue
			}
			text, err := os.ReadFile(ref.File())
			if err != nil {
				file := filepath.Join(folder, "reference.jsonl")
				return nil, fmt.Errorf("%s lists a test that cannot be read: %w", file, err)
			}
			if countsDiffer(string(text)) {
				ref.Positive, ref.Negative = nil, nil
			}
			t := r.task(ref.File(), ref.Model, r.Engine)
			if !models.IsBuiltIn(t.Model) && t.ModelText == "" {
				t.Model = models.ByReferenceName(t.Model)
			}
			t.Source = string(text)
			if ref.Property != "" { // the verdict is enough
				t.Options.States = 0
			}
			if ref.Property == ofTermination {
				if !slices.Contains(solver.ProgressNames, ref.Progress) {
					out = append(out, unsupported(t, "the progress assumption "+ref.Progress+" is not supported"))
					continue
				}
				t.Options.Progress = solver.Progress(ref.Progress)
				t.Options.Unroll = max(t.Options.Unroll, ref.Bound)
			}
			judge := func(r []*solver.Result) (Verdict, string) { return Compare(ref, r[0]) }
			d, _ := Find(known, t.Path, t.Model)
			out = append(out, explained(d.With, judge, t))
		}
	}
	return out, nil
}

// unsupported is a comparison without an answer, for a reason.
func unsupported(t solver.Task, why string) comparison {
	return func(context.Context, solver.Runner) (Finding, error) {
		return Finding{
			Path: t.Path, Group: litmus.ArchName(firstWord(t.Source)), Model: t.Model, Verdict: Unsupported,
			Detail: why,
		}, nil
	}
}

// explained makes a comparison that, if it disagrees, asks again with an option. If the answers then agree, the option
// explains the difference. Without an option ("") it is compare.
func explained(option string, judge judge, t solver.Task) comparison {
	first := compare(judge, t)
	if option == "" {
		return first
	}
	return func(ctx context.Context, runner solver.Runner) (Finding, error) {
		finding, err := first(ctx, runner)
		if err != nil || finding.Verdict != Disagreed {
			return finding, err
		}
		with := t
		i := slices.IndexFunc(solver.OptionTable, func(o solver.Option) bool { return o.Name == option })
		solver.OptionTable[i].Turn(&with.Options)
		again, err := compare(judge, with)(ctx, runner)
		if again.Verdict == Agreed {
			finding.Explained = option
		}
		return finding, err
	}
}

// withAnother compares the answers to a test with those of another engine, or under another model.
func (r *Request) withAnother(e suite.Entry) []comparison {
	names := r.Models
	if len(names) == 0 {
		names = []string{""} // the test's own
	}
	var out []comparison
	for _, name := range names {
		a, b, both := r.task(e.Path, name, r.Engine), r.task(e.Path, name, r.Against), CompareEngines
		if r.Within != "" {
			b, both = r.task(e.Path, r.Within, r.Engine), CompareModels
		}
		a.Source, b.Source = e.Source, e.Source
		out = append(out, compare(func(r []*solver.Result) (Verdict, string) { return both(r[0], r[1]) }, a, b))
	}
	return out
}

// withExpectations compares the answers to a test with its expectations.
func (r *Request) withExpectations(e suite.Entry, wanted []Expectation) []comparison {
	var out []comparison
	for _, want := range wanted {
		if !r.wants(want.Model) {
			continue
		}
		t := r.task(e.Path, want.Model, r.Engine)
		t.Source = e.Source
		out = append(out, compare(func(r []*solver.Result) (Verdict, string) { return want.Compare(r[0]) }, t))
	}
	return out
}
