package class

import (
	"slices"
	"sync"
	"time"
)

// signal wakes all waiting goroutines. They look up the new state themselves, so nothing is queued for slow listeners.
type signal struct {
	mu sync.Mutex
	ch chan struct{}
}

// wait returns a channel that the next send closes.
func (s *signal) wait() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch == nil {
		s.ch = make(chan struct{})
	}
	return s.ch
}

func (s *signal) send() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ch != nil {
		close(s.ch)
		s.ch = nil
	}
}

// Changed returns a channel that is closed when anything except votes and presence changes. Get the channel before you
// read the state.
func (r *Room) Changed() <-chan struct{} { return r.changed.wait() }

// Counted returns a channel that is closed when a vote arrives, or when somebody comes or leaves.
func (r *Room) Counted() <-chan struct{} { return r.counted.wait() }

// around is how long a voter counts as present after the last stream ended, for example because a phone is asleep.
const around = time.Minute

// Limits on concurrent listeners of a room: a place for each voter, and some for screens and teachers. If a voter's
// streams or an address's screens are too many, the newest stay open. So a client whose old connection is dead, which
// the server has not noticed, can connect again, and does not push out other clients.
const (
	MaxScreens     = 100
	MaxStreams     = MaxVoters + MaxScreens
	maxTabs        = 3
	maxScreensEach = 20 // of one address
	maxTeachers    = 10
)

// listener is one open stream.
type listener struct {
	replaced chan struct{}
	client   string // of a screen's: where it comes from
	teacher  bool   // it is no screen, but the page of who has the secret
}

// Listen records that a voter is present until leave is called; it returns false if there are too many. The caller must
// also call leave when replaced is closed.
func (r *Room) Listen(by Voter) (replaced <-chan struct{}, leave func(), ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	total := len(r.screens)
	for _, l := range r.streams {
		total += len(l)
	}
	own := r.streams[by]
	switch {
	case len(own) >= maxTabs:
		close(own[0].replaced)
		own = own[1:]
	case total >= MaxStreams:
		return nil, nil, false
	}
	r.touched = time.Now()
	l := &listener{replaced: make(chan struct{})}
	r.streams[by] = append(slices.Clip(own), l)
	if len(own) == 0 {
		r.counted.send()
	}
	return l.replaced, sync.OnceFunc(func() { r.leave(by, l) }), true
}

// Watch records that a client without a place watches, a teacher or a screen, until leave is called. If there are too
// many, it ends the oldest stream of the address that has the most.
func (r *Room) Watch(client string, teacher bool) (replaced <-chan struct{}, leave func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	of := map[string]int{} // screens, by address
	teachers := 0
	for _, l := range r.screens {
		if l.teacher {
			teachers++
		} else {
			of[l.client]++
		}
	}
	var ends func(*listener) bool
	switch {
	case teacher && teachers >= maxTeachers:
		ends = func(l *listener) bool { return l.teacher }
	case teacher:
	case of[client] >= maxScreensEach:
		ends = func(l *listener) bool { return !l.teacher && l.client == client }
	case len(r.screens)-teachers >= MaxScreens:
		most := client
		for c, n := range of {
			if n > of[most] {
				most = c
			}
		}
		ends = func(l *listener) bool { return !l.teacher && l.client == most }
	}
	if ends != nil {
		i := slices.IndexFunc(r.screens, ends) // the one that began first
		close(r.screens[i].replaced)
		r.screens = slices.Delete(r.screens, i, i+1)
	}
	r.touched = time.Now()
	l := &listener{make(chan struct{}), client, teacher}
	r.screens = append(r.screens, l)
	return l.replaced, sync.OnceFunc(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.screens = slices.DeleteFunc(r.screens, func(o *listener) bool { return o == l })
		r.touched = time.Now()
	})
}

func (r *Room) leave(by Voter, l *listener) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if own := slices.DeleteFunc(slices.Clone(r.streams[by]), func(o *listener) bool { return o == l }); len(own) > 0 {
		r.streams[by] = own
	} else {
		delete(r.streams, by)
	}
	r.touched = now
	for v, last := range r.seen {
		if now.Sub(last) > around {
			delete(r.seen, v)
		}
	}
	r.seen[by] = now
}

// inUse reports whether anybody watches, or has ever joined.
func (r *Room) inUse() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.streams)+len(r.screens)+len(r.seen)+len(r.voters)+len(r.names) > 0
}

// Present returns how many voters are present, or were within the time around.
func (r *Room) Present() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, now := len(r.streams), time.Now()
	for by, last := range r.seen {
		if len(r.streams[by]) == 0 && now.Sub(last) <= around {
			n++
		}
	}
	return n
}

func (r *Room) touch() {
	r.mu.Lock()
	r.touched = time.Now()
	r.mu.Unlock()
}

// idleSince returns for how long nobody has been present.
func (r *Room) idleSince(now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.streams)+len(r.screens) > 0 {
		return 0
	}
	return now.Sub(r.touched)
}
