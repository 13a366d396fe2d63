package class

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/change"
	"litmuscope/solver"
	"litmuscope/store"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
	"litmuscope/web/teaching/lesson"
)

// classAsk is the part of a stored question that only the pages use: its test and how its answer is computed.
type classAsk struct {
	Asks  store.Link   `json:"asks"`            // one column per part; for edits, how the judge runs
	State solver.State `json:"state,omitempty"` // the outcome; nil: the one that the test's condition asks about
	Edits *editing     `json:"edits,omitempty"`
	Leads string       `json:"leads,omitempty"` // address of a page with more, on this server

	// Gaps and Fences are in questions stored when fences were the only edits. Choices of fences count from 1.
	Gaps   []change.Gap `json:"gaps,omitempty"`
	Fences []string     `json:"fences,omitempty"`
}

func askOf(i *class.Item) (a classAsk) {
	if len(i.Asks) > 0 {
		if err := json.Unmarshal(i.Asks, &a); err != nil {
			panic("BUG: cannot read a class question: " + err.Error())
		}
	}
	if a.Edits == nil && len(a.Gaps) > 0 {
		a.Edits = editingOf(a.Asks, a.Gaps, a.Fences)
	}
	return a
}

// aboutOf returns what the pages stored with the last run on devices.
func aboutOf(p class.Progress) (a runAbout) {
	if len(p.About) > 0 {
		if err := json.Unmarshal(p.About, &a); err != nil {
			panic("BUG: cannot read a run on devices: " + err.Error())
		}
	}
	return a
}

func (a classAsk) json() json.RawMessage {
	b, err := json.Marshal(a)
	if err != nil {
		panic("BUG: cannot write a class question as JSON: " + err.Error())
	}
	return b
}

// verdictAnswers are the choices for a model's verdict, in order.
var verdictAnswers = []class.Answer{{Text: "allowed"}, {Text: "forbidden"}}

// rightVerdict returns the index in verdictAnswers of a verdict; -1 for any other verdict.
func rightVerdict(v solver.Verdict) int {
	return slices.Index([]solver.Verdict{solver.Allowed, solver.Forbidden}, v)
}

// itemsFromForm makes questions from the teacher's form. The form has one of: "lesson"; a question of the teacher's own
// ("prompt", with "written" or "answer" and "right", and optionally a test: "source", "picture", "verdict"); or a test
// with outcomes in "row", models in "ask", and in "fences" a model under which to place fences.
func (s *page) itemsFromForm(ctx context.Context, f url.Values) ([]class.Item, error) {
	switch {
	case f.Has("lesson"):
		return s.itemsOfLesson(ctx, f.Get("lesson"))
	case f.Has("prompt"):
		i, err := s.ownItem(ctx, f)
		return []class.Item{i}, err
	case f.Has("empty"):
		return nil, nil
	}
	q, err := question.FromForm(f)
	if err != nil {
		return nil, err
	}
	q.Again = true
	a, err := s.questions.Explore(ctx, q)
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
		return nil, server.Refuse("No question chosen: tick an outcome and a model, or choose a model to place " +
			"fences under.")
	}
	return out, nil
}

// ownItem makes a question that the teacher has written, optionally about a test.
func (s *page) ownItem(ctx context.Context, f url.Values) (class.Item, error) {
	plain := lesson.Plain{Written: f.Has("written")}
	i := class.Item{Kind: class.Choice, Prompt: strings.TrimSpace(server.UnixLines(f.Get("prompt")))}
	if n := server.Characters(i.Prompt); n > class.MaxPrompt {
		return i, server.Refuse("Question not added: it has %[2]d characters, and the limit is %[1]d.",
			class.MaxPrompt, n)
	}
	i.Title, _, _ = strings.Cut(i.Prompt, "\n")
	i.Title = litmus.Shorten(i.Title)
	part := class.Part{Right: -1}
	for n, text := range f["answer"] {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if n := server.Characters(text); n > class.MaxAnswer {
			return i, server.Refuse("Question not added: an answer has %[2]d characters, and the limit is %[1]d.",
				class.MaxAnswer, n)
		}
		if f.Get("right") == strconv.Itoa(n) {
			part.Right = len(part.Choices)
		}
		part.Choices = append(part.Choices, class.Answer{Text: text})
	}
	switch {
	case plain.Written && len(part.Choices) > 0:
		return i,
			server.Refuse(
				"Question not added: if everybody writes an answer, leave the answers to choose from empty.")
	case plain.Written && f.Get("verdict") != "":
		return i, server.Refuse("Question not added: choose either a model's verdict or written answers, not both.")
	case plain.Written:
		i.Kind = class.Text
	default:
		i.Parts = []class.Part{part}
	}
	plain.Text, plain.Right = i.Prompt, part.Right
	for _, a := range part.Choices {
		plain.Answers = append(plain.Answers, a.Text)
	}
	if test := server.UnixLines(f.Get("source")); strings.TrimSpace(test) != "" {
		plain.Test, plain.Picture, plain.Verdict = test, f.Get("picture"), f.Get("verdict")
		return s.itemAbout(ctx, plain)
	}
	i.Deck = plain.DeckText()
	if err := i.Check(); err != nil {
		return i, server.Refuse("Question not added: %v.", err)
	}
	return i, nil
}

// verdictsItem makes a question about one outcome: which of the columns in ask allow it.
func verdictsItem(q question.Question, a *question.Answers, row answer.OutcomeRow, ask []string) (class.Item, error) {
	i := class.Item{
		Kind: class.Verdicts, Title: a.Test.Name, Source: a.Source, Prompt: "Can this happen?",
		Outcome: row.Outcome(a),
	}
	asks := classAsk{State: row.State}
	q.Models = nil
	for n, c := range a.Columns {
		if !slices.Contains(ask, c.String()) {
			continue
		}
		i.Parts = append(i.Parts,
			class.Part{Label: c.Label(), Choices: verdictAnswers, Right: rightVerdict(row.Cells[n].Verdict)})
		q.Models = append(q.Models, c.String())
	}
	asks.Asks = q.Link()
	i.Asks = asks.json()
	if err := i.Check(); err != nil {
		return i, server.Refuse("Question not added: %v.", err)
	}
	return i, nil
}
