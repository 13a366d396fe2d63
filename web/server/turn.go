package server

import (
	"context"
	"sync"
	"time"
)

// Turns lets so many do at once what takes the server's own processors or memory.
type Turns struct {
	places chan struct{}
	each   int           // places of one client; 0: all of them
	wait   time.Duration // for one's turn
	busy   string        // what is said to who has waited so long

	mu   sync.Mutex
	held map[string]int // places, by client and by network
}

// NewTurns returns most places, of which one client may take each at once (0: all). Take waits for a place at most for
// wait; then its error has the text busy.
func NewTurns(most, each int, wait time.Duration, busy string) *Turns {
	return &Turns{places: make(chan struct{}, most), each: each, wait: wait, busy: busy, held: map[string]int{}}
}

// Take waits for a turn of the client's of a context; over ends it.
func (t *Turns) Take(ctx context.Context) (over func(), err error) {
	c := CallerOf(ctx)
	if !t.more(c) {
		return nil, &busy{t.busy}
	}
	over = func() { <-t.places; t.fewer(c) }
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
	t.fewer(c)
	return nil, err
}

func (t *Turns) more(c *Caller) bool {
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

func (t *Turns) fewer(c *Caller) {
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

// busy is that somebody's turn does not come.
type busy struct{ text string }

func (b *busy) Error() string { return b.text }

// turnAgain is when it is worth trying again.
const turnAgain = 10 * time.Second
