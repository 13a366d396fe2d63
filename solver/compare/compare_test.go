package compare

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"litmuscope/solver"
	"litmuscope/solver/report"
)

// TestCompare runs the archives of testdata. Each has logs a and b, in its comment what of them to compare ("model-a
// sc"), and the result as text.
func TestCompare(t *testing.T) {
	for _, name := range []string{"runs", "models", "engines", "machine", "match", "names", "unlisted"} {
		t.Run(name, func(t *testing.T) {
			archive, err := txtar.ParseFile("testdata/" + name + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range archive.Files {
				files[f.Name] = string(f.Data)
			}
			if files["b"] == "" {
				files["b"] = files["a"]
			}
			sides := map[string]*Side{"a": {}, "b": {}}
			for line := range strings.Lines(string(archive.Comment)) {
				switch f := strings.Fields(line); {
				case len(f) == 2 && strings.HasPrefix(f[0], "model-"):
					sides[f[0][len("model-"):]].Model = f[1]
				case len(f) == 2 && strings.HasPrefix(f[0], "engine-"):
					sides[f[0][len("engine-"):]].Engine = f[1]
				}
			}
			for name, s := range sides {
				s.Rows = report.NewReader(name, strings.NewReader(files[name]))
			}
			for _, format := range Formats {
				want, ok := files["want."+format.Name]
				if !ok {
					continue
				}
				var b bytes.Buffer
				w := format.New(&b)
				totals, err := Run(t.Context(), *sides["a"], *sides["b"], w.Difference)
				if err != nil {
					t.Fatal(err)
				}
				if err := w.Close(totals); err != nil {
					t.Fatal(err)
				}
				if b.String() != want {
					t.Errorf("got\n%s\nwant\n%s", b.String(), want)
				}
				for name, s := range sides { // for the next format
					s.Rows = report.NewReader(name, strings.NewReader(files[name]))
				}
			}
		})
	}
}

// slice is a log in memory.
type slice struct {
	rows []*report.Row
	read int
}

func (s *slice) Next() (*report.Row, error) {
	if s.read == len(s.rows) {
		return nil, io.EOF
	}
	s.read++
	r := *s.rows[s.read-1]
	return &r, nil
}

func row(test, model, x string) *report.Row {
	return &report.Row{
		Test: test, Path: "t/" + test + ".litmus", Model: model, Status: solver.OK, Listed: true, Complete: true,
		Verdict: solver.Allowed, Observation: solver.Sometimes,
		States: []report.LoggedState{
			{State: solver.State{{Name: "x", Value: x}}},
			{State: solver.State{{Name: "x", Value: "0"}}},
		},
	}
}

// The comparison finds exactly the changes made to a log, in whatever order its rows come.
func TestFindsWhatWasChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a, b slice
		want := map[Kind]int{}
		// Both sides know both models, and the comparison does not confuse them.
		for _, model := range []string{"sc", "tso"} {
			a.rows, b.rows = append(a.rows, row("same", model, "1")), append(b.rows, row("same", model, "1"))
		}
		for i := range rapid.IntRange(0, 12).Draw(t, "tests") {
			var missing [2][]string // models without a row of the test, in A and in B
			models := []string{"sc", "tso"}[:rapid.IntRange(1, 2).Draw(t, "models")]
			for _, model := range models {
				x, y := row(fmt.Sprint("T", i), model, "1"), row(fmt.Sprint("T", i), model, "1")
				switch rapid.IntRange(0, 5).Draw(t, "change") {
				case 1:
					missing[0] = append(missing[0], model)
					x = nil
				case 2:
					missing[1] = append(missing[1], model)
					y = nil
				case 3:
					want[Verdict]++
					y.Observation, y.Verdict = solver.Never, solver.Forbidden
				case 4:
					want[StatesA]++
					want[StatesB]++
					y.States[0].State[0].Value = "2"
				case 5:
					want[ErrorB]++
					y.Status, y.Error = solver.Failed, "no"
				}
				if x != nil {
					a.rows = append(a.rows, x)
				}
				if y != nil {
					b.rows = append(b.rows, y)
				}
			}
			for i, kinds := range [][2]Kind{{MissingA, ModelA}, {MissingB, ModelB}} {
				// The test is missing if there is no row of it at all.
				if kind := kinds[1]; len(missing[i]) == len(models) {
					want[kinds[0]] += len(missing[i])
				} else if len(missing[i]) > 0 {
					want[kind] += len(missing[i])
				}
			}
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		if rapid.Bool().Draw(t, "shuffled") {
			random.Shuffle(len(b.rows), func(i, j int) { b.rows[i], b.rows[j] = b.rows[j], b.rows[i] })
		}
		if rapid.Bool().Draw(t, "elsewhere") { // in another folder
			for _, r := range b.rows {
				r.Path = "other/" + r.Path
			}
		}
		totals, err := Run(context.Background(), Side{Rows: &a}, Side{Rows: &b}, func(Difference) error { return nil })
		if err != nil || fmt.Sprint(totals.Kinds) != fmt.Sprint(want) || totals.Different() != (len(want) > 0) {
			t.Fatalf("got %v, want %v, %v", totals, want, err)
		}
		if err := addsUp(totals); err != nil {
			t.Fatal(err)
		}
	})
}

// addsUp checks that the counts of a comparison without machines, whose rows have models and engines, add up.
func addsUp(t Tally) error {
	for i, alone := range [][2]Kind{{MissingB, ModelB}, {MissingA, ModelA}} {
		if t.Alone[i] != t.Kinds[alone[0]]+t.Kinds[alone[1]] || t.Rows[i] != t.Pairs+t.Alone[i] {
			return fmt.Errorf("side %d: the rows do not add up: %+v", i, t)
		}
	}
	one := 0
	for _, k := range []Kind{ErrorA, ErrorB, LimitA, LimitB, PendingA, PendingB} {
		one += t.Kinds[k]
	}
	if t.OneSided != one || t.Unanswered != t.Kinds[Unanswered] || t.Differing() < 0 {
		return fmt.Errorf("the pairs do not add up: %+v", t)
	}
	return nil
}

// Models are paired as a side says, also a model with several. The rows show the pairs.
func TestPairsOfModels(t *testing.T) {
	var a, b slice
	for _, x := range []struct{ test, model, x string }{
		{"T", "sc", "1"}, {"T", "tso", "2"}, {"U", "sc", "1"}, {"T", "pso", "3"},
	} {
		a.rows = append(a.rows, row(x.test, x.model, x.x))
	}
	b.rows = []*report.Row{
		row("T", "mine", "2"),
		row("T", "other", "3"),
		row("U", "other", "1"),
		row("V", "mine", "1"),
	}
	var got []string
	totals, err := Run(t.Context(), Side{Rows: &a, Models: []string{"tso", "sc", "sc"}},
		Side{Rows: &b, Models: []string{"mine", "mine", "other"}}, func(d Difference) error {
			model := func(a *Answer) string {
				if a == nil {
					return "none"
				}
				return a.Model
			}
			got = append(got, fmt.Sprint(d.Kind, " ", d.Test, " ", model(d.A), " ", model(d.B)))
			return nil
		})
	slices.Sort(got)
	want := []string{
		"missing-a V none mine", "missing-a V none mine", // in both pairs with mine
		"model-b U sc none", // mine has no answer to U, which B has
		"states-a T sc mine", "states-a T sc other", "states-b T sc mine", "states-b T sc other",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if totals.Rows != [2]int{5, 6} || totals.Skipped != [2]int{1, 0} || totals.Pairs != 4 || totals.Same != 2 {
		t.Errorf("got %+v", totals)
	}
	if err := addsUp(totals); err != nil {
		t.Error(err)
	}
	if _, err := Run(t.Context(), Side{Rows: &a, Models: []string{"sc"}}, Side{Rows: &b}, nil); err == nil {
		t.Error("a model without a counterpart is accepted")
	}
}

// What one side does not say is told apart: a refusal, a limit, no answer yet, another model, no such test.
func TestWhyThereIsNoAnswer(t *testing.T) {
	of := func(test, model string, status solver.Status) *report.Row {
		r := row(test, model, "1")
		r.Status = status
		return r
	}
	a := slice{rows: []*report.Row{
		of("refused", "sc", solver.Failed), of("limit", "sc", solver.Unknown), of("pending", "sc", Pending),
		of("model", "tso", solver.OK), of("both", "sc", Pending), of("same", "sc", solver.OK),
	}}
	b := slice{}
	for _, test := range []string{"same", "absent", "model", "pending", "limit", "refused"} {
		b.rows = append(b.rows, of(test, "sc", solver.OK))
	}
	b.rows = append(b.rows, of("both", "sc", solver.Unknown))
	got := map[string]Kind{}
	totals, err := Run(t.Context(), Side{Rows: &a}, Side{Rows: &b}, func(d Difference) error {
		if d.B != nil {
			got[d.Test] = d.Kind
		}
		return nil
	})
	want := map[string]Kind{
		"refused": ErrorA, "limit": LimitA, "pending": PendingA, "model": ModelA, "absent": MissingA,
		"both": Unanswered,
	}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	if err := addsUp(totals); err != nil || totals.Pending != [2]int{2, 0} {
		t.Error(err, totals)
	}
	if !totals.Different(ErrorA) || !(Tally{Kinds: map[Kind]int{LimitA: 1}}).Different(ErrorA) ||
		(Tally{Kinds: map[Kind]int{ModelA: 1}}).Different(MissingA) {
		t.Error("error-a has limits, and missing-a has only missing tests")
	}
}

// Two files of one name against one: the second is missing, not without a model.
func TestMissingAmongEqualNames(t *testing.T) {
	at := func(path, model string) *report.Row {
		r := row("SB", model, "1")
		r.Path = path
		return r
	}
	a := slice{rows: []*report.Row{at("x/SB.litmus", "sc"), at("y/SB.litmus", "sc"), at("x/SB.litmus", "tso")}}
	b := slice{rows: []*report.Row{at("b/x/SB.litmus", "sc")}}
	got := map[Kind]string{}
	_, err := Run(t.Context(), Side{Rows: &a}, Side{Rows: &b}, func(d Difference) error {
		got[d.Kind] = d.A.Path + " " + d.A.Model
		return nil
	})
	want := map[Kind]string{MissingB: "y/SB.litmus sc", ModelB: "x/SB.litmus tso"}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

// Two logs in one order are compared as they come, and none of it is kept.
func TestStreams(t *testing.T) {
	var a, b slice
	for i := range 1000 {
		a.rows = append(a.rows, row(fmt.Sprint("T", i), "tso", "1"))
		b.rows = append(b.rows, row(fmt.Sprint("T", i), "tso", "2"))
	}
	found := 0
	_, err := Run(t.Context(), Side{Rows: &a}, Side{Rows: &b}, func(d Difference) error {
		if found++; a.read > found/2+1 {
			t.Fatalf("%s was found after %d rows", d.Test, a.read)
		}
		return nil
	})
	if err != nil || found != 2000 {
		t.Error(found, err)
	}

	stop := errors.New("stop")
	a.read, b.read = 0, 0
	if _, err := Run(t.Context(), Side{Rows: &a}, Side{Rows: &b},
		func(Difference) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, Side{Rows: &a}, Side{Rows: &b}, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Tests that all have one name, in other folders on the other side, take no time to speak of.
func TestManyOfOneName(t *testing.T) {
	const n = 20000
	var a, b slice
	for i := range n {
		x, y := row("test", "tso", "1"), row("test", "tso", "1")
		x.Path, y.Path = fmt.Sprintf("old/%d/test.litmus", i), fmt.Sprintf("new/%d/test.litmus", n-1-i)
		a.rows, b.rows = append(a.rows, x), append(b.rows, y)
	}
	totals, err := Run(t.Context(), Side{Rows: &a}, Side{Rows: &b}, func(d Difference) error {
		t.Fatal(d)
		return nil
	})
	if err != nil || totals.Same != n {
		t.Error(totals, err)
	}
}

func BenchmarkSameOrder(b *testing.B) {
	const n = 100_000
	var x, y slice
	for i := range n {
		x.rows = append(x.rows, row(fmt.Sprint("T", i), "tso", "1"))
	}
	y.rows = x.rows
	for b.Loop() {
		x.read, y.read = 0, 0
		if totals, err := Run(b.Context(), Side{Rows: &x}, Side{Rows: &y}, nil); err != nil || totals.Same != n {
			b.Fatal(totals, err)
		}
	}
}

// Comparing rows of very many models, rows without one, and rows with very many names takes time proportional to their
// number.
func TestLinear(t *testing.T) {
	const n = 5_000
	file := func(r *report.Row) *report.Row { r.Path = "t.litmus"; return r }
	wide := func(first int) *report.Row {
		r := file(row("T", "", "1"))
		var s solver.State
		for i := range n {
			s = append(s, solver.Binding{Name: fmt.Sprint("x", first+i), Value: "1"})
		}
		r.States = []report.LoggedState{{State: s}}
		return r
	}
	one := uint64(1)
	for what, rows := range map[string]func(i, side int) *report.Row{
		"other models on each side": func(i, side int) *report.Row {
			return file(row("T", fmt.Sprint("m", 2*i+side), "1"))
		},
		"no models on one side": func(i, side int) *report.Row {
			return file(row("T", []string{"", fmt.Sprint("m", i)}[side], "1"))
		},
		"runs of a machine": func(i, side int) *report.Row {
			r := file(row("T", "", "1"))
			r.Hardware, r.States = true,
				[]report.LoggedState{{State: solver.State{{Name: "x", Value: fmt.Sprint(2*i + side)}}, Count: &one}}
			return r
		},
	} {
		var a, b slice
		for i := range n {
			a.rows, b.rows = append(a.rows, rows(i, 0)), append(b.rows, rows(i, 1))
		}
		if _, err := Run(t.Context(), Side{Rows: &a}, Side{Rows: &b},
			func(Difference) error { return nil }); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	a, b := slice{rows: []*report.Row{wide(0)}}, slice{rows: []*report.Row{wide(n / 2)}}
	if _, err := Run(t.Context(), Side{Rows: &a}, Side{Rows: &b}, func(Difference) error { return nil }); err != nil {
		t.Error(err)
	}
	// A wide row without a model goes with each of the others, which is too much.
	a, b = slice{rows: []*report.Row{wide(0)}}, slice{}
	for i := range n {
		b.rows = append(b.rows, file(row("T", fmt.Sprint("m", i), "1")))
	}
	if _, err := Run(t.Context(), Side{Rows: &a}, Side{Rows: &b}, func(Difference) error { return nil }); err == nil ||
		!strings.Contains(err.Error(), "split the logs") {
		t.Error(err)
	}
}

// sameModelSlowly is what sameModel finds, by looking at all pairs.
func sameModelSlowly(c *comparison, as, bs []*record) (out []pair) {
	models := counterpart{
		named: [2]bool{c.sides[0].Model != "", c.sides[1].Model != ""},
		of:    func(r *record) string { return r.Model },
	}
	models.know(c.sides[0].models, c.sides[1].models, as, bs)
	engines := counterpart{
		named: [2]bool{c.sides[0].Engine != "", c.sides[1].Engine != ""},
		of:    func(r *record) string { return r.Engine },
	}
	engines.know(c.sides[0].engines, c.sides[1].engines, as, bs)
	free := func(r *record) bool { return r.pairs == 0 }
	several := func(i int, r *record) bool { return free(r) || models.any(i, r) || engines.any(i, r) }
	for _, same := range []bool{true, false} {
		for _, a := range as {
			for _, b := range bs {
				if same && free(a) && free(b) && a.Model == b.Model && a.Engine == b.Engine ||
					!same && several(0, a) && several(1, b) && (free(a) || free(b)) && models.agree(a, b) &&
						engines.agree(a, b) {
					a.pairs, b.pairs = a.pairs+1, b.pairs+1
					out = append(out, pair{a, b})
				}
			}
		}
	}
	return out
}

func TestSameModelAsSlowly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &comparison{}
		names := rapid.SampledFrom([]string{"", "sc", "tso", "pso"})
		var sides, again [2][]*record
		for i := range c.sides {
			c.sides[i].models, c.sides[i].engines = map[string]bool{}, map[string]bool{}
			if rapid.IntRange(0, 5).Draw(t, "named") == 0 {
				c.sides[i].Model = "sc"
			}
			for n := range rapid.IntRange(0, 8).Draw(t, "rows") {
				r := record{at: n}
				r.Model, r.Engine = names.Draw(t, "model"), names.Draw(t, "engine")
				if r.Model != "" {
					c.sides[i].models[r.Model] = true
				}
				if r.Engine != "" {
					c.sides[i].engines[r.Engine] = true
				}
				other := r
				sides[i], again[i] = append(sides[i], &r), append(again[i], &other)
			}
		}
		text := func(pairs []pair) (out []string) {
			for _, p := range pairs {
				out = append(out, fmt.Sprint(p.a.at, "-", p.b.at))
			}
			slices.Sort(out)
			return out
		}
		got, want := text(c.sameModel(sides[0], sides[1])), text(sameModelSlowly(c, again[0], again[1]))
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
