package models

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
)

// EventKind is what an event does.
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
	Loc    int // index into Program.Locs; -1 for a fence that is of no location
	Value  uint64
	Tags   ir.Tags
}

// Pair is two related events, by ID.
type Pair [2]int

// Execution is one candidate run of a program. Events are numbered from 0:
// first one initial write for each location, in the order of Program.Locs, then
// each thread's events in program order. Within a thread po is the order of IDs;
// initial writes are before everything in co but in no po.
type Execution struct {
	Program *ir.Program
	Events  []Event
	RF      []int   // for each event: the write it reads from; -1 if it is no read
	CO      [][]int // for each location: its writes in coherence order, the initial one first
	Addr    []Pair  // address dependencies, from a read to an access
	Data    []Pair  // data dependencies, from a read to a write
	Ctrl    []Pair  // control dependencies, from a read to what follows the branch
	RMW     []Pair  // the read and the write of an atomic instruction
	Regs    [][]uint64
	// Orders are those that a model chooses, by event. Where one is not given, a [Checker]
	// finds one by itself.
	Orders map[*cat.Order][]int
}

// Replay runs each thread of p on the values that its reads return, in program
// order, and for each store-conditional a 1 where it succeeds, a 0 where it fails; a
// choice takes its bit likewise. It returns the execution that results, as yet without rf and co. It
// fails when a thread reads more or fewer values than given, does not end, or
// leaves the locations.
func Replay(p *ir.Program, reads [][]uint64) (*Execution, error) {
	x := &Execution{Program: p, Regs: make([][]uint64, len(p.Threads)), CO: make([][]int, len(p.Locs))}
	for i := range p.Locs {
		x.add(Event{Thread: InitThread, Step: -1, Kind: Write, Loc: i, Value: p.Locs[i].Init})
	}
	for t := range p.Threads {
		if err := x.replayThread(t, reads[t]); err != nil {
			return nil, err
		}
	}
	x.RF = make([]int, len(x.Events))
	for i := range x.RF {
		x.RF[i] = -1
	}
	return x, nil
}

func (x *Execution) replayThread(t int, reads []uint64) error {
	c := ir.NewCursor(x.Program, t, true)
	var readIDs []int // event IDs of the thread's reads, store-conditionals and picks, by number
	for {
		a, err := c.Next()
		if err != nil {
			return err
		}
		e := Event{Thread: t, Step: a.Step, Loc: a.Loc, Tags: a.Tags}
		switch a.Kind {
		case ir.ActEnd:
			if len(reads) > 0 {
				return fmt.Errorf("P%d: %d values left unread", x.Program.Threads[t].ID, len(reads))
			}
			x.Regs[t] = c.Regs
			return nil
		case ir.ActBlocked:
			return fmt.Errorf("P%d: an assumption does not hold", x.Program.Threads[t].ID)
		case ir.ActUnwound:
			return fmt.Errorf("P%d: the execution runs into the unwinding bound", x.Program.Threads[t].ID)
		case ir.ActFence:
			e.Kind = Fence
			x.depend(a.Deps, readIDs, x.add(e))
			c.Pass()
		case ir.ActPick:
			e.Kind = Fence
			id := x.add(e)
			x.depend(a.Deps, readIDs, id)
			readIDs = append(readIDs, id)
			c.Pass()
		case ir.ActChoose:
			if len(reads) == 0 {
				return fmt.Errorf("P%d: more choices than values", x.Program.Threads[t].ID)
			}
			c.Choose(reads[0] == 1)
			reads = reads[1:]
		case ir.ActStore:
			e.Kind, e.Value = Write, a.Value
			x.depend(a.Deps, readIDs, x.add(e))
			c.Pass()
		case ir.ActLoad, ir.ActRMW:
			if len(reads) == 0 {
				return fmt.Errorf("P%d: more reads than values", x.Program.Threads[t].ID)
			}
			e.Kind, e.Value = Read, reads[0]
			reads = reads[1:]
			r := x.add(e)
			x.depend(a.Deps, readIDs, r)
			v, writes := c.Read(e.Value)
			if writes {
				e.Kind, e.Value = Write, v
				if op, ok := x.Program.Threads[t].Code[a.Step].Op.(ir.RMW); ok {
					e.Tags = op.WriteTags
				}
				w := x.add(e)
				a.Deps.Data = c.Data
				x.depend(a.Deps, append(readIDs, r), w)
				x.RMW = append(x.RMW, Pair{r, w})
			}
			readIDs = append(readIDs, r)
		case ir.ActStoreCond:
			if len(reads) == 0 {
				return fmt.Errorf("P%d: more reads than values", x.Program.Threads[t].ID)
			}
			succeeds := reads[0] == 1
			reads = reads[1:]
			w := -1
			if succeeds {
				if a.Reserved < 0 {
					return fmt.Errorf("P%d: a store-conditional succeeds without its exclusive load", x.Program.Threads[t].ID)
				}
				e.Kind, e.Value = Write, a.Value
				w = x.add(e)
				x.depend(a.Deps, readIDs, w)
				x.RMW = append(x.RMW, Pair{readIDs[a.Reserved], w})
			}
			readIDs = append(readIDs, w)
			c.Conditional(succeeds)
		}
	}
}

func (x *Execution) add(e Event) int {
	e.ID = len(x.Events)
	x.Events = append(x.Events, e)
	return e.ID
}

func (x *Execution) depend(d ir.Deps, readIDs []int, e int) {
	for _, r := range d.Addr {
		x.Addr = append(x.Addr, Pair{readIDs[r], e})
	}
	for _, r := range d.Data {
		x.Data = append(x.Data, Pair{readIDs[r], e})
	}
	for _, r := range d.Ctrl {
		x.Ctrl = append(x.Ctrl, Pair{readIDs[r], e})
	}
}

// Final is the final state: the last write to each location in co, and the
// registers when the threads end.
func (x *Execution) Final() ir.State {
	s := make(ir.State, len(x.Program.Observed))
	for i, o := range x.Program.Observed {
		if o.Thread >= 0 {
			s[i] = x.Regs[o.Thread][o.Index] & ir.Mask(o.Bits)
			continue
		}
		order := x.CO[o.Index]
		s[i] = x.Events[order[len(order)-1]].Value
	}
	return s
}
