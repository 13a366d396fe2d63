// Package fit finds the models that agree with known verdicts of tests, among the models of a text with open places.
// [Parse] reads a [Template], whose alternatives give the models; [Answer] asks each model about the tests until it
// disagrees with one, and reports the models that agree with all, or the tests that contradict each other. A template
// represents at most [MostModels] models.
//
// It imports litmus, solver, solver/batch and solver/engines: it has no engine of its own.
package fit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
)

// MostModels is the largest number of models that a template may represent.
const MostModels = 4096

// Wanted is a test and the verdict that a model must give.
type Wanted struct {
	Path, Source string
	Verdict      solver.Verdict
}

// Question asks which of a template's models agree with tests. Task has the model's name, the files that it includes,
// the engine and options.
type Question struct {
	Template *Template
	Task     solver.Task
	Tests    []Wanted
}

// Reply is the answer to a Question.
type Reply struct {
	Model  string    `json:"model"`
	Models int       `json:"models"` // number of models of the template
	Tests  int       `json:"tests"`  // number of tests
	Agree  []Fitting `json:"agree"`  // models that agree with all tests
	// if no model agrees: a minimal set of tests that no model agrees with
	Clash   []Wish   `json:"clash"`
	Asked   int      `json:"asked"`   // number of questions to the engine
	Open    []string `json:"open"`    // tests without a verdict under a model that agrees with all others
	Refused []string `json:"refused"` // why models do not parse, with the choices of the first such model
}

// Fitting is a model that agrees with all tests.
type Fitting struct {
	Choices []Chosen `json:"choices"`
}

// Chosen is the alternative chosen in an open place.
type Chosen struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// Wish is a test and its wanted verdict.
type Wish struct {
	Path    string         `json:"path"`
	Verdict solver.Verdict `json:"verdict"`
}

// fitting is the state of answering a question.
//
// The search is exhaustive, model by model, but asks little: the tests come in the given order, and each test goes only
// to the models that agreed with all tests before. Most models fail an early test. If none remains, clash asks the
// remaining questions and removes tests one by one, as long as no model agrees with the rest; the remaining tests
// contradict each other, and no proper subset of them does.
type fitting struct {
	Question
	runner  solver.Runner
	workers int
	asked   func()
	reply   *Reply
	models  []solver.Task             // tasks without a test
	said    map[[2]int]solver.Verdict // verdicts by model and test
	out     map[int]bool              // models that disagree with some test
}

// Answer asks the models about the tests, each until it disagrees with one. It calls asked for each question. The
// error is the context's or a runner's.
func Answer(ctx context.Context, r solver.Runner, workers int, q Question, asked func()) (*Reply, error) {
	f := &fitting{
		Question: q, runner: r, workers: workers, asked: asked, said: map[[2]int]solver.Verdict{}, out: map[int]bool{},
		reply: &Reply{
			Model: q.Task.Model, Models: q.Template.Size(MostModels), Tests: len(q.Tests), Agree: []Fitting{},
			Clash: []Wish{}, Open: []string{}, Refused: []string{},
		},
	}
	if f.reply.Models > MostModels {
		return nil,
			litmus.Errorf(q.Template.Choices[0].Pos,
				"the open places give more than %d models: write fewer alternatives", MostModels)
	}
	f.readAll()
	if len(f.out) == len(f.models) {
		return f.reply, nil
	}
	decides := map[int]bool{} // tests that some model disagrees with
	for t := range q.Tests {
		var still []int
		for m := range f.models {
			if !f.out[m] {
				still = append(still, m)
			}
		}
		if len(still) == 0 {
			break
		}
		if err := f.ask(ctx, still, []int{t}); err != nil {
			return f.reply, err
		}
		for _, m := range still {
			if f.against(m, t) {
				f.out[m], decides[t] = true, true
			}
		}
	}
	f.agreeing()
	if len(f.reply.Agree) > 0 {
		return f.reply, nil
	}
	return f.reply, f.clash(ctx, decides)
}

// readAll makes the models and excludes those that do not parse.
func (f *fitting) readAll() {
	refused := map[string]bool{}
	for i := range f.reply.Models {
		t := f.Task
		picked := f.Template.Pick(i)
		t.ModelText = f.Template.Text(picked)
		f.models = append(f.models, t)
		if err := engines.Admit(t); err != nil {
			f.out[i] = true
			if refused[err.Error()] {
				continue
			}
			refused[err.Error()] = true
			f.reply.Refused = append(f.reply.Refused, fmt.Sprintf("%s: %v", words(f.chosen(picked)), err))
		}
	}
}

// ask asks models about tests, unless it has done so before.
func (f *fitting) ask(ctx context.Context, models, tests []int) error {
	type answer struct {
		of      [2]int
		verdict solver.Verdict
		err     error
	}
	var open [][2]int // before the first answer, since InOrder draws its items from another goroutine
	for _, t := range tests {
		for _, m := range models {
			if _, known := f.said[[2]int{m, t}]; !known {
				open = append(open, [2]int{m, t})
			}
		}
	}
	return batch.InOrder(ctx, f.workers, slices.Values(open), func(ctx context.Context, of [2]int) answer {
		task := f.models[of[0]]
		task.Path, task.Source = f.Tests[of[1]].Path, f.Tests[of[1]].Source
		task.Options.States = 0
		r, err := batch.Ask(ctx, f.runner, task)
		if err != nil {
			return answer{err: err}
		}
		if r.Status == solver.Failed {
			return answer{err: fmt.Errorf("%s", r.Error)}
		}
		return answer{of: of, verdict: r.Verdict}
	}, func(a answer) error {
		if a.err != nil {
			return a.err
		}
		f.asked()
		f.reply.Asked++
		f.said[a.of] = a.verdict
		return nil
	})
}

// Only the verdicts allowed and forbidden count against a model. A test without a verdict keeps the model in the list,
// and counts as open.

// against reports whether a model disagrees with a test, according to the answers so far.
func (f *fitting) against(model, test int) bool {
	v := f.said[[2]int{model, test}]
	return (v == solver.Allowed || v == solver.Forbidden) && v != f.Tests[test].Verdict
}

// agreeing records the models that agree with all tests, and the tests without a verdict for one of them.
func (f *fitting) agreeing() {
	for m := range f.models {
		if f.out[m] {
			continue
		}
		f.reply.Agree = append(f.reply.Agree, Fitting{f.chosen(f.Template.Pick(m))})
		for t, test := range f.Tests {
			if v := f.said[[2]int{m, t}]; v != test.Verdict && !slices.Contains(f.reply.Open, test.Path) {
				f.reply.Open = append(f.reply.Open, test.Path)
			}
		}
	}
}

// Minimal means that no test is dispensable; there may be smaller sets of other tests.

// clash finds a minimal set of tests that no model agrees with.
func (f *fitting) clash(ctx context.Context, decides map[int]bool) error {
	var tests, models []int
	for t := range f.Tests {
		if decides[t] {
			tests = append(tests, t)
		}
	}
	for m := range f.models {
		if _, read := f.said[[2]int{m, 0}]; read {
			models = append(models, m)
		}
	}
	if err := f.ask(ctx, models, tests); err != nil {
		return err
	}
	none := func(of []int) bool {
		return !slices.ContainsFunc(models, func(m int) bool {
			return !slices.ContainsFunc(of, func(t int) bool { return f.against(m, t) })
		})
	}
	for i := 0; i < len(tests); {
		if rest := slices.Delete(slices.Clone(tests), i, i+1); none(rest) {
			tests = rest
		} else {
			i++
		}
	}
	for _, t := range tests {
		f.reply.Clash = append(f.reply.Clash, Wish{f.Tests[t].Path, f.Tests[t].Verdict})
	}
	return nil
}

// chosen returns the alternatives of a combination of options.
func (f *fitting) chosen(picked []int) (out []Chosen) {
	for i, c := range f.Template.Choices {
		out = append(out, Chosen{c.Pos.Line, c.Pos.Col, c.Options[picked[i]]})
	}
	return out
}

// words prints the choices of a model: line, column and alternative of each.
func words(chosen []Chosen) string {
	var parts []string
	for _, c := range chosen {
		parts = append(parts, fmt.Sprintf("%d:%d %s", c.Line, c.Column, c.Text))
	}
	return strings.Join(parts, " · ")
}

// Text returns the answer as text.
func (r *Reply) Text() string {
	var b strings.Builder
	tests := solver.Count(r.Tests, "test")
	switch {
	case len(r.Agree) > 0:
		agree := "agree"
		if len(r.Agree) == 1 {
			agree = "agrees"
		}
		fmt.Fprintf(&b, "%s: %d of %s %s with %s\n", r.Model, len(r.Agree),
			solver.Count(r.Models, "model"), agree, tests)
	case len(r.Clash) > 0:
		fmt.Fprintf(&b, "%s: none of %s agrees with %s; these verdicts contradict each other, and no smaller set "+
			"does\n", r.Model,
			solver.Count(r.Models, "model"), tests)
	default:
		fmt.Fprintf(&b, "%s: none of %s can be read\n", r.Model, solver.Count(r.Models, "model"))
	}
	for _, a := range r.Agree {
		b.WriteString("  " + words(a.Choices) + "\n")
	}
	for _, w := range r.Clash {
		fmt.Fprintf(&b, "  %s: %s\n", w.Path, w.Verdict)
	}
	for _, path := range r.Open {
		fmt.Fprintf(&b, "undecided: %s\n", path)
	}
	for _, why := range r.Refused {
		fmt.Fprintf(&b, "skipped: %s\n", why)
	}
	return b.String()
}
