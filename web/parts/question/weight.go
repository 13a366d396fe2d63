package question

import (
	"context"
	"slices"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/server"
)

// Room reserves memory for answers. It returns a *solver.Busy if there is not enough.
func Room[A solver.Answer](ctx context.Context, answers []A) error {
	size := int64(0)
	for _, a := range answers {
		size += weight(a)
	}
	return server.TakeRoom(ctx, size)
}

// weight estimates the memory of an answer with the page that shows it, in bytes.
func weight(a solver.Answer) int64 {
	n := int64(0)
	if v, program := a.(*solver.Verification); program {
		if f := v.Failure; f != nil {
			n = evidenceWeight(f.Graph, f.Trace)
		}
		return n
	}
	r := a.(*solver.Result)
	state := func(s solver.State) { n += int64(len(s)) * bindingWeight }
	for _, s := range r.States {
		state(s)
	}
	for _, o := range slices.Concat(r.Outcomes, r.Executions) {
		state(o.State)
		n += evidenceWeight(o.Graph, o.Trace)
	}
	return n
}

// Estimates for parts of an answer, in bytes.
const bindingWeight, eventWeight, pairWeight, stepWeight = 100, 400, 60, 300

// evidenceWeight estimates the memory of an execution and a trace, in bytes.
func evidenceWeight(g *models.Graph, trace []solver.TraceStep) int64 {
	n := int64(len(trace)) * stepWeight
	for _, t := range trace {
		n += int64(len(t.Memory)) * bindingWeight
	}
	if g == nil {
		return n
	}
	n += int64(len(g.Events)) * eventWeight
	for _, e := range g.Relations {
		n += int64(len(e.Edges)+len(e.Cyclic)) * pairWeight
	}
	return n
}
