package consistency

import (
	"math/bits"

	"litmuscope/solver/graphs/graph"
)

// A column of an event has the predecessors of the event in one relation. Only stable relations have columns: when an
// event arrives, its predecessors exist already, and no later event changes them. So the checker computes each column
// once, from the columns of earlier events, and the column survives until the exploration removes the event or changes
// what it reads from. Program order and each closure that the axioms need have columns; the other stable relations
// follow from these in a few steps (leading).

// stable reports whether a relation has columns that never change.
func (f *Formula) stable(i int) bool {
	n := f.nodes[i]
	if n.set {
		return false
	}
	switch n.op {
	case opPO, opRF, opRMW, opAddr, opData, opCtrl, opID, opNothing:
		return true
	case opIdentity:
		return f.static(n.x)
	case opUnion, opSeq:
		return f.stable(n.x) && f.stable(n.y)
	case opPlus:
		return f.stable(n.x)
	case opRestrict:
		return f.stable(n.x) && (n.y < 0 || f.static(n.y)) && (n.z < 0 || f.static(n.z))
	case opInter:
		x, y := f.stable(n.x), f.stable(n.y)
		return x && y || x && f.pairwise(n.y) || y && f.pairwise(n.x)
	case opDiff:
		return f.stable(n.x) && (f.stable(n.y) || f.pairwise(n.y))
	}
	return false
}

// static reports whether the new event itself determines its membership in a set, which then never changes.
func (f *Formula) static(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opTagged, opAll, opReads, opWrites, opFences, opInitial, opNothing:
		return true
	case opUnion, opInter, opDiff:
		return f.static(n.x) && f.static(n.y)
	case opRange:
		return f.stable(n.x) && !f.fromInitial(n.x)
	}
	return false
}

// pairwise reports whether a relation depends on the two events alone.
func (f *Formula) pairwise(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opLoc, opInt, opExt, opID, opAccess, opSiblings, opOverlap:
		return true
	case opCartesian:
		return f.static(n.x) && f.static(n.y)
	case opUnion, opInter, opDiff:
		return !n.set && f.pairwise(n.x) && f.pairwise(n.y)
	}
	return false
}

// fromInitial reports whether a stable relation may relate initial writes to other events. Columns contain no initial
// writes.
func (f *Formula) fromInitial(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opPO, opRMW, opAddr, opData, opCtrl, opNothing:
		return false
	case opUnion:
		return f.fromInitial(n.x) || f.fromInitial(n.y)
	case opSeq, opPlus, opDiff:
		return f.fromInitial(n.x)
	case opInter:
		return (!f.stable(n.x) || f.fromInitial(n.x)) && (!f.stable(n.y) || f.fromInitial(n.y))
	case opRestrict:
		return f.fromInitial(n.x) && (n.y < 0 || f.hasInitial(n.y))
	case opIdentity:
		return f.hasInitial(n.x)
	}
	return true
}

// hasInitial reports whether a set may contain initial writes.
func (f *Formula) hasInitial(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opTagged, opReads, opFences, opNothing:
		return false
	case opUnion:
		return f.hasInitial(n.x) || f.hasInitial(n.y)
	case opInter:
		return f.hasInitial(n.x) && f.hasInitial(n.y)
	case opDiff:
		return f.hasInitial(n.x)
	}
	return true
}

// leads reports whether leading can compute predecessors in a relation: stable relations, fr, co, and intersections
// of these with pairwise relations.
func (f *Formula) leads(i int) bool {
	n := f.nodes[i]
	switch n.op {
	case opCO, opFR, opAccess, opSiblings:
		return true
	case opInter:
		return f.leads(n.x) && f.pairwise(n.y) || f.leads(n.y) && f.pairwise(n.x) || f.stable(i)
	}
	return f.stable(i)
}

// parts are the operands of an intersection or difference. leading can compute predecessors in the first. If pairs is
// set, the second is pairwise and the checker only asks it for single pairs.
type parts struct {
	first, second int
	pairs         bool
}

// chooseColumns chooses the relations with columns: program order, and the stable closures that roots depend on.
func (c *Checker) chooseColumns(roots []int) {
	c.place, c.parts, c.lasting = make([]int, len(c.f.nodes)), make([]parts, len(c.f.nodes)),
		make([]bool, len(c.f.nodes))
	c.settled = make([]bool, len(c.f.nodes))
	for i, n := range c.f.nodes {
		c.place[i], c.lasting[i], c.settled[i] = -1, c.f.stable(i), n.set && c.f.settled(i)
		if n.op == opInter || n.op == opDiff { // one of the two may be pairwise
			p := parts{n.x, n.y, false}
			if n.op == opInter && !c.f.leads(n.x) {
				p.first, p.second = n.y, n.x
			}
			p.pairs = c.f.pairwise(p.second)
			c.parts[i] = p
		}
	}
	for _, i := range c.f.needed(roots) {
		if o := c.f.nodes[i].op; o == opPO || o == opPlus && c.lasting[i] {
			c.place[i] = len(c.kept)
			c.kept = append(c.kept, i)
		}
	}
}

// Columns returns the number of columns of each event.
func (c *Checker) Columns() int { return len(c.kept) }

// FindColumns computes the columns of an event that is new or reads from another write than before. The events before
// it must have their columns.
func (c *Checker) FindColumns(g *graph.Graph, id int32) {
	if g.Columns.Kept == 0 {
		return
	}
	for k := range c.kept {
		clear(g.Columns.At(id, k))
	}
	c.words = g.Columns.Words
	one, mark := c.borrow()
	one[id>>6] |= 1 << (id & 63)
	for k, i := range c.kept {
		column := g.Columns.At(id, k)
		n := &c.f.nodes[i]
		if n.op == opPO {
			c.inOrder(g, id, k, column)
			continue
		}
		if g.Events[id].Kind == graph.Choice {
			continue
		}
		c.leading(g, n.x, one, column)
		left, _ := c.borrow()
		copy(left, column)
		for w := len(left) - 1; w >= 0; w-- { // visit late events first: their columns contain most others
			for left[w] != 0 {
				last := 63 - bits.LeadingZeros64(left[w])
				left[w] &^= 1 << last
				for i, v := range g.Columns.At(int32(w<<6+last), k) {
					column[i] |= v
					left[i] &^= v
				}
			}
		}
	}
	c.give(mark)
}

// inOrder computes the program-order column k of an event. A choice is no event, but has a column, from which its
// successors compute theirs.
func (c *Checker) inOrder(g *graph.Graph, id int32, k int, column []uint64) {
	behind := func(a int32) {
		or(column, g.Columns.At(a, k))
		if g.Events[a].Kind != graph.Choice {
			column[a>>6] |= 1 << (a & 63)
		}
	}
	e := &g.Events[id]
	if first := e.First(); first > 0 {
		for _, a := range g.RightBefore(e.Thread, first) {
			behind(a)
		}
	} else if s := g.Threads[e.Thread].Spawner; s >= 0 {
		behind(s)
	}
	if e.Kind != graph.Join {
		return
	}
	if n := len(g.Order[e.Other]); n > 0 {
		for _, a := range g.RightBefore(e.Other, int32(n)) {
			behind(a)
		}
	} else if s := g.Threads[e.Other].Spawner; s >= 0 {
		behind(s)
	}
}

// borrow returns an empty set of events. Callers borrow and return sets like a stack: give(mark) returns this set and
// all borrowed after it.
func (c *Checker) borrow() (set []uint64, mark int) {
	mark = c.lent
	if c.lent == len(c.sets) {
		c.sets = append(c.sets, nil)
	}
	s := &c.sets[c.lent]
	c.lent++
	if cap(*s) < c.words {
		*s = make([]uint64, c.words)
	}
	*s = (*s)[:c.words]
	clear(*s)
	return *s, mark
}

// give returns all sets borrowed since mark.
func (c *Checker) give(mark int) { c.lent = mark }

// leading adds to out the predecessors of the events in to, by relation i. The relation must satisfy leads.
func (c *Checker) leading(g *graph.Graph, i int, to, out []uint64) {
	if k := c.place[i]; k >= 0 {
		each(to, func(b int) { or(out, g.Columns.At(int32(b), k)) })
		return
	}
	c.find(g, i, to, out)
}

// find is leading for a relation that has no column.
func (c *Checker) find(g *graph.Graph, i int, to, out []uint64) {
	n := &c.f.nodes[i]
	switch n.op {
	case opNothing:
	case opRF:
		each(to, func(b int) {
			if e := &g.Events[b]; e.Kind == graph.Read && e.RF >= 0 {
				out[e.RF>>6] |= 1 << (e.RF & 63)
			}
		})
	case opRMW:
		each(to, func(b int) {
			if h := g.Events[b].Half; h >= 0 {
				out[h>>6] |= 1 << (h & 63)
			}
		})
	case opAddr, opData, opCtrl:
		each(to, func(b int) {
			e := &g.Events[b]
			for _, pos := range dependencies(e.Deps, n.op) {
				if a := g.Order[e.Thread][pos]; g.Events[a].Kind != graph.Choice {
					out[a>>6] |= 1 << (a & 63)
				}
			}
		})
	case opID:
		or(out, to)
	case opAccess, opSiblings:
		each(to, func(b int) {
			for _, a := range g.Access(int32(b)) {
				if n.op == opAccess || int(a) != b {
					out[a>>6] |= 1 << (a & 63)
				}
			}
		})
	case opIdentity:
		c.members(g, n.x, to, out)
	case opUnion:
		c.leading(g, n.x, to, out)
		c.leading(g, n.y, to, out)
	case opSeq:
		between, mark := c.borrow()
		c.leading(g, n.y, to, between)
		if some(between) {
			c.leading(g, n.x, between, out)
		}
		c.give(mark)
	case opRestrict:
		ends, mark := to, c.lent
		if n.z >= 0 {
			ends, _ = c.borrow()
			c.members(g, n.z, to, ends)
		}
		switch {
		case !some(ends):
		case n.y < 0:
			c.leading(g, n.x, ends, out)
		default:
			begins, _ := c.borrow()
			c.leading(g, n.x, ends, begins)
			c.members(g, n.y, begins, out)
		}
		c.give(mark)
	case opInter, opDiff:
		x, y, pairs := c.parts[i].first, c.parts[i].second, c.parts[i].pairs
		one, mark := c.borrow()
		first, _ := c.borrow()
		second, _ := c.borrow()
		each(to, func(b int) {
			clear(one)
			clear(first)
			one[b>>6] |= 1 << (b & 63)
			c.leading(g, x, one, first)
			switch {
			case c.f.nodes[y].op == opLoc:
				c.onLocation(g, b, n.op == opInter, first, out)
				return
			case pairs:
				each(first, func(a int) {
					if c.paired(g, y, a, b) == (n.op == opInter) {
						out[a>>6] |= 1 << (a & 63)
					}
				})
				return
			}
			clear(second)
			c.leading(g, y, one, second)
			for k, w := range second {
				if n.op == opDiff {
					w = ^w
				}
				out[k] |= first[k] & w
			}
		})
		c.give(mark)
	case opCO, opFR:
		c.orders(g)
		m := &c.co
		if n.op == opFR {
			m = &c.fr
		}
		each(to, func(b int) { or(out, m.row(b)) })
	default:
		panic("BUG: no stable relation")
	}
}

// onLocation adds the members of set that access the location of event b, or those that do not.
func (c *Checker) onLocation(g *graph.Graph, b int, same bool, set, out []uint64) {
	loc := g.Events[b].Loc
	if loc < 0 {
		if !same {
			or(out, set)
		}
		return
	}
	for k, w := range g.Columns.Of(loc) {
		if !same {
			w = ^w
		}
		out[k] |= set[k] & w
	}
}

// dependencies returns the program-order positions that an event depends on, by one kind of dependency.
func dependencies(d *graph.Deps, o op) []int32 {
	switch {
	case d == nil:
		return nil
	case o == opAddr:
		return d.Addr
	case o == opData:
		return d.Data
	}
	return d.Ctrl
}

// members adds the events of of that are in a set.
func (c *Checker) members(g *graph.Graph, set int, of, out []uint64) {
	each(of, func(a int) {
		if c.member(g, set, a) {
			out[a>>6] |= 1 << (a & 63)
		}
	})
}

// member reports whether event a is in a set. It caches the answer for the event's class if the set permits.
func (c *Checker) member(g *graph.Graph, set, a int) bool {
	e := &g.Events[a]
	is := &c.f.classes.known[e.Class][set]
	if *is == open && c.settled[set] {
		*is = no
		if c.belongs(g, set, a) {
			*is = yes
		}
	}
	if *is != open {
		return *is == yes
	}
	return c.belongs(g, set, a)
}

// belongs computes membership that has no cache entry, or cannot have one because it depends on more than the event.
func (c *Checker) belongs(g *graph.Graph, set, a int) bool {
	n := &c.f.nodes[set]
	e := &g.Events[a]
	switch n.op {
	case opTagged:
		return e.Sets>>n.x&1 == 1
	case opAll:
		return true
	case opReads:
		return e.Kind == graph.Read
	case opWrites:
		return e.Kind == graph.Write
	case opFences:
		return e.Kind != graph.Read && e.Kind != graph.Write
	case opUnion:
		return c.member(g, n.x, a) || c.member(g, n.y, a)
	case opInter:
		return c.member(g, n.x, a) && c.member(g, n.y, a)
	case opDiff:
		return c.member(g, n.x, a) && !c.member(g, n.y, a)
	case opRange:
		one, mark := c.borrow()
		from, _ := c.borrow()
		one[a>>6] |= 1 << (a & 63)
		c.leading(g, n.x, one, from)
		is := some(from)
		c.give(mark)
		return is
	}
	return false
}

// paired reports whether a pairwise relation relates two events.
func (c *Checker) paired(g *graph.Graph, i, a, b int) bool {
	n := &c.f.nodes[i]
	switch n.op {
	case opLoc:
		return g.Events[a].Loc >= 0 && g.Events[a].Loc == g.Events[b].Loc
	case opInt:
		return g.Events[a].Thread == g.Events[b].Thread
	case opExt:
		return g.Events[a].Thread != g.Events[b].Thread
	case opID:
		return a == b
	case opAccess:
		return g.Events[a].SameAccess(&g.Events[b])
	case opSiblings:
		return a != b && g.Events[a].SameAccess(&g.Events[b])
	case opOverlap:
		return g.Events[a].Overlaps(&g.Events[b])
	case opCartesian:
		return c.member(g, n.x, a) && c.member(g, n.y, b)
	case opUnion:
		return c.paired(g, n.x, a, b) || c.paired(g, n.y, a, b)
	case opInter:
		return c.paired(g, n.x, a, b) && c.paired(g, n.y, a, b)
	}
	return c.paired(g, n.x, a, b) && !c.paired(g, n.y, a, b)
}
