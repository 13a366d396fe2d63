// Package picture shows one execution on a page: its graph, the steps that lead to it, and why it is allowed or
// forbidden. It also shows explorations of the engine graphs as a tree, and failures of C programs. A page names a cell
// of its table of outcomes; the package finds the evidence again in the cache or asks for it, and child processes draw
// it.
//
// It imports web/drawing, models/play, solver and other parts: no page and no engine.
package picture

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// Pictures makes pictures of executions.
type Pictures struct {
	Server    *server.Server
	Questions *question.Service
}

// New returns the pictures of the executions that answer questions.
func New(q *question.Service) *Pictures { return &Pictures{Server: q.Server, Questions: q} }

// PictureOrWhy returns a picture as a part of a page, or the error.
func (s *Pictures) PictureOrWhy(ctx context.Context, picture func(context.Context) (Shown, error)) templ.Component {
	v, err := picture(ctx)
	if err != nil {
		return server.ProblemPart(s.Server.Fault(ctx, err).View)
	}
	return v.Part()
}

// View shows one cell of the table: an execution with the outcome, or the nearest miss and the reason.
type View struct {
	Pick    answer.Pick
	Label   string // the column's
	Verdict solver.Verdict
	Outcome string // "0:EAX=0; 1:EAX=0"
	N       int    // which execution of the outcome, from 1
	Miss    bool   // the drawing is the nearest miss, not an execution
	Note    string // text instead of a picture
	Repair  string // value of the button that asks for changes which forbid the outcome; "" for no button
	Weaken  string // value of the button that asks what the test does not need to forbid the outcome; "" for no button
	// Compared is the column beside which the picture stands, if both show one execution. Second says that the picture
	// stands behind that column's.
	Compared string
	Second   bool
	ExecutionView

	task    solver.Task // names the model
	answers *question.Answers
}

// Shown is a picture of an execution, with its drawing or the reason why there is none.
type Shown interface {
	Part() templ.Component
	Drawn() (v *DrawingView, note string)
}

// Part implements [Shown].
func (v *View) Part() templ.Component { return Part(*v) }

// Drawn implements [Shown].
func (v *View) Drawn() (*DrawingView, string) { return &v.DrawingView, v.Note }

// AskPicture returns the picture that a form asks for: its question, the column in field "column", and the outcome in
// "state" (empty: the answer to the condition) or an execution that raises "flag". With field "beside", another column,
// it returns the pictures of both; see [Beside].
func (s *Pictures) AskPicture(ctx context.Context, f url.Values) (Shown, error) {
	q, p, err := s.ReadPicture(f)
	if err != nil {
		return nil, err
	}
	if f.Get("beside") != "" {
		return s.besideOf(ctx, f, q, p)
	}
	return s.ViewPicture(ctx, q, p)
}

// PictureOfCell returns the function that draws a cell of a recent answer.
func (s *Pictures) PictureOfCell(q question.Question, p answer.Pick) func(context.Context) (Shown, error) {
	q.Again = true
	return func(ctx context.Context) (Shown, error) { return s.ViewPicture(ctx, q, p) }
}

// ReadPicture reads a question and the cell to draw from a form.
func (s *Pictures) ReadPicture(f url.Values) (q question.Question, p answer.Pick, err error) {
	if q, err = question.FromForm(f); err == nil {
		p, err = ReadPick(f, s.Server.Limits.Source)
	}
	q.Again = true
	return q, p, err
}

// ReadPick parses the cell of a picture from a form. The column may be missing. most bounds the field "state", in
// bytes.
func ReadPick(f url.Values, most int) (answer.Pick, error) {
	p := answer.Pick{Column: f.Get("column"), Flag: f.Get("flag"), N: 1}
	if n := f.Get("n"); n != "" {
		var err error
		if p.N, err = strconv.Atoi(n); err != nil || p.N < 1 {
			return p, server.Refuse("Invalid number of an execution: %q.", litmus.Shorten(n))
		}
	}
	text := f.Get("state")
	if text != "" && (len(text) > most || json.Unmarshal([]byte(text), &p.State) != nil || p.State == nil) {
		return p, server.Refuse("The outcome is invalid: want a JSON object of names and values.")
	}
	return p, nil
}

// ViewPicture returns the picture of a cell. It looks for an execution in the answer of the cell's column, usually from
// the cache, and otherwise asks about the single outcome.
func (s *Pictures) ViewPicture(ctx context.Context, q question.Question, p answer.Pick) (*View, error) {
	q.Models = []string{p.Column}
	a, err := s.Questions.Explore(ctx, q)
	if err != nil {
		return nil, err
	}
	c, r := a.Columns[0], a.Results[0]
	v := &View{Pick: p, Label: c.Label(), N: 1}
	v.Pick.Column = c.String()
	v.task, v.answers = c.Task(a.Asked), a
	v.task.Model = r.Model // where the test names it
	if p.Flag != "" {
		return v, s.pictureOfFlag(ctx, v, a)
	}
	if o := outcomeOf(a, p.State); o != nil {
		v.Pick.State = o.State
		if p.N > 1 {
			all, _, err := s.executions(ctx, q, v.Pick, o)
			if err != nil {
				return nil, err
			}
			v.N = min(p.N, len(all))
			o = &all[v.N-1]
		}
		s.pictureOf(ctx, v, a, *o)
		return v, nil
	}
	v.Outcome = answer.StateText(p.State)
	if p.State == nil {
		v.Outcome = a.Test.Prop
		if Against(a) {
			v.Outcome = "not (" + a.Test.Prop + ")"
		}
	}
	if r.Status == solver.Failed {
		v.Verdict, v.Note = solver.Undecided, fmt.Sprintf("%s has no answer: %s", v.Label, r.Error)
		return v, nil
	}
	return v, s.pictureOfAnswer(ctx, v, q, a)
}

// mostListed bounds the executions of an outcome that a page can show.
const mostListed = 200

// executions lists the executions of an outcome. The first is shown, which the page already has. all reports whether
// the list is complete.
func (s *Pictures) executions(
	ctx context.Context, q question.Question, p answer.Pick, shown *solver.Outcome,
) (list []solver.Outcome, all bool, err error) {
	asked := q.Unread()
	asked.Models, asked.State = nil, p.State
	in, err := s.Questions.Inspect(ctx, asked)
	if err != nil {
		return nil, false, err
	}
	if in.Asking == "" {
		return nil, false, server.Refuse("The outcome does not fit the test.")
	}
	q.Source, q.Engine, q.Models = in.Asking, "", []string{question.ReadColumn(p.Column).Model}
	q.Options = q.Limits()
	q.Options.Witnesses, q.Options.States, q.Options.Executions, q.Options.List = true, 0, 0, mostListed
	a, err := s.Questions.Explore(ctx, q)
	if err != nil {
		return nil, false, err
	}
	r := a.Results[0]
	// Executions with equal drawings are listed once. They may differ in a choice of an instruction without effect.
	seen := map[string]bool{drawnAs(shown.Graph): true}
	list = []solver.Outcome{*shown}
	for _, o := range r.Executions {
		if key := drawnAs(o.Graph); !seen[key] {
			seen[key] = true
			list = append(list, o)
		}
	}
	return list, r.ExecutionsComplete != nil && *r.ExecutionsComplete, nil
}

// drawnAs returns a key for an execution of a test: its rf and co.
func drawnAs(g *models.Graph) string {
	if g == nil {
		return ""
	}
	return strings.Join(append(edgesOf(g, "rf"), edgesOf(g, "co")...), ",")
}

// edgesOf lists the edges of a relation by the events' names, which do not depend on the engine.
func edgesOf(g *models.Graph, name string) []string {
	var out []string
	for _, p := range g.Pairs(name) {
		out = append(out, name+" "+g.Events[p[0]].Name+" "+g.Events[p[1]].Name)
	}
	slices.Sort(out)
	return out
}

// executionCount is the number of an outcome's executions, for the page's script.
type executionCount struct {
	Count    int  `json:"count"`
	Complete bool `json:"complete"` // there are no others
}

// PostExecutions counts the executions of an outcome under a column. The form is that of AskPicture.
func (s *Pictures) PostExecutions(w http.ResponseWriter, r *http.Request) {
	if !s.Server.ParseForm(w, r) {
		return
	}
	q, p, err := s.ReadPicture(r.PostForm)
	if err == nil && (p.State == nil || p.Flag != "") {
		err = server.Refuse("Counting executions needs an outcome.")
	}
	var list []solver.Outcome
	var all bool
	if err == nil {
		list, all, err = s.executions(r.Context(), q, p, &solver.Outcome{})
	}
	if err != nil {
		s.Server.FailOf(w, r, err)
		return
	}
	s.Server.WriteJSON(w, executionCount{len(list) - 1, all})
}

// Against reports whether the question is about outcomes that violate the proposition.
func Against(a *question.Answers) bool { return a.Test.Quantifier == litmus.Forall && !a.Unasked() }

// outcomeOf returns the outcome with a state and an execution, or, without a state, the first such outcome that answers
// the question. It returns nil if there is none.
func outcomeOf(a *question.Answers, state solver.State) *solver.Outcome {
	r := a.Results[0]
	for i, o := range r.Outcomes {
		if o.Graph == nil && len(o.Trace) == 0 {
			continue
		}
		if state != nil && slices.Equal(o.State, state) || state == nil && (a.Unasked() || o.Satisfies != Against(a)) {
			return &r.Outcomes[i]
		}
	}
	return nil
}

// pictureOf shows an execution, with the edges in lit highlighted.
func (s *Pictures) pictureOf(ctx context.Context, v *View, a *question.Answers, o solver.Outcome, lit ...models.Pair) {
	v.Verdict, v.Outcome = solver.Allowed, answer.StateText(o.State)
	task := a.Columns[0].Task(a.Asked)
	task.Model = a.Results[0].Model // where the test names it
	v.ExecutionView = s.viewExecution(ctx, a.Source, DrawnOutcome{
		Test: a.Test.Name, Model: a.Columns[0].Model, Threads: a.Test.Threads, Outcome: o,
		Processor: a.Asked.Options.Processor, Lit: lit,
		Why: s.ViewWhyYet(ctx, task, question.Label(task.Model), o.Graph),
	})
}

// pictureOfFlag shows an execution that raises a flag.
func (s *Pictures) pictureOfFlag(ctx context.Context, v *View, a *question.Answers) error {
	for _, f := range a.Results[0].Flags {
		if f.Name == v.Pick.Flag && f.Graph != nil {
			var lit []models.Pair
			for _, c := range f.Causes {
				lit = append(lit, c.Pair())
			}
			s.pictureOf(ctx, v, a, solver.Outcome{State: f.State, Graph: f.Graph}, lit...)
			v.Note = f.Sentence()
			return nil
		}
	}
	return server.Refuse("No execution raises %s.", litmus.Shorten(v.Pick.Flag))
}

// pictureOfAnswer asks about a single outcome, if the answer to the whole question has no execution of it: the outcome
// is forbidden and needs a reason, or the answer does not list all outcomes. It uses the default engine, because only
// engines on event graphs give reasons.
func (s *Pictures) pictureOfAnswer(ctx context.Context, v *View, q question.Question, whole *question.Answers) error {
	asked := q.Unread()
	asked.Models, asked.State, asked.Against = nil, v.Pick.State, v.Pick.State == nil && Against(whole)
	if asked.State != nil || asked.Against {
		in, err := s.Questions.Inspect(ctx, asked)
		if err != nil {
			return err
		}
		if q.Source = in.Asking; q.Source == "" {
			return server.Refuse("The outcome does not fit the test.")
		}
	}
	q.Options = q.Limits()
	q.Options.Explain, q.Options.Witnesses, q.Options.States = true, true, 1
	c := whole.Columns[0]
	q.Models, q.Engine = []string{c.Model}, ""
	a, err := s.Questions.Explore(ctx, q)
	if err != nil {
		return err
	}
	a.Test = whole.Test
	a.Columns[0] = c
	r := a.Results[0]
	v.Verdict = cmp.Or(r.Verdict, solver.Undecided)
	if r.Verdict == solver.Allowed {
		for _, o := range r.Outcomes {
			if o.Satisfies {
				s.pictureOf(ctx, v, a, o)
				return nil
			}
		}
		v.Note = v.Label + " allows this, but its answer has no execution."
		return nil
	}
	v.Miss = r.Explanation != nil && r.Explanation.Graph != nil
	v.ExecutionView = s.viewWhy(ctx, a, v.Pick.State)
	if v.Miss && r.Verdict == solver.Forbidden {
		v.Steps = s.viewStuck(ctx, q.Source, DrawnOutcome{
			Test: a.Test.Name, Model: c.Model, Threads: a.Test.Threads,
			Outcome: solver.Outcome{State: v.Pick.State, Graph: r.Explanation.Graph}, Processor: q.Options.Processor,
		})
	}
	return nil
}

// Title returns the picture's title, which screen readers read.
func (v *View) Title() string {
	title := v.Label + " " + answer.Verb(v.Verdict) + " " + v.Outcome
	if v.Miss && v.Why != nil && v.Why.Law != "" {
		title += ", because: " + strings.TrimSuffix(v.Why.Law, ":")
	}
	return title
}
