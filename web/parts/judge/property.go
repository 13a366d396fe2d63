package judge

import (
	"context"
	"fmt"
	"strings"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/compile"
	"litmuscope/solver"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/teaching/lesson"
)

// propertyText returns, in words, a goal that is a property.
func propertyText(g lesson.Claim) string {
	model := label(g.Model)
	of := ""
	if g.Classic != "" {
		of = " of " + g.Classic
	}
	switch g.Property {
	case lesson.Robust:
		return model + " allows only the executions" + of + " that SC allows"
	case lesson.NotRobust:
		return model + " allows an execution" + of + " that SC forbids"
	case lesson.RaceFree:
		return "no execution" + of + " has a data race under " + model
	case lesson.Racy:
		return "some execution" + of + " has a data race under " + model
	case lesson.Right:
		return "the mapping to " + mappingName(g) + " is right" + of + " under " + model
	case lesson.Wrong:
		return "the mapping to " + mappingName(g) + " is wrong" + of + " under " + model
	}
	return fmt.Sprintf("%s allows %s%s", model, solver.Count(g.Count, strings.TrimSuffix(string(g.Property), "s")), of)
}

// propertyGot returns, in words, the actual property of a test.
func propertyGot(is string) string {
	switch is {
	case string(solver.Undecided):
		return undecided
	case string(lesson.Robust):
		return "it allows only the executions that SC allows"
	case string(lesson.NotRobust):
		return "it allows executions that SC forbids"
	case string(lesson.Racy):
		return "there is a data race"
	case string(lesson.RaceFree):
		return "there is no data race"
	}
	return "it has " + is
}

// mappingName returns a claim's mapping in words: "Power, leading".
func mappingName(g lesson.Claim) string {
	a, err := compile.Find(lesson.To(g.Compiled))
	if err != nil {
		panic("BUG: a claim names an unknown mapping: " + g.Compiled)
	}
	return strings.TrimSuffix(a.Title+", "+lesson.Variant(g.Compiled), ", ")
}

// mappingGoal checks a goal about a mapping.
func mappingGoal(ctx context.Context, s *question.Service, q question.Question, g lesson.Claim) (Goal, error) {
	q.Models, q.Options = []string{g.Model}, g.Bounds.Of(q.Options)
	if e, ok := catalogue.Find(g.Classic); ok {
		q.Source = e.Source
	}
	m, err := textpage.Map(ctx, s, q, strings.TrimSpace(lesson.To(g.Compiled)+" "+lesson.Variant(g.Compiled)), nil)
	if err != nil {
		return Goal{}, err
	}
	v := Goal{Text: propertyText(g), Met: string(m.Verdict) == string(g.Property)}
	if !v.Met {
		v.Got = strings.TrimSuffix(m.Says(), ".")
	}
	return v, nil
}
