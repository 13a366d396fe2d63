package graphs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"litmuscope/solver"
)

// estimate is how many executions there are, by random walks (Knuth, “Estimating the Efficiency of Backtrack Programs”, 1975): a walk takes one
// of the ways that exploration would take from a graph, each as likely as the others, and one that comes to an execution stands for as
// many as there were ways, multiplied.
type estimate struct {
	x     *exploration
	first *graph // before anything has happened
	draw  *rand.Rand
	walks int
	sum   float64
	found int // executions that what the walk has come to stands for
}

// newEstimate is for an exploration of which is tells what an execution is.
func newEstimate(x *exploration, is func(*graph) bool) *estimate {
	e := &estimate{draw: rand.New(rand.NewPCG(1, 1))}
	e.x = &exploration{
		p: x.p, places: x.places, threads: x.threads, check: newChecker(x.check.f), ctx: x.ctx, ahead: x.ahead, rounds: x.rounds, mixed: x.mixed, walks: true,
		partial: func(*graph) error { return nil },
		unset:   func(*graph, int32) error { return nil },
		leaf: func(g *graph) error {
			if is(g) {
				e.found = e.x.stands(g)
			}
			return nil
		},
	}
	e.x.likely = x.likely
	if y := x.symmetry; y != nil {
		e.x.symmetry = &symmetry{alike: y.alike, maker: y.maker}
	}
	return e
}

// walk takes one more.
func (e *estimate) walk() error {
	if e.first == nil {
		e.first = e.x.first()
	}
	g, weight := e.x.copy(e.first), 1.0
	e.found = 0
	for {
		e.x.ways = e.x.ways[:0]
		alive, err := e.x.goOn(g)
		if err != nil && !errors.Is(err, errApart) { // which it is for others to say
			return err
		}
		if alive {
			e.x.ways = append(e.x.ways, g)
		} else {
			e.x.free = append(e.x.free, g)
		}
		n := len(e.x.ways)
		if n == 0 {
			break
		}
		weight *= float64(n)
		i := e.draw.IntN(n)
		g = e.x.ways[i]
		for j, other := range e.x.ways {
			if j != i {
				e.x.free = append(e.x.free, other)
			}
		}
	}
	e.walks++
	e.sum += weight * float64(e.found)
	return nil
}

// executions is how many there seem to be, of which so many are known.
func (e *estimate) executions(known int) float64 {
	return max(e.sum/float64(max(e.walks, 1)), float64(known))
}

// progress tells how far an exploration is, from time to time.
type progress struct {
	start, last time.Time
	told        func(string)
	estimate    *estimate
	asked       int
}

// often is how long there is nothing to tell, and walking the part of that which is spent on walks.
const (
	often   = 200 * time.Millisecond
	walking = often / 10 // at first, and later
	strolls = often / 100
)

// soon is when it is later: what is known by then is as good as it has to be.
const soon = 2 * time.Second

// executions is told of each execution, and tells what there is to tell.
func (p *progress) executions(known int) error {
	if p.asked++; p.asked&15 != 0 {
		return nil
	}
	now := time.Now()
	if now.Sub(p.last) < often {
		return nil
	}
	p.last = now
	walk := walking
	if now.Sub(p.start) > soon {
		walk = strolls
	}
	for time.Since(now) < walk {
		if err := p.estimate.walk(); err != nil {
			return err
		}
	}
	if p.told != nil {
		p.told(p.words(known, now.Sub(p.start)))
	}
	return nil
}

// words are how far it is.
func (p *progress) words(known int, took time.Duration) string {
	all := p.estimate.executions(known)
	out := count(float64(known))
	if p.estimate.walks > 0 && all > float64(known) {
		out += " of about " + rounded(all)
	}
	rate := float64(known) / max(took.Seconds(), 1e-3)
	out += fmt.Sprintf(" executions, %s a second", rounded(rate))
	if p.estimate.walks > 0 && all > float64(known) {
		out += ", about " + span(time.Duration((all-float64(known))/max(rate, 1e-3)*float64(time.Second))) + " left"
	}
	return out
}

// limited is why there is no answer, and what would do.
func (p *progress) limited(why string, known int, took time.Duration) string {
	out := why + " after " + solver.Count(known, "execution")
	if all := p.estimate.executions(known); p.estimate.walks > 0 && all > float64(known) {
		all, left := rounded(all), span(time.Duration(float64(took)*(all/max(float64(known), 1)-1)))
		out = fmt.Sprintf("%s after %s of about %s executions: about %s more would do (raise --timeout)", why, count(float64(known)), all, left)
	}
	return out
}

// rounded is a number to two places, as people read it.
func rounded(n float64) string {
	if n >= 1e12 {
		m := fmt.Sprintf("%.0e", n)
		mantissa, exponent, _ := strings.Cut(m, "e+")
		return mantissa + "·10^" + strings.TrimLeft(exponent, "0")
	}
	unit := 1.0
	for n/unit >= 100 {
		unit *= 10
	}
	return count(float64(int(n/unit+0.5)) * unit)
}

// count is a whole number, its thousands apart.
func count(n float64) string {
	digits := fmt.Sprintf("%.0f", n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// span is a length of time as people say it.
func span(d time.Duration) string {
	switch {
	case d < 0 || d > 1000*24*time.Hour:
		return "years"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", max(int(d.Round(time.Second).Seconds()), 1))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Round(time.Minute).Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Round(time.Hour).Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours())/24)
}
