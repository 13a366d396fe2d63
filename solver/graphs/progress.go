package graphs

import (
	"fmt"
	"strings"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/graphs/explore"
)

// progress tells how far an exploration is, from time to time.
type progress struct {
	start, last time.Time
	told        func(string)
	estimate    *explore.Estimate
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
		if err := p.estimate.Walk(); err != nil {
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
	all := p.estimate.Executions(known)
	out := count(float64(known))
	if p.estimate.Walks > 0 && all > float64(known) {
		out += " of about " + rounded(all)
	}
	rate := float64(known) / max(took.Seconds(), 1e-3)
	out += fmt.Sprintf(" executions, %s a second", rounded(rate))
	if p.estimate.Walks > 0 && all > float64(known) {
		out += ", about " + span(time.Duration((all-float64(known))/max(rate, 1e-3)*float64(time.Second))) + " left"
	}
	return out
}

// limited is why there is no answer, and what would do.
func (p *progress) limited(why string, known int, took time.Duration) string {
	out := why + " after " + solver.Count(known, "execution")
	if all := p.estimate.Executions(known); p.estimate.Walks > 0 && all > float64(known) {
		all, left := rounded(all), span(time.Duration(float64(took)*(all/max(float64(known), 1)-1)))
		out = fmt.Sprintf("%s after %s of about %s executions: about %s more are needed (raise --timeout)", why,
			count(float64(known)), all, left)
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
