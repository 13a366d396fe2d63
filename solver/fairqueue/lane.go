package fairqueue

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// lane runs so many things at once, and keeps the others in order: a queue for each client, and a queue of the clients
// with waiting work, ordered by how much work each has had lately, the least first.
type lane struct {
	slots, perClient, maxWaiting int
	spent                        *spent

	mu      sync.Mutex
	clients map[string]*client // with anything waiting or running
	ready   *list.List         // of *client: with work waiting, and below perClient
	mean    time.Duration      // of a run, the latest ones weighing most
	stats   LaneStats
}

type client struct {
	id      string
	who     who
	running int
	waiting *list.List    // of chan struct{}, each closed when its turn has come
	ready   *list.Element // of the lane's list; nil when not there
}

func newLane(slots, perClient, maxWaiting int, s *spent) *lane {
	slots = max(slots, 1)
	if perClient <= 0 {
		perClient = slots
	}
	return &lane{
		slots: slots, perClient: perClient, maxWaiting: maxWaiting, spent: s,
		clients: map[string]*client{}, ready: list.New(),
	}
}

// serve runs work when the turn of the context's client has come.
func (l *lane) serve(ctx context.Context, work func(*client) error) error {
	arrived := time.Now()
	c, err := l.enter(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	defer func() { l.leave(c, began.Sub(arrived), time.Since(began)) }() // in a panic too
	return work(c)
}

// enter waits for a slot.
func (l *lane) enter(ctx context.Context) (*client, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	l.mu.Lock()
	id, _ := ctx.Value(clientKey{}).(string)
	network, _ := ctx.Value(networkKey{}).(string)
	c := l.clients[id]
	if c == nil {
		c = &client{id: id, who: who{id, network}, waiting: list.New()}
		l.clients[id] = c
	}
	// Nobody who could run waits while a slot is free: this one need not either.
	if l.stats.Running < l.slots && c.running < l.perClient {
		l.stats.Running++
		c.running++
		l.mu.Unlock()
		return c, nil
	}
	if c.waiting.Len() >= l.maxWaiting-l.stats.Waiting {
		l.stats.Refused++
		busy := &Busy{RetryAfter: l.retryAfter()}
		l.forget(c)
		l.mu.Unlock()
		return nil, busy
	}
	turn := make(chan struct{})
	place := c.waiting.PushBack(turn)
	l.stats.Waiting++
	l.queue(c)
	l.mu.Unlock()

	select {
	case <-turn:
		return c, nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.GaveUp++
	select {
	case <-turn: // just now: it goes to the next
		l.stats.Running--
		c.running--
	default:
		c.waiting.Remove(place)
		l.stats.Waiting--
		if c.ready != nil && c.waiting.Len() == 0 {
			l.ready.Remove(c.ready)
			c.ready = nil
		}
	}
	l.next(c)
	return nil, ctx.Err()
}

// leave gives a slot back.
func (l *lane) leave(c *client, waited, ran time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.Running--
	c.running--
	l.stats.Done++
	l.stats.Waited += waited
	l.stats.Ran += ran
	l.spent.add(c.who, ran)
	if l.mean == 0 {
		l.mean = ran
	}
	l.mean += (ran - l.mean) / 16
	l.next(c)
}

// outdone reports whether a waiting client has had much less work (byFar) than a client whose work has taken so long:
// then it is to make room.
func (l *lane) outdone(c *client, ran time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ready.Len() == 0 {
		return false
	}
	first := l.first().Value.(*client)
	return first != c && l.spent.standing(first.who)+byFar < l.spent.standing(c.who)+ran.Seconds()
}

// byFar is how many seconds more work one client must have had than another before its work gives up its slot.
const byFar = 0.25

// first is the client that is next: the one that has waited longest among those with the least work; the caller holds
// mu.
func (l *lane) first() (first *list.Element) {
	least := 0.0
	for e := l.ready.Front(); e != nil; e = e.Next() {
		if had := l.spent.standing(e.Value.(*client).who); first == nil || had < least {
			first, least = e, had
		}
	}
	return first
}

// next gives free slots to those whose turn it is, after c has changed; the caller holds mu.
func (l *lane) next(c *client) {
	l.queue(c)
	for l.stats.Running < l.slots && l.ready.Len() > 0 {
		first := l.ready.Remove(l.first()).(*client)
		first.ready = nil
		turn := first.waiting.Remove(first.waiting.Front()).(chan struct{})
		l.stats.Waiting--
		l.stats.Running++
		first.running++
		close(turn)
		l.queue(first)
	}
	l.forget(c)
}

// queue puts a client behind the others if it has work that may start; the caller holds mu.
func (l *lane) queue(c *client) {
	if c.ready == nil && c.waiting.Len() > 0 && c.running < l.perClient {
		c.ready = l.ready.PushBack(c)
	}
}

// forget drops a client that has no work here; the caller holds mu.
func (l *lane) forget(c *client) {
	if c.running == 0 && c.waiting.Len() == 0 {
		delete(l.clients, c.id)
	}
}

// retryAfter estimates how long the work takes that waits now; the caller holds mu.
func (l *lane) retryAfter() time.Duration {
	left := l.mean * time.Duration(l.stats.Waiting+l.stats.Running) / time.Duration(l.slots)
	return min(max(left.Truncate(time.Second)+time.Second, time.Second), time.Minute)
}

func (l *lane) now() LaneStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stats
}
