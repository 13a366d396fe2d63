package consistency

import (
	"errors"
	"slices"

	"litmuscope/solver/graphs/graph"
)

// Some models let threads run ahead of their reads, and prevent it by one axiom alone, which uses dependencies among
// others. C programs run in program order under such models nevertheless: without that axiom, and without tracking
// dependencies. The exploration then visits the executions in which no read reads from a write that follows it in
// program order and reads-from, and some graphs that are no executions.
//
// Nothing is missed if the visited graphs satisfy this condition: no write that follows a read of its location in
// program order and reads-from could be the one that it reads from, unless the write happens after the read or is
// preserved after it. (MayReadLater looks for a violation.) The proof: assume an execution with a cycle of program
// order and reads-from. Take its events one by one, in an order that respects the preserved order and dependencies,
// each together with the earlier events of its thread. An earlier read whose turn has not come, and whose write does
// not exist yet, reads from the last write before it in coherence order instead. No acquire read and no update is among
// these reads, because the model preserves their later events after them. So no event happens before another that it
// does not happen before in the execution, and no read moves before another write. The exploration thus visits the
// graph, up to the write that would close the first cycle. A read that this write follows reads from it. It neither
// happens after the read nor does preserved order through events whose turn has come place it after the read: otherwise
// the same would be true in the execution. The last read of a thread on that path has had its turn if the model
// preserves all later events of the thread after it.
//
// A failure in a visited graph is a failure of an execution if the axiom holds even when each event depends on all
// earlier reads of its thread. It is none if the axiom fails even without any dependency. Between the two,
// [Checker.IsExecution] gives up with [ErrLater].
type later struct {
	kept    int   // the part of preserved order within a thread that needs no dependencies
	outward int   // reads-from between threads
	fixed   []int // sets of events after which the model preserves all later events of the thread
	judged  []axiom
}

// ErrLater reports that exploration in program order cannot answer a question.
var ErrLater = errors.New("engine graphs: under this model, a read may take its value from a write that comes later")

// RunsInOrder reports whether programs run in program order although the model lets threads run ahead.
func (f *Formula) RunsInOrder() bool { return f.later != nil }

// RunInOrder lets programs run in program order under a model that lets threads run ahead. name is the axiom that
// preserves order. It reports whether the formula allows this; if not, the caller must not use the formula.
func (f *Formula) RunInOrder(name string) bool {
	i := slices.IndexFunc(f.axioms, func(a axiom) bool { return a.name == name })
	if name == "" || i < 0 || !f.Coherent || len(f.orders) > 1 || len(f.orders) == 1 && !f.isStableOrder(f.orders[0]) {
		return false
	}
	l := &later{kept: f.nothing(false), outward: -1, judged: f.axioms}
	for _, m := range f.axioms[i].members {
		n := f.nodes[m]
		switch {
		case n.op == opInter && f.nodes[n.x].op == opExt && f.nodes[n.y].op == opRF || n.op == opInter &&
			f.nodes[n.x].op == opRF && f.nodes[n.y].op == opExt:
			l.outward = m
		case f.stable(m):
			l.kept = f.union(l.kept, m)
		}
	}
	for _, k := range f.needed([]int{l.kept}) {
		if n := f.nodes[k]; n.op == opRestrict && f.nodes[n.x].op == opPO && n.y >= 0 && n.z < 0 {
			l.fixed = append(l.fixed, n.y)
		}
	}
	rest := slices.Delete(slices.Clone(f.axioms), i, i+1)
	for _, a := range rest {
		if _, updates := f.tears(a); !updates && !f.inPlace(a) && f.automatonOf(a.root) == nil {
			return false
		}
	}
	f.later, f.axioms, f.Ahead, f.Deps = l, rest, false, false
	return l.outward >= 0
}

// MayReadLater reports whether some write of the graph follows a read of its location in program order and reads-from,
// and the read could read from it: coherence with the writes that happen before or after the read permits it, and the
// write is not preserved after the read.
func (c *Checker) MayReadLater(g *graph.Graph) bool {
	if c.f.later == nil {
		return false
	}
	// happens-before is program order unless the model has an order
	happens := func(a, b int32) bool { return g.Events[a].Pos < g.Passed(b)[g.Events[a].Thread] }
	if len(c.f.orders) > 0 {
		k := c.place[c.f.orders[0]]
		happens = func(a, b int32) bool { return g.Columns.At(b, k)[a>>6]>>(a&63)&1 == 1 }
	}
	for r := range int32(len(g.Events)) {
		e := &g.Events[r]
		if e.Kind != graph.Read {
			continue
		}
		list := g.CO[e.Loc]
		// older reports whether a read that happens after r, and has had its turn, reads from a write before place i.
		older := func(w int32, i int) bool {
			for u := range int32(len(g.Events)) {
				if o := &g.Events[u]; o.Kind == graph.Read && o.Loc == e.Loc && g.Rank(o.Loc, o.RF) < i &&
					happens(r, u) && g.Before(u, w) && c.fixed(g, u) {
					return true
				}
			}
			return false
		}
		for i, w := range list {
			if !g.Before(r, w) || slices.ContainsFunc(list[:i+1], func(u int32) bool { return happens(r, u) }) ||
				slices.ContainsFunc(list[i+1:], func(u int32) bool { return happens(u, r) }) || older(w, i) {
				continue
			}
			c.words, c.lent = g.Columns.Words, 0
			if behind := c.behind(g, w); behind[r>>6]>>(r&63)&1 == 0 {
				return true
			}
		}
	}
	return false
}

// fixed reports whether the model preserves all later events of the thread after an event.
func (c *Checker) fixed(g *graph.Graph, id int32) bool {
	return g.Events[id].Kind != graph.Choice &&
		slices.ContainsFunc(c.f.later.fixed, func(set int) bool { return c.member(g, set, int(id)) })
}

// behind returns the events after which a write is preserved in every extension of the graph.
func (c *Checker) behind(g *graph.Graph, w int32) []uint64 {
	l := c.f.later
	e := &g.Events[w]
	now, _ := c.borrow() // events after which the model preserves all later events of the thread
	for _, id := range g.Order[e.Thread][:e.Pos] {
		if c.fixed(g, id) {
			now[id>>6] |= 1 << (id & 63)
		}
		for _, pos := range dependencies(g.Events[id].Deps, opAddr) {
			at := g.Order[e.Thread][pos]
			now[at>>6] |= 1 << (at & 63)
		}
	}
	for _, pos := range dependencies(e.Deps, opCtrl) {
		at := g.Order[e.Thread][pos]
		now[at>>6] |= 1 << (at & 63)
	}
	before, _ := c.borrow()
	c.leading(g, l.kept, now, before)
	or(now, before)
	// Then follow the preserved order of other threads backwards, starting with reads-from between threads.
	from, _ := c.borrow()
	c.leading(g, l.outward, now, from)
	for more := true; more; {
		clear(before)
		or(before, from)
		c.leading(g, l.kept, from, before)
		c.leading(g, l.outward, from, before)
		more = !slices.Equal(before, from)
		copy(from, before)
	}
	return from
}

// IsExecution reports whether a visited graph is an execution of the full model. It returns ErrLater if the answer
// depends on dependencies, which the exploration did not track.
func (c *Checker) IsExecution(g *graph.Graph) (bool, error) {
	if c.f.later == nil {
		return true, nil
	}
	holds := func() bool {
		c.measure(g)
		c.anew = true
		for _, i := range c.judged {
			c.evaluate(g, i)
		}
		c.anew = false
		return !slices.ContainsFunc(c.f.later.judged, c.broken)
	}
	if !holds() {
		return false, nil
	}
	c.dependent = true
	defer func() { c.dependent = false }()
	if !holds() {
		return false, ErrLater
	}
	return true, nil
}
