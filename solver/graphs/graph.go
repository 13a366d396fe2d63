package graphs

import (
	"slices"

	"litmuscope/litmus/ir"
)

// class is a number for events that the model sees as the same by themselves: of one kind, and in the same tagged sets.
type class uint16

type kind uint8

const (
	read kind = iota
	write
	fence
	spawn
	join
	enter // an atomic section
	leave
	choice // of a thread: between two ways to go on, which no other sees
)

// What a read may take its value from beside the graph's events.
const (
	initial = -1 // the initial write of its location
	none    = -2 // nothing yet
)

// event is one of an execution graph. Events are numbered in the order in which they came.
type event struct {
	kind   kind
	class  class
	thread int32
	pos    int32 // in its thread
	step   int32
	loc    int32 // -1 for none
	rf     int32 // of a read: the write that it takes its value from
	half   int32 // of the write of an atomic update: its read; else -1
	// whole are the pieces of the access that it is one of, and piece which; none of one that is to a location.
	whole []ir.Piece
	piece int32
	other int32 // the thread that is spawned or joined
	// section is the place in its thread at which the atomic section begins that it is in; -1 for none.
	section int32
	// usual: of what can be chosen here, exploration takes this for granted in what it leaves for later.
	usual bool
	free  bool // of a choice: at will, rather than of what may fail for no reason
	unset bool // of a read: what it has read has no value yet
	locks bool // of a read: of an update that takes a lock
	// Where threads run ahead: its value is not known, and waits for reads of the thread, by place, if it is a write; a read waits for a
	// later write; and a write has no place in coherence, for its update has not read.
	unknown, later, unplaced bool
	waits                    []int32
	value                    uint64
	tags                     ir.Tags
	sets                     uint64 // the tagged sets of the model that it is in
	deps                     *deps  // where the model wants them
}

// deps are the events of the thread, by place, that an event depends on.
type deps struct{ addr, data, ctrl []int32 }

// graph is an execution graph that is consistent so far, and where its threads are.
type graph struct {
	events  []event
	clocks  []int32   // by event, how many events of each thread are before it in (po ∪ rf)*, it among them
	sb      []int32   // the same for program order, with what spawns and joins make of it
	order   [][]int32 // by thread, its events in program order
	co      [][]int32 // by location, its writes in coherence order, less the initial one
	threads []thread
	cols    columns
}

func newGraph(threads int) *graph {
	return &graph{order: make([][]int32, threads), threads: make([]thread, threads)}
}

func (g *graph) set(from *graph) {
	g.locations(len(from.co))
	g.events = append(g.events[:0], from.events...)
	g.clocks, g.sb = append(g.clocks[:0], from.clocks...), append(g.sb[:0], from.sb...)
	g.cols.set(&from.cols)
	for t := range from.order {
		g.order[t] = append(g.order[t][:0], from.order[t]...)
		g.threads[t].set(&from.threads[t])
	}
	for l := range from.co {
		g.co[l] = append(g.co[l][:0], from.co[l]...)
	}
}

func (g *graph) clock(e int32) []int32 {
	n := len(g.threads)
	return g.clocks[int(e)*n : (int(e)+1)*n]
}

// passed is, by thread, how many of its events an event comes behind in program order.
func (g *graph) passed(e int32) []int32 {
	n := len(g.threads)
	return g.sb[int(e)*n : (int(e)+1)*n]
}

// before tells whether a is b, or before it in (po ∪ rf)+.
func (g *graph) before(a, b int32) bool {
	return g.events[a].pos < g.clock(b)[g.events[a].thread]
}

// add puts an event behind the others of its thread.
func (g *graph) add(e event) int32 {
	id := int32(len(g.events))
	list := g.order[e.thread]
	e.pos, e.section = int32(len(list)), g.sectionAt(int(e.thread))
	if e.kind == enter {
		e.section = e.pos
	}
	g.locations(max(len(g.co), int(e.loc)+1))
	g.events = append(g.events, e)
	g.order[e.thread] = append(list, id)
	for range g.threads {
		g.clocks, g.sb = append(g.clocks, 0), append(g.sb, 0)
	}
	g.cols.grow(len(g.events))
	g.cols.locate(id, e.loc)
	g.tick(id)
	return id
}

// tick sets the clock of an event that is the last of its thread.
func (g *graph) tick(id int32) {
	e := &g.events[id]
	c, p := g.clock(id), g.passed(id)
	clear(c)
	clear(p)
	after := func(other int32) {
		for t, n := range g.clock(other) {
			c[t] = max(c[t], n)
		}
	}
	behind := func(other int32) {
		after(other)
		for t, n := range g.passed(other) {
			p[t] = max(p[t], n)
		}
	}
	if first := e.first(); first > 0 {
		for _, a := range g.rightBefore(e.thread, first) {
			behind(a)
		}
	} else if s := g.threads[e.thread].spawner; s >= 0 {
		behind(s)
	}
	switch {
	case e.kind == read && e.rf >= 0:
		after(e.rf)
	case e.kind == join:
		if n := len(g.order[e.other]); n > 0 {
			for _, a := range g.rightBefore(e.other, int32(n)) {
				behind(a)
			}
		} else if s := g.threads[e.other].spawner; s >= 0 {
			behind(s)
		}
	}
	p[e.thread] = e.pos + 1
	c[e.thread] = e.pos + 1
}

// last is the last write of a location in coherence.
func (g *graph) last(loc int32) int32 {
	if int(loc) >= len(g.co) {
		return initial
	}
	if list := g.co[loc]; len(list) > 0 {
		return list[len(list)-1]
	}
	return initial
}

// place puts a write into the coherence order of its location, before what is at index i.
func (g *graph) place(w int32, i int) {
	loc := g.events[w].loc
	g.co[loc] = slices.Insert(g.co[loc], i, w)
}

// rank is the place of a write in coherence; -1 of the initial one.
func (g *graph) rank(loc, w int32) int { return slices.Index(g.co[loc], w) }

// locations makes room for so many.
func (g *graph) locations(n int) {
	for len(g.co) < n {
		g.co = append(g.co, nil)
	}
	for i := n; i < len(g.co); i++ {
		g.co[i] = g.co[i][:0]
	}
}

// sectionAt is the section that a thread is in, as event.section is; -1 for none.
func (g *graph) sectionAt(t int) int32 {
	list := g.order[t]
	if len(list) == 0 {
		return -1
	}
	e := &g.events[list[len(list)-1]]
	if e.kind == leave {
		return -1
	}
	return e.section
}

// without makes the graph what another is without some events, but for its threads. The new numbers of events are given.
func (g *graph) without(from *graph, gone []bool) (at []int32) {
	n := len(from.threads)
	at = make([]int32, len(from.events))
	g.events, g.clocks, g.sb = g.events[:0], g.clocks[:0], g.sb[:0]
	for t := range g.order {
		g.order[t] = g.order[t][:0]
	}
	for i := range from.events {
		if gone[i] {
			continue
		}
		at[i] = int32(len(g.events))
		g.events = append(g.events, from.events[i])
		g.clocks = append(g.clocks, from.clocks[i*n:(i+1)*n]...)
		g.sb = append(g.sb, from.sb[i*n:(i+1)*n]...)
		t := from.events[i].thread
		g.order[t] = append(g.order[t], at[i])
	}
	g.cols.less(&from.cols, gone, at)
	for i := range g.events {
		e := &g.events[i]
		if e.rf >= 0 {
			e.rf = at[e.rf]
		}
		if e.half >= 0 {
			e.half = at[e.half]
		}
		g.cols.locate(int32(i), e.loc)
	}
	g.locations(len(from.co))
	for l, list := range from.co {
		g.co[l] = g.co[l][:0]
		for _, w := range list {
			if !gone[w] {
				g.co[l] = append(g.co[l], at[w])
			}
		}
	}
	return at
}

// less is the graph without some events, whose threads then are where they were before, and with read r
// taking its value from w. The new numbers of r and w are given.
func (g *graph) less(s *places, from *graph, gone []bool, r, w int32) (newR, newW int32, err error) {
	at := g.without(from, gone)
	newR, newW = at[r], at[w]
	e := &g.events[newR]
	e.rf, e.value = newW, g.events[newW].value
	return newR, newW, g.retake(s, from, gone, at, newR)
}

// retake has the threads of a graph that another has become without some events come to where they are in it. A read may have a value that it
// had not: changed, none for none.
func (g *graph) retake(s *places, from *graph, gone []bool, at []int32, changed int32) error {
	asBefore := func(t int) bool {
		by := from.threads[t].spawner
		return len(g.order[t]) == len(from.order[t]) && (changed == none || g.events[changed].thread != int32(t)) &&
			(by < 0 || !gone[by])
	}
	for t := range g.threads {
		th, was := &g.threads[t], &from.threads[t]
		if asBefore(t) {
			th.set(was)
			if th.spawner >= 0 {
				th.spawner = at[th.spawner]
			}
			continue
		}
		th.start(s, t)
		if by := was.spawner; by >= 0 && !gone[by] {
			th.begin(at[by], was.call)
		}
	}
	if changed != none {
		g.tick(changed) // which asks who has spawned its thread
	}
	for t := range g.threads {
		th := &g.threads[t]
		if asBefore(t) {
			continue
		}
		for _, id := range g.order[t] {
			if err := th.look(); err != nil {
				return err
			}
			th.take(g, id)
			if id == changed { // an update that failed may succeed now
				g.events[id].tags = th.at.first
			}
		}
	}
	return nil
}

// value is what a write has written, or what a location begins with, if that is known.
func (g *graph) value(p program, loc, w int32) (v uint64, set bool) {
	if w == initial {
		return p.begins(g, loc)
	}
	return g.events[w].value, true
}

// takeFrom has a read take its value from a write, and its thread know nothing of it.
func (g *graph) takeFrom(p program, id, w int32) {
	e := &g.events[id]
	v, set := g.value(p, e.loc, w)
	e.rf, e.value, e.unset = w, v, !set
}
