package course

import (
	"fmt"
	"strings"
	"time"
)

// Points are hundredths of a point.
type Points int

// String formats points with as many digits as needed: 2, 2.5, 0.75.
func (p Points) String() string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%02d", p/100, p%100), "0"), ".")
}

// Verdict is the judge's verdict.
type Verdict int

const (
	Unjudged Verdict = iota // it has not come to it
	Missed                  // the submission does not solve the exercise
	Met                     // it does
)

// Try is one submission for an exercise.
type Try struct {
	At      time.Time
	Verdict Verdict
}

// Mark is a student's result for an exercise.
type Mark struct {
	Points   Points
	Of       int
	Counts   int  // the try that counts; -1: there is none
	Late     bool // that one was
	Tries    int
	Unjudged int // tries whose worth is not known yet
}

// Worth returns how many percent of its points work is worth that is handed in at a time.
func (a *Assignment) Worth(at time.Time) int {
	switch {
	case !at.After(a.Due):
		return 100
	case !at.After(a.Closes()):
		return a.Percent
	}
	return 0
}

// Mark computes the mark for the tries at one of the assignment's exercises, given in order of time. The course says
// which try counts: the best or the last. A try that is worth nothing any more does not reduce the mark.
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
