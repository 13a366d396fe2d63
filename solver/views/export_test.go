package views

import (
	"context"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver/operational"
)

// ExploreApart is Explore without merging: all runs continue to their ends.
func ExploreApart(ctx context.Context, p *ir.Program, m *models.Model) (operational.Found, error) {
	return explore(ctx, p, m, operational.Limits{}, sequentiallyConsistent(p) > 1, false)
}
