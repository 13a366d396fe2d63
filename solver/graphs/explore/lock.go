package explore

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/graphs/graph"
)

// Locks that are only taken and left, by who holds them. Who takes one next is what there is to explore; so taking it
// is tried with nothing but the last unlock, and instead of each earlier one that has taken it, and leaving it has
// nobody take it anew. A thread for which a lock is not free has not come to anything yet: blocked threads are where no
// other can go on. Nobody races with them, for all that is done with such a lock is atomic.
//
// What an earlier one has done that is overtaken goes as it does where a write is read instead of another. So that a
// graph comes of one alone, who is overtaken, and whoever goes with it, has overtaken nobody: of those that wait, the
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

// lock tries to take the lock that a thread has come to instead of each other that has, and goes on with taking it as
// it is free.
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

// overtakes goes on from the graphs in which a thread takes a lock instead of another.
func (x *Exploration) overtakes(g *graph.Graph, t int) error {
	th := &g.Threads[t]
	behind := th.Spawner // what it comes behind
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
				x.Observer.Spares()
			}
			continue
		}
		next := x.blank()
		gone := slices.Clone(x.gone)
		at := next.Without(g, gone)
		if err := next.Retake(x.Places, g, gone, at, graph.None); err != nil {
			return err
		}
		if err := next.Threads[t].Look(); err != nil {
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

// locked sees to threads that wait for locks where no thread can go on: each may have taken its lock instead of others.
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
		if err := g.Threads[t].Look(); err != nil {
			return err
		}
	}
	return nil
}
