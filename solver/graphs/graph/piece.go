package graph

import (
	"slices"

	"litmuscope/litmus/ir"
)

// An access of several locations is one event for each of its pieces, consecutive in its thread: see [ir.Piece].

// First is the place of the first piece of an event's access.
func (e *Event) First() int32 { return e.Pos - e.Piece }

// SameAccess reports whether two events are pieces of one access, or one event.
func (e *Event) SameAccess(other *Event) bool {
	return e.Thread == other.Thread && e.First() == other.First()
}

// Overlaps reports whether the accesses of two events have a location in common.
func (e *Event) Overlaps(other *Event) bool {
	in := func(loc int32, of *Event) bool {
		if of.Whole == nil {
			return of.Loc == loc && loc >= 0
		}
		return slices.ContainsFunc(of.Whole, func(q ir.Piece) bool { return int32(q.Loc) == loc })
	}
	if e.Whole == nil {
		return in(e.Loc, other)
	}
	return slices.ContainsFunc(e.Whole, func(q ir.Piece) bool { return in(int32(q.Loc), other) })
}

// Access are the pieces that are there of the access of an event, in their order.
func (g *Graph) Access(id int32) []int32 {
	e := &g.Events[id]
	if e.Whole == nil {
		return g.Order[e.Thread][e.Pos : e.Pos+1]
	}
	list := g.Order[e.Thread]
	return list[e.First():min(int(e.First())+len(e.Whole), len(list))]
}

// Part is what of the value of its access an event has.
func (e *Event) Part(v uint64) uint64 {
	if e.Whole == nil {
		return v
	}
	return e.Whole[e.Piece].In(v)
}

// RightBefore are the events of a thread right before the access at some place: pieces of one access.
func (g *Graph) RightBefore(t int32, first int32) []int32 { return g.Access(g.Order[t][first-1]) }

// Whole is the value of an access, one piece of which is given.
func (g *Graph) Whole(id int32) (v uint64) {
	e := &g.Events[id]
	if e.Whole == nil {
		return e.Value
	}
	for _, q := range g.Access(id) {
		p := &g.Events[q]
		v |= p.Value << p.Whole[p.Piece].Lo
	}
	return v
}

// Reserved is the exclusive load that is paired with the thread's current write; -1 for none.
func (g *Graph) Reserved(t int) int32 {
	if th := &g.Threads[t]; th.Next.Reserved >= 0 {
		return g.Order[t][th.Next.Reserved]
	}
	return -1
}

// NextPieceLocation is the location of the next undecided piece of the thread's next read.
func (th *Thread) NextPieceLocation() int32 {
	if th.Next.Pieces == nil {
		return th.Next.Loc
	}
	return int32(th.Next.Pieces[len(th.Picked)].Loc)
}
