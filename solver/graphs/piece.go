package graphs

import (
	"slices"

	"litmuscope/litmus/ir"
)

// An access of several locations is one event for each of its pieces, one behind the other in its thread: see [ir.Piece].

// first is the place of the first piece of an event's access.
func (e *event) first() int32 { return e.pos - e.piece }

// sameAccess tells whether two events are pieces of one access, or one event.
func (e *event) sameAccess(other *event) bool {
	return e.thread == other.thread && e.first() == other.first()
}

// overlaps tells whether the accesses of two events have a location in common.
func (e *event) overlaps(other *event) bool {
	in := func(loc int32, of *event) bool {
		if of.whole == nil {
			return of.loc == loc && loc >= 0
		}
		return slices.ContainsFunc(of.whole, func(q ir.Piece) bool { return int32(q.Loc) == loc })
	}
	if e.whole == nil {
		return in(e.loc, other)
	}
	return slices.ContainsFunc(e.whole, func(q ir.Piece) bool { return in(int32(q.Loc), other) })
}

// access are the pieces that are there of the access of an event, in their order.
func (g *graph) access(id int32) []int32 {
	e := &g.events[id]
	if e.whole == nil {
		return g.order[e.thread][e.pos : e.pos+1]
	}
	list := g.order[e.thread]
	return list[e.first():min(int(e.first())+len(e.whole), len(list))]
}

// part is what of the value of its access an event has.
func (e *event) part(v uint64) uint64 {
	if e.whole == nil {
		return v
	}
	return e.whole[e.piece].In(v)
}

// rightBefore are the events of a thread right before the access at some place: pieces of one access.
func (g *graph) rightBefore(t int32, first int32) []int32 { return g.access(g.order[t][first-1]) }

// whole is the value of an access, of which a piece is given.
func (g *graph) whole(id int32) (v uint64) {
	e := &g.events[id]
	if e.whole == nil {
		return e.value
	}
	for _, q := range g.access(id) {
		p := &g.events[q]
		v |= p.value << p.whole[p.piece].Lo
	}
	return v
}

// reserved is the exclusive load that the write at hand of a thread is a pair with; -1 for none.
func (g *graph) reserved(t int) int32 {
	if th := &g.threads[t]; th.next.reserved >= 0 {
		return g.order[t][th.next.reserved]
	}
	return -1
}

// asks is the location of what is decided on next of the read that a thread has come to.
func (th *thread) asks() int32 {
	if th.next.pieces == nil {
		return th.next.loc
	}
	return int32(th.next.pieces[len(th.picked)].Loc)
}
