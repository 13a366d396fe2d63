// Package question represents a visitor's question about a test, from a form, a link or the REST interface, and its
// answers: one result for each column. A column is text: tso, tso~uniproc without that axiom, tso@machine by another
// engine, own for the visitor's model. The package limits what visitors can ask, rejects the rest in words, and knows
// the addresses of the pages that a question leads to. web/parts/answer shows the answers.
//
// It imports solver, web/server and the parts childwork and optionform: no page and no engine.
package question

import (
	"context"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
	"litmuscope/web/server"
)

// Service answers questions.
type Service struct {
	Server  *server.Server
	Runner  solver.Runner
	Sandbox pool.Doer // does [litmuscope/web/parts/childwork.Work], or has it done
	// Compilers runs the compilers that the server offers; nil: there are none.
	Compilers Compilers

	// Observed is what machines have shown of the test with a litmus.ProgramHash; nil: there is no database.
	Observed func(ctx context.Context, program []byte) ([]solver.MachineRuns, error)

	recent recent
	read   inspected
}

// New returns a Service.
func New(s *server.Server, runner solver.Runner, sandbox pool.Doer) *Service {
	return &Service{Server: s, Runner: runner, Sandbox: sandbox}
}

// machines is what machines have shown of a test. If the database fails, the answer does without, and the log says so.
func (s *Service) machines(ctx context.Context, test *engines.Inspection) []solver.MachineRuns {
	if s.Observed == nil || len(test.Program) == 0 {
		return nil
	}
	runs, err := s.Observed(ctx, test.Program)
	if err != nil && ctx.Err() == nil {
		s.Server.Log.ErrorContext(ctx, "observations", "error", err)
	}
	return runs
}
