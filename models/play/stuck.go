package play

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// Stuck says how far the run of a machine goes towards an execution that no run has. happened are the events that it
// has performed. The sentences name the next access of each thread that is left.
func Stuck(g *models.Graph, happened []int) string {
	done, all := 0, 0
	var next []string
	for t, events := range g.OfThreads() {
		first := ""
		for _, e := range events {
			ev := &g.Events[e]
			if ev.Tags.Has(ir.TagPick) {
				continue
			}
			all++
			switch {
			case slices.Contains(happened, e):
				done++
			case first == "" && ev.Kind != "F":
				first = fmt.Sprintf("%s %s %s=%s", g.Threads[t].Name,
					map[string]string{"R": "reads", "W": "writes"}[ev.Kind], ev.Loc, ev.Value)
			}
		}
		if first != "" {
			next = append(next, first)
		}
	}
	text := fmt.Sprintf("No run performs this execution. This run performs %d of its %d events, and none goes on from "+
		"here to ", done, all)
	if len(next) == 0 {
		return text + "its coherence order."
	}
	return text + "the rest: " + strings.Join(next, ", ") + "."
}
