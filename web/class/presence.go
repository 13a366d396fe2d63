package class

import (
	"slices"
	"sync"
	"time"
)

// signal tells all who wait that something is new. What that is, they look up themselves, so
// nothing is kept for who is slow: they find what is the case when they come to look.
type signal struct {
	mu sync.Mutex
	ch chan struct{}
}

// wait is closed at the next send.
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

// Changed is closed once anything changes but votes and who is there. Ask before you look.
func (r *Room) Changed() <-chan struct{} { return r.changed.wait() }

// Counted is closed once a vote has come, or somebody has come or gone.
func (r *Room) Counted() <-chan struct{} { return r.counted.wait() }

// around is how long somebody who went is taken to be there: a phone that has fallen asleep.
const around = time.Minute

// Bounds on who listens to a room at once: a place for each voter, and some for teachers, screens, and browsers without
// places. Of one voter's streams those that began last go on, so that one who has been cut off, which nobody has
// noticed yet, is not kept out.
const (
	MaxScreens = 100
	MaxStreams = MaxVoters + MaxScreens
	maxTabs    = 3
)

// listener is a stream.
type listener struct {
	replaced chan struct{}
}

// Listen notes that a voter is there, until leave is called; false where there are too many. It is to be called once
// replaced is closed, too. The zero voter is nobody: a teacher, or a screen.
func (r *Room) Listen(by Voter) (replaced <-chan struct{}, leave func(), ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	total := 0
	for _, l := range r.streams {
		total += len(l)
	}
	nobody, own := by == Voter{}, r.streams[by]
	switch {
	case nobody && len(own) >= MaxScreens:
		return nil, nil, false
	case !nobody && len(own) >= maxTabs:
		close(own[0].replaced)
		own = own[1:]
	case total >= MaxStreams:
		return nil, nil, false
	}
	r.touched = time.Now()
	l := &listener{make(chan struct{})}
	r.streams[by] = append(slices.Clip(own), l)
	if !nobody && len(own) == 0 {
		r.counted.send()
	}
	return l.replaced, sync.OnceFunc(func() { r.leave(by, l) }), true
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
	if by != (Voter{}) {
		r.seen[by] = now
	}
}

// Present is how many voters are there, or were a moment ago.
func (r *Room) Present() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, now := 0, time.Now()
	for by := range r.streams {
		if by != (Voter{}) {
			n++
		}
	}
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

// idleSince is for how long nobody has been there.
func (r *Room) idleSince(now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.streams) > 0 {
		return 0
	}
	return now.Sub(r.touched)
}
