package class

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/judge"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
	"litmuscope/web/teaching/lesson"
)

// teachable returns the lessons whose questions a class can use.
func (s *page) teachable() []*lesson.Entry {
	builtIn, own := s.lessons.All()
	return slices.DeleteFunc(slices.Concat(own, builtIn), func(e *lesson.Entry) bool {
		return len(e.Faults) > 0 || len(e.Items()) == 0
	})
}

// itemsOfLesson returns the predictions, questions and exercises of a lesson, in order.
func (s *page) itemsOfLesson(ctx context.Context, slug string) ([]class.Item, error) {
	e, _, _ := s.lessons.Find(slug)
	if e == nil || len(e.Faults) > 0 {
		return nil, server.Refuse("There is no lesson named %s.", litmus.Shorten(slug))
	}
	return s.itemsOf(ctx, e.Lesson, question.LessonAddress(e))
}

// itemsOf makes questions of a lesson or deck. address is the lesson's page, "" for a deck.
func (s *page) itemsOf(ctx context.Context, l *lesson.Lesson, address string) ([]class.Item, error) {
	asked := l.Items()
	if len(asked) > class.MaxItems {
		return nil, class.ErrMany
	}
	var out []class.Item
	for _, b := range asked {
		var i class.Item
		var err error
		switch b := b.(type) {
		case *lesson.Test:
			i, err = s.predictionItem(ctx, b)
		case *lesson.Question:
			i, err = s.questionItem(ctx, b)
		case *lesson.Exercise:
			i, err = s.exerciseItem(ctx, b)
		}
		if err != nil {
			return nil, err
		}
		leads := s.lessonOf(l.More[b.Name()])
		if address != "" {
			leads = address + "#" + b.Name()
		}
		if leads != "" {
			asks := askOf(&i)
			asks.Leads = leads
			i.Asks = asks.json()
		}
		i.Deck = l.DeckText(b)
		if err := i.Check(); err != nil {
			return nil, server.Refuse("%s of %s cannot be used as a question: %v.", b.Name(), l.File, err)
		}
		out = append(out, i)
	}
	if len(out) == 0 {
		return nil, server.Refuse("The lesson %s has no questions.", l.Title)
	}
	return out, nil
}

// lessonOf returns the address of the lesson item that a deck names as its origin; "" if this server does not have it.
func (s *page) lessonOf(from string) string {
	slug, name, _ := strings.Cut(from, "#")
	e, _, _ := s.lessons.Find(slug)
	if e == nil || !slices.ContainsFunc(e.Items(), func(i lesson.Item) bool { return i.Name() == name }) {
		return ""
	}
	return question.LessonAddress(e) + "#" + name
}

// predictionItem asks for the models' verdicts on a test's condition.
func (s *page) predictionItem(ctx context.Context, t *lesson.Test) (class.Item, error) {
	q := question.Question{Source: t.Source, Models: t.Models, Options: t.Bounds.Options(), Again: true}
	q.Options.Witnesses = true
	a, err := s.questions.Explore(ctx, q)
	if err != nil {
		return class.Item{}, err
	}
	i := class.Item{
		Kind: class.Verdicts, Title: t.Title, Prompt: "Can this happen?", Source: a.Source,
		Outcome: a.Test.Prop, Why: t.Why,
	}
	answers := verdictAnswers
	for _, c := range t.Expect {
		if c.Verdict == solver.Undecided && len(answers) == len(verdictAnswers) {
			answers = append(slices.Clone(answers), class.Answer{Text: "not found"}) // from an engine with bounds
		}
	}
	q.Source, q.Models = a.Source, nil
	for _, v := range answer.VerdictsOf(a) {
		right := rightVerdict(v.Verdict)
		if right < 0 && len(answers) > len(verdictAnswers) {
			right = len(verdictAnswers)
		}
		i.Parts = append(i.Parts, class.Part{Label: v.Label, Choices: answers, Right: right})
		q.Models = append(q.Models, v.Column)
	}
	i.Asks = classAsk{Asks: q.Link()}.json()
	return i, nil
}

// questionItem makes a class question of a lesson's question, with its test and, if the lesson draws one, its
// execution. If several choices can be right, each becomes a part.
func (s *page) questionItem(ctx context.Context, q *lesson.Question) (class.Item, error) {
	if q.Verdict != "" {
		t := *q.About
		t.Models, t.Expect, t.Why = []string{q.Verdict}, nil, ""
		i, err := s.predictionItem(ctx, &t)
		if err == nil && (len(i.Parts) != 1 || i.Parts[0].Right < 0) {
			err = server.Refuse("%s has no verdict on the test.", q.Verdict)
		}
		i.Prompt, i.HTML = proseText(q.Text), q.Text
		i.Title = litmus.Shorten(i.Prompt)
		return i, err
	}
	i := class.Item{Kind: class.Choice, Prompt: proseText(q.Text), HTML: q.Text}
	i.Title = litmus.Shorten(i.Prompt)
	if t := q.About; t != nil {
		var err error
		if i.Source, i.Outcome, err = s.asksAbout(ctx, t.Source); err != nil {
			return i, err
		}
		if p := q.Picture; p != nil {
			shows := question.Question{Source: i.Source, Models: []string{p.Model}, Options: t.Bounds.Options()}
			i.Asks = classAsk{Asks: shows.Link(), State: p.State}.json()
		}
	}
	if q.Written {
		i.Kind = class.Text
		return i, nil
	}
	if q.Several {
		for _, c := range q.Choices {
			yes, no := class.Answer{Text: "yes"}, class.Answer{Text: "no"}
			p := class.Part{Label: proseText(c.Text), HTML: c.Text, Right: 1}
			if p.Right = 1; c.Right {
				p.Right = 0
			}
			if p.Right == 0 {
				yes.Why = c.Why
			} else {
				no.Why = c.Why
			}
			p.Choices = []class.Answer{yes, no}
			i.Parts = append(i.Parts, p)
		}
		return i, nil
	}
	p := class.Part{Right: -1}
	for n, c := range q.Choices {
		if c.Right {
			p.Right = n
		}
		p.Choices = append(p.Choices, class.Answer{Text: proseText(c.Text), HTML: c.Text, Why: c.Why})
	}
	i.Parts = []class.Part{p}
	return i, nil
}

// asksAbout returns a lesson's test and its condition. The condition is "" if the test cannot be read.
func (s *page) asksAbout(ctx context.Context, source string) (string, string, error) {
	asks := question.Question{Source: source}
	q := asks.Unread()
	in, err := s.questions.Inspect(ctx, q)
	var bad *question.BadTest
	if errors.As(err, &bad) {
		return q.Source, "", nil
	}
	if err != nil {
		return "", "", err
	}
	return q.Source, in.Condition, nil
}

// exerciseItem lets voters solve an exercise by choosing edits, if its rules allow that. For other exercises, which
// students do on the lesson's page, it asks who is done.
func (s *page) exerciseItem(ctx context.Context, x *lesson.Exercise) (class.Item, error) {
	source, condition := "", ""
	if x.Test != "" {
		var err error
		if source, condition, err = s.asksAbout(ctx, x.Test); err != nil {
			return class.Item{}, err
		}
	}
	i := class.Item{
		Kind: class.Choice,
		Parts: []class.Part{
			{
				Right: -1,
				Choices: []class.Answer{
					{Text: "I have done it."},
					{Text: "I am still at it."},
					{Text: "I am stuck."},
				},
			},
		},
	}
	if len(judge.Kinds(&x.Rules)) > 0 {
		how := question.Question{Options: solver.DefaultOptions()}
		how.Options.States = 0
		edits, err := s.editsItem(ctx, how, x, true)
		var no server.Refusal
		switch {
		case err == nil:
			i = edits
		case !errors.As(err, &no):
			return i, err
		}
	}
	i.Title, i.Prompt, i.HTML, i.Source, i.Outcome, i.Why = "Exercise: "+x.Title, proseText(x.Task), x.Task, source,
		condition, x.Why
	return i, nil
}

// proseText returns the text of an HTML fragment on one line.
func proseText(markup string) string {
	var b strings.Builder
	t := html.NewTokenizer(strings.NewReader(markup))
	for {
		switch t.Next() {
		case html.ErrorToken:
			return strings.Join(strings.Fields(b.String()), " ")
		case html.TextToken:
			b.Write(t.Text())
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			if name, _ := t.TagName(); slices.Contains([]string{"p", "li", "br", "pre", "td", "h3"}, string(name)) {
				b.WriteByte(' ')
			}
		}
	}
}

// unlinked returns a copy of a question without links, since a link can lead to the answer.
func unlinked(i *class.Item) *class.Item {
	out := *i
	out.HTML = withoutLinks(i.HTML)
	out.Parts = slices.Clone(i.Parts)
	for n := range out.Parts {
		p := &out.Parts[n]
		p.HTML = withoutLinks(p.HTML)
		p.Choices = slices.Clone(p.Choices)
		for c := range p.Choices {
			p.Choices[c].HTML = withoutLinks(p.Choices[c].HTML)
		}
	}
	return &out
}

// withoutLinks returns an HTML fragment with its links replaced by their text.
func withoutLinks(markup string) string {
	if !strings.Contains(markup, "<a") {
		return markup
	}
	var b strings.Builder
	t := html.NewTokenizer(strings.NewReader(markup))
	for {
		switch kind := t.Next(); kind {
		case html.ErrorToken:
			return b.String()
		default:
			raw := string(t.Raw()) // before TagName, which changes the buffer to lower case
			if name, _ := t.TagName(); (kind == html.StartTagToken || kind == html.EndTagToken) && string(name) == "a" {
				continue
			}
			b.WriteString(raw)
		}
	}
}

// asksText formats the number of a lesson's questions.
func asksText(e *lesson.Entry) string { return fmt.Sprint(solver.Count(len(e.Items()), "question")) }
