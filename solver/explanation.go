package solver

import (
	"fmt"
	"strings"

	"litmuscope/models"
	"litmuscope/models/evaluation"
)

// Explanation says why an outcome is forbidden, by its best near miss: an execution that has the outcome, in which
// every read takes the value of a write and every location has a coherence order, and that breaks only necessary
// axioms.
type Explanation struct {
	// Axiom is the broken axiom's name, "" when there is no near miss; Kind is
	// acyclic, irreflexive or empty, with ~ in front where the model denies it.
	Axiom string `json:"axiom,omitempty"`
	Kind  string `json:"kind,omitempty"`
	// Sentence says in plain words what the axiom asks for, in the words of its comment in
	// the model if it has one, and how the near miss fails it.
	Sentence string `json:"sentence,omitempty"`
	// Source is the axiom in the model's text.
	Source *evaluation.Definition `json:"source,omitempty"`
	// Definitions are the model's definitions that Cycle uses; the Uses of its edges are indices into them.
	Definitions []evaluation.Definition `json:"definitions,omitempty"`
	// Also names the other axioms that the near miss breaks.
	Also []string `json:"also,omitempty"`
	// Cycle is what the axiom forbids: a cycle, or for some empty axioms the way from
	// one event to another. It is empty where the axiom asks for something to be there.
	Cycle []evaluation.Edge `json:"cycle,omitempty"`
	State State             `json:"state,omitempty"` // the near miss's outcome
	// Graph is the near miss. It has every base edge of Cycle, marked as cyclic.
	Graph *models.Graph `json:"graph,omitempty"`
	// Reason says why there is no near miss.
	Reason string `json:"reason,omitempty"`
}

// BasePath is the cycle in base edges.
func (e *Explanation) BasePath() []models.BaseEdge {
	var out []models.BaseEdge
	for _, c := range e.Cycle {
		out = append(out, c.Path...)
	}
	return out
}

// Name is what the graph calls an event.
func (e *Explanation) Name(event int) string { return nameIn(e.Graph, event) }

func nameIn(g *models.Graph, event int) string {
	for _, v := range g.Events {
		if v.ID == event {
			return v.Name
		}
	}
	return fmt.Sprint(event)
}

// accessCycle returns the cycle in base edges between whole accesses. An edge about some bytes only names these
// bytes.
func (e *Explanation) accessCycle() (*models.Graph, []models.BaseEdge) {
	whole := e.Graph.Whole()
	if whole == nil {
		return e.Graph, e.BasePath()
	}
	return whole.Graph, whole.Path(e.BasePath())
}

// Chain is the cycle in base edges, on one line: "a -po-> b -rf-> c -po-> d -fr-> a".
func (e *Explanation) Chain() string {
	g, path := e.accessCycle()
	var b strings.Builder
	for i, p := range path {
		if i == 0 {
			b.WriteString(nameIn(g, p.From))
		}
		fmt.Fprintf(&b, " -%s-> %s", p.Relation, nameIn(g, p.To))
	}
	return b.String()
}

// Legend describes the events of the cycle, in their order: "a: P0 W x=1, …".
func (e *Explanation) Legend() string {
	g, path := e.accessCycle()
	on := map[int]bool{}
	for _, p := range path {
		on[p.From], on[p.To] = true, true
	}
	var parts []string
	for _, v := range g.Events {
		if !on[v.ID] {
			continue
		}
		text := v.Name + ": "
		if v.Thread >= 0 {
			text += g.Threads[v.Thread].Name + " "
		}
		if v.Kind == "F" {
			for _, t := range v.Tags[:min(1, len(v.Tags))] {
				text += strings.ToLower(string(t))
			}
		} else {
			text += v.Letter() + " " + v.Loc + "=" + v.Shown()
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// Lines is the explanation in words: a sentence or two, a line each.
func (e *Explanation) Lines() []string {
	if e.Axiom == "" {
		return []string{e.Reason}
	}
	first := "forbidden by " + e.Axiom
	if len(e.Also) > 0 {
		first += " (and " + strings.Join(e.Also, ", ") + ")"
	}
	if len(e.Cycle) == 0 {
		return []string{first + ", which does not hold"}
	}
	return []string{first + ": " + e.Chain(), e.Legend()}
}
