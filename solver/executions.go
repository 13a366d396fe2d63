package solver

import (
	"fmt"
	"strings"

	"litmuscope/models"
)

// ExecutionLines are the executions that are listed, in words: how many, and a line for
// each; nothing where none were to be.
func (r *Result) ExecutionLines() []string {
	if r.ExecutionsComplete == nil {
		return nil
	}
	head := Count(len(r.Executions), "execution") + " with the outcome"
	if !*r.ExecutionsComplete {
		head += ", and there may be more"
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
	names := map[int]string{}
	var events []string
	for _, e := range o.Graph.Events {
		names[e.ID] = e.Name
		if e.Thread >= 0 && e.Kind != "F" {
			events = append(events, fmt.Sprintf("%s: %s %s %s=%s", e.Name, o.Graph.Threads[e.Thread].Name, e.Kind, e.Loc, e.Value))
		}
	}
	parts = append(parts, strings.Join(events, ", "))
	for _, relation := range o.Graph.Relations {
		if relation.Name == "rf" || relation.Name == "co" {
			parts = append(parts, relation.Name+" "+edges(relation.Edges, names))
		}
	}
	return strings.Join(parts, " | ")
}

func edges(pairs []models.Pair, names map[int]string) string {
	out := make([]string, len(pairs))
	for i, p := range pairs {
		out[i] = names[p[0]] + "->" + names[p[1]]
	}
	return strings.Join(out, " ")
}
