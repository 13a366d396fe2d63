// Package question is a visitor's question about a test, as a form, a link or the REST interface has it, and its answers: a
// result for each of its columns. It bounds what is asked, refuses in words what cannot be, and knows what pages are at
// which address, to lead there. How answers look on a page is [litmuscope/web/parts/answer]'s.
package question

import (
	"litmuscope/solver"
	"litmuscope/solver/pool"
	"litmuscope/web/server"
)

// Service answers questions.
type Service struct {
	Server  *server.Server
	Runner  solver.Runner
	Sandbox pool.Doer // does [litmuscope/web/parts/childwork.Work], or has it done

	recent recent
	read   inspected
}

// New makes a Service.
func New(s *server.Server, runner solver.Runner, sandbox pool.Doer) *Service {
	return &Service{Server: s, Runner: runner, Sandbox: sandbox}
}
