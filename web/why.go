package web

import (
	"context"
	"fmt"
	"strings"

	"litmuscope/models"
	"litmuscope/solver"
)

// whyView says why an outcome is forbidden: a sentence, whose words are tied to the
// drawing of the nearest miss.
type whyView struct {
	Lead  string // up to the cycle; all there is without one
	Words []whyWord
	Names string // the cycle in the model's own words; "" when they are the same
	Also  string
}

// whyWord is an event or a relation of the cycle.
type whyWord struct {
	Text, Title string
	Event       bool
	Lights      string // the IDs of the events it is about
}

// viewWhy arranges an explanation as an execution with a sentence above it.
func (s *server) viewWhy(ctx context.Context, a *answers, state solver.State) executionView {
	r := a.results[0]
	model := modelLabel(r.Model)
	outcome := a.test.Prop
	if state != nil {
		outcome = stateText(state)
	}
	v := executionView{Title: "Not under " + model + ": " + outcome}
	v.FileName = strings.Map(fileRune, r.Name+"-not-"+r.Model)
	e := r.Explanation
	switch {
	case r.Status == solver.Failed:
		v.Why = &whyView{Lead: r.Error}
	case e != nil && e.Axiom != "":
		v.Why = sentence(e, model)
		v.cycle = drawn(e.BasePath())
		s.show(ctx, &v, e.Graph, false)
	case e != nil:
		v.Why = &whyView{Lead: model + " forbids this: " + e.Reason + "."}
	case r.Verdict == solver.Forbidden:
		v.Why = &whyView{Lead: model + " forbids this, but only by a search of all states, which gives no reasons."}
	case r.Verdict == solver.Allowed:
		v.Why = &whyView{Lead: model + " allows this."}
	default:
		v.Why = &whyView{Lead: "Why is not known: " + r.Reason + "."}
	}
	return v
}

func sentence(e *solver.Explanation, model string) *whyView {
	axiom := e.Axiom
	if e.Kind != "" {
		axiom += " (" + e.Kind + ")"
	}
	v := &whyView{Lead: model + " forbids this: " + axiom}
	if len(e.Also) > 0 {
		v.Also = "This nearest miss breaks " + strings.Join(e.Also, ", ") + " too."
	}
	if len(e.Cycle) == 0 {
		v.Lead += " does not hold of the nearest miss."
		return v
	}
	path := e.BasePath()
	closed := path[0].From == path[len(path)-1].To
	v.Lead += " forbids the way"
	if closed {
		v.Lead = strings.TrimSuffix(v.Lead, " forbids the way") + " has the cycle"
	}
	v.Words = append(v.Words, eventWord(e, path[0].From))
	names, same := make([]string, 0, len(e.Cycle)), true
	for _, c := range e.Cycle {
		names = append(names, c.Relation)
		same = same && len(c.Path) == 1 && c.Path[0].Relation == c.Relation
		for _, p := range c.Path {
			v.Words = append(v.Words, whyWord{
				Text: p.Relation, Title: c.Relation, Lights: fmt.Sprintf("%d %d", p.From, p.To),
			}, eventWord(e, p.To))
		}
	}
	if !same {
		v.Names = strings.Join(names, " ; ")
	}
	return v
}

func eventWord(e *solver.Explanation, id int) whyWord {
	w := whyWord{Text: e.Name(id), Event: true, Lights: fmt.Sprint(id)}
	for _, v := range e.Graph.Events {
		if v.ID == id && v.Thread >= 0 && v.Source >= 0 {
			t := e.Graph.Threads[v.Thread]
			w.Title = t.Name + ": " + t.Source[v.Source]
		}
	}
	return w
}

// drawn are the edges of a drawing that a path runs along, some of them backwards.
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
