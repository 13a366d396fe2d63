package learn

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/a-h/templ"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/answer"
	"litmuscope/web/ask"
	"litmuscope/web/lesson"
	"litmuscope/web/shell"
)

// checkView is what came of a try at an exercise.
type checkView struct {
	Problem templ.Component // why it could not be looked at
	Faults  []string        // rules that are broken; nothing is asked then
	Goals   []goalView
	Met     bool // all of them
	Why     string
	Live    *liveView // the test as it was tried, to look at; nil where there is none
}

// goalView is a goal, and whether it is met.
type goalView struct {
	Text string // "TSO forbids it"
	Met  bool
	Got  string // what it is, unless met
}

// postLessonCheck judges what the reader has made of an exercise: fields lesson, exercise and
// text. Scripts get what came of it, a browser without them the whole page.
func (s *room) postLessonCheck(w http.ResponseWriter, r *http.Request) {
	if !s.ParseForm(w, r) {
		return
	}
	e := s.foundLesson(w, r, r.PostForm.Get("lesson"))
	if e == nil {
		return
	}
	x, ok := e.Find(r.PostForm.Get("exercise")).(*lesson.Exercise)
	if !ok {
		s.Fail(w, r, http.StatusNotFound, "The lesson has no such exercise: it may have been changed. Load the page again.")
		return
	}
	text := shell.UnixLines(r.PostForm.Get("text"))
	v, err := s.checkExercise(r.Context(), x, text)
	status := http.StatusOK
	if err != nil {
		var said templ.Component
		if status, said = s.Told(w, r, err); said == nil {
			return
		}
		v = &checkView{Problem: said}
	}
	if shell.IsFragment(r) {
		s.Render(w, r, status, checkResult(v))
		return
	}
	s.showLesson(w, r, e, &tried{x.ID, text, checkResult(v)})
}

// checkExercise holds a try to the exercise's rules and goals. Its error is one of explore's.
func (s *room) checkExercise(ctx context.Context, x *lesson.Exercise, text string) (*checkView, error) {
	v := &checkView{Met: true}
	q := ask.Question{Source: text, Options: solver.DefaultOptions()}
	q.Options.Witnesses = true
	if x.Rules.Model {
		if v.Faults = x.Rules.ModelFaults(text); len(v.Faults) > 0 {
			v.Met = false
			return v, nil
		}
		q.Source = cmp.Or(x.Test, ask.AnyTest)
		q.Own = []solver.OwnModel{{Name: lesson.Own, Text: text}}
	} else {
		asked := q.Unread()
		asked.Before, asked.Cycle = x.Test, x.Cycle
		in, err := s.Inspect(ctx, asked)
		if err != nil {
			return nil, err
		}
		if v.Faults = x.Rules.Faults(in.Edit); len(v.Faults) > 0 {
			v.Met = false
			return v, nil
		}
		if x.Cycle != "" {
			v.Goals = append(v.Goals, cycleGoal(x, in))
			v.Met = in.OfCycle
		}
	}
	got, lives, err := s.askGoals(ctx, q, x)
	if err != nil {
		return nil, err
	}
	for _, g := range x.Goals {
		verdict := got[askedOf(g)][g.Model]
		view := goalView{Text: goalText(g), Met: verdict == g.Verdict}
		if v.Live == nil || !view.Met && v.Met {
			v.Live = lives[askedOf(g)] // of the first goal that is missed
		}
		switch {
		case view.Met:
		case verdict == solver.Undecided && g.Bounds != "":
			view.Got = "it is not found within " + g.Bounds.Words()
		case verdict == solver.Undecided:
			view.Got = "the engine could not decide it"
		default:
			view.Got = columnLabel(g.Model) + " " + answer.Verb(verdict) + " it"
		}
		v.Goals = append(v.Goals, view)
		v.Met = v.Met && view.Met
	}
	if v.Met {
		v.Why = x.Why
	}
	return v, nil
}

// cycleGoal says whether a test is that of the exercise's cycle, and of which it is otherwise.
func cycleGoal(x *lesson.Exercise, in *engines.Inspection) goalView {
	view := goalView{Text: cycleText(x), Met: in.OfCycle}
	switch {
	case view.Met:
	case in.Cycle != "":
		view.Got = "it asks about " + in.Cycle
	default:
		view.Got = "it asks about other executions, or about no cycle at all"
	}
	return view
}

func cycleText(x *lesson.Exercise) string { return "the test is that of the cycle " + x.Cycle }

// askGoals asks each test that goals are about, the exercise's own among them, and gives by
// test the verdicts of models, and what to show of it.
func (s *room) askGoals(ctx context.Context, q ask.Question, x *lesson.Exercise) (got map[string]map[string]solver.Verdict, lives map[string]*liveView, err error) {
	got, lives = map[string]map[string]solver.Verdict{}, map[string]*liveView{}
	for _, g := range x.Goals {
		if got[askedOf(g)] != nil {
			continue
		}
		one := q
		one.Models, one.Options = nil, g.Bounds.Options()
		one.Options.Witnesses = true
		for _, other := range x.Goals {
			if askedOf(other) == askedOf(g) && !slices.Contains(one.Models, other.Model) {
				one.Models = append(one.Models, other.Model)
			}
		}
		if g.Classic != "" {
			e, ok := catalogue.Find(g.Classic)
			if !ok {
				panic("BUG: a goal about no test: " + g.Classic)
			}
			one.Source = e.Source
		}
		a, err := s.Explore(ctx, one)
		if err != nil {
			return nil, nil, err
		}
		if fault := a.Test.Fault(lesson.Own); fault != nil {
			return nil, nil, &ask.BadModel{Errs: fault, Own: true}
		}
		got[askedOf(g)] = map[string]solver.Verdict{}
		for _, c := range answer.VerdictsOf(a) {
			got[askedOf(g)][c.Column] = c.Verdict
		}
		says := answer.ViewOf(a)
		lives[askedOf(g)] = &liveView{
			Test: &lesson.Test{ID: x.ID + "-try", Title: says.Name}, Answer: says, State: ask.LinkStateOf(one, ""), Parts: answer.PartSource(one.Source, says.Cells),
		}
	}
	return got, lives, nil
}

// askedOf names the question that a goal is about: goals of one test within the same bounds are
// asked together.
func askedOf(g lesson.Claim) string { return g.Classic + " " + string(g.Bounds) }

// goalText is a goal in words.
func goalText(g lesson.Claim) string {
	what := "the outcome that the condition asks about"
	if g.Classic != "" {
		what = g.Classic
	}
	does := answer.Verb(g.Verdict)
	if g.Verdict == solver.Undecided {
		does = "does not find"
	}
	out := columnLabel(g.Model) + " " + does + " " + what
	if g.Bounds != "" {
		out += " within " + g.Bounds.Words()
	}
	return out
}

// columnLabel is a column's, by its text.
func columnLabel(text string) string {
	c := ask.ReadColumn(text)
	return c.Label()
}

// postLessonRun answers the form's question as the tests of lessons have it.
func (s *room) postLessonRun(w http.ResponseWriter, r *http.Request) {
	if !s.ParseForm(w, r) {
		return
	}
	q, err := ask.FromForm(r.PostForm)
	var a *ask.Answers
	if err == nil {
		a, err = s.Explore(r.Context(), q)
	}
	if err != nil {
		if status, said := s.Told(w, r, err); said != nil {
			s.Render(w, r, status, said)
		}
		return
	}
	s.Render(w, r, http.StatusOK, lessonAnswer(answer.ViewOf(a), answer.VerdictsOf(a)))
}
