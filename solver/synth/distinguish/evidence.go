package distinguish

import (
	"context"
	"slices"

	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
)

// Evidence says why a side forbids the outcome of a test, with the cycle, or returns an execution with that outcome; in
// lines. An engine that has neither says its verdict.
func Evidence(ctx context.Context, r solver.Runner, t Test, side solver.Task) ([]string, error) {
	side.Path, side.Source = t.Name, t.Source
	side.Options.States = 0
	if side.Engine == "" || slices.Contains(engines.Heeding("explain"), side.Engine) &&
		slices.Contains(engines.Heeding("list"), side.Engine) {
		side.Options.Explain, side.Options.List = true, 1
	}
	result, err := batch.Ask(ctx, r, side)
	switch {
	case err != nil:
		return nil, err
	case result.Explanation != nil:
		return result.Explanation.Lines(), nil
	case len(result.Executions) > 0:
		return result.ExecutionLines(), nil
	}
	return []string{string(result.Verdict)}, nil
}
