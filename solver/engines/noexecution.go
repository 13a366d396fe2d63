package engines

import (
	"context"
	"fmt"
	"slices"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/machine"
)

// maxStuckStates bounds the search for how threads come to wait for each other. It is a number of states, and no time,
// so that the answer is the same on every machine.
const maxStuckStates = 1 << 15

// explainNone says why a test has no execution: its threads wait for each other, which is a deadlock, or its filter or
// the model excludes all of its executions, which is none.
func explainNone(ctx context.Context, e *Engine, q solver.Query, r *solver.Result, start time.Time) error {
	p := q.Program
	remark := func(pos litmus.Pos, format string, args ...any) {
		r.Remarks = append(r.Remarks,
			solver.Remark{Line: pos.Line, Column: pos.Col, Message: fmt.Sprintf(format, args...)})
	}
	whole := litmus.Pos{Line: 1, Col: 1}
	if p.Barriers {
		if done, err := explainBarriers(ctx, e, q, r, start, remark); done || err != nil {
			return err
		}
	}
	if p.Scopes != nil { // no machine runs it
		r.Deadlock = false
		remark(whole, "%s allows no execution of the test", models.Label(q.Model.Name))
		return nil
	}
	waits, ends, err := machine.Deadlock(ctx, p, maxStuckStates)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case !ends && len(waits) > 0:
		for _, w := range waits {
			remark(w.Pos, "deadlock: no execution ends. %s", w.Msg)
		}
		return nil
	case !ends || err != nil: // too many states, or what the machine does not run
		r.Deadlock = false
		remark(whole, "%s allows no execution of the test; its threads may wait for each other",
			models.Label(q.Model.Name))
		return nil
	}
	r.Deadlock = false
	if p.Filter != nil {
		unfiltered := *p
		unfiltered.Filter = nil
		q.Program, q.Partial = &unfiltered, nil
		q.Options.States, q.Options.List, q.Options.Explain, q.Options.Certify = 0, 0, false, false
		if limit := q.Options.Timeout; limit > 0 {
			q.Options.Timeout = max(limit-time.Since(start), time.Nanosecond)
		}
		all, err := e.engine.Explore(ctx, q)
		if err != nil {
			return err
		}
		if all.Status != solver.OK {
			r.Status, r.Reason = all.Status, all.Reason
			return nil
		}
		if !all.Deadlock {
			remark(p.Condition.Pos, "the filter excludes every execution")
			return nil
		}
	}
	remark(whole, "%s forbids every execution of the test", models.Label(q.Model.Name))
	return nil
}

// explainBarriers asks whether the test would have an execution if nothing waited at its control barriers. If so,
// threads wait there for others that do not arrive: a deadlock.
func explainBarriers(
	ctx context.Context, e *Engine, q solver.Query, r *solver.Result, start time.Time,
	remark func(litmus.Pos, string, ...any),
) (done bool, err error) {
	open := *q.Program
	open.Barriers, open.Threads = false, slices.Clone(open.Threads)
	var first litmus.Pos
	for t := range open.Threads {
		th := &open.Threads[t]
		th.Code = slices.Clone(th.Code)
		for i, s := range th.Code {
			if f, ok := s.Op.(ir.Fence); ok && f.Barrier != nil {
				if pos := th.Source[s.Source].Pos; first.Line == 0 || !f.Barrier.Arrives && pos.Compare(first) < 0 {
					first = pos
				}
				f.Barrier = nil
				th.Code[i].Op = f
			}
		}
	}
	q.Program, q.Partial = &open, nil
	q.Options.States, q.Options.List, q.Options.Explain, q.Options.Certify = 0, 0, false, false
	if limit := q.Options.Timeout; limit > 0 {
		q.Options.Timeout = max(limit-time.Since(start), time.Nanosecond)
	}
	all, err := e.engine.Explore(ctx, q)
	if err != nil {
		return false, err
	}
	if all.Status != solver.OK {
		r.Status, r.Reason = all.Status, all.Reason
		return true, nil
	}
	if !all.Deadlock {
		remark(first, "deadlock: no execution ends. A thread waits at this control barrier, or at a later one, for "+
			"threads that never arrive")
		return true, nil
	}
	return false, nil
}
