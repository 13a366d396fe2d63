// Package judge decides whether a solution of an exercise reaches its goals within the exercise's rules:
//
//	v, err := judge.Judge(ctx, questions, exercise, text)
//	// v.Met, or v.Hint == "Not yet: TSO allows it."
//
// solver/testdiff compares the threads of the solution with those of the exercise, whatever values their reads return;
// the engines decide the goals. Child processes read and run the text of a solution (question.Service). [Offer] lists
// the possible changes, and [Cheapest] finds the cheapest solution. New tricks to evade the rules go into
// tricks_test.go.
//
// It imports web/teaching/lesson, solver/synth, and the parts question, answer, textpage and childwork: no page.
package judge

import (
	"cmp"
	"context"
	"slices"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
)

// Verdict says whether a try solves an exercise.
type Verdict struct {
	Met    bool     // the try reaches all goals within the rules
	Open   bool     // not met, but only because the engine could not decide a goal
	Faults []string // broken rules, a sentence each; if there are any, goals are not checked
	Goals  []Goal
	// Hint is the first problem, in a sentence; "" if there is none.
	Hint string
	// Tried is the test of the first missed goal, else of the first goal; nil if no test ran.
	Tried *Tried
}

// Goal is a goal and whether the try meets it.
type Goal struct {
	Text string // "TSO forbids it"
	Met  bool
	Got  string // the actual result, unless met
	// Undecided: the engine reached a limit.
	Undecided bool
}

// Tried is a question about a test, and its answers.
type Tried struct {
	Question question.Question
	Answers  *question.Answers
}

// Judge checks a text, which replaces the exercise's test or model, against the rules and goals of the exercise. Its
// errors are those of [question.Service.Explore]: for example, the text has errors.
func Judge(ctx context.Context, s *question.Service, x *lesson.Exercise, text string) (*Verdict, error) {
	how := question.Question{Options: solver.DefaultOptions()}
	how.Options.Witnesses = true
	return JudgeAs(ctx, s, how, x, text)
}

// JudgeAs is Judge with the own models, the engine and the options of a question.
func JudgeAs(
	ctx context.Context, s *question.Service, how question.Question, x *lesson.Exercise, text string,
) (*Verdict, error) {
	v := &Verdict{}
	q := how
	q.Source = text
	if x.Rules.Model {
		v.Faults = x.Rules.ModelFaults(text)
		q.Source = cmp.Or(x.Test, question.AnyTest)
		q.Own = []solver.OwnModel{{Name: lesson.Own, Text: text}}
	} else {
		asked := q.Unread()
		asked.Before, asked.Cycle = x.Test, x.Cycle
		in, err := s.Inspect(ctx, asked)
		if err != nil {
			return nil, err
		}
		v.Faults = x.Rules.Faults(in.Edit)
		if len(v.Faults) == 0 && x.Cycle != "" {
			v.Goals = append(v.Goals, cycleGoal(x, in))
		}
	}
	if len(v.Faults) > 0 {
		v.Hint = v.Faults[0]
		return v, nil
	}
	if err := v.ask(ctx, s, q, x); err != nil {
		return nil, err
	}
	isMissed := func(g Goal) bool { return !g.Met }
	if x.Rules.Like && !slices.ContainsFunc(v.Goals, isMissed) {
		if err := v.like(ctx, s, q, x); err != nil {
			return nil, err
		}
	}
	missed := slices.IndexFunc(v.Goals, isMissed)
	if v.Met = missed < 0; !v.Met {
		g := v.Goals[missed]
		v.Hint = "Not yet: " + cmp.Or(g.Got, g.Text) + "."
		v.Open = g.Got == undecided
	}
	return v, nil
}

// cycleGoal checks whether a test asks about the exercise's cycle.
func cycleGoal(x *lesson.Exercise, in *engines.Inspection) Goal {
	g := Goal{Text: CycleText(x), Met: in.OfCycle}
	switch {
	case g.Met:
	case in.Cycle != "":
		g.Got = "the test asks about the cycle " + in.Cycle
	default:
		g.Got = "the test does not ask about a single cycle"
	}
	return g
}

// ask runs each test of the goals once, and adds the goals to the verdict.
func (v *Verdict) ask(ctx context.Context, s *question.Service, q question.Question, x *lesson.Exercise) error {
	asked := map[string]*Tried{}
	for _, g := range x.Goals {
		if g.OfMapping() {
			goal, err := mappingGoal(ctx, s, q, g)
			if err != nil {
				return err
			}
			v.Goals = append(v.Goals, goal)
			continue
		}
		t := asked[askedOf(g)]
		if t == nil {
			var err error
			if t, err = askAbout(ctx, s, q, x, g); err != nil {
				return err
			}
			asked[askedOf(g)] = t
		}
		said := t.said(g.Column())
		goal := Goal{Text: GoalText(g)}
		var is string
		goal.Met, is = g.Confirmed(said)
		goal.Undecided = !goal.Met && g.Bounds == "" && is == string(solver.Undecided)
		switch {
		case goal.Met:
		case g.Property != "":
			goal.Got = propertyGot(is)
		case said.Verdict == solver.Undecided && g.Bounds != "":
			goal.Got = "the engine does not find it within " + g.Bounds.Words()
		case said.Verdict == solver.Undecided:
			goal.Got = undecided
		default:
			goal.Got = label(g.Model) + " " + answer.Verb(said.Verdict) + " it"
		}
		missed := slices.ContainsFunc(v.Goals, func(g Goal) bool { return !g.Met })
		if v.Tried == nil || !goal.Met && !missed {
			v.Tried = t
		}
		v.Goals = append(v.Goals, goal)
	}
	return nil
}

const undecided = "the engine could not decide it"

// askAbout runs the test of a goal under the models of all goals with this test.
func askAbout(
	ctx context.Context, s *question.Service, q question.Question, x *lesson.Exercise, g lesson.Claim,
) (*Tried, error) {
	q.Models, q.Options = nil, g.Bounds.Of(q.Options)
	for _, other := range x.Goals {
		if askedOf(other) != askedOf(g) || other.OfMapping() || slices.Contains(q.Models, other.Column()) {
			continue
		}
		if m, needed := other.Beyond(); needed {
			q.Own = append(slices.Clone(q.Own), m)
			for _, beside := range []string{"sc", other.Model} {
				if !slices.Contains(q.Models, beside) {
					q.Models = append(q.Models, beside)
				}
			}
		}
		q.Models = append(q.Models, other.Column())
	}
	if g.Classic != "" {
		e, ok := catalogue.Find(g.Classic)
		if !ok {
			panic("BUG: a goal names an unknown test: " + g.Classic)
		}
		q.Source = e.Source
	}
	if g.Compiled != "" {
		made, err := s.Compile(ctx, server.UnixLines(q.Source), lesson.To(g.Compiled), lesson.Variant(g.Compiled))
		if err != nil {
			return nil, err
		}
		q.Source = made.Text
	}
	a, err := s.Explore(ctx, q)
	if err != nil {
		return nil, err
	}
	if fault := a.Test.Fault(lesson.Own); fault != nil {
		return nil, &question.BadModel{Errs: fault, Own: true}
	}
	return &Tried{q, a}, nil
}

// said returns the answer under a column, which must be one of the question's.
func (t *Tried) said(column string) *solver.Result {
	i := slices.IndexFunc(t.Answers.Columns, func(c question.Column) bool { return c.String() == column })
	return t.Answers.Results[i]
}

// askedOf returns a key for the question of a goal. Goals with the same test and bounds share a question.
func askedOf(g lesson.Claim) string { return g.Classic + " " + g.Compiled + " " + string(g.Bounds) }

// CycleText returns the goal of an exercise's cycle in words.
func CycleText(x *lesson.Exercise) string { return "the test asks about the cycle " + x.Cycle }

// GoalText returns a goal in words.
func GoalText(g lesson.Claim) string {
	if g.Property != "" {
		return propertyText(g)
	}
	what := "the outcome that the condition asks about"
	if g.Classic != "" {
		what = g.Classic
	}
	if g.Compiled != "" {
		what += ", compiled to " + mappingName(g)
	}
	does := answer.Verb(g.Verdict)
	if g.Verdict == solver.Undecided {
		does = "does not find"
	}
	out := label(g.Model) + " " + does + " " + what
	if g.Bounds != "" {
		out += " within " + g.Bounds.Words()
	}
	return out
}

// label returns the label of a column, given as text.
func label(text string) string {
	c := question.ReadColumn(text)
	return c.Label()
}
