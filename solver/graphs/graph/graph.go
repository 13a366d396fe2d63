package graph

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Class is a number for events that the model sees as the same by themselves: of one kind, and in the same tagged sets.
type Class uint16

// Kind is what an event does.
type Kind uint8

// The kinds of events.
const (
	Read Kind = iota
	Write
	Fence
	Spawn
	Join
	Enter // an atomic section
	Leave
	Choice // of a thread: between two alternatives, which no other thread sees
)

// What a read may take its value from beside the graph's events.
const (
	Initial = -1 // the initial write of its location
	None    = -2 // nothing yet
)

// Event is one of an execution graph. The graph numbers events in the order of their arrival.
type Event struct {
	Kind   Kind
	Class  Class
	Thread int32
	Pos    int32 // in its thread
	Step   int32
	Loc    int32 // -1 for none
	RF     int32 // of a read: the write that it takes its value from
	Half   int32 // of the write of an atomic update: its read; else -1
	// Whole are the pieces of the access that it is one of, and Piece which; none of one that is to a location.
	Whole []ir.Piece
	Piece int32
	Other int32 // the spawned or joined thread
	// Section is the place in its thread at which its atomic section begins; -1 for none.
	Section int32
	// Usual: the exploration assumes this alternative in graphs that it leaves for later.
	Usual bool
	Free  bool // of a choice: at will, rather than of what may fail for no reason
	Unset bool // of a read: its value does not exist yet
	Locks bool // of a read: of an update that takes a lock
	// Where threads run ahead: its value is unknown, and waits for reads of the thread, by place, if it is a write; a
	// read waits for a later write; and a write has no place in coherence, because its update has not read.
	Unknown, Later, Unplaced bool
	Waits                    []int32
	Value                    uint64
	Tags                     ir.Tags
	Sets                     uint64 // the tagged sets of the model that it is in
	Deps                     *Deps  // where the model wants them
}

// Deps are the events of the thread, by place, that an event depends on.
type Deps struct{ Addr, Data, Ctrl []int32 }

// Graph is an execution graph that is consistent so far, and where its threads are.
type Graph struct {
	Events  []Event
	clocks  []int32   // by event, how many events of each thread are before it in (po ∪ rf)*, it among them
	sb      []int32   // the same for program order, with what spawns and joins make of it
	Order   [][]int32 // by thread, its events in program order
	CO      [][]int32 // by location, its writes in coherence order, less the initial one
	Threads []Thread
	Columns Columns
}

// New is a graph without events, of so many threads at most, which have not started.
func New(threads int) *Graph {
	return &Graph{Order: make([][]int32, threads), Threads: make([]Thread, threads)}
}

// CopyFrom makes the graph a copy of another.
func (g *Graph) CopyFrom(from *Graph) {
	g.locations(len(from.CO))
	g.Events = append(g.Events[:0], from.Events...)
	g.clocks, g.sb = append(g.clocks[:0], from.clocks...), append(g.sb[:0], from.sb...)
	g.Columns.set(&from.Columns)
	for t := range from.Order {
		g.Order[t] = append(g.Order[t][:0], from.Order[t]...)
		g.Threads[t].CopyFrom(&from.Threads[t])
	}
	for l := range from.CO {
		g.CO[l] = append(g.CO[l][:0], from.CO[l]...)
	}
}

// Clock is, by thread, how many of its events come before an event in (po ∪ rf)*, it among them.
func (g *Graph) Clock(e int32) []int32 {
	n := len(g.Threads)
	return g.clocks[int(e)*n : (int(e)+1)*n]
}

// Passed is, by thread, how many of its events an event comes behind in program order.
func (g *Graph) Passed(e int32) []int32 {
	n := len(g.Threads)
	return g.sb[int(e)*n : (int(e)+1)*n]
}

// Before reports whether a is b, or before it in (po ∪ rf)+.
func (g *Graph) Before(a, b int32) bool {
	return g.Events[a].Pos < g.Clock(b)[g.Events[a].Thread]
}

// Add puts an event behind the others of its thread.
func (g *Graph) Add(e Event) int32 {
	id := int32(len(g.Events))
	list := g.Order[e.Thread]
	e.Pos, e.Section = int32(len(list)), g.SectionAt(int(e.Thread))
	if e.Kind == Enter {
		e.Section = e.Pos
	}
	g.locations(max(len(g.CO), int(e.Loc)+1))
	g.Events = append(g.Events, e)
	g.Order[e.Thread] = append(list, id)
	for range g.Threads {
		g.clocks, g.sb = append(g.clocks, 0), append(g.sb, 0)
	}
	g.Columns.grow(len(g.Events))
	g.Columns.locate(id, e.Loc)
	g.Tick(id)
	return id
}

// Tick sets the clock of an event that is the last of its thread.
func (g *Graph) Tick(id int32) {
	e := &g.Events[id]
	c, p := g.Clock(id), g.Passed(id)
	clear(c)
	clear(p)
	after := func(other int32) {
		for t, n := range g.Clock(other) {
			c[t] = max(c[t], n)
		}
	}
	behind := func(other int32) {
		after(other)
		for t, n := range g.Passed(other) {
			p[t] = max(p[t], n)
		}
	}
	if first := e.First(); first > 0 {
		for _, a := range g.RightBefore(e.Thread, first) {
			behind(a)
		}
	} else if s := g.Threads[e.Thread].Spawner; s >= 0 {
		behind(s)
	}
	switch {
	case e.Kind == Read && e.RF >= 0:
		after(e.RF)
	case e.Kind == Join:
		if n := len(g.Order[e.Other]); n > 0 {
			for _, a := range g.RightBefore(e.Other, int32(n)) {
				behind(a)
			}
		} else if s := g.Threads[e.Other].Spawner; s >= 0 {
			behind(s)
		}
	}
	p[e.Thread] = e.Pos + 1
	c[e.Thread] = e.Pos + 1
}

// Last is the last write of a location in coherence.
func (g *Graph) Last(loc int32) int32 {
	if int(loc) >= len(g.CO) {
		return Initial
	}
	if list := g.CO[loc]; len(list) > 0 {
		return list[len(list)-1]
	}
	return Initial
}

// Place puts a write into the coherence order of its location, before what is at index i.
func (g *Graph) Place(w int32, i int) {
	loc := g.Events[w].Loc
	g.CO[loc] = slices.Insert(g.CO[loc], i, w)
}

// Rank is the place of a write in coherence; -1 of the initial one.
func (g *Graph) Rank(loc, w int32) int { return slices.Index(g.CO[loc], w) }

// locations makes room for so many.
func (g *Graph) locations(n int) {
	for len(g.CO) < n {
		g.CO = append(g.CO, nil)
	}
	for i := n; i < len(g.CO); i++ {
		g.CO[i] = g.CO[i][:0]
	}
}

// SectionAt is the section that a thread is in, as Event.Section is; -1 for none.
func (g *Graph) SectionAt(t int) int32 {
	list := g.Order[t]
	if len(list) == 0 {
		return -1
	}
	e := &g.Events[list[len(list)-1]]
	if e.Kind == Leave {
		return -1
	}
	return e.Section
}

// Without makes the graph a copy of another without some events, with the threads of the other. It returns the new
// numbers of events.
func (g *Graph) Without(from *Graph, gone []bool) (at []int32) {
	n := len(from.Threads)
	at = make([]int32, len(from.Events))
	g.Events, g.clocks, g.sb = g.Events[:0], g.clocks[:0], g.sb[:0]
	for t := range g.Order {
		g.Order[t] = g.Order[t][:0]
	}
	for i := range from.Events {
		if gone[i] {
			continue
		}
		at[i] = int32(len(g.Events))
		g.Events = append(g.Events, from.Events[i])
		g.clocks = append(g.clocks, from.clocks[i*n:(i+1)*n]...)
		g.sb = append(g.sb, from.sb[i*n:(i+1)*n]...)
		t := from.Events[i].Thread
		g.Order[t] = append(g.Order[t], at[i])
	}
	g.Columns.less(&from.Columns, gone, at)
	for i := range g.Events {
		e := &g.Events[i]
		if e.RF >= 0 {
			e.RF = at[e.RF]
		}
		if e.Half >= 0 {
			e.Half = at[e.Half]
		}
		g.Columns.locate(int32(i), e.Loc)
	}
	g.locations(len(from.CO))
	for l, list := range from.CO {
		g.CO[l] = g.CO[l][:0]
		for _, w := range list {
			if !gone[w] {
				g.CO[l] = append(g.CO[l], at[w])
			}
		}
	}
	return at
}

// Less is the graph without some events, whose threads then are where they were before, and with read r taking its
// value from w. It returns the new numbers of r and w.
func (g *Graph) Less(s *Places, from *Graph, gone []bool, r, w int32) (newR, newW int32, err error) {
	at := g.Without(from, gone)
	newR, newW = at[r], at[w]
	e := &g.Events[newR]
	e.RF, e.Value = newW, g.Events[newW].Value
	return newR, newW, g.Retake(s, from, gone, at, newR)
}

// Retake moves the threads of a graph, which another has become without some events, to their positions in it. A read
// may have a new value: changed, none for none.
func (g *Graph) Retake(s *Places, from *Graph, gone []bool, at []int32, changed int32) error {
	asBefore := func(t int) bool {
		by := from.Threads[t].Spawner
		return len(g.Order[t]) == len(from.Order[t]) && (changed == None || g.Events[changed].Thread != int32(t)) &&
			(by < 0 || !gone[by])
	}
	for t := range g.Threads {
		th, was := &g.Threads[t], &from.Threads[t]
		if asBefore(t) {
			th.CopyFrom(was)
			if th.Spawner >= 0 {
				th.Spawner = at[th.Spawner]
			}
			continue
		}
		th.Start(s, t)
		if by := was.Spawner; by >= 0 && !gone[by] {
			th.begin(at[by], was.Call)
		}
	}
	if changed != None {
		g.Tick(changed) // which asks who has spawned its thread
	}
	for t := range g.Threads {
		th := &g.Threads[t]
		if asBefore(t) {
			continue
		}
		for _, id := range g.Order[t] {
			if err := th.FindNext(); err != nil {
				return err
			}
			th.MovePast(g, id)
			if id == changed { // an update that failed may succeed now
				g.Events[id].Tags = th.at.first
			}
		}
	}
	return nil
}

// Value is the value of a write, or the initial value of a location, if known.
func (g *Graph) Value(p Program, loc, w int32) (v uint64, set bool) {
	if w == Initial {
		return p.InitialValue(g, loc)
	}
	return g.Events[w].Value, true
}

// TakeFrom makes a read take its value from a write, without the thread's knowledge.
func (g *Graph) TakeFrom(p Program, id, w int32) {
	e := &g.Events[id]
	v, set := g.Value(p, e.Loc, w)
	e.RF, e.Value, e.Unset = w, v, !set
}
