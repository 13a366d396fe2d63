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

// classAsk is what the pages know of a question of a class, beside what is voted on: which
// test it is about, and how its answer comes about.
type classAsk struct {
	Asks  store.Link   `json:"asks"`            // with a column for each part; of edits, how they are judged
	State solver.State `json:"state,omitempty"` // the outcome; nil for what answers the test's condition
	Edits *editing     `json:"edits,omitempty"`
	Leads string       `json:"leads,omitempty"` // to where there is more, on this server

	// Of a question that was kept when fences were all that could be edited: where, and which, from 1 as choices have
	// them.
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

func (a classAsk) json() json.RawMessage {
	b, err := json.Marshal(a)
	if err != nil {
		panic("BUG: cannot write a class question as JSON: " + err.Error())
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
// their own ("prompt", "written" or "answer" and "right", and about a test "source", "picture", "verdict"), or about a
// test, of each outcome in "row" whether the models in "ask" allow it, and where fences forbid it under "fences".
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
		return nil, server.Refuse("No question chosen: tick an outcome and a model, or choose a model to place fences under.")
	}
	return out, nil
}

// ownItem is a question of the teacher's own, perhaps about a test.
func (s *page) ownItem(ctx context.Context, f url.Values) (class.Item, error) {
	plain := lesson.Plain{Written: f.Has("written")}
	i := class.Item{Kind: class.Choice, Prompt: strings.TrimSpace(server.UnixLines(f.Get("prompt")))}
	if n := server.Characters(i.Prompt); n > class.MaxPrompt {
		return i, server.Refuse("Question not added: it has %[2]d characters, and the limit is %[1]d.", class.MaxPrompt, n)
	}
	i.Title, _, _ = strings.Cut(i.Prompt, "\n")
	i.Title = litmus.Shorten(i.Title)
	part := class.Part{Right: -1}
	for n, text := range f["answer"] {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if n := server.Characters(text); n > class.MaxAnswer {
			return i, server.Refuse("Question not added: an answer has %[2]d characters, and the limit is %[1]d.", class.MaxAnswer, n)
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

// verdictsItem asks of an outcome whether some of the columns allow it.
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
