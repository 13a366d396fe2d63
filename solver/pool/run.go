package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/sat"
)

// questions are the kinds of work that every pool knows.
var questions = map[string]func([]byte) (solver.Question, error){
	"run":    decode[solver.Task],
	"verify": decode[solver.VerifyTask],
}

func kindOf(q solver.Question) string {
	if _, program := q.(solver.VerifyTask); program {
		return "verify"
	}
	return "run"
}

func decode[Q solver.Question](body []byte) (solver.Question, error) {
	var q Q
	err := json.Unmarshal(body, &q)
	return q, err
}

// grace is how long a task may exceed its own time limit before the pool kills its child. Engines check the limit too,
// and say more about it.
const grace = 300 * time.Millisecond

// states are some of a Result's.
type states struct {
	States   []solver.State   `json:"states"`
	Outcomes []solver.Outcome `json:"outcomes,omitempty"`
}

// Run implements [solver.Runner]. It returns a [*solver.Died] for a question whose child crashed, or was killed twice.
func (p *Pool) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	if t, races := engines.Races(q); races {
		return p.race(ctx, t)
	}
	if t, splits := engines.Splits(q); splits && p.Part > 0 && p.Workers > 1 {
		v, err := engines.SplitUp(ctx, t, p.Part, p.Workers,
			func(ctx context.Context, t solver.VerifyTask) (solver.Answer, error) {
				return p.ask(ctx, t, p.idle, func() {})
			})
		if err != nil {
			return nil, err // and not a typed nil
		}
		return v, nil
	}
	return p.ask(ctx, q, p.idle, func() {})
}

// ask runs a question in one of the children for one engine; it calls begins when it has a child.
func (p *Pool) ask(ctx context.Context, q solver.Question, from chan *process, begins func()) (solver.Answer, error) {
	t := q.Params()
	body, err := json.Marshal(q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Path, err)
	}
	program, err := sat.Find(t.Options.Solver)
	if err != nil {
		return engines.UnreadAnswer(q, fmt.Errorf("%s: %w", t.Path, err)), nil
	}
	limit := t.Options.Timeout
	if limit > 0 {
		limit += grace
	}
	var (
		known []byte // the last partial answer
		parts states
		bad   error
	)
	began := time.Now()
	end, err := p.call(ctx, from, header{Kind: kindOf(q), Memory: t.Options.Memory, program: program}, body, limit,
		func(f frame) {
			switch f.kind {
			case 0: // anew
				begins()
				known, parts = nil, states{}
			case framePartial:
				known = f.body
				reportProgress(ctx, q, f.body)
			case frameStates:
				var more states
				if err := json.Unmarshal(f.body, &more); err != nil {
					bad = err
				}
				parts.States, parts.Outcomes = append(parts.States, more.States...),
					append(parts.Outcomes, more.Outcomes...)
			}
		}, func(need int64) { p.reportWait(ctx, q, need) })
	var limited *solver.Limited
	switch {
	case errors.As(err, &limited):
		reason := limited.Reason
		if limit > 0 && reason == timeReached(limit) {
			reason = timeReached(t.Options.Timeout)
		}
		a := engines.UnreadAnswer(q, nil)
		_ = json.Unmarshal(known, a) // if there is anything
		engines.Stop(a, q, reason)
		h := a.Head()
		*h.MS = float64(time.Since(began)) / float64(time.Millisecond)
		if *h.Stats == nil {
			*h.Stats = &solver.Stats{}
		}
		notePeak(a, limited.Peak)
		return a, nil
	case err != nil:
		return nil, err
	case end.kind == frameFailed:
		return nil, errors.New(string(end.body))
	case end.kind == frameLarge:
		return engines.UnreadAnswer(q,
			fmt.Errorf("%s: %s: ask for fewer states, or without witnesses", t.Path, p.tooLarge())), nil
	}
	a := q.Blank()
	if err := errors.Join(bad, json.Unmarshal(end.body, a)); err != nil {
		return nil, fmt.Errorf("%s: BUG: cannot read a worker's answer: %w", t.Path, err)
	}
	if r, ok := a.(*solver.Result); ok && len(parts.States) > 0 {
		r.States, r.Outcomes = parts.States, parts.Outcomes
	}
	return a, nil
}

// WaitingForMemory begins the progress of a question that waits until others have given back memory.
const WaitingForMemory = "waiting for memory"

// reportWait tells the question's follower that it waits for so many bytes.
func (p *Pool) reportWait(ctx context.Context, q solver.Question, need int64) {
	told := solver.Follower(ctx)
	if told == nil {
		return
	}
	a := engines.UnreadAnswer(q, nil)
	words := fmt.Sprintf("%s: needs about %d MiB of %d MiB", WaitingForMemory, need>>20, p.Memory.total>>20)
	switch a := a.(type) {
	case *solver.Verification:
		a.Status, a.SoFar = "", words
	case *solver.Result:
		a.Status, a.Reason = "", words
	}
	told(a)
}

// reportProgress passes a partial answer to the question's follower, if it has one.
func reportProgress(ctx context.Context, q solver.Question, body []byte) {
	if told := solver.Follower(ctx); told != nil {
		a := q.Blank()
		if json.Unmarshal(body, a) == nil {
			told(a)
		}
	}
}
