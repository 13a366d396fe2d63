package suites

import "time"

// window is the length of time over which progress measures a suite's rate.
const window = 20 * time.Second

// sample is the number of rows that this coordinator had recorded at a time.
type sample struct {
	at   time.Time
	rows int
}

// progress notes rows.
func (a *active) progress(now time.Time, rows int) {
	last := sample{at: now}
	if n := len(a.history); n > 0 {
		last.rows = a.history[n-1].rows
		// A sample in a fiftieth of the window is enough.
		if n > 1 && now.Sub(a.history[n-2].at) < window/50 {
			a.history[n-1] = sample{now, last.rows + rows}
			return
		}
	}
	last.rows += rows
	a.history = append(a.history, last)
	for len(a.history) > 2 && now.Sub(a.history[1].at) > window {
		a.history = a.history[1:]
	}
}

// Rate is how many rows of a suite the coordinator records in a second; 0 if it is not known.
func (c *Coordinator) Rate(number int64) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.active[number]
	if a == nil || len(a.history) < 2 {
		return 0
	}
	first, now := a.history[0], time.Now()
	took := now.Sub(first.at).Seconds()
	if took <= 0 {
		return 0
	}
	return float64(a.history[len(a.history)-1].rows-first.rows) / took
}
