package web

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
	"litmuscope/web/shell"
)

// pictureView is what the page shows of one cell of the table: an execution that has the
// outcome, or the nearest miss and why there is none.
type pictureView struct {
	Pick    pick
	Label   string // the column's
	Verdict solver.Verdict
	Outcome string // "0:EAX=0; 1:EAX=0"
	N       int    // which execution of the outcome, from 1
	Miss    bool   // it is no execution, but the nearest miss
	Note    string // what there is in place of a picture
	executionView
}

// shown is what a page has of an execution: a picture of it, and its drawing, or why there is none.
type shown interface {
	part() templ.Component
	drawn() (v *drawingView, note string)
}

func (v *pictureView) part() templ.Component { return picture(*v) }

func (v *pictureView) drawn() (*drawingView, string) { return &v.drawingView, v.Note }

// postPicture shows what the form asks for.
func (b *bench[Q]) postPicture(w http.ResponseWriter, r *http.Request) {
	if !b.ParseForm(w, r) {
		return
	}
	v, err := b.picture(r.Context(), r.PostForm)
	if err != nil {
		b.FailOf(w, r, err)
		return
	}
	b.Render(w, r, http.StatusOK, v.part())
}

// askPicture shows a cell of the table: of the question in the form, in field "column", the
// outcome in "state" (nothing: the answer to the condition), or an execution that raises
// "flag".
func (s *server) askPicture(ctx context.Context, f url.Values) (shown, error) {
	q, p, err := s.readPicture(f)
	if err != nil {
		return nil, err
	}
	return s.viewPicture(ctx, q, p)
}

// pictureOfCell is the picture of a cell of an answer that was given just now.
func (s *server) pictureOfCell(q question, p pick) func(context.Context) (shown, error) {
	q.Again = true
	return func(ctx context.Context) (shown, error) { return s.viewPicture(ctx, q, p) }
}

func (s *server) readPicture(f url.Values) (q question, p pick, err error) {
	if q, err = fromForm(f); err == nil {
		p, err = readPick(f, s.Limits.Source)
	}
	q.Again = true
	return q, p, err
}

// readPick reads what a picture is to be of; the column may be missing.
func readPick(f url.Values, most int) (pick, error) {
	p := pick{Column: f.Get("column"), Flag: f.Get("flag"), N: 1}
	if n := f.Get("n"); n != "" {
		var err error
		if p.N, err = strconv.Atoi(n); err != nil || p.N < 1 {
			return p, shell.Refuse("%q is no number of an execution.", litmus.Shorten(n))
		}
	}
	text := f.Get("state")
	if text != "" && (len(text) > most || json.Unmarshal([]byte(text), &p.State) != nil || p.State == nil) {
		return p, shell.Refuse("The outcome cannot be read.")
	}
	return p, nil
}

// viewPicture finds the evidence for a cell: first in the answer of its column, as it was
// given before, then by asking for the outcome by itself.
func (s *server) viewPicture(ctx context.Context, q question, p pick) (*pictureView, error) {
	q.Models = []string{p.Column}
	a, err := s.explore(ctx, q)
	if err != nil {
		return nil, err
	}
	c, r := a.columns[0], a.results[0]
	v := &pictureView{Pick: p, Label: c.Label(), N: 1}
	v.Pick.Column = c.String()
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
	v.Outcome = stateText(p.State)
	if p.State == nil {
		v.Outcome = a.test.Prop
		if against(a) {
			v.Outcome = "not (" + a.test.Prop + ")"
		}
	}
	if r.Status == solver.Failed {
		v.Verdict, v.Note = solver.Undecided, fmt.Sprintf("%s could not be asked: %s", v.Label, r.Error)
		return v, nil
	}
	return v, s.pictureOfAnswer(ctx, v, q, a)
}

// mostListed bounds how many executions of an outcome are shown one by one.
const mostListed = 200

// executions lists those of an outcome, the one that is shown before any is asked for first,
// and tells whether these are all.
func (s *server) executions(ctx context.Context, q question, p pick, shown *solver.Outcome) (list []solver.Outcome, all bool, err error) {
	asked := q.unread()
	asked.Models, asked.State = nil, p.State
	in, err := s.inspect(ctx, asked)
	if err != nil {
		return nil, false, err
	}
	if in.Asking == "" {
		return nil, false, shell.Refuse("The outcome does not fit the test.")
	}
	q.Source, q.Engine, q.Models = in.Asking, "", []string{readColumn(p.Column).Model}
	q.Options = q.limits()
	q.Options.Witnesses, q.Options.States, q.Options.Executions, q.Options.List = true, 0, 0, mostListed
	a, err := s.explore(ctx, q)
	if err != nil {
		return nil, false, err
	}
	r := a.results[0]
	// Some differ in nothing that can be seen: in a choice that an instruction has, and that
	// makes no difference.
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

// drawnAs tells executions of a test apart, by their rf and co.
func drawnAs(g *models.Graph) string {
	if g == nil {
		return ""
	}
	return strings.Join(append(edgesOf(g, "rf"), edgesOf(g, "co")...), ",")
}

// edgesOf are the edges of a relation, by the events' names, which do not depend on who found
// the execution.
func edgesOf(g *models.Graph, name string) []string {
	var out []string
	for _, p := range g.Pairs(name) {
		out = append(out, name+" "+g.Events[p[0]].Name+" "+g.Events[p[1]].Name)
	}
	slices.Sort(out)
	return out
}

// postExecutions counts the executions of an outcome under a column; the form is that of
// postPicture.
func (s *server) postExecutions(w http.ResponseWriter, r *http.Request) {
	if !s.ParseForm(w, r) {
		return
	}
	q, p, err := s.readPicture(r.PostForm)
	if err == nil && (p.State == nil || p.Flag != "") {
		err = shell.Refuse("Executions are counted of an outcome.")
	}
	var list []solver.Outcome
	var all bool
	if err == nil {
		list, all, err = s.executions(r.Context(), q, p, &solver.Outcome{})
	}
	if err != nil {
		s.FailOf(w, r, err)
		return
	}
	s.WriteJSON(w, struct {
		Count    int  `json:"count"`
		Complete bool `json:"complete"`
	}{len(list) - 1, all})
}

// against tells whether the question is what the proposition does not hold of.
func against(a *answers) bool { return a.test.Quantifier == litmus.Forall && !a.unasked() }

// outcomeOf is the outcome with a state among the first of the answers, with evidence;
// without a state, the first that answers the question. There may be none.
func outcomeOf(a *answers, state solver.State) *solver.Outcome {
	r := a.results[0]
	for i, o := range r.Outcomes {
		if o.Graph == nil && len(o.Trace) == 0 {
			continue
		}
		if state != nil && slices.Equal(o.State, state) || state == nil && (a.unasked() || o.Satisfies != against(a)) {
			return &r.Outcomes[i]
		}
	}
	return nil
}

// pictureOf shows an execution, with what is lit made out from all else.
func (s *server) pictureOf(ctx context.Context, v *pictureView, a *answers, o solver.Outcome, lit ...models.Pair) {
	v.Verdict, v.Outcome = solver.Allowed, stateText(o.State)
	task := a.columns[0].task(a.asked)
	task.Model = a.results[0].Model // where the test names it
	v.executionView = s.viewExecution(ctx, a.source, drawnOutcome{
		Test: a.test.Name, Model: a.columns[0].Model, Threads: a.test.Threads, Outcome: o, Lit: lit,
		Why: s.viewWhyYet(ctx, task, modelLabel(task.Model), o.Graph),
	})
}

// pictureOfFlag shows an execution that raises a flag.
func (s *server) pictureOfFlag(ctx context.Context, v *pictureView, a *answers) error {
	for _, f := range a.results[0].Flags {
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
	return shell.Refuse("No execution raises %s.", litmus.Shorten(v.Pick.Flag))
}

// pictureOfAnswer asks for the outcome by itself, where the answer to the whole question has
// no evidence for it: it is forbidden, and why is to be said, or there are more outcomes than
// it lists. Only event graphs give reasons, so that is the engine.
func (s *server) pictureOfAnswer(ctx context.Context, v *pictureView, q question, whole *answers) error {
	asked := q.unread()
	asked.Models, asked.State, asked.Against = nil, v.Pick.State, v.Pick.State == nil && against(whole)
	if asked.State != nil || asked.Against {
		in, err := s.inspect(ctx, asked)
		if err != nil {
			return err
		}
		if q.Source = in.Asking; q.Source == "" {
			return shell.Refuse("The outcome does not fit the test.")
		}
	}
	q.Options = q.limits()
	q.Options.Explain, q.Options.Witnesses, q.Options.States = true, true, 1
	c := whole.columns[0]
	q.Models, q.Engine = []string{c.Model}, ""
	a, err := s.explore(ctx, q)
	if err != nil {
		return err
	}
	a.test = whole.test
	a.columns[0] = c
	r := a.results[0]
	v.Verdict = cmp.Or(r.Verdict, solver.Undecided)
	if r.Verdict == solver.Allowed {
		for _, o := range r.Outcomes {
			if o.Satisfies {
				s.pictureOf(ctx, v, a, o)
				return nil
			}
		}
		v.Note = v.Label + " allows this, and lists no execution of it."
		return nil
	}
	v.Miss = r.Explanation != nil && r.Explanation.Graph != nil
	v.executionView = s.viewWhy(ctx, a, v.Pick.State)
	return nil
}

// Title says what the picture is of, for those who listen, and as its name.
func (v *pictureView) Title() string {
	title := v.Label + " " + verb(v.Verdict) + " " + v.Outcome
	if v.Miss && v.Why != nil && v.Why.Law != "" {
		title += ", because: " + strings.TrimSuffix(v.Why.Law, ":")
	}
	return title
}
