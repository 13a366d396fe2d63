package consistency

import (
	"errors"
	"slices"

	"litmuscope/solver/graphs/graph"
)

// Under some models with which threads run ahead, what they do is kept in order by one axiom alone, by dependencies
// among others. There C is run in the order of its threads nevertheless, without that axiom, and without following
// dependencies: what is visited are the executions in which nobody reads what comes behind it in program order and
// reads-from, and some more.
//
// Nothing else is to be found where, in none of these, a write comes behind a read of its location that it neither
// happens after nor is kept behind. For let there be an execution with a cycle of program order and reads-from. Take
// its events one by one in an order that has all that is kept in order and all dependencies, each with what comes
// before it in its thread; reads that are not their turn yet, of what is not there yet, take the last write before it
// in coherence. Nobody who acquires is among them, and no update, for what comes behind such is kept behind it; so
// nothing happens before anything else than it does in the execution, no read comes before another write, and what
// there is is visited, up to the write that would close the first cycle. That write is read by one that it comes
// behind. It does not happen after it, nor is kept behind it by way of what has had its turn: else it would in the
// execution, too. What the last thread on that way has read last for it has had its turn if all behind it in its thread
// is kept behind it.
//
// What fails in a graph that was visited does so in an execution if the axiom holds even where all depends on all that
// is read before; and it does in none if it does not hold although nothing depends on anything.
type later struct {
	kept    int   // what is kept in order in a thread, as far as is known without dependencies
	outward int   // reads-from between threads
	fixed   []int // sets of events that all behind them is kept behind
	judged  []axiom
}

// ErrLater is that it does not do to run a program in the order of its threads.
var ErrLater = errors.New("engine graphs: under this model, a read may take its value from a write that comes later")

// RunsInOrder reports whether programs are run in order although the model lets threads run ahead.
func (f *Formula) RunsInOrder() bool { return f.later != nil }

// RunInOrder has programs be run in order under a model with which threads run ahead, with one axiom that keeps order.
// It reports whether that can be.
func (f *Formula) RunInOrder(name string) bool {
	i := slices.IndexFunc(f.axioms, func(a axiom) bool { return a.name == name })
	if name == "" || i < 0 || !f.Coherent || len(f.orders) > 1 || len(f.orders) == 1 && !f.known(f.orders[0]) {
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

// MayReadLater reports whether a write may be read by a read that it comes behind, for all that coherence says of those
// that happen before or after the read.
func (c *Checker) MayReadLater(g *graph.Graph) bool {
	if c.f.later == nil {
		return false
	}
	// that is in program order
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
		// has another read had its turn that happens later, and reads what is before place i?
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

// fixed reports whether all that comes behind an event in its thread is kept behind it, for what it is.
func (c *Checker) fixed(g *graph.Graph, id int32) bool {
	return g.Events[id].Kind != graph.Choice &&
		slices.ContainsFunc(c.f.later.fixed, func(set int) bool { return c.member(g, set, int(id)) })
}

// behind is what a write is kept behind whatever else there is.
func (c *Checker) behind(g *graph.Graph, w int32) []uint64 {
	l := c.f.later
	e := &g.Events[w]
	now, _ := c.borrow() // what all that is to come in the thread is kept behind
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
	// From there on, all that leads to it by whatever has had its turn: what was read from other threads first.
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

// IsExecution reports whether a graph that was visited without an axiom is one of an execution. The error is that this
// depends on dependencies.
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
