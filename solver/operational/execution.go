package operational

import (
	"fmt"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// Execution is the execution in a picture, in the order in which machines compare it with their states.
type Execution struct {
	Program *ir.Program
	Graph   *models.Graph
	Threads [][]int     // by thread: its events in program order, without choices among values
	From    map[int]int // by read: its write
	Orders  [][]int     // by location: its writes in coherence order, first the initial one

	picks map[int][]int // by event: the choices among values that follow it
}

// NewExecution indexes a graph. It fails if that is of another test.
func NewExecution(p *ir.Program, g *models.Graph) (*Execution, error) {
	if len(g.Threads) != len(p.Threads) {
		return nil, fmt.Errorf("the execution has %d threads, the test %d", len(g.Threads), len(p.Threads))
	}
	x := &Execution{
		Program: p, Graph: g, Threads: make([][]int, len(p.Threads)), From: g.Back("rf"),
		Orders: make([][]int, len(p.Locs)), picks: map[int][]int{},
	}
	after := g.Next("co")
	last := -1
	for i, e := range g.Events {
		switch {
		case e.Thread < 0:
			l := slices.IndexFunc(p.Locs, func(l ir.Location) bool { return l.Name == e.Loc })
			if l < 0 {
				return nil, fmt.Errorf("the test has no location %s", e.Loc)
			}
			for w, more := i, true; more && len(x.Orders[l]) <= len(g.Events); w, more = after[w] {
				x.Orders[l] = append(x.Orders[l], w)
			}
		case e.Tags.Has(ir.TagPick):
			x.picks[last] = append(x.picks[last], i)
		default:
			x.Threads[e.Thread] = append(x.Threads[e.Thread], i)
			last = i
		}
	}
	return x, nil
}

// Kind is the kind of an event of a thread.
type Kind byte

// The kinds of events.
const (
	Read  Kind = 'R'
	Write Kind = 'W'
	Fence Kind = 'F'
)

// Match assigns the first events of a thread to what the thread has done so far, in program order. It returns the event
// of each, -1 for a fence that has none, and all events that have happened with these. It fails if the thread does
// something else in the execution.
func (x *Execution) Match(t int, did []Kind) (events, all []int, ok bool) {
	rest := x.Threads[t]
	for _, k := range did {
		if k == Fence {
			if len(rest) == 0 || x.Graph.Events[rest[0]].Kind != string(Fence) {
				events = append(events, -1)
				continue
			}
		}
		e := -1
		for e < 0 {
			if len(rest) == 0 {
				return nil, nil, false
			}
			all = append(append(all, rest[0]), x.picks[rest[0]]...)
			switch found := x.Graph.Events[rest[0]].Kind; {
			case found == string(k):
				e = rest[0]
			case found != string(Fence):
				return nil, nil, false
			}
			rest = rest[1:]
		}
		events = append(events, e)
	}
	return events, all, true
}

// Initial is the initial write of a location; -1 if the execution has none.
func (x *Execution) Initial(loc int) int {
	if len(x.Orders[loc]) == 0 {
		return -1
	}
	return x.Orders[loc][0]
}

// HasValue reports whether an event has a value of a location.
func (x *Execution) HasValue(event, loc int, value uint64) bool {
	return x.Graph.Events[event].Value == x.Program.FormatAt(loc, value)
}

// Over reports whether all of an execution has happened, apart from fences.
func (x *Execution) Over(happened []int) bool {
	left := 0
	for _, events := range x.Threads {
		for _, e := range events {
			if x.Graph.Events[e].Kind != string(Fence) {
				left++
			}
		}
	}
	for _, e := range happened {
		if g := x.Graph.Events[e]; g.Kind != string(Fence) && !g.Tags.Has(ir.TagPick) {
			left--
		}
	}
	return left == 0
}
