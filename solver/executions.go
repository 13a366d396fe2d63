package solver

import (
	"fmt"
	"strings"

	"litmuscope/models"
)

// ExecutionLines are the listed executions, in words: how many, and a line for each; nothing where none were to be.
func (r *Result) ExecutionLines() []string {
	if r.ExecutionsComplete == nil {
		return nil
	}
	head := Count(len(r.Executions), "execution") + " with the outcome"
	if !*r.ExecutionsComplete {
		head += " (there may be more)"
	}
	lines := []string{head}
	for i, o := range r.Executions {
		lines = append(lines, fmt.Sprintf("%d: %s", i+1, o.line()))
	}
	return lines
}

// line is an execution on one line: its state, its events, and rf and co.
func (o *Outcome) line() string {
	var state []string
	for _, b := range o.State {
		state = append(state, b.Name+"="+b.Value)
	}
	parts := []string{strings.Join(state, "; ")}
	var events []string
	for _, e := range o.Graph.Events {
		if e.Thread >= 0 && e.Kind != "F" {
			events = append(events,
				fmt.Sprintf("%s: %s %s %s=%s", e.Name, o.Graph.Threads[e.Thread].Name, e.Kind, e.Loc, e.Value))
		}
	}
	parts = append(parts, strings.Join(events, ", "))
	for _, relation := range []string{"rf", "co"} {
		if pairs := o.Graph.Pairs(relation); len(pairs) > 0 {
			parts = append(parts, relation+" "+edges(o.Graph, pairs))
		}
	}
	return strings.Join(parts, " | ")
}

func edges(g *models.Graph, pairs []models.Pair) string {
	out := make([]string, len(pairs))
	for i, p := range pairs {
		out[i] = g.Events[p[0]].Name + "->" + g.Events[p[1]].Name
	}
	return strings.Join(out, " ")
}
