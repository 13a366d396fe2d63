package consistency

import (
	"slices"

	"litmuscope/models/cat"
	"litmuscope/solver/graphs/graph"
)

// The exploration inserts a write into the coherence order of its location, and a read into the sequence of writes that
// it may read from. A coherence axiom (per-location program order, or happens-before, with rf, co and fr is acyclic)
// says little more than where in that order an access may be. So the checker turns such an axiom around:
// [Checker.Least] computes the first place that the axiom permits, the exploration tries only places from there on, and
// nothing evaluates the axiom itself (inPlace). Atomicity of updates needs only neighbours in coherence order, so that
// it has its own check as well (tears, tear).

// tearing says which writes an atomicity axiom forbids between the read and the write of an update: only those of
// other threads if fr or co is set, otherwise all.
type tearing struct{ fr, co bool }

// tears recognises an axiom that forbids writes between the read and the write of an update: empty rmw & (fr; co),
// where fr and co may be restricted to pairs of different threads.
func (f *Formula) tears(a axiom) (by tearing, is bool) {
	if a.kind != cat.Empty || len(a.members) != 1 || !f.Coherent {
		return by, false
	}
	n := f.nodes[a.members[0]]
	if n.op != opInter {
		return by, false
	}
	rmw, between := n.x, n.y
	if f.nodes[rmw].op != opRMW {
		rmw, between = between, rmw
	}
	b := f.nodes[between]
	if f.nodes[rmw].op != opRMW || b.op != opSeq {
		return by, false
	}
	of := func(i int, base op) (others, is bool) {
		n := f.nodes[i]
		if n.op == opInter {
			x, y := f.nodes[n.x].op, f.nodes[n.y].op
			return true, x == base && y == opExt || x == opExt && y == base
		}
		return false, n.op == base
	}
	var fr, co bool
	by.fr, fr = of(b.x, opFR)
	by.co, co = of(b.y, opCO)
	return by, fr && co
}

// tear reports whether some write comes between the read and the write of an update of a location. It walks from each
// update's write back to the write that the update reads from.
func (c *Checker) tear(g *graph.Graph, loc int32) bool {
	list := g.CO[loc]
	for i, w := range list {
		e := &g.Events[w]
		if e.Half < 0 {
			continue
		}
		rf := g.Events[e.Half].RF
		for j := i - 1; j >= 0 && list[j] != rf; j-- {
			if other := g.Events[list[j]].Thread != e.Thread; other || !c.by.fr && !c.by.co {
				return true
			}
		}
	}
	return false
}

// inPlace recognises an axiom that holds if each access has its place in coherence order after all that precedes it
// in the model's orders. [Checker.Least] chooses such places, so that the axiom needs no check.
func (f *Formula) inPlace(a axiom) bool {
	if a.kind != cat.Acyclic || !f.Coherent {
		return false
	}
	for _, m := range a.members {
		if !f.within(m, opRF) && !f.within(m, opFR) && !f.within(m, opCO) && !f.atPlace(m) {
			return false
		}
	}
	return true
}

// atPlace recognises pairs of accesses to one location that are in program order or in a known order.
func (f *Formula) atPlace(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opRestrict:
		return f.atPlace(n.x)
	case opInter:
		of := func(x, y int) bool { return f.nodes[x].op == opLoc && (f.within(y, opPO) || f.isStableOrder(y)) }
		return of(n.x, n.y) || of(n.y, n.x)
	}
	return false
}

// isStableOrder reports whether node i is an order that contains program order and that later events do not change: one
// of f.orders that is a stable closure. [Checker.Least] respects it.
func (f *Formula) isStableOrder(i int) bool {
	n := f.nodes[i]
	if !slices.Contains(f.orders, i) || n.op != opPlus || !f.stable(i) {
		return false
	}
	return slices.ContainsFunc(f.members(n.x, nil), func(m int) bool { return f.nodes[m].op == opPO })
}

// Least returns a lower bound for the place of an event in the coherence order of loc, as a number of writes, the
// initial one first: the event comes after all writes that precede it in the model's orders, and after all writes
// that preceding reads read from. It saves the exploration from trying places that a coherence axiom forbids.
func (c *Checker) Least(g *graph.Graph, id, loc int32) int {
	if !c.f.Coherent {
		return 0
	}
	before := g.Passed(id)
	if c.f.total {
		before = g.Clock(id)
	}
	least := past(g, id, func(e *graph.Event, _ int) bool { return e.Pos < before[e.Thread] })
	if least < len(g.CO[loc]) && len(c.f.orders) > 0 {
		c.earlier(g, id)
		least = max(least, past(g, id, func(_ *graph.Event, i int) bool { return c.isEarlier(i) }))
	}
	return least
}

// past returns how many writes of its location an event must come after, given the events before it.
func past(g *graph.Graph, id int32, before func(*graph.Event, int) bool) (least int) {
	loc := g.Events[id].Loc
	list := g.CO[loc]
	for least = len(list); least > 0; least-- {
		if w := list[least-1]; w != id && before(&g.Events[w], int(w)) {
			break
		}
	}
	each(g.Columns.Of(loc), func(i int) {
		if e := &g.Events[i]; least < len(list) && e.Kind == graph.Read && int32(i) != id && before(e, i) {
			least = max(least, g.Rank(loc, e.RF)+1)
		}
	})
	return least
}

// earlier computes in c.before the events that precede an event in f.orders.
func (c *Checker) earlier(g *graph.Graph, id int32) {
	c.before = c.before[:0]
	if len(c.ordered) > 0 {
		c.measure(g)
		for _, i := range c.ordered {
			c.evaluate(g, i)
		}
	}
	words := (len(g.Events) + 63) / 64
	c.before = append(c.before, make([]uint64, max(words, g.Columns.Words))...)
	for _, o := range c.f.orders {
		if c.lasting != nil && c.lasting[o] {
			c.words, c.lent = g.Columns.Words, 0
			one, _ := c.borrow()
			one[id>>6] |= 1 << (id & 63)
			c.leading(g, o, one, c.before)
			c.give(0)
			continue
		}
		m := c.slots[o]
		for i := range g.Events {
			if m.has(i, int(id)) {
				c.before[i>>6] |= 1 << (i & 63)
			}
		}
	}
}

func (c *Checker) isEarlier(i int) bool { return i>>6 < len(c.before) && c.before[i>>6]>>(i&63)&1 == 1 }
