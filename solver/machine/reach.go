package machine

import (
	"context"
	"slices"

	"litmuscope/solver"
)

// Reachable are the outcomes that a run can still come to.
type Reachable struct {
	Outcomes []Reached `json:"outcomes"`
	// Complete: there are no others. Otherwise Why says what cut the search short.
	Complete bool   `json:"complete"`
	Why      string `json:"why,omitempty"`
}

// Reached is one of them.
type Reached struct {
	State     solver.State `json:"state"`
	Satisfies bool         `json:"satisfies"` // the test's proposition holds in it
}

// ReachLimits bound a search for outcomes; its time is the context's.
type ReachLimits struct{ States, Bytes, Outcomes int }

// Reach explores what can come after the walk's last step.
func (w *Walk) Reach(ctx context.Context, most ReachLimits) (*Reachable, error) {
	s := newSearch(w.program, w.kind, most.States)
	s.bytes, s.start = most.Bytes, w.end
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	out := &Reachable{Outcomes: []Reached{}, Complete: s.stopped == "", Why: s.stopped}
	p := w.program
	slices.SortFunc(s.found, p.CompareStates)
	for _, f := range s.found {
		if len(out.Outcomes) == most.Outcomes {
			out.Complete, out.Why = false, "more than "+solver.Count(most.Outcomes, "outcome")
			break
		}
		out.Outcomes = append(out.Outcomes, Reached{solver.PrintState(p, f), p.Satisfies(p.Condition.Prop, f)})
	}
	return out, nil
}
