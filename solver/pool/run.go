package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// running is the kind of work that every pool knows: a solver.Task, answered by a
// solver.Result in parts.
const running = "run"

// grace is how long a task may overrun its own time limit, which engines look at too and
// say more about, before its child is killed.
const grace = 300 * time.Millisecond

// states are some of a Result's.
type states struct {
	States   []solver.State   `json:"states"`
	Outcomes []solver.Outcome `json:"outcomes,omitempty"`
}

// Run implements [solver.Runner]. It gives a [*solver.Died] for a task whose child
// crashed, or was killed twice.
func (p *Pool) Run(ctx context.Context, t solver.Task) (*solver.Result, error) {
	body, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Path, err)
	}
	limit := t.Options.Timeout
	if limit > 0 {
		limit += grace
	}
	var (
		known []byte // the last partial result
		parts states
		bad   error
	)
	began := time.Now()
	end, err := p.call(ctx, header{Kind: running, Memory: t.Options.Memory}, body, limit, func(f frame) {
		switch f.kind {
		case 0: // anew
			known, parts = nil, states{}
		case framePartial:
			known = f.body
		case frameStates:
			var more states
			if err := json.Unmarshal(f.body, &more); err != nil {
				bad = err
			}
			parts.States, parts.Outcomes = append(parts.States, more.States...), append(parts.Outcomes, more.Outcomes...)
		}
	})
	var limited *solver.Limited
	switch {
	case errors.As(err, &limited):
		reason := limited.Reason
		if limit > 0 && reason == timeReached(limit) {
			reason = timeReached(t.Options.Timeout)
		}
		return cutShort(t, known, reason, began), nil
	case err != nil:
		return nil, err
	case end.kind != frameAnswer:
		return engines.Unread(t, fmt.Errorf("%s: %s: ask for fewer states, or without witnesses", t.Path, p.tooLarge())), nil
	}
	r := new(solver.Result)
	if err := errors.Join(bad, json.Unmarshal(end.body, r)); err != nil {
		return nil, fmt.Errorf("%s: BUG: a worker's answer: %w", t.Path, err)
	}
	if len(parts.States) > 0 {
		r.States, r.Outcomes = parts.States, parts.Outcomes
	}
	return r, nil
}

// cutShort is the result of a task that was stopped, from what was known of it.
func cutShort(t solver.Task, known []byte, reason string, began time.Time) *solver.Result {
	r := new(solver.Result)
	if known == nil || json.Unmarshal(known, r) != nil {
		r = engines.Unread(t, nil)
	}
	if r.Verdict == "" {
		r.Verdict = solver.Undecided
	}
	no := false
	r.Status, r.Reason, r.StatesComplete = solver.Unknown, reason, &no
	r.MS = float64(time.Since(began)) / float64(time.Millisecond)
	return r
}
