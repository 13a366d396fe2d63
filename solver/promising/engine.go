package promising

import (
	"context"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/operational"
)

// Models are the models that have a promising machine.
func Models() []string { return []string{"aarch64", "riscv"} }

// Has reports whether a model has a promising machine. It goes by the model's name alone, like machine.For.
func Has(m *models.Model) bool { return slices.Contains(Models(), m.Name) }

// Answer answers a query for an engine of a name, about a model of [Models]. See [operational.Answer].
func Answer(ctx context.Context, q solver.Query, engine string) (*solver.Result, error) {
	return operational.Answer(ctx, q, engine, "memory state", Explore)
}

// Explore finds all outcomes of a program on the machine of a model. It is an [operational.Search].
func Explore(
	ctx context.Context, p *ir.Program, m *models.Model, limits operational.Limits,
) (operational.Found, error) {
	if err := Takes(m, p); err != nil {
		return operational.Found{}, err
	}
	s := newSearch(ctx, p, m)
	s.limits = limits
	return s.explore(nil)
}
