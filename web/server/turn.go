package server

import (
	"context"
	"sync"
	"time"
)

// Turns limits how many requests do something at once, because it needs the server's own processors or memory. It is
// safe for concurrent use.
type Turns struct {
	places chan struct{}
	each   int           // places for one client; 0: all
	wait   time.Duration // how long a request waits for a place
	busy   string        // the error after that

	mu   sync.Mutex
	held map[string]int // places, by client and by network
}

// NewTurns returns most places, of which one client may take each at once (0: all). Take waits for a place at most for
// wait; then its error has the text busy.
func NewTurns(most, each int, wait time.Duration, busy string) *Turns {
	return &Turns{places: make(chan struct{}, most), each: each, wait: wait, busy: busy, held: map[string]int{}}
}

// Take waits for a place for the client of a context. The caller must call over when done.
func (t *Turns) Take(ctx context.Context) (over func(), err error) {
	c := CallerOf(ctx)
	if !t.enter(c) {
		return nil, &busy{t.busy}
	}
	over = func() { <-t.places; t.leave(c) }
	select {
	case t.places <- struct{}{}:
		return over, nil
	default:
	}
	wait := time.NewTimer(t.wait)
	defer wait.Stop()
	select {
	case t.places <- struct{}{}:
		return over, nil
	case <-wait.C:
		err = &busy{t.busy}
	case <-ctx.Done():
		err = ctx.Err()
	}
	t.leave(c)
	return nil, err
}

// enter counts a place for a client and its network; false if one of them has too many.
func (t *Turns) enter(c *Caller) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	ofNetwork := max(t.each, min(networkShare*t.each, cap(t.places)*3/4))
	if t.each > 0 && (t.held[c.client] >= t.each || c.network != "" && t.held[c.network] >= ofNetwork) {
		return false
	}
	t.held[c.client]++
	if c.network != "" {
		t.held[c.network]++
	}
	return true
}

// leave undoes enter.
func (t *Turns) leave(c *Caller) {
	t.mu.Lock()
	defer t.mu.Unlock()
	names := []string{c.client}
	if c.network != "" {
		names = append(names, c.network)
	}
	for _, name := range names {
		if t.held[name]--; t.held[name] == 0 {
			delete(t.held, name)
		}
	}
}

// busy is the error if no place becomes free in time.
type busy struct{ text string }

func (b *busy) Error() string { return b.text }

// turnAgain is the time after which a client should try again.
const turnAgain = 10 * time.Second
