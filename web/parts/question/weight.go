package question

import (
	"context"
	"slices"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/server"
)

// Room takes room for answers; it is a *solver.Busy where there is none.
func Room[A solver.Answer](ctx context.Context, answers []A) error {
	size := int64(0)
	for _, a := range answers {
		size += weight(a)
	}
	return server.TakeRoom(ctx, size)
}

// weight is about what an answer takes in memory, with the text that is made of it, in bytes.
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

// About what parts of an answer take, in bytes.
const bindingWeight, eventWeight, pairWeight, stepWeight = 100, 400, 60, 300

// evidenceWeight is that of an execution and a trace.
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
