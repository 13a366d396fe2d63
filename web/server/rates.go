package server

import (
	"container/list"
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// budgetTable has the rate and the burst of each kind of request, as multiples of the rate of questions.
var budgetTable = [costs]struct {
	name        string // for clients
	rate, burst float64
}{
	Reads: {"reads", 10, 50},
	Asks:  {"questions", 1, 5},
	Keeps: {"writes", 0.05, 1},
	Votes: {"votes", 10, 50},
}

// limiter limits the requests of each client, by kind.
type limiter [costs]*Buckets

func newLimiter(perSecond float64) *limiter {
	l := new(limiter)
	for b, k := range budgetTable {
		l[b] = NewBuckets(rate.Limit(k.rate*perSecond), max(1, int(k.burst*perSecond)))
	}
	return l
}

// maxClients bounds the clients in memory. Beyond it, the least recently seen client is forgotten and gets a full
// budget when it returns.
const maxClients = 10_000

// Buckets limits how often each client does something, with a token bucket per client. It is safe for concurrent use.
type Buckets struct {
	each rate.Limit // tokens per second
	most int        // size of a bucket

	mu       sync.Mutex
	networks *Buckets                 // of the clients' networks; nil before the first
	clients  map[string]*list.Element // of *bucket
	recent   list.List                // most recently seen first
}

type bucket struct {
	client string
	left   *rate.Limiter
}

// NewBuckets returns buckets that allow bursts of most requests, and each requests per second in the long run.
func NewBuckets(each rate.Limit, most int) *Buckets {
	return &Buckets{each: each, most: most, clients: map[string]*list.Element{}}
}

// Take takes a token of a client. If there is none, it takes nothing and returns how long to wait for one.
func (b *Buckets) Take(client string, now time.Time) (wait time.Duration) {
	left := b.of(client)
	if left.AllowN(now, 1) {
		return 0
	}
	return waitFor(left, now)
}

// TakeOf is Take for the client of a context. All clients of a network together have networkShare times the budget of
// one. what, unless "", names an object; clients have a separate budget for each.
func (b *Buckets) TakeOf(ctx context.Context, what string, now time.Time) (wait time.Duration) {
	c := CallerOf(ctx)
	if c.network == "" {
		return b.Take(what+c.client, now)
	}
	b.mu.Lock()
	if b.networks == nil {
		b.networks = NewBuckets(networkShare*b.each, networkShare*b.most)
	}
	b.mu.Unlock()
	if wait := b.networks.Wait(what+c.network, now); wait > 0 {
		return wait
	}
	if wait := b.Take(what+c.client, now); wait > 0 {
		return wait
	}
	b.networks.Take(what+c.network, now)
	return 0
}

// Wait returns how long a client has to wait for a token, and takes none.
func (b *Buckets) Wait(client string, now time.Time) time.Duration {
	return waitFor(b.of(client), now)
}

// waitFor returns the time until a bucket has a token.
func waitFor(left *rate.Limiter, now time.Time) time.Duration {
	missing := max(0, 1-left.TokensAt(now))
	return time.Duration(missing / float64(left.Limit()) * float64(time.Second))
}

// setHeaders sets the headers RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers: a quota of q that
// is full again after w seconds, and r tokens left, with one more after t seconds.
func (b *Buckets) setHeaders(h http.Header, policy, client string, now time.Time) {
	left := b.of(client)
	seconds := func(d float64) int { return max(1, int(math.Ceil(d))) }
	h.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", policy, b.most, seconds(float64(b.most)/float64(b.each))))
	tokens := max(0, left.TokensAt(now))
	h.Set("RateLimit",
		fmt.Sprintf("%q;r=%d;t=%d", policy, int(tokens), seconds((math.Floor(tokens)+1-tokens)/float64(b.each))))
}

// of returns a client's bucket, and makes one for a new client.
func (b *Buckets) of(client string) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.clients[client]
	if e == nil {
		if len(b.clients) >= maxClients {
			delete(b.clients, b.recent.Remove(b.recent.Back()).(*bucket).client)
		}
		e = b.recent.PushFront(&bucket{client, rate.NewLimiter(b.each, b.most)})
		b.clients[client] = e
	}
	b.recent.MoveToFront(e)
	return e.Value.(*bucket).left
}

// limitRate answers 429 to clients that send too many requests.
func (s *Server) limitRate(next http.Handler) http.Handler {
	if s.Limits.Rate == 0 {
		return next
	}
	limits := newLimiter(s.Limits.Rate)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !quiet(r.URL.Path) {
			cost := s.where.cost(r)
			wait := limits[cost].TakeOf(r.Context(), "", s.Clock())
			limits[cost].setHeaders(w.Header(), budgetTable[cost].name, Client(r.Context()), s.Clock())
			if wait > 0 {
				s.TurnAway(w, r, http.StatusTooManyRequests, wait, "You send requests faster than this server allows.")
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// TurnAway answers with an error and the time after which to try again.
func (s *Server) TurnAway(w http.ResponseWriter, r *http.Request, status int, wait time.Duration, detail string) {
	RetryAfter(w.Header(), wait)
	s.Fail(w, r, status, detail)
}

// RetryAfter sets the header Retry-After, in whole seconds and at least 1.
func RetryAfter(h http.Header, wait time.Duration) {
	h.Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
}
