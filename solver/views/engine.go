package views

import (
	"context"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/operational"
)

// Models are the models that have a view machine.
func Models() []string { return []string{"rc11"} }

// Has reports whether a model has a view machine. It goes by the model's name alone, like machine.For.
func Has(m *models.Model) bool { return slices.Contains(Models(), m.Name) }

// Answer answers a query for an engine of a name, about a model of [Models]. See [operational.Answer].
func Answer(ctx context.Context, q solver.Query, engine string) (*solver.Result, error) {
	return operational.Answer(ctx, q, engine, "state", Explore)
}

// Explore finds all outcomes of a program. It is an [operational.Search].
func Explore(
	ctx context.Context, p *ir.Program, m *models.Model, limits operational.Limits,
) (operational.Found, error) {
	return explore(ctx, p, m, limits, sequentiallyConsistent(p) > 1, true)
}
