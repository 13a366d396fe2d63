package explore

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/graphs/graph"
)

// Accesses that go over several locations, where threads access memory at several widths: see [ir.Piece]. Each is one
// step of its thread, and an event for each of its pieces, one behind the other in its thread but in no program order.
// What it is part of may keep all of it or nothing: so it is not known of one piece that another can always be added,
// and such programs are explored as those with symmetry are, with nothing taken back. Pieces of a read are decided on
// one after another, each by a write that there is or by one that comes later; they are events once all are. What is
// read last by a thread that is blocked is all decided at the end. Where threads run ahead, pieces are events at once,
// and what a read gives is known when it is of all of them.

// readers adds the read that a thread has come to, as far as it is picked what it takes its value from.
func (x *Exploration) readers(g *graph.Graph, t int) (ids []int32) {
	th := &g.Threads[t]
	for k, w := range th.Picked {
		th.Piece = k
		ids = append(ids, x.add(g, x.event(g, t, graph.Read, func(e *graph.Event) { e.RF = w })))
	}
	th.Piece = 0
	return ids
}

// readFromPicked has a thread go on with what is picked for its read.
func (x *Exploration) readFromPicked(g *graph.Graph, t int, ids []int32) {
	th := &g.Threads[t]
	for k, id := range ids {
		g.TakeFrom(x.Program, id, th.Picked[k])
	}
	th.Picked = nil
	th.Take(g, ids[len(ids)-1])
	for _, id := range ids {
		x.addRead(g, id)
	}
}

// mayPick reports whether what is picked so far for a read is no reason to leave it. Of an update, that is not looked
// at: what it is as an event may depend on what it reads.
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
