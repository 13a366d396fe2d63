package shell

import (
	"container/list"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// budget is a kind of request, for each of which a client has a rate of its own.
type budget int

const (
	toRead budget = iota // what is cheap to answer
	toAsk                // what takes a solver, or a drawing
	toKeep               // what is kept
	toVote               // a vote: a whole class may have one address
	budgets
)

// budgetTable has each kind's rate and what may come at once, as multiples of the rate of questions.
var budgetTable = [budgets]struct{ rate, burst float64 }{
	toRead: {10, 50},
	toAsk:  {1, 5},
	toKeep: {0.05, 1},
	toVote: {10, 50},
}

func budgetOf(r *http.Request) budget {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		if r.URL.Path == "/compare" || embeddable(r.URL.Path) || isLesson(r.URL.Path) || strings.HasPrefix(r.URL.Path, "/cycles") {
			return toAsk
		}
		return toRead
	case http.MethodPost:
		switch path := r.URL.Path; {
		case strings.HasPrefix(path, "/class/") && strings.HasSuffix(path, "/vote"):
			return toVote
		case path == "/links", path == "/programs/links", path == "/login", path == "/class/open", path == "/cycles/suite", strings.HasPrefix(path, "/suites"), strings.HasPrefix(path, "/api/v1/suites"):
			return toKeep
		}
		return toAsk
	}
	return toKeep
}

// limiter says how much each client may ask.
type limiter [budgets]*Buckets

func newLimiter(perSecond float64) *limiter {
	l := new(limiter)
	for b, k := range budgetTable {
		l[b] = NewBuckets(rate.Limit(k.rate*perSecond), max(1, int(k.burst*perSecond)))
	}
	return l
}

// maxClients bounds a table of clients. The one that was not heard of the longest
// makes room, and starts anew when it comes back.
const maxClients = 10_000

// Buckets let each client do something so often at once, and then every now and then. They may be used from many goroutines.
type Buckets struct {
	each rate.Limit // a second
	most int        // at once

	mu      sync.Mutex
	clients map[string]*list.Element // of *bucket
	recent  list.List                // those heard of last are in front
}

type bucket struct {
	client string
	left   *rate.Limiter
}

func NewBuckets(each rate.Limit, most int) *Buckets {
	return &Buckets{each: each, most: most, clients: map[string]*list.Element{}}
}

// Take is how long a client has to wait before it may do it; 0, and it counts, where it need not.
func (b *Buckets) Take(client string, now time.Time) (wait time.Duration) {
	b.mu.Lock()
	e := b.clients[client]
	if e == nil {
		if len(b.clients) >= maxClients {
			delete(b.clients, b.recent.Remove(b.recent.Back()).(*bucket).client)
		}
		e = b.recent.PushFront(&bucket{client, rate.NewLimiter(b.each, b.most)})
		b.clients[client] = e
	}
	b.recent.MoveToFront(e)
	left := e.Value.(*bucket).left
	b.mu.Unlock()
	if left.AllowN(now, 1) {
		return 0
	}
	missing := 1 - left.TokensAt(now)
	return time.Duration(missing / float64(left.Limit()) * float64(time.Second))
}

// limitRate answers clients that ask too much that they have to wait.
func (s *Shell) limitRate(next http.Handler) http.Handler {
	if s.Limits.Rate == 0 {
		return next
	}
	limits := newLimiter(s.Limits.Rate)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !quiet(r.URL.Path) {
			if wait := limits[budgetOf(r)].Take(Client(r.Context()), s.Clock()); wait > 0 {
				s.TurnAway(w, r, http.StatusTooManyRequests, wait, "You ask more than this server answers one client.")
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// TurnAway fails for now, and says when it is worth trying again.
func (s *Shell) TurnAway(w http.ResponseWriter, r *http.Request, status int, wait time.Duration, detail string) {
	RetryAfter(w.Header(), wait)
	s.Fail(w, r, status, detail)
}

// RetryAfter says when to come again.
func RetryAfter(h http.Header, wait time.Duration) {
	h.Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
}
