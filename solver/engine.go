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
	// Partial, when set, is told of what is known so far, so that it survives a
	// solver call that has to be killed. It is called on the engine's goroutine.
	Partial func(*Result)
	// Part, unless nil, is the part of a program's executions that is asked about.
	Part *Part
	// Progress, when set, is told in words how far verification is, and what is known by then.
	Progress func(string)
	// OnPartialVerdict, when set, is told with those words an answer that nothing changes any more, and what is Open of
	// it.
	OnPartialVerdict func(string, *Verification)
}

// Engine decides which outcomes of a program a model allows.
type Engine interface {
	// Name is the engine's name on the command line and in results.
	Name() string
	// Version changes whenever the engine's answers or their form may; cached
	// results of another version are never used.
	Version() int
	// Models names the built-in models that it answers for; none means every model.
	Models() []string
	// Explore answers a query. What cannot be decided in time, or within the
	// bounds, is a Result that says unknown and why, with the outcomes found so
	// far; an error is for a query that is wrong, or a bug. A cancelled context
	// gives an unknown Result too.
	Explore(ctx context.Context, q Query) (*Result, error)
}
