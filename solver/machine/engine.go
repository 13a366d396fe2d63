package machine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"litmuscope/solver"
)

// Engine answers queries about the models sc, tso and pso by running their
// machines. The zero value is ready. It uses the options Timeout, States, Memory
// (half of it, for the visited states) and Witnesses.
type Engine struct{}

var _ solver.Engine = Engine{}

// Name implements solver.Engine.
func (Engine) Name() string { return "machine" }

// Version implements solver.Engine.
func (Engine) Version() int { return 1 }

// Explore implements solver.Engine. The program is the one before unwinding:
// loops are explored as they are. It fails on any model but sc, tso and pso.
func (e Engine) Explore(ctx context.Context, q solver.Query) (*solver.Result, error) {
	start := time.Now()
	kind, ok := For(q.Model)
	if !ok {
		return nil, fmt.Errorf("the machine runs sc, tso and pso, not %s", q.Model.Name)
	}
	if q.Options.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, q.Options.Timeout)
		defer cancel()
	}
	s := newSearch(q.Program, kind, 0)
	if q.Options.Memory > 0 {
		s.bytes = q.Options.Memory << 20 / 2
	}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	solved := time.Since(start)

	r := solver.NewResult(q, e.Name())
	if s.stopped != "" {
		r.Status, r.Reason, r.Complete = solver.Unknown, s.stopped, false
	}
	r.Decide(q.Program.Condition.Quantifier, s.some(true), s.some(false))
	s.list(r, q.Options)
	r.Stats = &solver.Stats{Explored: s.table.len(), Solve: milliseconds(solved)}
	r.MS = milliseconds(time.Since(start))
	return r, nil
}

// some tells whether an outcome satisfies the condition's proposition, or whether
// one violates it.
func (s *search) some(satisfies bool) solver.Answer {
	for _, f := range s.found {
		if s.program.Satisfies(s.program.Condition.Prop, f) == satisfies {
			return solver.Yes
		}
	}
	if s.stopped != "" {
		return solver.Open
	}
	return solver.No
}

// list puts the first outcomes, in the order they print, into the result.
func (s *search) list(r *solver.Result, o solver.Options) {
	order := make([]int, len(s.found))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return s.program.CompareStates(s.found[i], s.found[j]) })
	if len(order) > o.States {
		order = order[:o.States]
		complete := false
		r.StatesComplete = &complete
	}
	found := make([]solver.Found, len(order))
	for i, n := range order {
		found[i].State = s.found[n]
		if o.Witnesses {
			found[i].Trace = s.trace(s.finals[n])
		}
	}
	r.SetOutcomes(s.program, found, o.Witnesses)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
