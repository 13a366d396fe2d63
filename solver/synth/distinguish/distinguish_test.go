package distinguish_test

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/analysis"
	"litmuscope/models/mutants"
	"litmuscope/models/published"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/distinguish"
	"litmuscope/solver/synth/executions"
)

var update = flag.Bool("update", false, "write the golden files")

// plainWords leave out what tests of the literature do without.
var plainWords = map[string]string{
	"AArch64": "Rfe Fre Wse Pod** DMB.SYd** DpAddrd* DpDatadW",
	"PPC":     "Rfe Fre Wse Pod** Syncd** LwSyncd** DpAddrd* DpDatadW",
}

func relaxations(t testing.TB, arch, words string) [][]cycle.Edge {
	t.Helper()
	over, err := cycle.ParseRelaxations(arch, words)
	if err != nil {
		t.Fatal(err)
	}
	return over
}

// survey uses all that cycles of a dialect usually contain.
func survey(t testing.TB, arch string, most int, sides ...solver.Task) distinguish.Survey {
	t.Helper()
	over := relaxations(t, arch, cycle.AllRelaxations(arch))
	for i := range sides {
		sides[i].Options = solver.DefaultOptions()
		sides[i].Options.Timeout = 0
	}
	return distinguish.Survey{
		Runner: engines.Local{}, Workers: 2,
		Over: distinguish.Range{Arch: arch, Over: over, Most: most}, Sides: sides,
	}
}

func builtin(name string) solver.Task { return solver.Task{Model: name} }

// without is a built-in model whose text lacks something.
func without(t *testing.T, name, lacks, instead string) solver.Task {
	t.Helper()
	files, _ := models.Texts(name)
	text := strings.Replace(files[0].Text, lacks, instead, 1)
	if text == files[0].Text {
		t.Fatalf("%s has no %q", name, lacks)
	}
	return solver.Task{Model: name + "-weaker.cat", ModelText: text}
}

// What tells classic models apart are the tests that the literature has for it.
func TestTwo(t *testing.T) {
	for _, c := range []struct {
		name, arch  string
		size        int
		left, right solver.Task
		want        string // the first test that the left one forbids
		back        string // and that the right one does, "" where it allows all that the left one does
	}{
		{"store buffers", "X86", 5, builtin("sc"), builtin("tso"), "SB", ""},
		{"writes in order", "X86", 5, builtin("tso"), builtin("pso"), "MP", ""},
		{"coherence of reads", "X86", 4, builtin("pso"), builtin("rmo"), "CoRR", ""},
		{"multi-copy atomicity", "AArch64", 5, builtin("aarch64"), builtin("arm"), "WRC+addrs", ""},
		{
			"cumulativity", "PPC", 5, builtin("power"),
			without(t, "power", "let prop-base = (rfe ; sm)? ; fences ; hbs", "let prop-base = fences ; hbs"),
			"WRC+lwsync+addr", "",
		},
		{"out of thin air", "C", 4, builtin("rc11"), builtin("c11"), "LB+porlxrlxs", ""},
		{"the two Power models", "PPC", 4, builtin("power"), builtin("power-cav10"), "LB+lwsync+addr", "R+lwsync+sync"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := survey(t, c.arch, c.size, c.left, c.right)
			if over := plainWords[c.arch]; over != "" {
				s.Over.Over = relaxations(t, c.arch, over)
			}
			a, err := s.Two(t.Context(), 1, func() {})
			if err != nil {
				t.Fatal(err)
			}
			got := map[solver.Verdict]string{}
			for _, d := range a.Found {
				got[d.Left] = d.Name
				if len(d.WhyLeft) == 0 || len(d.WhyRight) == 0 {
					t.Errorf("%s: no evidence: %q, %q", d.Name, d.WhyLeft, d.WhyRight)
				}
			}
			if got[solver.Forbidden] != c.want || got[solver.Allowed] != c.back {
				t.Errorf("got %q and %q, want %q and %q\n%s", got[solver.Forbidden], got[solver.Allowed], c.want,
					c.back, a.Text())
			}
			if c.back == "" && a.ExhaustedTo != c.size {
				t.Errorf("exhausted to %d, want %d", a.ExhaustedTo, c.size)
			}
		})
	}
}

// Two engines under one model agree.
func TestEngines(t *testing.T) {
	for _, model := range []string{"sc", "tso", "pso"} {
		left, right := solver.Task{Model: model, Engine: "axiomatic"}, solver.Task{Model: model, Engine: "machine"}
		a, err := survey(t, "X86", 5, left, right).Two(t.Context(), 0, func() {})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Found) > 0 || a.ExhaustedTo != 5 {
			t.Error(a.Text())
		}
	}
}

// partsOf is how tests show that the parts of a model matter: cycles in the dialects of the model's own tests, and the
// classic tests.
func partsOf(t *testing.T, model string, size int) (distinguish.Survey, string) {
	t.Helper()
	arch, err := distinguish.Tongue([]string{model}, "")
	if err != nil {
		t.Fatal(err)
	}
	s := survey(t, arch, size, builtin(model))
	s.Also = append(classics(arch), distinguish.LargerTests(arch)...)
	return s, arch
}

func classics(arch string) (all []distinguish.Test) {
	for _, e := range catalogue.All() {
		if dialect.Tongue(e.Source) == arch && !e.System() {
			all = append(all, distinguish.Test{Name: e.Name, Source: e.Source})
		}
	}
	return all
}

var only = flag.String(
	"model",
	"",
	"the built-in model that TestLattices, TestMutate and TestSearch compute; all without it",
)

var size = flag.Int("size", 0, "accesses of the cycles that TestMutate asks about; 0 for those of the table")

// What each part of every built-in model is for, in a golden file: -update writes it, -v prints each part when its
// answer is known. With -short, some models are enough: for the others, TestParts checks the recorded answers again.
func TestMutate(t *testing.T) {
	want := goldenParts(t)
	for _, model := range models.Names() {
		if *only != "" && model != *only {
			continue
		}
		t.Run(model, func(t *testing.T) {
			if testing.Short() && !slices.Contains([]string{"sc", "tso", "pso", "mips"}, model) {
				t.Skip("long")
			}
			i := slices.IndexFunc(want, func(m *distinguish.Mutation) bool { return m.Model == model })
			if i < 0 && !*update {
				t.Fatal("it is not in the table")
			}
			most := *size
			if most == 0 && i >= 0 {
				most = want[i].ExhaustedTo
			}
			most = cmp.Or(most, 4) // 4 for a new model
			s, _ := partsOf(t, model, most)
			m, err := s.Mutate(t.Context(), func() {}, func(p distinguish.Part) { t.Log(p) })
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case !*update:
				m.ExecutionsTo = want[i].ExecutionsTo // which are TestSearch's
				for k, p := range want[i].Parts {
					m.Parts[k].Execution, m.Parts[k].Open = p.Execution, p.Open
				}
				if !reflect.DeepEqual(m, want[i]) {
					t.Errorf("got\n%s\nwant\n%s", m.Text(), want[i].Text())
				}
			case i < 0:
				want = append(want, m)
			default:
				m.ExecutionsTo = want[i].ExecutionsTo // TestSearch looks again
				want[i] = m
			}
			if *update {
				writeParts(t, want)
			}
		})
	}
}

var searched = flag.Int("search", 0, "events of the executions that TestSearch asks about; 0 for those of the table")

// If no test shows that a part matters, the search covers all executions. With -short, TestParts checks the recorded
// executions again.
func TestSearch(t *testing.T) {
	all := goldenParts(t)
	for _, m := range all {
		if *only != "" && m.Model != *only {
			continue
		}
		t.Run(m.Model, func(t *testing.T) {
			if testing.Short() && !slices.Contains([]string{"sc", "tso", "pso", "mips"}, m.Model) {
				t.Skip("long")
			}
			most := cmp.Or(*searched, m.ExecutionsTo, 4) // 4 for a new model
			if testing.Short() {
				most = min(most, 4)
			}
			own, others := wordsOf(t, m.Model)
			got := *m
			got.Parts = slices.Clone(m.Parts)
			if err := got.Search(t.Context(), own, others, most,
				func(p distinguish.Part) { t.Log(p.In, p.Line, p.Term, p.Execution, p.Open) }); err != nil {
				t.Fatal(err)
			}
			switch {
			case *update:
				*m = got
				writeParts(t, all)
				writeIdle(t, m)
			case most == m.ExecutionsTo && !reflect.DeepEqual(withExecutionsOf(&got, m), m):
				t.Errorf("got\n%s\nwant\n%s", got.Text(), m.Text())
			case most != m.ExecutionsTo:
				for i, p := range got.Parts {
					if p.Execution != nil && m.Parts[i].Execution == nil {
						t.Errorf("%s has %s: %s, and the table has none", p.In, p.Term, p.Execution.Text)
					}
				}
			}
		})
	}
}

// withExecutionsOf returns got with the executions of want, where both have one: which one of them a search finds
// depends on the solver. TestParts checks those of the table.
func withExecutionsOf(got, want *distinguish.Mutation) *distinguish.Mutation {
	out := *got
	out.Parts = slices.Clone(got.Parts)
	for i := range out.Parts {
		if out.Parts[i].Execution != nil && want.Parts[i].Execution != nil {
			out.Parts[i].Execution = want.Parts[i].Execution
		}
	}
	return &out
}

// writeIdle has a model's text say at its end which parts are idle.
func writeIdle(t *testing.T, m *distinguish.Mutation) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "models", "library", m.Model+".cat")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(text), "\n(* Removing one of these parts")
	out := strings.TrimRight(before, "\n") + "\n"
	if idle := m.Idle(); idle != "" {
		line := "(*"
		out += "\n"
		for _, word := range strings.Fields(idle + " *)") {
			if len(line)+len(word) > 97 {
				out += line + "\n"
				line = "  "
			}
			line += " " + word
		}
		out += line + "\n"
	}
	if err := os.WriteFile(path, []byte(out), 0o666); err != nil {
		t.Fatal(err)
	}
}

// wordsOf are the instructions of the executions for a model: of its own architecture, and of others that it knows.
func wordsOf(t *testing.T, model string) (own distinguish.Words, others []distinguish.Words) {
	t.Helper()
	arch, err := distinguish.Tongue([]string{model}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range slices.DeleteFunc(cycle.Archs(), dialect.HasScopes) {
		language := models.FactsOf(models.Default(other)).IsLanguage()
		if other != arch && (language || !slices.Contains(models.For(other), model)) {
			continue
		}
		known, ok := vocabularies[other]
		if !ok {
			s := survey(t, other, 4, builtin(models.Default(other)))
			s.Words = classics(other)
			if known, _, err = s.Vocabulary(t.Context()); err != nil {
				t.Fatal(err)
			}
			vocabularies[other] = known
		}
		if w := (distinguish.Words{Arch: other, Vocabulary: known}); other == arch {
			own = w
		} else {
			others = append(others, w)
		}
	}
	return own, others
}

var vocabularies = map[string]*executions.Vocabulary{} // by architecture

const golden = "testdata/parts.json"

func goldenParts(t *testing.T) (all []*distinguish.Mutation) {
	t.Helper()
	text, err := os.ReadFile(golden)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil && !*update {
		t.Fatal(err)
	}
	return all
}

// writeParts writes the table, for programs and for people, the models in their order.
func writeParts(t *testing.T, all []*distinguish.Mutation) {
	t.Helper()
	slices.SortFunc(all, func(a, b *distinguish.Mutation) int {
		return slices.Index(models.Names(), a.Model) - slices.Index(models.Names(), b.Model)
	})
	text, err := json.MarshalIndent(all, "", "\t")
	if err == nil {
		err = os.WriteFile(golden, append(text, '\n'), 0o666)
	}
	if err == nil {
		err = os.WriteFile("testdata/parts.golden", []byte(textOf(all)), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func textOf(all []*distinguish.Mutation) string {
	var b strings.Builder
	for _, m := range all {
		b.WriteString(m.Text() + "\n")
	}
	return b.String()
}

// The table has all parts of the models in their current version, and the test checks each recorded answer again, for
// the model and for the model without the part. Of cycles the machine, where there is one, says the same of the whole
// model. With -update, it only writes the places of the parts anew, because they move when a model's comments change.
func TestParts(t *testing.T) {
	all := goldenParts(t)
	if text, err := os.ReadFile("testdata/parts.golden"); !*update && (err != nil || string(text) != textOf(all)) {
		t.Errorf("the table for people is another: %v", err)
	}
	for _, model := range models.Names() {
		t.Run(model, func(t *testing.T) {
			i := slices.IndexFunc(all, func(m *distinguish.Mutation) bool { return m.Model == model })
			if i < 0 {
				t.Fatal("it is not in the table")
			}
			m := all[i]
			texts, _ := models.Texts(model)
			if idle := m.Idle(); !strings.Contains(strings.Join(strings.Fields(texts[0].Text), " "), idle) ||
				(idle == "") != !strings.Contains(texts[0].Text, "Removing one of these parts") {
				t.Errorf("the model's own text does not say: %s", idle)
			}
			mutants := mutants.Of(model)
			if len(mutants) != len(m.Parts) {
				t.Fatalf("%d parts, want %d", len(m.Parts), len(mutants))
			}
			s, arch := partsOf(t, model, 2)
			if arch != m.Arch {
				t.Errorf("tests in %s, want %s", m.Arch, arch)
			}
			for i, p := range m.Parts {
				mutant := mutants[i]
				if *update && p.In == mutant.In && p.Term == mutant.Term { // its line has moved
					m.Parts[i].File, m.Parts[i].Line = mutant.Pos.File, mutant.Pos.Line
					continue
				}
				if p.In != mutant.In || p.Term != mutant.Term || p.File != mutant.Pos.File ||
					p.Line != mutant.Pos.Line {
					t.Errorf("got %v, want %s", p, mutant.Name)
				}
				if x := p.Execution; x != nil {
					own, others := wordsOf(t, model)
					v := own.Vocabulary
					for _, o := range others {
						if o.Arch == x.Arch {
							v = o.Vocabulary
						}
					}
					whole, _ := models.Named(model)
					got, err := executions.Distinguish(t.Context(), whole, mutant.Model, false, v, x.Events)
					if err != nil || got == nil || got.Left != x.Left && got.Right != x.Right {
						t.Errorf("%s: an execution of %d events: got %v, want %s: %v", mutant.Name,
							x.Events, got, x.Text, err)
					}
				}
				if p.Test == "" {
					continue
				}
				source := ""
				if at := slices.IndexFunc(s.Also,
					func(also distinguish.Test) bool { return also.Name == p.Test }); p.Cycle == "" && at >= 0 {
					source = s.Also[at].Source
				} else {
					source = generated(t, arch, p)
				}
				less := solver.Task{Model: mutant.Name, ModelText: mutant.Text, ModelFiles: mutant.Files}
				if got := verdict(t, source, builtin(model)); got != p.Whole {
					t.Errorf("%s: %s under %s is %s, %s in the table", p.In, p.Test, model, got, p.Whole)
				}
				if got := verdict(t, source, less); got != p.Without {
					t.Errorf("%s under %s is %s, %s in the table", p.Test, mutant.Name, got, p.Without)
				}
				if models.FactsOf(model).Machine && p.Cycle != "" {
					if got := verdict(t, source, solver.Task{Model: model, Engine: "machine"}); got != p.Whole {
						t.Errorf("%s: %s under %s is %s by the machine, %s in the table", p.In, p.Test,
							model, got, p.Whole)
					}
				}
			}
		})
	}
	if *update {
		writeParts(t, all)
	}
}

func generated(t *testing.T, arch string, p distinguish.Part) string {
	t.Helper()
	c, err := cycle.ParseCycle(arch, p.Cycle)
	if err != nil {
		t.Fatal(err)
	}
	text, err := cycle.Generate(arch, c, p.Test)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func verdict(t *testing.T, source string, under solver.Task) solver.Verdict {
	t.Helper()
	under.Source, under.Options = source, solver.DefaultOptions()
	under.Options.Timeout = 0
	r, err := solver.Ask(t.Context(), engines.Local{}, under)
	if err != nil {
		t.Fatal(err)
	}
	return r.Verdict
}

// Inclusions between a model and its mutants that their text alone shows are true of every cycle's test.
func TestIncludes(t *testing.T) {
	for model, size := range map[string]int{"tso": 4, "riscv": 3, "aarch64": 3, "rc11": 3} {
		t.Run(model, func(t *testing.T) {
			s, _ := partsOf(t, model, size)
			s.Also = nil
			whole, _ := models.Named(model)
			mutants := mutants.Of(model)
			for _, m := range mutants {
				s.Sides = append(s.Sides, s.Sides[0])
				last := &s.Sides[len(s.Sides)-1]
				last.Model, last.ModelText, last.ModelFiles = m.Name, m.Text, m.Files
			}
			seen := 0
			err := s.Run(t.Context(), func(row distinguish.Row) error {
				p, _, err := engines.Prepared(
					solver.Task{Path: row.Name, Source: row.Source, Model: model, Options: solver.DefaultOptions()})
				if err != nil {
					return err
				}
				missing := analysis.MissingFrom(p)
				for i, m := range mutants {
					a, b := row.Verdicts[0], row.Verdicts[i+1]
					if row.Wild[0] || row.Wild[i+1] || p.Split || a == b {
						continue
					}
					seen++
					if a == solver.Allowed && whole.Includes(m.Model, missing) || a == solver.Forbidden &&
						m.Model.Includes(whole, missing) {
						t.Errorf("%s: %s, and %s under %s", row.Name, a, b, m.Name)
					}
				}
				return nil
			}, func(int) bool { return true })
			if err != nil || seen == 0 {
				t.Errorf("%d differences seen: %v", seen, err)
			}
		})
	}
}

// The search returns its results even when time runs out.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	a, err := survey(t, "X86", 8, builtin("sc"), solver.Task{Model: "sc", Engine: "machine"}).Two(ctx, 1, func() {
		if n++; n == 50 {
			cancel()
		}
	})
	if err == nil {
		t.Fatal("no error")
	}
	if a.Tests < 50 || a.ExhaustedTo >= 8 || len(a.Found) > 0 {
		t.Error(a.Text())
	}
}

// Claims about all straight programs: those that distinguish classic models are the tests of the literature, and two
// published forms of one model agree in every outcome of each.
func TestExhaust(t *testing.T) {
	published2009, _ := published.Find("x86-tso-2009")
	pso1992, _ := published.Find("sparc-pso-1992")
	for _, c := range []struct {
		name        string
		left, right solver.Task
		size        int
		want        string // a line of the first program that the left one forbids; "" where there is none
	}{
		{"store buffers", builtin("sc"), builtin("tso"), 4, "exists (0:EAX=0 /\\ 1:EAX=0)"},
		{"coherence", builtin("tso"), builtin("tso~uniproc"), 2, "MOV EAX,[x]"},
		{"x86-TSO of 2009", builtin("tso"), solver.Task{Model: "x86-tso-2009", ModelText: published2009.Text}, 4, ""},
		{"PSO of 1992", builtin("pso"), solver.Task{Model: "sparc-pso-1992", ModelText: pso1992.Text}, 4, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.want == "" {
				c.size = 3
			}
			s := survey(t, "X86", c.size, c.left, c.right)
			e, found, open, err := s.Exhaust(t.Context(), c.size, func() {})
			if err != nil || len(open) > 0 {
				t.Fatal(err, open)
			}
			if len(found[1]) > 0 || e.To != c.size {
				t.Errorf("to %d; the right one forbids %v", e.To, found[1])
			}
			switch {
			case c.want == "" && len(found[0]) > 0:
				t.Errorf("told apart by\n%s", found[0][0].Source)
			case c.want != "" && (len(found[0]) == 0 || !strings.Contains(found[0][0].Source, c.want)):
				t.Errorf("got %v, want %s", found[0], c.want)
			}
		})
	}
}

// Straight programs are all there, and each once: a count by hand confirms those of two accesses.
func TestStraightPrograms(t *testing.T) {
	s := survey(t, "MIPS", 2, builtin("sc"), builtin("tso"))
	s.Over.Over = relaxations(t, "MIPS", "Pod**")
	e, _, _, err := s.Exhaust(t.Context(), 1, func() {})
	if err != nil || e.Programs != 2 { // a load, a store
		t.Errorf("%d programs of one access: %v", e.Programs, err)
	}
	// Of two accesses of one thread, each a load or a store, and both to one location or not: 4·2. Of two threads,
	// whose order is no matter: 3·2.
	if e, _, _, err = s.Exhaust(t.Context(), 2, func() {}); err != nil || e.Programs != 2+8+6 {
		t.Errorf("%d programs of up to two accesses: %v", e.Programs, err)
	}
}
