package solver

import (
	"context"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// Query is one question to an engine.
type Query struct {
	Program *ir.Program
	Model   *models.Model
	Options Options
	// Partial, if set, receives the partial result, so that it survives the kill of a solver call. The engine calls it
	// on its own goroutine.
	Partial func(*Result)
	// Part, unless nil, restricts the query to a part of a program's executions.
	Part *Part
	// Progress, if set, receives in words what the engine is doing and its results so far.
	Progress func(string)
	// OnPartialVerdict, if set, receives these words with an answer whose verdict is final; its Open says what is still
	// undecided.
	OnPartialVerdict func(string, *Verification)
}

// Engine decides which outcomes of a program a model allows.
type Engine interface {
	// Name is the engine's name on the command line and in results.
	Name() string
	// Version changes whenever the engine's answers or their form may change. Callers never use cached results of
	// another version.
	Version() int
	// Models names the built-in models that the engine supports; none means every model.
	Models() []string
	// Explore answers a query. If it cannot decide in time or within the bounds, the Result is unknown, with the reason
	// and the outcomes so far; the same is true if somebody cancels the context. An error means that the query is wrong
	// or the engine has a bug.
	Explore(ctx context.Context, q Query) (*Result, error)
}
