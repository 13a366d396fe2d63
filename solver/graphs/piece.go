package graphs

import (
	"slices"

	"litmuscope/litmus/ir"
)

// Accesses that go over several locations, where threads access memory at several widths: see [ir.Piece]. Each is one step of its
// thread, and an event for each of its pieces, one behind the other in its thread but in no program order. What it is
// part of may keep all of it or nothing: so it is not known of one piece that another can always be added, and such programs are explored as
// those with symmetry are, with nothing taken back. Pieces of a read are decided on one after another, each by a write that there is or by
// one that comes later; they are events once all are. What is read last by a thread that is blocked is all decided at the end. Where
// threads run ahead, pieces are events at once, and what a read gives is known when it is of all of them.

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

// readers adds the read that a thread has come to, as far as it is picked what it takes its value from.
func (x *exploration) readers(g *graph, t int) (ids []int32) {
	th := &g.threads[t]
	for k, w := range th.picked {
		th.piece = k
		ids = append(ids, x.add(g, x.event(g, t, read, func(e *event) { e.rf = w })))
	}
	th.piece = 0
	return ids
}

// readFromPicked has a thread go on with what is picked for its read.
func (x *exploration) readFromPicked(g *graph, t int, ids []int32) {
	th := &g.threads[t]
	for k, id := range ids {
		g.takeFrom(x.p, id, th.picked[k])
	}
	th.picked = nil
	th.take(g, ids[len(ids)-1])
	for _, id := range ids {
		x.known(g, id)
	}
}

// mayPick tells whether what is picked so far for a read is no reason to leave it. Of an update, that is not looked at: what it is as an event
// may depend on what it reads.
func (x *exploration) mayPick(g *graph, t int) bool {
	if g.threads[t].next.kind == ir.ActRMW {
		return true
	}
	try := x.copy(g)
	defer func() { x.free = append(x.free, try) }()
	ids := x.readers(try, t)
	for k, id := range ids {
		try.takeFrom(x.p, id, try.threads[t].picked[k])
		try.tick(id)
		x.check.columnsOf(try, id)
	}
	return !slices.ContainsFunc(ids, func(id int32) bool { return x.early(try, id) }) && x.allows(try, ids...)
}
