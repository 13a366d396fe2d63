package solver

import (
	"fmt"
	"strings"

	"litmuscope/models"
)

// Tour is an exploration as it has gone from graph to graph, for who wants to see how it does.
type Tour struct {
	Name  string `json:"name"`
	Model string `json:"model"`
	// Stops are the graphs in the order of the visit, each behind the one that it is come to from. What comes of one
	// without anything else that could have come is the same stop.
	Stops []Stop `json:"stops"`

	// What there has been in all.
	Executions int `json:"executions"`
	Blocked    int `json:"blocked"` // graphs in which some thread waits for ever
	Failed     int `json:"failed"`  // graphs in which something fails
	Refused    int `json:"refused"` // graphs that the model does not allow, or that no execution comes of
	// times that a read was given a write that came later, or a lock was taken instead of an earlier one
	Revisits int `json:"revisits"`
	Spared   int `json:"spared"` // … and was not, for what comes of it is visited elsewhere
	// Left is how many stops are not among Stops.
	Left int `json:"left,omitempty"`
	// Cut: there is more, which nobody has looked at.
	Cut bool `json:"cut,omitempty"`

	// Graph is the graph of one stop, and Cycle what the model does not allow of it, by the axiom named Axiom.
	Graph *models.Graph `json:"graph,omitempty"`
	Cycle []models.Pair `json:"cycle,omitempty"`
	Axiom string        `json:"axiom,omitempty"`
}

// Stop is one graph of a Tour, or one that was tried and refused.
type Stop struct {
	From   int         `json:"from"` // -1 for the first
	Events []TourEvent `json:"events"`
	// Revisited is the read that was there before, and takes its value from the event: what came after it and the event
	// does not rest on is gone again. Or it has taken a lock, which the event takes instead of it.
	Revisited *TourEvent `json:"revisited,omitempty"`
	End       TourEnd    `json:"end,omitempty"`
	// Number counts executions.
	Number int `json:"number,omitempty"`
	// Left is how many stops that come of it are not among those of the Tour.
	Left int `json:"left,omitempty"`
}

// TourEvent is one that is added.
type TourEvent struct {
	Thread string `json:"thread"`
	Text   string `json:"text"` // "R x=1 from P0"
}

// TourEnd is what becomes of a graph.
type TourEnd string

// What may become of a graph that nothing is added to.
const (
	Executed TourEnd = "execution" // all threads are at their ends
	Blocked  TourEnd = "blocked"   // some thread waits
	Bounded  TourEnd = "bounded"   // some loop goes on beyond its bound
	Fails    TourEnd = "fails"     // some thread has failed
	Refused  TourEnd = "refused"   // the model does not allow it, or no execution comes of it
)

// Words are what a stop is, in a line.
func (s *Stop) Words() string {
	var out []string
	thread := ""
	for i, e := range s.Events {
		if e.Thread != thread {
			thread = e.Thread
			out = append(out, thread+":")
		}
		out = append(out, e.Text+",")
		if r := s.Revisited; r != nil && i == 0 {
			out[len(out)-1] = e.Text + ";"
			out = append(out, "revisits "+r.Thread+": "+r.Text+";")
			thread = ""
		}
	}
	text := strings.TrimRight(strings.Join(out, " "), ",;")
	if text == "" {
		text = "no events yet"
	}
	if end := s.EndWords(); end != "" {
		text += " → " + end
	}
	if s.Left > 0 {
		text += fmt.Sprintf(" (%s omitted)", Count(s.Left, "graph"))
	}
	return text
}

// EndWords are what becomes of a stop, "" where it goes on.
func (s *Stop) EndWords() string {
	switch s.End {
	case Executed:
		return fmt.Sprintf("execution %d", s.Number)
	case Blocked:
		return "blocked: a thread waits for a value that no thread writes"
	case Bounded:
		return "cut: a loop exceeds its bound"
	case Fails:
		return "fails"
	case Refused:
		return "forbidden"
	}
	return ""
}

// Words are what the whole tour comes to.
func (t *Tour) Words() string {
	out := []string{Count(t.Executions, "execution"), Count(t.Revisits, "revisit")}
	add := func(n int, text string) {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, text))
		}
	}
	add(t.Spared, "spared")
	add(t.Blocked, "blocked")
	add(t.Failed, "failed")
	add(t.Refused, "forbidden")
	text := strings.Join(out, ", ")
	if t.Cut {
		text += ", and more that were not explored"
	}
	if t.Left > 0 {
		text += fmt.Sprintf("; %s omitted below", Count(t.Left, "graph"))
	}
	return text
}

// Rail is what is drawn beside a stop: lines in columns, and the stop in one of them.
type Rail struct {
	Col  int  // the stop's
	From int  // the column that it comes from
	Down bool // something comes of it, in its column
	// Through tells of each column up to the stop's whether a line goes past, to a later stop.
	Through []bool
}

// Rails are the lines of the tree, the stops below one another: the last that comes of a stop stays in its column, the
// others go to the next.
func (t *Tour) Rails() []Rail {
	last := make([]int, len(t.Stops)) // the last that comes of each
	for i, s := range t.Stops {
		last[i] = -1
		if s.From >= 0 {
			last[s.From] = i
		}
	}
	out := make([]Rail, len(t.Stops))
	var open []int // by column, the stop until which its line goes down; 0 for none
	for i, s := range t.Stops {
		r := &out[i]
		if s.From >= 0 {
			r.From = out[s.From].Col
			if r.Col = r.From; last[s.From] != i {
				r.Col++
			}
		}
		for len(open) <= r.Col {
			open = append(open, 0)
		}
		open = open[:r.Col+1]
		r.Through = make([]bool, len(open))
		for col := range open {
			r.Through[col] = open[col] > i
		}
		open[r.Col], r.Down = max(0, last[i]), last[i] >= 0
	}
	return out
}
