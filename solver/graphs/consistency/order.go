package consistency

import (
	"slices"

	"litmuscope/models/cat"
	"litmuscope/solver/graphs/graph"
)

// tearing says of which threads writes come between the read and the write of an update where an axiom forbids it: of
// any, or of others alone.
type tearing struct{ fr, co bool }

// tears recognises the axiom that no write comes between the read and the write of an update.
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

// tear reports whether a write comes between the read and the write of an update of a location.
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

// inPlace recognises an axiom that says no more than that accesses of a location come in its coherence where
// [Checker.Least] has them come: behind what is before them in orders of which it is known for good.
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

func (f *Formula) atPlace(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opRestrict:
		return f.atPlace(n.x)
	case opInter:
		of := func(x, y int) bool { return f.nodes[x].op == opLoc && (f.within(y, opPO) || f.known(y)) }
		return of(n.x, n.y) || of(n.y, n.x)
	}
	return false
}

// known reports whether an order is one that coherence is held to as soon as there is an event, and has program order
// in it.
func (f *Formula) known(i int) bool {
	n := f.nodes[i]
	if !slices.Contains(f.orders, i) || n.op != opPlus || !f.stable(i) {
		return false
	}
	return slices.ContainsFunc(f.members(n.x, nil), func(m int) bool { return f.nodes[m].op == opPO })
}

// Least is how many writes of a location, the initial one first, an event is past that has no place yet, as far as the
// model says: those that are in coherence before what is known to come before it anyway, or are that.
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

// past is how many writes of its location an event is past by what is before it.
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

// earlier finds what an event comes behind in what is one order with coherence.
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
