package axiomatic

import (
	"context"
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/outcomes"
	"litmuscope/solver/sat"
)

// Found is the result of [Find].
type Found struct {
	// Result says whether the condition's proposition can hold, but not whether it can fail.
	Result *solver.Result
	// Execution is one that satisfies the proposition, or else one with undefined behaviour; nil if there is neither.
	Execution *models.Execution
}

// Find looks only for an execution that satisfies the condition's proposition, or whose behaviour is undefined.
func Find(ctx context.Context, q solver.Query) (*Found, error) {
	q.Options.States, q.Options.Witnesses, q.Options.Explain, q.Options.List = 0, false, false, 0
	x := &exploration{Search: outcomes.New(q, Engine{}.Name()), checker: evaluation.NewChecker(q.Model)}
	x.SomeNot = solver.Yes // do not ask whether it can fail
	x.Unbind = fmt.Sprintf("the unroll bound of %d was reached: raise --unroll", q.Options.Unroll)
	var found *models.Execution
	x.Record = func(m *sat.Assignment) error {
		exec, _, err := x.e.Decode(m)
		if err != nil {
			return err
		}
		if err := x.record(m); err != nil {
			return err
		}
		if x.Program.Satisfies(x.Program.Condition.Prop, exec.Final()) {
			found = exec
		}
		return nil
	}
	r, err := x.Run(ctx, func() error {
		if _, err := x.encode(); err != nil {
			return err
		}
		if !x.Options.Certify {
			x.Sorted = x.e.Sorted()
		}
		return x.decide()
	})
	if err != nil {
		return nil, err
	}
	if found == nil && r.Undefined() == solver.Yes {
		found = x.raising
	}
	return &Found{r, found}, nil
}

// Unrolled returns a program that has all executions which this package finds of p under a model; loops reports
// whether p has loops.
func Unrolled(p *ir.Program, m *models.Model, rounds int) (unrolled *ir.Program, loops bool) {
	return ir.Unroll(p, rounds, m.Waits())
}

// ExplainViolations says which axioms of a model an execution breaks, the best explanation first; nil if the model
// allows it.
func ExplainViolations(m *models.Model, e *models.Execution) *solver.Explanation {
	broken := evaluation.NewChecker(m).Derive(e)
	if len(broken) == 0 {
		return nil
	}
	slices.SortStableFunc(broken, shorter)
	return (&nearMiss{e, broken}).explanation(m)
}
