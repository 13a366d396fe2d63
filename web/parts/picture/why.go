package picture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/models/library"
	"litmuscope/models/relaxed"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/parts/modeltext"
	"litmuscope/web/parts/question"
)

// whyView explains why an outcome is forbidden, or why it is allowed although SC forbids it: a sentence and the steps
// of a cycle, with links to the drawing, the test and the model's text.
type whyView struct {
	Lead    string // all there is without a cycle
	Axiom   *modeltext.DefView
	Law     string // what the axiom asks for, and how it fails
	Miss    bool   // the drawing is no execution, but the nearest miss
	Cycle   []whyStep
	Closed  bool               // the last step ends where the first begins
	Order   *modeltext.DefView // what keeps the other steps, of an execution that is allowed
	Would   bool               // or rather what would forbid it
	Remedy  string
	Also    string
	Without []withoutView
	Model   string // whose text can be shown, as /models has it; "" for none

	Steps []models.Pair // of an execution that is allowed: its steps
}

// whyStep is an event of a cycle and the edge to the next one.
type whyStep struct {
	From, To eventView
	Edge     edgeView
	Base     []whyStep           // what it is made of, unless it is just that
	Uses     []modeltext.DefView // by which definitions it comes about
	Relaxed  bool                // the model does not keep it
	Words    string              // how, of a relaxed one
}

type eventView struct {
	Name, Text string // "a", "P0: MOV [x],$1"
	Lights     string // the event's ID
	Key        string // of its instruction, as in cellView; "" for none
}

type edgeView struct {
	Name, Help string
	Lights     string // the IDs of its events
	Def        *modeltext.DefView
}

// withoutView offers the model without one of its axioms.
type withoutView struct{ Column, Axiom string }

// viewWhy returns the view of an explanation, with the drawing of the nearest miss.
func (s *Pictures) viewWhy(ctx context.Context, a *question.Answers, state solver.State) ExecutionView {
	r := a.Results[0]
	model := question.Label(r.Model)
	outcome := a.Test.Prop
	if state != nil {
		outcome = answer.StateText(state)
	}
	v := ExecutionView{Title: "Not under " + model + ": " + outcome}
	v.FileName = strings.Map(FileRune, r.Name+"-not-"+r.Model)
	e := r.Explanation
	switch {
	case r.Status == solver.Failed:
		v.Why = &whyView{Lead: r.Error}
	case e != nil && e.Axiom != "":
		v.Why = viewCycle(e, r.Model)
		v.Cycle = drawn(e.BasePath())
		s.Show(ctx, &v, e.Graph)
	case e != nil:
		v.Why = &whyView{Lead: model + " forbids this: " + e.Reason + "."}
	case r.Verdict == solver.Forbidden:
		v.Why = &whyView{Lead: model + " forbids this. A search of all states shows it, which gives no reason."}
	case r.Verdict == solver.Allowed:
		v.Why = &whyView{Lead: model + " allows this."}
	default:
		v.Why = &whyView{Lead: "The reason is not known: " + r.Reason + "."}
	}
	return v
}

// viewCycle returns the view of the cycle in a near miss that an axiom forbids.
func viewCycle(e *solver.Explanation, model string) *whyView {
	w := newWording(model, e.Graph, e.Definitions)
	v := &whyView{Lead: question.Label(model) + " forbids this by ", Law: e.Sentence, Miss: true, Model: w.page()}
	axiom := modeltext.DefView{Name: e.Axiom, Help: axiomKinds[e.Kind]}
	if e.Source != nil {
		axiom = w.def(*e.Source)
		axiom.Help = axiomKinds[e.Kind]
	}
	v.Axiom = &axiom
	if len(e.Also) > 0 {
		v.Also = "It breaks " + strings.Join(e.Also, ", ") + " too."
	}
	for _, name := range append([]string{e.Axiom}, e.Also...) {
		v.Without = append(v.Without, withoutView{model + "~" + name, name})
	}
	for _, c := range e.Cycle {
		if w.within(c.From, c.To) {
			continue
		}
		step := w.step(c.From, c.To, c.Relation)
		step.Base = w.base(c)
		step.Uses = w.uses(nil, c)
		step.link()
		v.Cycle = append(v.Cycle, step)
	}
	if n := len(v.Cycle); n > 0 {
		v.Closed = v.Cycle[n-1].To.Name == v.Cycle[0].From.Name
	}
	return v
}

// axiomKinds are the kinds of axioms in words.
var axiomKinds = map[string]string{
	"acyclic":      "acyclic: the relation has no cycle",
	"~acyclic":     "~acyclic: the relation has a cycle",
	"irreflexive":  "irreflexive: the relation relates no event to itself",
	"~irreflexive": "~irreflexive: the relation relates some event to itself",
	"empty":        "empty: the relation or set is empty",
	"~empty":       "~empty: the relation or set is not empty",
}

// ViewWhyYet explains why a model allows an execution that SC forbids; nil if the model is SC or there is no graph. The
// task names the model; label is its name on the page.
func (s *Pictures) ViewWhyYet(ctx context.Context, t solver.Task, label string, g *models.Graph) *whyView {
	if g == nil || t.Model == "sc" {
		return nil
	}
	r, err := childwork.Relaxing.Call(ctx, s.Questions.Sandbox, engines.Comparison{Task: t, Label: label, Graph: g})
	var limited *solver.Limited
	switch {
	case err == nil:
	case errors.As(err, &limited):
		return &whyView{Lead: "Comparing this execution with SC was stopped: " + limited.Reason + "."}
	default:
		_ = s.Server.Fault(ctx, err) // which logs what is the server's
		return &whyView{Lead: "The server could not compare this execution with SC. Try again."}
	}
	w := newWording(t.Model, g, r.Definitions)
	v := &whyView{Lead: r.Sentence, Remedy: r.Remedy, Closed: true, Model: w.page()}
	if r.Source != nil {
		order := w.def(*r.Source)
		v.Order, v.Would = &order, r.Would
	}
	for _, c := range r.Cycle {
		step := w.step(c.From, c.To, c.Relation)
		step.Relaxed, step.Words = c.Relaxed, c.Words
		v.Steps = append(v.Steps, models.Pair{c.From, c.To})
		w.addDefinitions(&step, c)
		v.Cycle = append(v.Cycle, step)
	}
	return v
}

// addDefinitions adds the definitions by which a model preserves a step, if their names differ from the step's
// relation.
func (w wording) addDefinitions(step *whyStep, c relaxed.RelaxedStep) {
	var names []string
	for _, k := range c.Kept {
		if w.within(k.From, k.To) {
			continue
		}
		names = append(names, k.Relation)
		step.Uses = w.uses(step.Uses, k)
	}
	if name := strings.Join(names, ";"); name != "" && name != c.Relation {
		step.Base = []whyStep{w.step(c.From, c.To, c.Relation)}
		step.Edge.Name, step.Edge.Help = name, w.help(name)
	}
	step.link()
}

// uses appends the definitions from which an edge is derived.
func (w wording) uses(to []modeltext.DefView, e evaluation.Edge) []modeltext.DefView {
	for _, u := range e.Uses {
		if u < 0 || u >= len(w.defs) {
			continue
		}
		if d := w.def(w.defs[u]); !slices.Contains(to, d) {
			to = append(to, d)
		}
	}
	return to
}

// link links the name of a step without further parts to its definition.
func (s *whyStep) link() {
	if len(s.Base) == 0 && len(s.Uses) > 0 {
		s.Edge.Def, s.Uses = &s.Uses[0], nil
	}
}

// wording returns words for the events and relations of a graph under a model.
type wording struct {
	model string
	g     *models.Graph
	whole *models.Whole // whose graph g is; nil where no access consists of pieces
	defs  []evaluation.Definition
}

func newWording(model string, g *models.Graph, defs []evaluation.Definition) wording {
	w := wording{model: model, g: g, whole: g.Whole(), defs: defs}
	if w.whole != nil {
		w.g = w.whole.Graph
	}
	return w
}

// within reports whether a step connects two pieces of one access. Explanations leave such steps out.
func (w wording) within(from, to int) bool {
	return w.whole != nil && from != to && w.whole.Of(from) == w.whole.Of(to)
}

func (w wording) step(from, to int, relation string) whyStep {
	return whyStep{From: w.event(from), To: w.event(to), Edge: edgeView{
		Name: relation + w.bytes(from, to, relation), Help: w.help(relation), Lights: fmt.Sprintf("%d %d", from, to),
	}}
}

// bytes returns the bytes of a step, if they are only some of those that both accesses share.
func (w wording) bytes(from, to int, relation string) string {
	if w.whole == nil {
		return ""
	}
	path := w.whole.Path([]models.BaseEdge{{From: from, To: to, Relation: relation}})
	return strings.TrimPrefix(path[0].Relation, relation)
}

// base returns the base edges of a derived edge.
func (w wording) base(e evaluation.Edge) []whyStep {
	if len(e.Path) == 1 && e.Path[0].Relation == e.Relation {
		return nil
	}
	var out []whyStep
	for _, p := range e.Path {
		if w.within(p.From, p.To) {
			continue
		}
		s := w.step(p.From, p.To, p.Relation)
		s.Edge.Help = display.Help(nil, p.Relation)
		out = append(out, s)
	}
	return out
}

func (w wording) event(id int) eventView {
	if w.whole != nil {
		id = w.whole.Of(id)
	}
	i := slices.IndexFunc(w.g.Events, func(e models.GraphEvent) bool { return e.ID == id })
	if i < 0 {
		return eventView{Name: fmt.Sprint(id)}
	}
	e := w.g.Events[i]
	v := eventView{Name: e.Name, Text: "initially " + e.Loc + "=" + e.Value, Lights: fmt.Sprint(id)}
	if e.Thread >= 0 && e.Source >= 0 {
		t := w.g.Threads[e.Thread]
		v.Text, v.Key = t.Name+": "+t.Source[e.Source], answer.CellKey(e.Thread, e.Source)
	}
	return v
}

// help returns the sentence for a relation: the comment of its definition in the explanation, else in the model, else
// the default text.
func (w wording) help(name string) string {
	for _, d := range w.defs {
		if d.Name == strings.TrimSuffix(name, "^-1") && d.Help != "" {
			return d.Help
		}
	}
	m, _ := models.Find(w.model)
	return display.Help(m, name)
}

func (w wording) def(d evaluation.Definition) modeltext.DefView {
	v := modeltext.DefView{Name: d.Name, Help: d.Help, At: fmt.Sprintf("%s:%d-%d", d.File, d.From, d.To)}
	switch base, _ := models.Split(w.model); {
	case w.page() != "":
		v.Link = modeltext.Link(base, d.File, d.From)
	case library.Has(d.File):
		v.Link = modeltext.Link(d.File, d.File, d.From)
	}
	return v
}

// page returns the model whose text /models shows; "" for own models.
func (w wording) page() string {
	if base, _ := models.Split(w.model); models.IsBuiltIn(base) {
		return strings.ToLower(base)
	}
	return ""
}

// drawn returns the edges of the drawing along a path. Inverse edges are turned around.
func drawn(path []models.BaseEdge) []models.Pair {
	var out []models.Pair
	for _, e := range path {
		if strings.HasSuffix(e.Relation, "^-1") {
			out = append(out, models.Pair{e.To, e.From})
		} else {
			out = append(out, models.Pair{e.From, e.To})
		}
	}
	return out
}
