package class

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
)

// attempts are what students have judged at the moment: an edit that several make is judged once, a student has one
// judged at a time, and not more than so many are at once.
type attempts struct {
	mu     sync.Mutex
	trials map[trialKey]*trial
	busy   map[class.Voter]bool
	turns  chan struct{}
}

func newAttempts() *attempts {
	return &attempts{
		trials: map[trialKey]*trial{}, busy: map[class.Voter]bool{},
		turns: make(chan struct{}, 2*runtime.GOMAXPROCS(0)),
	}
}

type trialKey struct {
	room   int64
	item   int
	ballot string
}

// trial is a judgement that is on its way.
type trial struct {
	done   chan struct{}
	judged class.Judged
	err    error
}

// judging bounds the judging of one edit, with the wait for its turn.
const judging = 30 * time.Second

// attempt has an edit of a voter's judged, unless that is known.
func (s *page) attempt(ctx context.Context, c theClass, n int, item *class.Item, b class.Ballot) (class.Judged, error) {
	if j, ok := c.Judged(n, b); ok {
		return j, nil
	}
	if !s.attempts.begin(c.voter) {
		return class.Judged{}, errJudging
	}
	defer s.attempts.end(c.voter)
	return s.judged(ctx, c, n, item, b)
}

var errJudging = server.Refuse("The server is still checking your last try. Wait for its result.")

func (a *attempts) begin(v class.Voter) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy[v] {
		return false
	}
	a.busy[v] = true
	return true
}

func (a *attempts) end(v class.Voter) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.busy, v)
}

// judged has an edit judged, unless that is known, and keeps what comes of it.
func (s *page) judged(ctx context.Context, c theClass, n int, item *class.Item, b class.Ballot) (class.Judged, error) {
	if j, ok := c.Judged(n, b); ok {
		return j, nil
	}
	t := s.attempts.join(ctx, trialKey{c.Number, n, b.String()}, func(ctx context.Context) (class.Judged, error) {
		j, err := s.judgeEdit(ctx, item, b)
		if err == nil {
			err = c.Judge(ctx, n, b, j)
		}
		return j, err
	})
	select {
	case <-t.done:
		return t.judged, t.err
	case <-ctx.Done():
		return class.Judged{}, ctx.Err()
	}
}

// join is the trial of a key, which is begun where there is none. Others wait for it, whoever asked first.
func (a *attempts) join(ctx context.Context, key trialKey, judge func(context.Context) (class.Judged, error)) *trial {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.trials[key]; t != nil {
		return t
	}
	t := &trial{done: make(chan struct{})}
	a.trials[key] = t
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), judging)
		defer cancel()
		t.err = server.Guarded(func() (err error) {
			select {
			case a.turns <- struct{}{}:
				defer func() { <-a.turns }()
			case <-ctx.Done():
				return fmt.Errorf("an edit was not checked in time: %w", ctx.Err())
			}
			t.judged, err = judge(ctx)
			return err
		})
		a.mu.Lock()
		delete(a.trials, key)
		a.mu.Unlock()
		close(t.done)
	}()
	return t
}
