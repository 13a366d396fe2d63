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

// attempts checks the edits that students try. It checks equal edits once, runs at most one check per student, and
// limits the checks that run at the same time.
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

// trial is one check in progress. Its other fields are set when done is closed.
type trial struct {
	done   chan struct{}
	judged class.Judged
	err    error
}

// judging limits the time of one check, including the wait for its turn.
const judging = 30 * time.Second

// attempt returns the result for a voter's edit, from the class's cache or by checking it. It returns errJudging while
// another edit of the voter is being checked.
func (s *page) attempt(
	ctx context.Context, c classRequest, n int, item *class.Item, b class.Ballot,
) (class.Judged, error) {
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

// judged returns the result for an edit. It checks the edit and stores the result unless the class already has one.
func (s *page) judged(
	ctx context.Context, c classRequest, n int, item *class.Item, b class.Ballot,
) (class.Judged, error) {
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

// join returns the running trial for a key, or starts one. The trial continues even if the first client disconnects,
// since others may wait for it.
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
