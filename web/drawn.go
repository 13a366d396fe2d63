package web

import (
	"encoding/json"
	"slices"
	"strings"

	"litmuscope/models"
)

// Bounds on what comes back from a page to be drawn, beyond what an engine's outcome has
// for as long as it can be shown at all.
const (
	maxOutcome   = 2 << 20 // bytes
	maxNodes     = 200_000 // objects and lists in it
	maxSteps     = 2000
	maxThreads   = 1000
	maxBindings  = 1000 // of a state, or of the memory after a step
	maxRelations = 100
)

// readOutcome reads what a page sends back, which may be anything, and refuses what no
// engine can have made.
func readOutcome(text string) (drawnOutcome, error) {
	var o drawnOutcome
	// Small texts may stand for much: an empty list takes two bytes, and a step without
	// anything in it a hundred times that.
	if len(text) > maxOutcome || strings.Count(text, "{")+strings.Count(text, "[") > maxNodes {
		return o, refuse("It is too large.")
	}
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return o, refuse("It cannot be read.")
	}
	switch {
	case len(o.Outcome.Trace) > maxSteps:
		return o, refuse("The trace has more than %d steps.", maxSteps)
	case len(o.Threads) > maxThreads:
		return o, refuse("It has more than %d threads.", maxThreads)
	case len(o.Outcome.State) > maxBindings:
		return o, refuse("The state has more than %d values.", maxBindings)
	}
	for _, s := range o.Outcome.Trace {
		if len(s.Buffers) > maxThreads || len(s.Memory) > maxBindings || len(s.Lists) > maxBindings {
			return o, refuse("A step of the trace is too large.")
		}
	}
	if g := o.Outcome.Graph; g != nil && !wellFormed(g) {
		return o, refuse("The execution graph is not well formed.")
	}
	return o, nil
}

// wellFormed tells whether an engine can have made the graph.
func wellFormed(g *models.Graph) bool {
	if len(g.Threads) > maxThreads || len(g.Relations) > maxRelations {
		return false
	}
	ids := map[int]bool{}
	for _, e := range g.Events {
		if ids[e.ID] || e.Thread < models.InitThread || e.Thread >= len(g.Threads) || !slices.Contains([]string{"R", "W", "F"}, e.Kind) {
			return false
		}
		if e.Thread >= 0 && (e.Source < -1 || e.Source >= len(g.Threads[e.Thread].Source)) {
			return false
		}
		ids[e.ID] = true
	}
	for _, r := range g.Relations {
		for _, pairs := range [][]models.Pair{r.Edges, r.Cyclic} {
			for _, p := range pairs {
				if !ids[p[0]] || !ids[p[1]] {
					return false
				}
			}
		}
	}
	return true
}
