package classroom

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/change"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth"
	"litmuscope/store"
	"litmuscope/web/answer"
	"litmuscope/web/apart"
	"litmuscope/web/ask"
	"litmuscope/web/class"
	"litmuscope/web/picture"
	"litmuscope/web/shell"
)

// classAsk is what the pages know of a question of a class, beside what is voted on: which
// test it is about, and how its answer comes about.
type classAsk struct {
	Asks   store.Link   `json:"asks"`            // with a column for each part; of fences, the one that judges
	State  solver.State `json:"state,omitempty"` // the outcome; nil for what answers the test's condition
	Gaps   []change.Gap `json:"gaps,omitempty"`
	Fences []string     `json:"fences,omitempty"` // as the choices have them, from 1
	Leads  string       `json:"leads,omitempty"`  // to where there is more, on this server
}

func askOf(i *class.Item) (a classAsk) {
	if len(i.Asks) > 0 {
		if err := json.Unmarshal(i.Asks, &a); err != nil {
			panic("BUG: a question of a class cannot be read: " + err.Error())
		}
	}
	return a
}

func (a classAsk) json() json.RawMessage {
	b, err := json.Marshal(a)
	if err != nil {
		panic("BUG: a question of a class has no JSON: " + err.Error())
	}
	return b
}

// What is voted of a model, in the order of the choices.
var verdictAnswers = []class.Answer{{Text: "allowed"}, {Text: "forbidden"}}

// rightVerdict is the choice that is a verdict; -1 for none.
func rightVerdict(v solver.Verdict) int {
	return slices.Index([]solver.Verdict{solver.Allowed, solver.Forbidden}, v)
}

// itemsFromForm makes questions of what a teacher has chosen: a lesson ("lesson"), one of
// their own ("prompt", "answer", "right"), or about a test, of each outcome in "row" whether
// the models in "ask" allow it, and where fences forbid it under "fences".
func (s *room) itemsFromForm(ctx context.Context, f url.Values) ([]class.Item, error) {
	switch {
	case f.Has("lesson"):
		return s.itemsOfLesson(ctx, f.Get("lesson"))
	case f.Has("prompt"):
		i, err := ownItem(f)
		return []class.Item{i}, err
	case f.Has("empty"):
		return nil, nil
	}
	q, err := ask.FromForm(f)
	if err != nil {
		return nil, err
	}
	q.Again = true
	a, err := s.Explore(ctx, q)
	if err != nil {
		return nil, err
	}
	q.Source = a.Source
	var out []class.Item
	if ask := f["ask"]; len(ask) > 0 {
		rows := answer.Tabulate(a).Every
		for _, row := range rows {
			if slices.Contains(f["row"], answer.StateJSON(row.State)) {
				i, err := verdictsItem(q, a, row, ask)
				if err != nil {
					return nil, err
				}
				out = append(out, i)
			}
		}
	}
	if model := f.Get("fences"); model != "" {
		i, err := s.fencesItem(ctx, q, a, model)
		if err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	if len(out) == 0 {
		return nil, shell.Refuse("Nothing is asked: tick an outcome and a model, or where fences are to be placed.")
	}
	return out, nil
}

// ownItem is a question of the teacher's own.
func ownItem(f url.Values) (class.Item, error) {
	i := class.Item{Kind: class.Choice, Prompt: strings.TrimSpace(shell.UnixLines(f.Get("prompt")))}
	if n := shell.Characters(i.Prompt); n > class.MaxPrompt {
		return i, shell.Refuse("Not asked: a question may have %d characters, not %d.", class.MaxPrompt, n)
	}
	i.Title, _, _ = strings.Cut(i.Prompt, "\n")
	i.Title = litmus.Shorten(i.Title)
	part := class.Part{Right: -1}
	for n, text := range f["answer"] {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if n := shell.Characters(text); n > class.MaxAnswer {
			return i, shell.Refuse("Not asked: an answer may have %d characters, not %d.", class.MaxAnswer, n)
		}
		if f.Get("right") == strconv.Itoa(n) {
			part.Right = len(part.Choices)
		}
		part.Choices = append(part.Choices, class.Answer{Text: text})
	}
	i.Parts = []class.Part{part}
	if err := i.Check(); err != nil {
		return i, shell.Refuse("Not asked: %v.", err)
	}
	return i, nil
}

// verdictsItem asks of an outcome whether some of the columns allow it.
func verdictsItem(q ask.Question, a *ask.Answers, row answer.OutcomeRow, ask []string) (class.Item, error) {
	i := class.Item{Kind: class.Verdicts, Title: a.Test.Name, Source: a.Source, Prompt: "Can this happen?", Outcome: row.Outcome(a)}
	asks := classAsk{State: row.State}
	q.Models = nil
	for n, c := range a.Columns {
		if !slices.Contains(ask, c.String()) {
			continue
		}
		i.Parts = append(i.Parts, class.Part{Label: c.Label(), Choices: verdictAnswers, Right: rightVerdict(row.Cells[n].Verdict)})
		q.Models = append(q.Models, c.String())
	}
	asks.Asks = q.Link()
	i.Asks = asks.json()
	if err := i.Check(); err != nil {
		return i, shell.Refuse("Not asked: %v.", err)
	}
	return i, nil
}

// maxFences bounds the kinds of fences that one chooses from.
const maxFences = class.MaxAnswers - 1

// fencesItem asks where fences forbid, under a model, what the test's condition asks about.
func (s *room) fencesItem(ctx context.Context, q ask.Question, a *ask.Answers, model string) (class.Item, error) {
	i := class.Item{Kind: class.Fences, Title: a.Test.Name + ": fences", Source: a.Source, Outcome: a.Test.Prop}
	label := ask.ReadColumn(model).Label()
	i.Prompt = "Where do fences forbid this under " + label + "? Place as few as it takes."
	q.Models = []string{model}
	asks := classAsk{Asks: q.Link(), Fences: dialect.Fences(a.Test.Tongue)}
	asks.Fences = asks.Fences[:min(len(asks.Fences), maxFences)]
	asked := q.Unread()
	asked.Gaps = true
	in, err := s.Inspect(ctx, asked)
	if err != nil {
		return i, err
	}
	asks.Gaps = in.Gaps
	if picture.Against(a) {
		i.Outcome = "not (" + a.Test.Prop + ")"
	}
	switch {
	case a.Unasked():
		return i, shell.Refuse("The test asks about nothing that fences could forbid.")
	case len(asks.Fences) == 0:
		return i, shell.Refuse("The test's architecture has no fences.")
	case len(asks.Gaps) == 0:
		return i, shell.Refuse("No thread of the test has two accesses for a fence to stand between.")
	}
	choices := []class.Answer{{Text: "no fence"}}
	for _, f := range asks.Fences {
		choices = append(choices, class.Answer{Text: f})
	}
	for _, g := range asks.Gaps {
		i.Parts = append(i.Parts, class.Part{Label: fmt.Sprintf("in %s before %s", g.Name, g.Behind), Choices: choices, Right: -1})
	}
	if i.Least, err = s.leastFences(ctx, asks, a.Test.Tongue, label); err != nil {
		return i, err
	}
	i.Asks = asks.json()
	if err := i.Check(); err != nil {
		return i, shell.Refuse("Not asked: %v.", err)
	}
	return i, nil
}

// leastFences is how few full fences forbid the outcome; 0 where it takes too long to say, or where there are more places than
// one chooses from. As weaker ones forbid no more, it is as few of any.
func (s *room) leastFences(ctx context.Context, a classAsk, tongue, label string) (int, error) {
	q := ask.FromLink(a.Asks)
	q.Options = q.Limits()
	q.Options.Timeout = apart.RepairTime
	s.Ceil(&q.Options)
	asked := q.Unread()
	r, err := apart.Repairing.Call(ctx, s.Sandbox, synth.Question{
		Path: ask.FileName, Source: asked.Source, Under: []solver.Task{asked.Task(ask.ReadColumn(q.Models[0]).Model)}, Costs: synth.OnlyFence(tongue, a.Fences[0]),
		Anyhow: true, Options: q.Options,
	})
	switch {
	case err != nil:
		return 0, shell.TooMuch(err, "Looking for how few are enough")
	case r.Already:
		return 0, shell.Refuse("%s forbids this without fences.", label)
	case r.Impossible:
		return 0, shell.Refuse("%s allows this whatever fences there are.", label)
	case len(a.Gaps) == engines.MaxGaps || !r.Minimal || len(r.Repairs) == 0:
		return 0, nil
	}
	return r.Repairs[0].Cost, nil
}

// judgeFences has the engine say whether fences forbid the outcome.
func (s *room) judgeFences(ctx context.Context, a classAsk, b class.Ballot) (class.Judgement, error) {
	q, err := s.fenced(ctx, a, b)
	if err != nil {
		return class.Undecided, err
	}
	q.Options = q.Limits()
	q.Options.Witnesses, q.Options.States = false, 0
	found, err := s.Explore(ctx, q)
	if err != nil {
		return class.Undecided, err
	}
	r := found.Results[0]
	switch {
	case r.Status != solver.OK:
		return class.Undecided, nil
	case r.Verdict == solver.Forbidden:
		return class.Enough, nil
	case r.Verdict == solver.Allowed:
		return class.TooWeak, nil
	}
	return class.Undecided, nil
}

// fenced is the question of a test with fences: it asks whether what they are to forbid can
// happen.
func (s *room) fenced(ctx context.Context, a classAsk, b class.Ballot) (ask.Question, error) {
	q := ask.FromLink(a.Asks)
	q.Again = true
	asked := q.Unread()
	asked.Models = nil
	for g, c := range b {
		if c > 0 && g < len(a.Gaps) && int(c) <= len(a.Fences) {
			asked.Placed = append(asked.Placed, engines.Placed{Thread: a.Gaps[g].Thread, After: a.Gaps[g].After, Text: a.Fences[c-1]})
		}
	}
	in, err := s.Inspect(ctx, asked)
	if err == nil && in.Quantifier == litmus.Forall {
		asked.Against = true
		in, err = s.Inspect(ctx, asked)
	}
	switch {
	case err != nil:
		return q, err
	case len(asked.Placed) == 0 && !asked.Against:
		return q, nil
	case in.Asking == "":
		return q, shell.Refuse("The fences have no place in the test.")
	}
	q.Source = in.Asking
	return q, nil
}
