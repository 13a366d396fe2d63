package class

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/change"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/synth"
	"litmuscope/store"
	"litmuscope/web/parts/judge"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
	"litmuscope/web/teaching/lesson"
)

// editing stores an edit question: the parts of the exercise that the judge needs, and the choices.
type editing struct {
	Exercise *lesson.Exercise `json:"exercise"`
	Threads  []synth.Listed   `json:"threads"`
	Places   []change.Place   `json:"places"`  // one part of the ballot per place
	Changes  []synth.Change   `json:"changes"` // of the cheapest solution, with the reason for each
}

// cutPlaces cuts the places to the class limits on parts and answers. all reports whether nothing was cut.
func cutPlaces(places []change.Place) (few []change.Place, all bool) {
	all = len(places) <= class.MaxParts
	for _, p := range places[:min(len(places), class.MaxParts)] {
		if len(p.Choices) > class.MaxAnswers {
			all = false
			p.Choices = p.Choices[:class.MaxAnswers]
		}
		if p.Was < len(p.Choices) {
			few = append(few, p)
		}
	}
	return few, all
}

// editsItem makes a question in which voters solve an exercise by choosing edits. It returns a refusal if the exercise
// does not allow that. With known set, it also refuses an exercise without a known solution.
func (s *page) editsItem(
	ctx context.Context, how question.Question, x *lesson.Exercise, known bool,
) (class.Item, error) {
	i := class.Item{Kind: class.Edits, Source: x.Test}
	o, err := judge.Offer(ctx, s.questions, x)
	if err != nil {
		return i, err
	}
	label := question.ReadColumn(x.Goals[0].Model).Label()
	if len(o.Places) == 0 {
		return i, server.Refuse("No place in the test allows a change that could make a difference.")
	}
	var all bool
	if o.Places, all = cutPlaces(o.Places); len(o.Places) == 0 {
		return i, server.Refuse("The test has too many possible changes.")
	}
	e := &editing{
		Exercise: &lesson.Exercise{
			ID: x.ID, Title: x.Title, Arch: x.Arch, Test: x.Test, Goals: x.Goals, Cycle: x.Cycle,
			Rules: x.Rules,
		}, Threads: o.Threads, Places: o.Places,
	}
	for _, p := range o.Places {
		part := class.Part{Label: placeLabel(&p), Right: -1, Was: p.Was}
		for n, text := range choiceTexts(&p) {
			a := class.Answer{Text: text}
			if p.Kind != change.Value { // all values of the condition cost the same
				a.Cost = p.Choices[n].Cost
			}
			part.Choices = append(part.Choices, a)
		}
		i.Parts = append(i.Parts, part)
	}
	best, said, err := judge.Cheapest(ctx, s.questions, how, x, o)
	switch {
	case err != nil:
		return i, err
	case said != nil && said.Already:
		return i, server.Refuse("%s already forbids this without fences.", label)
	case said != nil && said.Impossible && all:
		return i, server.Refuse("%s allows this even with every fence in place.", label)
	case best == nil && known:
		return i, server.Refuse("No combination that was tried solves the exercise.")
	case best != nil:
		i.Best, i.Minimal, e.Changes = ballotOf(best.Choice), best.Minimal && all, best.Changes
	}
	i.Asks = classAsk{Asks: how.Link(), Edits: e}.json()
	return i, nil
}

func ballotOf(choice []int) class.Ballot {
	b := make(class.Ballot, len(choice))
	for i, c := range choice {
		b[i] = int8(c)
	}
	return b
}

// placeLabel says where in the test a place is. The label follows the text of the place.
func placeLabel(p *change.Place) string {
	switch p.Kind {
	case change.Value:
		return ""
	case change.Order:
		return "in " + p.Name
	case change.Dependency:
		return fmt.Sprintf("for %s in %s", p.Statement, p.Name)
	}
	if p.Choices[p.Was].Text != "" { // the choices replace an existing instruction
		return "in " + p.Name
	}
	return fmt.Sprintf("in %s before %s", p.Name, p.Statement)
}

// choiceTexts returns the text of each choice in a place. It leaves line numbers out unless they are needed to tell
// choices apart.
func choiceTexts(p *change.Place) []string {
	var out, short []string
	for _, c := range p.Choices {
		text, _, _ := strings.Cut(c.Text, " (line ")
		switch {
		case p.Kind == change.Value:
			text = p.Statement + text
		case text == "" && p.Kind == change.Dependency:
			text = "no dependency"
		case text == "":
			text = "no fence"
		case p.Kind != change.Dependency:
			text = c.Text
		}
		out = append(out, cmp.Or(c.Text, text))
		if !slices.Contains(short, text) {
			short = append(short, text)
		}
	}
	if len(short) == len(out) {
		return short
	}
	return out
}

// fencesItem makes the question which fences forbid, under a model, the outcome of the test's condition.
func (s *page) fencesItem(
	ctx context.Context, q question.Question, a *question.Answers, model string,
) (class.Item, error) {
	switch {
	case a.Unasked():
		return class.Item{}, server.Refuse("The test has no condition that fences could forbid.")
	case len(dialect.Fences(a.Test.Tongue)) == 0:
		return class.Item{}, server.Refuse("The test's architecture has no fences.")
	}
	q.Models, q.Options = nil, q.Limits()
	q.Options.Witnesses, q.Options.States = false, 0
	outcome := a.Test.Prop
	if picture.Against(a) {
		asked := q.Unread()
		asked.Models, asked.Against = nil, true
		in, err := s.questions.Inspect(ctx, asked)
		if err != nil {
			return class.Item{}, err
		}
		q.Source, outcome = in.Asking, "not ("+a.Test.Prop+")"
	}
	x := &lesson.Exercise{
		Title: a.Test.Name, Arch: a.Test.Arch, Test: q.Source, Rules: lesson.Rules{Fences: -1},
		Goals: []lesson.Claim{{Model: model, Verdict: solver.Forbidden}},
	}
	i, err := s.editsItem(ctx, q, x, false)
	if err != nil {
		return i, err
	}
	i.Title, i.Outcome = a.Test.Name+": fences", outcome
	i.Prompt = "Where must fences be placed so that this is forbidden under " +
		question.ReadColumn(model).Label() + "? Use as few as possible."
	if err := i.Check(); err != nil {
		return i, server.Refuse("Question not added: %v.", err)
	}
	return i, nil
}

// placeWords describes a place and its present content.
func placeWords(p *class.Part) string {
	if text := p.Choices[p.Was].Text; !strings.HasPrefix(text, "no ") {
		return strings.TrimSpace(text + " " + p.Label)
	}
	return p.Label
}

// edited returns the exercise's test with a ballot's edits applied.
func (s *page) edited(ctx context.Context, e *editing, b class.Ballot) (string, error) {
	choice := make([]int, len(e.Places))
	for n := range choice {
		choice[n] = e.Places[n].Was
		if n < len(b) && b[n] >= 0 && int(b[n]) < len(e.Places[n].Choices) {
			choice[n] = int(b[n])
		}
	}
	return judge.Edited(ctx, s.questions, e.Exercise, judge.Makes(e.Places, choice))
}

// judgeEdit asks the judge whether a ballot's edits solve the exercise.
func (s *page) judgeEdit(ctx context.Context, item *class.Item, b class.Ballot) (class.Judged, error) {
	asks := askOf(item)
	text, err := s.edited(ctx, asks.Edits, b)
	if err != nil {
		return class.Judged{}, err
	}
	v, err := judge.JudgeAs(ctx, s.questions, question.FromLink(asks.Asks), asks.Edits.Exercise, text)
	switch {
	case err != nil:
		return class.Judged{}, err
	case v.Met:
		return class.Judged{Is: class.Done}, nil
	case v.Open:
		return class.Judged{Is: class.Undecided, Hint: v.Hint}, nil
	}
	return class.Judged{Is: class.Missed, Hint: v.Hint}, nil
}

// editingOf converts a stored question from the time when fences were the only edits.
func editingOf(asks store.Link, gaps []change.Gap, fences []string) *editing {
	e := &editing{Exercise: &lesson.Exercise{Test: asks.Source, Rules: lesson.Rules{Fences: -1}}}
	for _, m := range asks.Models {
		e.Exercise.Goals = append(e.Exercise.Goals, lesson.Claim{Model: m, Verdict: solver.Forbidden})
	}
	for _, g := range gaps {
		p := change.Place{
			Kind: change.Fence, Thread: g.Thread, Name: g.Name, Cell: g.After + 1, Statement: g.Behind,
			Choices: []change.Standing{{}},
		}
		for _, f := range fences {
			p.Choices = append(p.Choices, change.Standing{Text: f, Cost: 1})
		}
		e.Places = append(e.Places, p)
		if n := len(e.Threads); n == 0 || e.Threads[n-1].Name != g.Name {
			e.Threads = append(e.Threads, synth.Listed{Name: g.Name, Lines: make([]string, g.After+1)})
			e.Threads[n].Lines[g.After] = g.Before
		}
		th := &e.Threads[len(e.Threads)-1]
		for len(th.Lines) <= g.After {
			th.Lines = append(th.Lines, "")
		}
		th.Lines = append(th.Lines, g.Behind)
	}
	return e
}
