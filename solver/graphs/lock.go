package graphs

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Locks that are only taken and left, by who holds them. Who takes one next is what there is to explore; so taking it is tried with nothing
// but the last unlock, and instead of each earlier one that has taken it, and leaving it has nobody take it anew. A thread for which
// a lock is not free has not come to anything yet: blocked threads are where no other can go on. Nobody races with them, for all
// that is done with such a lock is atomic.
//
// What an earlier one has done that is overtaken goes as it does where a write is read instead of another. So that a graph comes of one alone, who
// is overtaken, and whoever goes with it, has overtaken nobody: of those that wait, the first thread takes a lock as long as
// nobody overtakes it.

// unlocked tells whether a lock is free.
func unlocked(g *graph, p program, loc int32) bool {
	v, _ := g.value(p, loc, g.last(loc))
	return v == 0
}

// holds tells whether a thread holds a lock.
func holds(g *graph, t int, loc int32) bool {
	w := g.last(loc)
	if w < 0 || g.events[w].half < 0 {
		return false
	}
	return g.events[w].thread == int32(t) && g.events[g.events[w].half].locks
}

// lock tries to take the lock that a thread has come to instead of each other that has, and goes on with taking it as it is free.
func (x *exploration) lock(g *graph, t int) error {
	if err := x.overtakes(g, t); err != nil {
		return err
	}
	return x.takes(g, t, true)
}

// takes adds the read of a lock that is free.
func (x *exploration) takes(g *graph, t int, usual bool) error {
	id := x.add(g, x.event(g, t, read, func(e *event) { e.rf, e.locks, e.usual = none, true, usual }))
	x.readFrom(g, id, g.last(g.events[id].loc))
	return x.filled(g, id)
}

// overtakes goes on from the graphs in which a thread takes a lock instead of another.
func (x *exploration) overtakes(g *graph, t int) error {
	th := &g.threads[t]
	behind := th.spawner // what it comes behind
	if n := len(g.order[t]); n > 0 {
		behind = g.order[t][n-1]
	}
	for r := range int32(len(g.events)) {
		e := &g.events[r]
		if e.kind != read || !e.locks || e.loc != th.next.loc || behind >= 0 && g.before(r, behind) {
			continue
		}
		if !x.overtakable(g, r, behind) || !x.inTurn(g, t, x.gone) {
			if x.tour != nil {
				x.tour.spares()
			}
			continue
		}
		next := x.blank()
		gone := slices.Clone(x.gone)
		at := next.without(g, gone)
		if err := next.retake(x.places, g, gone, at, none); err != nil {
			return err
		}
		if err := next.threads[t].look(); err != nil {
			return err
		}
		if err := x.takes(next, t, false); err != nil {
			return err
		}
		if x.tour != nil {
			x.tour.overtakes(g, r)
		}
		if err := x.visit(next); err != nil {
			return err
		}
	}
	return nil
}

// overtakable tells whether r, which takes a lock, and all that goes with it is as it is in one graph alone of those that lead to the same;
// x.gone is what goes.
func (x *exploration) overtakable(g *graph, r, behind int32) bool {
	x.gone = slices.Grow(x.gone[:0], len(g.events))[:len(g.events)]
	for e := range int32(len(g.events)) {
		x.gone[e] = e >= r && (behind < 0 || !g.before(e, behind))
		if x.gone[e] && !x.maximal(g, e, behind) {
			return false
		}
	}
	return true
}

// locked sees to threads that wait for locks where no thread can go on: each may have taken its lock instead of others. They read that
// these have.
func (x *exploration) locked(g *graph) error {
	var waiting []int
	for t := range g.threads {
		if th := &g.threads[t]; th.half < 0 && th.looked && th.next.locks && th.next.kind == ir.ActRMW {
			waiting = append(waiting, t)
		}
	}
	for _, t := range waiting {
		if err := x.overtakes(g, t); err != nil {
			return err
		}
	}
	for _, t := range waiting {
		if err := x.takes(g, t, true); err != nil {
			return err
		}
		if err := g.threads[t].look(); err != nil {
			return err
		}
	}
	return nil
}
