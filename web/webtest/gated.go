package webtest

import (
	"context"
	"fmt"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/suites"
)

// Gated answers a test for each token it is given.
type Gated chan struct{}

// Run implements [solver.Runner]: SC forbids every test, other models allow it.
func (g Gated) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	t := q.(solver.Task)
	select {
	case <-g:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	verdict := solver.Allowed
	if t.Model == "sc" {
		verdict = solver.Forbidden
	}
	return &solver.Result{
		Path: t.Path, Model: t.Model, Status: solver.OK, Verdict: verdict,
		States: []solver.State{}, MS: 2,
	}, nil
}

// Pass lets n answers through.
func (g Gated) Pass(n int) {
	for range n {
		g <- struct{}{}
	}
}

// Running is a suite of 20 tests under two models, which go on as the gate lets them.
func Running(h *House) *suites.Suite {
	var list []suite.Entry
	for n := range 20 {
		list = append(list, suite.Entry{Path: fmt.Sprintf("t%02d.litmus", n), Source: Numbered(n)})
	}
	return h.Submit(suites.Request{Models: BuiltIn("sc", "tso")}, Entries(list...))
}
