package course

import (
	"fmt"
	"strings"
	"time"
)

// Points are hundredths of a point.
type Points int

// String has as many digits as it takes: 2, 2.5, 0.75.
func (p Points) String() string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%02d", p/100, p%100), "0"), ".")
}

// Verdict is what the judge has said.
type Verdict int

const (
	Unjudged Verdict = iota // it has not come to it
	Missed
	Met
)

// Try is something that was handed in.
type Try struct {
	At      time.Time
	Verdict Verdict
}

// Mark is what an exercise has brought a student.
type Mark struct {
	Points   Points
	Of       int
	Counts   int  // the try that counts; -1: there is none
	Late     bool // that one was
	Tries    int
	Unjudged int // tries whose worth is not known yet
}

// Worth is what something is worth that is handed in at a time, in percent.
func (a *Assignment) Worth(at time.Time) int {
	switch {
	case !at.After(a.Due):
		return 100
	case !at.After(a.Closes()):
		return a.Percent
	}
	return 0
}

// Mark is what tries at one of the assignment's exercises come to, in the order in which they were made. Which of them
// counts is what the course says; what was handed in when it was worth nothing any more takes nothing from what was
// before.
func (a *Assignment) Mark(exercise int, tries []Try) Mark {
	m := Mark{Of: a.Points[exercise], Counts: -1, Tries: len(tries)}
	for i, t := range tries {
		var got Points
		if t.Verdict == Met {
			got = Points(m.Of * a.Worth(t.At))
		}
		if t.Verdict == Unjudged {
			m.Unjudged++
		}
		if m.Counts < 0 || got > m.Points || a.Last && a.Worth(t.At) > 0 {
			m.Counts, m.Points, m.Late = i, got, t.At.After(a.Due)
		}
	}
	return m
}
