// Package judge says whether what somebody has made of an exercise does what it asks for, and keeps to its rules.
//
//	v, err := judge.Judge(ctx, asker, exercise, text)
//	// v.Met, or v.Hint == "Not yet: TSO allows it."
//
// Threads are held against those of the exercise by solver/testdiff, whatever values their reads return, and its goals are asked
// of the engines. What somebody sends is read and run apart from the server's process, as [ask.Asker] has it.
//
// The package makes no page. It may import what rooms share: web/ask, web/answer and web/lesson.
package judge

import (
	"cmp"
	"context"
	"slices"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/answer"
	"litmuscope/web/ask"
	"litmuscope/web/lesson"
)

// Verdict is what came of a try at an exercise.
type Verdict struct {
	Met    bool     // all goals, within the rules
	Faults []string // rules that are broken, a sentence each; goals are not asked about then
	Goals  []Goal
	// Hint is the first thing that is wrong, in a sentence; "" where nothing is.
	Hint string
	// Tried is the test of the first goal that is missed, or of the first; nil where none was asked about.
	Tried *Tried
}

// Goal is a goal, and whether it is met.
type Goal struct {
	Text string // "TSO forbids it"
	Met  bool
	Got  string // what it is, unless met
}

// Tried is a test as it was asked about, and its answers.
type Tried struct {
	Question ask.Question
	Answers  *ask.Answers
}

// Judge holds a text, in the place of the exercise's test or model, to its rules and goals. Its error is one of
// [ask.Asker.Explore]'s: the text cannot be read, say, and it says where.
func Judge(ctx context.Context, s *ask.Asker, x *lesson.Exercise, text string) (*Verdict, error) {
	v := &Verdict{}
	q := ask.Question{Source: text, Options: solver.DefaultOptions()}
	if x.Rules.Model {
		v.Faults = x.Rules.ModelFaults(text)
		q.Source = cmp.Or(x.Test, ask.AnyTest)
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
	missed := slices.IndexFunc(v.Goals, func(g Goal) bool { return !g.Met })
	if v.Met = missed < 0; !v.Met {
		g := v.Goals[missed]
		v.Hint = "Not yet: " + cmp.Or(g.Got, g.Text) + "."
	}
	return v, nil
}

// cycleGoal says whether a test is that of the exercise's cycle, and of which it is otherwise.
func cycleGoal(x *lesson.Exercise, in *engines.Inspection) Goal {
	g := Goal{Text: CycleText(x), Met: in.OfCycle}
	switch {
	case g.Met:
	case in.Cycle != "":
		g.Got = "it asks about " + in.Cycle
	default:
		g.Got = "it asks about other executions, or about no cycle at all"
	}
	return g
}

// ask asks each test that goals are about, the exercise's own among them, once.
func (v *Verdict) ask(ctx context.Context, s *ask.Asker, q ask.Question, x *lesson.Exercise) error {
	asked := map[string]*Tried{}
	for _, g := range x.Goals {
		t := asked[askedOf(g)]
		if t == nil {
			var err error
			if t, err = askAbout(ctx, s, q, x, g); err != nil {
				return err
			}
			asked[askedOf(g)] = t
		}
		verdict := solver.Undecided
		for _, c := range answer.VerdictsOf(t.Answers) {
			if c.Column == g.Model {
				verdict = c.Verdict
			}
		}
		goal := Goal{Text: GoalText(g), Met: verdict == g.Verdict}
		switch {
		case goal.Met:
		case verdict == solver.Undecided && g.Bounds != "":
			goal.Got = "it is not found within " + g.Bounds.Words()
		case verdict == solver.Undecided:
			goal.Got = "the engine could not decide it"
		default:
			goal.Got = label(g.Model) + " " + answer.Verb(verdict) + " it"
		}
		missed := slices.ContainsFunc(v.Goals, func(g Goal) bool { return !g.Met })
		if v.Tried == nil || !goal.Met && !missed {
			v.Tried = t
		}
		v.Goals = append(v.Goals, goal)
	}
	return nil
}

// askAbout asks the test that a goal is about under the models of all goals about it.
func askAbout(ctx context.Context, s *ask.Asker, q ask.Question, x *lesson.Exercise, g lesson.Claim) (*Tried, error) {
	q.Models, q.Options = nil, g.Bounds.Options()
	q.Options.Witnesses = true
	for _, other := range x.Goals {
		if askedOf(other) == askedOf(g) && !slices.Contains(q.Models, other.Model) {
			q.Models = append(q.Models, other.Model)
		}
	}
	if g.Classic != "" {
		e, ok := catalogue.Find(g.Classic)
		if !ok {
			panic("BUG: a goal about no test: " + g.Classic)
		}
		q.Source = e.Source
	}
	a, err := s.Explore(ctx, q)
	if err != nil {
		return nil, err
	}
	if fault := a.Test.Fault(lesson.Own); fault != nil {
		return nil, &ask.BadModel{Errs: fault, Own: true}
	}
	return &Tried{q, a}, nil
}

// askedOf names the question that a goal is about: goals of one test within the same bounds are
// asked together.
func askedOf(g lesson.Claim) string { return g.Classic + " " + string(g.Bounds) }

// CycleText is the goal of an exercise's cycle in words.
func CycleText(x *lesson.Exercise) string { return "the test is that of the cycle " + x.Cycle }

// GoalText is a goal in words.
func GoalText(g lesson.Claim) string {
	what := "the outcome that the condition asks about"
	if g.Classic != "" {
		what = g.Classic
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

// label is a column's, by its text.
func label(text string) string {
	c := ask.ReadColumn(text)
	return c.Label()
}
