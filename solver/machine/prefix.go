package machine

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// ReplayPrefix is Replay of a run that may stop anywhere, of a program without loops. What
// is pending then reaches memory in the execution, behind the trace. A thread may also take a step
// after which an assumption does not hold, and stay there. Nothing comes after an assertion fails.
func ReplayPrefix(p *ir.Program, k Kind, steps []Step) (*Run, error) {
	l := newLayout(p, false)
	l.stuck = true
	r := l.replayer(p, k)
	if err := r.before.begin(); err != nil {
		return nil, err
	}
	var failed *solver.Failure
	for i, st := range steps {
		if failed = r.failed(); failed != nil {
			break
		}
		if err := r.take(st); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	if failed == nil {
		failed = r.failed()
	}
	taken := len(r.trace)
	for t := range r.before.threads {
		for b := &r.before.threads[t].buffer; !b.empty(); b = &r.before.threads[t].buffer {
			if err := r.flush(t); err != nil {
				return nil, err
			}
		}
	}
	x, err := r.execution()
	if err != nil {
		return nil, err
	}
	return &Run{Trace: r.trace[:taken], Execution: x, Final: r.before.final(p), Failed: failed}, nil
}

// failed is the assertion that some thread has come to and that does not hold.
func (r *replayer) failed() *solver.Failure {
	for t := range r.before.threads {
		if a, err := r.before.threads[t].Next(); err == nil && a.Kind == ir.ActFailed {
			op := r.program.Threads[t].Code[a.Step].Op.(ir.Assert)
			return solver.FailureAt(r.program, t, a.Step, op.Property, op.Text)
		}
	}
	return nil
}

// flush brings the oldest store that a thread has pending to memory.
func (r *replayer) flush(t int) error {
	if err := r.before.actions(r.acts); err != nil {
		return err
	}
	r.after.set(r.before)
	st := step{t, 0}
	if err := r.after.take(r.kind, st, r.acts[t]); err != nil {
		return err
	}
	r.note(st, r.acts[t])
	r.trace = append(r.trace, r.describe(st, r.acts[t]))
	r.before, r.after = r.after, r.before
	return nil
}
