package solver

import (
	"fmt"
	"strings"

	"litmuscope/models"
)

// Tour records an exploration of execution graphs, graph by graph, for readers.
type Tour struct {
	Name  string `json:"name"`
	Model string `json:"model"`
	// Stops are the visited graphs in order, each after the one that it extends. Steps without an alternative belong to
	// the same stop.
	Stops []Stop `json:"stops"`

	// Totals of the whole exploration.
	Executions int `json:"executions"`
	Blocked    int `json:"blocked"` // graphs in which some thread waits forever
	Failed     int `json:"failed"`  // graphs in which something fails
	Refused    int `json:"refused"` // graphs that the model forbids, or that no execution extends
	// how often a read got a later write, or a thread acquired a lock in place of an earlier one
	Revisits int `json:"revisits"`
	Spared   int `json:"spared"` // skipped revisits, whose graphs the exploration visits elsewhere
	// Left is the number of stops that Stops omits.
	Left int `json:"left,omitempty"`
	// Cut: the exploration ended early.
	Cut bool `json:"cut,omitempty"`

	// Graph is the graph of one stop. Cycle is what the axiom named Axiom forbids in it.
	Graph *models.Graph `json:"graph,omitempty"`
	Cycle []models.Pair `json:"cycle,omitempty"`
	Axiom string        `json:"axiom,omitempty"`
}

// Stop is one graph of a Tour, or one that the model rejected.
type Stop struct {
	From   int         `json:"from"` // -1 for the first
	Events []TourEvent `json:"events"`
	// Revisited is an earlier read that now takes its value from the event; the revisit removes events after it unless
	// the event depends on them. Or it is an earlier lock operation, and the event takes the lock instead.
	Revisited *TourEvent `json:"revisited,omitempty"`
	End       TourEnd    `json:"end,omitempty"`
	// Number counts executions.
	Number int `json:"number,omitempty"`
	// Left is the number of its successors that the Tour omits.
	Left int `json:"left,omitempty"`
}

// TourEvent is an event that a stop adds.
type TourEvent struct {
	Thread string `json:"thread"`
	Text   string `json:"text"` // "R x=1 from P0"
}

// TourEnd says how the exploration of a graph ends.
type TourEnd string

// The ends of graphs without further events.
const (
	Executed TourEnd = "execution" // all threads are at their ends
	Blocked  TourEnd = "blocked"   // some thread waits
	Bounded  TourEnd = "bounded"   // some loop exceeds its bound
	Fails    TourEnd = "fails"     // some thread has failed
	Refused  TourEnd = "refused"   // the model forbids it, or no execution extends it
)

// Words describes a stop in a line.
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

// EndWords describes how a stop ends; "" if it continues.
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

// Words summarises the tour in a line.
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

// Rail describes the lines drawn next to a stop, in columns; the stop is in one of them.
type Rail struct {
	Col  int  // the stop's
	From int  // the column that it comes from
	Down bool // it has a successor in its column
	// Through tells of each column up to the stop's whether a line goes past, to a later stop.
	Through []bool
}

// Rails are the lines of the tree, the stops below one another: the last successor of a stop stays in its column, the
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
