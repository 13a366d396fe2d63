package explore

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/graphs/graph"
)

// Locks that the program only acquires and releases: the exploration orders them by their holders. The alternatives are
// who acquires a lock next; so an acquisition tries only the last release, and to replace each earlier acquisition. A
// release changes no acquisition. A thread that waits for a lock has not taken its step yet: a graph has blocked
// threads only if no thread can continue. No access races with them, because all operations on such a lock are atomic.
//
// The events of the replaced acquisition go as they do when a read is revisited. So that only one graph leads to each,
// the acquisition that is replaced, and those that go with it, must not have replaced another: of those that wait, the
// first thread takes a lock as long as nobody overtakes it.

// unlocked reports whether a lock is free.
func unlocked(g *graph.Graph, p graph.Program, loc int32) bool {
	v, _ := g.Value(p, loc, g.Last(loc))
	return v == 0
}

// holds reports whether a thread holds a lock.
func holds(g *graph.Graph, t int, loc int32) bool {
	w := g.Last(loc)
	if w < 0 || g.Events[w].Half < 0 {
		return false
	}
	return g.Events[w].Thread == int32(t) && g.Events[g.Events[w].Half].Locks
}

// lock tries the thread's next acquisition in place of each earlier one, and acquires the lock if it is free.
func (x *Exploration) lock(g *graph.Graph, t int) error {
	if err := x.overtakes(g, t); err != nil {
		return err
	}
	return x.takes(g, t, true)
}

// takes adds the read of a lock that is free.
func (x *Exploration) takes(g *graph.Graph, t int, usual bool) error {
	id := x.add(g, x.event(g, t, graph.Read, func(e *graph.Event) { e.RF, e.Locks, e.Usual = graph.None, true, usual }))
	x.readFrom(g, id, g.Last(g.Events[id].Loc))
	return x.filled(g, id)
}

// overtakes visits the graphs in which a thread acquires a lock in place of another.
func (x *Exploration) overtakes(g *graph.Graph, t int) error {
	th := &g.Threads[t]
	behind := th.Spawner // what it follows
	if n := len(g.Order[t]); n > 0 {
		behind = g.Order[t][n-1]
	}
	for r := range int32(len(g.Events)) {
		e := &g.Events[r]
		if e.Kind != graph.Read || !e.Locks || e.Loc != th.Next.Loc || behind >= 0 && g.Before(r, behind) {
			continue
		}
		if !x.overtakable(g, r, behind) || !x.inTurn(g, t, x.gone) {
			if x.Observer != nil {
				x.Observer.Skips()
			}
			continue
		}
		next := x.blank()
		gone := slices.Clone(x.gone)
		at := next.Without(g, gone)
		if err := next.Retake(x.Places, g, gone, at, graph.None); err != nil {
			return err
		}
		if err := next.Threads[t].FindNext(); err != nil {
			return err
		}
		if err := x.takes(next, t, false); err != nil {
			return err
		}
		if x.Observer != nil {
			x.Observer.Overtakes(g, r)
		}
		if err := x.visit(next); err != nil {
			return err
		}
	}
	return nil
}

// overtakable reports whether r, which takes a lock, and all that goes with it is as it is in one graph alone of those
// that lead to the same; x.gone is what goes.
func (x *Exploration) overtakable(g *graph.Graph, r, behind int32) bool {
	x.gone = slices.Grow(x.gone[:0], len(g.Events))[:len(g.Events)]
	for e := range int32(len(g.Events)) {
		x.gone[e] = e >= r && (behind < 0 || !g.Before(e, behind))
		if x.gone[e] && !x.maximal(g, e, behind) {
			return false
		}
	}
	return true
}

// locked handles threads that wait for locks if no thread can continue: each may have taken its lock instead of others.
// They read that these have.
func (x *Exploration) locked(g *graph.Graph) error {
	var waiting []int
	for t := range g.Threads {
		if th := &g.Threads[t]; th.Half < 0 && th.Looked && th.Next.Locks && th.Next.Kind == ir.ActRMW {
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
		if err := g.Threads[t].FindNext(); err != nil {
			return err
		}
	}
	return nil
}
