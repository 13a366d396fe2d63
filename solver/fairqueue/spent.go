package fairqueue

import (
	"math"
	"sync"
	"time"
)

// spent records how much work clients and their networks have had lately. The client with the least comes first. An
// hour's work a day ago counts nothing: every halfLife halves the recorded time.
type spent struct {
	mu sync.Mutex
	of map[string]*account
}

type account struct {
	seconds float64
	at      time.Time
}

const (
	halfLife    = 30 * time.Second
	maxAccounts = 20_000
	forgotten   = 0.001 // seconds that are no more worth a note
	// networkShare is how many clients a network counts as.
	networkShare = 4
)

// who is a client, and its network, "" for none.
type who struct{ client, network string }

// standing is the work that a client counts as having had, in seconds: itself or, where that is more, its part of its
// network's.
func (s *spent) standing(w who) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	n := s.now("c"+w.client, now)
	if w.network != "" {
		n = max(n, s.now("n"+w.network, now)/networkShare)
	}
	return n
}

func (s *spent) now(name string, now time.Time) float64 {
	a := s.of[name]
	if a == nil {
		return 0
	}
	a.seconds *= math.Exp2(-float64(now.Sub(a.at)) / float64(halfLife))
	a.at = now
	return a.seconds
}

// add notes work done for a client.
func (s *spent) add(w who, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	names := []string{"c" + w.client}
	if w.network != "" {
		names = append(names, "n"+w.network)
	}
	for _, name := range names {
		n := s.now(name, now) + d.Seconds()
		if n < forgotten {
			continue
		}
		if s.of == nil || len(s.of) >= maxAccounts {
			s.forget(now)
		}
		s.of[name] = &account{n, now}
	}
}

// forget makes room: it drops the clients that have had little, and drops all if that is not enough.
func (s *spent) forget(now time.Time) {
	left := map[string]*account{}
	for name, a := range s.of {
		if s.now(name, now) > 1 && len(left) < maxAccounts/2 {
			left[name] = a
		}
	}
	s.of = left
}
