package web

import (
	"context"
	"fmt"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/suites"
)

// gated answers a test for each token it is given.
type gated chan struct{}

func (g gated) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
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
	return &solver.Result{Path: t.Path, Model: t.Model, Status: solver.OK, Verdict: verdict, States: []solver.State{}, MS: 2}, nil
}

func (g gated) pass(n int) {
	for range n {
		g <- struct{}{}
	}
}

// running is a suite of 20 tests under two models, which go on as the gate lets them.
func running(h *house) *suites.Suite {
	var list []suite.Entry
	for n := range 20 {
		list = append(list, suite.Entry{Path: fmt.Sprintf("t%02d.litmus", n), Source: numbered(n)})
	}
	return h.submit(suites.Request{Models: builtIn("sc", "tso")}, entries(list...))
}
