package machine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/promising"
	"litmuscope/solver/propagation"
	"litmuscope/solver/views"
)

// Engine answers queries by running the machines of models: for sc, tso and pso those of this package, for tests under
// Armv8-A and RISC-V those of package promising, under Power and Armv7 those of package propagation, and under RC11
// that of package views. The zero value is ready. It uses the options Timeout, States, Memory (half of it, for the
// visited states) and Witnesses, and the machines of other packages also Unroll.
type Engine struct{}

var _ solver.Engine = Engine{}

// Name implements solver.Engine.
func (Engine) Name() string { return "machine" }

// Version implements solver.Engine.
func (Engine) Version() int { return 14 }

// Models implements solver.Engine.
func (Engine) Models() []string {
	return slices.Concat(models.Machines(), promising.Models(), propagation.Models(), views.Models())
}

// Verifies lists the models under which the engine checks programs.
func (Engine) Verifies() []string { return models.Machines() }

// Explore implements solver.Engine. The program is the one before unwinding: it explores loops as they are. It fails on
// any model without a machine.
func (e Engine) Explore(ctx context.Context, q solver.Query) (*solver.Result, error) {
	start := time.Now()
	if promising.Has(q.Model) {
		return promising.Answer(ctx, q, e.Name())
	}
	if propagation.Has(q.Model) {
		return propagation.Answer(ctx, q, e.Name())
	}
	if views.Has(q.Model) {
		return views.Answer(ctx, q, e.Name())
	}
	kind, err := For(q.Model)
	if err != nil {
		return nil, err
	}
	ctx, cancel := q.Options.Within(ctx)
	defer cancel()
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
		r.Status, r.Reason, r.Cut, r.Complete = solver.Unknown, s.stopped, s.limit, false
	}
	r.Decide(q.Program.Condition.Quantifier, s.some(true), s.some(false))
	if err := s.list(r, q); err != nil {
		return nil, err
	}
	r.Stats = &solver.Stats{Explored: s.table.len(), Solve: milliseconds(solved)}
	r.MS = milliseconds(time.Since(start))
	return r, nil
}

// some reports whether an outcome satisfies the condition's proposition, or whether
// one violates it.
func (s *search) some(satisfies bool) solver.Truth {
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
func (s *search) list(r *solver.Result, q solver.Query) error {
	o := q.Options
	checker := evaluation.NewChecker(q.Model)
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
			run, err := s.witness(n, checker)
			if err != nil {
				return err
			}
			found[i].Trace, found[i].Graph = run.Trace, display.Graph(run.Execution, q.Model)
		}
	}
	r.SetOutcomes(s.program, found, o.Witnesses)
	return nil
}

// witness replays a run to outcome number n, and has its execution judged.
func (s *search) witness(n int, checker *evaluation.Checker) (*Run, error) {
	run, err := Replay(s.program, s.kind, lazy(s.program, s.kind, s.schedule(s.finals[n])))
	if err != nil {
		return nil, fmt.Errorf("BUG: a run does not replay: %w", err)
	}
	if want, final := s.found[n], run.Execution.Final(); !slices.Equal(run.Final, want) || !slices.Equal(final, want) {
		return nil, fmt.Errorf("BUG: a run to %v ends in %v, its execution in %v", want, run.Final, final)
	}
	if err := run.Execution.WellFormed(); err != nil {
		return nil, fmt.Errorf("BUG: ill-formed run: %w", err)
	}
	if bad := checker.Check(run.Execution); len(bad) > 0 {
		return nil, fmt.Errorf("BUG: the machine reaches an execution that %s forbids: %v", s.kind, bad[0])
	}
	return run, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
