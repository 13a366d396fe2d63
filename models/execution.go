package models

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
)

// EventKind tells reads, writes and fences apart.
type EventKind int

// The kinds of events.
const (
	Read EventKind = iota
	Write
	Fence
)

func (k EventKind) String() string { return [...]string{"R", "W", "F"}[k] }

// InitThread is the thread of the initial writes.
const InitThread = -1

// Event is one memory access or fence of an execution.
type Event struct {
	ID     int
	Thread int // index into Program.Threads, or InitThread
	Step   int // index into the thread's Code; -1 for an initial write
	Kind   EventKind
	Loc    int // index into Program.Locs; -1 for a fence without a location
	Value  uint64
	Tags   ir.Tags
	// Piece is the event's index among the pieces of its access, if that covers several locations. The pieces are in
	// the order of their locations and not ordered by program order.
	Piece int
	// Half is 1 for the second half of an access each of whose halves is single-copy atomic by itself, and else 0.
	Half int
}

// FirstPiece is the first piece of an event's access.
func (e *Event) FirstPiece() int { return e.ID - e.Piece }

// SameThread reports whether two events belong to one thread. Initial writes belong to none.
func (e *Event) SameThread(other *Event) bool {
	return e.Thread == other.Thread && e.Thread != InitThread
}

// Pair is two related events, by ID.
type Pair [2]int

// Execution is one execution of a program, whether or not a model allows it. Events are numbered from 0: first one
// initial write for each location, in the order of Program.Locs, then each thread's events in program order. Within a
// thread, po is the order of IDs; Spawns and Joins add po across threads. Initial writes come first in co and are in no
// po.
type Execution struct {
	Program *ir.Program
	Events  []Event
	RF      []int   // for each event: the write it reads from; -1 if it is no read
	CO      [][]int // for each location: its writes in coherence order, the initial one first
	Addr    []Pair  // address dependencies, from a read to an access
	Data    []Pair  // data dependencies, from a read to a write
	Ctrl    []Pair  // control dependencies, from a read to what follows the branch
	RMW     []Pair  // the read and the write of an atomic instruction
	// Spawns lead from the event of a Spawn to the first event of the new thread. Joins lead from a thread's last event
	// to that of a Join, or from the Spawn's event if the thread has none.
	Spawns, Joins []Pair
	// by event: the first event of the atomic section that contains it, -1 for none; nil without sections
	Section []int
	Regs    [][]uint64
	Reads   [][]uint64  // by thread, the input of the replay (package replay)
	Stops   []ir.Action // by thread: the action at which it stopped, which it does not perform
	// Orders are the orders that the model chooses, by event. A checker looks for an order that is missing.
	Orders map[*cat.Order][]int
}

// Add appends an event and returns its number.
func (x *Execution) Add(e Event) int {
	e.ID = len(x.Events)
	x.Events = append(x.Events, e)
	return e.ID
}

// Final returns the final state: the last write to each location in co, and the registers when the threads end.
func (x *Execution) Final() ir.State {
	s := make(ir.State, len(x.Program.Observed))
	for i, o := range x.Program.Observed {
		if o.Thread >= 0 {
			s[i] = x.Regs[o.Thread][o.Index] & ir.Mask(o.Bits)
			continue
		}
		s[i] = x.observed(o)
	}
	return s
}

// observed returns the final value of an observable's locations.
func (x *Execution) observed(o ir.Observable) (value uint64) {
	if !x.Program.Split {
		return x.Last(o.Index)
	}
	pieces, _ := x.Program.Pieces(o.Index, o.Bits)
	for _, q := range pieces {
		value |= x.Last(q.Loc) << q.Lo
	}
	return value
}

// Last returns the final value of a location.
func (x *Execution) Last(loc int) uint64 {
	order := x.CO[loc]
	return x.Events[order[len(order)-1]].Value
}

// WellFormed checks what every execution must satisfy under any model: each read takes its value from one write to its
// location, and co orders the writes of each location, the initial one first.
func (x *Execution) WellFormed() error {
	placed := make([]bool, len(x.Events))
	for loc, order := range x.CO {
		for i, w := range order {
			e := x.Events[w]
			if e.Kind != Write || e.Loc != loc || placed[w] || (e.Thread == InitThread) != (i == 0) {
				return fmt.Errorf("event %d is out of place in the coherence order of %s", w, x.Program.Locs[loc].Name)
			}
			placed[w] = true
		}
	}
	for _, e := range x.Events {
		switch e.Kind {
		case Write:
			if !placed[e.ID] {
				return fmt.Errorf("write %d is not in the coherence order", e.ID)
			}
		case Read:
			w := x.RF[e.ID]
			if w < 0 || x.Events[w].Kind != Write || x.Events[w].Loc != e.Loc || x.Events[w].Value != e.Value {
				return fmt.Errorf("read %d does not take its value from event %d", e.ID, w)
			}
		}
	}
	return nil
}
