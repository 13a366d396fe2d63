package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"litmuscope/solver"
)

// Kind is a kind of work for children: from a question to an answer, both of which go
// through JSON.
type Kind[Q, A any] struct {
	Name   string
	Do     func(Q) (A, error)
	Limits Limits
}

// Limits are those of one piece of work.
type Limits struct {
	Time   time.Duration // from when a child has the work; 0 = none
	Memory int           // MiB; 0 = none
}

// Work is a [Kind] of any question and answer.
type Work interface {
	name() string
	do(question []byte) (answer any, err error)
}

func (k Kind[Q, A]) name() string { return k.Name }

func (k Kind[Q, A]) do(question []byte) (any, error) {
	var q Q
	if err := json.Unmarshal(question, &q); err != nil {
		return nil, fmt.Errorf("BUG: a question for %s: %w", k.Name, err)
	}
	return k.Do(q)
}

// Call has the work done by a child of p. Its error is the work's own, the context's, a
// [*solver.Limited], a [*solver.Died], or that there is no child to be had.
func (k Kind[Q, A]) Call(ctx context.Context, p *Pool, q Q) (A, error) {
	var none, answer A
	body, err := json.Marshal(q)
	if err != nil {
		return none, fmt.Errorf("%s: %w", k.Name, err)
	}
	end, err := p.call(ctx, header{Kind: k.Name, Memory: k.Limits.Memory}, body, k.Limits.Time, nil)
	if err != nil {
		return none, err
	}
	switch end.kind {
	case frameAnswer:
		if err := json.Unmarshal(end.body, &answer); err != nil {
			return none, fmt.Errorf("BUG: an answer of %s: %w", k.Name, err)
		}
		return answer, nil
	case frameLarge:
		return none, &solver.Limited{Reason: p.tooLarge()}
	}
	return none, errors.New(string(end.body))
}
