package graphs

import (
	"fmt"
	"strings"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/graphs/explore"
)

// progress reports from time to time how far an exploration is. Random walks through the tree of graphs
// (explore.Estimate), which take a small, fixed share of the time, estimate the number of executions.
type progress struct {
	start, last time.Time
	told        func(string)
	estimate    *explore.Estimate
	asked       int
}

// often is the time between two reports; walking and strolls are the time for random walks in it.
const (
	often   = 200 * time.Millisecond
	walking = often / 10 // at first, and after soon
	strolls = often / 100
)

// soon is the time after which the estimate is good enough for fewer walks.
const soon = 2 * time.Second

// executions counts an execution, and reports if it is time.
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

// words describes the progress.
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

// limited says which limit the exploration reached, and what it would need.
func (p *progress) limited(why string, known int, took time.Duration) string {
	out := why + " after " + solver.Count(known, "execution")
	if all := p.estimate.Executions(known); p.estimate.Walks > 0 && all > float64(known) {
		all, left := rounded(all), span(time.Duration(float64(took)*(all/max(float64(known), 1)-1)))
		out = fmt.Sprintf("%s after %s of about %s executions: about %s more are needed (raise --timeout)", why,
			count(float64(known)), all, left)
	}
	return out
}

// rounded prints a number with two significant digits.
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

// count prints a whole number with separated thousands.
func count(n float64) string {
	digits := fmt.Sprintf("%.0f", n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// span prints a duration in its largest fitting unit.
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
