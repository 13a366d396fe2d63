package explore

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/graphs/graph"
)

// Accesses that go over several locations, where threads access memory at several widths: see [ir.Piece]. Each is one
// step of its thread, and an event for each of its pieces. The events are consecutive in the thread, but program order
// does not relate them. What it is part of may keep all of it or nothing: so adding one more piece may not always be
// possible. The exploration handles such programs like those with symmetry and takes nothing back. It decides the
// pieces of a read one after another, each by an existing write or by one that comes later; they become events once all
// are decided. At the end, it decides all pieces of the last read of a blocked thread. If threads run ahead, pieces are
// events at once, and the value of a read is known once all pieces have theirs.

// readers adds a read event for each piece of a thread's next read, from the writes picked for the pieces.
func (x *Exploration) readers(g *graph.Graph, t int) (ids []int32) {
	th := &g.Threads[t]
	for k, w := range th.Picked {
		th.Piece = k
		ids = append(ids, x.add(g, x.event(g, t, graph.Read, func(e *graph.Event) { e.RF = w })))
	}
	th.Piece = 0
	return ids
}

// readFromPicked continues a thread with the writes picked for its read.
func (x *Exploration) readFromPicked(g *graph.Graph, t int, ids []int32) {
	th := &g.Threads[t]
	for k, id := range ids {
		g.TakeFrom(x.Program, id, th.Picked[k])
	}
	th.Picked = nil
	th.MovePast(g, ids[len(ids)-1])
	for _, id := range ids {
		x.addRead(g, id)
	}
}

// mayPick reports whether the writes picked so far leave the read possible. It does not check updates: what it is as an
// event may depend on what it reads.
func (x *Exploration) mayPick(g *graph.Graph, t int) bool {
	if g.Threads[t].Next.Kind == ir.ActRMW {
		return true
	}
	try := x.copy(g)
	defer func() { x.free = append(x.free, try) }()
	ids := x.readers(try, t)
	for k, id := range ids {
		try.TakeFrom(x.Program, id, try.Threads[t].Picked[k])
		try.Tick(id)
		x.Check.FindColumns(try, id)
	}
	return !slices.ContainsFunc(ids, func(id int32) bool { return x.early(try, id) }) && x.allows(try, ids...)
}
