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
	Title  string
	Answer func(Q) (A, error)
	// AnswerInParts, unless nil, replaces Answer. It reports its answer in parts as it finds them.
	AnswerInParts func(q Q, tell func(A)) (A, error)
	Limits        Limits
}

// Limits are those of one piece of work.
type Limits struct {
	Time   time.Duration // from when a child has the work; 0 = none
	Memory int           // MiB; 0 = none
}

// Work is a [Kind] of any question and answer.
type Work interface {
	Name() string
	// Do answers a question in JSON. It may report parts of the answer through tell.
	Do(question []byte, tell func(soFar any)) (answer any, err error)
	limits() Limits
}

// Doer has work done: it puts the answer into what answer points to. Its error is the work's own, the
// context's, a [*solver.Limited], a [*solver.Died], or that there is nobody to do it. A [Pool] is one.
type Doer interface {
	Do(ctx context.Context, w Work, question, answer any) error
}

// Name implements [Work].
func (k Kind[Q, A]) Name() string { return k.Title }

func (k Kind[Q, A]) limits() Limits { return k.Limits }

// Do implements [Work].
func (k Kind[Q, A]) Do(question []byte, tell func(any)) (any, error) {
	var q Q
	if err := json.Unmarshal(question, &q); err != nil {
		return nil, fmt.Errorf("BUG: a question for %s: %w", k.Title, err)
	}
	if k.AnswerInParts != nil {
		return k.AnswerInParts(q, func(soFar A) { tell(soFar) })
	}
	return k.Answer(q)
}

// Call has the work done by somebody.
func (k Kind[Q, A]) Call(ctx context.Context, by Doer, q Q) (answer A, err error) {
	err = by.Do(ctx, k, q, &answer)
	return answer, err
}

// Follow is Call, and passes hear the parts of the answer, if the kind has Telling. It hears of it anew where the work
// begins anew.
func (k Kind[Q, A]) Follow(ctx context.Context, by Doer, q Q, told func(A)) (A, error) {
	return k.Call(context.WithValue(ctx, hearKey{}, func(body []byte) {
		var soFar A
		if json.Unmarshal(body, &soFar) == nil {
			told(soFar)
		}
	}), by, q)
}

type hearKey struct{}

// PassPartial passes a partial answer in JSON to the follower of the work of a context. Doers of other kinds call it.
func PassPartial(ctx context.Context, soFar []byte) {
	if hear, _ := ctx.Value(hearKey{}).(func([]byte)); hear != nil {
		hear(soFar)
	}
}

// Do implements [Doer].
func (p *Pool) Do(ctx context.Context, w Work, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return fmt.Errorf("%s: %w", w.Name(), err)
	}
	end, err := p.call(ctx, p.idle, header{Kind: w.Name(), Memory: w.limits().Memory}, body, w.limits().Time,
		func(f frame) {
			if f.kind == framePartial {
				PassPartial(ctx, f.body)
			}
		}, nil)
	if err != nil {
		return err
	}
	switch end.kind {
	case frameAnswer:
		if err := json.Unmarshal(end.body, answer); err != nil {
			return fmt.Errorf("BUG: an answer of %s: %w", w.Name(), err)
		}
		return nil
	case frameLarge:
		return &solver.Limited{Reason: p.tooLarge()}
	}
	return errors.New(string(end.body))
}
