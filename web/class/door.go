package class

import (
	"container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Bounds on wrong codes. A lecture hall may well have one address, and many who mistype.
const (
	MaxWrong      = 30              // at once, of one address
	wrongEach     = rate.Limit(0.5) // a second then
	wrongAll      = rate.Limit(10)  // … and of all together
	wrongAllBurst = 200
	maxAddresses  = 10_000
)

// Door keeps count of wrong codes, so that nobody finds rooms by trying. An address that has
// tried too many is turned away for a while, whatever its next code. When all together have,
// so is each that has been wrong lately: who has not may still come in, so that nobody
// can keep a class out.
type Door struct {
	mu     sync.Mutex
	all    *rate.Limiter
	each   map[string]*list.Element // of *guesser
	recent list.List                // those heard of last are in front
}

type guesser struct {
	address string
	left    *rate.Limiter
}

// NewDoor is a door that nobody has tried.
func NewDoor() *Door {
	return &Door{all: rate.NewLimiter(wrongAll, wrongAllBurst), each: map[string]*list.Element{}}
}

// Wait is how long an address has to wait before its next code; 0: it need not.
func (d *Door) Wait(address string, now time.Time) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.each[address]
	if e == nil {
		return 0
	}
	own := e.Value.(*guesser).left
	if wait := until(own, now); wait > 0 {
		return wait
	}
	if own.TokensAt(now) > MaxWrong-1 {
		return 0 // it has not been wrong lately
	}
	return until(d.all, now)
}

func until(l *rate.Limiter, now time.Time) time.Duration {
	missing := 1 - l.TokensAt(now)
	if missing <= 0 {
		return 0
	}
	return time.Duration(missing / float64(l.Limit()) * float64(time.Second))
}

// Wrong notes that an address has come with a wrong code.
func (d *Door) Wrong(address string, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.each[address]
	if e == nil {
		if len(d.each) >= maxAddresses {
			delete(d.each, d.recent.Remove(d.recent.Back()).(*guesser).address)
		}
		e = d.recent.PushFront(&guesser{address, rate.NewLimiter(wrongEach, MaxWrong)})
		d.each[address] = e
	}
	d.recent.MoveToFront(e)
	e.Value.(*guesser).left.AllowN(now, 1)
	d.all.AllowN(now, 1)
}
